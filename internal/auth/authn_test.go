package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

// reviews answers as it is told to, and counts.
type reviews struct {
	mu     sync.Mutex
	asked  []authenticationv1.TokenReviewSpec
	status authenticationv1.TokenReviewStatus
	err    error
	gate   chan struct{} // answers wait until it is closed; nil for not
}

func (r *reviews) Create(ctx context.Context, in *authenticationv1.TokenReview, _ metav1.CreateOptions) (*authenticationv1.TokenReview, error) {
	r.mu.Lock()
	r.asked = append(r.asked, in.Spec)
	gate := r.gate
	r.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return &authenticationv1.TokenReview{Status: r.status}, r.err
}

func (r *reviews) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

func (r *reviews) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.asked)
}

var good = authenticationv1.TokenReviewStatus{Authenticated: true, Audiences: []string{"kairship"},
	User: authenticationv1.UserInfo{Username: "ann", Groups: []string{"ops", "devs"}, UID: "1",
		Extra: map[string]authenticationv1.ExtraValue{"pod": {"p"}}}}

func token(exp time.Time) string {
	return withClaims(fmt.Sprintf(`{"exp":%d}`, exp.Unix()))
}

func TestAuthenticate(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	with := func(change func(*authenticationv1.TokenReviewStatus)) authenticationv1.TokenReviewStatus {
		s := good
		change(&s)
		return s
	}
	for _, tc := range []struct {
		name   string
		token  string
		status authenticationv1.TokenReviewStatus
		err    error
		want   Principal
		code   model.Code
		asked  int
	}{
		{name: "a good token is somebody, with the origin in every name", token: "opaque-token", status: good, asked: 1,
			want: Principal{Name: "kairship:host:ann", Groups: []string{"kairship:host:devs", "kairship:host:ops"}}},
		{name: "no token is nobody", token: "", status: good, code: model.CodeUnauthenticated},
		{name: "a token that is not good is refused", token: "opaque-token", code: model.CodeUnauthenticated, asked: 1,
			status: authenticationv1.TokenReviewStatus{Error: "unknown"}},
		{name: "a token for somebody else is refused, even if the cluster accepts it", token: "opaque-token", code: model.CodeUnauthenticated, asked: 1,
			status: with(func(s *authenticationv1.TokenReviewStatus) { s.Audiences = []string{"https://kubernetes"} })},
		{name: "a cluster that ignores audiences is not believed", token: "opaque-token", code: model.CodeUnauthenticated, asked: 1,
			status: with(func(s *authenticationv1.TokenReviewStatus) { s.Audiences = nil })},
		{name: "a user without a name is refused", token: "opaque-token", code: model.CodeUnauthenticated, asked: 1,
			status: with(func(s *authenticationv1.TokenReviewStatus) { s.User.Username = "" })},
		{name: "a user whose name ends with a blank is refused", token: "opaque-token", code: model.CodeUnauthenticated, asked: 1,
			status: with(func(s *authenticationv1.TokenReviewStatus) { s.User.Username = "ann " })},
		{name: "a user whose name begins with a line break is refused", token: "opaque-token", code: model.CodeUnauthenticated, asked: 1,
			status: with(func(s *authenticationv1.TokenReviewStatus) { s.User.Username = "\nann" })},
		{name: "a user with a group whose name begins with a no-break space is refused", token: "opaque-token", code: model.CodeUnauthenticated, asked: 1,
			status: with(func(s *authenticationv1.TokenReviewStatus) { s.User.Groups = []string{"devs", "\u00a0ops"} })},
		{name: "an expired token is refused unasked", token: token(now.Add(-time.Second)), status: good, code: model.CodeUnauthenticated},
		{name: "a token of absurd length is refused unasked", token: strings.Repeat("x", 20_000), status: good, code: model.CodeUnauthenticated},
		{name: "a cluster that cannot be asked is an outage, not a refusal", token: "opaque-token", err: errors.New("down"), code: model.CodeUnavailable, asked: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := &reviews{status: tc.status, err: tc.err}
			a := NewHostAuthenticator(r, "kairship")
			a.now = func() time.Time { return now }
			got, err := a.Authenticate(t.Context(), tc.token)
			var e *model.Error
			if errors.As(err, &e); (err == nil) != (tc.code == "") || e != nil && e.Code != tc.code {
				t.Fatalf("error = %v, want code %q", err, tc.code)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("principal (-want +got):\n%s", diff)
			}
			if len(r.asked) != tc.asked {
				t.Fatalf("asked %d times, want %d", len(r.asked), tc.asked)
			}
			if tc.asked > 0 {
				if diff := cmp.Diff(authenticationv1.TokenReviewSpec{Token: tc.token, Audiences: []string{"kairship"}}, r.asked[0]); diff != "" {
					t.Errorf("question (-want +got):\n%s", diff)
				}
			}
			if tc.token != "" && err != nil && strings.Contains(err.Error(), tc.token) {
				t.Errorf("the error holds the token: %v", err)
			}
		})
	}
}

