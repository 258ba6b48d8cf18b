package objects

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

func TestDecodeNamespace(t *testing.T) {
	cases := []struct {
		name, metadata, status string
		want                   model.NamespacePhase
	}{
		{"a namespace in use", ``, `"phase":"Active"`, model.NamespaceActive},
		{"a namespace that goes away", ``, `"phase":"Terminating"`, model.NamespaceTerminating},
		{"a deletion counts before the status says so", `,"deletionTimestamp":"2025-06-01T12:00:00Z"`, `"phase":"Active"`, model.NamespaceTerminating},
		{"a namespace that says nothing is not in use by default", ``, ``, model.NamespacePhaseUnknown},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			n, err := DecodeNamespace("asia", "", []byte(`{"metadata":{"name":"shop"`+c.metadata+`},"status":{`+c.status+`}}`))
			if err != nil {
				t.Fatal(err)
			}
			if n.Phase != c.want {
				t.Errorf("phase %s, want %s", n.Phase, c.want)
			}
		})
	}
	t.Run("what keeps it is told, and it is in no namespace", func(t *testing.T) {
		n, err := DecodeNamespace("asia", "", []byte(`{"metadata":{"name":"shop"},"status":{"conditions":[{"type":"NamespaceContentRemaining","status":"True","message":"1 pod"}]}}`))
		if err != nil {
			t.Fatal(err)
		}
		want := []model.Condition{{Type: "NamespaceContentRemaining", Status: model.FactTrue, Message: "1 pod"}}
		if diff := cmp.Diff(want, n.Conditions); diff != "" {
			t.Errorf("conditions (-want +got):\n%s", diff)
		}
		if n.Namespace() != nil || n.Name() != "shop" {
			t.Errorf("namespace %v, name %q; want nil and shop", n.Namespace(), n.Name())
		}
	})
}
