// Package idempotency runs an action once per client-chosen key, however often it is sent: after a lost answer, a
// client sends the same request again and learns whether it was done.
package idempotency

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/kairship-io/kairship/internal/model"
)

// MaxKey is the longest key, in characters.
const MaxKey = 255

// CheckKeys returns BAD_USER_INPUT when a request has more than one key, or one that is not valid.
func CheckKeys(keys []string) error {
	switch len(keys) {
	case 0:
		return nil
	case 1:
		return checkKey(keys[0])
	}
	return &model.Error{Code: model.CodeBadUserInput, Message: fmt.Sprintf("Idempotency-Key is given %d times; one is allowed", len(keys))}
}

func checkKey(key string) error {
	if len(key) > MaxKey {
		return &model.Error{Code: model.CodeBadUserInput, Message: fmt.Sprintf("Idempotency-Key has %d characters, at most %d are allowed", len(key), MaxKey)}
	}
	for _, c := range []byte(key) {
		if c <= ' ' || c > '~' {
			return &model.Error{Code: model.CodeBadUserInput, Message: "Idempotency-Key may hold printable ASCII characters without blanks only"}
		}
	}
	return nil
}

// Store remembers runs, for all replicas.
type Store interface {
	// BeginRun begins a run and returns nil, or returns an earlier one that is still running or was done. A run that
	// was begun minutes ago and never ended does not count.
	BeginRun(ctx context.Context, a Attempt) (*Run, error)
	// EndRun ends a run: one that was done is remembered with its outcome for as long as it says, any other is
	// forgotten, so that it may be retried. Another run under the same id stays unchanged.
	EndRun(ctx context.Context, a Attempt, done bool) error
}

// Attempt is one run, as a store knows it.
type Attempt struct {
	// ID is a digest of the key, principal, verb and target.
	ID string
	// Run tells this run from others under the same id.
	Run string
	// Input is a digest of the action's input.
	Input string
	// Outcome is what is told of a run that was done, and Keep how long; zero is a day. They are for EndRun.
	Outcome []byte
	Keep    time.Duration
}

// Run is a run that was begun before.
type Run struct {
	// Input is a digest of the action's input.
	Input string
	// Done reports whether the run was done; otherwise it is still running.
	Done bool
	// Outcome is what EndRun was given.
	Outcome []byte
	At      time.Time
}

// Key identifies one action of a client.
type Key struct {
	// Key is what the client sent, and Called what it calls that: clientMutationId or Idempotency-Key. Both are one memory.
	Key, Called string
	// Principal, Verb and Target scope the key: with another of them it is another key.
	Principal, Verb, Target string
	// Input is the action with its input, as JSON has it.
	Input any
}

// Field is the field of the input that holds the key; nil when it is a header.
func (k Key) Field() []string {
	if k.Called == "clientMutationId" {
		return []string{k.Called}
	}
	return nil
}

const (
	// recalled is how long the outcome of a mutation is told again.
	recalled = 10 * time.Minute
	// patience is how long a repetition waits for the first one to end, and glance how often that is looked at.
	patience, glance = 4 * time.Second, 200 * time.Millisecond
)

// Recall begins an action that its client may send again under the same key. The caller must call end with
// whether the action was done, and with what is to be told then. For one that was done it returns what was told of it instead;
// one that goes on is waited for. The error is CONFLICT, about the field where it is one, when it goes on for longer, or had another input.
func Recall(ctx context.Context, store Store, k Key) (end func(ctx context.Context, done bool, outcome []byte) error, before *Run, err error) {
	attempt, err := k.attempt()
	if err != nil {
		return nil, nil, err
	}
	attempt.Keep = recalled
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = wait.PollUntilContextCancel(waiting, glance, true, func(context.Context) (bool, error) {
		before, err = begin(ctx, store, attempt)
		return err != nil || before == nil || before.Done || before.Input != attempt.Input, err
	})
	refuse := func(retryable bool, format string) error {
		e := &model.Error{Code: model.CodeConflict, Retryable: retryable, Field: k.Field()}
		e.Message = fmt.Sprintf(k.Called+": "+format, k.Key, k.Verb, before.At.Format(time.RFC3339))
		return e
	}
	switch {
	case before == nil && err != nil:
		return nil, nil, err
	case before == nil:
		return func(ctx context.Context, done bool, outcome []byte) error {
			attempt.Outcome = outcome
			return finish(ctx, store, attempt, done)
		}, nil, nil
	case before.Input != attempt.Input:
		return nil, nil, refuse(false, "%.100q was used for a %s with another input at %s; use another one")
	case before.Done:
		return nil, before, nil
	}
	return nil, nil, refuse(true, "%.100q: this %s was begun at %s and goes on; ask again in a moment")
}

// attempt is a new run under the key.
func (k Key) attempt() (Attempt, error) {
	input, err := json.Marshal(k.Input)
	if err != nil {
		return Attempt{}, fmt.Errorf("reading the input of %s: %w", k.Verb, err)
	}
	return Attempt{ID: digestOf(k.Principal, k.Verb, k.Target, "clientMutationId "+k.Key), Run: rand.Text(), Input: digestOf(string(input))}, nil
}

// begin begins a run, or returns the one before.
func begin(ctx context.Context, store Store, attempt Attempt) (*Run, error) {
	before, err := store.BeginRun(ctx, attempt)
	if err != nil {
		// The run may have been begun: perhaps only the answer was lost.
		go insist(context.WithoutCancel(ctx), store, attempt, false)
	}
	return before, err
}

// finish ends a run, and insists on it while the store does not answer.
func finish(ctx context.Context, store Store, attempt Attempt, done bool) error {
	err := store.EndRun(ctx, attempt, done)
	if err != nil {
		go insist(ctx, store, attempt, done)
	}
	return err
}

const (
	// insistFor is how long EndRun is retried while the store does not answer; runs that were never ended have
	// expired by then.
	insistFor = 10 * time.Minute
	// insisting is the most runs that are retried at once, so that a long outage of the store does not fill the
	// memory.
	insisting = 1000
)

var insistent = make(chan struct{}, insisting)

// insist retries EndRun until it succeeds or the run has expired.
func insist(ctx context.Context, store Store, a Attempt, done bool) {
	select {
	case insistent <- struct{}{}:
		defer func() { <-insistent }()
	default:
		slog.WarnContext(ctx, "too many runs under idempotency keys wait to be told of; one is left to run out", "done", done)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, insistFor)
	defer cancel()
	var last error
	if err := wait.PollUntilContextCancel(ctx, 2*time.Second, false, func(ctx context.Context) (bool, error) {
		last = store.EndRun(ctx, a, done)
		return last == nil, nil
	}); err != nil {
		slog.WarnContext(ctx, "a run under an idempotency key could not be ended; it runs out", "done", done, "error", last)
	}
}

// digestOf returns a digest of texts, with their lengths so that they cannot run into each other.
func digestOf(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}
