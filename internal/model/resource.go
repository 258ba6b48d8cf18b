package model

import "k8s.io/apimachinery/pkg/runtime/schema"

// KubernetesResource is an object of any kind, in a control plane or a member.
type KubernetesResource struct {
	Object

	// Conditions is its status.conditions, by type; never nil.
	Conditions []Condition
	// Keys is the keys of the data of a ConfigMap or Secret, by name; never nil.
	Keys []DataKey
}

// DataKey is one key of the data of a ConfigMap or Secret.
type DataKey struct {
	Name string
	// Bytes is the length of the value, decoded.
	Bytes int
}

// KubernetesResourceConnection is a page of objects of one kind.
type KubernetesResourceConnection = Connection[*KubernetesResource]

// KubernetesResourceEdge is a row of a page of objects of one kind.
type KubernetesResourceEdge = Edge[*KubernetesResource]

// ResourceFilter selects objects of a kind; all given conditions must hold.
type ResourceFilter struct {
	Namespaces    []string
	NameContains  *string
	LabelSelector *string
}

// ResourceScope says whether a kind is namespaced.
type ResourceScope string

// The scopes of kinds.
const (
	ScopeNamespaced ResourceScope = "NAMESPACED"
	ScopeCluster    ResourceScope = "CLUSTER"
)

// APIResource is a kind in one version that an API server serves.
type APIResource struct {
	Group   string
	Version string
	Kind    string
	// Name is the plural, as in URLs.
	Name       string
	Scope      ResourceScope
	ShortNames []string
	Categories []string
	// Verbs is sorted.
	Verbs []string
	// Preferred says that this is the version of the group that the API server prefers.
	Preferred bool
	// Synced says that the read store holds it.
	Synced bool
	// Custom says that a CustomResourceDefinition defines it.
	Custom bool
}

// APIVersion is group and version, for instance "apps/v1".
func (r *APIResource) APIVersion() string { return r.GVR().GroupVersion().String() }

// GVR names the resource.
func (r *APIResource) GVR() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Name}
}

// GVK names the kind.
func (r *APIResource) GVK() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
}
