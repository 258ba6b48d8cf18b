package pedia

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/kairship-io/kairship/internal/upstream"
)

const (
	// attempts is the most attempts of one request; firstWait and lastWait bound the pause between them.
	attempts            = 3
	firstWait, lastWait = 50 * time.Millisecond, 500 * time.Millisecond
	// retryBurst retries of all callers may be made at once, and one more each retryEvery, so that retries do not make
	// an outage worse.
	retryBurst = 10
	retryEvery = 200 * time.Millisecond
)

// silence is the error of a request of which no response was read.
type silence struct{ err error }

func (s *silence) Error() string { return s.err.Error() }

func (s *silence) Unwrap() error { return s.err }

// lastWord is an error that ends retries, although the request could be retried.
type lastWord struct{ err error }

func (l *lastWord) Error() string { return l.err.Error() }

func (l *lastWord) Unwrap() error { return l.err }

// transient reports whether the same request may succeed in a moment.
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

// down reports whether the store is not available, as opposed to answering with another error.
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
