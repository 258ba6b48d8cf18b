package execution

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// selections is what is selected of the objects of an operation: hundreds of them have the same selection and type.
type selections struct {
	mu     sync.RWMutex
	fields map[selection][]graphql.CollectedField
}

// selection is a selection of objects of a type, by where both are in memory. The document and the lists of types outlive
// the operation, and so do the selections that gqlgen makes for it.
type selection struct {
	first     *ast.Selection
	n         int
	satisfies *string
}

// name is that of selections among what an operation has with it.
const name = "KairshipSelections"

// Selections is an extension of gqlgen's executor: operations remember what is selected of their objects.
type Selections struct{}

// ExtensionName is the extension's name.
func (Selections) ExtensionName() string { return name }

// Validate finds nothing: it suits every schema.
func (Selections) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext prepares an operation, before it runs.
func (Selections) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	oc.Stats.SetExtension(name, &selections{fields: map[selection][]graphql.CollectedField{}})
	return nil
}

// CollectFields is graphql.CollectFields, remembered by an operation with Selections. gqlgen remembers them, too, by a hash of the
// names of types that it makes for each object.
func CollectFields(oc *graphql.OperationContext, selected ast.SelectionSet, satisfies []string) []graphql.CollectedField {
	known, _ := oc.Stats.GetExtension(name).(*selections)
	if known == nil || len(selected) == 0 || len(satisfies) == 0 {
		return graphql.CollectFields(oc, selected, satisfies)
	}
	at := selection{&selected[0], len(selected), &satisfies[0]}
	known.mu.RLock()
	fields, ok := known.fields[at]
	known.mu.RUnlock()
	if ok {
		return fields
	}
	fields = graphql.CollectFields(oc, selected, satisfies)
	known.mu.Lock()
	defer known.mu.Unlock()
	known.fields[at] = fields
	return fields
}
