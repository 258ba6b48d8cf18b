package live

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/model"
)

// gate grants turns one by one.
type gate struct {
	pace.Alone
	mu      sync.Mutex
	asked   chan chan struct{}
	returns int
}

// Turn asks the test.
func (g *gate) Turn() (<-chan struct{}, func()) {
	granted := make(chan struct{})
	g.asked <- granted
	return granted, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.returns++
	}
}

func (g *gate) returned() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.returns
}

// paced is a stream of which each change needs a turn.
func paced(t *testing.T, limit int) (*buffer[string, string], *gate, <-chan string) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	g := &gate{asked: make(chan chan struct{})}
	b := newBuffer[string, string](limit, 0, func() {})
	s := &stream[string, string, string]{
		hub: &Hub{ctx: ctx, telling: make(chan struct{}, 1)}, buffer: b,
		restart: func() { b.restart([]string{"all"}, []string{"all as it is"}, time.Time{}) },
		wrap:    func(c change[string, string]) string { return string(c.kind) + " " + c.value },
	}
	out := make(chan string)
	ended := make(chan struct{})
	go func() { defer close(ended); s.run(pace.NewContext(ctx, g), out) }()
	t.Cleanup(func() { end(); <-ended })
	return b, g, out
}

func TestWhatWaitsForItsTurnIsTheNewestStateThen(t *testing.T) {
	b, g, out := paced(t, 10)
	b.restart([]string{"a"}, []string{"a0"}, time.Time{})
	first := <-g.asked
	// The snapshot has not been said yet: it becomes what is true when it is.
	b.put("a", "a1", true, time.Time{})
	close(first)
	if got := <-out; got != "SNAPSHOT a1" {
		t.Errorf("first: %s", got)
	}
	synced := <-g.asked
	for i := range 100 {
		b.put("a", "a"+string(rune('0'+i%10)), true, time.Time{})
	}
	b.put("b", "b0", true, time.Time{})
	close(synced)
	got := []string{<-out}
	for range 2 {
		close(<-g.asked)
		got = append(got, <-out)
	}
	if want := []string{"SYNCED ", "MODIFIED a9", "ADDED b0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if g.returned() != 0 {
		t.Error("a turn that was used was given back")
	}
}

func TestATurnForWhatCameAndWentIsGivenBack(t *testing.T) {
	b, g, out := paced(t, 10)
	b.restart(nil, nil, time.Time{})
	close(<-g.asked)
	<-out // SYNCED
	b.put("a", "a0", true, time.Time{})
	turn := <-g.asked
	b.put("a", "", false, time.Time{})
	close(turn)
	for deadline := time.Now().Add(10 * time.Second); g.returned() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the turn is not given back")
		}
	}
	b.put("b", "b0", true, time.Time{})
	close(<-g.asked)
	if got := <-out; got != "ADDED b0" {
		t.Errorf("got %s", got)
	}
	if n := g.returned(); n != 1 {
		t.Errorf("%d turns were given back", n)
	}
}

func TestWhoFallsTooFarBehindWhileTheyWaitIsToldAllAnew(t *testing.T) {
	b, g, out := paced(t, 2)
	b.restart(nil, nil, time.Time{})
	close(<-g.asked)
	<-out
	b.put("a", "a0", true, time.Time{})
	turn := <-g.asked
	for _, key := range []string{"b", "c", "d"} {
		b.put(key, key, true, time.Time{})
	}
	close(turn)
	got := []string{<-out}
	for range 2 {
		close(<-g.asked)
		got = append(got, <-out)
	}
	if want := []string{"RESYNC ", "SNAPSHOT all as it is", "SYNCED "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whose turn never comes does not hold up an instance that goes, nor a hub that closes.
func TestWhoWaitsForATurnIsLetGo(t *testing.T) {
	for name, end := range map[string]func(in *instanceFeeds, stop, leave func()){
		"the instance goes":     func(in *instanceFeeds, _, _ func()) { close(in.gone) },
		"the hub closes":        func(_ *instanceFeeds, stop, _ func()) { stop() },
		"the subscriber leaves": func(_ *instanceFeeds, _, leave func()) { leave() },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			running, stop := context.WithCancel(t.Context())
			defer stop()
			g := &gate{asked: make(chan chan struct{})}
			b := newBuffer[string, string](10, 0, func() {})
			in := &instanceFeeds{gone: make(chan struct{}), hub: &Hub{ctx: running, telling: make(chan struct{}, 1)}}
			s := &stream[string, string, string]{hub: in.hub, gone: in.gone, buffer: b, wrap: func(c change[string, string]) string { return c.value }}
			ended := make(chan struct{})
			go func() { defer close(ended); s.run(pace.NewContext(ctx, g), make(chan string)) }()
			b.restart([]string{"a"}, []string{"a0"}, time.Time{})
			<-g.asked // and it is not granted
			end(in, stop, leave)
			select {
			case <-ended:
			case <-time.After(patience):
				t.Fatal("the stream goes on")
			}
			if n := g.returned(); n != 1 {
				t.Errorf("%d turns were given back", n)
			}
		})
	}
}

