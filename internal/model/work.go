package model

// WorkVersion is the version in which Kairship reads and names Works.
const WorkVersion = "v1alpha1"

// Work is what one binding sends to one cluster.
type Work struct {
	Object

	// ClusterName is the cluster that it is sent to; empty when its namespace belongs to no cluster.
	ClusterName string
	// Suspended says that dispatching is suspended.
	Suspended bool
	// Applied is whether the member holds it; its message is the API server's own message when it does not.
	Applied Fact
	// Conditions is sorted by type; never nil.
	Conditions []Condition
	// Manifests is the objects in it; never nil.
	Manifests []WorkManifest

	// BindingRef names the binding that it was made from; its name is empty when there is none.
	BindingRef Ref
	// AppliedOverrides and AppliedClusterOverrides are Karmada's records of the overrides, as JSON;
	// empty when there are none.
	AppliedOverrides        string
	AppliedClusterOverrides string
}

// WorkManifest is one object of a Work.
type WorkManifest struct {
	// Ref names it in the member.
	Ref    Ref
	Health ResourceHealth
	// Status is its status in the member as Karmada collected it, raw JSON; nil until it was.
	Status []byte
	// Raw is the object as it is sent, as JSON.
	Raw []byte
}

// APIVersion is group and version.
func (m *WorkManifest) APIVersion() string { return m.Ref.APIVersion() }

// Kind is the Kubernetes kind.
func (m *WorkManifest) Kind() string { return m.Ref.GVK.Kind }

// Namespace is nil for cluster-scoped objects.
func (m *WorkManifest) Namespace() *string { return optional(m.Ref.Namespace) }

// Name is the name.
func (m *WorkManifest) Name() string { return m.Ref.Name }

// WorkConnection is a page of Works.
type WorkConnection = Connection[*Work]

// WorkEdge is a row of a page of Works.
type WorkEdge = Edge[*Work]
