package loaders

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/timeline"
	"github.com/kairship-io/kairship/loaders/batch"
)

// timelinePods is of how many pods the events are told.
const timelinePods = 200

// TimelineAsked is a page of a timeline as far as its sources need to know.
type TimelineAsked struct {
	// Since and Until bound it, both included; zero is no bound.
	Since, Until time.Time
	// Limit is how many of a source at most, the newest first.
	Limit int
}

// Story is what the fleet tells of an object.
type Story struct {
	// Entries are in no order; all within the bounds but for events, of which they are the newest.
	Entries []*model.TimelineEntry
	// More says that there are older events.
	More bool
	// Errors are those of single sources.
	Errors []error
}

// Timeline is what the fleet tells of an object; the workload is nil for other objects.
func (k *Loaders) Timeline(ctx context.Context, o *model.Object, w *model.WorkloadMeta, asked TimelineAsked) Story {
	t := Story{}
	failed := func(err error) {
		if err != nil {
			t.Errors = append(t.Errors, err)
		}
	}
	t.Entries = append(t.Entries, timeline.OfObject(o)...)
	if w != nil {
		revisions, err := k.Revisions(ctx, w)
		failed(err)
		t.Entries = append(t.Entries, timeline.OfRevisions(revisions)...)
	}
	p, err := k.storyPropagation(ctx, o)
	failed(err)
	if p != nil {
		t.Entries = append(t.Entries, timeline.OfBinding(p.Binding)...)
		states := k.clusterStates(o.Ref.Instance)
		for _, target := range p.Targets {
			if c := states[target.ClusterName]; c != nil && k.scope.Whole(o.Ref.Instance) {
				t.Entries = append(t.Entries, timeline.OfCluster(c)...)
			}
		}
		members, err := k.Members(ctx, o)
		failed(err)
		for _, m := range members {
			t.Entries = append(t.Entries, timeline.OfObject(m.ObjectMeta())...)
		}
	}
	asked.Limit = min(asked.Limit, maxPage)
	events, err := storyEvents.Of(ctx, k, k.Batch(o), asked, o)
	failed(err)
	if events != nil {
		t.Entries = append(t.Entries, timeline.OfEvents(events.Nodes())...)
		t.More = events.PageInfo.HasNextPage
	}
	t.Entries = timeline.Within(t.Entries, asked.Since, asked.Until)
	return t
}

// PoliciesNamed are the policies that Karmada says it applied to an object, or took it from, for as long as events are kept: also those
// that are gone. The latest first; of the latest 200 events.
func (k *Loaders) PoliciesNamed(ctx context.Context, o *model.Object) ([]model.Ref, error) {
	events, err := policyEvents.Of(ctx, k, k.Batch(o), batch.None{}, o)
	if events == nil {
		return nil, err
	}
	return timeline.PoliciesNamed(events.Nodes(), o.Ref.Instance, o.Ref.Namespace), err
}

// policyEvents are the events about objects that name policies.
var policyEvents = &edge[batch.None, *model.Object, *model.KubernetesEventConnection]{
	From: objectsOf,
	Read: func(ctx context.Context, k *Loaders, _ batch.None, objects []*model.Object) (map[*model.Object]*model.KubernetesEventConnection, error) {
		return paging[*model.Object, *model.KubernetesEvent]{
			name: "events of policies", of: (*model.Object).ID, decode: decodeInto[*model.KubernetesEvent], sorting: newestFirst,
			parts: func(o *model.Object) ([]part, error) {
				if o.UID == "" || o.Ref.Cluster != "" || !k.mayList(o.Ref.Instance, eventResource[0]) {
					return nil, nil
				}
				return k.nearby(o.Ref, eventResource, sql.Involving(o.UID), sql.Field([]string{"reason"}, timeline.PolicyReasons...))
			},
		}.read(ctx, k, ListOptions{Page: model.Page{First: maxPage}}, objects)
	},
}

// storyPropagation is the propagation of a template; nil for what has none.
func (k *Loaders) storyPropagation(ctx context.Context, o *model.Object) (*model.Propagation, error) {
	if o.Ref.Cluster != "" {
		return nil, nil //nolint:nilnil // a member's object has none
	}
	return k.Propagation(ctx, o)
}

