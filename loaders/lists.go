package loaders

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
)

// Place is where a list is of: the control plane of an instance, or one of its members.
type Place struct {
	Instance string
	// Member is nil for the control plane. The lists of all members that came in one batch are read in one
	// request.
	Member *model.Cluster
}

func (p Place) cluster() string {
	if p.Member == nil {
		return ""
	}
	return p.Member.Name
}

func (p Place) id() string {
	if p.Member == nil {
		return model.InstanceID(p.Instance)
	}
	return p.Member.ID()
}

// listAt reads a list of a place: the rows of some kinds that meet all conditions.
func listAt[T model.KubernetesObject](ctx context.Context, k *Kernel, at Place, name string, opts ListOptions, order sorting,
	gvrs []schema.GroupVersionResource, where []pedia.Condition, decode pedia.Decode[T]) (*model.Connection[T], error) {
	lists := func(places []Place) (map[Place]*model.Connection[T], error) {
		return paging[Place, T]{
			name: name, of: Place.id, sorting: order, decode: decode,
			parts: func(p Place) ([]part, error) {
				rows, err := k.rowsIn(p.Instance, p.cluster(), gvrs, where...)
				if err != nil {
					return nil, err
				}
				return []part{rows}, nil
			},
		}.read(ctx, k, opts, places)
	}
	var batch *model.Batch
	if at.Member != nil {
		batch = batchUnless(at.Member.Batch, opts)
	}
	return edgeAs(k, batch, fmt.Sprintf("%s %+v %v %v", name, opts, order, where), at, placesOf, lists)
}

func placesOf(b *model.Batch) []Place {
	var out []Place
	for _, c := range model.Members[*model.Cluster](b) {
		out = append(out, Place{c.InstanceName, c})
	}
	return out
}

// Nodes are the nodes of a member, by name.
func (k *Kernel) Nodes(ctx context.Context, c *model.Cluster, opts ListOptions) (*model.ClusterNodeConnection, error) {
	return listAt(ctx, k, Place{c.InstanceName, c}, "nodes", opts, sorting{}, nodeResource, nil, decodeInto[*model.ClusterNode])
}

// MemberPods are the pods of a member.
func (k *Kernel) MemberPods(ctx context.Context, c *model.Cluster, f *model.PodFilter, opts ListOptions) (*model.PodConnection, error) {
	where, err := podConditions(f)
	if err != nil {
		return nil, err
	}
	if f != nil && len(f.Clusters) > 0 {
		return nil, model.BadInput("clusters", "may be given where pods of several clusters are listed; this list is of cluster %q", c.Name)
	}
	return listAt(ctx, k, Place{c.InstanceName, c}, "pods", opts, sorting{}, podResource, where, decodeInto[*model.Pod])
}

// Namespaces are the namespaces of a place.
func (k *Kernel) Namespaces(ctx context.Context, at Place, f *model.NamespaceFilter, by *model.NamespaceOrder, opts ListOptions) (*model.NamespaceConnection, error) {
	var where conditions
	if f != nil {
		where.names("names", f.Names)
		where.nameContains(f.NameContains)
		where.labels(f.LabelSelector)
	}
	if where.err != nil {
		return nil, where.err
	}
	var order sorting
	if by != nil {
		order = ordered(by.Field == model.NamespacesByCreation, by.Direction)
	}
	return listAt(ctx, k, at, "namespaces", opts, order, namespaceResource, where.all, decodeInto[*model.Namespace])
}

// PlaceEvents are the events of a place, the newest first.
func (k *Kernel) PlaceEvents(ctx context.Context, at Place, f *model.EventFilter, opts ListOptions) (*model.KubernetesEventConnection, error) {
	if f != nil && len(f.Clusters) > 0 {
		if at.Member != nil {
			return nil, model.BadInput("clusters", "may be given for the events of an instance; this list is of cluster %q", at.Member.Name)
		}
		return k.MemberEvents(ctx, at.Instance, f, opts)
	}
	where, err := eventConditions(f)
	if err != nil {
		return nil, err
	}
	return listAt(ctx, k, at, "events", opts, newestFirst, eventResource, where, decodeInto[*model.KubernetesEvent])
}

