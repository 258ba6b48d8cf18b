// Package objects decodes Kubernetes objects from JSON into the model, without interpreting them. It is pure and knows
// no client.
package objects

import (
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// ShadowPrefix begins the annotations that the read store adds to its rows; the real object has none.
	ShadowPrefix = "shadow.clusterpedia.io/"
	// LastApplied repeats the whole object: it is dropped, as the read store does.
	LastApplied = "kubectl.kubernetes.io/last-applied-configuration"
)

// Annotations in which Karmada records the claim of a policy on what it propagates.
const (
	PolicyNamespace   = "propagationpolicy.karmada.io/namespace"
	PolicyName        = "propagationpolicy.karmada.io/name"
	ClusterPolicyName = "clusterpropagationpolicy.karmada.io/name"
)

// Meta is metadata as JSON has it.
type Meta struct {
	Namespace         string            `json:"namespace"`
	Name              string            `json:"name"`
	UID               string            `json:"uid"`
	ResourceVersion   string            `json:"resourceVersion"`
	Generation        int64             `json:"generation"`
	CreationTimestamp time.Time         `json:"creationTimestamp"`
	DeletionTimestamp *time.Time        `json:"deletionTimestamp"`
	Labels            map[string]string `json:"labels"`
	Annotations       map[string]string `json:"annotations"`
	OwnerReferences   []struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		UID        string `json:"uid"`
		Controller bool   `json:"controller"`
	} `json:"ownerReferences"`
	ManagedFields []struct {
		Subresource string     `json:"subresource"`
		Time        *time.Time `json:"time"`
	} `json:"managedFields"`
}

// Hidden reports whether an annotation was added by the read store, or is of use to machines only.
func Hidden(annotation string) bool {
	return strings.HasPrefix(annotation, ShadowPrefix) || annotation == LastApplied
}

// OfKarmada reports whether a label or an annotation is in a domain of Karmada's: it keeps it itself, and nobody writes it.
func OfKarmada(key string) bool {
	domain, _, ok := strings.Cut(key, "/")
	return ok && (domain == "karmada.io" || strings.HasSuffix(domain, ".karmada.io"))
}

// Object returns the part that all objects have in common. The namespace and the name of ref are filled in; the object
// keeps raw, which must not be changed afterwards.
func (m *Meta) Object(ref model.Ref, raw []byte) model.Object {
	for key := range m.Annotations {
		if Hidden(key) {
			delete(m.Annotations, key)
		}
	}
	ref.Namespace, ref.Name = m.Namespace, m.Name
	o := model.Object{
		Ref: ref, UID: m.UID, Labels: model.KeyValues(m.Labels), Annotations: model.KeyValues(m.Annotations),
		ResourceVersion: m.ResourceVersion, Generation: m.Generation, CreatedAt: m.CreationTimestamp,
		DeletedAt: m.DeletionTimestamp, Claim: ClaimOf(ref.Instance, m.Annotations), Raw: raw,
	}
	for _, r := range m.OwnerReferences {
		o.Owners = append(o.Owners, model.OwnerReference(r))
	}
	return o
}

// ClaimOf names the policy that claims an object of an instance, from the annotations in which Karmada records the
// claim; nil when none does. A PropagationPolicy takes precedence over a ClusterPropagationPolicy, as in Karmada.
func ClaimOf(instance string, annotations map[string]string) *model.PolicyClaim {
	claim := func(kind, namespace, name string) *model.PolicyClaim {
		r := model.Ref{Instance: instance, Namespace: namespace, Name: name}
		r.GVK.Group, r.GVK.Version, r.GVK.Kind = model.PolicyGroup, model.PolicyVersion, kind
		return &model.PolicyClaim{Ref: r}
	}
	if ns, name := annotations[PolicyNamespace], annotations[PolicyName]; ns != "" && name != "" {
		return claim("PropagationPolicy", ns, name)
	}
	if name := annotations[ClusterPolicyName]; name != "" {
		return claim("ClusterPropagationPolicy", "", name)
	}
	return nil
}