func TestVerdictsAreRememberedForAMoment(t *testing.T) {
	start := time.Unix(1_000_000, 0)
	for _, tc := range []struct {
		name   string
		token  string
		status authenticationv1.TokenReviewStatus
		err    error
		after  time.Duration
		asked  int
	}{
		{"a good token for a moment", "opaque-token", good, nil, goodFor - time.Millisecond, 1},
		{"a good token no longer than that", "opaque-token", good, nil, goodFor, 2},
		{"a bad token for five seconds", "opaque-token", authenticationv1.TokenReviewStatus{}, nil, badFor - time.Millisecond, 1},
		{"a bad token no longer than that", "opaque-token", authenticationv1.TokenReviewStatus{}, nil, badFor, 2},
		{"an outage not at all", "opaque-token", good, errors.New("down"), 0, 2},
		{"a token never beyond its own end", token(start.Add(10 * time.Second)), good, nil, 10 * time.Second, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := &reviews{status: tc.status, err: tc.err}
			a := NewHostAuthenticator(r, "kairship")
			now := start
			a.now = func() time.Time { return now }
			_, first := a.Authenticate(t.Context(), tc.token)
			now = now.Add(tc.after)
			_, second := a.Authenticate(t.Context(), tc.token)
			if r.count() != tc.asked {
				t.Errorf("asked %d times, want %d", r.count(), tc.asked)
			}
			if tc.asked == 1 && tc.token == "opaque-token" && (first == nil) != (second == nil) {
				t.Errorf("remembered wrongly: first %v, then %v", first, second)
			}
			if tc.token != "opaque-token" && second == nil {
				t.Error("an expired token was taken from memory")
			}
		})
	}
}

func TestAnOutageTakesNoRightAwayAtOnce(t *testing.T) {
	r := &reviews{status: good}
	a := NewHostAuthenticator(r, "kairship")
	now := time.Unix(1_000_000, 0)
	a.now = func() time.Time { return now }
	code := func(token string) string {
		_, err := a.Authenticate(t.Context(), token)
		if known := (*model.Error)(nil); errors.As(err, &known) {
			return string(known.Code)
		}
		return ""
	}
	short := token(now.Add(30 * time.Second))
	if got := code("opaque-token") + code(short); got != "" {
		t.Fatal(got)
	}
	r.fail(errors.New("down"))
	for _, c := range []struct {
		after       time.Duration
		token, want string
	}{
		{goodFor, "opaque-token", ""}, {goodFor, "another-token", "UNAVAILABLE"}, {30 * time.Second, short, "UNAUTHENTICATED"},
		{spareFor - time.Second, "opaque-token", ""}, {spareFor, "opaque-token", "UNAVAILABLE"},
	} {
		now = time.Unix(1_000_000, 0).Add(c.after)
		if got := code(c.token); got != c.want {
			t.Errorf("%s after %s: %q, want %q", c.token[:5], c.after, got, c.want)
		}
	}
	r.fail(nil)
	if got := code("opaque-token"); got != "" {
		t.Errorf("afterwards: %s", got)
	}
}

func TestCallersWithOneTokenShareOneQuestion(t *testing.T) {
	r := &reviews{status: good, gate: make(chan struct{})}
	a := NewHostAuthenticator(r, "kairship")
	first, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := a.Authenticate(first, "opaque-token")
		gone <- err
	}()
	for deadline := time.Now().Add(10 * time.Second); r.count() == 0; {
		if time.Now().After(deadline) {
			t.Fatal("nobody asked")
		}
	}
	// The caller who asked leaves: the others still get their answer.
	cancel()
	if err := <-gone; err == nil {
		t.Fatal("a caller whose request ended was let in")
	}
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, err := a.Authenticate(t.Context(), "opaque-token"); err != nil {
				t.Error(err)
			}
		})
	}
	close(r.gate)
	wait.Wait()
	if n := r.count(); n != 1 {
		t.Errorf("asked %d times, want 1", n)
	}
}
