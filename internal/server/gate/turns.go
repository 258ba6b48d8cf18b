package gate

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// pointsPerMillisecond is the minimum cost of an event for each millisecond that making it took: a page of 21 workloads
// with their targets costs 650 points and takes 30 ms of all processes together. Few objects may take long to find, and
// an event finds them for one object instead of a page.
const pointsPerMillisecond = 20

// sharedPerPoint is how many events cost a point whose answer was made for somebody else: each takes 3 µs, to find and to write.
const sharedPerPoint = 16

// turns schedules the events of subscriptions. An event costs what its operation costs, since everything selected is
// read anew: it is paid out of the person's budget, of which all events together may use a part, so that queries keep
// running; and only so many events of one person are made at once. The events of a person who cannot pay wait in a
// line, one of each subscription. Their content is decided when their turn comes: newer changes replace older ones
// meanwhile, and none is lost. An event that took longer than its points allow is charged afterwards, to the events'
// part.
type turns struct {
	// rates is what people may spend on everything, events the part for events.
	rates, events *buckets
	atOnce        int
	delayed       prometheus.Counter
	now           func() time.Time

	mu    sync.Mutex
	lines map[string]*line
}

// line is the events of one person.
type line struct {
	user    string
	inWork  int
	waiting []*turn
	// timer is set while the first event waits until it can be paid.
	timer *time.Timer
}

// turn is one event that waits or is being made.
type turn struct {
	cost    int
	granted chan struct{}
	inWork  bool
	began   time.Time
}

func newTurns(l Limits, rates *buckets, delayed prometheus.Counter, now func() time.Time) *turns {
	return &turns{
		rates: rates, events: newBuckets(l.EventRate, l.EventBurst, now), atOnce: l.EventsAtOnce,
		delayed: delayed, now: now, lines: map[string]*line{},
	}
}

// ask adds a turn to its line. Callers hold the lock, here and below.
func (t *turns) ask(user string, one *turn) {
	l := t.lines[user]
	if l == nil {
		l = &line{user: user}
		t.lines[user] = l
	}
	l.waiting = append(l.waiting, one)
	t.serve(l)
	if !one.inWork {
		t.delayed.Inc()
	}
}

// serve grants turns, in the order of the line, while there is room and they can be paid.
func (t *turns) serve(l *line) {
	for len(l.waiting) > 0 && l.inWork < t.atOnce {
		first := l.waiting[0]
		if wait := t.pay(l.user, first.cost); wait > 0 {
			if l.timer == nil {
				l.timer = time.AfterFunc(wait, func() {
					t.mu.Lock()
					defer t.mu.Unlock()
					l.timer = nil
					t.serve(l)
				})
			}
			break
		}
		l.waiting = l.waiting[1:]
		l.inWork++
		first.inWork, first.began = true, t.now()
		close(first.granted)
	}
	if l.inWork == 0 && len(l.waiting) == 0 && t.lines[l.user] == l {
		delete(t.lines, l.user)
	}
}

// pay takes the points of an event; when there are fewer it takes none and returns the time until there may be enough.
func (t *turns) pay(user string, cost int) (wait time.Duration) {
	if wait = t.events.lacks(user, cost); wait > 0 {
		return wait
	}
	if wait = t.rates.take(user, cost); wait > 0 {
		return wait
	}
	t.events.take(user, cost)
	return 0
}

// repay returns the points of an event that was not made after all.
func (t *turns) repay(user string, cost int) {
	t.events.repay(user, cost)
	t.rates.repay(user, cost)
}

// end ends a turn, whether it waits or is being made.
func (t *turns) end(user string, one *turn) {
	l := t.lines[user]
	if l == nil {
		return
	}
	if one.inWork {
		one.inWork = false
		l.inWork--
	} else {
		l.waiting = slices.DeleteFunc(l.waiting, func(other *turn) bool { return other == one })
	}
	t.serve(l)
}