// Bindings are the bindings of an instance: all, or those that concern one member.
func (k *Kernel) Bindings(ctx context.Context, instance string, f *model.ResourceBindingFilter, opts ListOptions) (*model.ResourceBindingConnection, error) {
	where, err := bindingConditions(f)
	if err != nil {
		return nil, err
	}
	return listAt(ctx, k, Place{Instance: instance}, "bindings", opts, sorting{}, bindingResources, where, decodeInto[*model.ResourceBinding])
}

// conditions gathers the conditions of a filter and the first thing that is wrong with it.
type conditions struct {
	all []pedia.Condition
	err error
}

func (c *conditions) add(cond pedia.Condition) { c.all = append(c.all, cond) }

func (c *conditions) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *conditions) names(field string, values []string) {
	if len(values) == 0 {
		return
	}
	if err := checkNames(field, values); err != nil {
		c.fail(err)
		return
	}
	c.add(pedia.Names(values...))
}

func (c *conditions) namespaces(values []string) {
	if len(values) == 0 {
		return
	}
	if err := checkNamespaces(values); err != nil {
		c.fail(err)
		return
	}
	c.add(pedia.Namespaces(values...))
}

// field asks for one of some values of a field.
func (c *conditions) field(name string, path []string, values []string) {
	if len(values) == 0 {
		return
	}
	if err := checkMany(name, values); err != nil {
		c.fail(err)
		return
	}
	c.add(pedia.Field(path, values...))
}

func (c *conditions) nameContains(text *string) {
	if text == nil || *text == "" {
		return
	}
	if err := model.CheckNamePart("nameContains", *text); err != nil {
		c.fail(err)
		return
	}
	c.add(pedia.NameContains(*text))
}

// maxSelector bounds the length of a label selector.
const maxSelector = 2000

func (c *conditions) labels(selector *string) {
	if selector == nil || *selector == "" {
		return
	}
	if n := len(*selector); n > maxSelector {
		c.fail(model.BadInput("labelSelector", "has %d characters, at most %d are allowed", n, maxSelector))
		return
	}
	parsed, err := labels.Parse(*selector)
	if err != nil {
		c.fail(model.BadInput("labelSelector", "is not a Kubernetes label selector: %v", err))
		return
	}
	if !parsed.Empty() {
		c.add(pedia.Labels(parsed))
	}
}

// podPhases is how Kubernetes writes the phases of pods.
var podPhases = map[model.PodPhase]string{
	model.PodPending: "Pending", model.PodRunning: "Running", model.PodSucceeded: "Succeeded", model.PodFailed: "Failed", model.PodPhaseUnknown: "Unknown",
}

func podConditions(f *model.PodFilter) ([]pedia.Condition, error) {
	var where conditions
	if f == nil {
		return nil, nil
	}
	where.namespaces(f.Namespaces)
	where.nameContains(f.NameContains)
	where.labels(f.LabelSelector)
	if len(f.Phases) > 0 {
		phases := make([]string, len(f.Phases))
		for i, p := range f.Phases {
			phases[i] = podPhases[p]
		}
		where.add(pedia.Field([]string{"status", "phase"}, phases...))
	}
	return where.all, where.err
}

func eventConditions(f *model.EventFilter) ([]pedia.Condition, error) {
	var where conditions
	if f == nil {
		return nil, nil
	}
	where.namespaces(f.Namespaces)
	if len(f.Types) > 0 {
		types := make([]string, len(f.Types))
		for i, t := range f.Types {
			types[i] = eventTypes[t]
		}
		where.add(pedia.Field([]string{"type"}, types...))
	}
	where.field("reasons", []string{"reason"}, f.Reasons)
	where.field("regardingKinds", []string{"involvedObject", "kind"}, f.RegardingKinds)
	if f.Since != nil {
		where.add(pedia.SeenSince(*f.Since))
	}
	return where.all, where.err
}

var eventTypes = map[model.EventType]string{model.EventNormal: "Normal", model.EventWarning: "Warning", model.EventTypeUnknown: ""}

