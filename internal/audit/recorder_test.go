package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// book is a store that does as it is told.
type book struct {
	mu      sync.Mutex
	events  []Event
	batches []int
	// fail is asked for every attempt; nil never fails.
	fail func(context.Context, []Event) error
}

func (b *book) AppendAudit(ctx context.Context, events []Event) error {
	b.mu.Lock()
	fail := b.fail
	b.mu.Unlock()
	if fail != nil {
		if err := fail(ctx, events); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, events...)
	b.batches = append(b.batches, len(events))
	return nil
}

func (b *book) setFail(fail func(context.Context, []Event) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = fail
}

func (b *book) names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, e := range b.events {
		out = append(out, e.Object.Name)
	}
	return out
}

// lines is a log as its lines.
type lines struct {
	mu  sync.Mutex
	raw bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.raw.Write(p)
}

// with gives the lines with a message.
func (l *lines) with(t *testing.T, message string) []map[string]any {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []map[string]any
	for line := range strings.Lines(l.raw.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(fmt.Sprint(fields["msg"]), message) {
			out = append(out, fields)
		}
	}
	return out
}

type recorded struct {
	*Recorder
	store    *book
	log      *lines
	registry *prometheus.Registry
}

// lost is how many events were lost to the store, by why.
func (r recorded) lost(why string) int {
	return counted(r.metrics.lost.WithLabelValues(why))
}

func counted(c prometheus.Counter) int {
	var m dto.Metric
	if err := c.Write(&m); err != nil {
		return -1
	}
	return int(m.GetCounter().GetValue())
}

func newRecorded(o RecorderOptions) recorded {
	r := recorded{store: &book{}, log: &lines{}, registry: prometheus.NewRegistry()}
	o.Logger, o.Metrics = slog.New(slog.NewJSONHandler(r.log, nil)), r.registry
	r.Recorder = NewRecorder(r.store, o)
	return r
}

func (r recorded) close(t *testing.T, within time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return r.Close(ctx)
}

func named(name string) Event { return Event{Object: model.Ref{Name: name}, Outcome: Succeeded} }

var errAway = errors.New("the database is away")

func away(context.Context, []Event) error { return errAway }

func TestAnEventIsInTheLogAtOnceAndInTheStoreSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorded(RecorderOptions{})
		e := Event{Principal: "kairship:oidc:ada", Groups: []string{"kairship:oidc:ops"}, Remote: "192.0.2.1:5", UserAgent: "curl", Action: "scaleWorkload",
			Via: ViaGraphQL, DryRun: true, RequestID: "r-1", Outcome: Refused, Code: "FORBIDDEN", Message: "no: Bearer " + canary, Duration: time.Second,
			Object: model.Ref{Instance: "asia", Cluster: "c", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web"}}
		r.Record(t.Context(), e)
		got := r.log.with(t, "audit")
		if len(got) != 1 {
			t.Fatalf("the log has %d lines", len(got))
		}
		for key, want := range map[string]any{"principal": "kairship:oidc:ada", "remote": "192.0.2.1:5", "userAgent": "curl", "action": "scaleWorkload", "via": "GRAPHQL",
			"instance": "asia", "cluster": "c", "group": "apps", "version": "v1", "kind": "Deployment", "namespace": "shop", "name": "web",
			"dryRun": true, "requestId": "r-1", "outcome": "REFUSED", "code": "FORBIDDEN", "message": "no: Bearer " + redact.Mark} {
			if got[0][key] != want {
				t.Errorf("%s is %v, want %v", key, got[0][key], want)
			}
		}
		time.Sleep(time.Second) // of the fake clock
		synctest.Wait()
		if len(r.store.events) != 1 {
			t.Fatalf("the store has %d events", len(r.store.events))
		}
		stored := r.store.events[0]
		id, err := uuid.Parse(stored.ID)
		if err != nil || id.Version() != 7 || stored.ID != got[0]["auditId"] {
			t.Errorf("the id is %q, in the log %v", stored.ID, got[0]["auditId"])
		}
		if stored.At.IsZero() || stored.At.Location() != time.UTC || strings.Contains(stored.Message, canary) {
			t.Errorf("stored was %+v", stored)
		}
		if n := counted(r.metrics.events.WithLabelValues("GRAPHQL", "REFUSED")); n != 1 {
			t.Errorf("%d events are counted", n)
		}
		if err := r.close(t, time.Second); err != nil {
			t.Error(err)
		}
	})
}