func TestNoObjectIsSentTwiceWithinTheInterval(t *testing.T) {
	const interval = 200 * time.Millisecond
	b := newBuffer[string, string](10, interval, func() {})
	s := &stream[string, string, string]{
		hub: &Hub{ctx: t.Context(), telling: make(chan struct{}, 1)}, buffer: b,
		wrap: func(c change[string, string]) string { return string(c.kind) + " " + c.value },
	}
	out, ended := make(chan string), make(chan struct{})
	ctx, end := context.WithCancel(t.Context())
	go func() { defer close(ended); s.run(ctx, out) }()
	defer func() { end(); <-ended }()
	b.restart([]string{"a"}, []string{"a0"}, time.Time{})
	var last time.Time
	for i, want := range []string{"SNAPSHOT a0", "SYNCED ", "MODIFIED a1", "MODIFIED a2"} {
		if got := <-out; got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		now := time.Now()
		if i > 1 && now.Sub(last) < interval {
			t.Errorf("%s came %s after the change before it; want at least %s", want, now.Sub(last), interval)
		}
		last = now
		if i > 0 {
			b.put("a", "a"+string(rune('0'+i)), true, time.Time{})
		}
	}
}

// Each object waits for itself alone.
func TestWhatWasSentLatelyWaitsAndNothingElse(t *testing.T) {
	const interval = 250 * time.Millisecond
	b := newBuffer[string, string](3, interval, func() {})
	b.numbered(4)
	b.restart(nil, nil, time.Time{})
	b.take(time.Now)
	began := time.Now()
	burst := func(after time.Duration, wantRest time.Duration, want ...string) {
		t.Helper()
		n, rest := b.burst(began.Add(after))
		if n != len(want) || rest != wantRest {
			t.Errorf("after %s: %d changes and a rest of %s, want %d and %s", after, n, rest, len(want), wantRest)
		}
		var got []string
		for c, ok := b.take(time.Now); ok; c, ok = b.take(time.Now) {
			got = append(got, fmt.Sprintf("%s %s %d", c.kind, c.value, c.sent))
		}
		if !slices.Equal(got, want) {
			t.Errorf("after %s: sent %q, want %q", after, got, want)
		}
		b.flushed(began.Add(after))
	}
	b.putNumbered("a", "a1", true, time.Time{}, 5)
	burst(0, 100*time.Millisecond, "ADDED a1 5")
	b.putNumbered("a", "a2", true, time.Time{}, 6)
	b.putNumbered("b", "b1", true, time.Time{}, 7)
	burst(100*time.Millisecond, 100*time.Millisecond, "ADDED b1 5") // and who comes back is told of a2
	b.putNumbered("b", "", false, time.Time{}, 8)
	b.putNumbered("c", "c1", true, time.Time{}, 9)
	burst(200*time.Millisecond, 100*time.Millisecond, "ADDED c1 5")
	if n := b.depth(); n != 2 {
		t.Errorf("%d changes wait, want a2 and that b is gone", n)
	}
	burst(240*time.Millisecond, 10*time.Millisecond)
	burst(250*time.Millisecond, 100*time.Millisecond, "MODIFIED a2 7")
	burst(350*time.Millisecond, 100*time.Millisecond, "DELETED b1 9")
	b.putNumbered("b", "b2", true, time.Time{}, 10)
	burst(599*time.Millisecond, time.Millisecond)
	burst(600*time.Millisecond, 100*time.Millisecond, "ADDED b2 10")
	burst(850*time.Millisecond, 0)
	if b.lately.keys != nil || b.lately.bursts != nil {
		t.Errorf("%+v is kept for who is sent nothing", b.lately)
	}
}

