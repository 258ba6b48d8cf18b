package database

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/database/databasetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// everyCall makes each call that asks the database something.
func everyCall(ctx context.Context, l *DB) map[string]error {
	later := time.Now().Add(time.Hour)
	out := map[string]error{}
	note := func(name string, err error) { out[name] = err }
	note("Ping", l.Ping(ctx))
	_, err := l.Version(ctx)
	note("Version", err)
	note("Revoke", l.Revoke(ctx, Ended{ID: "a", ExpiresAt: later}))
	_, err = l.Revoked(ctx, "a")
	note("Revoked", err)
	_, _, err = l.RevokedSince(ctx, time.Time{})
	note("RevokedSince", err)
	note("EndSession", l.EndSession(ctx, Ended{ID: "a", ExpiresAt: later}))
	_, err = l.SessionEnded(ctx, "a")
	note("SessionEnded", err)
	_, _, err = l.SessionsEndedSince(ctx, time.Time{})
	note("SessionsEndedSince", err)
	_, err = l.SawEvent(ctx, "a", later)
	note("SawEvent", err)
	note("ForgetEvent", l.ForgetEvent(ctx, "a"))
	_, err = l.SourcePosition(ctx, "a")
	note("SourcePosition", err)
	note("UpdateSource", l.UpdateSource(ctx, "a", func(context.Context, *Source) error { return nil }))
	_, err = l.BeginRun(ctx, idempotency.Attempt{ID: "a", Run: "1", Input: "b"})
	note("BeginRun", err)
	note("EndRun", l.EndRun(ctx, idempotency.Attempt{ID: "a", Run: "1", Input: "b"}, true))
	_, err = l.CleanUp(ctx)
	note("CleanUp", err)
	note("AppendAudit", l.AppendAudit(ctx, []audit.Event{{ID: uuid.NewString(), At: time.Now()}}))
	_, err = l.AuditPage(ctx, audit.Query{Partitions: []audit.Partition{{}}, Limit: 1})
	note("AuditPage", err)
	_, err = l.AuditSelections(ctx, audit.SelectionQuery{Namespaces: []string{""}, Scan: 1, Limit: 1})
	note("AuditSelections", err)
	_, err = l.NthAudit(ctx, 0)
	note("NthAudit", err)
	_, err = l.PruneAudit(ctx, audit.Position{At: time.Now(), ID: uuid.Max.String()}, 1)
	note("PruneAudit", err)
	return out
}

// table is one of the two that hold what was ended.
type table struct {
	end   func(context.Context, Ended) error
	known func(context.Context, string) (bool, error)
	since func(context.Context, time.Time) ([]Ended, time.Time, error)
	name  string
}

func tables(l *DB) map[string]table {
	return map[string]table{
		"tokens":   {l.Revoke, l.Revoked, l.RevokedSince, "kairship.revoked_tokens"},
		"sessions": {l.EndSession, l.SessionEnded, l.SessionsEndedSince, "kairship.sessions_ended"},
	}
}

func TestWhatWasEndedIsKnownToEverybody(t *testing.T) {
	l := fresh(t)
	for name, table := range tables(l) {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if ended, err := table.known(ctx, "a"); err != nil || ended {
				t.Fatalf("an id that nobody ended is ended: %t, %v", ended, err)
			}
			expires := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
			want := []Ended{{ID: "a", ExpiresAt: expires, By: "kairship:oidc:ada"}, {ID: "b';--", ExpiresAt: expires, By: ""}}
			for _, e := range want {
				if err := table.end(ctx, e); err != nil {
					t.Fatal(err)
				}
			}
			// Again, by another one: the first stays.
			if err := table.end(ctx, Ended{ID: "a", ExpiresAt: expires.Add(time.Hour), By: "other"}); err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"a", "b';--"} {
				if ended, err := table.known(ctx, id); err != nil || !ended {
					t.Errorf("%s is not ended: %v", id, err)
				}
			}
			got, next, err := table.since(ctx, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Ended{}, "At")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got[0].At.IsZero() || got[0].At.After(next) {
				t.Errorf("noted at %s, next is %s", got[0].At, next)
			}
		})
	}
}

