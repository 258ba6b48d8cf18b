package virtualcluster

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/catalog"
)

// The defaults name every resource. Clusterpedia would resolve a wildcard once, when it begins, and ignore for good one
// whose group is not served at that moment. A named resource that is not served is left out until it is. Secrets are
// not among them, nor is cluster.karmada.io, an aggregated API whose absence for a moment would delete its rows.
var (
	controlPlaneResources = kept(func(k *catalog.Kind) bool { return k.ControlPlane != catalog.No })
	controlPlaneAlways    = kept(func(k *catalog.Kind) bool { return k.ControlPlane == catalog.Always })
	memberResources       = kept(func(k *catalog.Kind) bool { return k.Member != catalog.No })
	memberAlways          = kept(func(k *catalog.Kind) bool { return k.Member == catalog.Always })
)

// kept is the kinds of the catalogue that are to be kept somewhere, by group and version.
func kept(is func(*catalog.Kind) bool) []v1alpha1.SyncedResources {
	var out []v1alpha1.SyncedResources
	at := map[schema.GroupVersion]int{}
	for _, k := range catalog.Kinds() {
		if !is(&k) {
			continue
		}
		of := k.GVK.GroupVersion()
		i, known := at[of]
		if !known {
			i = len(out)
			at[of] = i
			out = append(out, v1alpha1.SyncedResources{Group: of.Group})
			if k.Pinned {
				out[i].Versions = []string{of.Version}
			}
		}
		out[i].Resources = append(out[i].Resources, k.Resource)
	}
	return out
}

// synced is what to keep of the control plane and of its members.
func synced(sync *v1alpha1.InstanceSync) (controlPlane, member []v1alpha1.SyncedResources) {
	controlPlane, member = controlPlaneResources, memberResources
	if sync != nil && len(sync.Kinds) > 0 {
		controlPlane = sync.Kinds
	}
	if sync != nil && len(sync.MemberKinds) > 0 {
		member = sync.MemberKinds
	}
	return union(controlPlane, controlPlaneAlways), union(member, memberAlways)
}

// union adds what must be kept to what was chosen, and leaves out what is there already.
func union(chosen, always []v1alpha1.SyncedResources) []v1alpha1.SyncedResources {
	out := slices.Clone(chosen)
	for _, must := range always {
		missing := must
		missing.Resources = slices.DeleteFunc(slices.Clone(must.Resources), func(resource string) bool {
			return slices.ContainsFunc(chosen, func(c v1alpha1.SyncedResources) bool {
				return c.Group == must.Group && slices.Contains(c.Resources, resource) &&
					(len(must.Versions) == 0 || slices.Equal(c.Versions, must.Versions))
			})
		})
		if len(missing.Resources) > 0 {
			out = append(out, missing)
		}
	}
	return out
}
