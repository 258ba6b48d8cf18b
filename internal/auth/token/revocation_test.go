package token_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/revocation"
	"github.com/kairship-io/kairship/internal/auth/token"
	"github.com/kairship-io/kairship/internal/auth/token/keyring/keyringtest"
	"github.com/kairship-io/kairship/internal/database"
	"github.com/kairship-io/kairship/internal/model"
)

// forgetful is a database that is written to alone.
type forgetful struct{ revocation.Store }

func (forgetful) Revoke(context.Context, database.Ended) error { return nil }

var bob = auth.NewPrincipal(auth.OriginOIDC, "bob", nil)

// In a bubble time goes on when everybody waits: each pause below is exact.
func TestATokenOfTheSecondOfARevocation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := revocation.New(forgetful{}, func() {}, slog.New(slog.DiscardHandler))
		tokens, err := token.New(token.Config{Keys: &keyringtest.Store{}, Revocations: ended})
		if err != nil {
			t.Fatal(err)
		}
		issue := func() string {
			t.Helper()
			signed, _, err := tokens.Issue(t.Context(), bob, "asia", 0)
			if err != nil {
				t.Fatal(err)
			}
			return signed
		}
		revoke := func() {
			t.Helper()
			if _, err := ended.Revoke(t.Context(), bob.Name, bob.Name); err != nil {
				t.Fatal(err)
			}
		}
		good := func(signed string) bool {
			t.Helper()
			_, err := tokens.Verify(t.Context(), signed)
			if err != nil && !strings.Contains(err.Error(), "has been revoked") {
				t.Fatal(err)
			}
			return err == nil
		}
		second := time.Now()
		if second.Nanosecond() != 0 {
			t.Fatalf("a bubble begins at %s", second)
		}
		before := issue()
		if !good(before) || !time.Now().Equal(second) {
			t.Fatalf("a token is not good, or not issued at once, though none was taken back: %s", time.Since(second))
		}
		time.Sleep(300 * time.Millisecond)
		revoke()
		time.Sleep(400 * time.Millisecond)
		after := issue()
		if took := time.Since(second); took != time.Second {
			t.Errorf("it is issued %s after the second began", took)
		}
		if good(before) || !good(after) {
			t.Errorf("good: %t of before the revocation, %t of after it", good(before), good(after))
		}
		// The next one takes that back, too, in whose second it was issued.
		time.Sleep(time.Millisecond)
		revoke()
		if good(after) {
			t.Error("a token goes on that was issued before another revocation")
		}
		if last := issue(); !good(last) {
			t.Error("a token of after both revocations is not good")
		}
	})
}

// ahead is what was taken back by a replica whose clock is wrong.
type ahead struct{ until time.Time }

func (a ahead) Revoked(_, _ string, issuedAt time.Time) bool { return !issuedAt.After(a.until) }

func TestNoTokenIsIssuedThatIsNotGood(t *testing.T) {
	for _, tc := range []struct {
		name  string
		ahead time.Duration
		// leaves is when whoever asks does not wait any more.
		leaves, took time.Duration
		issued       bool
	}{
		{"a clock a little ahead", time.Second, time.Minute, 2 * time.Second, true},
		{"a clock far ahead", time.Hour, time.Minute, 2 * time.Second, false},
		{"nobody waits for it", time.Second, 700 * time.Millisecond, 700 * time.Millisecond, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tokens, err := token.New(token.Config{Keys: &keyringtest.Store{}, Revocations: ahead{time.Now().Add(tc.ahead)}})
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), tc.leaves)
				defer cancel()
				signed, _, err := tokens.Issue(ctx, bob, "asia", 0)
				if took := time.Since(began); took != tc.took {
					t.Errorf("it took %s", took)
				}
				var known *model.Error
				switch {
				case tc.issued:
					if _, bad := tokens.Verify(t.Context(), signed); err != nil || bad != nil {
						t.Errorf("got %v, %v", err, bad)
					}
				case !errors.As(err, &known) || known.Code != model.CodeUnavailable || !known.Retryable || signed != "":
					t.Errorf("got %q, %v", signed, err)
				}
			})
		})
	}
}
