package database

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
)

func attempt(id, input string) idempotency.Attempt {
	return idempotency.Attempt{ID: id, Run: "run of " + id, Input: input}
}

func TestOfManyOneBeginsARun(t *testing.T) {
	l := fresh(t)
	var first, told atomic.Int32
	together(20, func(int) {
		before, err := l.BeginRun(t.Context(), attempt("a", "digest"))
		switch {
		case err != nil:
			t.Error(err)
		case before == nil:
			first.Add(1)
		case before.Input == "digest" && !before.Done && !before.At.IsZero():
			told.Add(1)
		}
	})
	if first.Load() != 1 || told.Load() != 19 {
		t.Errorf("%d began, %d were told of the other one", first.Load(), told.Load())
	}
}

func TestARunIsRememberedWhenItWasDoneAndForgottenWhenNot(t *testing.T) {
	l := fresh(t)
	begin := func(id, input string) (done, first bool) {
		t.Helper()
		before, err := l.BeginRun(t.Context(), attempt(id, input))
		if err != nil {
			t.Fatal(err)
		}
		return before != nil && before.Done, before == nil
	}
	for id, done := range map[string]bool{"done": true, "failed": false} {
		begin(id, "x")
		if err := l.EndRun(t.Context(), attempt(id, "x"), done); err != nil {
			t.Fatal(err)
		}
		if again, first := begin(id, "x"); again != done || first == done {
			t.Errorf("%s: done %t, first %t", id, again, first)
		}
	}
	// Who failed late does not take away what was done meanwhile.
	if err := l.EndRun(t.Context(), attempt("done", "x"), false); err != nil {
		t.Fatal(err)
	}
	if done, _ := begin("done", "x"); !done {
		t.Error("it is forgotten")
	}
	// One that nobody ended counts as none after a while.
	begin("given up", "x")
	exec(t, l, "UPDATE kairship.idempotency_keys SET expires_at = clock_timestamp() - interval '1 second' WHERE id = 'given up'")
	if _, first := begin("given up", "y"); !first {
		t.Error("a run that was given up is in the way")
	}
}

func TestRunsWhoseTimeIsOverAreRemoved(t *testing.T) {
	l := fresh(t)
	exec(t, l, "INSERT INTO kairship.idempotency_keys SELECT 'old' || i, '', true, now(), now() - interval '2 hours' FROM generate_series(1, $1::int) i", cleanBatch+1)
	if _, err := l.BeginRun(t.Context(), attempt("new", "x")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.CleanUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := count(t, l, "kairship.idempotency_keys"); n != 1 {
		t.Errorf("%d are left, want the one that was begun", n)
	}
}

// A run is told late how it ended where the database hung meanwhile: another one may have taken its place, or nobody.
func TestARunEndsItselfAlone(t *testing.T) {
	l := fresh(t)
	first, second := attempt("k", "x"), attempt("k", "x")
	second.Run = "another"
	begin := func(a idempotency.Attempt) *idempotency.Run {
		t.Helper()
		before, err := l.BeginRun(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		return before
	}
	end := func(a idempotency.Attempt, done bool) {
		t.Helper()
		if err := l.EndRun(t.Context(), a, done); err != nil {
			t.Fatal(err)
		}
	}
	begin(first)
	end(second, false)
	end(second, true)
	if before := begin(second); before == nil || before.Done {
		t.Errorf("another run ended it: %+v", before)
	}
	// What was cleaned up as given up, and had been done, is remembered after all.
	exec(t, l, "DELETE FROM kairship.idempotency_keys")
	end(first, true)
	if before := begin(second); before == nil || !before.Done || before.Input != "x" {
		t.Errorf("it is not remembered: %+v", before)
	}
}

func TestTheOutcomeOfARunIsToldForAsLongAsItIsKept(t *testing.T) {
	l := fresh(t)
	a := attempt("a", "x")
	if _, err := l.BeginRun(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	a.Outcome, a.Keep = []byte(`"told"`), time.Hour
	if err := l.EndRun(t.Context(), a, true); err != nil {
		t.Fatal(err)
	}
	if before, err := l.BeginRun(t.Context(), attempt("a", "x")); err != nil || before == nil || string(before.Outcome) != `"told"` {
		t.Errorf("told %+v, %v", before, err)
	}
	if _, err := l.pool.Exec(t.Context(), "UPDATE kairship.idempotency_keys SET expires_at = clock_timestamp() - interval '1 second'"); err != nil {
		t.Fatal(err)
	}
	if before, err := l.BeginRun(t.Context(), attempt("a", "x")); err != nil || before != nil {
		t.Errorf("after its time: %+v, %v", before, err)
	}
}
