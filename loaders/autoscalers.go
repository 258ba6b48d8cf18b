package loaders

import (
	"cmp"
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

// AutoscalerWorkload is the workload that an autoscaler scales; nil when it is gone, or not a workload.
func (k *Loaders) AutoscalerWorkload(ctx context.Context, a *model.Autoscaler) (model.Workload, error) {
	return autoscalerWorkload.Of(ctx, k, k.Batch(a), batch.None{}, a)
}

var autoscalerWorkload = toOne[*model.Autoscaler, model.Workload](batch.Members[*model.Autoscaler], func(a *model.Autoscaler) model.Ref {
	ref := reference(&a.Object, a.Target)
	ref.Namespace = a.Ref.Namespace
	return ref
})

// autoscalers is the kinds that set replicas.
var autoscalers = catalog.Resources("CronFederatedHPA", "FederatedHPA", "HorizontalPodAutoscaler")

// Autoscaler is the autoscaler of a workload; nil when there is none. Those of all workloads of a batch are read in one
// request.
func (k *Loaders) Autoscaler(ctx context.Context, w *model.WorkloadMeta) (*model.Autoscaler, error) {
	return autoscaler.Of(ctx, k, k.Batch(w), batch.None{}, w)
}

var autoscaler = &edge[batch.None, *model.WorkloadMeta, *model.Autoscaler]{
	From: workloadMetas,
	Read: func(ctx context.Context, k *Loaders, _ batch.None, workloads []*model.WorkloadMeta) (map[*model.WorkloadMeta]*model.Autoscaler, error) {
		lists, err := paging[*model.WorkloadMeta, *model.Autoscaler]{
			name: "autoscalers", of: func(w *model.WorkloadMeta) string { return w.ID() }, decode: decodeInto[*model.Autoscaler],
			parts: func(w *model.WorkloadMeta) ([]part, error) {
				if w.Replicas == nil {
					return nil, nil
				}
				return k.nearby(w.Ref, k.kept(w.Ref, autoscalers), sql.Namespaces(w.Ref.Namespace),
					sql.Field([]string{"spec", "scaleTargetRef", "kind"}, w.Ref.GVK.Kind), sql.Field([]string{"spec", "scaleTargetRef", "name"}, w.Ref.Name))
			},
		}.read(ctx, k, ListOptions{Page: model.Page{First: 10}}, workloads)
		out := make(map[*model.WorkloadMeta]*model.Autoscaler, len(lists))
		for w, list := range lists {
			if rows := list.Nodes(); len(rows) > 0 {
				// The first kind in the order of kinds: a CronFederatedHPA comes first.
				out[w] = slices.MinFunc(rows, func(a, b *model.Autoscaler) int { return cmp.Compare(a.Ref.GVK.Kind, b.Ref.GVK.Kind) })
			}
		}
		return out, err
	},
}
