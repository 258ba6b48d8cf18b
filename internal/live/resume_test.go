package live

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/model"
)

func TestWhoComesBackIsToldWhatChangedMeanwhile(t *testing.T) {
	s := livetest.New(t)
	for _, name := range []string{"a", "b", "d"} {
		s.Put("deployments", deployment("shop", name))
	}
	s.Put("deployments", deployment("ops", "other"))
	f := newFixture(t, s, func(c *Config) { c.Linger = patience })
	shop := &model.WorkloadFilter{Namespaces: []string{"shop"}}
	open := func(from string, filter *model.WorkloadFilter) (*subscriber, *returning, context.CancelFunc) {
		ctx, leave := context.WithCancel(t.Context())
		to := &returning{from: from}
		return f.workloads(pace.NewContext(ctx, to), filter), to, leave
	}
	sub, to, leave := open("", shop)
	sub.want("SNAPSHOT shop/a", "SNAPSHOT shop/b", "SNAPSHOT shop/d", "SYNCED")
	for range 3 {
		if p := to.next(); p != "" {
			t.Errorf("there is a position within the snapshot: %q", p)
		}
	}
	position := to.next()
	leave()

	other := f.knows(t, "ops", "other").ResourceVersion
	s.Put("deployments", deployment("shop", "a"))
	s.Drop("deployments", "shop", "b")
	s.Put("deployments", deployment("shop", "c"))
	s.Put("deployments", deployment("ops", "other"))
	eventually(t, "the hub knows all of it", func() bool { return f.knows(t, "ops", "other").ResourceVersion != other })

	sub, _, leave = open(position, shop)
	sub.want("DELETED ops/other", "SNAPSHOT shop/a", "DELETED shop/b", "SNAPSHOT shop/c", "SYNCED")
	// What they held before goes like all else.
	s.Drop("deployments", "shop", "d")
	sub.want("DELETED shop/d")
	leave()

	for _, lost := range []string{"-", "elsewhere.1", position + "0000", position[:11] + "x"} {
		sub, _, leave = open(lost, shop)
		sub.want("RESYNC", "SNAPSHOT shop/a", "SNAPSHOT shop/c", "SYNCED")
		leave()
	}
}

func TestWhoComesBackIsToldOfNothingThatTheyDoNotSee(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "a"))
	for _, name := range []string{"changed", "gone"} {
		s.Put("deployments", deployment("ops", name))
	}
	f := newFixture(t, s, func(c *Config) { c.Linger = patience })
	open := func(from string) (*subscriber, *returning, context.CancelFunc) {
		ctx, leave := context.WithCancel(t.Context())
		to := &returning{from: from}
		return f.workloadsOf(pace.NewContext(ctx, to), roleIn(v1alpha1.RoleEditor, "asia", "shop"), nil), to, leave
	}
	sub, to, leave := open("")
	sub.want("SNAPSHOT shop/a", "SYNCED")
	to.next()
	position := to.next()
	leave()
	s.Drop("deployments", "ops", "gone")
	before := f.knows(t, "ops", "changed").ResourceVersion
	s.Put("deployments", deployment("ops", "changed"))
	eventually(t, "the hub knows all of it", func() bool { return f.knows(t, "ops", "changed").ResourceVersion != before })
	sub, _, leave = open(position)
	defer leave()
	sub.want("SYNCED")
}

// A position never passes a change that still waits.
func TestAPositionIsBeforeAllThatWaits(t *testing.T) {
	b := newBuffer[string, string](10, 0, func() {})
	b.numbered(4)
	b.restart(nil, nil, time.Time{})
	var got []int64
	take := func() {
		c, _ := b.take(time.Now)
		got = append(got, c.sent)
	}
	take() // SYNCED
	b.putNumbered("a", "a", true, time.Time{}, 5)
	b.putNumbered("b", "b", true, time.Time{}, 6)
	b.putNumbered("a", "a again", true, time.Time{}, 7)
	b.putNumbered("of others", "", false, time.Time{}, 8)
	take() // a, with 7
	take() // b
	if want := []int64{4, 5, 8}; !slices.Equal(got, want) {
		t.Errorf("positions %v, want %v", got, want)
	}
}

