package catalog_test

import (
	"cmp"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

func TestKindsAreInOrderAndFoundByEachOfTheirNames(t *testing.T) {
	kinds := catalog.Kinds()
	if !slices.IsSortedFunc(kinds, func(a, b catalog.Kind) int { return cmp.Compare(a.GVK.Kind, b.GVK.Kind) }) {
		t.Error("lists of several kinds break ties by the kinds' names: the table is not in that order")
	}
	for i := range kinds {
		k := &kinds[i]
		if catalog.ByGVK(k.GVK) != k || catalog.ByGVR(k.GVR()) != k || catalog.Rank(k.GVR()) != i {
			t.Errorf("%s is found as something else: it stands there twice", k.GVK)
		}
		if k.ControlPlane == catalog.No && k.Member == catalog.No {
			t.Errorf("%s is kept nowhere", k.GVK)
		}
	}
}

// The model names the kinds that have types of their own; it knows no other package, so a test ties the two.
func TestTheModelMeansTheSameKinds(t *testing.T) {
	for _, w := range model.WorkloadKinds {
		if k := catalog.ByGVK(w.GVK()); k == nil || k.GVR() != w.GVR() || !k.Namespaced {
			t.Errorf("%s: the catalogue has %+v", w, k)
		}
	}
	for _, p := range []model.PolicyKind{model.PolicyPropagation, model.PolicyClusterPropagation, model.PolicyOverride, model.PolicyClusterOverride} {
		if k := catalog.ByGVK(p.GVK()); k == nil || k.GVR() != p.GVR() || k.Namespaced != p.Namespaced() {
			t.Errorf("%s: the catalogue has %+v", p, k)
		}
	}
}

// What the read store keeps is for Viewers, but for Works, which carry Secrets.
func TestViewersMayReadWhatIsKept(t *testing.T) {
	viewer := role.Find(v1alpha1.RoleViewer, nil)
	for _, k := range catalog.Kinds() {
		resource := schema.GroupResource{Group: k.GVK.Group, Resource: k.Resource}
		if want := k.GVK.Kind != "Work"; viewer.Allows("list", resource) != want {
			t.Errorf("a Viewer may list %s: %t, want %t", resource, !want, want)
		}
	}
}
