package globalmanagement

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

const (
	// resyncInterval is how often a source is asked for all its bindings, unless ResyncOptions say otherwise.
	resyncInterval = 10 * time.Minute
	// retryFirst is the pause after an attempt that failed. It doubles up to retryMost.
	retryFirst = 5 * time.Second
	retryMost  = time.Minute
	// fullTimeout bounds the writing of a set.
	fullTimeout = 2 * time.Minute
	// outdatedAttempts is how many times a set is fetched while events keep overtaking it.
	outdatedAttempts = 3
)

// ResyncOptions say which source a Resyncer asks.
type ResyncOptions struct {
	// Source whose bindings are asked for; by default DefaultSource.
	Source string
	// URL that answers with all of them: https, or http on this machine.
	URL string
	// CAFile holds the certificate authorities of the URL, PEM, read anew for every request; empty for those
	// of the machine.
	CAFile string
	// Interval is how often it is asked when nothing is missing; by default ten minutes.
	Interval time.Duration
	// Clock is the machine's by default; tests bring another.
	Clock clock.Clock
}

// Resyncer repairs what was missed: it asks a source for all its bindings at its start, every ten minutes unless
// configured otherwise, and at once after a gap. An attempt that fails changes nothing.
type Resyncer struct {
	hook     *Hook
	client   *pullClient
	source   *source
	name     string
	interval time.Duration
	clock    clock.Clock
	// spread makes a pause longer or shorter, so that not all replicas ask at once.
	spread func(time.Duration) time.Duration
}

// NewResyncer makes a Resyncer for a source of a hook.
func NewResyncer(h *Hook, o ResyncOptions) (*Resyncer, error) {
	if o.Source == "" {
		o.Source = DefaultSource
	}
	if o.Interval == 0 {
		o.Interval = resyncInterval
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	s := h.sources[o.Source]
	if s == nil {
		return nil, fmt.Errorf("source %q of global management is not one of the hook's", o.Source)
	}
	c, err := newPullClient(h.Secrets, o)
	if err != nil {
		return nil, err
	}
	return &Resyncer{hook: h, client: c, source: s, name: o.Source, interval: o.Interval, clock: o.Clock, spread: spread}, nil
}

// spread changes a pause by up to a tenth.
func spread(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5) //nolint:gosec // nobody gains from knowing when
}

// Run resyncs until the context ends.
func (r *Resyncer) Run(ctx context.Context) error {
	failed, first := 0, true
	for {
		behind, err := r.attempt(ctx, first)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // whoever ends it does not want to know what it was at
		}
		pause, woken := r.spread(r.interval), r.source.behind
		if err != nil || behind {
			// New events need not wake it: it is known already that something is missing.
			failed, woken = failed+1, nil
			pause = r.spread(min(retryFirst<<min(failed-1, 8), retryMost))
		} else {
			failed, first = 0, false
		}
		r.log(ctx, err, pause)
		timer := r.clock.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C():
		case <-woken:
			timer.Stop()
		}
	}
}

func (r *Resyncer) log(ctx context.Context, err error, pause time.Duration) {
	if err == nil {
		return
	}
	refused := refusalOf(err)
	r.hook.metrics.pulls.WithLabelValues(r.name, string(refused.reason)).Inc()
	r.hook.Logger.WarnContext(ctx, "the bindings of global management could not be fetched; those that are there stay as they are",
		"source", r.name, "reason", refused.reason, "error", refused.err, "next", pause)
}

// attempt brings the bindings in line, unless another replica has just done so. behind says that something
// is missing still.
func (r *Resyncer) attempt(ctx context.Context, always bool) (behind bool, err error) {
	if !always {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		at, err := r.hook.Journal.Position(ctx, r.name)
		if err != nil {
			return false, journalAway(err)
		}
		if !at.Behind && r.hook.Clock.Now().Sub(at.FullSync) < r.interval/2 {
			return false, nil
		}
	}
	for range outdatedAttempts {
		var set *event.Set
		if set, err = r.client.fetch(ctx, r.hook.Clock.Now()); err != nil {
			return false, err
		}
		if behind, err = r.apply(ctx, set); err == nil || refusalOf(err).reason != reasonOutdated {
			return behind, err
		}
	}
	return false, err
}

// apply brings the bindings in line with a set.
func (r *Resyncer) apply(ctx context.Context, set *event.Set) (behind bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fullTimeout)
	defer cancel()
	var items []Item
	err = r.hook.inTurn(ctx, r.name, func(ctx context.Context, entry Entry) error {
		at, err := entry.Position(ctx)
		if err != nil {
			return journalAway(err)
		}
		if set.Sequence < at.Sequence {
			return refuse(reasonOutdated, "the set is as of event %d, and event %d was applied", set.Sequence, at.Sequence)
		}
		w, stop := r.hook.writer.begin(ctx, origin{source: r.name, sequence: set.Sequence, address: r.client.url.Host})
		defer stop()
		if items, err = w.full(ctx, set.Bindings, set.ConfirmRemovals); err != nil {
			return hostAway(err)
		}
		behind = isWaiting(items)
		if err := entry.SetPosition(ctx, Position{Sequence: set.Sequence, FullSync: r.hook.Clock.Now(), Behind: behind}); err != nil {
			return journalAway(err)
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	r.hook.metrics.items(r.name, items)
	r.hook.metrics.pulls.WithLabelValues(r.name, outcomeApplied).Inc()
	r.hook.Logger.InfoContext(ctx, "the bindings of global management were fetched", "source", r.name, "sequence", set.Sequence,
		"bindings", len(set.Bindings), "items", len(items))
	return behind, nil
}
