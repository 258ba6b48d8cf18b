package live

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// buffer holds what one subscriber has yet to be sent: at most one entry an object, the newest. A slow reader therefore
// loses intermediate states and never the last one. The buffer knows what the reader holds, so the type of a change is
// decided when it is sent and not when it arrives: an object that came and went meanwhile is never mentioned, and a
// delete is never lost.
//
// When more objects wait than the limit allows, everything waiting is dropped and the stream begins again with RESYNC:
// the caller, who owns the objects, calls restart.
type buffer[K comparable, T any] struct {
	limit  int
	wake   chan struct{} // capacity 1: something may be waiting
	onLoss func()
	// outdated reports that a newer state is sure to come, so that this one is not sent; nil for never.
	outdated func(T) bool

	mu      sync.Mutex
	order   []K
	waiting map[K]entry[T]
	held    map[K]T // as last sent
	// lately was sent within the interval, and resting are those of order that were and therefore wait for a later burst: they are older than the rest of it.
	lately  lately[K]
	resting []K
	// snapshot is how many leading entries of order belong to the snapshot.
	snapshot int
	phase    phase
	// newest is the number of the last change that was put, whether or not it is for this reader; see readers.
	newest int64
}

type entry[T any] struct {
	value  T
	exists bool
	at     time.Time
	// since is the number of the first change that waits here: those before it were sent.
	since int64
}

type phase int

const (
	// phaseSnapshot: the leading entries are SNAPSHOTs, and SYNCED has yet to be sent.
	phaseSnapshot phase = iota
	// phaseChanges: SYNCED was sent.
	phaseChanges
	// phaseLost: RESYNC has yet to be sent, and nothing before it is worth keeping.
	phaseLost
)

// change is what leaves a buffer.
type change[K comparable, T any] struct {
	kind model.ChangeType
	// key and value are not set for SYNCED and RESYNC.
	key   K
	value T
	at    time.Time
	// sent is the number up to which the reader has all changes with this one; 0 while it has not been sent everything.
	sent int64
}

// shared reports whether others are told the same change: a snapshot is one subscriber's.
func (c change[K, T]) shared() bool {
	return c.kind == model.ChangeAdded || c.kind == model.ChangeModified || c.kind == model.ChangeDeleted
}

// newBuffer makes a buffer whose reader is sent no object twice within an interval.
func newBuffer[K comparable, T any](limit int, interval time.Duration, onLoss func()) *buffer[K, T] {
	return &buffer[K, T]{
		limit: limit, onLoss: onLoss, wake: make(chan struct{}, 1), lately: lately[K]{interval: interval},
		waiting: map[K]entry[T]{}, held: map[K]T{},
	}
}

// restart begins a snapshot of everything that exists.
func (b *buffer[K, T]) restart(keys []K, values []T, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.order, b.snapshot, b.phase = keys, len(keys), phaseSnapshot
	b.waiting = make(map[K]entry[T], len(keys))
	for i, k := range keys {
		b.waiting[k] = entry[T]{value: values[i], exists: true, at: at}
	}
	b.signal()
}

// resume begins with what has changed, and what is gone, since the reader was sent the rest; number is that of the last change.
func (b *buffer[K, T]) resume(m missed[K, T], number int64, compare func(a, b K) int, at time.Time) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(m.changed)), maps.Keys(m.gone))
	slices.SortFunc(keys, compare)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.order, b.snapshot, b.phase, b.held = keys, len(keys), phaseSnapshot, m.held
	b.newest = number
	b.waiting = make(map[K]entry[T], len(keys))
	for _, k := range keys {
		value, exists := m.changed[k]
		if !exists {
			b.held[k] = m.gone[k]
		}
		b.waiting[k] = entry[T]{value: value, exists: exists, at: at}
	}
	b.signal()
}

// numbered says the number of the last change that there was when the stream began.
func (b *buffer[K, T]) numbered(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.newest = n
}

// put takes the newest state of an object; exists is false when it is gone or does not match this reader. It reports
// whether it replaced an older state that had not been sent.
func (b *buffer[K, T]) put(key K, value T, exists bool, at time.Time) (coalesced bool) {
	return b.putNumbered(key, value, exists, at, 0)
}

// putNumbered is put for a change with a number.
func (b *buffer[K, T]) putNumbered(key K, value T, exists bool, at time.Time, number int64) (coalesced bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.newest = max(b.newest, number)
	if b.phase == phaseLost {
		return false
	}
	if was, ok := b.waiting[key]; ok {
		b.waiting[key] = entry[T]{value: value, exists: exists, at: at, since: was.since}
		return true
	}
	if _, ok := b.held[key]; !ok && !exists {
		return false
	}
	if len(b.order)+len(b.resting)-b.snapshot >= b.limit {
		b.forget()
		b.onLoss()
		return false
	}
	b.order = append(b.order, key)
	b.waiting[key] = entry[T]{value: value, exists: exists, at: at, since: number}
	b.signal()
	return false
}

