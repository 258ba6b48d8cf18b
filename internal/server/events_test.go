package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
)

func TestAnEventIsDelayedAndTellsTheNewestStateThen(t *testing.T) {
	for name, open := range map[string]func(*fixture) (next func() string){
		"a WebSocket": func(f *fixture) func() string {
			c := f.admitted().send(subscribe("1", "subscription{newest}"))
			return c.next
		},
		"server-sent events": func(f *fixture) func() string { return f.events("subscription{newest}") },
	} {
		t.Run(name, func(t *testing.T) {
			f, clock := newSlow(t, func(c *Config) { c.Limits.Cost, c.Limits.EventRate = 5, 1 }) // 10 at once
			f.tokens.set("carl", &auth.Principal{Name: "carl", Groups: []string{"admins"}})
			next := open(f)
			eventually(t, "it is open", func() bool { return f.schema.newestReaders() == 1 })
			for i := range 10 {
				f.schema.publish(i)
				if got := next(); !strings.Contains(got, fmt.Sprintf(`"newest":%d}`, i)) {
					t.Fatalf("event %d: %s", i, got)
				}
			}
			f.schema.publish(100)
			eventually(t, "the eleventh waits", func() bool { return f.metric("kairship_graphql_delayed_events_total") == "1" })
			for i := range 100 {
				f.schema.publish(101 + i)
			}
			if a := f.query("{who}"); a.Data["who"] != "ann" {
				t.Errorf("a query of the same person: %s", a.raw)
			}
			clock.add(time.Second)
			if got := next(); !strings.Contains(got, `"newest":200}`) {
				t.Errorf("then: %s", got)
			}
			// An event is counted when it has been written, which may be after it has been read.
			eventually(t, "eleven events were sent", func() bool { return f.metric("kairship_graphql_subscription_events_total") == "11" })
		})
	}
}

func TestASubscriptionFollowsOneField(t *testing.T) {
	f := newFixture(t)
	for _, query := range []string{"subscription{a:ticks b:ticks}", "subscription{ticks @skip(if:true)}"} {
		if got := f.admitted().send(subscribe("1", query)).next(); !strings.Contains(got, `"type":"error"`) || !strings.Contains(got, `"BAD_USER_INPUT"`) || !strings.Contains(got, "exactly one field") {
			t.Errorf("%s: %s", query, got)
		}
	}
}
