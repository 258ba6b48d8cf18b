package virtualcluster

import (
	"slices"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// The defaults name every resource. A wildcard would be resolved by Clusterpedia once, when it begins,
// and one whose group is not served at that moment is forgotten for good. A resource that is not served
// is left out until it is.

// controlPlaneResources are kept of a Karmada API server. Not among them: Secrets, and
// cluster.karmada.io, an aggregated API whose absence for a moment would delete its rows.
var controlPlaneResources = []v1alpha1.SyncedResources{
	{Resources: []string{"namespaces", "services", "configmaps", "serviceaccounts", "events", "persistentvolumeclaims"}},
	{Group: "apps", Resources: []string{"deployments", "statefulsets", "daemonsets", "controllerrevisions"}},
	{Group: "batch", Resources: []string{"jobs", "cronjobs"}},
	{Group: "networking.k8s.io", Resources: []string{"ingresses"}},
	{Group: "networking.karmada.io", Versions: []string{"v1alpha1"}, Resources: []string{"multiclusterservices"}},
	{Group: "autoscaling", Versions: []string{"v2"}, Resources: []string{"horizontalpodautoscalers"}},
	// Twenty of Karmada's own, half a megabyte for each control plane.
	{Group: "apiextensions.k8s.io", Versions: []string{"v1"}, Resources: []string{"customresourcedefinitions"}},
	{Group: "autoscaling.karmada.io", Versions: []string{"v1alpha1"}, Resources: []string{"federatedhpas", "cronfederatedhpas"}},
	{Group: "policy.karmada.io", Versions: []string{"v1alpha1"}, Resources: []string{
		"propagationpolicies", "clusterpropagationpolicies", "overridepolicies", "clusteroverridepolicies",
		"federatedresourcequotas", "clustertaintpolicies",
	}},
	{Group: "work.karmada.io", Versions: []string{"v1alpha1"}, Resources: []string{"works"}},
}

// controlPlaneAlways is kept whatever a person chose. Bindings are asked for at v1alpha2: v1alpha1 is
// served as well and says less.
var controlPlaneAlways = []v1alpha1.SyncedResources{
	{Resources: []string{"namespaces"}},
	{Group: "work.karmada.io", Versions: []string{"v1alpha2"}, Resources: []string{"resourcebindings", "clusterresourcebindings"}},
}

// memberResources are kept of every member cluster. Secrets are not among them.
var memberResources = []v1alpha1.SyncedResources{
	{Resources: []string{"namespaces", "services", "configmaps", "pods", "nodes", "events", "persistentvolumeclaims"}},
	{Group: "apps", Resources: []string{"deployments", "statefulsets", "daemonsets", "replicasets"}},
	{Group: "batch", Resources: []string{"jobs", "cronjobs"}},
	{Group: "networking.k8s.io", Resources: []string{"ingresses"}},
	{Group: "autoscaling", Versions: []string{"v2"}, Resources: []string{"horizontalpodautoscalers"}},
}

var memberAlways = []v1alpha1.SyncedResources{
	{Resources: []string{"namespaces"}},
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
