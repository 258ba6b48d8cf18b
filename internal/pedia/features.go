package pedia

import (
	"context"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Gate says whether the store takes SQL conditions, as last seen.
type Gate string

// What can be known of the gate.
const (
	GateOpen    Gate = "open"
	GateClosed  Gate = "closed"
	GateUnknown Gate = "unknown"
)

// gateWatch remembers what the last probe found.
type gateWatch struct{ last atomic.Value }

// Gate is what the last probe found.
func (c *Client) Gate() Gate {
	if g, ok := c.gate.last.Load().(Gate); ok {
		return g
	}
	return GateUnknown
}

// gateInterval is how often an open gate is probed: it changes only when the API server is restarted.
const gateInterval = time.Minute

// Run probes the store's SQL gate until the context ends. With the gate closed the store ignores
// conditions without a word, so it is asked for rows that cannot exist.
func (c *Client) Run(ctx context.Context) error {
	tick := time.NewTicker(gateInterval)
	defer tick.Stop()
	for {
		c.gate.last.Store(c.probeGate(ctx))
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// probed is a resource of which every synced cluster has rows.
var probed = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

func (c *Client) probeGate(ctx context.Context) Gate {
	ask := func(where string) (rows int, err error) {
		var list envelope
		err = c.send(ctx, probed, map[string][]string{"limit": {"1"}, "onlyMetadata": {"true"}, "whereSQLStatement": {where}}, &list)
		return len(list.Items), err
	}
	all, err := ask("name = name")
	if err != nil || all == 0 {
		return GateUnknown
	}
	none, err := ask("name <> name")
	switch {
	case err != nil:
		return GateUnknown
	case none > 0:
		return GateClosed
	}
	return GateOpen
}