func TestSinceLeavesOutWhatIsOldAndReadsPageByPage(t *testing.T) {
	l := fresh(t)
	for name, table := range tables(l) {
		t.Run(name, func(t *testing.T) {
			exec(t, l, "INSERT INTO "+table.name+" SELECT 'old' || i, now() + interval '1 day', now() - interval '1 hour', '' FROM generate_series(1, $1::int) i", 2*endedPage+7)
			all, next, err := table.since(t.Context(), time.Time{})
			if err != nil || len(all) != 2*endedPage+7 {
				t.Fatalf("got %d, %v", len(all), err)
			}
			if err := table.end(t.Context(), Ended{ID: "new", ExpiresAt: time.Now().Add(time.Hour)}); err != nil {
				t.Fatal(err)
			}
			fresh, _, err := table.since(t.Context(), next)
			if err != nil || len(fresh) != 1 || fresh[0].ID != "new" {
				t.Errorf("got %v, %v", fresh, err)
			}
			// What was noted before, and committed only after the call before this one, is given too.
			exec(t, l, "INSERT INTO "+table.name+" VALUES ('late', now() + interval '1 day', $1, '')", next.Add(-30*time.Second))
			fresh, _, err = table.since(t.Context(), next)
			if err != nil || len(fresh) != 2 || fresh[0].ID != "late" {
				t.Errorf("got %v, %v", fresh, err)
			}
		})
	}
}

func TestWhatCannotBeAnIDIsRefused(t *testing.T) {
	l := fresh(t)
	for name, id := range map[string]string{"nothing": "", "too long": strings.Repeat("a", maxID+1)} {
		_, first := l.SawEvent(t.Context(), id, time.Now().Add(time.Hour))
		_, known := l.Revoked(t.Context(), id)
		_, position := l.SourcePosition(t.Context(), id)
		for call, err := range map[string]error{"Revoke": l.Revoke(t.Context(), Ended{ID: id}), "Revoked": known, "SawEvent": first,
			"ForgetEvent": l.ForgetEvent(t.Context(), id), "SourcePosition": position,
			"UpdateSource": l.UpdateSource(t.Context(), id, func(context.Context, *Source) error { return nil })} {
			if code(err) != model.CodeBadUserInput {
				t.Errorf("%s of %s: %v", call, name, err)
			}
		}
	}
	if _, err := l.SawEvent(t.Context(), "a", time.Time{}); code(err) != model.CodeBadUserInput {
		t.Errorf("no time: %v", err)
	}
	if err := l.Revoke(t.Context(), Ended{ID: "a", By: strings.Repeat("a", maxBy+1)}); code(err) != model.CodeBadUserInput {
		t.Errorf("a long name: %v", err)
	}
	// PostgreSQL has no zero bytes.
	if err := l.Revoke(t.Context(), Ended{ID: "a\x00", ExpiresAt: time.Now()}); code(err) != model.CodeInternal {
		t.Errorf("a zero byte: %v", err)
	}
}

func TestAnEventIsFirstOnceWhoeverAsks(t *testing.T) {
	l := fresh(t)
	other := open(t, l.pool.Config().ConnString())
	var first atomic.Int32
	together(20, func(i int) {
		by := []*DB{l, other}[i%2]
		ok, err := by.SawEvent(t.Context(), "event", time.Now().Add(time.Hour))
		if err != nil {
			t.Error(err)
		}
		if ok {
			first.Add(1)
		}
	})
	if first.Load() != 1 {
		t.Errorf("%d callers were the first", first.Load())
	}
	if err := l.ForgetEvent(t.Context(), "event"); err != nil {
		t.Fatal(err)
	}
	if ok, err := l.SawEvent(t.Context(), "event", time.Now().Add(time.Hour)); err != nil || !ok {
		t.Errorf("what was forgotten is not new: %v", err)
	}
	exec(t, l, "UPDATE kairship.seen_events SET expires_at = now() - interval '1 second'")
	if ok, err := l.SawEvent(t.Context(), "event", time.Now().Add(time.Hour)); err != nil || !ok {
		t.Errorf("what has expired is not new: %v", err)
	}
	if ok, err := l.SawEvent(t.Context(), "event", time.Now().Add(time.Hour)); err != nil || ok {
		t.Errorf("what was noted anew is new: %v", err)
	}
}

