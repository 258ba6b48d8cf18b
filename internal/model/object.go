package model

import "time"

// KubernetesObject is any object of a control plane or a member.
type KubernetesObject interface {
	IsNode()
	IsKubernetesObject()
	ObjectRef() Ref
}

// Object is what all Kubernetes objects of the graph have in common.
type Object struct {
	Ref             Ref
	UID             string
	Labels          []KeyValue
	Annotations     []KeyValue
	ResourceVersion string
	Generation      int64
	CreatedAt       time.Time
	DeletedAt       *time.Time
	// Owners is metadata.ownerReferences.
	Owners []OwnerReference
	// Claim names the policy that claims the object; nil when none does.
	Claim *PolicyClaim
	// Raw is the object as JSON; nil when it was read without it. It must not be changed.
	Raw []byte
}

// OwnerReference names an object that another one belongs to, in the same cluster.
type OwnerReference struct {
	// The owner is in the instance and namespace of the owned object; an owner of a cluster-scoped kind has no
	// namespace.
	APIVersion string
	Kind       string
	Name       string
	UID        string
	// Controller says that it is the one that manages the object.
	Controller bool
}

// ID is the global id.
func (o *Object) ID() string { return o.Ref.ID() }

// APIVersion is group and version.
func (o *Object) APIVersion() string { return o.Ref.APIVersion() }

// Kind is the Kubernetes kind.
func (o *Object) Kind() string { return o.Ref.GVK.Kind }

// Namespace is nil for cluster-scoped objects.
func (o *Object) Namespace() *string { return optional(o.Ref.Namespace) }

// Name is the name.
func (o *Object) Name() string { return o.Ref.Name }

// ObjectRef names the object.
func (o *Object) ObjectRef() Ref { return o.Ref }

// ObjectMeta returns the common part.
func (o *Object) ObjectMeta() *Object { return o }

// IsNode marks the type as a GraphQL Node.
func (*Object) IsNode() {}

// IsKubernetesObject marks the type as a GraphQL KubernetesObject.
func (*Object) IsKubernetesObject() {}

// KubernetesObjectConnection is a page of objects of any kind.
type KubernetesObjectConnection = Connection[KubernetesObject]

// KubernetesObjectEdge is a row of a page of objects of any kind.
type KubernetesObjectEdge = Edge[KubernetesObject]

// SearchConnection is a page of search results: the objects, and what else has the text in its name.
type SearchConnection struct {
	Connection[KubernetesObject]

	// Text is what was searched, and In the instances that were; empty for all.
	Text string
	In   []string
}

// SearchEdge is one search result.
type SearchEdge = Edge[KubernetesObject]
