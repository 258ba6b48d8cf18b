package propagation

import (
	"encoding/json"
	"fmt"
	"maps"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/go-openapi/jsonpointer"
)

// operation is one operation of a JSON patch (RFC 6902) that overriders support: add, replace or remove.
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// patch applies operations in their order, all or none. It uses the same libraries as Karmada's overrides, so that it
// accepts and refuses the same.
func (d document) patch(operations []operation) error {
	if len(operations) == 0 {
		return nil
	}
	for _, o := range operations {
		if o.Path == "" {
			return fmt.Errorf("%q is the whole object", o.Path)
		}
	}
	raw, err := json.Marshal(operations)
	if err != nil {
		return fmt.Errorf("a value is not JSON: %w", err)
	}
	p, err := jsonpatch.DecodePatch(raw)
	if err != nil {
		return err
	}
	if raw, err = p.Apply(d.encode()); err != nil {
		return err
	}
	after, err := decodeDocument(raw)
	if err != nil {
		return err
	}
	clear(d)
	maps.Copy(d, after)
	return nil
}

// at finds the value at a JSON pointer (RFC 6901).
func (d document) at(path string) (any, error) {
	p, err := jsonpointer.New(path)
	if err != nil {
		return nil, fmt.Errorf("%q is not a JSON pointer: %w", path, err)
	}
	v, _, err := p.Get(map[string]any(d))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// replace replaces a value that at has found.
func (d document) replace(path string, value any) error {
	p, err := jsonpointer.New(path)
	if err != nil {
		return fmt.Errorf("%q is not a JSON pointer: %w", path, err)
	}
	if _, err := p.Set(map[string]any(d), value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
