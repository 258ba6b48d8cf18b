package live

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	subscribers *prometheus.GaugeVec
	watches     *prometheus.GaugeVec
	// memberWatches are those of pods in members.
	memberWatches prometheus.Gauge
	restarts      *prometheus.CounterVec
	coalesced     prometheus.Counter
	overflows     prometheus.Counter
	queues        queues
}

func newMetrics(r prometheus.Registerer) *metrics {
	const ns, sub = "kairship", "live"
	m := &metrics{
		queues: queues{of: map[queue]struct{}{}},
		subscribers: prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub, Name: "subscribers",
			Help: "Open streams, by what they tell of."}, []string{"stream"}),
		watches: prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub, Name: "watches",
			Help: "Shared watches on Karmada that run."}, []string{"instance", "resource"}),
		memberWatches: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub, Name: "member_watches",
			Help: "Watches on pods in members that run, each as the person who looks."}),
		restarts: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "watch_restarts_total",
			Help: "Watches that broke and were begun again."}, []string{"instance", "resource"}),
		coalesced: prometheus.NewCounter(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "coalesced_events_total",
			Help: "Changes that replaced an older one of the same object that a subscriber had not read yet."}),
		overflows: prometheus.NewCounter(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "buffer_overflows_total",
			Help: "Times that a subscriber fell so far behind that its stream began again with RESYNC."}),
	}
	if r != nil {
		r.MustRegister(m.subscribers, m.watches, m.memberWatches, m.restarts, m.coalesced, m.overflows,
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub, Name: "queued_changes",
				Help: "Changes that wait for subscribers to read them, of all streams together."}, m.queues.depth))
	}
	return m
}

// queue is the changes that wait for one subscriber.
type queue interface{ depth() int }

// queues are those of all open streams.
type queues struct {
	mu sync.Mutex
	of map[queue]struct{}
}

// open counts a queue until end is called.
func (q *queues) open(of queue) (end func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.of[of] = struct{}{}
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.of, of)
	}
}

func (q *queues) depth() float64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	total := 0
	for one := range q.of {
		total += one.depth()
	}
	return float64(total)
}
