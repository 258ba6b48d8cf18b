package globalmanagement

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

// TestEventsTakeEffectOnceAndInOrder tells stories of one source: what is sent, what is answered, and what
// there is then.
func TestEventsTakeEffectOnceAndInOrder(t *testing.T) {
	type step struct {
		what     string
		id       string
		kind     event.Type
		sequence int64
		said     []string
		outcome  string
		reason   reason // when it is refused
		last     int64
		resync   bool
		then     []string
	}
	up, down, full := event.BindingUpserted, event.BindingRemoved, event.SyncFull
	for _, tt := range []struct {
		name  string
		steps []step
		gaps  float64
	}{
		{name: "in order", steps: []step{
			{"given", "e1", up, 1, []string{"alice Viewer asia"}, outcomeApplied, "", 1, false, []string{"alice Viewer asia"}},
			{"limited", "e2", up, 2, []string{"alice Viewer asia shop"}, outcomeApplied, "", 2, false, []string{"alice Viewer asia shop"}},
			{"taken", "e3", down, 3, []string{"alice Viewer asia"}, outcomeApplied, "", 3, false, []string{}},
		}},
		{name: "sent again", steps: []step{
			{"given", "e1", up, 1, []string{"alice Viewer asia"}, outcomeApplied, "", 1, false, []string{"alice Viewer asia"}},
			{"taken", "e2", down, 2, []string{"alice Viewer asia"}, outcomeApplied, "", 2, false, []string{}},
			{"given, again", "e1", up, 1, []string{"alice Viewer asia"}, outcomeDuplicate, "", 2, false, []string{}},
			{"taken, again", "e2", down, 2, []string{"alice Viewer asia"}, outcomeDuplicate, "", 2, false, []string{}},
		}},
		{name: "an id that was used for something else", steps: []step{
			{"given", "e1", up, 1, []string{"alice Viewer asia"}, outcomeApplied, "", 1, false, []string{"alice Viewer asia"}},
			{"other bindings", "e1", up, 1, []string{"alice Admin asia"}, "", reasonIDReused, 0, false, []string{"alice Viewer asia"}},
			{"another sequence", "e1", up, 2, []string{"alice Viewer asia"}, "", reasonIDReused, 0, false, []string{"alice Viewer asia"}},
			{"a new id", "e2", up, 2, []string{"bob Viewer asia"}, outcomeApplied, "", 2, false, []string{"alice Viewer asia", "bob Viewer asia"}},
		}},
		{name: "overtaken", gaps: 1, steps: []step{
			{"taken, before it is given", "e2", down, 2, []string{"alice Viewer asia"}, outcomeApplied, "", 2, true, []string{}},
			{"given, late", "e1", up, 1, []string{"alice Viewer asia"}, outcomeIgnored, "", 2, true, []string{}},
			{"another event of the same number", "e2b", up, 2, []string{"alice Viewer asia"}, outcomeIgnored, "", 2, true, []string{}},
			{"the next is applied, and the gap not forgotten", "e3", up, 3, []string{"bob Viewer asia"}, outcomeApplied, "", 3, true, []string{"bob Viewer asia"}},
			{"everything", "e4", full, 4, []string{"carol Viewer asia"}, outcomeApplied, "", 4, false, []string{"carol Viewer asia"}},
			{"and on", "e5", up, 5, []string{"dave Viewer asia"}, outcomeApplied, "", 5, false, []string{"carol Viewer asia", "dave Viewer asia"}},
		}},
		{name: "a gap", gaps: 2, steps: []step{
			{"the first", "e1", up, 1, []string{"alice Viewer asia"}, outcomeApplied, "", 1, false, []string{"alice Viewer asia"}},
			{"the third", "e3", up, 3, []string{"carol Viewer asia"}, outcomeApplied, "", 3, true, []string{"alice Viewer asia", "carol Viewer asia"}},
			{"the ninth", "e9", up, 9, []string{"ivan Viewer asia"}, outcomeApplied, "", 9, true, []string{"alice Viewer asia", "carol Viewer asia", "ivan Viewer asia"}},
			{"the third, again", "e3", up, 3, []string{"carol Viewer asia"}, outcomeDuplicate, "", 9, true, []string{"alice Viewer asia", "carol Viewer asia", "ivan Viewer asia"}},
		}},
		{name: "everything, to begin with", steps: []step{
			{"everything", "e7", full, 7, []string{"alice Viewer asia"}, outcomeApplied, "", 7, false, []string{"alice Viewer asia"}},
			{"an older everything", "e6", full, 6, nil, outcomeIgnored, "", 7, false, []string{"alice Viewer asia"}},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			for _, s := range tt.steps {
				out := b.send(t, b.event(s.id, s.kind, s.sequence, s.said...))
				if out.Outcome != s.outcome || out.Error.Reason != s.reason || out.Sequence != s.last || out.Resync != s.resync {
					t.Errorf("%s: want %s %s %d %v, got %d: %s", s.what, s.outcome, s.reason, s.last, s.resync, out.status, out.text)
				}
				if diff := cmp.Diff(s.then, b.said(t)); diff != "" {
					t.Errorf("%s: bindings (-want +got):\n%s", s.what, diff)
				}
			}
			if got := b.metric(t, "gaps_total", "source="+b.source); got != tt.gaps {
				t.Errorf("want %v gaps, got %v", tt.gaps, got)
			}
		})
	}
}

