package gate

import (
	"cmp"
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// events bound the events of a test.
type events struct{ Cost, EventRate, EventsAtOnce int }

// lineUp is turns of a clock that the bubble of a test has.
func lineUp(e events, rate int) (t *turns, rates *buckets, delayed prometheus.Counter) {
	delayed = prometheus.NewCounter(prometheus.CounterOpts{Name: "delayed"})
	rates = newBuckets(rate, 10*rate, time.Now)
	l := Limits{EventRate: cmp.Or(e.EventRate, 5_000), EventsAtOnce: cmp.Or(e.EventsAtOnce, 2)}
	l.EventBurst = max(10*l.EventRate, cmp.Or(e.Cost, 10_000))
	return newTurns(l, rates, delayed, time.Now), rates, delayed
}

func valueOf(c prometheus.Counter) float64 {
	var m dto.Metric
	_ = c.Write(&m)
	return m.GetCounter().GetValue()
}

// asks has a subscriber ask for an event that they want; is tells whether it may be made.
func asks(t *testing.T, s *Events) (is func() bool) {
	t.Helper()
	if !s.Want(t.Context()) {
		t.Fatal("nobody wants it")
	}
	granted, _ := s.Turn()
	return func() bool { return isGranted(granted) }
}

func isGranted(granted <-chan struct{}) bool {
	synctest.Wait()
	select {
	case <-granted:
		return true
	default:
		return false
	}
}

func TestEventsThatCannotBePaidWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, rates, delayed := lineUp(events{Cost: 100, EventRate: 10}, 1000) // 100 at once
		ann, carl := turns.subscriber("ann", 50), turns.subscriber("carl", 50)
		for i := range 2 {
			if is := asks(t, ann); !is() {
				t.Fatalf("event %d waits", i)
			}
			ann.Got()
		}
		third := asks(t, ann)
		if third() || valueOf(delayed) != 1 {
			t.Errorf("the third is made without being paid; %v were delayed", valueOf(delayed))
		}
		if is := asks(t, carl); !is() {
			t.Error("somebody else waits for it")
		}
		// Their queries go on: events use a part of what they may spend.
		if wait := rates.take("ann", 9_000); wait > 0 {
			t.Errorf("a query waits %s", wait)
		}
		comesAfter(t, third, 5*time.Second)
		ann.Got()
		ann.End()
		carl.End()
		if len(turns.lines) != 0 {
			t.Errorf("%d lines are left", len(turns.lines))
		}
	})
}

// Whoever makes the events asks for the next as soon as one has been taken, and not when it has been answered.
func TestTheNextEventMayBeAskedForWhileOneIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{Cost: 10, EventRate: 1000, EventsAtOnce: 2}, 1000)
		ann := turns.subscriber("ann", 1)
		is := asks(t, ann)
		for i := range 10 {
			if !is() {
				t.Fatalf("event %d is never made", i)
			}
			granted, _ := ann.Turn()
			if isGranted(granted) {
				t.Fatalf("event %d is made before its subscriber has the one before", i+1)
			}
			ann.Got()
			if !ann.Want(t.Context()) {
				t.Fatal("nobody wants it")
			}
			is = func() bool { return isGranted(granted) }
		}
		ann.End()
		if len(turns.lines) != 0 {
			t.Errorf("%d lines are left", len(turns.lines))
		}
	})
}

// comesAfter says that an event is made when the time has come, give or take a fiftieth, and not before.
func comesAfter(t *testing.T, is func() bool, wait time.Duration) {
	t.Helper()
	time.Sleep(wait - wait/50)
	if is() {
		t.Errorf("it is made before %s have passed", wait)
	}
	time.Sleep(wait / 25)
	if !is() {
		t.Error("it is never made")
	}
}

// An event may cost as much as one operation may, even where ten seconds of the events' part are less: it is paid
// whole.
func TestTheDearestEventIsPaidWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{Cost: 100, EventRate: 1}, 1000) // 100 at once, and not ten
		ann := turns.subscriber("ann", 100)
		if is := asks(t, ann); !is() {
			t.Fatal("the first waits")
		}
		ann.Got()
		is := asks(t, ann)
		comesAfter(t, is, 100*time.Second)
		ann.End()
	})
}

func TestEventsWaitForTheWholeBudgetToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, rates, _ := lineUp(events{Cost: 100, EventRate: 50}, 10) // 500 of events at once, 100 of everything
		rates.take("ann", 100)
		ann := turns.subscriber("ann", 20)
		is := asks(t, ann)
		comesAfter(t, is, 2*time.Second) // with what queries have spent it comes too early
		ann.End()
	})
}

func TestAPersonsSubscriptionsHaveTheirEventsInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{Cost: 10, EventRate: 1}, 1000) // 10 at once
		turns.events.take("ann", 10)                                // whoever comes first may have all that is there at once
		counts := make([]int, 5)
		ctx, end := context.WithCancel(t.Context())
		var running sync.WaitGroup
		for i := range counts {
			// The first costs as much as all others together, and one more.
			s := turns.subscriber("ann", 1+4*max(0, 1-i))
			running.Go(func() {
				defer s.End()
				for s.Want(ctx) {
					granted, _ := s.Turn()
					select {
					case <-granted:
						counts[i]++
						s.Got()
					case <-ctx.Done():
						return
					}
				}
			})
		}
		time.Sleep(90 * time.Second) // 90 points are ten rounds of 9
		end()
		running.Wait()
		for i, n := range counts {
			if n < 9 || n > 11 {
				t.Errorf("subscription %d had %d events: %v", i, n, counts)
			}
		}
	})
}