func TestASourceIsUpdatedByOneAtATimeAndWhollyOrNotAtAll(t *testing.T) {
	l := fresh(t)
	other := open(t, l.pool.Config().ConnString())
	ctx, until := t.Context(), time.Now().Add(time.Hour)
	var within, most atomic.Int32
	together(10, func(i int) {
		err := []*DB{l, other}[i%2].UpdateSource(ctx, "global", func(ctx context.Context, s *Source) error {
			if n := within.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer within.Add(-1)
			p := s.Position()
			p.Sequence++
			return s.SetPosition(ctx, p)
		})
		if err != nil {
			t.Error(err)
		}
	})
	if got, err := l.SourcePosition(ctx, "global"); err != nil || got.Sequence != 10 || most.Load() != 1 {
		t.Fatalf("got %+v, %v; %d at once", got, err, most.Load())
	}

	own := errors.New("the host cluster is away")
	err := l.UpdateSource(ctx, "global", func(ctx context.Context, s *Source) error {
		if first, err := s.SawEvent(ctx, "e1", until); err != nil || !first {
			t.Errorf("e1: %t, %v", first, err)
		}
		if err := s.SetPosition(ctx, Position{Sequence: 99, Behind: true}); err != nil {
			t.Error(err)
		}
		return own
	})
	if err != own { //nolint:errorlint // it has to come back as it is
		t.Errorf("got %v", err)
	}
	want := Position{Sequence: 11, FullSync: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Behind: true}
	err = l.UpdateSource(ctx, "global", func(ctx context.Context, s *Source) error {
		if first, err := s.SawEvent(ctx, "e1", until); err != nil || !first {
			t.Errorf("what was not kept was seen: %t, %v", first, err)
		}
		if first, err := s.SawEvent(ctx, "e1", until); err != nil || first {
			t.Errorf("an event is first twice: %v", err)
		}
		return s.SetPosition(ctx, want)
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := other.SourcePosition(ctx, "global")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if first, err := other.SawEvent(ctx, "e1", until); err != nil || first {
		t.Errorf("what was kept was not seen: %v", err)
	}
	if got, err := l.SourcePosition(ctx, "unknown"); err != nil || got != (Position{}) {
		t.Errorf("an unknown source is at %+v, %v", got, err)
	}
}

func TestWaitingForASourceEndsWithItsContext(t *testing.T) {
	l := fresh(t)
	err := l.UpdateSource(t.Context(), "global", func(ctx context.Context, _ *Source) error {
		ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		inner := l.UpdateSource(ctx, "global", func(context.Context, *Source) error { return errors.New("it was not alone") })
		if code(inner) != model.CodeTimeout {
			t.Errorf("got %v", inner)
		}
		// Another source does not wait.
		return l.UpdateSource(t.Context(), "other", func(context.Context, *Source) error { return nil })
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWhatHasExpiredIsRemovedAfterAnHourInBatches(t *testing.T) {
	l := fresh(t)
	names := []string{"kairship.revoked_tokens", "kairship.sessions_ended", "kairship.seen_events"}
	for _, name := range names {
		columns, values := "id, expires_at, at, by", ", now(), ''"
		if name == "kairship.seen_events" {
			columns, values = "id, expires_at", ""
		}
		exec(t, l, "INSERT INTO "+name+" ("+columns+") SELECT 'old' || i, now() - interval '61 minutes'"+values+" FROM generate_series(1, $1::int) i", 2*cleanBatch+1)
		exec(t, l, "INSERT INTO "+name+" ("+columns+") VALUES ('just', now() - interval '50 minutes'"+values+"), ('valid', now() + interval '1 minute'"+values+")")
	}
	held := open(t, l.pool.Config().ConnString())
	err := held.alone(t.Context(), cleanLock, func(pgx.Tx) error {
		if n, err := l.CleanUp(t.Context()); err != nil || n != 0 {
			t.Errorf("beside another replica %d were removed, %v", n, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := l.CleanUp(t.Context()); err != nil || n != int64(3*(2*cleanBatch+1)) {
		t.Errorf("%d were removed, %v", n, err)
	}
	for _, name := range names {
		if n := count(t, l, name); n != 2 {
			t.Errorf("%s has %d rows", name, n)
		}
	}
}

func TestTheDatabaseMayGoAndComeBack(t *testing.T) {
	server := databasetest.Start(t)
	l := open(t, server.Database(t))
	if _, err := l.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	server.Stop(t)
	if err := l.Revoke(t.Context(), Ended{ID: "a", ExpiresAt: time.Now().Add(time.Hour)}); code(err) != model.CodeUnavailable {
		t.Errorf("got %v", err)
	}
	server.Start(t)
	testenv.Eventually(t, func() string {
		if err := l.Revoke(t.Context(), Ended{ID: "a", ExpiresAt: time.Now().Add(time.Hour)}); err != nil {
			return err.Error()
		}
		return ""
	})
}
