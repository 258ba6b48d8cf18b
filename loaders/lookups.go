package loaders

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// toOne is an edge to a single object, read in one request for all of a batch. An empty reference leads nowhere.
func toOne[P comparable, T model.KubernetesObject](from func(*model.Batch) []P, ref func(P) model.Ref) *edge[none, P, T] {
	return &edge[none, P, T]{from: from, read: func(ctx context.Context, k *Loaders, _ none, parents []P) (map[P]T, error) {
		refs := make([]model.Ref, 0, len(parents))
		for _, p := range parents {
			if r := ref(p); r.Name != "" && !slices.Contains(refs, r) {
				refs = append(refs, r)
			}
		}
		objects, unread := gatheredOf[T](ctx, k, refs)
		out, errs := make(map[P]T, len(parents)), each[P]{}
		for _, p := range parents {
			errs.add(p, unread[ref(p)])
			if obj, ok := objects[ref(p)]; ok {
				out[p] = obj
			}
		}
		return out, errs.any()
	}}
}

// PodNode is the node that a pod runs on; nil before it has one, or when the node is gone.
func (k *Loaders) PodNode(ctx context.Context, p *model.Pod) (*model.ClusterNode, error) {
	return podNode.of(ctx, k, p.Batch, none{}, p)
}

var podNode = toOne[*model.Pod, *model.ClusterNode](model.Members[*model.Pod], func(p *model.Pod) model.Ref {
	if p.NodeName == nil {
		return model.Ref{}
	}
	return model.Ref{Instance: p.Ref.Instance, Cluster: p.Ref.Cluster, GVK: schema.GroupVersionKind{Version: "v1", Kind: "Node"}, Name: *p.NodeName}
})

// PodWorkload is the workload that a pod belongs to in its member; nil for none. Pods of a Deployment or
// CronJob belong to it by way of another object.
func (k *Loaders) PodWorkload(ctx context.Context, p *model.Pod) (model.Workload, error) {
	return podWorkload.of(ctx, k, p.Batch, none{}, p)
}

var podWorkload = &edge[none, *model.Pod, model.Workload]{
	from: model.Members[*model.Pod],
	read: func(ctx context.Context, k *Loaders, _ none, pods []*model.Pod) (map[*model.Pod]model.Workload, error) {
		controllers := map[*model.Pod]model.Ref{}
		var refs []model.Ref
		for _, p := range pods {
			if ref, ok := controllerOf(&p.Object); ok {
				controllers[p] = ref
				refs = appendOnce(refs, ref)
			}
		}
		first, unread := k.gatherRefs(ctx, refs)
		var next []model.Ref
		for _, obj := range first {
			if o, ok := obj.(interface{ ObjectMeta() *model.Object }); ok {
				if ref, ok := controllerOf(o.ObjectMeta()); ok {
					next = appendOnce(next, ref)
				}
			}
		}
		second, unreadNext := k.gatherRefs(ctx, next)
		out, errs := make(map[*model.Pod]model.Workload, len(pods)), each[*model.Pod]{}
		for p, ref := range controllers {
			obj := first[ref]
			errs.add(p, unread[ref])
			if o, ok := obj.(interface{ ObjectMeta() *model.Object }); ok {
				if above, ok := controllerOf(o.ObjectMeta()); ok {
					errs.add(p, unreadNext[above])
					if second[above] != nil {
						obj = second[above]
					}
				}
			}
			if w, ok := obj.(model.Workload); ok {
				out[p] = w
			}
		}
		return out, errs.any()
	},
}

// controllerOf names the object that manages another one.
func controllerOf(o *model.Object) (model.Ref, bool) {
	for i, ref := range ownerRefs(o) {
		if o.Owners[i].Controller {
			return ref, true
		}
	}
	return model.Ref{}, false
}

func appendOnce(refs []model.Ref, ref model.Ref) []model.Ref {
	if slices.Contains(refs, ref) {
		return refs
	}
	return append(refs, ref)
}

// PodTemplate is the federation's template that a pod came from; nil when Karmada did not put it there.
func (k *Loaders) PodTemplate(ctx context.Context, p *model.Pod) (model.Workload, error) {
	w, err := k.PodWorkload(ctx, p)
	if w == nil || err != nil {
		return nil, err
	}
	obj, err := k.Template(ctx, &w.Meta().Object)
	if t, ok := obj.(model.Workload); ok {
		return t, err
	}
	return nil, err
}

// templateUID is where Karmada notes in a member which template an object was made of.
const templateUID = "resourcetemplate.karmada.io/uid"

