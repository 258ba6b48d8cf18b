package idempotency_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
	"github.com/kairship-io/kairship/internal/model"
)

// store keeps runs in memory.
type store map[string]*idempotency.Run

// storing guards every store.
var storing sync.Mutex

func (s store) BeginRun(_ context.Context, a idempotency.Attempt) (*idempotency.Run, error) {
	storing.Lock()
	defer storing.Unlock()
	if before := s[a.ID]; before != nil {
		told := *before
		return &told, nil
	}
	s[a.ID] = &idempotency.Run{Input: a.Input, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	return nil, nil //nolint:nilnil // the first
}

func (s store) EndRun(_ context.Context, a idempotency.Attempt, done bool) error {
	storing.Lock()
	defer storing.Unlock()
	if s[a.ID].Done, s[a.ID].Outcome = done, a.Outcome; !done {
		delete(s, a.ID)
	}
	return nil
}

// begun is a run that was begun, or why not; the end of one that was done before is nil.
func begun(t *testing.T, s idempotency.Store, k idempotency.Key) (end func(ctx context.Context, done bool, outcome []byte) error, before *idempotency.Run, err error) {
	t.Helper()
	return idempotency.Recall(t.Context(), s, k)
}

func TestAKeyIsOfOnePersonOneVerbOneTargetAndOneInput(t *testing.T) {
	type input struct{ Replicas int }
	first := idempotency.Key{Key: "k", Called: "Idempotency-Key", Principal: "ann", Verb: "scaleWorkload", Target: "cart", Input: input{3}}
	with := func(change func(*idempotency.Key)) idempotency.Key {
		k := first
		change(&k)
		return k
	}
	for _, tc := range []struct {
		name   string
		second idempotency.Key
		// told says that the second is told what the first one did, code that it is refused; otherwise it is begun.
		told bool
		code model.Code
	}{
		{"the same again", first, true, ""},
		{"the same as a clientMutationId", with(func(k *idempotency.Key) { k.Called = "clientMutationId" }), true, ""},
		{"with another input", with(func(k *idempotency.Key) { k.Input = input{4} }), false, model.CodeConflict},
		{"under another key", with(func(k *idempotency.Key) { k.Key = "l" }), false, ""},
		{"by somebody else", with(func(k *idempotency.Key) { k.Principal = "bob" }), false, ""},
		{"of another verb", with(func(k *idempotency.Key) { k.Verb = "applyManifests" }), false, ""},
		{"of another target", with(func(k *idempotency.Key) { k.Target = "web" }), false, ""},
		{"of names that read alike when they are joined", with(func(k *idempotency.Key) { k.Principal, k.Verb = "annscale", "Workload" }), false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			kept := store{}
			end, _, err := begun(t, kept, first)
			if err != nil {
				t.Fatal(err)
			}
			if err := end(t.Context(), true, []byte("three")); err != nil {
				t.Fatal(err)
			}
			_, before, err := begun(t, kept, tc.second)
			if codeOf(err) != tc.code || (before != nil) != tc.told || tc.told && string(before.Outcome) != "three" {
				t.Errorf("%+v, %v", before, err)
			}
		})
	}
}

