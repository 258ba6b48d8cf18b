package loaders

import (
	"context"
	"slices"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
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

// Timeline is what the fleet tells of an object, in no order; all of it within the bounds but for events, of which it is the newest. Errors
// are those of single sources.
func (k *Loaders) Timeline(ctx context.Context, o *model.Object, w *model.WorkloadMeta, asked TimelineAsked) ([]*model.TimelineEntry, []error) {
	t := story{k: k, uids: map[string][]string{}}
	t.entries = append(t.entries, timeline.OfObject(o)...)
	t.regard(o.Ref.Cluster, o.UID)
	var p *model.Propagation
	if o.Ref.Cluster == "" {
		p = t.propagation(ctx, o)
	}
	if w != nil {
		revisions, err := k.Revisions(ctx, w)
		t.failed(err)
		t.entries = append(t.entries, timeline.OfRevisions(revisions)...)
		pods, err := k.Pods(ctx, w, nil, ListOptions{Page: model.Page{First: timelinePods}})
		if t.failed(err); pods != nil {
			for _, pod := range pods.Nodes() {
				t.regard(pod.Ref.Cluster, pod.UID)
				for _, owner := range pod.Owners {
					t.regard(pod.Ref.Cluster, owner.UID)
				}
			}
		}
	}
	if p != nil {
		t.members(ctx, o)
	}
	events, err := k.eventsAbout(ctx, o, t.uids, asked)
	t.failed(err)
	t.entries = append(t.entries, timeline.OfEvents(events)...)
	return timeline.Within(t.entries, asked.Since, asked.Until), t.errs
}

// story is a timeline being gathered.
type story struct {
	k       *Loaders
	entries []*model.TimelineEntry
	errs    []error
	// uids are the objects that events are told of, by cluster; of the control plane by the empty name.
	uids map[string][]string
}

// failed records a source that failed, unless another field has reported it.
func (t *story) failed(err error) {
	if err != nil {
		t.errs = append(t.errs, err)
	}
}

func (t *story) regard(cluster, uid string) {
	if uid != "" && !slices.Contains(t.uids[cluster], uid) {
		t.uids[cluster] = append(t.uids[cluster], uid)
	}
}

// propagation tells of the binding and of the members that it leads to.
func (t *story) propagation(ctx context.Context, o *model.Object) *model.Propagation {
	p, err := t.k.Propagation(ctx, o)
	t.failed(err)
	if p == nil {
		return nil
	}
	t.entries = append(t.entries, timeline.OfBinding(p.Binding)...)
	if p.Binding != nil {
		t.regard("", p.Binding.UID)
	}
	states := t.k.clusterStates(o.Ref.Instance)
	for _, target := range p.Targets {
		if c := states[target.ClusterName]; c != nil && t.k.scope.Whole(o.Ref.Instance) {
			t.entries = append(t.entries, timeline.OfCluster(c)...)
		}
	}
	return p
}

// members tells of the objects that were made in members.
func (t *story) members(ctx context.Context, o *model.Object) {
	found, err := t.k.Members(ctx, o)
	t.failed(err)
	for _, m := range found {
		t.entries = append(t.entries, timeline.OfObject(m.ObjectMeta())...)
		t.regard(m.Ref.Cluster, m.UID)
	}
}

// eventsAbout is the newest events about some objects, in one request, whatever clusters they are in.
func (k *Loaders) eventsAbout(ctx context.Context, o *model.Object, uids map[string][]string, asked TimelineAsked) ([]*model.KubernetesEvent, error) {
	q := sql.Query{Scope: k.scope, GVRs: eventResource, Order: sql.ByLastSeen, Descending: true, Limit: asked.Limit}
	var all []string
	var missing error
	for cluster, of := range uids {
		if err := k.source.Fleet.Synced(o.Ref.Instance, cluster, eventResource[0]); err != nil {
			missing = err
			continue
		}
		q.Clusters, all = append(q.Clusters, pediacluster.Name(o.Ref.Instance, cluster)), append(all, of...)
	}
	if len(q.Clusters) == 0 || len(all) == 0 || !k.mayList(o.Ref.Instance, eventResource[0]) {
		return nil, missing
	}
	slices.Sort(q.Clusters)
	slices.Sort(all)
	q.Where = []sql.Condition{sql.Involving(all...)}
	if !asked.Since.IsZero() {
		q.Where = append(q.Where, sql.SeenSince(asked.Since))
	}
	if !asked.Until.IsZero() {
		// Times of events are texts of whole seconds or with a fraction: the next second is beyond all of them.
		q.After = &sql.Position{At: asked.Until.Add(time.Second).UTC().Format(time.RFC3339), Key: sql.Key{Cluster: q.Clusters[len(q.Clusters)-1], GVR: eventResource[0]}}
	}
	list, err := pedia.Fetch(ctx, k.source.Store, q, decodeInto[*model.KubernetesEvent])
	if err != nil {
		return nil, err
	}
	batch.Join(k.Operation, list.Rows)
	return list.Rows, batch.Lacking(missing)
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