func TestWhatWasSentLatelyCountsToTheLimit(t *testing.T) {
	lost := 0
	b := newBuffer[string, string](1, time.Hour, func() { lost++ })
	b.restart(nil, nil, time.Time{})
	b.take(time.Now)
	b.put("a", "a1", true, time.Time{})
	b.take(time.Now)
	b.flushed(time.Now())
	b.put("a", "a2", true, time.Time{})
	if _, ok := b.take(time.Now); ok || lost > 0 {
		t.Fatalf("sent again: %t, lost %d times", ok, lost)
	}
	b.put("b", "b1", true, time.Time{})
	if lost != 1 {
		t.Errorf("lost %d times, want once: two objects wait", lost)
	}
	b.take(time.Now) // RESYNC
	b.restart([]string{"a"}, []string{"a2"}, time.Time{})
	if c, ok := b.take(time.Now); !ok || c.kind != model.ChangeSnapshot {
		t.Errorf("then came %+v, %t; want the snapshot", c, ok)
	}
}

// knowing is a subscriber to whom all answers are known but those of one type.
type knowing struct {
	pace.Alone
	mu      sync.Mutex
	unknown string
	sent    []string
	full    int
	flushes []int
}

func (k *knowing) Known(e pace.Event) ([]byte, bool) {
	return []byte(e.Type + " " + e.Object.(string)), e.Type != k.unknown
}

func (k *knowing) Send(raw []byte, _ string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sent = append(k.sent, string(raw))
	return k.full > 0 && len(k.sent)%k.full == 0
}

func (k *knowing) Flush() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n := len(k.flushes); len(k.sent) > 0 && (n == 0 || k.flushes[n-1] != len(k.sent)) {
		k.flushes = append(k.flushes, len(k.sent))
	}
	return nil
}

func (k *knowing) state() (sent []string, flushes []int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.sent), slices.Clone(k.flushes)
}

func TestKnownAnswersGoOutTogetherAndInTheirOrder(t *testing.T) {
	to := &knowing{unknown: "DELETED", full: 2}
	b := newBuffer[string, string](10, 0, func() {})
	s := &stream[string, string, string]{
		hub: &Hub{ctx: t.Context(), telling: make(chan struct{}, 1)}, buffer: b,
		wrap: func(c change[string, string]) string {
			to.mu.Lock()
			defer to.mu.Unlock()
			to.sent = append(to.sent, string(c.kind)+" "+c.value)
			return c.value
		},
	}
	b.restart([]string{"x"}, []string{"x0"}, time.Time{})
	for range 2 {
		if _, ok := b.take(time.Now); !ok {
			t.Fatal("there is no snapshot")
		}
	}
	for _, key := range []string{"a", "b", "c"} {
		b.put(key, key+"1", true, time.Time{})
	}
	b.put("x", "", false, time.Time{}) // nobody knows this one
	b.put("d", "d1", true, time.Time{})
	out, ended := make(chan string), make(chan struct{})
	ctx, end := context.WithCancel(t.Context())
	go func() { defer close(ended); s.run(pace.NewContext(ctx, to), out) }()
	<-out
	want := []string{"ADDED a1", "ADDED b1", "ADDED c1", "DELETED x0", "ADDED d1"}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if sent, _ := to.state(); len(sent) == len(want) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("what follows the one that is made is not sent")
		}
	}
	end()
	<-ended
	sent, flushes := to.state()
	if !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	if len(flushes) == 0 || flushes[0] != 2 || flushes[len(flushes)-1] != len(want) {
		t.Errorf("flushed after %v answers, want after two, when it was full, and at the end", flushes)
	}
}