func TestIDsSortByTime(t *testing.T) {
	var ids []string
	for range 1000 {
		ids = append(ids, newID())
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 1000 {
		t.Error("ids are not in order, or not each its own")
	}
}

func TestEventsAreStoredInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorded(RecorderOptions{Batch: 10})
		for i := range 25 {
			r.Record(t.Context(), named(fmt.Sprint(i)))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if !slices.Equal(r.store.batches, []int{10, 10, 5}) {
			t.Errorf("the batches are of %v events", r.store.batches)
		}
		_ = r.close(t, time.Second)
	})
}

func TestWhatAMutationDidIsRecordedHoweverItEnds(t *testing.T) {
	for name, test := range map[string]struct {
		do     func(context.Context, *Entry) Result
		panics bool
		want   Result
	}{
		"with success": {do: func(context.Context, *Entry) Result { return ResultOf(nil) }, want: Result{Outcome: Succeeded}},
		"with a refusal": {do: func(context.Context, *Entry) Result {
			return ResultOf(&model.Error{Code: model.CodeForbidden, Message: "no"})
		}, want: Result{Refused, "FORBIDDEN", "no"}},
		"with a panic": {do: func(context.Context, *Entry) Result {
			panic(errAway) //nolint:forbidigo // what resolvers must not do
		}, panics: true, want: panicked},
		"with its own ending": {do: func(_ context.Context, e *Entry) Result { e.End(ResultOfStatus(201, "")); return ResultOf(errAway) }, want: Result{Succeeded, "201", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRecorded(RecorderOptions{})
				// The client is gone before it begins.
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				func() {
					defer func() {
						if p := recover(); (p != nil) != test.panics {
							t.Errorf("recovered %v", p)
						}
					}()
					r.Around(ctx, named("web"), func(ctx context.Context, e *Entry) Result {
						if n := len(r.log.with(t, "audit begun")); n != 1 {
							t.Errorf("%d lines announce it", n)
						}
						time.Sleep(3 * time.Second)
						return test.do(ctx, e)
					})
				}()
				if err := r.close(t, time.Second); err != nil {
					t.Fatal(err)
				}
				if len(r.store.events) != 1 || len(r.log.with(t, "audit")) != 2 {
					t.Fatalf("the store has %d events, the log %d lines", len(r.store.events), len(r.log.with(t, "audit")))
				}
				e := r.store.events[0]
				if got := (Result{e.Outcome, e.Code, e.Message}); got != test.want || e.Duration != 3*time.Second {
					t.Errorf("got %+v after %s, want %+v", got, e.Duration, test.want)
				}
			})
		})
	}
}

func TestAnEntryTellsOfSeveralObjectsAndHidesTheirValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorded(RecorderOptions{})
		r.Around(t.Context(), Event{Action: "applyManifests", RequestID: "r"}, func(_ context.Context, e *Entry) Result {
			e.About(model.Ref{Instance: "asia"})
			e.Hide("hunter2-canary")
			e.Object(model.Ref{Instance: "asia", Namespace: "shop", Name: "db"}, Result{Failed, "BAD_USER_INPUT", "it has hunter2-canary"})
			e.Object(model.Ref{Instance: "asia", Namespace: "shop", Name: "web"}, Result{Outcome: Succeeded})
			return Result{Failed, "BAD_USER_INPUT", "one failed: hunter2-canary"}
		})
		if err := r.close(t, time.Second); err != nil {
			t.Fatal(err)
		}
		if got := r.store.names(); !slices.Equal(got, []string{"db", "web", ""}) {
			t.Fatalf("got events of %q", got)
		}
		ids := map[string]bool{}
		for _, e := range r.store.events {
			ids[e.ID] = true
			if e.RequestID != "r" || e.Action != "applyManifests" || e.Object.Instance != "asia" {
				t.Errorf("an event says too little: %+v", e)
			}
		}
		if len(ids) != 3 {
			t.Errorf("ids are shared: %v", ids)
		}
		if strings.Contains(r.log.raw.String()+fmt.Sprint(r.store.events), "hunter2-canary") {
			t.Error("a hidden value is in the log or in the store")
		}
	})
}

