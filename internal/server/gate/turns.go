package gate

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// pointsPerMillisecond is what an event costs at least for each millisecond that making it took: a page of 21
// workloads with their targets costs 650 points and takes 30 ms of all processes together. Few objects may take
// long to find, and an event finds them for one object instead of a page.
const pointsPerMillisecond = 20

// turns lets people's subscriptions have their events. An event costs what its operation costs, since all that is
// selected is found anew: it is paid out of the person's budget, of which all events together may use a part, so
// that their queries go on; and of one person only so many events are in work at once. Those of a person who
// cannot pay wait in a line, one of each subscription. What they are to tell of is decided when their turn comes:
// changes take each other's place meanwhile, and none is lost. An event that took longer than its points say is
// paid afterwards, out of the events' part.
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
	whose   string
	inWork  int
	waiting []*turn
	// timer is set while the first one waits until it can be paid.
	timer *time.Timer
}

// turn is one event that waits or is in work.
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

// ask puts a turn into its line. Callers hold the lock, here and below.
func (t *turns) ask(whose string, one *turn) {
	l := t.lines[whose]
	if l == nil {
		l = &line{whose: whose}
		t.lines[whose] = l
	}
	l.waiting = append(l.waiting, one)
	t.serve(l)
	if !one.inWork {
		t.delayed.Inc()
	}
}

// serve grants turns, in the order of the line, for as long as there is room and they can be paid.
func (t *turns) serve(l *line) {
	for len(l.waiting) > 0 && l.inWork < t.atOnce {
		first := l.waiting[0]
		if wait := t.pay(l.whose, first.cost); wait > 0 {
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
	if l.inWork == 0 && len(l.waiting) == 0 && t.lines[l.whose] == l {
		delete(t.lines, l.whose)
	}
}

// pay takes the points of an event; when there are not as many it takes none and tells when there may be.
func (t *turns) pay(whose string, cost int) (wait time.Duration) {
	if wait = t.events.lacks(whose, cost); wait > 0 {
		return wait
	}
	if wait = t.rates.take(whose, cost); wait > 0 {
		return wait
	}
	t.events.take(whose, cost)
	return 0
}

// end ends a turn, wherever it stands.
func (t *turns) end(whose string, one *turn) {
	l := t.lines[whose]
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

// Events are those of one subscription which have to be paid.
type Events struct {
	turns *turns
	whose string
	cost  int

	// wanted says that the subscriber has come for the next event.
	wanted bool
	// asked is the turn of the next event, until that has been made; nil when there is none.
	asked *turn
	// making is that of the event which is being made, where the one after it is asked for already; nil when there
	// is none.
	making *turn
	// queued says that asked stands in its line, or is in work.
	queued bool
	// free says that the last event was made without a turn, so that it has to be paid afterwards.
	free, ended bool
}

// Events gives the events of a subscription of somebody, each of which costs so many points; they are to be ended.
func (g *Gate) Events(whose string, cost int) *Events { return g.turns.subscriber(whose, cost) }

func (t *turns) subscriber(whose string, cost int) *Events {
	return &Events{turns: t, whose: whose, cost: max(cost, 1)}
}

// Turn is what whoever makes the events asks (pace.Turn).
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
			s.drop()
		}
	}
}

// enqueue puts what is asked for into the line once it is wanted: who does not read, or has not got the last one,
// has no turn.
func (s *Events) enqueue() {
	if s.wanted && s.making == nil && s.asked != nil && !s.queued {
		s.queued = true
		s.turns.ask(s.whose, s.asked)
	}
}

// drop ends the turn that was asked for.
func (s *Events) drop() {
	one, queued := s.asked, s.queued
	s.asked, s.queued = nil, false
	if queued {
		s.turns.end(s.whose, one)
	}
}

// Want says that the next event is wanted; false when ctx has ended first.
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
	s.turns.ask(s.whose, one)
	s.turns.mu.Unlock()
	defer func() {
		s.turns.mu.Lock()
		defer s.turns.mu.Unlock()
		s.turns.end(s.whose, one)
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
		s.turns.end(s.whose, s.making)
		s.making = nil
	case s.asked != nil && s.asked.inWork:
		s.owe(s.asked)
		s.drop()
	default:
		s.free = true
	}
}

// owe notes what an event cost beyond its points.
func (s *Events) owe(made *turn) {
	took := s.turns.now().Sub(made.began)
	s.turns.events.owe(s.whose, int(took.Milliseconds())*pointsPerMillisecond-s.cost)
}

// End ends all of it.
func (s *Events) End() {
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	s.ended = true
	if s.making != nil {
		s.turns.end(s.whose, s.making)
		s.making = nil
	}
	if s.asked != nil {
		s.drop()
	}
}
