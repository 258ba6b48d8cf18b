// Package idempotency lets an action that a client names by a key of its own be done once, however often it is sent: after
// an answer that was lost, a client sends the same again and learns what became of it.
package idempotency

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// MaxKey is the most characters of a key.
const MaxKey = 255

// CheckKey says what is wrong with a key: BAD_USER_INPUT.
func CheckKey(key string) error {
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
	// BeginRun begins a run, or tells of one before that goes on or was done; nil when this is the first. One that was
	// begun minutes ago and never ended counts as none.
	BeginRun(ctx context.Context, id, input string) (*Run, error)
	// EndRun ends a run: one that was done is remembered for a day, another one is forgotten, so that it may be tried again.
	EndRun(ctx context.Context, id string, done bool) error
}

// Run is a run that was begun before.
type Run struct {
	// Input is a digest of what was asked for.
	Input string
	// Done says that it was done; otherwise it goes on.
	Done bool
	At   time.Time
}

// Key is what a client said of one action.
type Key struct {
	// Key is the client's own.
	Key string
	// Principal, Verb and Target are whose it is, and of what: a key of one says nothing about another.
	Principal, Verb, Target string
	// Input is the action with its input, as JSON has it.
	Input any
}

// Begin begins an action under a key. The result ends it: it has to be told whether the action was done. The error is
// CONFLICT for an action that was done, or goes on, or was another one under the same key; then nothing was begun.
func Begin(ctx context.Context, store Store, k Key) (end func(ctx context.Context, done bool) error, err error) {
	if store == nil {
		return nil, &model.Error{Code: model.CodeUnavailable, Message: "Idempotency-Key needs Kairship's own database; start kairship apiserver with --database-dsn, or leave the key out"}
	}
	input, err := json.Marshal(k.Input)
	if err != nil {
		return nil, fmt.Errorf("reading the input of %s: %w", k.Verb, err)
	}
	id, digest := digestOf(k.Principal, k.Verb, k.Target, k.Key), digestOf(string(input))
	before, err := store.BeginRun(ctx, id, digest)
	switch {
	case err != nil:
		return nil, err
	case before == nil:
		return func(ctx context.Context, done bool) error { return store.EndRun(ctx, id, done) }, nil
	case before.Input != digest:
		return nil, conflict(false, "Idempotency-Key %q was used for a %s with another input at %s; use another key", k, before.At)
	case before.Done:
		return nil, conflict(false, "Idempotency-Key %q: this %s was done at %s, and is not done again", k, before.At)
	}
	return nil, conflict(true, "Idempotency-Key %q: this %s was begun at %s and goes on; ask again in a moment", k, before.At)
}

func conflict(retryable bool, format string, k Key, at time.Time) error {
	return &model.Error{Code: model.CodeConflict, Retryable: retryable, Message: fmt.Sprintf(format, k.Key, k.Verb, at.Format(time.RFC3339))}
}

// digestOf is a digest of texts, of which none reads as the beginning of the next.
func digestOf(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}
