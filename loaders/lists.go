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

// rowsAsked is a list of a place: the rows of some kinds that meet all conditions, in an order.
type rowsAsked struct {
	ListOptions
	gvrs  []schema.GroupVersionResource
	where []pedia.Condition
	order sorting
}

// listAt is an edge from places to their lists.
type listAt[T model.KubernetesObject] struct {
	edge[rowsAsked, Place, *model.Connection[T]]
}

// newListAt makes an edge whose lists, and their cursors, have a name.
func newListAt[T model.KubernetesObject](name string, decode pedia.Decode[T]) *listAt[T] {
	return &listAt[T]{edge[rowsAsked, Place, *model.Connection[T]]{
		from: placesOf,
		read: func(ctx context.Context, k *Loaders, asked rowsAsked, places []Place) (map[Place]*model.Connection[T], error) {
			return listsAt(ctx, k, name, asked, places, decode)
		},
	}}
}

// listsAt reads one list of each of some places.
func listsAt[T model.KubernetesObject](ctx context.Context, k *Loaders, name string, asked rowsAsked, places []Place, decode pedia.Decode[T]) (map[Place]*model.Connection[T], error) {
	return paging[Place, T]{
		name: name, of: Place.id, sorting: asked.order, decode: decode,
		parts: func(p Place) ([]part, error) {
			rows, err := k.rowsIn(p.Instance, p.cluster(), asked.gvrs, asked.where...)
			if err != nil {
				return nil, err
			}
			return []part{rows}, nil
		},
	}.read(ctx, k, asked.ListOptions, places)
}

func (l *listAt[T]) at(ctx context.Context, k *Loaders, at Place, asked rowsAsked) (*model.Connection[T], error) {
	return l.of(ctx, k, at.batch(), asked, at)
}

func (p Place) batch() *model.Batch {
	if p.Member == nil {
		return nil
	}
	return p.Member.Batch
}

// The lists of places.
var (
	nodesAt      = newListAt("nodes", decodeInto[*model.ClusterNode])
	podsAt       = newListAt("pods", decodeInto[*model.Pod])
	namespacesAt = newListAt("namespaces", decodeInto[*model.Namespace])
	eventsAt     = newListAt("events", decodeInto[*model.KubernetesEvent])
	bindingsAt   = newListAt("bindings", decodeInto[*model.ResourceBinding])
	policiesAt   = newListAt("policies", decodeInto[model.Policy])
	workloadsAt  = newListAt("workloads", decodeInto[model.Workload])
)

func placesOf(b *model.Batch) []Place {
	var out []Place
	for _, c := range model.Members[*model.Cluster](b) {
		out = append(out, Place{c.InstanceName, c})
	}
	return out
}

// Nodes are the nodes of a member, by name.
func (k *Loaders) Nodes(ctx context.Context, c *model.Cluster, opts ListOptions) (*model.ClusterNodeConnection, error) {
	return nodesAt.at(ctx, k, Place{c.InstanceName, c}, rowsAsked{ListOptions: opts, gvrs: nodeResource})
}

// MemberPods are the pods of a member.
func (k *Loaders) MemberPods(ctx context.Context, c *model.Cluster, f *model.PodFilter, opts ListOptions) (*model.PodConnection, error) {
	where, err := podConditions(f)
	if err != nil {
		return nil, err
	}
	if f != nil && len(f.Clusters) > 0 {
		return nil, model.BadInput("clusters", "may be given where pods of several clusters are listed; this list is of cluster %q", c.Name)
	}
	return podsAt.at(ctx, k, Place{c.InstanceName, c}, rowsAsked{ListOptions: opts, gvrs: podResource, where: where})
}

// Namespaces are the namespaces of a place.
func (k *Loaders) Namespaces(ctx context.Context, at Place, f *model.NamespaceFilter, by *model.NamespaceOrder, opts ListOptions) (*model.NamespaceConnection, error) {
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
	return namespacesAt.at(ctx, k, at, rowsAsked{opts, namespaceResource, where.all, order})
}

