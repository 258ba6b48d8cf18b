package kubeapi

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestAGroupWhoseServerDiesKeepsItsKinds(t *testing.T) {
	list := func(gv string, kinds ...string) *metav1.APIResourceList {
		out := &metav1.APIResourceList{GroupVersion: gv}
		for _, k := range kinds {
			out.APIResources = append(out.APIResources, metav1.APIResource{Name: k + "s", Kind: k, Verbs: metav1.Verbs{"list", "get"}})
		}
		return out
	}
	before := newCatalog(nil, []*metav1.APIResourceList{list("v1", "Pod"), list("metrics/v1", "Metric"), list("gone/v1", "Gone"), list("late/v1", "Late")})
	now := newCatalog(nil, []*metav1.APIResourceList{list("v1", "Pod", "Node"), list("late/v1", "Late")})
	now.keep(before, map[schema.GroupVersion]error{{Group: "metrics", Version: "v1"}: errors.New("stale"), {Group: "late", Version: "v1"}: errors.New("stale")})
	count := map[string]int{}
	for _, one := range now.all {
		count[one.Kind]++
	}
	if count["Metric"] != 1 || count["Late"] != 1 || count["Pod"] != 1 || count["Node"] != 1 || count["Gone"] != 0 {
		t.Errorf("kinds %v", count)
	}
	if now.byKind[schema.GroupVersionKind{Group: "metrics", Version: "v1", Kind: "Metric"}] == nil {
		t.Error("a kind of the dead group cannot be found")
	}
}

func TestOfTwoResourcesOfAKindTheOneThatCanBeListedIsMeant(t *testing.T) {
	c := newCatalog([]*metav1.APIGroup{{Name: "g", PreferredVersion: metav1.GroupVersionForDiscovery{GroupVersion: "g/v1"}}}, []*metav1.APIResourceList{
		{GroupVersion: "g/v1", APIResources: []metav1.APIResource{
			{Name: "reviews", Kind: "Thing", Verbs: metav1.Verbs{"create"}},
			{Name: "things", Kind: "Thing", Namespaced: true, Verbs: metav1.Verbs{"list", "get"}},
			{Name: "things/status", Kind: "Thing", Verbs: metav1.Verbs{"get"}},
			{Name: "others", Kind: "Thing", Verbs: metav1.Verbs{"list"}},
		}},
		{GroupVersion: "g/v1beta1", APIResources: []metav1.APIResource{{Name: "things", Kind: "Thing"}}},
		{GroupVersion: "not/a/version", APIResources: []metav1.APIResource{{Name: "x", Kind: "X"}}},
	})
	if got := c.byKind[schema.GroupVersionKind{Group: "g", Version: "v1", Kind: "Thing"}]; got == nil || got.Name != "things" {
		t.Errorf("got %+v", got)
	}
	if len(c.all) != 4 || !c.all[0].Preferred || c.all[3].Version != "v1beta1" || c.all[3].Preferred || c.all[3].Verbs == nil {
		t.Errorf("kinds %+v", c.all)
	}
}
