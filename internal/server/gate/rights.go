package gate

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// recheck is how often the right to an open stream is checked when no change is reported: tokens of the host
	// cluster are revoked there.
	recheck = 2 * time.Second
	// RecheckGap is how long a check is valid, however many changes there are.
	RecheckGap = 250 * time.Millisecond
	// recheckSpread bounds the time over which the checks after a change are spread: a millisecond for each open
	// stream, so that a few end at once and many do not check together.
	recheckSpread = 500 * time.Millisecond
)

// errRightsChanged ends a stream whose owner may no longer see the same as when it began: a new connection sees what
// they may see now.
var errRightsChanged = &model.Error{Code: model.CodeUnavailable, Retryable: true, Message: "your rights have changed; connect again"}

// Lost sends the reason once the credential of a visit no longer has the same rights: it has expired, was revoked, or
// its owner's rights have changed. It sends nothing when ctx ends first.
func (g *Gate) Lost(ctx context.Context, in Visit) <-chan *model.Error {
	lost := make(chan *model.Error, 1)
	leave := g.lasting()
	go func() { // ends with ctx
		defer leave()
		last := time.Now()
		for {
			wait := g.cfg.Recheck
			if left := in.Expires.Sub(g.now()); left > 0 {
				wait = min(wait, left+time.Millisecond)
			}
			timer := time.NewTimer(wait)
			changed := false
			select {
			case <-timer.C:
			case <-in.changed:
				changed = true
			case <-ctx.Done():
			}
			timer.Stop()
			if changed && !pause(ctx, g.spread()+max(RecheckGap-time.Since(last), 0)) || ctx.Err() != nil {
				return
			}
			_, now, refusal := g.Look(ctx, in.credential)
			last = time.Now()
			switch {
			case ctx.Err() != nil:
				return
			case refusal == nil && now.Principal.Key() == in.Principal.Key() && now.Scope.Key() == in.Scope.Key():
			case refusal == nil:
				refusal = errRightsChanged
			case refusal.Code == model.CodeUnauthenticated || refusal.Code == model.CodeForbidden:
			case !in.Expires.IsZero() && !g.now().Before(in.Expires):
				refusal = &model.Error{Code: model.CodeUnauthenticated, Message: "the credential has expired", Err: refusal}
			default:
				// The check itself failed: an outage revokes no right. Wait for the next change.
				refusal, now.Expires = nil, in.Expires
			}
			if refusal != nil {
				lost <- refusal
				return
			}
			now.Principal, now.Scope = in.Principal, in.Scope
			in = now
		}
	}()
	return lost
}

// spread is how long one stream waits after a change before it checks.
func (g *Gate) spread() time.Duration {
	within := min(time.Duration(g.Open().Lasting)*time.Millisecond, recheckSpread)
	return rand.N(within + 1) //nolint:gosec // it spreads load and guards nothing
}

// pause waits; false when ctx ended first.
func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
