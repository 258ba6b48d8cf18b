package loaders

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Owners are the objects that an object belongs to. Those of all objects of its batch are read together.
func (k *Loaders) Owners(ctx context.Context, o *model.Object) ([]model.KubernetesObject, error) {
	return owners.Of(ctx, k, k.Batch(o), batch.None{}, o)
}

var owners = &edge[batch.None, *model.Object, []model.KubernetesObject]{
	From: objectsOf,
	Read: func(ctx context.Context, k *Loaders, _ batch.None, objects []*model.Object) (map[*model.Object][]model.KubernetesObject, error) {
		var refs []model.Ref
		for _, o := range objects {
			refs = append(refs, ownerRefs(o)...)
		}
		found, unread := k.gatherRefs(ctx, refs)
		out, errs := make(map[*model.Object][]model.KubernetesObject, len(objects)), batch.Each[*model.Object]{}
		for _, o := range objects {
			out[o] = []model.KubernetesObject{}
			for _, ref := range ownerRefs(o) {
				errs.Add(o, unread[ref])
				if owner := found[ref]; owner != nil {
					out[o] = append(out[o], owner)
				}
			}
		}
		return out, errs.Any()
	},
}

// ownerRefs names the owners of an object. An owner is in the object's own namespace unless its kind is
// cluster-scoped.
func ownerRefs(o *model.Object) []model.Ref {
	out := make([]model.Ref, 0, len(o.Owners))
	for _, owner := range o.Owners {
		gv, err := schema.ParseGroupVersion(owner.APIVersion)
		if err != nil {
			continue
		}
		ref := model.Ref{Instance: o.Ref.Instance, Cluster: o.Ref.Cluster, GVK: gv.WithKind(owner.Kind), Namespace: o.Ref.Namespace, Name: owner.Name}
		if known := catalog.ByGVK(ref.GVK); known != nil && !known.Namespaced {
			ref.Namespace = ""
		}
		out = append(out, ref)
	}
	return out
}

// objectsOf is the common parts of the objects in a batch.
func objectsOf(b *batch.Batch) []*model.Object {
	rows := batch.Members[interface{ ObjectMeta() *model.Object }](b)
	out := make([]*model.Object, len(rows))
	for i, r := range rows {
		out[i] = r.ObjectMeta()
	}
	return out
}

// childKinds is the kinds that the children of a kind can have; children of other kinds are searched in all kinds that
// the store holds.
var childKinds = map[string][]schema.GroupVersionResource{
	"CronJob":     catalog.Resources("Job"),
	"DaemonSet":   catalog.Resources("ControllerRevision", "Pod", "ResourceBinding"),
	"Deployment":  catalog.Resources("ControllerRevision", "ReplicaSet", "ResourceBinding"),
	"Job":         catalog.Resources("Pod", "ResourceBinding"),
	"ReplicaSet":  catalog.Resources("Pod"),
	"StatefulSet": catalog.Resources("ControllerRevision", "Pod", "ResourceBinding"),
}

// owned is all kinds that can have owners.
var owned = catalog.Resources("ClusterResourceBinding", "ConfigMap", "ControllerRevision", "CronJob", "DaemonSet", "Deployment",
	"Job", "PersistentVolumeClaim", "Pod", "ReplicaSet", "ResourceBinding", "Service", "StatefulSet", "Work")

// Children are the objects that belong to an object.
func (k *Loaders) Children(ctx context.Context, o *model.Object, opts ListOptions) (*model.Connection[model.KubernetesObject], error) {
	return children.Of(ctx, k, k.Batch(o), opts, o)
}

var children = &edge[ListOptions, *model.Object, *model.Connection[model.KubernetesObject]]{
	From: objectsOf,
	Read: func(ctx context.Context, k *Loaders, opts ListOptions, objects []*model.Object) (map[*model.Object]*model.Connection[model.KubernetesObject], error) {
		return paging[*model.Object, model.KubernetesObject]{
			name: "children", of: (*model.Object).ID, decode: decodeRow,
			parts: func(o *model.Object) ([]part, error) {
				kinds := childKinds[o.Ref.GVK.Kind]
				if kinds == nil {
					kinds = owned
				}
				if o.UID == "" {
					return nil, nil
				}
				return k.nearby(o.Ref, k.kept(o.Ref, kinds), sql.OwnedBy(o.UID))
			},
		}.read(ctx, k, opts, objects)
	},
}

// Template is the control plane's object that a member's object was made from; nil when Karmada did not create it, or
// the template is gone.
func (k *Loaders) Template(ctx context.Context, o *model.Object) (model.KubernetesObject, error) {
	uid, _ := annotation(o, templateUID)
	if o.Ref.Cluster == "" || uid == "" {
		return nil, nil //nolint:nilnil // a template has no template
	}
	obj, err := templateOf.Of(ctx, k, k.Batch(o), batch.None{}, o)
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

// templateUID is the annotation in which Karmada records an object's template.
const templateUID = "resourcetemplate.karmada.io/uid"

func annotation(o *model.Object, key string) (string, bool) {
	for _, a := range o.Annotations {
		if a.Key == key {
			return a.Value, true
		}
	}
	return "", false
}

// reference names the object that another one refers to, in the same cluster.
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

// asResource converts any object to the generic type.
func asResource(obj model.KubernetesObject) (*model.KubernetesResource, error) {
	if r, ok := obj.(*model.KubernetesResource); ok {
		return r, nil
	}
	var raw []byte
	switch o := obj.(type) {
	case interface{ ObjectMeta() *model.Object }:
		raw = o.ObjectMeta().Raw
	case model.Policy:
		raw = o.PolicyMetadata().Body.Raw
	default:
		return nil, fmt.Errorf("a %T is no object of its own", obj)
	}
	ref := obj.ObjectRef()
	return objects.DecodeResource(ref.Instance, ref.Cluster, ref.GVK, raw)
}

// Members are the objects made from a control plane's object in its clusters, by cluster.
func (k *Loaders) Members(ctx context.Context, o *model.Object) ([]*model.KubernetesResource, error) {
	p, err := k.Propagation(ctx, o)
	if p == nil || err != nil {
		return nil, err
	}
	found := make([]*model.KubernetesResource, len(p.Targets))
	g, ctx := errgroup.WithContext(ctx)
	for i, t := range p.Targets {
		g.Go(panics.Guard(func() (err error) {
			found[i], err = k.Member(ctx, t)
			return err
		}))
	}
	err = g.Wait()
	return slices.DeleteFunc(found, func(r *model.KubernetesResource) bool { return r == nil }), err
}
