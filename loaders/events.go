package loaders

import (
	"context"
	"fmt"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

var eventsAt = newListAt("events", decodeInto[*model.KubernetesEvent])

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
	states := k.clusterStates(instance)
	for _, name := range f.Clusters {
		if states != nil && states[name] == nil {
			continue // a filter for an unknown cluster matches nothing
		}
		if err := k.source.Fleet.Synced(instance, name, eventResource[0]); err != nil {
			return nil, err
		}
		rows.clusters = append(rows.clusters, pediacluster.OfMember(instance, name))
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

func eventConditions(f *model.EventFilter) ([]sql.Condition, error) {
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
		where.add(sql.Field([]string{"type"}, types...))
	}
	where.field("reasons", []string{"reason"}, f.Reasons)
	where.field("regardingKinds", []string{"involvedObject", "kind"}, f.RegardingKinds)
	if f.Since != nil {
		where.add(sql.SeenSince(*f.Since))
	}
	return where.all, where.err
}

var eventTypes = map[model.EventType]string{model.EventNormal: "Normal", model.EventWarning: "Warning", model.EventTypeUnknown: ""}

// newestFirst is the order of events.
var newestFirst = sorting{order: sql.ByLastSeen, descending: true}

// Events are the events about an object; of a template also those about its binding.
func (k *Loaders) Events(ctx context.Context, o *model.Object, opts ListOptions) (*model.KubernetesEventConnection, error) {
	return eventsOf.Of(ctx, k, k.Batch(o), opts, o)
}

var eventsOf = &edge[ListOptions, *model.Object, *model.KubernetesEventConnection]{
	From: objectsOf,
	Read: func(ctx context.Context, k *Loaders, opts ListOptions, objects []*model.Object) (map[*model.Object]*model.KubernetesEventConnection, error) {
		return paging[*model.Object, *model.KubernetesEvent]{
			name: "events", of: (*model.Object).ID, decode: decodeInto[*model.KubernetesEvent], sorting: newestFirst,
			parts: func(o *model.Object) ([]part, error) {
				if o.UID == "" {
					return nil, nil
				}
				uids := []string{o.UID}
				p, err := k.Propagation(ctx, o)
				if err != nil {
					return nil, err
				}
				if p != nil && p.Binding != nil {
					uids = append(uids, p.Binding.UID)
				}
				return k.nearby(o.Ref, eventResource, sql.Involving(uids...))
			},
		}.read(ctx, k, opts, objects)
	},
}

// EventObject is the object that an event is about; nil when it is gone.
func (k *Loaders) EventObject(ctx context.Context, e *model.KubernetesEvent) (model.KubernetesObject, error) {
	return eventObject.Of(ctx, k, k.Batch(e), batch.None{}, e)
}

var eventObject = toOne[*model.KubernetesEvent, model.KubernetesObject](batch.Members[*model.KubernetesEvent], func(e *model.KubernetesEvent) model.Ref {
	return reference(&e.Object, e.Regarding)
})
