package model

import "time"

// PolicyGroup is the API group of all policies.
const PolicyGroup = "policy.karmada.io"

// PolicyVersion is the version in which Kairship reads and names policies.
const PolicyVersion = "v1alpha1"

// Policy says where objects go, or how they differ there.
type Policy interface {
	KubernetesObject
	IsPolicy()
	// PolicyMetadata gives the part that all kinds have in common.
	PolicyMetadata() *PolicyMeta
}

// PolicyMeta is what all policies have in common.
type PolicyMeta struct {
	Ref Ref
	// Batch is the workloads whose claims name this policy and others; nil when it was not found that
	// way.
	Batch *Batch
	// Body is the policy as it was read; nil when it was only named.
	Body *PolicyBody
}

// PolicyBody is a policy as it was read.
type PolicyBody struct {
	UID             string
	Labels          []KeyValue
	Annotations     []KeyValue
	ResourceVersion string
	CreatedAt       time.Time
	Priority        int32
	Raw             []byte
}

// PropagationPolicy says where objects of its namespace go.
type PropagationPolicy struct{ PolicyMeta }

// ClusterPropagationPolicy says where objects of any namespace go.
type ClusterPropagationPolicy struct{ PolicyMeta }

// NewPolicy makes the policy type for a reference; nil when its kind is none of them.
func NewPolicy(meta PolicyMeta) Policy {
	if meta.Ref.GVK.Group != PolicyGroup {
		return nil
	}
	switch meta.Ref.GVK.Kind {
	case "PropagationPolicy":
		return &PropagationPolicy{meta}
	case "ClusterPropagationPolicy":
		return &ClusterPropagationPolicy{meta}
	}
	return nil
}

// ID is the global id.
func (p *PolicyMeta) ID() string { return p.Ref.ID() }

// APIVersion is group and version.
func (p *PolicyMeta) APIVersion() string { return p.Ref.APIVersion() }

// Kind is the Kubernetes kind.
func (p *PolicyMeta) Kind() string { return p.Ref.GVK.Kind }

// Namespace is nil for the cluster-wide kinds.
func (p *PolicyMeta) Namespace() *string { return optional(p.Ref.Namespace) }

// Name is the policy's name.
func (p *PolicyMeta) Name() string { return p.Ref.Name }

// PolicyMetadata gives the common part.
func (p *PolicyMeta) PolicyMetadata() *PolicyMeta { return p }

// ObjectRef names the policy.
func (p *PolicyMeta) ObjectRef() Ref { return p.Ref }

// IsPolicy marks the type as a GraphQL Policy.
func (*PolicyMeta) IsPolicy() {}

// IsNode marks the type as a GraphQL Node.
func (*PolicyMeta) IsNode() {}

// IsKubernetesObject marks the type as a GraphQL KubernetesObject.
func (*PolicyMeta) IsKubernetesObject() {}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
