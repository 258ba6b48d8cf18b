package loaders

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/policy/schedule"
)

// PolicyPreview is a change of a propagation policy as it is previewed; preemption says whether the instance runs with the feature
// gate PropagationPolicyPreemption. Its rows are read by PolicyPreviewRows.
func (k *Loaders) PolicyPreview(ctx context.Context, proposed *model.ProposedPolicy, preemption bool) (*model.PolicyPreview, error) {
	before, after, err := k.changed(ctx, proposed)
	if err != nil {
		return nil, err
	}
	p := &model.PolicyPreview{Instance: proposed.Ref.Instance, Before: before, After: after, Preemption: preemption, Proposed: proposed}
	p.Findings = k.policyFindings(ctx, p)
	return p, nil
}

// changed is a policy as it is and as it would be; nil is none.
func (k *Loaders) changed(ctx context.Context, proposed *model.ProposedPolicy) (before, after *model.PolicyBody, err error) {
	ref := proposed.Ref
	if _, err := k.Instance(ref.Instance); err != nil {
		return nil, nil, err
	}
	obj, err := k.Object(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	var is []byte
	if found, ok := obj.(model.Policy); ok {
		before = policy.Bounded(found.PolicyMetadata().Body)
		is = before.Raw
	} else if proposed.Exists {
		return nil, nil, &model.Error{Code: model.CodeNotFound, Message: "id: there is no such policy", Field: []string{"id"}}
	}
	if proposed.Over == nil {
		return before, nil, nil
	}
	raw, err := proposed.Over(is)
	if err != nil {
		return nil, nil, err
	}
	kind, _ := model.PolicyKindOf(ref.GVK.Group, ref.GVK.Kind)
	meta, err := policy.Decode(kind, ref.Instance, raw)
	if err != nil {
		return nil, nil, model.BadInput(proposed.Field, "is no %s: %v", ref.GVK.Kind, err)
	}
	after = meta.Body
	if after.Excess != "" {
		return nil, nil, tooCostly(proposed.Field+": it has "+after.Excess, proposed.Field)
	}
	after.Ref = ref
	after.DeletedAt = nil
	return before, after, nil
}

// tooCostly refuses what a preview does not compute.
func tooCostly(message string, field ...string) error {
	return &model.Error{Code: model.CodeLimitExceeded, Message: message, Field: field}
}

// notComputed says of which policies nothing is computed; nil for none.
func notComputed(policies ...*model.PolicyBody) []model.PreviewFinding {
	var first *model.PolicyBody
	n := 0
	for _, p := range policies {
		if p != nil && p.Excess != "" {
			if n++; first == nil {
				first = p
			}
		}
	}
	if n == 0 {
		return nil
	}
	text := fmt.Sprintf("%s %q is left out of the preview: it has %s.", first.Ref.GVK.Kind, first.Ref.Place(), first.Excess)
	if n > 1 {
		text += fmt.Sprintf(" So are %d others.", n-1)
	}
	return []model.PreviewFinding{{Code: model.PreviewIncomplete, Message: text}}
}

// policyFindings is what has to be known of the preview as a whole.
func (k *Loaders) policyFindings(ctx context.Context, p *model.PolicyPreview) []model.PreviewFinding {
	out := append(k.sightFindings(p.Instance, p.Before, p.After), notComputed(p.Before)...)
	say := func(code model.PreviewCode, format string, args ...any) {
		out = append(out, model.PreviewFinding{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if p.After == nil {
		say(model.PreviewUnscheduled, "What no other policy claims stays where it is: Karmada keeps its binding, and the scheduler leaves it alone.")
		return out
	}
	s := p.After.Propagation
	if s.Preemption == model.PreemptAlways {
		with := "with"
		if !p.Preemption {
			with = "without"
		}
		say(model.PreviewPreemption, "Karmada takes objects over only where its controller manager runs with the feature gate PropagationPolicyPreemption, "+
			"which its API does not tell; this is the preview %s it.", with)
	}
	if s.ActivationPreference == model.ActivationLazy {
		say(model.PreviewLazy, "The policy is lazy: what it claims moves when the object itself is changed next.")
	}
	if s.SchedulerName != defaultScheduler {
		say(model.PreviewScheduler, "The policy asks for scheduler %q, whose placement is not known here.", s.SchedulerName)
	}
	if w := s.Placement.WorkloadAffinity; w != nil {
		say(model.PreviewAffinity, "Affinity between workloads counts only with Karmada's feature gate WorkloadAffinity, and is left out here.")
	}
	if s.Suspension != nil && (s.Suspension.Dispatching || len(s.Suspension.DispatchingOnClusters) > 0) {
		say(model.PreviewDispatching, "Objects are scheduled, but the policy suspends sending them to %s.", suspendedOn(s.Suspension))
	}
	if s.PropagateDeps {
		say(model.PreviewDependents, "What the objects depend on (ConfigMaps, Secrets, ServiceAccounts, …) goes along with them to the same clusters: see dependents of the rows.")
	}
	if dynamic(s.Placement.ReplicaScheduling) {
		say(model.PreviewEstimate, "Room is what the clusters reported last. Where Karmada asks accurate estimators it may find less, and what else is scheduled in between takes its part.")
	}
	if missing := k.missingOverrides(ctx, p.After); len(missing) > 0 {
		say(model.PreviewDependsOn, "The policy claims nothing new before these override policies exist: %s.", strings.Join(missing, ", "))
	}
	return out
}

// defaultScheduler is the name of Karmada's own scheduler.
const defaultScheduler = "default-scheduler"

func suspendedOn(s *model.PolicySuspension) string {
	if s.Dispatching {
		return "all clusters"
	}
	return strings.Join(s.DispatchingOnClusters, ", ")
}

func dynamic(r *model.ReplicaScheduling) bool {
	return r != nil && r.Type == model.ReplicasDivided && (r.DivisionPreference != nil && *r.DivisionPreference == model.DivideAggregated ||
		r.WeightPreference != nil && r.WeightPreference.DynamicWeight != nil)
}

// sightFindings says that the reader does not see all that the policies concern.
func (k *Loaders) sightFindings(instance string, bodies ...*model.PolicyBody) []model.PreviewFinding {
	out := []model.PreviewFinding{}
	hidden := k.hidesSome(instance) || slices.ContainsFunc(bodies, k.hidesDependents)
	for _, gvk := range selectedKinds(bodies...) {
		if known := catalog.ByGVK(gvk); known != nil {
			hidden = hidden || !k.scope.Sees(instance, known.GVR().GroupResource()).All()
		}
	}
	if hidden {
		out = append(out, model.PreviewFinding{Code: model.PreviewScope,
			Message: "This is a preview of what your roles show you: other objects and policies may be concerned, too."})
	}
	if i, err := k.Instance(instance); err == nil && i.KarmadaVersion != nil && !strings.HasPrefix(*i.KarmadaVersion, model.PreviewedKarmada+".") {
		out = append(out, model.PreviewFinding{Code: model.PreviewVersion,
			Message: fmt.Sprintf("The instance runs Karmada %s; these are the rules of %s.", *i.KarmadaVersion, model.PreviewedKarmada)})
	}
	if f := k.Freshness(instance, ""); f != nil && f.State != model.FreshnessLive {
		out = append(out, model.PreviewFinding{Code: model.PreviewStale, Message: "What is known of the instance is not up to date."})
	}
	return out
}

// hidesSome reports whether there may be propagation policies that the reader does not see.
func (k *Loaders) hidesSome(instance string) bool {
	return slices.ContainsFunc(propagationPolicies, func(gvr schema.GroupVersionResource) bool { return !k.scope.Sees(instance, gvr.GroupResource()).All() })
}

// hidesDependents reports whether something may go along with what a policy claims that the reader does not see.
func (k *Loaders) hidesDependents(b *model.PolicyBody) bool {
	return b != nil && b.Propagation != nil && b.Propagation.PropagateDeps && slices.ContainsFunc([]string{"configmaps", "persistentvolumeclaims", "secrets", "serviceaccounts"}, func(resource string) bool {
		return !k.scope.MayIn(b.Ref.Instance, "list", schema.GroupResource{Resource: resource}, b.Ref.Namespace)
	})
}

// selectedKinds is the kinds that policies select; the empty kind for all.
func selectedKinds(bodies ...*model.PolicyBody) []schema.GroupVersionKind {
	var out []schema.GroupVersionKind
	for _, b := range bodies {
		if b == nil {
			continue
		}
		for _, r := range policy.Reads(b) {
			if !slices.Contains(out, r.GVK) {
				out = append(out, r.GVK)
			}
		}
	}
	return out
}

// missingOverrides is the override policies that a policy waits for and that are not there.
func (k *Loaders) missingOverrides(ctx context.Context, b *model.PolicyBody) []string {
	kind := model.PolicyClusterOverride
	if b.Ref.Namespace != "" {
		kind = model.PolicyOverride
	}
	var refs []model.Ref
	for _, name := range b.Propagation.DependentOverrides {
		refs = append(refs, model.Ref{Instance: b.Ref.Instance, GVK: kind.GVK(), Namespace: b.Ref.Namespace, Name: name})
	}
	found, failed := k.gatherRefs(ctx, refs)
	var out []string
	for _, ref := range refs {
		if found[ref] == nil && failed[ref] == nil {
			out = append(out, ref.Name)
		}
	}
	return out
}

// errManyPolicies refuses previews among more policies than are read.
func errManyPolicies(instance string) error {
	return &model.Error{Code: model.CodeLimitExceeded, Instance: instance,
		Message: fmt.Sprintf("more than %d policies of instance %q concern objects of these kinds: they are too many for a preview", mostPolicies, instance)}
}

// otherPolicies is the propagation policies that the reader sees and that may concern objects of some kinds, without one of
// them; namespace is that of the objects, empty for any.
func (k *Loaders) otherPolicies(ctx context.Context, without model.Ref, namespace string, kinds []string) ([]*model.PolicyBody, error) {
	return k.policiesOf(ctx, without, namespace, kinds, propagationPolicies)
}

func (k *Loaders) policiesOf(ctx context.Context, without model.Ref, namespace string, kinds []string, gvrs []schema.GroupVersionResource) ([]*model.PolicyBody, error) {
	for _, gvr := range gvrs {
		if err := k.source.Fleet.Synced(without.Instance, "", gvr); err != nil {
			return nil, err
		}
	}
	selectors := []string{"spec", "resourceSelectors"}
	of := []sql.Condition{}
	for _, kind := range kinds {
		of = append(of, sql.FieldContains(selectors, []any{map[string]any{"kind": kind}}))
	}
	// An override policy without selectors concerns everything.
	of = append(of, sql.Not(sql.FieldContains(selectors, []any{map[string]any{}})))
	where := []sql.Condition{sql.Any(of...)}
	if namespace != "" {
		where = append(where, sql.Namespaces("", namespace)) // "" is that of cluster-wide policies
	}
	list, err := pedia.Fetch(ctx, k.source.Store, sql.Query{Scope: k.scope, Clusters: []string{pediacluster.OfInstance(without.Instance)}, GVRs: gvrs,
		Where: where, Limit: mostPolicies}, decodeInto[model.Policy])
	if err != nil {
		return nil, err
	}
	if list.Full {
		return nil, errManyPolicies(without.Instance)
	}
	out := make([]*model.PolicyBody, 0, len(list.Rows))
	for _, p := range list.Rows {
		if p.ObjectRef() != without {
			out = append(out, policy.Bounded(p.PolicyMetadata().Body))
		}
	}
	return out, nil
}

// placing computes where objects of one instance go.
type placing struct {
	clusters []*clusterObject
	specs    map[model.Ref]*propagationSpec
}

func (k *Loaders) newPlacing(instance string) (*placing, error) {
	clusters, err := k.source.Fleet.ClusterObjects(k.scope, instance)
	if err != nil {
		return nil, err
	}
	return &placing{clusters: clusters, specs: map[model.Ref]*propagationSpec{}}, nil
}

// spec is the spec of a policy in Karmada's own type.
func (p *placing) spec(b *model.PolicyBody) (*propagationSpec, error) {
	if known := p.specs[b.Ref]; known != nil {
		return known, nil
	}
	spec, err := schedule.Policy(b.Raw)
	if err != nil {
		return nil, fmt.Errorf("reading %s %s: %w", b.Ref.GVK.Kind, b.Ref.Name, err)
	}
	p.specs[b.Ref] = spec
	return spec, nil
}
