// Package revocation knows what was revoked before it expired: browser sessions that were signed out of, and
// kubeconfigs. It follows the database, so that every replica knows within a moment, and answers from memory.
package revocation

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/auth/token"
	"github.com/kairship-io/kairship/internal/database"
	"github.com/kairship-io/kairship/internal/model"
)

// every is how often the database is polled for revocations of other replicas. Together with the second in which open
// streams check again it is well below the five within which a revocation must take effect.
const every = time.Second

// Store keeps revocations for all replicas; *database.DB is one.
type Store interface {
	EndSession(ctx context.Context, session database.Ended) error
	SessionsEndedSince(ctx context.Context, since time.Time) (ended []database.Ended, next time.Time, err error)
	Revoke(ctx context.Context, token database.Ended) error
	RevokedSince(ctx context.Context, since time.Time) (revoked []database.Ended, next time.Time, err error)
}

// List is all that was revoked.
type List struct {
	store   Store
	log     *slog.Logger
	changed func()
	now     func() time.Time

	mu sync.RWMutex
	// known maps the ids of ended sessions, and of tokens that were revoked alone, to when they would have expired.
	known map[string]time.Time
	// read reports whether both kinds have been read once.
	read bool
	// until maps principals to the time up to which their kubeconfigs were revoked.
	until map[string]time.Time
}

// New makes a List. told is called after each revocation, so that open streams can check again.
func New(l Store, changed func(), log *slog.Logger) *List {
	return &List{store: l, log: log, changed: changed, now: time.Now, known: map[string]time.Time{}, until: map[string]time.Time{}}
}

// Run follows the database until the context ends. While the database does not answer, what is known stays known.
func (e *List) Run(ctx context.Context) {
	sessions := follower{of: "sessions", since: e.store.SessionsEndedSince, note: e.noteSession}
	revoked := follower{of: "tokens", since: e.store.RevokedSince, note: e.noteRevocation}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if changed := sessions.follow(ctx, e.log); revoked.follow(ctx, e.log) || changed {
			e.changed()
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

// follower polls one kind of revocations, from where it left off.
type follower struct {
	of    string
	since func(context.Context, time.Time) ([]database.Ended, time.Time, error)
	// note records a revocation and reports whether it is new.
	note   func(database.Ended) bool
	next   time.Time
	failed bool
}

func (f *follower) follow(ctx context.Context, log *slog.Logger) (changed bool) {
	ended, next, err := f.since(ctx, f.next)
	if err != nil {
		if ctx.Err() == nil && !f.failed {
			log.Warn("the database does not tell what has ended; what ends elsewhere is not known meanwhile", "of", f.of, "error", err)
		}
		f.failed = true
		return false
	}
	if f.failed {
		log.Info("the database tells again what has ended", "of", f.of)
	}
	f.failed, f.next = false, next
	for _, one := range ended {
		changed = f.note(one) || changed
	}
	return changed
}

// Check returns UNAVAILABLE until the earlier revocations have been read: until then no session and no kubeconfig is
// valid.
func (e *List) Check() error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.read {
		return nil
	}
	return &model.Error{Code: model.CodeUnavailable, Retryable: true,
		Message: "it is not known yet which sessions and kubeconfigs have been ended; a bearer token of the provider or of the host cluster works"}
}

// forget drops revocations of what has expired by now.
func (e *List) forget() {
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

func (e *List) note(key string, expires time.Time) (news bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, known := e.known[key]; known {
		return false
	}
	e.known[key] = expires
	return true
}

func (e *List) has(key string) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	_, known := e.known[key]
	return known
}

func (e *List) noteSession(ended database.Ended) bool { return e.note(ended.ID, ended.ExpiresAt) }

// Ended says whether a session was ended.
func (e *List) Ended(id string) bool { return e.has(id) }

// End ends a session; its revocation may be forgotten after until. The error is UNAVAILABLE when the database does
// not answer: other replicas would not know.
func (e *List) End(ctx context.Context, id string, until time.Time) error {
	if err := e.store.EndSession(ctx, database.Ended{ID: id, ExpiresAt: until}); err != nil {
		return err
	}
	e.note(id, until)
	e.changed()
	return nil
}

// Revoked reports whether a kubeconfig's token was revoked: alone, or with all others issued to its principal until
// then.
func (e *List) Revoked(id, principal string, issuedAt time.Time) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if _, alone := e.known[tokenPrefix+id]; alone {
		return true
	}
	until, known := e.until[principal]
	return known && !issuedAt.After(until)
}

// tokenPrefix begins the id under which one token alone is revoked: no other id begins so.
const tokenPrefix = "token "

// RevokeToken revokes one token, which would have expired at a time. In this process it is revoked also when the error
// says that the other replicas could not be told.
func (e *List) RevokeToken(ctx context.Context, id string, expires time.Time, by string) error {
	ended := database.Ended{ID: tokenPrefix + id, ExpiresAt: expires, By: by}
	e.noteRevocation(ended)
	e.changed()
	return e.store.Revoke(ctx, ended)
}

// Revoke revokes every kubeconfig that was issued to a principal until now, and returns that time: in whole seconds,
// as tokens have it.
func (e *List) Revoke(ctx context.Context, principal, by string) (time.Time, error) {
	until := e.now().UTC().Truncate(time.Second)
	ended := database.Ended{ID: issuedTo(principal, until), ExpiresAt: until.Add(token.MaxLifetime), By: by}
	if err := e.store.Revoke(ctx, ended); err != nil {
		return time.Time{}, err
	}
	e.noteRevocation(ended)
	e.changed()
	return until, nil
}

// issuedTo is the database's id for the revocation of everything issued to a principal until a time.
func issuedTo(principal string, until time.Time) string {
	return fmt.Sprintf("%s %s", until.Format(time.RFC3339), principal)
}

func (e *List) noteRevocation(ended database.Ended) bool {
	if strings.HasPrefix(ended.ID, tokenPrefix) {
		return e.note(ended.ID, ended.ExpiresAt)
	}
	at, principal, _ := strings.Cut(ended.ID, " ")
	until, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return false // written by another version
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !until.After(e.until[principal]) {
		return false
	}
	e.until[principal] = until
	return true
}