// storyEvents are the newest events about objects, about their bindings, about what was made of them in members, about their pods, and
// about how the members are.
var storyEvents = &edge[TimelineAsked, *model.Object, *model.KubernetesEventConnection]{
	From: objectsOf,
	Read: func(ctx context.Context, k *Loaders, asked TimelineAsked, objects []*model.Object) (map[*model.Object]*model.KubernetesEventConnection, error) {
		about := map[*model.Object]regarded{}
		for _, o := range objects {
			about[o] = k.regarded(ctx, o)
		}
		var when []sql.Condition
		if !asked.Since.IsZero() {
			when = append(when, sql.SeenSince(asked.Since))
		}
		if !asked.Until.IsZero() {
			when = append(when, sql.SeenUntil(asked.Until))
		}
		found, err := paging[*model.Object, *model.KubernetesEvent]{
			name: "timeline", of: (*model.Object).ID, decode: decodeInto[*model.KubernetesEvent], sorting: newestFirst,
			parts: func(o *model.Object) ([]part, error) {
				if len(about[o]) == 0 || !k.mayList(o.Ref.Instance, eventResource[0]) {
					return nil, nil
				}
				rows := part{gvrs: eventResource}
				var uids []string
				for _, cluster := range slices.Sorted(maps.Keys(about[o])) {
					if k.holds(&rows, o.Ref.Instance, cluster) {
						uids = append(uids, about[o][cluster]...)
					}
				}
				rows.where = append(slices.Clone(when), sql.Involving(uids...))
				parts, err := rows.ifAny()
				if members := k.storyMembers(ctx, o); len(members) > 0 && err == nil {
					ofMembers := part{gvrs: eventResource, where: append(slices.Clone(when), sql.Involving(members...), sql.Field([]string{"reason"}, timeline.MemberReasons...))}
					if k.holds(&ofMembers, o.Ref.Instance, "") {
						parts = append(parts, ofMembers)
					}
				}
				return parts, err
			},
		}.read(ctx, k, ListOptions{Page: model.Page{First: asked.Limit}}, objects)
		return found, err
	},
}

// storyMembers are the uids of the members that an object is in, in Karmada; none for those who may not see all of the instance.
func (k *Loaders) storyMembers(ctx context.Context, o *model.Object) (uids []string) {
	p, _ := k.storyPropagation(ctx, o)
	if p == nil || !k.scope.Whole(o.Ref.Instance) {
		return nil
	}
	states := k.clusterStates(o.Ref.Instance)
	for _, target := range p.Targets {
		if c := states[target.ClusterName]; c != nil && c.UID != "" {
			uids = append(uids, c.UID)
		}
	}
	return uids
}

// regarded are uids by cluster; those of the control plane by the empty name.
type regarded map[string][]string

func (r regarded) add(cluster, uid string) {
	if uid != "" && !slices.Contains(r[cluster], uid) {
		r[cluster] = append(r[cluster], uid)
	}
}

// regarded is what events are told of for an object. What could not be read is left out: its error is that of the events, which
// are read from the same store, or was told by Timeline.
func (k *Loaders) regarded(ctx context.Context, o *model.Object) regarded {
	out := regarded{}
	out.add(o.Ref.Cluster, o.UID)
	p, _ := k.storyPropagation(ctx, o)
	if p != nil {
		if p.Binding != nil {
			out.add("", p.Binding.UID)
		}
		members, _ := k.Members(ctx, o)
		for _, m := range members {
			out.add(m.Ref.Cluster, m.UID)
		}
	}
	b := k.Batch(o)
	if b == nil {
		return out
	}
	for _, w := range workloadMetas(b) {
		if &w.Object != o {
			continue
		}
		pods, _ := k.Pods(ctx, w, nil, ListOptions{Page: model.Page{First: timelinePods}})
		if pods == nil {
			continue
		}
		for _, pod := range pods.Nodes() {
			out.add(pod.Ref.Cluster, pod.UID)
			for _, owner := range pod.Owners {
				out.add(pod.Ref.Cluster, owner.UID)
			}
		}
	}
	return out
}

// CursorValue is the value of the row at a cursor of PageOf; empty for the first page.
func CursorValue[T any](name, of, after string, order Sorted[T]) (string, error) {
	if after == "" {
		return "", nil
	}
	f, err := list{name, of + order.By}.parse(after, 2)
	if err != nil {
		return "", err
	}
	return f[0], nil
}
