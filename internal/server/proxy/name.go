package proxy

import (
	"bytes"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// maxNote is how much of a response is searched for an object's name. API servers put it near the beginning.
const maxNote = 64 << 10

// note keeps the beginning of what is written.
type note struct{ kept []byte }

func (n *note) take(b []byte) {
	n.kept = append(n.kept, b[:min(len(b), maxNote-len(n.kept))]...)
}

// nameIn is the name of the object in an API server's response; empty when it cannot be read. The response may be cut
// off.
func nameIn(answer []byte) string {
	if envelope, ok := bytes.CutPrefix(answer, []byte("k8s\x00")); ok {
		unknown, object := runtime.Unknown{}, metav1.PartialObjectMetadata{}
		if unknown.Unmarshal(envelope) != nil || unknown.Kind == "Status" || object.Unmarshal(unknown.Raw) != nil {
			return ""
		}
		return object.Name
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	if !enter(d, "metadata") || !enter(d, "name") {
		return ""
	}
	name, _ := d.Token()
	text, _ := name.(string)
	return text
}

// enter reads the next object up to the value of a key; false when there is none.
func enter(d *json.Decoder, key string) bool {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return false
		}
		if t == key {
			return true
		}
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}
