package loaders

import (
	"context"
	"slices"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/propagation"
)

// Propagation is how an object of a control plane is propagated. The bindings of all objects of its batch
// are read in one request. Nil with a nil error is for what is not propagated, and after a failed read that
// another field told of.
func (k *Loaders) Propagation(ctx context.Context, o *model.Object) (*model.Propagation, error) {
	if !propagates(o) {
		return nil, nil //nolint:nilnil // it is not propagated
	}
	return propagations.of(ctx, k, o.Batch, none{}, o)
}

var propagations = &edge[none, *model.Object, *model.Propagation]{
	from: objectsOf,
	read: func(ctx context.Context, k *Loaders, _ none, objects []*model.Object) (map[*model.Object]*model.Propagation, error) {
		return k.readPropagation(ctx, objects)
	},
}

// WorkloadPropagation is Propagation for a workload; one that came from a watch has it with it.
func (k *Loaders) WorkloadPropagation(ctx context.Context, w *model.WorkloadMeta) (*model.Propagation, error) {
	if w.Batch == nil {
		return w.Live, nil
	}
	return k.Propagation(ctx, &w.Object)
}

// State is what a workload is doing; UNKNOWN when its binding cannot be read, which is told where the
// propagation itself is selected.
func (k *Loaders) State(ctx context.Context, w *model.WorkloadMeta) (model.WorkloadState, string, error) {
	if w.Ref.Cluster != "" {
		state, reason, _ := propagation.OwnState(w, time.Now())
		return state, reason, nil
	}
	// Of what came in a batch, only its read may touch Live: others read at the same time.
	var p *model.Propagation
	if w.Batch == nil {
		p = w.Live
	} else {
		var err error
		p, err = propagations.of(ctx, k, w.Batch, none{}, &w.Object)
		if failed(err) {
			return model.WorkloadUnknown, "BindingUnavailable", err
		}
	}
	state, reason := propagation.State(w, p, time.Now())
	return state, reason, nil
}

// propagates says whether Karmada propagates objects of the kind by a policy.
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
	b := objects[0].Batch
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
	errs := each[*model.Object]{}
	clusters := map[string]map[string]*model.Cluster{}
	var targets []*model.PropagationTarget
	for i, o := range asked {
		if err := unread[refs[i]]; err != nil {
			errs.add(o, err)
			continue
		}
		if _, known := clusters[o.Ref.Instance]; !known {
			clusters[o.Ref.Instance] = k.source.Fleet.ClusterStates(k.scope, o.Ref.Instance)
		}
		p := propagation.Of(propagation.Input{Object: o, Workload: workloads[o], Binding: found[refs[i]], Clusters: clusters[o.Ref.Instance]})
		// Karmada takes namespaces along by itself: without a policy of their own there is nothing to tell.
		if o.Ref.GVK.Kind == "Namespace" && p.Binding == nil && o.Claim == nil {
			continue
		}
		// What came without a batch came from a watch: all its subscribers have the same object.
		if o.Claim != nil && b != nil {
			o.Claim.Batch = b
		}
		if w := workloads[o]; w != nil {
			w.Live = p
		}
		out[o] = p
		targets = append(targets, p.Targets...)
	}
	model.NewBatch(targets)
	return out, errs.any()
}

// bindingRef names the binding of an object.
func bindingRef(o *model.Object) model.Ref {
	return propagation.BindingRef(o.Ref.Instance, o.Ref.Namespace, propagation.BindingName(o.Ref.GVK.Kind, o.Ref.Name))
}

// Status is a workload's own numbers: in a member its own, of a template the sum over its clusters.
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

// Works are what a binding brings to its clusters, by cluster.
func (k *Loaders) Works(ctx context.Context, b *model.ResourceBinding) ([]*model.Work, error) {
	return works.of(ctx, k, b.Batch, none{}, b)
}

var works = &edge[none, *model.ResourceBinding, []*model.Work]{
	from: model.Members[*model.ResourceBinding],
	read: func(ctx context.Context, k *Loaders, _ none, bindings []*model.ResourceBinding) (map[*model.ResourceBinding][]*model.Work, error) {
		var refs []model.Ref
		of := map[*model.ResourceBinding][]model.Ref{}
		for _, b := range bindings {
			for _, cluster := range clustersOf(b) {
				ref := workRef(&model.Object{Ref: b.TemplateRef()}, cluster)
				refs, of[b] = append(refs, ref), append(of[b], ref)
			}
		}
		found, unread := gatheredOf[*model.Work](ctx, k, refs)
		out, errs := make(map[*model.ResourceBinding][]*model.Work, len(bindings)), each[*model.ResourceBinding]{}
		for b, refs := range of {
			out[b] = []*model.Work{}
			for _, ref := range refs {
				errs.add(b, unread[ref])
				if w := found[ref]; w != nil && carries(w, b) {
					out[b] = append(out[b], w)
				}
			}
		}
		return out, errs.any()
	},
}

// clustersOf is all clusters that a binding has, or had, to do with, by name.
func clustersOf(b *model.ResourceBinding) []string {
	var out []string
	for _, c := range b.Clusters {
		out = append(out, c.ClusterName)
	}
	for _, r := range b.RequiredBy {
		out = append(out, r.Clusters...)
	}
	for _, e := range b.Evictions {
		out = append(out, e.ClusterName)
	}
	for _, m := range b.Members {
		out = append(out, m.ClusterName)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