func TestACapturedRequestIsRefused(t *testing.T) {
	b := newBench(t)
	text := body(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	captured := func() *http.Request {
		r := b.request(text)
		r.Header.Set(HeaderTimestamp, seconds(time.Unix(1_800_000_000, 0)))
		r.Header.Set(HeaderSignature, Sign([]byte(secret), seconds(time.Unix(1_800_000_000, 0)), text))
		return r
	}
	if out := b.do(t, captured()); out.status != http.StatusOK {
		t.Fatal(out.text)
	}
	b.taken(t, b.event("e2", event.BindingRemoved, 2, "alice Viewer asia"))
	refused := func(what string, change func(*http.Request)) {
		t.Helper()
		r := captured()
		if change != nil {
			change(r)
		}
		if out := b.do(t, r); out.status != http.StatusConflict || out.Error.Reason != reasonReplayed {
			t.Errorf("%s: %d %s", what, out.status, out.text)
		}
		if got := b.said(t); len(got) != 0 {
			t.Errorf("%s: %v is back", what, got)
		}
	}
	refused("as it was", nil)
	refused("with another signature beside", func(r *http.Request) { r.Header.Add(HeaderSignature, "v1="+strings.Repeat("0", 64)) })
	refused("with other headers", func(r *http.Request) { r.Header.Set("Content-Type", "application/json;charset=utf-8") })
	b.start(t, nil)
	refused("after a restart, or in another replica", nil)
	// That does not depend on the database, which is not to be kept busy by it.
	b.journal.failing("begin")
	refused("with the database away", nil)
	b.journal.failing("")
	// As long as it would not be late, it is known.
	b.clock.SetTime(time.Unix(1_800_000_000, 0).Add(window))
	b.start(t, nil)
	refused("at the end of the window", nil)
	b.clock.Step(time.Second)
	if out := b.do(t, captured()); out.Error.Reason != reasonLate {
		t.Errorf("behind the window: %s", out.text)
	}
}

func TestWithTheDatabaseAwayNothingIsTaken(t *testing.T) {
	for _, tt := range []struct {
		step string
		// written says that the bindings are there by then; the same event again finds them so.
		written bool
	}{{"begin", false}, {"seen", false}, {"position", false}, {"setPosition", true}, {"commit", true}} {
		t.Run(tt.step, func(t *testing.T) {
			b := newBench(t)
			b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
			b.journal.failing(tt.step)
			e := b.event("e2", event.BindingUpserted, 2, "bob Viewer asia")
			b.clock.Step(time.Second)
			stamp := b.clock.Now()
			out := b.do(t, b.request(body(t, e)))
			if out.status != http.StatusServiceUnavailable || out.Error.Reason != reasonJournal || !out.Error.Retryable || out.header.Get("Retry-After") == "" ||
				strings.Contains(out.text, errDatabase.Error()) {
				t.Errorf("answer %d: %s", out.status, out.text)
			}
			if got := slices.Contains(b.said(t), "bob Viewer asia"); got != tt.written {
				t.Errorf("bob is there: %v", got)
			}
			b.journal.failing("")
			// Even as it was: it was not answered.
			b.clock.SetTime(stamp)
			if out := b.do(t, b.request(body(t, e))); out.Outcome != outcomeApplied || out.Sequence != 2 || out.Resync {
				t.Errorf("again: %d %s", out.status, out.text)
			}
			if diff := cmp.Diff([]string{"alice Viewer asia", "bob Viewer asia"}, b.said(t)); diff != "" {
				t.Errorf("bindings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOfConcurrentDuplicatesOneTakesEffect(t *testing.T) {
	b := newBench(t)
	const many = 20
	text := body(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	outcomes := make(chan string, many)
	var wait sync.WaitGroup
	for i := range many {
		// Each is signed at a time of its own, or it would be a replay.
		at := b.clock.Now().Add(time.Duration(i) * time.Second)
		wait.Go(func() {
			r := b.request(text)
			r.Header.Set(HeaderTimestamp, seconds(at))
			r.Header.Set(HeaderSignature, Sign([]byte(secret), seconds(at), text))
			outcomes <- b.do(t, r).Outcome
		})
	}
	wait.Wait()
	close(outcomes)
	got := map[string]int{}
	for o := range outcomes {
		got[o]++
	}
	if diff := cmp.Diff(map[string]int{outcomeApplied: 1, outcomeDuplicate: many - 1}, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if b.journal.most != 1 {
		t.Errorf("%d at once hold a connection of the journal", b.journal.most)
	}
	if len(b.records) != 1 || b.records[0].Outcome != OutcomeCreated {
		t.Errorf("changes: %+v", b.records)
	}
}

func TestOfTheSameRequestManyTimesAtOnceOneIsAnswered(t *testing.T) {
	b := newBench(t)
	text := body(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	var wait sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	for range 10 {
		wait.Go(func() {
			out := b.do(t, b.request(text))
			mu.Lock()
			defer mu.Unlock()
			got[out.Outcome+string(out.Error.Reason)]++
		})
	}
	wait.Wait()
	if diff := cmp.Diff(map[string]int{outcomeApplied: 1, string(reasonReplayed): 9}, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

func TestWhoWaitsTooLongForTheirTurnIsSentAway(t *testing.T) {
	b := newBench(t)
	for range maxWaiting {
		b.sources[b.source].queue <- struct{}{}
	}
	out := b.send(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	if out.status != http.StatusServiceUnavailable || out.Error.Reason != reasonBusy || !out.Error.Retryable {
		t.Errorf("answer %d: %s", out.status, out.text)
	}
	<-b.sources[b.source].queue
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
}

func TestEventsAreCounted(t *testing.T) {
	b := newBench(t)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia", "bob ? asia"))
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia", "bob ? asia"))
	b.taken(t, b.event("e2", event.SyncFull, 2, "alice Viewer asia"))
	b.taken(t, b.event("e0", event.BindingRemoved, 1, "alice Viewer asia"))
	b.journal.failing("begin")
	b.send(t, b.event("e3", event.BindingRemoved, 3, "alice Viewer asia"))
	b.journal.failing("")
	source := "source=" + b.source
	b.clock.Step(gaugesGoodFor)
	for _, tt := range []struct {
		name   string
		labels []string
		want   float64
	}{
		{"events_total", []string{source, "type=binding.upserted", "outcome=applied"}, 1},
		{"events_total", []string{source, "type=binding.upserted", "outcome=duplicate"}, 1},
		{"events_total", []string{source, "type=sync.full", "outcome=applied"}, 1},
		{"events_total", []string{source, "type=binding.removed", "outcome=ignored"}, 1},
		{"events_total", []string{source, "type=binding.removed", "outcome=JOURNAL_UNAVAILABLE"}, 1},
		{"changes_total", []string{source, "outcome=created"}, 1},
		{"changes_total", []string{source, "outcome=refused"}, 1},
		{"full_sync_age_seconds", []string{source}, 2 + gaugesGoodFor.Seconds()},
		{"bindings", []string{source}, 1},
		{"behind", []string{source}, 0},
	} {
		if got := b.metric(t, tt.name, tt.labels...); got != tt.want {
			t.Errorf("%s%v: want %v, got %v", tt.name, tt.labels, tt.want, got)
		}
	}
	// With the database away the age goes on, and who never had a full sync is infinitely behind.
	b.journal.failing("position")
	b.clock.Step(gaugesGoodFor)
	if got := b.metric(t, "full_sync_age_seconds", source); got != 2+2*gaugesGoodFor.Seconds() {
		t.Errorf("age with the database away: %v", got)
	}
	if got := fmt.Sprint(newBench(t).metric(t, "full_sync_age_seconds", "source=nobody")); got != "0" {
		t.Errorf("a source that is not configured has an age: %s", got)
	}
	fresh := newBench(t)
	if got := fmt.Sprint(fresh.metric(t, "full_sync_age_seconds", "source="+fresh.source)); got != "+Inf" {
		t.Errorf("age without a full sync: %s", got)
	}
}