func TestWhatDidNotEndWellForAllObjectsIsNoSuccess(t *testing.T) {
	well, refused, wrong := Result{Outcome: Succeeded}, Result{Refused, "FORBIDDEN", "not allowed"}, Result{Failed, "BAD_USER_INPUT", "no such field"}
	for name, tc := range map[string]struct {
		objects    []Result
		end, want  Result
		someFailed bool
	}{
		"all well":           {[]Result{well, well}, well, well, false},
		"one refused":        {[]Result{well, refused, well}, well, Result{Refused, "FORBIDDEN", "1 of 3 objects: not allowed"}, true},
		"the first one says": {[]Result{wrong, refused}, well, Result{Failed, "BAD_USER_INPUT", "2 of 2 objects: no such field"}, true},
		"as a whole, too":    {[]Result{refused}, wrong, wrong, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRecorded(RecorderOptions{})
				r.Around(t.Context(), Event{Action: "applyManifests"}, func(_ context.Context, e *Entry) Result {
					for _, o := range tc.objects {
						e.Object(model.Ref{Instance: "asia", Name: "o"}, o)
					}
					if e.Unsuccessful() != tc.someFailed {
						t.Errorf("unsuccessful: %v", e.Unsuccessful())
					}
					return tc.end
				})
				if err := r.close(t, time.Second); err != nil {
					t.Fatal(err)
				}
				e := r.store.events[len(r.store.events)-1]
				if got := (Result{e.Outcome, e.Code, e.Message}); got != tc.want {
					t.Errorf("got %+v, want %+v", got, tc.want)
				}
			})
		})
	}
}

func TestWhileTheDatabaseIsAwayNothingBlocksAndNothingIsLostSilently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorded(RecorderOptions{Queue: 100, Batch: 10, Wait: 50 * time.Millisecond})
		r.store.setFail(away)
		// The first batch fails: from then on it is known.
		for i := range 10 {
			r.Record(t.Context(), named(fmt.Sprintf("first-%d", i)))
		}
		synctest.Wait()
		began := time.Now()
		for i := range 500 {
			r.Record(t.Context(), named(fmt.Sprintf("more-%d", i)))
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("requests waited for %s", took)
		}
		if n := len(r.log.with(t, "audit")); n < 510 {
			t.Errorf("the log has %d of 510 events", n)
		}
		if r.lost(lostQueueFull) != 400 {
			t.Errorf("%d events are counted as lost, want 400", r.lost(lostQueueFull))
		}
		if n, m := len(r.log.with(t, "audit events wait")), len(r.log.with(t, "audit events are lost")); n != 1 || m > 1 {
			t.Errorf("it is said %d and %d times", n, m)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := len(r.log.with(t, "audit events wait")); n < 2 || n > 4 {
			t.Errorf("in a minute it is said %d times", n)
		}
		r.store.setFail(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := r.store.names(); len(got) != 110 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 110 {
			t.Errorf("the store has %d events, want those 110 that had room", len(got))
		}
		if len(r.log.with(t, "audit events are stored again")) != 1 {
			t.Error("nobody says that it is over")
		}
		if err := r.close(t, time.Second); err != nil {
			t.Error(err)
		}
	})
}

func TestABurstWaitsAMomentForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorded(RecorderOptions{Queue: 1, Batch: 1, Wait: 50 * time.Millisecond})
		// The store is slow, but not as slow as that.
		r.store.setFail(func(context.Context, []Event) error { time.Sleep(20 * time.Millisecond); return nil })
		for i := range 20 {
			r.Record(t.Context(), named(fmt.Sprint(i)))
		}
		if err := r.close(t, time.Second); err != nil || len(r.store.events) != 20 {
			t.Fatalf("%d of 20 events are stored, %v", len(r.store.events), err)
		}

		slow := newRecorded(RecorderOptions{Queue: 1, Batch: 1, Wait: 50 * time.Millisecond})
		slow.store.setFail(func(context.Context, []Event) error { time.Sleep(time.Hour); return nil })
		began := time.Now()
		for i := range 4 {
			slow.Record(t.Context(), named(fmt.Sprint(i)))
		}
		// One is being stored, one waits in the queue.
		if took := time.Since(began); took != 2*50*time.Millisecond || slow.lost(lostQueueFull) != 2 {
			t.Errorf("it took %s, %d were lost", took, slow.lost(lostQueueFull))
		}
		_ = slow.close(t, 3*time.Hour)
	})
}

type never struct{ error }

func (never) Permanent() bool { return true }

func TestAnEventThatTheStoreRefusesTakesNoOtherWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorded(RecorderOptions{})
		r.store.setFail(func(_ context.Context, events []Event) error {
			if slices.ContainsFunc(events, func(e Event) bool { return e.Object.Name == "bad" }) {
				return fmt.Errorf("storing: %w", never{errAway})
			}
			return nil
		})
		for _, name := range []string{"a", "b", "bad", "c", "d", "e", "f"} {
			r.Record(t.Context(), named(name))
		}
		if err := r.close(t, time.Minute); err != nil {
			t.Fatal(err)
		}
		if got := r.store.names(); !slices.Equal(got, []string{"a", "b", "c", "d", "e", "f"}) {
			t.Errorf("stored are %v", got)
		}
		if r.lost(lostRefused) != 1 || len(r.log.with(t, "audit events are lost")) != 1 {
			t.Errorf("%d events are counted as refused, said %d times", r.lost(lostRefused), len(r.log.with(t, "audit events are lost")))
		}
	})
}

func TestCloseStoresWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorded(RecorderOptions{Batch: 10})
		failures := 3
		r.store.setFail(func(context.Context, []Event) error {
			if failures--; failures >= 0 {
				return errAway
			}
			return nil
		})
		for i := range 95 {
			r.Record(t.Context(), named(fmt.Sprint(i)))
		}
		if err := r.close(t, 10*time.Second); err != nil || len(r.store.events) != 95 {
			t.Errorf("%d of 95 events are stored, %v", len(r.store.events), err)
		}
		r.Record(t.Context(), named("late"))
		if r.lost(lostAtEnd) != 1 || len(r.log.with(t, "audit")) < 96 {
			t.Error("what comes after Close is not said to be lost, or not in the log")
		}
		// A second Close harms nobody.
		_ = r.close(t, time.Second)
	})
}

