package live

import (
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/propagation"
)

// mostIDs is how many objects may be chosen by their ids.
const mostIDs = 500

// chosen is the objects of an instance that are chosen by their ids; all for none. An id of another place is a BAD_USER_INPUT about the field
// "ids".
func chosen(instance string, ids []string) (func(model.Ref) bool, error) {
	if len(ids) == 0 {
		return func(model.Ref) bool { return true }, nil
	}
	if len(ids) > mostIDs {
		return nil, model.BadInput("ids", "holds %d ids; at most %d are allowed", len(ids), mostIDs)
	}
	of := make(map[model.Ref]bool, len(ids))
	for i, text := range ids {
		id, err := model.ParseID(text)
		if err != nil || !id.IsObject() || id.Ref.Instance != instance || id.Ref.Cluster != "" {
			return nil, model.BadInput("ids", "[%d] is not the id of an object of the control plane of instance %q", i, instance)
		}
		of[id.Ref] = true
	}
	return func(ref model.Ref) bool { return of[ref] }, nil
}

// matcher turns a filter into a predicate.
func matcher(instance string, f *model.WorkloadFilter) (func(model.Workload) bool, error) {
	if len(f.Instances) > 0 {
		return nil, model.BadInput("filter.instances", "may not be given here: the subscription is to one instance")
	}
	if f.NameContains != nil {
		if err := model.CheckNamePart("nameContains", *f.NameContains); err != nil {
			return nil, err
		}
	}
	selector := labels.Everything()
	if f.LabelSelector != nil {
		parsed, err := labels.Parse(*f.LabelSelector)
		if err != nil {
			return nil, model.BadInput("labelSelector", "is not a Kubernetes label selector: %v", err)
		}
		selector = parsed
	}
	var policies []model.Ref
	if f.Policy != nil {
		refs, err := model.PolicyRefs([]string{instance}, *f.Policy)
		if err != nil {
			return nil, err
		}
		policies = refs
	}
	return func(w model.Workload) bool {
		m := w.Meta()
		return in(f.Kinds, m.WorkloadKind) && in(f.Namespaces, m.Ref.Namespace) &&
			(f.NameContains == nil || strings.Contains(m.Ref.Name, *f.NameContains)) &&
			(selector.Empty() || selector.Matches(set(m.Labels))) &&
			(len(policies) == 0 || m.Claim != nil && slices.Contains(policies, m.Claim.Ref)) &&
			(len(f.Clusters) == 0 || placedIn(m.Live, f.Clusters)) &&
			(len(f.States) == 0 || inState(m, f.States))
	}, nil
}

// in reports whether a filter's list lets a value through; an empty list lets all through.
func in[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

func set(pairs []model.KeyValue) labels.Set {
	out := make(labels.Set, len(pairs))
	for _, l := range pairs {
		out[l.Key] = l.Value
	}
	return out
}

// placedIn reports whether Karmada placed a workload in one of the clusters.
func placedIn(p *model.Propagation, clusters []string) bool {
	return p != nil && slices.ContainsFunc(p.Targets, func(t *model.PropagationTarget) bool {
		return t.Reason != model.PlacementEvicting && slices.Contains(clusters, t.ClusterName)
	})
}

func inState(m *model.WorkloadMeta, states []model.WorkloadState) bool {
	state, _ := propagation.State(m, m.Live, time.Now())
	return slices.Contains(states, state)
}
