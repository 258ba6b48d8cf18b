package revocation

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth/token"
	"github.com/kairship-io/kairship/internal/database"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// shared is a database in memory.
type shared struct {
	mu                sync.Mutex
	sessions, revoked []database.Ended
	err               error
}

func (s *shared) end(into *[]database.Ended, e database.Ended) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		*into = append(*into, e)
	}
	return s.err
}

func (s *shared) since(of *[]database.Ended) ([]database.Ended, time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]database.Ended(nil), *of...), time.Now(), s.err
}

func (s *shared) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *shared) EndSession(_ context.Context, e database.Ended) error { return s.end(&s.sessions, e) }
func (s *shared) Revoke(_ context.Context, e database.Ended) error     { return s.end(&s.revoked, e) }
func (s *shared) SessionsEndedSince(context.Context, time.Time) ([]database.Ended, time.Time, error) {
	return s.since(&s.sessions)
}
func (s *shared) RevokedSince(context.Context, time.Time) ([]database.Ended, time.Time, error) {
	return s.since(&s.revoked)
}

// replica follows a database until the test ends. told counts how often it told that something has ended.
func replica(t *testing.T, l Store) (e *List, changed func() int) {
	t.Helper()
	var mu sync.Mutex
	count := 0
	e = New(l, func() {
		mu.Lock()
		defer mu.Unlock()
		count++
	}, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(context.Background())
	follow, done := e.Run, make(chan struct{})
	go func() {
		defer close(done)
		follow(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return e, func() int {
		mu.Lock()
		defer mu.Unlock()
		return count
	}
}

func TestWhatEndsInOneReplicaHasEndedInAll(t *testing.T) {
	l := &shared{}
	here, _ := replica(t, l)
	there, changed := replica(t, l)
	if err := here.End(t.Context(), "s1", time.Now().Add(time.Hour)); err != nil || !here.Ended("s1") || here.Ended("s2") {
		t.Errorf("the session has not ended where it was ended: %v", err)
	}
	issued := time.Now().Truncate(time.Second)
	until, err := here.Revoke(t.Context(), "kairship:oidc:ann", "kairship:oidc:ann")
	if err != nil || until.Before(issued) || !here.Revoked("", "kairship:oidc:ann", issued) {
		t.Errorf("it is not taken back where it was taken back, until %s: %v", until, err)
	}
	testenv.Eventually(t, func() string {
		if !there.Ended("s1") || !there.Revoked("", "kairship:oidc:ann", issued) || changed() == 0 {
			return "the other replica does not know"
		}
		return ""
	})
	if there.Revoked("", "kairship:oidc:ann", until.Add(time.Second)) || there.Revoked("", "kairship:oidc:bob", issued) {
		t.Error("what was issued later, or to somebody else, is taken back too")
	}
	if n := changed(); n > 2 {
		t.Errorf("what is no news was told: %d times", n)
	}
}

// One token is revoked alone: in all replicas, and in its own also while the database is away.
func TestATokenIsRevokedAlone(t *testing.T) {
	l := &shared{}
	here, _ := replica(t, l)
	there, changed := replica(t, l)
	testenv.Eventually(t, func() string {
		if here.Check() != nil || there.Check() != nil {
			return "the database has not been read"
		}
		return ""
	})
	later := time.Now().Add(10 * time.Minute)
	before := changed()
	if err := here.RevokeToken(t.Context(), "a", later, "ada"); err != nil {
		t.Fatal(err)
	}
	if !here.Revoked("a", "ada", time.Now()) || here.Revoked("b", "ada", time.Now()) || here.Ended("a") {
		t.Error("it is not that token alone that is revoked")
	}
	testenv.Eventually(t, func() string {
		if !there.Revoked("a", "ada", time.Now()) || changed() == before {
			return "another replica does not know of it"
		}
		return ""
	})
	l.fail(errors.New("away"))
	if err := here.RevokeToken(t.Context(), "b", later, "ada"); err == nil || !here.Revoked("b", "ada", time.Now()) {
		t.Errorf("while the database is away: %v", err)
	}
}

func TestNothingIsGoodUntilTheDatabaseWasRead(t *testing.T) {
	l := &shared{}
	l.fail(errors.New("away"))
	e, _ := replica(t, l)
	var known *model.Error
	if err := e.Check(); !errors.As(err, &known) || known.Code != model.CodeUnavailable || !known.Retryable {
		t.Errorf("got %v", err)
	}
	if err := e.End(t.Context(), "s1", time.Now()); err == nil || e.Ended("s1") {
		t.Error("a session ended that the database does not know of")
	}
	if _, err := e.Revoke(t.Context(), "kairship:oidc:ann", ""); err == nil || e.Revoked("", "kairship:oidc:ann", time.Time{}) {
		t.Error("it is taken back though the database does not know")
	}
	l.fail(nil)
	testenv.Eventually(t, func() string {
		if err := e.Check(); err != nil {
			return err.Error()
		}
		return ""
	})
	// An outage later takes nothing away.
	l.fail(errors.New("away"))
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

func TestWhatWouldHaveEndedByItselfIsForgotten(t *testing.T) {
	e := New(&shared{}, func() {}, slog.New(slog.DiscardHandler))
	now := time.Now()
	e.now = func() time.Time { return now }
	if err := e.End(t.Context(), "s1", now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Revoke(t.Context(), "kairship:oidc:ann", ""); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	e.forget()
	if !e.Ended("s1") || !e.Revoked("", "kairship:oidc:ann", now.Add(-2*time.Hour)) {
		t.Error("it was forgotten too early")
	}
	now = now.Add(token.MaxLifetime + 2*time.Hour)
	e.forget()
	if len(e.known)+len(e.until) > 0 {
		t.Errorf("it is kept for ever: %v %v", e.known, e.until)
	}
}