// PlaceEvents are the events of a place, the newest first.
func (k *Loaders) PlaceEvents(ctx context.Context, at Place, f *model.EventFilter, opts ListOptions) (*model.KubernetesEventConnection, error) {
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
	return eventsAt.at(ctx, k, at, rowsAsked{opts, eventResource, where, newestFirst})
}

// Bindings are the bindings of an instance: all, or those that concern one member.
func (k *Loaders) Bindings(ctx context.Context, instance string, f *model.ResourceBindingFilter, opts ListOptions) (*model.ResourceBindingConnection, error) {
	where, err := bindingConditions(f)
	if err != nil {
		return nil, err
	}
	return bindingsAt.at(ctx, k, Place{Instance: instance}, rowsAsked{ListOptions: opts, gvrs: bindingResources, where: where})
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
func (k *Loaders) ClusterBindings(ctx context.Context, c *model.Cluster, f *model.ResourceBindingFilter, opts ListOptions) (*model.ResourceBindingConnection, error) {
	where, err := bindingConditions(f)
	if err != nil {
		return nil, err
	}
	return clusterBindings.of(ctx, k, c.Batch, bindingsAsked{opts, where}, c)
}

// Evictions are the bindings whose objects are being moved away from a member.
func (k *Loaders) Evictions(ctx context.Context, c *model.Cluster, opts ListOptions) (*model.ResourceBindingConnection, error) {
	return evictions.of(ctx, k, c.Batch, bindingsAsked{ListOptions: opts}, c)
}

// bindingsAsked is a list of bindings.
type bindingsAsked struct {
	ListOptions
	where []pedia.Condition
}

var (
	clusterBindings = bindingsOf("bindings", func(name string) pedia.Condition { return placedIn(name) })
	evictions       = bindingsOf("evictions", func(name string) pedia.Condition {
		return pedia.FieldContains([]string{"spec", "gracefulEvictionTasks"}, []any{map[string]any{"fromCluster": name}})
	})
)

// bindingsOf is an edge from members to the bindings that concern them.
func bindingsOf(name string, concern func(string) pedia.Condition) *edge[bindingsAsked, *model.Cluster, *model.ResourceBindingConnection] {
	return &edge[bindingsAsked, *model.Cluster, *model.ResourceBindingConnection]{
		from: model.Members[*model.Cluster],
		read: func(ctx context.Context, k *Loaders, asked bindingsAsked, clusters []*model.Cluster) (map[*model.Cluster]*model.ResourceBindingConnection, error) {
			return paging[*model.Cluster, *model.ResourceBinding]{
				name: name, of: (*model.Cluster).ID, decode: decodeInto[*model.ResourceBinding],
				parts: func(c *model.Cluster) ([]part, error) {
					rows, err := k.rowsIn(c.InstanceName, "", bindingResources, append(slices.Clone(asked.where), concern(c.Name))...)
					if err != nil {
						return nil, err
					}
					return []part{rows}, nil
				},
			}.read(ctx, k, asked.ListOptions, clusters)
		},
	}
}

// NamespacePolicies are the policies in a namespace of a control plane.
func (k *Loaders) NamespacePolicies(ctx context.Context, n *model.Namespace, opts ListOptions) (*model.PolicyConnection, error) {
	return namespacePolicies.of(ctx, k, n.Batch, opts, n)
}

var namespacePolicies = related("policies", model.Members[*model.Namespace], decodeInto[model.Policy], func(_ context.Context, k *Loaders, n *model.Namespace) ([]part, error) {
	if n.Ref.Cluster != "" {
		return nil, nil
	}
	return k.nearby(n.Ref, namespacedPolicies, pedia.Namespaces(n.Ref.Name))
})

// MemberEvents are the events of some members of an instance, the newest first.
func (k *Loaders) MemberEvents(ctx context.Context, instance string, f *model.EventFilter, opts ListOptions) (*model.KubernetesEventConnection, error) {
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
