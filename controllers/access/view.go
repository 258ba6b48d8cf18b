package access

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/instance/connection"
)

// view is the state of a Karmada: what its watches show, and recent writes that they do not show yet. Without the
// latter a permission that is revoked as soon as it was granted would count as gone before the watch showed it.
type view struct {
	conn    *connection.Connection
	written map[*connection.Watch]map[string]written
	// guard is what was found out over this connection.
	guard *guard
}

// lag is how long a watch may take to show a write. An object that was made and then deleted by somebody else in
// between looks like one that is not shown yet.
const lag = 2 * time.Second

// written is a write that the watch may not show yet.
type written struct {
	// before is the version that the watch showed at the time of the write.
	before string
	// after is the object after the write; nil when it was deleted.
	after *held
	// at is real time, whatever the controller's clock: it measures how long another machine takes.
	at time.Time
}

// knows reports whether a watch has synced.
func (v view) knows(w *connection.Watch) bool { return v.conn.State(w).Synced }

// get is one object; nil when there is none.
func (v view) get(w *connection.Watch, namespace, name string) *held {
	told, _ := v.conn.Get(w, namespace, name).(*held)
	key := namespace + "/" + name
	if entry, ok := v.written[w][key]; ok {
		if version(told) == entry.before && time.Since(entry.at) < lag {
			return entry.after
		}
		delete(v.written[w], key)
	}
	return told
}

// list is every object of a watch, by namespace and name.
func (v view) list(w *connection.Watch) []*held {
	seen := map[string]*held{}
	for _, o := range v.conn.List(w) {
		seen[o.GetNamespace()+"/"+o.GetName()] = v.get(w, o.GetNamespace(), o.GetName())
	}
	for key, entry := range v.written[w] {
		if _, ok := seen[key]; !ok && entry.after != nil {
			seen[key] = v.get(w, entry.after.Namespace, entry.after.Name)
		}
	}
	out := slices.DeleteFunc(slices.Collect(maps.Values(seen)), func(h *held) bool { return h == nil })
	slices.SortFunc(out, func(a, b *held) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// note records a write; after is nil when the object was deleted.
func (v view) note(w *connection.Watch, namespace, name string, after *held) {
	told, _ := v.conn.Get(w, namespace, name).(*held)
	if v.written[w] == nil {
		v.written[w] = map[string]written{}
	}
	v.written[w][namespace+"/"+name] = written{before: version(told), after: after, at: time.Now()}
}

// settled reports whether the watches show every write.
func (v view) settled() bool {
	for w, entries := range v.written {
		for key := range entries {
			namespace, name, _ := strings.Cut(key, "/")
			v.get(w, namespace, name)
		}
		if len(entries) > 0 {
			return false
		}
	}
	return true
}

func version(h *held) string {
	if h == nil {
		return ""
	}
	return h.ResourceVersion
}