// renew puts a newer version of an object that is the same as the one before in all that is sent. It is sent only to a reader that holds neither: one
// that was sent what its person wrote, and would keep that.
func (b *buffer[K, T]) renew(key K, before, now T, at time.Time) (coalesced bool) {
	b.mu.Lock()
	waits, waiting := b.waiting[key]
	held, holds := b.held[key]
	switch {
	case waiting && any(waits.value) == any(before):
		waits.value = now
		b.waiting[key] = waits
	case !waiting && holds && any(held) == any(before):
		b.held[key] = now
	default:
		b.mu.Unlock()
		return b.put(key, now, true, at)
	}
	b.mu.Unlock()
	return false
}

// lose drops everything that waits: the stream begins again.
func (b *buffer[K, T]) lose() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget()
}

func (b *buffer[K, T]) forget() {
	b.order, b.resting, b.waiting, b.held, b.phase = nil, nil, map[K]entry[T]{}, map[K]T{}, phaseLost
	b.lately = lately[K]{interval: b.lately.interval}
	b.signal()
}

// depth is how many changes wait.
func (b *buffer[K, T]) depth() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.order) + len(b.resting)
}

func (b *buffer[K, T]) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// burst is how many changes to take, and how long the stream rests after them; what arrives meanwhile is for the next burst. take may find
// fewer. When there are none, rest is how long until there may be; 0 until something is put.
func (b *buffer[K, T]) burst(now time.Time) (n int, rest time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.phase == phaseLost:
		return 1, 0
	case b.snapshot < 0:
		return 0, 0
	case b.phase == phaseSnapshot:
		return b.snapshot + 1, b.lately.interval
	}
	rest = b.lately.expire(now)
	if len(b.resting) > 0 {
		b.order, b.resting = append(b.resting, b.order...), nil
	}
	for _, key := range b.order {
		if !b.lately.has(key) {
			n++
		}
	}
	if n > 0 {
		// Few bursts cost less, many are sooner: measured with 500 readers of 250 changes a second.
		rest = b.lately.interval * 2 / 5
	}
	return n, rest
}

// flushed says when the changes that were taken went out.
func (b *buffer[K, T]) flushed(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lately.flushed(now)
}

// take returns the next change; ok is false when nothing waits. After RESYNC the caller must call restart.
func (b *buffer[K, T]) take(now func() time.Time) (c change[K, T], ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase == phaseLost {
		b.phase = phaseSnapshot
		// Send nothing before the restart, which sets the snapshot: SYNCED would be wrong.
		b.snapshot = -1
		return change[K, T]{kind: model.ChangeResync, at: now()}, true
	}
	if c, ok = b.first(); !ok {
		if b.phase == phaseSnapshot && b.snapshot == 0 {
			b.phase = phaseChanges
			return change[K, T]{kind: model.ChangeSynced, at: now(), sent: b.sent()}, true
		}
		return c, false
	}
	b.send(&c)
	return c, true
}

// peek returns the change that waits longest, if others are told it, too.
func (b *buffer[K, T]) peek() (c change[K, T], ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase != phaseChanges {
		return c, false
	}
	return b.first()
}

// takeSame takes the change that peek returned; false when there is a newer one.
func (b *buffer[K, T]) takeSame(was *change[K, T]) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase != phaseChanges {
		return false
	}
	c, ok := b.first()
	if !ok || c.kind != was.kind || any(c.value) != any(was.value) || !c.at.Equal(was.at) {
		return false
	}
	b.send(was)
	return true
}

// first is the change that waits longest, and stays; what need not be sent before it is dropped.
func (b *buffer[K, T]) first() (c change[K, T], ok bool) {
	for {
		if b.phase == phaseSnapshot && b.snapshot <= 0 || len(b.order) == 0 {
			return c, false
		}
		key := b.order[0]
		if b.lately.has(key) {
			b.order, b.resting = b.order[1:], append(b.resting, key)
			continue
		}
		e := b.waiting[key]
		last, held := b.held[key]
		c = change[K, T]{key: key, value: e.value, at: e.at}
		switch {
		case e.exists && b.outdated != nil && b.outdated(e.value):
			b.drop(key)
			continue
		case e.exists && b.snapshot > 0:
			c.kind = model.ChangeSnapshot
		case e.exists && held:
			c.kind = model.ChangeModified
		case e.exists:
			c.kind = model.ChangeAdded
		case held:
			c.kind, c.value = model.ChangeDeleted, last
		default:
			b.drop(key)
			continue
		}
		return c, true
	}
}

// send removes the first change, which the reader is sent.
func (b *buffer[K, T]) send(c *change[K, T]) {
	b.drop(c.key)
	if c.kind == model.ChangeDeleted {
		delete(b.held, c.key)
	} else {
		b.held[c.key] = c.value
	}
	if b.phase == phaseChanges {
		b.lately.add(c.key)
		c.sent = b.sent()
	}
}

// sent is the number up to which the reader has all changes.
func (b *buffer[K, T]) sent() int64 {
	switch {
	case len(b.resting) > 0:
		return b.waiting[b.resting[0]].since - 1
	case len(b.order) > 0:
		return b.waiting[b.order[0]].since - 1
	}
	return b.newest
}

// drop removes the first change.
func (b *buffer[K, T]) drop(key K) {
	b.order = b.order[1:]
	delete(b.waiting, key)
	if b.snapshot > 0 {
		b.snapshot--
	}
}
