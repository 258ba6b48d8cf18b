package pedia

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream"
)

// source is one way to read the store, and what is known of it.
type source struct {
	executor Executor
	features atomic.Pointer[Features]
	probing  upstream.Flight[Features]
}

// run runs a statement. Errors are translated for the person who asked.
func (s *source) run(ctx context.Context, st *sql.Statement) (*Answer, error) {
	answer, err := s.executor.Run(ctx, st)
	if err != nil {
		return nil, storeError(st.Query, err)
	}
	return answer, nil
}

// known is the result of the last probe.
func (s *source) known() Features {
	if f := s.features.Load(); f != nil {
		return *f
	}
	return unprobed
}

const (
	// hedgeAfter is how long the first source may take before the other one is asked as well. A page takes a twentieth of
	// it.
	hedgeAfter = 250 * time.Millisecond
	// hedgeBurst reads of all callers may be hedged at once because they are late, and one more each hedgeEvery: a store
	// that is late under its load is not asked for twice as much.
	hedgeBurst = 20
	hedgeEvery = 100 * time.Millisecond
)

// asked reads from the first source, and from the other one where the first is late or does not answer.
func asked[R any](ctx context.Context, c *Client, read func(context.Context, *source, Features, bool) (R, error)) (R, error) {
	first := c.sources[0]
	if len(c.sources) == 1 {
		return askedOf(ctx, first, read)
	}
	other := c.sources[1]
	if first.known().Gate != GateOpen && other.known().Gate == GateOpen {
		first, other = other, first // nothing is counted by what is not known to apply conditions
	}
	helps := func(err error) bool { return isOutage(err) && (!isOverload(err) || c.hedges.Allow()) }
	return upstream.Hedge(ctx, upstream.Hedging{After: hedgeAfter, Late: c.hedges.Allow, Helps: helps},
		func(ctx context.Context) (R, error) { return askedOf(ctx, first, read) },
		func(ctx context.Context) (R, error) {
			// What is not known to apply conditions is no alternative to what does.
			if f := other.traits(ctx); f.Gate != GateOpen {
				var none R
				return none, f.closed()
			}
			return askedOf(ctx, other, read)
		})
}

// isOutage reports whether an error says that a source cannot be read now, whatever was asked.
func isOutage(err error) bool {
	var told *model.Error
	return errors.As(err, &told) && (told.Code == model.CodeUnavailable || told.Code == model.CodeTimeout)
}

// isOverload reports whether an error may come of too much that was asked: both sources have the same database.
func isOverload(err error) bool {
	var told *model.Error
	return errors.As(err, &told) && told.Code == model.CodeTimeout || errors.Is(err, errBusy)
}

// askedOf reads from a source that is assumed to apply conditions, if it is not exact. When an answer contains rows that were not asked for,
// it probes whether the source ignores conditions. If it does not, it reads again and trusts it (believe).
func askedOf[R any](ctx context.Context, from *source, read func(context.Context, *source, Features, bool) (R, error)) (result R, err error) {
	traits := from.traits(ctx)
	if traits.Gate == GateClosed {
		return result, traits.closed()
	}
	result, err = read(ctx, from, traits, from.executor.Exact())
	if errors.Is(err, errGate) && from.refresh(ctx).Gate == GateOpen {
		return read(ctx, from, traits, true)
	}
	return result, err
}

// watch probes the source until the context ends, and logs when it cannot be read, and when it can again.
func (s *source) watch(ctx context.Context, log *slog.Logger) {
	log = log.With("upstream", s.executor.Name())
	closed, silent := false, false
	for {
		f := s.refresh(ctx)
		if out := f.Gate == GateUnknown && f.Why != nil; out != silent {
			if silent = out; out {
				log.Warn("The read store does not answer this way", "error", f.Why)
			}
		}
		switch {
		case f.Gate == GateClosed && !closed:
			log.Error("The read store cannot be read this way", "error", f.closed())
		case f.Gate == GateOpen && closed:
			log.Info("The read store can be read this way")
		}
		closed = f.Gate == GateClosed || closed && f.Gate != GateOpen
		wait := probeInterval
		if f.Gate == GateUnknown {
			wait = probeSoon
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}
