package live

import (
	"context"
	"slices"
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
	b := newBuffer[string, string](10, func() {})
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
	b := newBuffer[string, string](10, func() {})
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
	b := newBuffer[string, string](10, func() {})
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
	rs := newReaders[string, string](func() {})
	before := rs.position(1)
	for range mostDeparted + 2 {
		rs.tell("x", "x", true, time.Time{})
		rs.tell("x", "x", false, time.Time{})
	}
	r := &reader[string, string]{match: func(string) bool { return true }, buffer: newBuffer[string, string](10, func() {})}
	if rs.resume(r, before, nil, func(string, string) int { return 0 }, time.Time{}) {
		t.Error("somebody comes back to where what went is not known any more")
	}
	if len(rs.gone) > mostDeparted || len(rs.changed) > 0 {
		t.Errorf("%d objects that went are kept, and %d others", len(rs.gone), len(rs.changed))
	}
	if !rs.resume(r, rs.position(rs.number), nil, func(string, string) int { return 0 }, time.Time{}) {
		t.Error("who has everything cannot come back")
	}
}
