package loaders

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/propagation"
)

var resourceBindings = schema.GroupVersionResource{Group: "work.karmada.io", Version: "v1alpha2", Resource: "resourcebindings"}

// Propagation is how a workload is propagated. The bindings of all workloads of its batch are read in
// one request. Nil with a nil error means that the read failed and another field told so.
func (k *Kernel) Propagation(ctx context.Context, w *model.WorkloadMeta) (*model.Propagation, error) {
	if w.Batch == nil {
		return w.Live, nil
	}
	if ok, err := k.readPropagation(ctx, w.Batch); !ok {
		return nil, err
	}
	return w.Live, nil
}

// State is what a workload is doing; UNKNOWN when its binding cannot be read, which is told where the
// propagation itself is selected.
func (k *Kernel) State(ctx context.Context, w *model.WorkloadMeta) (model.WorkloadState, string, error) {
	if w.Batch == nil {
		return workloadState(w)
	}
	if ok, err := k.readPropagation(ctx, w.Batch); !ok {
		return model.WorkloadUnknown, "BindingUnavailable", err
	}
	return workloadState(w)
}

func workloadState(w *model.WorkloadMeta) (model.WorkloadState, string, error) {
	state, reason := propagation.State(w, w.Live, time.Now())
	return state, reason, nil
}

func (k *Kernel) readPropagation(ctx context.Context, b *model.Batch) (bool, error) {
	return k.reads(b).bindings.do(func() error {
		bindings, err := k.readBindings(ctx, workloadsOf(b))
		if err != nil {
			return err
		}
		clusters := map[string]map[string]*model.Cluster{}
		for _, w := range workloadsOf(b) {
			instance := w.Ref.Instance
			if _, known := clusters[instance]; !known {
				clusters[instance] = k.source.Fleet.ClusterStates(k.scope, instance)
			}
			w.Live = propagation.Compute(w, bindings[bindingKey(w)], clusters[instance])
			if w.Claim != nil {
				w.Claim.Batch = b
			}
		}
		return nil
	})
}

// workloadsOf is the workloads of a batch.
func workloadsOf(b *model.Batch) []*model.WorkloadMeta {
	rows := model.Members[model.Workload](b)
	out := make([]*model.WorkloadMeta, len(rows))
	for i, w := range rows {
		out[i] = w.Meta()
	}
	return out
}

// bindingKey names the binding of a workload.
func bindingKey(w *model.WorkloadMeta) pedia.Key {
	return pedia.Key{Cluster: pedia.InstanceCluster(w.Ref.Instance), Namespace: w.Ref.Namespace, Name: propagation.BindingName(w.Ref.GVK.Kind, w.Ref.Name), GVR: resourceBindings}
}

// readBindings reads the bindings of workloads by name: one request.
func (k *Kernel) readBindings(ctx context.Context, workloads []*model.WorkloadMeta) (map[pedia.Key]*model.ResourceBinding, error) {
	keys := make([]pedia.Key, 0, len(workloads))
	instances := map[string]bool{}
	for _, w := range workloads {
		keys = append(keys, bindingKey(w))
		instances[w.Ref.Instance] = true
	}
	for instance := range instances {
		if err := k.source.Fleet.Synced(instance, "", resourceBindings); err != nil {
			return nil, err
		}
	}
	return pedia.FetchKeys(ctx, k.source.Store, pedia.Query{Scope: k.scope}, keys, decodeBinding)
}

func decodeBinding(row pedia.Row) (*model.ResourceBinding, pedia.Key, error) {
	instance, _, _ := pedia.ParseCluster(row.Cluster)
	b, err := propagation.DecodeBinding(instance, row.Raw)
	if err != nil {
		return nil, pedia.Key{}, err
	}
	return b, pedia.Key{Namespace: b.Ref.Namespace, Name: b.Ref.Name}, nil
}

// PolicyBody is a policy as it is; nil when it is gone. The policies that claim workloads of one batch
// are read together: a request for each of the two kinds.
func (k *Kernel) PolicyBody(ctx context.Context, p *model.PolicyMeta) (*model.PolicyBody, error) {
	if p.Body != nil {
		return p.Body, nil
	}
	if p.Batch == nil {
		return k.policyAlone(ctx, p.Ref)
	}
	reads := k.reads(p.Batch)
	ok, err := reads.policies.do(func() (err error) {
		reads.bodies, err = k.readPolicies(ctx, claims(p.Batch))
		return err
	})
	if !ok {
		return nil, err
	}
	return reads.bodies[p.Ref], nil
}

// policyAlone reads a policy that was named by a workload that came alone, from a watch.
func (k *Kernel) policyAlone(ctx context.Context, ref model.Ref) (*model.PolicyBody, error) {
	obj, err := k.Object(ctx, ref)
	if p, ok := obj.(model.Policy); ok {
		return p.PolicyMetadata().Body, err
	}
	return nil, err
}

// claims is the policies that claim workloads of a batch, each once.
func claims(b *model.Batch) []model.Ref {
	refs := map[model.Ref]bool{}
	for _, w := range workloadsOf(b) {
		if w.Claim != nil {
			refs[w.Claim.Ref] = true
		}
	}
	return slices.Collect(maps.Keys(refs))
}

func (k *Kernel) readPolicies(ctx context.Context, refs []model.Ref) (map[model.Ref]*model.PolicyBody, error) {
	byKind := map[model.PolicyKind][]pedia.Key{}
	for _, ref := range refs {
		kind, _ := model.PolicyKindOf(ref.GVK.Group, ref.GVK.Kind)
		byKind[kind] = append(byKind[kind], objectKey(ref, kind.GVR()))
	}
	var mu sync.Mutex
	out := make(map[model.Ref]*model.PolicyBody, len(refs))
	g, ctx := errgroup.WithContext(ctx)
	for kind, keys := range byKind {
		g.Go(func() error {
			policies, err := pedia.FetchKeys(ctx, k.source.Store, pedia.Query{Scope: k.scope}, keys, decodePolicy(kind))
			mu.Lock()
			defer mu.Unlock()
			for _, p := range policies {
				out[p.Ref] = p.Body
			}
			return err
		})
	}
	return out, g.Wait()
}
