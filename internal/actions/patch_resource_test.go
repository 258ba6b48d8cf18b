package actions

import (
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

// Whatever its type, a patch says which object and which version of it is meant, and keeps its numbers.
func TestAPatchSaysWhatItExpects(t *testing.T) {
	ref := model.Ref{Instance: "asia", GVK: namespaceKind.GroupVersion().WithKind("ConfigMap"), Namespace: "shop", Name: "cart"}
	for kind, tc := range map[model.PatchType]struct{ patch, want string }{
		model.PatchMerge:     {`{"n":9007199254740993}`, `{"metadata":{"resourceVersion":"7","uid":"u"},"n":9007199254740993}`},
		model.PatchStrategic: {`{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{"labels":{"a":"b"},"resourceVersion":"7","uid":"u"}}`},
		model.PatchJSON: {`[{"op":"add","path":"/n","value":9007199254740993}]`,
			`[{"op":"add","path":"/n","value":9007199254740993},{"op":"replace","path":"/metadata/uid","value":"u"},{"op":"replace","path":"/metadata/resourceVersion","value":"7"}]`},
		model.PatchApply: {`{"data":{"a":"1"}}`, `{"apiVersion":"v1","data":{"a":"1"},"kind":"ConfigMap","metadata":{"name":"cart","namespace":"shop","resourceVersion":"7","uid":"u"}}`},
	} {
		got, err := (&PatchResource{OnResource: OnResource{UID: "u"}, ResourceVersion: "7", Type: kind}).expecting(ref, []byte(tc.patch))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %s, %v; want %s", kind, got, err, tc.want)
		}
	}
	if got, err := (&PatchResource{Type: model.PatchApply}).expecting(ref, []byte(`{"kind":"Secret"}`)); err == nil {
		t.Errorf("another kind is applied: %s", got)
	}
}
