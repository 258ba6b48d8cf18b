package promotion

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

const policyGroup = "policy.karmada.io"

// PolicyRef is the policy that takes an object over: one of its own, with a name that the same object always gets.
func PolicyRef(ref model.Ref) model.Ref {
	kind := "PropagationPolicy"
	if ref.Namespace == "" {
		kind = "ClusterPropagationPolicy"
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", ref.GVK.GroupKind().String(), ref.Namespace, ref.Name))
	name := strings.ToLower(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, ref.GVK.Kind+"-"+ref.Name))
	const most, short = 40, 5
	return model.Ref{Instance: ref.Instance, GVK: schema.GroupVersionKind{Group: policyGroup, Version: "v1alpha1", Kind: kind}, Namespace: ref.Namespace,
		Name: strings.Trim("promoted-"+name[:min(len(name), most)], "-") + "-" + strings.ToLower(base32.HexEncoding.EncodeToString(sum[:short]))}
}

// Policy takes over one object in one cluster, as it is there. While preserve is set, the object stays in the cluster whatever becomes of its
// template.
func Policy(ref model.Ref, cluster string, priority int64, preserve bool) map[string]any {
	at := PolicyRef(ref)
	metadata := map[string]any{"name": at.Name}
	selector := map[string]any{"apiVersion": ref.APIVersion(), "kind": ref.GVK.Kind, "name": ref.Name}
	if ref.Namespace != "" {
		metadata["namespace"], selector["namespace"] = ref.Namespace, ref.Namespace
	}
	spec := map[string]any{
		"resourceSelectors":           []any{selector},
		"conflictResolution":          "Overwrite",
		"preserveResourcesOnDeletion": preserve,
		"placement":                   map[string]any{"clusterAffinity": map[string]any{"clusterNames": []any{cluster}}},
	}
	if priority != 0 {
		spec["priority"] = priority
	}
	return map[string]any{"apiVersion": at.APIVersion(), "kind": at.GVK.Kind, "metadata": metadata, "spec": spec}
}

// Priority is that of a policy which wins over all of a list of policies: the default one, unless one of them has as much or more, or names the
// object itself.
func Priority(ref model.Ref, policies []map[string]any) int64 {
	own, most, beats := PolicyRef(ref).Name, int64(0), false
	for _, p := range policies {
		if textOf(mapOf(p, "metadata"), "name") == own {
			continue
		}
		spec := mapOf(p, "spec")
		priority := integer(spec["priority"])
		for _, s := range maps(spec, "resourceSelectors") {
			if textOf(s, "kind") != ref.GVK.Kind {
				continue
			}
			if priority > 0 || textOf(s, "name") == ref.Name {
				beats, most = true, max(most, priority)
			}
		}
	}
	if !beats {
		return 0
	}
	const limit = 1<<31 - 1
	return min(most+1, limit)
}

func integer(value any) int64 {
	switch n := value.(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	}
	return 0
}