func TestAReplacedChangeKeepsItsPlace(t *testing.T) {
	b := newBuffer[string, string](10, 0, func() {})
	b.numbered(4)
	b.restart(nil, nil, time.Time{})
	b.take(time.Now)
	for i, key := range []string{"x", "a", "b", "a"} {
		b.putNumbered(key, key, true, time.Time{}, int64(5+i))
	}
	if c, _ := b.take(time.Now); c.sent != 5 {
		t.Errorf("after x everything up to %d was sent, want 5: a waits since 6", c.sent)
	}
}

func TestWhatIsNewerThanWhatWasLookedAtIsNotDropped(t *testing.T) {
	b := newBuffer[string, string](10, 0, func() {})
	b.restart(nil, nil, time.Time{})
	b.take(time.Now)
	b.put("a", "a1", true, time.Time{})
	c, _ := b.peek()
	b.put("a", "a2", true, time.Time{})
	if b.takeSame(&c) {
		t.Error("the older state is taken")
	}
	if c, ok := b.take(time.Now); !ok || c.value != "a2" {
		t.Errorf("then came %+v, %t", c, ok)
	}
}

func TestWhatWentLongAgoIsForgotten(t *testing.T) {
	past := newHistory[string, string]()
	rs := newReaders(func() {}, past)
	before := past.position(1)
	for range mostDeparted + 2 {
		rs.tell("x", "x", true, time.Time{})
		rs.tell("x", "x", false, time.Time{})
	}
	r := &reader[string, string]{match: func(string) bool { return true }, buffer: newBuffer[string, string](10, 0, func() {})}
	if rs.resume(r, before, nil, func(string, string) int { return 0 }, time.Time{}) {
		t.Error("somebody comes back to where what went is not known any more")
	}
	if len(past.gone) > mostDeparted || len(past.changed) > 0 {
		t.Errorf("%d objects that went are kept, and %d others", len(past.gone), len(past.changed))
	}
	if !rs.resume(r, past.position(past.number), nil, func(string, string) int { return 0 }, time.Time{}) {
		t.Error("who has everything cannot come back")
	}
}

// A watch may not have told yet of what somebody has deleted themselves: they are told, for it never tells them again.
func TestWhoComesBackIsToldOfTheirOwnDeletion(t *testing.T) {
	past := newHistory[string, string]()
	rs := newReaders(func() {}, past)
	rs.tell("mine", "mine", true, time.Time{})
	r := &reader[string, string]{match: func(string) bool { return true }, buffer: newBuffer[string, string](10, 0, func() {}),
		overlay: func(map[string]string) map[string]string { return nil }}
	if !rs.resume(r, past.position(1), map[string]string{"mine": "mine"}, strings.Compare, time.Time{}) {
		t.Fatal("they cannot come back")
	}
	if c, ok := r.buffer.take(time.Now); !ok || c.kind != model.ChangeDeleted || c.value != "mine" {
		t.Errorf("told %+v, %t; want that it is deleted", c, ok)
	}
}

// Nothing is kept of what is not followed any more, and what went since nobody knows.
func TestNothingIsKeptOfWhatIsNotFollowed(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "a"))
	f := newFixture(t, s)
	to := &returning{}
	ctx, leave := context.WithCancel(t.Context())
	sub := f.workloads(pace.NewContext(ctx, to), nil)
	sub.want("SNAPSHOT shop/a", "SYNCED")
	to.next()
	position := to.next()
	leave()
	in, err := f.instance("asia")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the watches end", func() bool {
		in.board.mu.Lock()
		defer in.board.mu.Unlock()
		return len(in.board.views) == 0 && in.board.workloadReaders.past.forgotten > 0
	})
	in.board.mu.Lock()
	kept := len(in.board.workloadReaders.past.gone)
	in.board.mu.Unlock()
	if kept > 0 {
		t.Errorf("%d objects are kept", kept)
	}
	f.workloads(pace.NewContext(t.Context(), &returning{from: position}), nil).want("RESYNC", "SNAPSHOT shop/a", "SYNCED")
}