// Template is the object of the control plane that a member's one was made of; nil when Karmada did not put
// it there, or the template is gone.
func (k *Loaders) Template(ctx context.Context, o *model.Object) (model.KubernetesObject, error) {
	uid, _ := annotation(o, templateUID)
	if o.Ref.Cluster == "" || uid == "" {
		return nil, nil //nolint:nilnil // a template is made of nothing
	}
	obj, err := templateOf.of(ctx, k, o.Batch, none{}, o)
	if t, ok := obj.(interface{ ObjectMeta() *model.Object }); !ok || t.ObjectMeta().UID != uid {
		return nil, err
	}
	return obj, err
}

var templateOf = toOne[*model.Object, model.KubernetesObject](objectsOf, func(o *model.Object) model.Ref {
	if uid, _ := annotation(o, templateUID); uid == "" {
		return model.Ref{}
	}
	ref := o.Ref
	ref.Cluster = ""
	return ref
})

func annotation(o *model.Object, key string) (string, bool) {
	for _, a := range o.Annotations {
		if a.Key == key {
			return a.Value, true
		}
	}
	return "", false
}

// WorkloadTemplate is Template for a workload.
func (k *Loaders) WorkloadTemplate(ctx context.Context, w *model.WorkloadMeta) (model.Workload, error) {
	obj, err := k.Template(ctx, &w.Object)
	if t, ok := obj.(model.Workload); ok {
		return t, err
	}
	return nil, err
}

// EventObject is what an event is about; nil when it is gone.
func (k *Loaders) EventObject(ctx context.Context, e *model.KubernetesEvent) (model.KubernetesObject, error) {
	return eventObject.of(ctx, k, e.Batch, none{}, e)
}

var eventObject = toOne[*model.KubernetesEvent, model.KubernetesObject](model.Members[*model.KubernetesEvent], func(e *model.KubernetesEvent) model.Ref {
	return reference(&e.Object, e.Regarding)
})

// reference names the object that another one points at, in the same cluster.
func reference(from *model.Object, to model.ObjectReference) model.Ref {
	gv, err := schema.ParseGroupVersion(to.APIVersion)
	if err != nil || to.Kind == "" || to.Name == "" {
		return model.Ref{}
	}
	ref := model.Ref{Instance: from.Ref.Instance, Cluster: from.Ref.Cluster, GVK: gv.WithKind(to.Kind), Name: to.Name}
	if known := catalog.ByGVK(ref.GVK); to.Namespace != nil && (known == nil || known.Namespaced) {
		ref.Namespace = *to.Namespace
	}
	return ref
}

// AutoscalerWorkload is the workload that an autoscaler scales; nil when it is gone, or no workload.
func (k *Loaders) AutoscalerWorkload(ctx context.Context, a *model.Autoscaler) (model.Workload, error) {
	return autoscalerWorkload.of(ctx, k, a.Batch, none{}, a)
}

var autoscalerWorkload = toOne[*model.Autoscaler, model.Workload](model.Members[*model.Autoscaler], func(a *model.Autoscaler) model.Ref {
	ref := reference(&a.Object, a.Target)
	ref.Namespace = a.Ref.Namespace
	return ref
})

// autoscalers is the kinds that set replicas.
var autoscalers = catalog.Resources("CronFederatedHPA", "FederatedHPA", "HorizontalPodAutoscaler")

// Autoscaler is what sets the replicas of a workload; nil when nothing does. Those of all workloads of a
// batch are read in one request.
func (k *Loaders) Autoscaler(ctx context.Context, w *model.WorkloadMeta) (*model.Autoscaler, error) {
	return autoscaler.of(ctx, k, w.Batch, none{}, w)
}

var autoscaler = &edge[none, *model.WorkloadMeta, *model.Autoscaler]{
	from: workloadMetas,
	read: func(ctx context.Context, k *Loaders, _ none, workloads []*model.WorkloadMeta) (map[*model.WorkloadMeta]*model.Autoscaler, error) {
		lists, err := paging[*model.WorkloadMeta, *model.Autoscaler]{
			name: "autoscalers", of: func(w *model.WorkloadMeta) string { return w.ID() }, decode: decodeInto[*model.Autoscaler],
			parts: func(w *model.WorkloadMeta) ([]part, error) {
				if w.Replicas == nil {
					return nil, nil
				}
				return k.nearby(w.Ref, k.kept(w.Ref, autoscalers), pedia.Namespaces(w.Ref.Namespace),
					pedia.Field([]string{"spec", "scaleTargetRef", "kind"}, w.Ref.GVK.Kind), pedia.Field([]string{"spec", "scaleTargetRef", "name"}, w.Ref.Name))
			},
		}.read(ctx, k, ListOptions{Page: model.Page{First: 10}}, workloads)
		out := make(map[*model.WorkloadMeta]*model.Autoscaler, len(lists))
		for w, list := range lists {
			if rows := list.Nodes(); len(rows) > 0 {
				// By kind, as in the order of kinds: the one that runs by a clock first.
				out[w] = slices.MinFunc(rows, func(a, b *model.Autoscaler) int { return cmp.Compare(a.Ref.GVK.Kind, b.Ref.GVK.Kind) })
			}
		}
		return out, err
	},
}

