package e2e

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
)

// readElsewhere is the kinds of Karmada that people write and that the read store does not keep: they are found by discovery
// and read from the API server itself.
var readElsewhere = []string{
	"Remedy", "ResourceInterpreterCustomization", "ResourceInterpreterWebhookConfiguration", "MultiClusterIngress", "WorkloadRebalancer", "ResourceRegistry",
}

// TestTheCatalogueSaysWhatTheFleetServes holds the table of kinds against the discovery of every API server of the fleet, and
// against the resource types that Karmada brings.
func TestTheCatalogueSaysWhatTheFleetServes(t *testing.T) {
	t.Parallel()
	places := map[string]string{} // by name: the member, empty for a control plane
	for instance, names := range members {
		places[instance] = ""
		for _, name := range names {
			places[name] = name
		}
	}
	for place, member := range places {
		served := clientset(t, place).Discovery()
		for _, k := range catalog.Kinds() {
			if !k.KeptIn(member) {
				continue
			}
			list, err := served.ServerResourcesForGroupVersion(k.GVK.GroupVersion().String())
			if err != nil {
				t.Errorf("%s does not serve %s: %v", place, k.GVK, err)
				continue
			}
			i := slices.IndexFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == k.Resource })
			if i < 0 {
				t.Errorf("%s has no %s in %s", place, k.Resource, list.GroupVersion)
				continue
			}
			if r := list.APIResources[i]; r.Kind != k.GVK.Kind || r.Namespaced != k.Namespaced || k.ShortName != "" && !slices.Contains(r.ShortNames, k.ShortName) {
				t.Errorf("%s says of %s: kind %s, namespaced %t, short names %v; the catalogue says %+v", place, k.Resource, r.Kind, r.Namespaced, r.ShortNames, k)
			}
		}
	}
	for instance := range members {
		crds, err := client(t, instance).Resource(crdsKind).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i := range crds.Items {
			group, kind := nested(&crds.Items[i], "spec", "group"), nested(&crds.Items[i], "spec", "names", "kind")
			if !strings.HasSuffix(group, ".karmada.io") {
				continue
			}
			found++
			known := slices.ContainsFunc(catalog.Kinds(), func(k catalog.Kind) bool { return k.GVK.GroupKind() == schema.GroupKind{Group: group, Kind: kind} })
			if !known && !slices.Contains(readElsewhere, kind) {
				t.Errorf("%s has the resource type %s of %s, which the catalogue does not know", instance, kind, group)
			}
		}
		if found < 10 {
			t.Errorf("%s has only %d resource types of Karmada: the test has lost its way", instance, found)
		}
	}
}
