package auth

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

// slow is a host cluster that takes its time.
type slow struct {
	takes  time.Duration
	status authenticationv1.TokenReviewStatus
}

func (s *slow) Create(ctx context.Context, _ *authenticationv1.TokenReview, _ metav1.CreateOptions) (*authenticationv1.TokenReview, error) {
	status := s.status
	select {
	case <-time.After(s.takes):
		return &authenticationv1.TokenReview{Status: status}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestAHostClusterThatHangsIsWaitedForNoLongerThanNeeded(t *testing.T) {
	const hangs = time.Hour
	type look struct {
		// at is when somebody comes, from the moment at which the host cluster hangs.
		at   time.Duration
		want model.Code
		took time.Duration
	}
	for _, c := range []struct {
		name  string
		after slow
		looks []look
	}{
		{"whoever was known a moment ago is let in after a moment, and the next ones at once", slow{hangs, good}, []look{
			{goodFor, "", verifyTimeout}, {goodFor + verifyTimeout + time.Millisecond, "", 0}, {goodFor + verifyTimeout + againAfter + time.Millisecond, "", verifyTimeout},
		}},
		{"for a minute", slow{hangs, good}, []look{
			{spareFor - time.Second, "", verifyTimeout}, {spareFor + reviewTimeout, model.CodeUnavailable, reviewTimeout},
		}},
		{"whose token is refused while somebody waits is let in no more", slow{verifyTimeout / 2, authenticationv1.TokenReviewStatus{}}, []look{
			{goodFor, model.CodeUnauthenticated, verifyTimeout / 2},
		}},
		{"nor is one whose token is refused later than anybody waits for", slow{2 * verifyTimeout, authenticationv1.TokenReviewStatus{}}, []look{
			{goodFor, "", verifyTimeout}, {goodFor + 2*verifyTimeout + time.Millisecond, model.CodeUnauthenticated, 0},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				host := &slow{0, good}
				a := NewHostAuthenticator(host, "kairship")
				if _, err := a.Authenticate(t.Context(), "opaque-token"); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				*host = c.after
				for _, l := range c.looks {
					time.Sleep(l.at - time.Since(began))
					at := time.Now()
					_, err := a.Authenticate(t.Context(), "opaque-token")
					var e *model.Error
					if took := time.Since(at); errors.As(err, &e) && e.Code != l.want || (err == nil) != (l.want == "") || took != l.took {
						t.Errorf("after %s: %v in %s, want %q in %s", l.at, err, took, l.want, l.took)
					}
				}
				at := time.Now()
				if _, err := a.Authenticate(t.Context(), "another-token"); c.after.takes == hangs && (err == nil || time.Since(at) != reviewTimeout) {
					t.Errorf("somebody unknown: %v in %s", err, time.Since(at))
				}
				time.Sleep(time.Minute) // what runs on ends
			})
		})
	}
}
