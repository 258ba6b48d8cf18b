// Package schedule computes where Karmada would place an object. It runs the code of Karmada's own scheduler (v1.18:
// pkg/scheduler/core and the plugins of pkg/scheduler/framework) on values; what the scheduler does around it
// (pkg/scheduler/scheduler.go and helper.go: when it schedules at all, and the groups of clusters one after the other) is
// not exported and is repeated here. It is pure: a binding and clusters in, clusters and replicas out.
package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/scheduler/core"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
	"github.com/karmada-io/karmada/pkg/util"
	"k8s.io/apimachinery/pkg/types"
)

// Request is a binding as the detector would write it: its spec holds the placement of the policy, and in Clusters what it
// is scheduled to now.
type Request struct {
	// Clusters must not be changed while it is computed.
	Clusters []*clusterv1alpha1.Cluster
	Spec     workv1alpha2.ResourceBindingSpec
	Status   workv1alpha2.ResourceBindingStatus
	// Applied is the placement, as JSON, that the scheduler last worked with; empty for none.
	Applied string
}

// Result is what the scheduler does with it.
type Result struct {
	Clusters []workv1alpha2.TargetCluster
	// Kept says that the scheduler does nothing: neither the placement nor the replicas have changed.
	Kept bool
	// Problem is why it could not be scheduled; empty when it was. Clusters are then none where no cluster fits, and those
	// of before otherwise.
	Problem string
	// Uncomputed is why it is not computed; empty when it is. Clusters are then those of before.
	Uncomputed string
	// Tie says that equal clusters are told apart by the UID that the object does not have yet: Clusters is one of two
	// possible results.
	Tie bool
}

// mostCombinations is how many combinations of regions are tried for an object, in all its groups of clusters together: Karmada makes and sorts a
// path of each one, some 1 µs, and a page has 200 objects. It is all combinations of 14 regions, or up to four of 20.
const mostCombinations = 1 << 14

// Schedule computes the result. Karmada's code expects what its API server has validated: anything else is a Problem, never
// a panic. The error is that of a context that ended.
func Schedule(ctx context.Context, req Request) (out Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			out = Result{Clusters: req.Spec.Clusters, Problem: "Karmada's scheduler cannot work with this placement"}
		}
	}()
	switch {
	case req.Spec.Placement == nil:
		return Result{Clusters: req.Spec.Clusters, Kept: true}, nil
	case !due(&req):
		return Result{Clusters: req.Spec.Clusters, Kept: true}, nil
	case combinations(&req) > mostCombinations:
		return Result{Clusters: req.Spec.Clusters,
			Uncomputed: fmt.Sprintf("its spread over regions has more than %d combinations of them, in all groups of clusters together", mostCombinations)}, nil
	}
	if req.Spec.Resource.UID != "" {
		return run(ctx, &req, req.Spec.Resource.UID)
	}
	// Where clusters are equal, Karmada prefers by name, upwards or downwards by a hash of the object's UID
	// (pkg/util/helper/binding.go).
	if out, err = run(ctx, &req, ""); err != nil {
		return out, err
	}
	down, err := run(ctx, &req, descending)
	out.Tie = !reflect.DeepEqual(out, down)
	return out, err
}

// descending is a UID with an odd hash.
const descending = types.UID("b")

// combinations is how many combinations of regions Karmada may try, at most one more than mostCombinations: those of up to maxGroups of them, once
// for each group of clusters.
func combinations(req *Request) int {
	most := 0
	for _, c := range req.Spec.Placement.SpreadConstraints {
		if c.SpreadByField == policyv1alpha1.SpreadByFieldRegion {
			most = max(most, c.MaxGroups)
		}
	}
	names := map[string]bool{}
	for _, c := range req.Clusters {
		names[c.Spec.Region] = true
	}
	sum, ofSize := 0, 1
	for size := 1; size <= min(most, len(names)); size++ {
		ofSize = ofSize * (len(names) - size + 1) / size // of one size more
		if sum += ofSize; sum > mostCombinations {
			break
		}
	}
	return min(sum*max(1, len(req.Spec.Placement.ClusterAffinities)), mostCombinations+1)
}

// due reports whether the scheduler schedules a binding that changed (doScheduleBinding).
func due(req *Request) bool {
	spec := &req.Spec
	if changed(spec.Placement, req.Applied, req.Status.SchedulerObservedAffinityName) ||
		util.IsBindingReplicasChanged(spec, spec.Placement.ReplicaScheduling) ||
		util.RescheduleRequired(spec.RescheduleTriggeredAt, req.Status.LastScheduledTime) ||
		!spec.IsWorkload() || spec.Placement.ReplicaSchedulingType() == policyv1alpha1.ReplicaSchedulingTypeDuplicated {
		return true
	}
	for _, c := range req.Clusters {
		if c.DeletionTimestamp != nil && spec.TargetContains(c.Name) {
			return true
		}
	}
	return false
}

