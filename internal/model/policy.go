package model

import "k8s.io/apimachinery/pkg/runtime/schema"

// PolicyGroup is the API group of all policies.
const PolicyGroup = "policy.karmada.io"

// PolicyVersion is the version in which Kairship reads and names policies.
const PolicyVersion = "v1alpha1"

// PolicyKind is a kind of policy.
type PolicyKind string

// The kinds of policy.
const (
	PolicyPropagation        PolicyKind = "PROPAGATION"
	PolicyClusterPropagation PolicyKind = "CLUSTER_PROPAGATION"
	PolicyOverride           PolicyKind = "OVERRIDE"
	PolicyClusterOverride    PolicyKind = "CLUSTER_OVERRIDE"
)

// PolicyKinds is all kinds in the order in which lists break ties of name: that of the Kubernetes kinds.
var PolicyKinds = []PolicyKind{PolicyClusterOverride, PolicyClusterPropagation, PolicyOverride, PolicyPropagation}

var policyKinds = map[PolicyKind]struct{ kind, resource string }{
	PolicyPropagation:        {"PropagationPolicy", "propagationpolicies"},
	PolicyClusterPropagation: {"ClusterPropagationPolicy", "clusterpropagationpolicies"},
	PolicyOverride:           {"OverridePolicy", "overridepolicies"},
	PolicyClusterOverride:    {"ClusterOverridePolicy", "clusteroverridepolicies"},
}

// GVK is the kind's Kubernetes kind.
func (k PolicyKind) GVK() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: PolicyGroup, Version: PolicyVersion, Kind: policyKinds[k].kind}
}

// GVR is the kind's Kubernetes resource.
func (k PolicyKind) GVR() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: PolicyGroup, Version: PolicyVersion, Resource: policyKinds[k].resource}
}

// Namespaced reports whether policies of the kind are in a namespace, and concern only objects there.
func (k PolicyKind) Namespaced() bool { return k == PolicyPropagation || k == PolicyOverride }

// Propagates reports whether policies of the kind say where objects go, not how they differ there.
func (k PolicyKind) Propagates() bool { return k == PolicyPropagation || k == PolicyClusterPropagation }

// PolicyKindOf returns the kind of policy for a Kubernetes kind, in any version.
func PolicyKindOf(group, kind string) (PolicyKind, bool) {
	if group != PolicyGroup {
		return "", false
	}
	for _, k := range PolicyKinds {
		if policyKinds[k].kind == kind {
			return k, true
		}
	}
	return "", false
}

// Policy says where objects go, or how they differ there.
type Policy interface {
	KubernetesObject
	IsPolicy()
	// PolicyMetadata returns the common part.
	PolicyMetadata() *PolicyMeta
}

// PolicyMeta is the common part of all policies.
type PolicyMeta struct {
	Ref Ref
	// Body is the policy as it was read; nil when it was only named.
	Body *PolicyBody
}

// PolicyBody is a policy as it was read.
type PolicyBody struct {
	Object
	// Propagation is the spec of a PropagationPolicy or a ClusterPropagationPolicy; nil for the others.
	Propagation *PropagationSpec
	// Override is the spec of an OverridePolicy or a ClusterOverridePolicy; nil for the others.
	Override *OverrideSpec
	// Excess is of what the policy has more than is computed with, "20000 resourceSelectors; at most 1000 are allowed"; empty for every
	// policy that is not made to be costly.
	Excess string
}

// Selectors is the policy's resource selectors; empty means everything for override policies, nothing for propagation
// policies.
func (b *PolicyBody) Selectors() []ResourceSelector {
	if b.Propagation != nil {
		return b.Propagation.ResourceSelectors
	}
	if b.Override != nil {
		return b.Override.ResourceSelectors
	}
	return nil
}

// PropagationPolicy says where objects of its namespace go.
type PropagationPolicy struct{ PolicyMeta }

// ClusterPropagationPolicy says where objects of any namespace go.
type ClusterPropagationPolicy struct{ PolicyMeta }

// OverridePolicy says how objects of its namespace differ in some clusters.
type OverridePolicy struct{ PolicyMeta }

// ClusterOverridePolicy says how objects of any namespace differ in some clusters.
type ClusterOverridePolicy struct{ PolicyMeta }

// NewPolicy makes the policy type for a reference; nil when its kind is none of them.
func NewPolicy(meta PolicyMeta) Policy {
	switch kind, _ := PolicyKindOf(meta.Ref.GVK.Group, meta.Ref.GVK.Kind); kind {
	case PolicyPropagation:
		return &PropagationPolicy{meta}
	case PolicyClusterPropagation:
		return &ClusterPropagationPolicy{meta}
	case PolicyOverride:
		return &OverridePolicy{meta}
	case PolicyClusterOverride:
		return &ClusterOverridePolicy{meta}
	}
	return nil
}

// PolicyKind is the kind of policy.
func (p *PolicyMeta) PolicyKind() PolicyKind {
	kind, _ := PolicyKindOf(p.Ref.GVK.Group, p.Ref.GVK.Kind)
	return kind
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

// PolicyMetadata returns the common part.
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