func TestOnlySoManyEventsOfAPersonAreInWorkAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, delayed := lineUp(events{EventsAtOnce: 2}, 200_000)
		var all []*Events
		var is []func() bool
		for range 200 {
			s := turns.subscriber("ann", 1)
			all, is = append(all, s), append(is, asks(t, s))
		}
		inWork := func() (n int) {
			for _, one := range is {
				if one() {
					n++
				}
			}
			return n
		}
		if n := inWork(); n != 2 || valueOf(delayed) != 198 {
			t.Errorf("%d are in work, %v were delayed", n, valueOf(delayed))
		}
		if other := asks(t, turns.subscriber("carl", 1)); !other() {
			t.Error("somebody else waits for it")
		}
		all[0].Got()
		if n := inWork(); n != 3 { // one of which has ended
			t.Errorf("%d were in work", n)
		}
		// Who goes while they wait, or while it is in work, leaves room.
		all[1].End()
		all[3].End()
		if !is[4]() || is[5]() {
			t.Error("the next in the line are not those who stay")
		}
		for _, s := range all {
			s.End()
		}
		if l := turns.lines["ann"]; l != nil {
			t.Errorf("left: %+v", l)
		}
	})
}

func TestAnEventThatTakesLongIsPaidByItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{Cost: 10_000, EventRate: 1_000}, 200_000) // 10,000 at once
		ann := turns.subscriber("ann", 10)
		for range 20 { // each costs 1,000 points by its time, of which 50 ms have come back meanwhile
			is := asks(t, ann)
			for !is() {
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(50 * time.Millisecond)
			ann.Got()
		}
		began := time.Now()
		is := asks(t, ann)
		for !is() {
			time.Sleep(10 * time.Millisecond)
		}
		// Twenty seconds of points, less ten at once, were spent in one second and what was waited.
		if took := time.Since(began); took < 900*time.Millisecond || took > 1100*time.Millisecond {
			t.Errorf("the next one waits %s, as long as one costs", took)
		}
		ann.End()
	})
}

// The points of an event pay for as much of its time as they say.
func TestAnEventThatTakesAsLongAsItsPointsSayOwesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{Cost: 10_000, EventRate: 1_000}, 200_000) // 10,000 at once
		ann := turns.subscriber("ann", 500)
		for i := range 20 {
			if is := asks(t, ann); !is() {
				t.Fatalf("event %d waits", i)
			}
			time.Sleep(25 * time.Millisecond) // as much as 500 points
			ann.Got()
		}
		ann.End()
	})
}

// The timer of who leaves while they wait for points may go off later: those who have come meanwhile keep their line.
func TestALineThatIsNoMoreTakesNoOtherAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{Cost: 10, EventRate: 1, EventsAtOnce: 1}, 1000) // 10 at once
		turns.events.take("ann", 10)
		gone := turns.subscriber("ann", 10)
		if is := asks(t, gone); is() {
			t.Fatal("it is made without being paid")
		}
		gone.End()
		time.Sleep(5 * time.Second)
		first, second := turns.subscriber("ann", 1), turns.subscriber("ann", 1)
		if is := asks(t, first); !is() {
			t.Fatal("the first waits")
		}
		time.Sleep(10 * time.Second) // when the one who left would have been paid
		is := asks(t, second)
		if is() {
			t.Error("two are in work at once")
		}
		first.Got()
		time.Sleep(20 * time.Second) // the first took long, and that is paid first
		if !is() {
			t.Error("the second is never made")
		}
		first.End()
		second.End()
		if len(turns.lines) != 0 {
			t.Errorf("%d lines are left", len(turns.lines))
		}
	})
}

func TestWhoDoesNotReadHasNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{EventsAtOnce: 1}, 1000)
		slow, quick := turns.subscriber("ann", 1), turns.subscriber("ann", 1)
		granted, giveBack := slow.Turn() // it has not come back for it
		if is := asks(t, quick); !is() {
			t.Error("another subscription waits for one that is not read")
		}
		quick.Got()
		synctest.Wait()
		select {
		case <-granted:
			t.Error("what is not wanted is made")
		default:
		}
		if !slow.Want(t.Context()) {
			t.Fatal("gone")
		}
		<-granted
		giveBack()
		if is := asks(t, quick); !is() {
			t.Error("a turn that was given back is not free")
		}
		slow.End()
		quick.End()
	})
}

// What makes events without asking is paid for all the same, before the next one.
func TestAnEventOfASourceThatDoesNotAskIsPaidAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{Cost: 10, EventRate: 1}, 1000)
		s := turns.subscriber("ann", 10)
		for i, within := range []time.Duration{0, 0, 10 * time.Second} {
			began := time.Now()
			if !s.Want(t.Context()) {
				t.Fatal("gone")
			}
			if took := time.Since(began); took < within || took > within+time.Millisecond {
				t.Errorf("event %d is wanted after %s", i, took)
			}
			s.Got()
		}
		s.End()
	})
}

func TestWhoHasNoPointsIsSharedNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, _, _ := lineUp(events{Cost: 1, EventRate: 1}, 1000)
		ann := turns.subscriber("ann", 1)
		turns.events.take("ann", 10)
		n := 0
		for range 4 * sharedPerPoint {
			if ann.Share() {
				n++
			}
		}
		if n != sharedPerPoint-1 {
			t.Errorf("%d were shared, want %d", n, sharedPerPoint-1)
		}
	})
}

func TestATurnThatIsGivenBackIsRepaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, rates, _ := lineUp(events{Cost: 100, EventRate: 1}, 10)
		ann := turns.subscriber("ann", 100)
		defer ann.End()
		ann.Want(t.Context())
		granted, giveBack := ann.Turn()
		if !isGranted(granted) {
			t.Fatal("it is not granted")
		}
		giveBack()
		if rates.lacks("ann", 100) > 0 || turns.events.lacks("ann", 100) > 0 {
			t.Error("the points are not all there again")
		}
	})
}
