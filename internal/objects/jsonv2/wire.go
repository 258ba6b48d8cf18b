// Package jsonv2 decodes the JSON that API servers send. It is on the road of every row that is read, so
// it uses the decoder that is to become encoding/json/v2: a third of the time of encoding/json for a
// page of bindings (docs/performance.md). It knows nothing of what is decoded.
package jsonv2

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Raw is a part of a document that is kept as it came.
type Raw = jsontext.Value

// Unmarshal decodes a document into a value. Names are compared exactly; of a name that comes twice the
// last counts, as everywhere in Kubernetes.
func Unmarshal(data []byte, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowDuplicateNames(true))
}
