package audit

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
)

// Pruner removes events; package database implements it.
type Pruner interface {
	// NthAudit returns the position of the event that has n newer ones; nil when there is none.
	NthAudit(ctx context.Context, n int64) (*Position, error)
	// PruneAudit removes the oldest events, at most batch of them, none newer than last, and returns how many. It
	// removes nothing while another process prunes.
	PruneAudit(ctx context.Context, last Position, batch int) (removed int64, err error)
}

// Retention is how long events are kept. Zero values are the defaults.
type Retention struct {
	// Age is how old an event may be. Default 90 days.
	Age time.Duration
	// Count is how many events are kept at most. Default 10 million; negative for any number.
	Count int64
	// Every is how often old events are looked for. Default an hour.
	Every time.Duration
	// Batch is how many events are removed in one transaction. Default 1,000.
	Batch int
}

// Keeper removes old events.
type Keeper struct {
	store     Pruner
	retention Retention
	log       *slog.Logger
}

// NewKeeper makes a Keeper. A nil logger is slog.Default().
func NewKeeper(store Pruner, r Retention, log *slog.Logger) *Keeper {
	r.Age = orDefault(r.Age, 90*24*time.Hour)
	r.Count = orDefault(r.Count, 10_000_000)
	r.Every = orDefault(r.Every, time.Hour)
	r.Batch = orDefault(r.Batch, 1000)
	return &Keeper{store: store, retention: r, log: orDefault(log, slog.Default())}
}

// Run removes old events now and every Retention.Every, until ctx ends. Every replica may run it.
func (k *Keeper) Run(ctx context.Context) {
	ticker := time.NewTicker(k.retention.Every)
	defer ticker.Stop()
	for {
		if removed, err := k.Prune(ctx); err != nil && ctx.Err() == nil {
			k.log.Error("old audit events are not removed", "removed", removed, "error", err)
		} else if removed > 0 {
			k.log.Info("old audit events were removed", "removed", removed)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// Prune removes all events beyond the age or the count, batch by batch, and returns how many.
func (k *Keeper) Prune(ctx context.Context) (removed int64, err error) {
	removed, err = k.upTo(ctx, Position{At: time.Now().Add(-k.retention.Age), ID: uuid.Max.String()})
	if err != nil || k.retention.Count < 0 {
		return removed, err
	}
	last, err := k.store.NthAudit(ctx, k.retention.Count)
	if err != nil || last == nil {
		return removed, err
	}
	more, err := k.upTo(ctx, *last)
	return removed + more, err
}

func (k *Keeper) upTo(ctx context.Context, last Position) (removed int64, err error) {
	for {
		n, err := k.store.PruneAudit(ctx, last, k.retention.Batch)
		removed += n
		if err != nil || n < int64(k.retention.Batch) {
			return removed, err
		}
	}
}
