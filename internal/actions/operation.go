package actions

import (
	"encoding/json"
	"fmt"

	"github.com/kairship-io/kairship/internal/model"
)

// keptOperation is what has to be kept of an operation that was begun: its name.
func keptOperation(o *model.Operation) any {
	if o == nil {
		return ""
	}
	return o.Name
}

// operation is the operation of a run before, as it is now; nil when it is not kept any more.
func (c *Call) operation(kept []byte) (*model.Operation, error) {
	var name string
	if err := json.Unmarshal(kept, &name); err != nil {
		return nil, fmt.Errorf("decode the name of an operation: %w", err)
	}
	if c.Operations == nil {
		return nil, errNoOperations
	}
	return c.Operations.Operation(c.Viewer, c.Scope, name), nil
}
