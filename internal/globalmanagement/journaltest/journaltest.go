// Package journaltest tests what a globalmanagement.Journal must do, wherever it is kept. It is for tests only.
package journaltest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/globalmanagement"
)

// patience is how long something expected may take, moment how long a test watches that nothing happens.
const (
	patience = 30 * time.Second
	moment   = 100 * time.Millisecond
)

// Run tests journals. Those that open returns share what they keep, as replicas do, and need be empty only of sources
// and ids that begin with the test's name.
func Run(t *testing.T, open func(t *testing.T) globalmanagement.Journal) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, globalmanagement.Journal, globalmanagement.Journal){
		"an id is new once":                         onlyOnce,
		"an id is new again when its time is over":  newAgain,
		"what fails is not kept":                    nothingKept,
		"positions are kept as they are":            positions,
		"within an Update there is no other":        oneAtATime,
		"sources do not wait for each other":        sourcesApart,
		"who waits for too long is sent away":       waitEnds,
		"of many who note an id at once one is new": manyAtOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t), open(t)) })
	}
}

// prefix is for sources and ids of a test.
func prefix(t *testing.T) string {
	t.Helper()
	name := strings.ToLower(t.Name())
	return strings.ReplaceAll(name[strings.LastIndex(name, "/")+1:], "_", "-") + time.Now().Format("-150405.000000000")
}

// update runs an Update that must succeed.
func update(t *testing.T, j globalmanagement.Journal, source string, do func(context.Context, globalmanagement.Entry) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := j.Update(ctx, source, do); err != nil {
		t.Errorf("updating %s: %v", source, err)
	}
}

// saw records an id in an Update of its own, and reports whether it was new.
func saw(t *testing.T, j globalmanagement.Journal, source, id string, until time.Time) (first bool) {
	t.Helper()
	update(t, j, source, func(ctx context.Context, e globalmanagement.Entry) (err error) {
		first, err = e.SawEvent(ctx, id, until)
		return err
	})
	return first
}

func onlyOnce(t *testing.T, one, other globalmanagement.Journal) {
	p, until := prefix(t), time.Now().Add(time.Hour)
	long := p + strings.Repeat("x", 256-len(p))
	for _, id := range []string{p + "a", p + "A", p + "'; --", long} {
		if !saw(t, one, p, id, until) {
			t.Errorf("%s is not new", id)
		}
		if saw(t, one, p, id, until) || saw(t, other, p, id, until) {
			t.Errorf("%s is new again", id)
		}
	}
	update(t, one, p, func(ctx context.Context, e globalmanagement.Entry) error {
		first, err := e.SawEvent(ctx, p+"within", until)
		if err != nil || !first {
			t.Errorf("new: %v, %v", first, err)
		}
		second, err := e.SawEvent(ctx, p+"within", until)
		if second {
			t.Error("the same id is new again within one Update")
		}
		return err
	})
}

func newAgain(t *testing.T, one, other globalmanagement.Journal) {
	p := prefix(t)
	if !saw(t, one, p, p, time.Now().Add(-time.Second)) {
		t.Error("it is not new")
	}
	if !saw(t, other, p, p, time.Now().Add(time.Hour)) {
		t.Error("it is not new although its time is over")
	}
	if saw(t, one, p, p, time.Now().Add(time.Hour)) {
		t.Error("it is new although it was noted again")
	}
}

func nothingKept(t *testing.T, one, other globalmanagement.Journal) {
	p := prefix(t)
	want := errors.New("the host cluster does not answer")
	err := one.Update(t.Context(), p, func(ctx context.Context, e globalmanagement.Entry) error {
		if _, err := e.SawEvent(ctx, p, time.Now().Add(time.Hour)); err != nil {
			return err
		}
		if err := e.SetPosition(ctx, globalmanagement.Position{Sequence: 7}); err != nil {
			return err
		}
		return want
	})
	if !errors.Is(err, want) {
		t.Errorf("want the error as it is, got %v", err)
	}
	if got, err := other.Position(t.Context(), p); err != nil || got != (globalmanagement.Position{}) {
		t.Errorf("position: %+v, %v", got, err)
	}
	if !saw(t, other, p, p, time.Now().Add(time.Hour)) {
		t.Error("the id is kept")
	}
}

func positions(t *testing.T, one, other globalmanagement.Journal) {
	p := prefix(t)
	for _, want := range []globalmanagement.Position{
		{Sequence: 1},
		{Sequence: 1<<53 - 1, FullSync: time.Now().UTC().Truncate(time.Millisecond), Behind: true},
		{Sequence: 3, FullSync: time.Now().UTC().Truncate(time.Millisecond)},
	} {
		update(t, one, p, func(ctx context.Context, e globalmanagement.Entry) error {
			if err := e.SetPosition(ctx, want); err != nil {
				return err
			}
			got, err := e.Position(ctx)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("within (-want +got):\n%s", diff)
			}
			return err
		})
		got, err := other.Position(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("afterwards (-want +got):\n%s", diff)
		}
	}
	if got, err := one.Position(t.Context(), p+"-other"); err != nil || got != (globalmanagement.Position{}) {
		t.Errorf("a source that is not known: %+v, %v", got, err)
	}
}

func oneAtATime(t *testing.T, one, other globalmanagement.Journal) {
	p := prefix(t)
	var within atomic.Int32
	var wait sync.WaitGroup
	const each = 10
	for _, j := range []globalmanagement.Journal{one, other} {
		for range each {
			wait.Go(func() {
				update(t, j, p, func(ctx context.Context, e globalmanagement.Entry) error {
					if within.Add(1) != 1 {
						t.Error("two are within")
					}
					defer within.Add(-1)
					at, err := e.Position(ctx)
					if err != nil {
						return err
					}
					at.Sequence++
					return e.SetPosition(ctx, at)
				})
			})
		}
	}
	wait.Wait()
	if got, err := one.Position(t.Context(), p); err != nil || got.Sequence != 2*each {
		t.Errorf("want %d, got %+v, %v", 2*each, got, err)
	}
}

func sourcesApart(t *testing.T, one, other globalmanagement.Journal) {
	p := prefix(t)
	update(t, one, p+"-a", func(context.Context, globalmanagement.Entry) error {
		if !saw(t, other, p+"-b", p, time.Now().Add(time.Hour)) {
			t.Error("it is not new")
		}
		return nil
	})
}

func waitEnds(t *testing.T, one, other globalmanagement.Journal) {
	p := prefix(t)
	update(t, one, p, func(context.Context, globalmanagement.Entry) error {
		ctx, cancel := context.WithTimeout(t.Context(), moment)
		defer cancel()
		err := other.Update(ctx, p, func(context.Context, globalmanagement.Entry) error {
			t.Error("two are within")
			return nil
		})
		if err == nil {
			t.Error("an Update that did nothing ended well")
		}
		return nil
	})
	// Nobody waits any longer.
	if !saw(t, other, p, p, time.Now().Add(time.Hour)) {
		t.Error("it is not new")
	}
}

func manyAtOnce(t *testing.T, one, other globalmanagement.Journal) {
	p := prefix(t)
	var first atomic.Int32
	var wait sync.WaitGroup
	for _, j := range []globalmanagement.Journal{one, other} {
		for range 10 {
			wait.Go(func() {
				if saw(t, j, p, p, time.Now().Add(time.Hour)) {
					first.Add(1)
				}
			})
		}
	}
	wait.Wait()
	if first.Load() != 1 {
		t.Errorf("%d are new", first.Load())
	}
}
