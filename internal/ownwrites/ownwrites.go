// Package ownwrites remembers for a while what people have written to Karmada, as Karmada answered: the read store and the shared
// watches lag behind it, and nobody is to see an older version of an object than the one that they just made.
//
// It is memory of one process and of each person's own writes only: nobody gets an object from here that somebody else wrote.
// It does not know who reads what; readers check what may be seen, as of anything else.
package ownwrites

import (
	"container/list"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// Limits of what is remembered. What does not fit is forgotten, the oldest first.
const (
	// maxAge is how long a write is remembered that the read store was not seen to have.
	maxAge = 5 * time.Minute
	// settledAge is how long it is remembered after that: another source of the read store may lag behind the first.
	settledAge = time.Minute
	// newAge is how long an object that the read store does not have is taken for one that it does not have yet. After that it is one that
	// somebody deleted.
	newAge = time.Minute
	// unorderedAge is how long a write is remembered whose version cannot be compared with others.
	unorderedAge = 10 * time.Second

	// personObjects and personBytes bound what is remembered of one person, maxObjects and maxBytes of all.
	personObjects = 1000
	personBytes   = 16 << 20
	maxObjects    = 50_000
	maxBytes      = 256 << 20
)

// Write is the last write of a person to an object. It is not changed after it was made, but for what Settled tells.
type Write struct {
	// Ref is the object; its kind is Cluster, or one of the catalogue that the read store keeps of control planes.
	Ref model.Ref
	// Raw is the object as JSON; nil for one that was deleted.
	Raw []byte

	uid     string
	version string
	// order is the version as a number; 0 when it is none, or of a deleted object was never known.
	order uint64
	at    time.Time
	// young says that the object was made a moment before: the read store may not have it.
	young bool

	mu      sync.Mutex
	settled time.Time
}

// head is what is read of an object.
type head struct {
	Metadata struct {
		UID               string     `json:"uid"`
		ResourceVersion   string     `json:"resourceVersion"`
		CreationTimestamp time.Time  `json:"creationTimestamp"`
		DeletionTimestamp *time.Time `json:"deletionTimestamp"`
	} `json:"metadata"`
}

// Version is what tells one version of an object from another one.
type Version struct{ UID, ResourceVersion string }

// Outdates reports whether the object is older in a version than it was when it was written. Versions of one API server are numbers that
// grow with each write, whatever the object (Kubernetes says so of all that etcd stores); one that is no number differs or does not.
func (w *Write) Outdates(v Version) bool {
	order := orderOf(v.ResourceVersion)
	switch {
	case w.Raw == nil && v.UID == w.uid:
		return true
	case w.order == 0 || order == 0:
		return w.Raw != nil && v.ResourceVersion != w.version
	}
	return order < w.order
}

// Young reports whether the object may be missing in the read store because it is new. It is not any more when the store was seen to have
// it, or some time has passed.
func (w *Write) Young(now time.Time) bool {
	return w.Raw != nil && w.young && now.Sub(w.at) < newAge && !w.Settled()
}

// Settle records that the read store was seen to have caught up.
func (w *Write) Settle(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.settled.IsZero() {
		w.settled = now
	}
}

// Settled reports whether the read store was seen to have caught up.
func (w *Write) Settled() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.settled.IsZero()
}

// over reports whether the write need not be remembered any longer.
func (w *Write) over(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Raw != nil && w.order == 0 && now.Sub(w.at) >= unorderedAge {
		return true
	}
	return now.Sub(w.at) >= maxAge || !w.settled.IsZero() && now.Sub(w.settled) >= settledAge
}

