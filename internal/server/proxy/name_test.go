package proxy

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func TestTheNameOfAnAnswer(t *testing.T) {
	object := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one", Namespace: "a"}, Data: map[string]string{"name": "other"}}
	raw, err := object.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	envelope, err := (&runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, Raw: raw}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ answer, want string }{
		"JSON":                       {`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"one"},"data":{"name":"other"}}`, "one"},
		"JSON in another order":      {`{"data":{"metadata":{"name":"other"}},"metadata":{"labels":{"name":"other"},"name":"one"}}`, "one"},
		"JSON that is cut off":       {`{"kind":"ConfigMap","metadata":{"name":"one"},"data":{"x":"` + strings.Repeat("y", 100), "one"},
		"JSON that is cut off early": {`{"kind":"ConfigMap","metadata":{"na`, ""},
		"JSON without a name":        {`{"metadata":{"labels":{"name":"other"}}}`, ""},
		"JSON with a strange name":   {`{"metadata":{"name":{"a":1}}}`, ""},
		"JSON that is no object":     {`["metadata",{"name":"other"}]`, ""},
		"protobuf":                   {"k8s\x00" + string(envelope), "one"},
		"protobuf that is cut off":   {"k8s\x00" + string(envelope[:len(envelope)-3]), ""},
		"nothing":                    {"", ""},
		"HTML":                       {"<h1>metadata</h1>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := nameIn([]byte(tc.answer)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func FuzzTheNameOfAnAnswer(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"one"}}`))
	f.Add([]byte("k8s\x00\x0a\x02v1"))
	f.Fuzz(func(_ *testing.T, answer []byte) { nameIn(answer) })
}

func TestANoteIsShort(t *testing.T) {
	var n note
	for range 100 {
		n.take(make([]byte, 1000))
	}
	if len(n.kept) != maxNote {
		t.Errorf("%d bytes are kept", len(n.kept))
	}
}
