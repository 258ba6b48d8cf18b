package standin

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// resource is a kind that a stand-in serves.
type resource struct {
	schema.GroupVersionResource

	kind       string
	namespaced bool
}

func (r resource) apiVersion() string { return r.GroupVersion().String() }

// served is every kind that a Karmada serves and that its control plane is asked for. Members serve the
// same ones behind the cluster proxy.
var served = func() []resource {
	var out []resource
	for _, group := range []struct {
		gv         string
		namespaced bool
		kinds      string
	}{
		{"v1", false, "namespaces=Namespace nodes=Node"},
		{"v1", true, "pods=Pod services=Service configmaps=ConfigMap secrets=Secret serviceaccounts=ServiceAccount events=Event resourcequotas=ResourceQuota"},
		{"apps/v1", true, "deployments=Deployment statefulsets=StatefulSet daemonsets=DaemonSet replicasets=ReplicaSet controllerrevisions=ControllerRevision"},
		{"batch/v1", true, "jobs=Job cronjobs=CronJob"},
		{"networking.k8s.io/v1", true, "ingresses=Ingress"},
		{"rbac.authorization.k8s.io/v1", false, "clusterroles=ClusterRole clusterrolebindings=ClusterRoleBinding"},
		{"rbac.authorization.k8s.io/v1", true, "roles=Role rolebindings=RoleBinding"},
		{"coordination.k8s.io/v1", true, "leases=Lease"},
		{"admissionregistration.k8s.io/v1", false, "mutatingwebhookconfigurations=MutatingWebhookConfiguration validatingwebhookconfigurations=ValidatingWebhookConfiguration validatingadmissionpolicies=ValidatingAdmissionPolicy validatingadmissionpolicybindings=ValidatingAdmissionPolicyBinding"},
		{"apiextensions.k8s.io/v1", false, "customresourcedefinitions=CustomResourceDefinition"},
		{"apiregistration.k8s.io/v1", false, "apiservices=APIService"},
		{"cluster.karmada.io/v1alpha1", false, "clusters=Cluster"},
		{"policy.karmada.io/v1alpha1", false, "clusterpropagationpolicies=ClusterPropagationPolicy clusteroverridepolicies=ClusterOverridePolicy clustertaintpolicies=ClusterTaintPolicy"},
		{"policy.karmada.io/v1alpha1", true, "propagationpolicies=PropagationPolicy overridepolicies=OverridePolicy federatedresourcequotas=FederatedResourceQuota"},
		{"work.karmada.io/v1alpha1", true, "works=Work"},
		{"work.karmada.io/v1alpha2", false, "clusterresourcebindings=ClusterResourceBinding"},
		{"work.karmada.io/v1alpha2", true, "resourcebindings=ResourceBinding"},
	} {
		gv, _ := schema.ParseGroupVersion(group.gv)
		for _, pair := range strings.Fields(group.kinds) {
			plural, kind, _ := strings.Cut(pair, "=")
			out = append(out, resource{GroupVersionResource: gv.WithResource(plural), kind: kind, namespaced: group.namespaced})
		}
	}
	return out
}()

// named finds a kind by its plural name, which is unique among those that are served.
func named(plural string) resource {
	return served[slices.IndexFunc(served, func(r resource) bool { return r.Resource == plural })]
}

func find(gvr schema.GroupVersionResource) (resource, bool) {
	i := slices.IndexFunc(served, func(r resource) bool { return r.GroupVersionResource == gvr })
	if i < 0 {
		return resource{}, false
	}
	return served[i], true
}

var allVerbs = metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

// discovery returns the answer of a discovery path; nil when it is not one.
func discovery(path string) any {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "/api":
		return &metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}}
	case path == "/api/v1":
		return resourceList(schema.GroupVersion{Version: "v1"})
	case parts[0] != "apis":
		return nil
	case len(parts) == 1:
		list := &metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
		for _, r := range served {
			if g := group(r.Group); g != nil && !slices.ContainsFunc(list.Groups, func(have metav1.APIGroup) bool { return have.Name == g.Name }) {
				list.Groups = append(list.Groups, *g)
			}
		}
		return list
	case len(parts) == 2:
		if g := group(parts[1]); g != nil {
			return g
		}
	case len(parts) == 3:
		if list := resourceList(schema.GroupVersion{Group: parts[1], Version: parts[2]}); list != nil {
			return list
		}
	}
	return nil
}

func group(name string) *metav1.APIGroup {
	if name == "" {
		return nil
	}
	g := &metav1.APIGroup{TypeMeta: metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}, Name: name}
	for _, r := range served {
		v := metav1.GroupVersionForDiscovery{GroupVersion: r.apiVersion(), Version: r.Version}
		if r.Group == name && !slices.Contains(g.Versions, v) {
			g.Versions = append(g.Versions, v)
		}
	}
	if len(g.Versions) == 0 {
		return nil
	}
	g.PreferredVersion = g.Versions[len(g.Versions)-1]
	return g
}

func resourceList(gv schema.GroupVersion) *metav1.APIResourceList {
	list := &metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String()}
	for _, r := range served {
		if r.GroupVersion() == gv {
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: r.Resource, SingularName: strings.ToLower(r.kind), Namespaced: r.namespaced, Kind: r.kind, Verbs: allVerbs,
			})
		}
	}
	if len(list.APIResources) == 0 {
		return nil
	}
	return list
}