// Revisions are the revisions of a workload, the newest first: all that there are, for they are few.
func (k *Loaders) Revisions(ctx context.Context, w *model.WorkloadMeta) (model.Lineage, error) {
	if w.Ref.Cluster != "" {
		return nil, nil
	}
	if w.UID == "" {
		return nil, nil
	}
	return revisions.of(ctx, k, w.Batch, none{}, ancestor{w.Ref, w.UID})
}

// Lineage is all revisions of the workload that a revision is of.
func (k *Loaders) Lineage(ctx context.Context, r *model.Revision) (model.Lineage, error) {
	if r.WorkloadUID == "" {
		return nil, nil
	}
	return lineage.of(ctx, k, r.Batch, none{}, ancestor{r.WorkloadRef, r.WorkloadUID})
}

var revisions = revisionsOf(func(b *model.Batch) []ancestor {
	var out []ancestor
	for _, w := range workloadMetas(b) {
		if w.Ref.Cluster == "" && w.UID != "" {
			out = append(out, ancestor{w.Ref, w.UID})
		}
	}
	return out
})

var lineage = revisionsOf(func(b *model.Batch) []ancestor {
	var out []ancestor
	for _, r := range model.Members[*model.Revision](b) {
		if a := (ancestor{r.WorkloadRef, r.WorkloadUID}); a.uid != "" && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
})

// ancestor is a workload that has revisions.
type ancestor struct {
	ref model.Ref
	uid string
}

// revisionsOf is an edge from workloads to all their revisions.
func revisionsOf(from func(*model.Batch) []ancestor) *edge[none, ancestor, model.Lineage] {
	return &edge[none, ancestor, model.Lineage]{from: from, read: func(ctx context.Context, k *Loaders, _ none, workloads []ancestor) (map[ancestor]model.Lineage, error) {
		lists, err := paging[ancestor, *model.Revision]{
			name: "revisions", of: func(a ancestor) string { return a.uid }, decode: decodeInto[*model.Revision],
			parts: func(a ancestor) ([]part, error) {
				return k.nearby(a.ref, revisionResource, pedia.OwnedBy(a.uid))
			},
		}.read(ctx, k, ListOptions{Page: model.Page{First: maxPage}}, workloads)
		out := make(map[ancestor]model.Lineage, len(lists))
		for a, list := range lists {
			out[a] = model.Lineages(list.Nodes())[a.uid]
		}
		return out, err
	}}
}

// NamespaceCounts counts what is in a namespace. It takes two requests for each namespace of the page.
func (k *Loaders) NamespaceCounts(ctx context.Context, n *model.Namespace) (*model.NamespaceCounts, error) {
	return namespaceCounts.of(ctx, k, n.Batch, none{}, n)
}

var namespaceCounts = &edge[none, *model.Namespace, *model.NamespaceCounts]{
	from: model.Members[*model.Namespace],
	read: func(ctx context.Context, k *Loaders, _ none, namespaces []*model.Namespace) (map[*model.Namespace]*model.NamespaceCounts, error) {
		var mu sync.Mutex
		out, errs := make(map[*model.Namespace]*model.NamespaceCounts, len(namespaces)), each[*model.Namespace]{}
		var g errgroup.Group
		g.SetLimit(counters)
		count := func(n *model.Namespace, gvrs []schema.GroupVersionResource, into func(*model.NamespaceCounts, int)) {
			g.Go(panics.Guard(func() error {
				var total *int
				rows, err := k.rowsIn(n.Ref.Instance, n.Ref.Cluster, gvrs, pedia.Namespaces(n.Ref.Name))
				if err == nil {
					err = rows.missing // a number without some kind would be wrong
				}
				if err == nil {
					total, err = k.countRows(ctx, rows)
				}
				mu.Lock()
				defer mu.Unlock()
				if total == nil {
					errs.add(n, cmp.Or(err, errUncounted))
				} else {
					into(out[n], *total)
				}
				return nil
			}))
		}
		for _, n := range namespaces {
			out[n] = &model.NamespaceCounts{}
		}
		for _, n := range namespaces {
			count(n, workloadResources, func(c *model.NamespaceCounts, total int) { c.Workloads = total })
			if n.Ref.Cluster == "" {
				count(n, namespacedPolicies, func(c *model.NamespaceCounts, total int) { c.Policies = total })
			}
		}
		// Errors are kept by namespace; a panic is nobody's own.
		if err := g.Wait(); err != nil {
			return nil, err
		}
		return out, errs.any()
	},
}

// errUncounted is the error of a store that cannot count.
var errUncounted error = &model.Error{Code: model.CodeUnavailable, Message: "the read store cannot count without SQL conditions"}

var namespacedPolicies = catalog.Resources("OverridePolicy", "PropagationPolicy")
