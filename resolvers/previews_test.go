package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// Kinds that are not held are named: what there is of them goes with the namespace, too.
func TestTheDeletionOfANamespaceNamesKindsThatAreNotHeld(t *testing.T) {
	u := newUpstreams(t)
	id := model.Ref{Instance: "asia", Name: "shop", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}}.ID()
	query := fmt.Sprintf(`{previewDeletion(ids:[%q]){items{goes{kind count} findings{code message}}}}`, id)
	for _, tc := range []struct {
		name  string
		fails func(upstreamCall) bool
		named bool
	}{
		{"all are held", nil, false},
		{"one is not", func(c upstreamCall) bool { return c.upstream == readSync && c.what[0] == "configmaps" }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := u.ask(t, query, tc.fails)
			said := fmt.Sprint(got.Data)
			if len(got.Errors) > 0 || !strings.Contains(said, "kind:Deployment") {
				t.Fatalf("%s %v", said, got.Errors)
			}
			if named := strings.Contains(said, "not counted here: ConfigMap."); named != tc.named || strings.Contains(said, "kind:ConfigMap") == tc.named {
				t.Errorf("ConfigMaps are named as not counted: %t, want %t: %s", named, tc.named, said)
			}
		})
	}
}