func bindingConditions(f *model.ResourceBindingFilter) ([]pedia.Condition, error) {
	var where conditions
	if f == nil {
		return nil, nil
	}
	where.namespaces(f.Namespaces)
	where.nameContains(f.NameContains)
	where.field("kinds", []string{"spec", "resource", "kind"}, f.Kinds)
	if len(f.Clusters) > 0 {
		if err := checkNames("clusters", f.Clusters); err != nil {
			where.fail(err)
		}
		where.add(placedIn(f.Clusters...))
	}
	return where.all, where.err
}

// ClusterBindings are the bindings of what Karmada placed in a member.
func (k *Kernel) ClusterBindings(ctx context.Context, c *model.Cluster, f *model.ResourceBindingFilter, opts ListOptions) (*model.ResourceBindingConnection, error) {
	where, err := bindingConditions(f)
	if err != nil {
		return nil, err
	}
	return k.bindingsOf(ctx, c, "bindings", opts, where, func(name string) pedia.Condition { return placedIn(name) })
}

// Evictions are the bindings whose objects are being moved away from a member.
func (k *Kernel) Evictions(ctx context.Context, c *model.Cluster, opts ListOptions) (*model.ResourceBindingConnection, error) {
	return k.bindingsOf(ctx, c, "evictions", opts, nil, func(name string) pedia.Condition {
		return pedia.FieldContains([]string{"spec", "gracefulEvictionTasks"}, []any{map[string]any{"fromCluster": name}})
	})
}

// bindingsOf reads a list of bindings that concern a member, together with those of all members of its batch.
func (k *Kernel) bindingsOf(ctx context.Context, c *model.Cluster, name string, opts ListOptions, where []pedia.Condition, concern func(string) pedia.Condition) (*model.ResourceBindingConnection, error) {
	return edge(k, batchUnless(c.Batch, opts), fmt.Sprintf("%s %+v %v", name, opts, where), c, func(clusters []*model.Cluster) (map[*model.Cluster]*model.ResourceBindingConnection, error) {
		return paging[*model.Cluster, *model.ResourceBinding]{
			name: name, of: (*model.Cluster).ID, decode: decodeInto[*model.ResourceBinding],
			parts: func(c *model.Cluster) ([]part, error) {
				rows, err := k.rowsIn(c.InstanceName, "", bindingResources, append(slices.Clone(where), concern(c.Name))...)
				if err != nil {
					return nil, err
				}
				return []part{rows}, nil
			},
		}.read(ctx, k, opts, clusters)
	})
}

// NamespacePolicies are the policies in a namespace of a control plane.
func (k *Kernel) NamespacePolicies(ctx context.Context, n *model.Namespace, opts ListOptions) (*model.PolicyConnection, error) {
	return related(ctx, k, n, "policies", opts, model.Members[*model.Namespace], decodeInto[model.Policy], func(n *model.Namespace) ([]part, error) {
		if n.Ref.Cluster != "" {
			return nil, nil
		}
		return k.nearby(n.Ref, namespacedPolicies, pedia.Namespaces(n.Ref.Name))
	})
}

// MemberEvents are the events of some members of an instance, the newest first.
func (k *Kernel) MemberEvents(ctx context.Context, instance string, f *model.EventFilter, opts ListOptions) (*model.KubernetesEventConnection, error) {
	where, err := eventConditions(f)
	if err != nil {
		return nil, err
	}
	if err := checkNames("clusters", f.Clusters); err != nil {
		return nil, err
	}
	rows := part{gvrs: eventResource, where: where}
	states := k.source.Fleet.ClusterStates(k.scope, instance)
	for _, name := range f.Clusters {
		if states != nil && states[name] == nil {
			continue // a filter by what is not there matches nothing
		}
		if err := k.source.Fleet.Synced(instance, name, eventResource[0]); err != nil {
			return nil, err
		}
		rows.clusters = append(rows.clusters, pedia.MemberCluster(instance, name))
	}
	if err := CheckPage(opts.Page); err != nil {
		return nil, err
	}
	var parts []part
	if len(rows.clusters) > 0 {
		parts = append(parts, rows)
	}
	return paging[string, *model.KubernetesEvent]{
		name: "events of members", of: func(s string) string { return s }, decode: decodeInto[*model.KubernetesEvent], sorting: newestFirst,
	}.one(ctx, k, opts, fmt.Sprint(instance, " ", f.Clusters), parts)
}