func TestCloseGivesUpInTimeAndSaysWhatIsLost(t *testing.T) {
	for name, fail := range map[string]func(context.Context, []Event) error{
		"when every attempt fails": away,
		"when attempts hang":       func(ctx context.Context, _ []Event) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRecorded(RecorderOptions{Batch: 10})
				r.store.setFail(fail)
				for i := range 95 {
					r.Record(t.Context(), named(fmt.Sprint(i)))
				}
				began := time.Now()
				err := r.close(t, 5*time.Second)
				if err == nil || !strings.HasPrefix(err.Error(), "95 audit events") || r.lost(lostAtEnd) != 95 {
					t.Errorf("%v; %d are counted", err, r.lost(lostAtEnd))
				}
				if took := time.Since(began); took > 6*time.Second {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

func TestWithoutAStoreTheLogIsAllThereIs(t *testing.T) {
	log := &lines{}
	r := NewRecorder(nil, RecorderOptions{Logger: slog.New(slog.NewJSONHandler(log, nil))})
	r.Record(t.Context(), named("web"))
	if err := r.Close(t.Context()); err != nil || len(log.with(t, "audit")) != 1 {
		t.Errorf("%v; the log has %d lines", err, len(log.with(t, "audit")))
	}
}

func TestResults(t *testing.T) {
	for name, test := range map[string]struct{ got, want Result }{
		"no error":                {ResultOf(nil), Result{Succeeded, "", ""}},
		"forbidden":               {ResultOf(fmt.Errorf("x: %w", &model.Error{Code: model.CodeForbidden, Message: "no"})), Result{Refused, "FORBIDDEN", "no"}},
		"a limit":                 {ResultOf(&model.Error{Code: model.CodeLimitExceeded, Message: "no"}), Result{Refused, "LIMIT_EXCEEDED", "no"}},
		"a cause stays inside":    {ResultOf(&model.Error{Code: model.CodeUnavailable, Message: "away", Err: errAway}), Result{Failed, "UNAVAILABLE", "away"}},
		"an error of nobody's":    {ResultOf(errAway), Result{Failed, "INTERNAL", "internal error"}},
		"the client gave up":      {ResultOf(context.Canceled), Result{Failed, "CANCELED", "the client gave up"}},
		"too late":                {ResultOf(context.DeadlineExceeded), Result{Failed, "TIMEOUT", "it did not end in time"}},
		"no user errors":          {ResultOfUserErrors(nil), Result{Succeeded, "", ""}},
		"user errors":             {ResultOfUserErrors([]model.UserError{{Code: "FORBIDDEN", Message: "a"}, {Code: "CONFLICT", Message: "b"}}), Result{Refused, "FORBIDDEN", "a; b"}},
		"a status of success":     {ResultOfStatus(201, ""), Result{Succeeded, "201", ""}},
		"a switch of protocols":   {ResultOfStatus(101, ""), Result{Succeeded, "101", ""}},
		"a status of refusal":     {ResultOfStatus(403, "no"), Result{Refused, "403", "no"}},
		"a status of failure":     {ResultOfStatus(409, "no"), Result{Failed, "409", "no"}},
		"no status, client left":  {ResultOfStatus(499, ""), Result{Failed, "499", ""}},
		"no status at all":        {ResultOfStatus(0, ""), Result{Failed, "0", ""}},
		"a status of the proxy's": {ResultOfStatus(503, "away"), Result{Failed, "503", "away"}},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %+v, want %+v", name, test.got, test.want)
		}
	}
}

// What is kept is in the store before anybody goes on, and in the log then; what the store does not take is told, so that it is tried again.
func TestWhatIsKeptIsStoredOrAnError(t *testing.T) {
	e := named("a")
	e.ID = newID()
	for name, tc := range map[string]struct {
		append       func(context.Context, []Event) error
		stored, said int
		lost         int
		fails        bool
	}{
		"the store takes it":       {nil, 1, 1, 0, false},
		"the store is away":        {away, 0, 0, 0, true},
		"the store never takes it": {func(context.Context, []Event) error { return never{} }, 0, 1, 1, false},
	} {
		r := newRecorded(RecorderOptions{})
		r.store.setFail(tc.append)
		if err := r.Keep(t.Context(), e); (err != nil) != tc.fails {
			t.Errorf("%s: %v", name, err)
		}
		if stored, said := len(r.store.names()), len(r.log.with(t, "audit")); stored != tc.stored || r.lost(lostRefused) != tc.lost || said < tc.said || tc.said == 0 && said > 0 {
			t.Errorf("%s: %d stored, %d in the log, %d refused", name, stored, said, r.lost(lostRefused))
		}
		if err := r.close(t, time.Second); err != nil {
			t.Error(err)
		}
	}
	log := &lines{}
	alone := NewRecorder(nil, RecorderOptions{Logger: slog.New(slog.NewJSONHandler(log, nil))})
	if err := alone.Keep(t.Context(), e); err != nil || len(log.with(t, "audit")) != 1 {
		t.Errorf("without a store: %v, and %d lines", err, len(log.with(t, "audit")))
	}
}