// Events are the events of one subscription that have to be paid.
type Events struct {
	turns *turns
	user  string
	cost  int

	// wanted says that the subscriber waits for the next event.
	wanted bool
	// asked is the turn of the next event, until that has been made; nil when there is none.
	asked *turn
	// making is the turn of the event being made, while the one after it has been requested; nil when there is none.
	making *turn
	// queued says that asked is in its line, or is being made.
	queued bool
	// free says that the last event was made without a turn, so it has to be paid afterwards.
	free, ended bool
	// shared counts answers that were made for others; only the producer of the events reads it.
	shared int
}

// Events returns the events of a person's subscription, with their cost in points; callers must call End.
func (g *Gate) Events(user string, cost int) *Events { return g.turns.subscriber(user, cost) }

func (t *turns) subscriber(user string, cost int) *Events {
	return &Events{turns: t, user: user, cost: max(cost, 1)}
}

// Turn is the pace.Turn for the producer of the events.
func (s *Events) Turn() (granted <-chan struct{}, giveBack func()) {
	one := &turn{cost: s.cost, granted: make(chan struct{})}
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	if !s.ended {
		if s.asked != nil && s.asked.inWork {
			s.making = s.asked
		}
		s.asked, s.queued = one, false
		s.enqueue()
	}
	return one.granted, func() {
		s.turns.mu.Lock()
		defer s.turns.mu.Unlock()
		if s.asked == one {
			if one.inWork {
				s.turns.repay(s.user, one.cost)
			}
			s.drop()
		}
	}
}

// Share charges for an answer that was made for somebody else; false when the person has no points left, so that the event needs a turn.
func (s *Events) Share() bool {
	if s.shared++; s.shared%sharedPerPoint != 0 {
		return true
	}
	if s.turns.events.empty(s.user) > 0 || s.turns.rates.empty(s.user) > 0 {
		s.shared--
		return false
	}
	s.turns.events.owe(s.user, 1)
	s.turns.rates.owe(s.user, 1)
	return true
}

// enqueue adds the requested turn to the line once the event is wanted: a subscriber that does not read, or has not
// received the last event, gets no turn.
func (s *Events) enqueue() {
	if s.wanted && s.making == nil && s.asked != nil && !s.queued {
		s.queued = true
		s.turns.ask(s.user, s.asked)
	}
}

// drop ends the requested turn.
func (s *Events) drop() {
	one, queued := s.asked, s.queued
	s.asked, s.queued = nil, false
	if queued {
		s.turns.end(s.user, one)
	}
}

// Want says that the next event is wanted; false when ctx has ended.
func (s *Events) Want(ctx context.Context) bool {
	if s.free && !s.settle(ctx) {
		return false
	}
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	s.free, s.wanted = false, true
	s.enqueue()
	return ctx.Err() == nil
}

// settle pays for an event that was made without a turn.
func (s *Events) settle(ctx context.Context) bool {
	one := &turn{cost: s.cost, granted: make(chan struct{})}
	s.turns.mu.Lock()
	s.turns.ask(s.user, one)
	s.turns.mu.Unlock()
	defer func() {
		s.turns.mu.Lock()
		defer s.turns.mu.Unlock()
		s.turns.end(s.user, one)
	}()
	select {
	case <-one.granted:
		return true
	case <-ctx.Done():
		return false
	}
}

// Got says that the event has been made.
func (s *Events) Got() {
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	s.wanted = false
	switch {
	case s.making != nil:
		s.owe(s.making)
		s.turns.end(s.user, s.making)
		s.making = nil
	case s.asked != nil && s.asked.inWork:
		s.owe(s.asked)
		s.drop()
	default:
		s.free = true
	}
}

// owe charges what an event cost beyond its points.
func (s *Events) owe(made *turn) {
	took := s.turns.now().Sub(made.began)
	s.turns.events.owe(s.user, int(took.Milliseconds())*pointsPerMillisecond-s.cost)
}

// End ends all turns.
func (s *Events) End() {
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	s.ended = true
	if s.making != nil {
		s.turns.end(s.user, s.making)
		s.making = nil
	}
	if s.asked != nil {
		s.drop()
	}
}
