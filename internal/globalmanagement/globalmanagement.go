// Package globalmanagement is POST /hooks/global-management: global management tells who has which role, and Kairship
// keeps an AccessBinding of the host cluster for each. A request is believed for its signature alone; an
// event takes effect once, in the order in which its source made it, and wholly or not at all as far as the
// sender can see: what could not be finished is answered so that it is sent again. A Resyncer repairs what
// was missed. The package knows nothing of what a role allows, nor of the Karmadas in which it is to hold.
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
	// window is how far the time of a request may be from ours, before or behind.
	window = 5 * time.Minute
	// bodyTimeout bounds the reading of a body, whose sender nobody knows yet.
	bodyTimeout = 10 * time.Second
	// applyTimeout bounds all that an event leads to; a sender is to wait for longer.
	applyTimeout = 25 * time.Second
	// callTimeout bounds one request to the host cluster.
	callTimeout = 5 * time.Second
	// maxWaiting is how many requests of one source wait for the one before them.
	maxWaiting = 32
	// maxAnswered is how many requests are known in this process as answered.
	maxAnswered = 4096
	// eventsKept is how long an event is known by its id. After that its sequence alone tells that it is old.
	eventsKept = 7 * 24 * time.Hour
)

// Options are what a Hook needs.
type Options struct {
	// Client of the host cluster, without a cache: what is written is decided by what is there.
	Client client.Client
	// Journal remembers events.
	Journal Journal
	// Secrets that requests are signed with.
	Secrets Secrets
	// Sources that may send; by default DefaultSource.
	Sources []string
	// Audit is told of every change that was made, refused or tried; nil for nobody. It must not block.
	Audit func(context.Context, Record)
	// Address is whom the failures of a request count against; by default who opened the connection. Behind
	// a proxy it is to be the address that the proxy vouches for.
	Address func(*http.Request) string
	// Registerer takes the metrics; nil for none.
	Registerer prometheus.Registerer
	Logger     *slog.Logger
	// Clock is that of the machine unless a test brings another.
	Clock clock.PassiveClock
}

// Hook is the handler.
type Hook struct {
	Options

	writer   *writer
	failures *failures
	// unverified are the requests of which nobody knows yet who sent them.
	unverified unverified
	metrics    *metrics
	sources    map[string]*source
	// answered are the digests of requests that were answered: who sends one over and over is not to keep
	// the journal busy.
	answered *lru.Cache[string, struct{}]
}

// source is what is known of one source in this process.
type source struct {
	// queue holds those who wait, and turn the one whose turn it is.
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
