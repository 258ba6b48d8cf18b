// Package jsonv2 decodes the JSON that API servers send. Every row that is read passes through it, so it uses the
// decoder that is to become encoding/json/v2: a third of the time of encoding/json for a page of bindings
// (docs/performance.md). It does not know the types it decodes.
package jsonv2

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Raw is an undecoded part of a document.
type Raw = jsontext.Value

// Part is an undecoded part of a document that is kept for as long as the part is: it shares the document's bytes, which
// nobody may change.
type Part []byte

// UnmarshalJSONFrom keeps the next value of a document.
func (p *Part) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	*p = Part(v)
	return err
}

// Unmarshal decodes a document into a value. Names are compared exactly; of duplicate names the last counts, as
// everywhere in Kubernetes.
func Unmarshal(data []byte, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowDuplicateNames(true))
}
