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

func TestAKeyIsOfOnePersonOneVerbOneTargetAndOneInput(t *testing.T) {
	type input struct{ Replicas int }
	first := idempotency.Key{Key: "k", Principal: "ann", Verb: "scaleWorkload", Target: "cart", Input: input{3}}
	for _, tc := range []struct {
		name   string
		second idempotency.Key
		// code of the second, after the first was done; empty for one that is begun.
		code model.Code
		says string
	}{
		{"the same again", first, model.CodeConflict, "was done at 2026-01-02T03:04:05Z"},
		{"with another input", idempotency.Key{Key: "k", Principal: "ann", Verb: "scaleWorkload", Target: "cart", Input: input{4}}, model.CodeConflict, "with another input"},
		{"under another key", idempotency.Key{Key: "l", Principal: "ann", Verb: "scaleWorkload", Target: "cart", Input: input{3}}, "", ""},
		{"by somebody else", idempotency.Key{Key: "k", Principal: "bob", Verb: "scaleWorkload", Target: "cart", Input: input{3}}, "", ""},
		{"of another verb", idempotency.Key{Key: "k", Principal: "ann", Verb: "applyManifests", Target: "cart", Input: input{3}}, "", ""},
		{"of another target", idempotency.Key{Key: "k", Principal: "ann", Verb: "scaleWorkload", Target: "web", Input: input{3}}, "", ""},
		{"of names that read alike when they are joined", idempotency.Key{Key: "k", Principal: "annscale", Verb: "Workload", Target: "cart", Input: input{3}}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			kept := store{}
			end, err := idempotency.Begin(t.Context(), kept, first)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := idempotency.Begin(t.Context(), kept, first); codeOf(err) != model.CodeConflict || !retryable(err) {
				t.Errorf("while it goes on: %v, want a CONFLICT that passes", err)
			}
			if err := end(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			_, err = idempotency.Begin(t.Context(), kept, tc.second)
			if codeOf(err) != tc.code || tc.code != "" && (retryable(err) || !strings.Contains(err.Error(), tc.says)) {
				t.Errorf("%v, want %q that says %q", err, tc.code, tc.says)
			}
		})
	}
}

func TestWhatWasNotDoneMayBeTriedAgain(t *testing.T) {
	kept, key := store{}, idempotency.Key{Key: "k", Principal: "ann", Verb: "scaleWorkload"}
	end, err := idempotency.Begin(t.Context(), kept, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := end(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if _, err := idempotency.Begin(t.Context(), kept, key); err != nil {
		t.Error(err)
	}
}

func TestWithoutAStoreAKeyIsRefused(t *testing.T) {
	if _, err := idempotency.Begin(t.Context(), nil, idempotency.Key{Key: "k"}); codeOf(err) != model.CodeUnavailable || !strings.Contains(err.Error(), "--database-dsn") {
		t.Errorf("%v, want UNAVAILABLE that says what to do", err)
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
			if _, err := idempotency.Begin(t.Context(), s, key); !errors.Is(err, errSilent) {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			if _, err := idempotency.Begin(t.Context(), s, key); err != nil {
				t.Errorf("it blocks itself: %v", err)
			}
		})
	})
	t.Run("that was done", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &hanging{store: store{}}
			end, err := idempotency.Begin(t.Context(), s, key)
			if err != nil {
				t.Fatal(err)
			}
			s.mu.Lock()
			s.silent = 3
			s.mu.Unlock()
			if err := end(t.Context(), true); !errors.Is(err, errSilent) {
				t.Errorf("nobody learns that it is not remembered: %v", err)
			}
			time.Sleep(time.Minute)
			if _, err := idempotency.Begin(t.Context(), s, key); err == nil || !strings.Contains(err.Error(), "was done") {
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
