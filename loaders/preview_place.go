package loaders

import (
	"context"
	"fmt"
	"slices"
	"strings"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/policy/schedule"
)

type (
	clusterObject   = clusterv1alpha1.Cluster
	propagationSpec = policyv1alpha1.PropagationSpec
)

// placed is where an object is, or goes.
type placed struct {
	clusters []model.PreviewCluster
	// carries says that what the object depends on goes along with it.
	carries  bool
	findings []model.PreviewFinding
}

func (p *placed) say(code model.PreviewCode, format string, args ...any) {
	p.findings = append(p.findings, model.PreviewFinding{Code: code, Message: fmt.Sprintf(format, args...)})
}

// subject is an object whose placement is computed.
type subject struct {
	object *model.Object
	// binding is what Karmada has of it; nil when there is none.
	binding *model.ResourceBinding
	// changed says that the object itself changes: what its binding says of its replicas is of before.
	changed bool
}

// bound is the binding as Karmada holds it, or as it would make it: with the replicas of the object as it is now.
func (s *subject) bound() (b *schedule.Bound, interpreted bool, err error) {
	fresh, interpreted, err := schedule.New(s.object.Ref, s.object.UID, s.object.Raw)
	if s.binding == nil || err != nil {
		return fresh, interpreted, err
	}
	b, err = schedule.Binding(s.binding.Raw)
	if err != nil {
		return nil, false, err
	}
	// Karmada's own reading of the object wins where it is of this version: an interpreter of the instance may have made it.
	if interpreted && (s.changed || b.Spec.Resource.ResourceVersion != s.object.ResourceVersion) {
		b.Spec.Replicas, b.Spec.ReplicaRequirements = fresh.Spec.Replicas, fresh.Spec.ReplicaRequirements
	}
	return b, interpreted || !s.changed, nil
}

// now is where an object is scheduled to.
func (s *subject) now() []model.PreviewCluster {
	out := []model.PreviewCluster{}
	if s.binding == nil {
		return out
	}
	for _, c := range s.binding.Clusters {
		out = append(out, model.PreviewCluster{ClusterName: c.ClusterName, Replicas: c.Replicas})
	}
	return out
}

// stays is where an object is.
func (s *subject) stays() placed {
	return placed{clusters: s.now(), carries: s.binding != nil && s.binding.PropagateDeps}
}

// under is where an object goes when a policy applies to it.
func (p *placing) under(ctx context.Context, by *model.PolicyBody, s *subject, lazily bool) (placed, error) {
	stays := s.stays()
	stays.findings = notComputed(by)
	if by.Excess != "" {
		return stays, nil
	}
	spec, err := p.spec(by)
	if err != nil {
		return stays, err
	}
	b, interpreted, err := s.bound()
	if err != nil {
		return stays, err
	}
	if lazily && schedule.Lazy(spec) {
		stays.say(model.PreviewLazy, "It stays where it is until it is changed itself: the policy is lazy.")
		return stays, nil
	}
	stays.carries = spec.PropagateDeps
	switch {
	case b.Spec.SchedulingSuspended():
		stays.say(model.PreviewSuspended, "It stays where it is: its scheduling is suspended.")
		return stays, nil
	case spec.SchedulerName != "" && spec.SchedulerName != defaultScheduler:
		stays.say(model.PreviewScheduler, "Where scheduler %q places it is not known here.", spec.SchedulerName)
		return stays, nil
	}
	b = b.Under(spec)
	result, err := schedule.Schedule(ctx, schedule.Request{Clusters: p.clusters, Spec: b.Spec, Status: b.Status, Applied: b.Applied})
	if err != nil {
		return stays, err
	}
	out := placed{clusters: previewClusters(&b.Spec, result.Clusters), carries: spec.PropagateDeps}
	if result.Uncomputed != "" {
		out.say(model.PreviewIncomplete, "Where it goes is not computed: %s.", result.Uncomputed)
	}
	if result.Problem != "" {
		out.say(model.PreviewUnscheduled, "It cannot be scheduled: %s.", strings.TrimSuffix(result.Problem, "."))
	}
	if result.Tie {
		out.say(model.PreviewTie, "Clusters are equal for it: Karmada chooses among them by the UID that the object gets when it is made, so that the replicas may be the other way round.")
	}
	if !interpreted {
		out.say(model.PreviewInterpreter, "Its replicas are not known here: interpreters of the instance tell them for this kind.")
	}
	return out, nil
}

func previewClusters(spec *workv1alpha2.ResourceBindingSpec, clusters []workv1alpha2.TargetCluster) []model.PreviewCluster {
	out := make([]model.PreviewCluster, len(clusters))
	for i, c := range clusters {
		out[i].ClusterName = c.Name
		if spec.IsWorkload() {
			out[i].Replicas = &c.Replicas
		}
	}
	slices.SortFunc(out, func(a, b model.PreviewCluster) int { return strings.Compare(a.ClusterName, b.ClusterName) })
	return out
}

// samePlace reports whether two placements are equal.
func samePlace(a, b []model.PreviewCluster) bool {
	number := func(n *int32) int32 {
		if n == nil {
			return 0
		}
		return *n
	}
	return slices.EqualFunc(a, b, func(a, b model.PreviewCluster) bool {
		return a.ClusterName == b.ClusterName && number(a.Replicas) == number(b.Replicas)
	})
}

// row is what a change of a policy does to an object.
func (p *placing) row(ctx context.Context, change *policy.Change, s *subject) (*model.PolicyPreviewRow, error) {
	ref := changedRef(change)
	mine := s.object.Claim != nil && s.object.Claim.Ref == ref
	claimed := change.Claims(s.object)
	row := &model.PolicyPreviewRow{Object: model.PreviewObject{Ref: s.object.Ref}, Rule: claimed.Rule, Reason: claimed.Reason, Before: s.now()}
	where := s.stays()
	var err error
	if claimed.By != nil && (claimed.Fresh || claimed.By.Ref == ref) {
		// Only what the detector looks at again because a policy changed is put off (enqueueResourceTemplateForPolicyChange).
		lazily := claimed.By == change.After || claimed.Rule == model.RulePreemption
		if where, err = p.under(ctx, claimed.By, s, lazily); err != nil {
			return nil, err
		}
	}
	row.Carries, row.Binding = s.carried(&where), s.binding
	row.After, row.Findings = where.clusters, append([]model.PreviewFinding{}, where.findings...)
	row.Findings = append(row.Findings, notComputed(change.Others...)...)
	will := claimed.By != nil && claimed.By.Ref == ref
	switch {
	case will && !mine:
		row.Change = model.ClaimGained
		if holder := s.object.Claim; holder != nil {
			row.By = &model.PreviewObject{Ref: holder.Ref}
		}
	case mine && !will:
		row.Change = model.ClaimLost
	case will && !samePlace(row.Before, row.After):
		row.Change = model.ClaimMoved
	default:
		row.Change = model.ClaimUnchanged
	}
	if claimed.By != nil && !will {
		row.By = &model.PreviewObject{Ref: claimed.By.Ref}
	}
	if claimed.Gate {
		row.Findings = append(row.Findings, model.PreviewFinding{Code: model.PreviewPreemption,
			Message: "This depends on Karmada's feature gate PropagationPolicyPreemption."})
	}
	return row, nil
}

func changedRef(c *policy.Change) model.Ref {
	if c.After != nil {
		return c.After.Ref
	}
	return c.Before.Ref
}
