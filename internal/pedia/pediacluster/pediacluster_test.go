package pediacluster_test

import (
	"slices"
	"testing"

	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
)

func TestNamesOfVirtualClustersCannotCollide(t *testing.T) {
	names := []string{pediacluster.Name("prod", ""), pediacluster.Name("prod", "eu"), pediacluster.Name("prod-eu", ""), pediacluster.Name("prod", "eu.west")}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Errorf("names collide: %v", names)
	}
	for _, name := range names {
		instance, cluster, ok := pediacluster.Parse(name)
		if !ok || pediacluster.Name(instance, cluster) != name {
			t.Errorf("%s was read as instance %q, cluster %q", name, instance, cluster)
		}
	}
	if _, _, ok := pediacluster.Parse("somebody-elses"); ok {
		t.Error("a foreign PediaCluster was taken for Kairship's")
	}
}
