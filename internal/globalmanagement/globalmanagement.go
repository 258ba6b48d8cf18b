// Package globalmanagement serves POST /hooks/global-management: global management sends who has which role, and
// Kairship keeps an AccessBinding in the host cluster for each. A request is trusted for its signature alone. An
// event takes effect once, in the order of its source, and wholly or not at all as far as the sender can see: the
// error for an unfinished one asks to send it again. A Resyncer repairs what was missed. The package knows nothing of
// what a role allows, nor of the Karmadas in which it applies.
package globalmanagement

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

// Path is where the server serves the hook.
const Path = "/hooks/global-management"

// DefaultSource is the name of the one source where no other is configured.
const DefaultSource = "global-management"

const (
	// maxBody is the largest event that is read, in bytes.
	maxBody = 1 << 20
	// window is how far the time of a request may differ from ours, before or after.
	window = 5 * time.Minute
	// bodyTimeout bounds the reading of a body, whose sender is not verified yet.
	bodyTimeout = 10 * time.Second
	// applyTimeout bounds the handling of an event; senders must wait longer.
	applyTimeout = 25 * time.Second
	// callTimeout bounds one request to the host cluster.
	callTimeout = 5 * time.Second
	// maxWaiting is how many requests of one source may wait for their turn.
	maxWaiting = 32
	// maxAnswered is how many answered requests this process remembers.
	maxAnswered = 4096
	// eventsKept is how long an event's id is remembered. After that only its sequence shows that it is old.
	eventsKept = 7 * 24 * time.Hour
)

// Options are what a Hook needs.
type Options struct {
	// Client of the host cluster, without a cache: what is written depends on the current state.
	Client client.Client
	// Journal remembers events.
	Journal Journal
	// Secrets that requests are signed with.
	Secrets Secrets
	// Sources that may send; by default DefaultSource.
	Sources []string
	// Audit is called for every change that was made, refused or tried; nil for none. It must not block.
	Audit func(context.Context, Record)
	// Address returns whom the failures of a request count against; by default the peer of the connection. Behind a
	// proxy it must be the address that the proxy vouches for.
	Address func(*http.Request) string
	// Registerer takes the metrics; nil for none.
	Registerer prometheus.Registerer
	Logger     *slog.Logger
	// Clock is the machine's by default; tests bring another.
	Clock clock.PassiveClock
}

// Hook is the handler.
type Hook struct {
	Options

	writer   *writer
	failures *failures
	// unverified counts the requests whose sender is not verified yet.
	unverified unverified
	metrics    *metrics
	sources    map[string]*source
	// answered are the digests of answered requests, so that repeating one does not load the journal.
	answered *lru.Cache[string, struct{}]
}

// source is the state of one source in this process.
type source struct {
	// queue holds the requests of the source, turn the one that runs.
	queue, turn chan struct{}
	// behind is signalled when something was missed.
	behind chan struct{}
}

// New makes a Hook.
func New(o Options) (*Hook, error) {
	if o.Client == nil || o.Journal == nil || o.Secrets == nil {
		return nil, errors.New("the hook of global management needs a client, a journal and secrets")
	}
	if len(o.Sources) == 0 {
		o.Sources = []string{DefaultSource}
	}
	if o.Audit == nil {
		o.Audit = func(context.Context, Record) {}
	}
	if o.Address == nil {
		o.Address = func(r *http.Request) string { return r.RemoteAddr }
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	o.Sources = slices.Compact(slices.Sorted(slices.Values(o.Sources)))
	answered, _ := lru.New[string, struct{}](maxAnswered) // fails only for a size below 1
	h := &Hook{answered: answered, Options: o, failures: newFailures(o.Clock), unverified: unverified{by: map[netip.Prefix]int{}}, sources: map[string]*source{}}
	for _, name := range o.Sources {
		if err := event.CheckSource(name); err != nil {
			return nil, fmt.Errorf("a source of global management: %w", err)
		}
		h.sources[name] = &source{queue: make(chan struct{}, maxWaiting), turn: make(chan struct{}, 1), behind: make(chan struct{}, 1)}
	}
	h.metrics = newMetrics(o, h.sources)
	h.writer = &writer{client: o.Client, audit: o.Audit, clock: o.Clock, logger: o.Logger}
	return h, nil
}

// signal wakes the Resyncer of a source, if it has one.
func (s *source) signal() {
	select {
	case s.behind <- struct{}{}:
	default:
	}
}
