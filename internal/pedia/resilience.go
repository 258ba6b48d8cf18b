package pedia

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/kairship-io/kairship/internal/upstream"
)

const (
	// attempts of one request at most, and how soon they follow.
	attempts            = 3
	firstWait, lastWait = 50 * time.Millisecond, 500 * time.Millisecond
	// retryBurst retries of all callers may be made at once, and one more each retryEvery: an outage is
	// not made worse by those who wait for its end.
	retryBurst = 10
	retryEvery = 200 * time.Millisecond
)

// silence is a request without an answer: nothing of one was read.
type silence struct{ err error }

func (s *silence) Error() string { return s.err.Error() }

func (s *silence) Unwrap() error { return s.err }

// lastWord is the error of a request that is not made again, although it could be.
type lastWord struct{ err error }

func (l *lastWord) Error() string { return l.err.Error() }

func (l *lastWord) Unwrap() error { return l.err }

// transient says that the same request may have an answer in a moment.
func transient(err error) bool {
	var ended *lastWord
	if errors.As(err, &ended) {
		return false
	}
	var status *statusError
	if errors.As(err, &status) {
		switch status.code {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		return false
	}
	var none *silence
	return errors.As(err, &none) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled)
}

// down says that the store is not there, as opposed to an answer that is not what was hoped for.
func down(err error) bool {
	var status *statusError
	if errors.As(err, &status) {
		return status.code != http.StatusTooManyRequests && transient(err)
	}
	var none *silence
	return errors.As(err, &none) && !errors.Is(err, context.Canceled)
}

func newRetryPolicy() *upstream.RetryPolicy {
	return upstream.NewRetryPolicy(upstream.RetryOptions{Attempts: attempts, First: firstWait, Max: lastWait,
		Burst: retryBurst, Every: retryEvery, Transient: transient})
}