func orderOf(version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Log remembers the writes. A nil one remembers nothing.
type Log struct {
	clock clock.PassiveClock
	// any is how many writes are remembered, so that readers pay nothing while there are none.
	any atomic.Int64

	mu     sync.Mutex
	people map[string]*person
	// all is the writes of everybody, the oldest first.
	all   *list.List
	bytes int
}

// person is what is remembered of one.
type person struct {
	name   string
	writes map[model.Ref]*list.Element
	bytes  int
}

// entry is an element of all.
type entry struct {
	of *person
	*Write
}

// New makes a Log. The clock is for tests; nil is the real one.
func New(c clock.PassiveClock) *Log {
	if c == nil {
		c = clock.RealClock{}
	}
	return &Log{clock: c, people: map[string]*person{}, all: list.New()}
}

// clusterKind is the kind of members of a Karmada, which people read from watches.
var clusterKind = schema.GroupKind{Group: "cluster.karmada.io", Kind: "Cluster"}

// lags reports whether people are shown an object from what may be behind Karmada: the read store or a watch.
func lags(ref model.Ref) bool {
	known := catalog.ByGVK(ref.GVK)
	return ref.Cluster == "" && (ref.GVK.GroupKind() == clusterKind || known != nil && known.KeptIn(""))
}

// Wrote remembers an object as Karmada answered the person's write. Kinds that are read from Karmada itself are not remembered,
// Secrets among them.
func (l *Log) Wrote(who string, ref model.Ref, raw []byte) {
	var h head
	if l == nil || !lags(ref) || jsonv2.Unmarshal(raw, &h) != nil || h.Metadata.ResourceVersion == "" {
		return
	}
	now := l.clock.Now()
	w := &Write{Ref: ref, Raw: append([]byte{}, raw...), uid: h.Metadata.UID, version: h.Metadata.ResourceVersion,
		order: orderOf(h.Metadata.ResourceVersion), at: now,
		// One that is being deleted may be gone at any time.
		young: now.Sub(h.Metadata.CreationTimestamp) < newAge && h.Metadata.DeletionTimestamp == nil}
	l.add(who, w)
}

// Deleted remembers that the person deleted an object. The uid is empty where it is not known.
func (l *Log) Deleted(who string, ref model.Ref, uid string) {
	if l == nil || !lags(ref) {
		return
	}
	l.add(who, &Write{Ref: ref, uid: uid, at: l.clock.Now()})
}

func (l *Log) add(who string, w *Write) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.people[who]; p != nil && p.writes[w.Ref] != nil {
		before := p.writes[w.Ref]
		old := before.Value.(entry).Write //nolint:forcetypeassert // all holds nothing else
		if w.Raw != nil && old.order > w.order && w.order != 0 {
			return // answers of two writes at once, in the other order
		}
		if w.Raw == nil {
			w.order = old.order // what is older than what was deleted is older than its deletion
			if w.uid == "" {
				w.uid = old.uid
			}
		}
		if old.Settled() && old.uid == w.uid {
			w.young = false // the read store had it
		}
		l.drop(before)
	}
	if w.Raw == nil && w.uid == "" {
		return // nothing tells it from another object of that name
	}
	p := l.people[who]
	if p == nil {
		p = &person{name: who, writes: map[model.Ref]*list.Element{}}
		l.people[who] = p
	}
	p.writes[w.Ref] = l.all.PushBack(entry{p, w})
	p.bytes += len(w.Raw)
	l.bytes += len(w.Raw)
	l.any.Add(1)
	for first := l.all.Front(); first != nil && (l.all.Len() > maxObjects || l.bytes > maxBytes || first.Value.(entry).over(w.at)); first = l.all.Front() {
		l.drop(first)
	}
	for e := l.all.Front(); e != nil && (len(p.writes) > personObjects || p.bytes > personBytes); {
		next := e.Next()
		if e.Value.(entry).of == p {
			l.drop(e)
		}
		e = next
	}
}

// drop forgets a write.
func (l *Log) drop(e *list.Element) {
	dropped := l.all.Remove(e).(entry) //nolint:forcetypeassert // all holds nothing else
	p := dropped.of
	delete(p.writes, dropped.Ref)
	p.bytes -= len(dropped.Raw)
	l.bytes -= len(dropped.Raw)
	l.any.Add(-1)
	if len(p.writes) == 0 {
		delete(l.people, p.name)
	}
}

// Of returns what is remembered of a person that some filter wants, in no order.
func (l *Log) Of(who string, want func(model.Ref) bool) []*Write {
	if l == nil || l.any.Load() == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.people[who]
	if p == nil {
		return nil
	}
	now := l.clock.Now()
	var out []*Write
	for ref, e := range p.writes {
		w := e.Value.(entry).Write //nolint:forcetypeassert // all holds nothing else
		switch {
		case w.over(now):
			l.drop(e)
		case want(ref):
			out = append(out, w)
		}
	}
	return out
}

// Outdated reports whether a person wrote a newer version of an object than this one, or deleted it.
func (l *Log) Outdated(who string, ref model.Ref, v Version) bool {
	w := l.last(who, ref)
	return w != nil && w.Outdates(v)
}

func (l *Log) last(who string, ref model.Ref) *Write {
	if l == nil || l.any.Load() == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.people[who]
	if p == nil || p.writes[ref] == nil {
		return nil
	}
	w := p.writes[ref].Value.(entry).Write //nolint:forcetypeassert // all holds nothing else
	if w.over(l.clock.Now()) {
		l.drop(p.writes[ref])
		return nil
	}
	return w
}

// Newer returns what a person wrote of an object when that is newer than the version, or there is none (nil) and the object is new:
// the object as JSON, or nil when they deleted it.
func (l *Log) Newer(who string, ref model.Ref, v *Version) (raw []byte, newer bool) {
	w := l.last(who, ref)
	if w == nil || v == nil && !w.Young(l.clock.Now()) || v != nil && !w.Outdates(*v) {
		return nil, false
	}
	return w.Raw, true
}

// Gone tells that an object was deleted, in the version that the deletion gave it: who made it a moment before is not shown it as one that the
// read store does not have yet.
func (l *Log) Gone(ref model.Ref, v Version) {
	if l == nil || l.any.Load() == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.people {
		if e := p.writes[ref]; e != nil {
			if w := e.Value.(entry).Write; w.uid == v.UID && w.order <= orderOf(v.ResourceVersion) { //nolint:forcetypeassert // all holds nothing else
				w.Settle(l.clock.Now())
			}
		}
	}
}

// Now is the time by the log's clock.
func (l *Log) Now() time.Time { return l.clock.Now() }