// changed reports whether a placement is another one than what was applied (placementChanged): of groups of clusters only
// the one in use counts.
func changed(p *policyv1alpha1.Placement, applied, group string) bool {
	if applied == "" {
		return true
	}
	var before policyv1alpha1.Placement
	if json.Unmarshal([]byte(applied), &before) != nil {
		return false
	}
	switch {
	case reflect.DeepEqual(*p, before):
		return false
	case !reflect.DeepEqual(p.ClusterAffinity, before.ClusterAffinity),
		!reflect.DeepEqual(p.ClusterTolerations, before.ClusterTolerations),
		!reflect.DeepEqual(p.SpreadConstraints, before.SpreadConstraints),
		!reflect.DeepEqual(p.ReplicaScheduling, before.ReplicaScheduling), group == "":
		return true
	}
	now, then := named(p.ClusterAffinities, group), named(before.ClusterAffinities, group)
	return now < 0 || then < 0 || !reflect.DeepEqual(p.ClusterAffinities[now], before.ClusterAffinities[then])
}

func named(groups []policyv1alpha1.ClusterAffinityTerm, name string) int {
	for i := range groups {
		if groups[i].AffinityName == name {
			return i
		}
	}
	return -1
}

// run schedules a binding whose object has a UID.
func run(ctx context.Context, req *Request, uid types.UID) (Result, error) {
	// Karmada's code fills in defaults where it works.
	spec, status := req.Spec.DeepCopy(), req.Status.DeepCopy()
	spec.Resource.UID = uid
	if spec.Placement.ClusterAffinities == nil {
		found, err := once(ctx, req.Clusters, spec, status)
		return outcome(&req.Spec, found, err), ctx.Err()
	}
	var first error
	// The scheduler goes on with the group in use, and never back to an earlier one.
	for i := max(0, named(spec.Placement.ClusterAffinities, status.SchedulerObservedAffinityName)); i < len(spec.Placement.ClusterAffinities); i++ {
		status.SchedulerObservedAffinityName = spec.Placement.ClusterAffinities[i].AffinityName
		found, err := once(ctx, req.Clusters, spec, status)
		switch {
		case ctx.Err() != nil:
			return Result{Clusters: req.Spec.Clusters}, ctx.Err()
		case err == nil:
			return Result{Clusters: found}, nil
		}
		if first == nil {
			first = err
		}
	}
	return outcome(&req.Spec, nil, first), nil
}

// outcome is what the scheduler writes: where no cluster fits, none; after any other failure it leaves what is there.
func outcome(spec *workv1alpha2.ResourceBindingSpec, found []workv1alpha2.TargetCluster, err error) Result {
	var fit *framework.FitError
	switch {
	case err == nil:
		return Result{Clusters: found}
	case errors.As(err, &fit):
		return Result{Problem: err.Error()}
	}
	return Result{Clusters: spec.Clusters, Problem: err.Error()}
}

// once is one run of the scheduler's algorithm (genericScheduler.Schedule). It ends with the context.
func once(ctx context.Context, clusters []*clusterv1alpha1.Cluster, spec *workv1alpha2.ResourceBindingSpec, status *workv1alpha2.ResourceBindingStatus) ([]workv1alpha2.TargetCluster, error) {
	fitting, verdicts := []*clusterv1alpha1.Cluster{}, framework.ClusterToResultMap{}
	for _, c := range clusters {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if c.DeletionTimestamp != nil {
			continue
		}
		if refused := filtered(ctx, spec, status, c); refused != nil {
			verdicts[c.Name] = refused
			continue
		}
		fitting = append(fitting, c)
	}
	if len(fitting) == 0 {
		return nil, &framework.FitError{NumAllClusters: len(clusters), Diagnosis: framework.Diagnosis{ClusterToResultMap: verdicts}}
	}
	scores, err := scored(ctx, spec, fitting)
	if err != nil {
		return nil, err
	}
	selected, err := core.SelectClusters(scores, spec.Placement, spec, status, nil)
	if err != nil {
		return nil, fmt.Errorf("failed to select clusters: %w", err)
	}
	found, err := core.AssignReplicas(selected, spec, status)
	if err != nil {
		return nil, fmt.Errorf("failed to assign replicas: %w", err)
	}
	return found, nil
}