func TestWhatWasNotDoneMayBeTriedAgain(t *testing.T) {
	kept, key := store{}, idempotency.Key{Key: "k", Principal: "ann", Verb: "scaleWorkload"}
	end, _, err := begun(t, kept, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := end(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	if _, before, err := begun(t, kept, key); err != nil || before != nil {
		t.Error(before, err)
	}
}

func TestKeys(t *testing.T) {
	for key, ok := range map[string]bool{"": true, "0b8f-1": true, strings.Repeat("k", 255): true, strings.Repeat("k", 256): false, "a b": false, "a\nb": false, "ä": false} {
		if err := idempotency.CheckKeys([]string{key}); (err == nil) != ok || err != nil && codeOf(err) != model.CodeBadUserInput {
			t.Errorf("%.10q: %v", key, err)
		}
	}
}

func TestOneKeyIsAllowed(t *testing.T) {
	if err := idempotency.CheckKeys(nil); err != nil {
		t.Error(err)
	}
	if err := idempotency.CheckKeys([]string{"a", "b"}); codeOf(err) != model.CodeBadUserInput || !strings.Contains(err.Error(), "2 times") {
		t.Error(err)
	}
}

func codeOf(err error) model.Code {
	var e *model.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func retryable(err error) bool {
	var e *model.Error
	return errors.As(err, &e) && e.Retryable
}

// hanging is a store that does what it is asked, and does not answer so many times.
type hanging struct {
	store
	mu     sync.Mutex
	silent int
}

var errSilent = errors.New("no answer")

func (h *hanging) answers() error {
	if h.silent--; h.silent >= 0 {
		return errSilent
	}
	return nil
}

func (h *hanging) BeginRun(ctx context.Context, a idempotency.Attempt) (*idempotency.Run, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before, err := h.store.BeginRun(ctx, a)
	return before, errors.Join(err, h.answers())
}

func (h *hanging) EndRun(ctx context.Context, a idempotency.Attempt, done bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.answers(); err != nil {
		return err
	}
	return h.store.EndRun(ctx, a, done)
}

func TestAStoreThatHungIsToldHowARunEnded(t *testing.T) {
	key := idempotency.Key{Key: "k", Principal: "ann", Verb: "scaleWorkload", Target: "cart", Input: 3}
	t.Run("that was begun without an answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &hanging{store: store{}, silent: 3}
			if _, _, err := begun(t, s, key); !errors.Is(err, errSilent) {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			if _, before, err := begun(t, s, key); err != nil || before != nil {
				t.Errorf("it blocks itself: %v", err)
			}
		})
	})
	t.Run("that was done", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &hanging{store: store{}}
			end, _, err := begun(t, s, key)
			if err != nil {
				t.Fatal(err)
			}
			s.mu.Lock()
			s.silent = 3
			s.mu.Unlock()
			if err := end(t.Context(), true, nil); !errors.Is(err, errSilent) {
				t.Errorf("nobody learns that it is not remembered: %v", err)
			}
			time.Sleep(time.Minute)
			if _, before, err := begun(t, s, key); err != nil || before == nil || !before.Done {
				t.Errorf("it is done again: %v", err)
			}
		})
	})
}

func TestARepetitionIsToldWhatTheFirstOneWas(t *testing.T) {
	key := idempotency.Key{Key: "k", Principal: "ann", Verb: "scaleWorkload", Target: "cart", Input: 3}
	other := key
	other.Input = 4
	synctest.Test(t, func(t *testing.T) {
		kept := store{}
		end, before, err := idempotency.Recall(t.Context(), kept, key)
		if err != nil || before != nil {
			t.Fatalf("the first one: %+v, %v", before, err)
		}
		if _, _, err := idempotency.Recall(t.Context(), kept, key); codeOf(err) != model.CodeConflict || !retryable(err) || !strings.Contains(err.Error(), "goes on") {
			t.Errorf("while it goes on: %v", err)
		}
		if _, _, err := idempotency.Recall(t.Context(), kept, other); codeOf(err) != model.CodeConflict || retryable(err) {
			t.Errorf("with another input: %v", err)
		}
		// One that waits is told when the first one ends.
		told := make(chan string)
		go func() {
			_, before, err := idempotency.Recall(t.Context(), kept, key)
			if err != nil || before == nil {
				told <- "nothing"
				return
			}
			told <- string(before.Outcome)
		}()
		time.Sleep(time.Second) // of the test's own clock
		if err := end(t.Context(), true, []byte("three")); err != nil {
			t.Error(err)
		}
		if got := <-told; got != "three" {
			t.Errorf("it is told %q", got)
		}
	})
}
