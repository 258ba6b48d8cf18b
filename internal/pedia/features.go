package pedia

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream"
)

// Gate says whether the store applies SQL conditions, as last probed.
type Gate string

// The states of the gate.
const (
	GateOpen    Gate = "open"
	GateClosed  Gate = "closed"
	GateUnknown Gate = "unknown"
)

// Fact is yes, no, or not yet known.
type Fact string

// The facts.
const (
	Yes     Fact = "yes"
	No      Fact = "no"
	Unknown Fact = "unknown"
)

// Features is what the store can do, as last probed.
type Features struct {
	Gate Gate
	// ByBytes says whether the database orders text by bytes. In other databases every statement states the order.
	ByBytes Fact
	// Missing are the indexes of the pack that are missing; nil when Pack is Unknown.
	Missing []indexes.Name
	// Pack says whether all indexes of the pack are there.
	Pack Fact
	// CheckedAt is when the store was probed; zero when it never was.
	CheckedAt time.Time
}

// unprobed is the features of a store that was never probed.
var unprobed = Features{Gate: GateUnknown, ByBytes: Unknown, Pack: Unknown}

// dialect uses only what any database accepts where little is known of the store.
func (f Features) dialect() sql.Dialect {
	return sql.Dialect{ByBytes: f.ByBytes == Yes, Pack: f.Pack == Yes}
}

// Features is the result of the last probe.
func (c *Client) Features() Features {
	if f := c.features.Load(); f != nil {
		return *f
	}
	return unprobed
}

// Gate is the state of the gate in the last probe.
func (c *Client) Gate() Gate { return c.Features().Gate }

// Assume sets the features of the store until the next probe. It saves tests the probe.
func (c *Client) Assume(f Features) { c.features.Store(&f) }

const (
	// probeInterval is the time between probes once the gate is known: the store changes only when it is restarted or
	// gets indexes.
	probeInterval = time.Minute
	// probeSoon is how long a probe without a result counts: the store may have been starting.
	probeSoon = 2 * time.Second
)

// Run probes the store until the context ends, and logs when it stops applying conditions or applies them again. With
// the gate closed the store ignores conditions silently, so the probe asks for rows that cannot exist.
func (c *Client) Run(ctx context.Context, log *slog.Logger) error {
	closed := false
	for {
		f := c.refresh(ctx)
		switch {
		case f.Gate == GateClosed && !closed:
			log.Error("Nothing of the read store can be read", "error", errGate)
		case f.Gate == GateOpen && closed:
			log.Info("The read store takes SQL conditions")
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
			return nil
		}
	}
}

// traits returns the features of the store, and probes it when they are not known.
func (c *Client) traits(ctx context.Context) Features {
	if f := c.features.Load(); f != nil && (f.Gate != GateUnknown || time.Since(f.CheckedAt) < probeSoon) {
		return *f
	}
	return c.refresh(ctx)
}

// refresh probes, once for all concurrent callers. The known features are kept when the store does not answer.
func (c *Client) refresh(ctx context.Context) Features {
	f, err := upstream.Await(ctx, storeName, c.executor.Timeout(), func(ctx context.Context, _ func()) (Features, error) {
		return c.probing.Do(ctx, "", c.executor.Timeout(), func(ctx context.Context) (Features, error) {
			f, err := c.probe(upstream.NewOperation(ctx)) // the probe serves all callers, not only the first that waits
			if old := c.features.Load(); err == nil || old == nil || old.Gate == GateUnknown {
				c.features.Store(&f)
			}
			return f, err
		})
	})
	if err != nil {
		return c.Features()
	}
	return f
}

// probed is a resource of which every synced cluster has rows.
var probed = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// The conditions of the probe: true for every row, and for none.
const (
	always = "name = name"
	never  = "name <> name"
)

// probe finds out what the store can do. Each question requests one row, which is returned when the answer is yes.
func (c *Client) probe(ctx context.Context) (Features, error) {
	f := unprobed
	f.CheckedAt = time.Now()
	some, err := c.executor.Holds(ctx, always)
	if err != nil || !some {
		return f, err
	}
	some, err = c.executor.Holds(ctx, never)
	if err != nil {
		return f, err
	}
	if some {
		f.Gate = GateClosed
		return f, nil
	}
	byBytes, err := c.executor.Holds(ctx, indexes.ByBytes)
	if err != nil {
		// Statements are not written for a database that cannot evaluate this.
		f.Gate = GateClosed
		return f, notAnswered(err)
	}
	f.Gate, f.ByBytes = GateOpen, factOf(byBytes)
	return c.probePack(ctx, f)
}

// notAnswered is the error when the store did not answer, nil when it answered with an error.
func notAnswered(err error) error {
	var status *statusError
	if errors.As(err, &status) {
		return nil
	}
	return err
}

// probePack looks for all indexes at once, and when some are missing for each of them.
func (c *Client) probePack(ctx context.Context, f Features) (Features, error) {
	names := []any{}
	all := "true"
	for _, index := range indexes.Pack() {
		if index.OtherOrderOnly && f.ByBytes == Yes {
			continue
		}
		all += " AND " + indexes.Present
		names = append(names, string(index.Name))
	}
	complete, err := c.executor.Holds(ctx, all, names...)
	if err != nil {
		return f, notAnswered(err)
	}
	f.Pack = factOf(complete)
	for i := 0; i < len(names) && !complete; i++ {
		present, err := c.executor.Holds(ctx, indexes.Present, names[i])
		if err != nil {
			f.Pack, f.Missing = Unknown, nil
			return f, notAnswered(err)
		}
		if !present {
			f.Missing = append(f.Missing, indexes.Name(names[i].(string)))
		}
	}
	return f, nil
}

func factOf(b bool) Fact {
	if b {
		return Yes
	}
	return No
}
