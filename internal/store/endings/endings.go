// Package endings knows what works no longer before its time: browsers' sessions that were signed out of, and
// kubeconfigs that were taken back. It follows the ledger, so that every replica knows within a moment, and
// answers from memory.
package endings

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/store/ledger"
	"github.com/kairship-io/kairship/internal/token"
)

// every is how often the ledger is asked what has ended elsewhere. With the second in which open streams look
// again it is well below the five in which a revocation has to bite.
const every = time.Second

// Ledger is where endings are kept for all replicas; *ledger.Ledger is one.
type Ledger interface {
	EndSession(ctx context.Context, session ledger.Ended) error
	SessionsEndedSince(ctx context.Context, since time.Time) (ended []ledger.Ended, next time.Time, err error)
	Revoke(ctx context.Context, token ledger.Ended) error
	RevokedSince(ctx context.Context, since time.Time) (revoked []ledger.Ended, next time.Time, err error)
}

// Endings is all that has ended.
type Endings struct {
	ledger Ledger
	log    *slog.Logger
	told   func()
	now    func() time.Time

	mu sync.RWMutex
	// known is when sessions that were ended would have ended by themselves, by their ids.
	known map[string]time.Time
	// read says that both kinds have been read once.
	read bool
	// until is the moment until which the kubeconfigs of a principal were taken back.
	until map[string]time.Time
}

// New makes Endings. told is called when something has ended, so that whoever has something open can look again.
func New(l Ledger, told func(), log *slog.Logger) *Endings {
	return &Endings{ledger: l, log: log, told: told, now: time.Now, known: map[string]time.Time{}, until: map[string]time.Time{}}
}

// Run follows the ledger until the context ends. While the ledger does not answer, what is known stays known.
func (e *Endings) Run(ctx context.Context) {
	sessions := follower{of: "sessions", since: e.ledger.SessionsEndedSince, note: e.noteSession}
	revoked := follower{of: "tokens", since: e.ledger.RevokedSince, note: e.noteRevocation}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if changed := sessions.follow(ctx, e.log); revoked.follow(ctx, e.log) || changed {
			e.told()
		}
		if !sessions.next.IsZero() && !revoked.next.IsZero() {
			e.mu.Lock()
			e.read = true
			e.mu.Unlock()
		}
		e.forget()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// follower asks for one kind of endings, from where it was.
type follower struct {
	of    string
	since func(context.Context, time.Time) ([]ledger.Ended, time.Time, error)
	// note says whether it is news.
	note   func(ledger.Ended) bool
	next   time.Time
	failed bool
}

func (f *follower) follow(ctx context.Context, log *slog.Logger) (changed bool) {
	ended, next, err := f.since(ctx, f.next)
	if err != nil {
		if ctx.Err() == nil && !f.failed {
			log.Warn("the ledger does not tell what has ended; what ends elsewhere is not known meanwhile", "of", f.of, "error", err)
		}
		f.failed = true
		return false
	}
	if f.failed {
		log.Info("the ledger tells again what has ended", "of", f.of)
	}
	f.failed, f.next = false, next
	for _, one := range ended {
		changed = f.note(one) || changed
	}
	return changed
}

// Check is UNAVAILABLE until it is known what had ended before: until then no session and no kubeconfig is good.
func (e *Endings) Check() error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.read {
		return nil
	}
	return &model.Error{Code: model.CodeUnavailable, Retryable: true,
		Message: "it is not known yet which sessions and kubeconfigs have been ended; a bearer token of the provider or of the host cluster works"}
}

// forget drops what would have ended by itself by now.
func (e *Endings) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	// Clocks of replicas differ.
	for key, expires := range e.known {
		if e.now().After(expires.Add(time.Hour)) {
			delete(e.known, key)
		}
	}
	for principal, until := range e.until {
		if e.now().After(until.Add(token.MaxLifetime + time.Hour)) {
			delete(e.until, principal)
		}
	}
}

func (e *Endings) note(key string, expires time.Time) (news bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, known := e.known[key]; known {
		return false
	}
	e.known[key] = expires
	return true
}

func (e *Endings) has(key string) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	_, known := e.known[key]
	return known
}

func (e *Endings) noteSession(ended ledger.Ended) bool { return e.note(ended.ID, ended.ExpiresAt) }

// Ended says whether a session was ended.
func (e *Endings) Ended(id string) bool { return e.has(id) }

// End ends a session, which need not be remembered after until. The error is UNAVAILABLE when the ledger does not
// answer: other replicas would not know.
func (e *Endings) End(ctx context.Context, id string, until time.Time) error {
	if err := e.ledger.EndSession(ctx, ledger.Ended{ID: id, ExpiresAt: until}); err != nil {
		return err
	}
	e.note(id, until)
	e.told()
	return nil
}

// Revoked says whether a kubeconfig's token was taken back, with all those that had been issued to its principal.
func (e *Endings) Revoked(_, principal string, issuedAt time.Time) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	until, known := e.until[principal]
	return known && !issuedAt.After(until)
}

// Revoke takes back every kubeconfig that was issued to a principal until now, and tells until when that is: to the
// second, as tokens are issued.
func (e *Endings) Revoke(ctx context.Context, principal, by string) (time.Time, error) {
	until := e.now().UTC().Truncate(time.Second)
	ended := ledger.Ended{ID: issuedTo(principal, until), ExpiresAt: until.Add(token.MaxLifetime), By: by}
	if err := e.ledger.Revoke(ctx, ended); err != nil {
		return time.Time{}, err
	}
	e.noteRevocation(ended)
	e.told()
	return until, nil
}

// issuedTo is the id under which the ledger keeps that everything was taken back that a principal had been issued.
func issuedTo(principal string, until time.Time) string {
	return fmt.Sprintf("%s %s", until.Format(time.RFC3339), principal)
}

func (e *Endings) noteRevocation(ended ledger.Ended) bool {
	at, principal, _ := strings.Cut(ended.ID, " ")
	until, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return false // of another version
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !until.After(e.until[principal]) {
		return false
	}
	e.until[principal] = until
	return true
}
