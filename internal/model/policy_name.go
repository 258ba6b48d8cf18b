package model

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// PolicyRefs parses a user's name for a propagation policy of some instances: its id, NAMESPACE/NAME of a
// PropagationPolicy, or NAME of a ClusterPropagationPolicy. A name yields one Ref for each instance.
func PolicyRefs(instances []string, name string) ([]Ref, error) {
	if id, err := ParseID(name); err == nil && id.IsObject() {
		kind, ok := PolicyKindOf(id.Ref.GVK.Group, id.Ref.GVK.Kind)
		if !ok || !kind.Propagates() {
			return nil, BadInput("policy", "is the id of a %s, which claims nothing", Clip(id.Ref.GVK.Kind))
		}
		if !slices.Contains(instances, id.Ref.Instance) {
			return nil, BadInput("policy", "is of instance %q, which is not listed here", Clip(id.Ref.Instance))
		}
		return []Ref{id.Ref}, nil
	}
	namespace, rest, namespaced := strings.Cut(name, "/")
	kind := PolicyPropagation
	if !namespaced {
		kind, namespace, rest = PolicyClusterPropagation, "", name
	}
	if len(validation.IsDNS1123Subdomain(rest)) > 0 || namespaced && len(validation.IsDNS1123Label(namespace)) > 0 {
		return nil, BadInput("policy", "%q is neither the id of a policy nor NAMESPACE/NAME nor NAME", Clip(name))
	}
	refs := make([]Ref, len(instances))
	for i, instance := range instances {
		refs[i] = Ref{Instance: instance, GVK: kind.GVK(), Namespace: namespace, Name: rest}
	}
	return refs, nil
}

// Clip shortens user input before it is repeated.
func Clip(s string) string {
	const most = 100
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
