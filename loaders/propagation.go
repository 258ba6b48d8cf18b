package loaders

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Propagation is how an object of a control plane is propagated. The bindings of all objects of its batch are read in
// one request. Nil without an error when it is not propagated; a *batch.Reported after a failed read that another field
// has reported.
func (k *Loaders) Propagation(ctx context.Context, o *model.Object) (*model.Propagation, error) {
	if !propagates(o) {
		return nil, nil //nolint:nilnil // it is not propagated
	}
	return propagations.Of(ctx, k, k.Batch(o), batch.None{}, o)
}

var propagations = &edge[batch.None, *model.Object, *model.Propagation]{
	From: objectsOf,
	Read: func(ctx context.Context, k *Loaders, _ batch.None, objects []*model.Object) (map[*model.Object]*model.Propagation, error) {
		return k.readPropagation(ctx, objects)
	},
}

// WorkloadPropagation is Propagation for a workload; one from a watch already has it.
func (k *Loaders) WorkloadPropagation(ctx context.Context, w *model.WorkloadMeta) (*model.Propagation, error) {
	if k.Batch(w) == nil {
		return w.Live, nil
	}
	return k.Propagation(ctx, &w.Object)
}

// State is the state of a workload; UNKNOWN when its binding cannot be read, which is reported where the propagation
// itself is selected.
func (k *Loaders) State(ctx context.Context, w *model.WorkloadMeta) (model.WorkloadState, string, error) {
	if w.Ref.Cluster != "" {
		state, reason, _ := propagation.OwnState(w, time.Now())
		return state, reason, nil
	}
	p := w.Live
	if b := k.Batch(w); b != nil {
		var err error
		p, err = propagations.Of(ctx, k, b, batch.None{}, &w.Object)
		if batch.Failed(err) {
			return model.WorkloadUnknown, "BindingUnavailable", err
		}
	}
	state, reason := propagation.State(w, p, time.Now())
	return state, reason, nil
}

// propagates reports whether Karmada propagates objects of the kind by a policy.
func propagates(o *model.Object) bool {
	if o.Ref.Cluster != "" {
		return false
	}
	switch o.Ref.GVK.Group {
	case model.PolicyGroup, model.WorkGroup, "cluster.karmada.io":
		return false
	}
	switch o.Ref.GVK.Kind {
	case "Event", "ControllerRevision":
		return false
	}
	return true
}

// readPropagation reads the bindings of the objects of a batch, or of one that came alone, by their names, in one
// request.
func (k *Loaders) readPropagation(ctx context.Context, objects []*model.Object) (map[*model.Object]*model.Propagation, error) {
	b := k.Batch(objects[0])
	out := make(map[*model.Object]*model.Propagation, len(objects))
	var refs []model.Ref
	var asked []*model.Object
	workloads := map[*model.Object]*model.WorkloadMeta{}
	if b != nil {
		for _, w := range workloadMetas(b) {
			workloads[&w.Object] = w
		}
	}
	for _, o := range objects {
		w := workloads[o]
		switch {
		case w != nil && w.Live != nil:
			out[o] = w.Live
		case propagates(o):
			refs, asked = append(refs, bindingRef(o)), append(asked, o)
		}
	}
	found, unread := refsOf[*model.ResourceBinding](ctx, k, refs)
	errs := batch.Each[*model.Object]{}
	var targets []*model.PropagationTarget
	for i, o := range asked {
		if err := unread[refs[i]]; err != nil {
			errs.Add(o, err)
			continue
		}
		p := propagation.Of(propagation.Input{Object: o, Workload: workloads[o], Binding: found[refs[i]], Clusters: k.clusterStates(o.Ref.Instance)})
		// Karmada propagates namespaces automatically: without a policy of their own there is nothing to report.
		if o.Ref.GVK.Kind == "Namespace" && p.Binding == nil && o.Claim == nil {
			continue
		}
		if o.Claim != nil {
			k.Follow(o.Claim, o)
		}
		out[o] = p
		targets = append(targets, p.Targets...)
	}
	batch.Join(k.Operation, targets)
	k.joinClusters(targets)
	return out, errs.Any()
}

// Status is a workload's counts: in a member its own, for a template the sum over its clusters.
func (k *Loaders) Status(ctx context.Context, w *model.WorkloadMeta) (*model.TargetStatus, error) {
	if w.Ref.Cluster != "" {
		return propagation.OwnStatus(w), nil
	}
	p, err := k.WorkloadPropagation(ctx, w)
	if p == nil || err != nil {
		return nil, err
	}
	return propagation.Sum(p.Targets), nil
}
