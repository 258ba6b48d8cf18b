package access

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/instance/connection"
)

// view is what a Karmada has: what its watches tell, and what was written there a moment ago, of which
// they have not told yet. Without the latter a permission that is taken away as soon as it was given
// would count as gone before it had been seen.
type view struct {
	conn    *connection.Connection
	written map[*connection.Watch]map[string]written
	// guard is what was found out over this connection.
	guard *guard
}

// lag is how long a watch is given to tell of a write. An object that was made and then deleted by
// somebody else in between looks like one that has not been told of yet.
const lag = 2 * time.Second

// written is a write that the watch may not have told of.
type written struct {
	// before is the version that the watch told of when it was made.
	before string
	// after is the object then; nil when it was deleted.
	after *held
	// at is a reading of the machine's own clock: it measures how long another machine took.
	at time.Time
}

// knows says whether a watch has told what there is.
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

// note remembers a write; after is nil when the object was deleted.
func (v view) note(w *connection.Watch, namespace, name string, after *held) {
	told, _ := v.conn.Get(w, namespace, name).(*held)
	if v.written[w] == nil {
		v.written[w] = map[string]written{}
	}
	v.written[w][namespace+"/"+name] = written{before: version(told), after: after, at: time.Now()}
}

// settled says whether the watches have told of every write.
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
