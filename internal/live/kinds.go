package live

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Policies streams the policies of all four kinds of an instance, or those of some ids.
func (h *Hub) Policies(ctx context.Context, scope rbac.Scope, instance string, ids ...string) (<-chan *model.PolicyChange, error) {
	only, err := chosen(instance, ids)
	if err != nil {
		return nil, err
	}
	var kinds []Resource
	for _, k := range model.PolicyKinds {
		kinds = append(kinds, Resource{Kind: k.GVK(), Name: k.GVR().Resource})
	}
	wanted := func(o model.KubernetesObject) bool { return only(o.ObjectRef()) }
	return follow(ctx, h, scope, "policies", instance, kinds, wanted, func(c Change) *model.PolicyChange {
		out := &model.PolicyChange{Type: c.Type, ID: idOf(c.Node), At: c.At}
		out.Node, _ = c.Node.(model.Policy)
		return out
	})
}

// eventResource is the kind of events that everything records.
var eventResource = Resource{Kind: corev1.SchemeGroupVersion.WithKind("Event"), Name: "events"}

// Events streams the events of an instance's control plane that match a filter.
func (h *Hub) Events(ctx context.Context, scope rbac.Scope, instance string, f *model.EventFilter) (<-chan *model.KubernetesEventChange, error) {
	if f == nil {
		f = &model.EventFilter{}
	}
	if len(f.Clusters) > 0 {
		return nil, model.BadInput("filter.clusters", "may not be given here: the events of members are not followed")
	}
	match := func(o model.KubernetesObject) bool {
		e, ok := o.(*model.KubernetesEvent)
		return ok && in(f.Types, e.Type) && in(f.Reasons, e.Reason) && in(f.Namespaces, e.Ref.Namespace) && in(f.RegardingKinds, e.Regarding.Kind) &&
			(f.Since == nil || !e.LastSeen.Before(*f.Since))
	}
	return follow(ctx, h, scope, "events", instance, []Resource{eventResource}, match, func(c Change) *model.KubernetesEventChange {
		out := &model.KubernetesEventChange{Type: c.Type, ID: idOf(c.Node), At: c.At}
		out.Node, _ = c.Node.(*model.KubernetesEvent)
		return out
	})
}

// Resources streams the objects of one kind of an instance that match a filter, and of them only those of some ids, or all for none.
func (h *Hub) Resources(ctx context.Context, scope rbac.Scope, instance string, kind Resource, f *model.ResourceFilter, ids ...string) (<-chan *model.KubernetesResourceChange, error) {
	if f == nil {
		f = &model.ResourceFilter{}
	}
	if f.NameContains != nil {
		if err := model.CheckNamePart("filter.nameContains", *f.NameContains); err != nil {
			return nil, err
		}
	}
	selector := labels.Everything()
	if f.LabelSelector != nil {
		parsed, err := labels.Parse(*f.LabelSelector)
		if err != nil {
			return nil, model.BadInput("filter.labelSelector", "is not a Kubernetes label selector: %v", err)
		}
		selector = parsed
	}
	only, err := chosen(instance, ids)
	if err != nil {
		return nil, err
	}
	match := func(o model.KubernetesObject) bool {
		ref := o.ObjectRef()
		return only(ref) && in(f.Namespaces, ref.Namespace) && (f.NameContains == nil || strings.Contains(ref.Name, *f.NameContains)) &&
			(selector.Empty() || selector.Matches(set(metaOf(o).Labels)))
	}
	return follow(ctx, h, scope, "resources", instance, []Resource{kind}, match, func(c Change) *model.KubernetesResourceChange {
		return &model.KubernetesResourceChange{Type: c.Type, ID: idOf(c.Node), Node: h.generic(c.Node), At: c.At}
	})
}

// generic is an object of any kind as the generic type; nil for none.
func (h *Hub) generic(o model.KubernetesObject) *model.KubernetesResource {
	if o == nil {
		return nil
	}
	if is, ok := o.(*model.KubernetesResource); ok {
		return is
	}
	ref, meta := o.ObjectRef(), metaOf(o)
	out, err := objects.DecodeResource(ref.Instance, ref.Cluster, ref.GVK, meta.Raw)
	if err != nil { // it was decoded as its own type before
		h.cfg.Logger.Error("showing an object as the generic type", "kind", ref.GVK.String(), "error", err)
		return &model.KubernetesResource{Object: meta}
	}
	return out
}

// metaOf is what all objects have.
func metaOf(o model.KubernetesObject) model.Object {
	switch o := o.(type) {
	case model.Policy:
		if body := o.PolicyMetadata().Body; body != nil {
			return body.Object
		}
	case interface{ ObjectMeta() *model.Object }:
		return *o.ObjectMeta()
	}
	return model.Object{Ref: o.ObjectRef()}
}

func idOf(o model.KubernetesObject) *string {
	if o == nil {
		return nil
	}
	id := o.ObjectRef().ID()
	return &id
}
