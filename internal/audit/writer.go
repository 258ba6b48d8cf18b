package audit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/prometheus/client_golang/prometheus"
)

// Pauses between attempts to store the same batch.
const (
	firstPause = 100 * time.Millisecond
	maxPause   = 5 * time.Second
)

// saidEvery is how often a store that keeps failing is logged.
const saidEvery = 30 * time.Second

// Why an event is lost to the store.
const (
	lostQueueFull = "queue_full"
	lostRefused   = "refused"
	lostAtEnd     = "shutdown"
)

// write stores queued events until the queue is closed and empty.
func (r *Recorder) write() {
	defer close(r.ended)
	for batch := range r.batches {
		r.storeAll(batch)
	}
}

// batches yields the queued events in batches, until the queue is closed and empty.
func (r *Recorder) batches(yield func([]Event) bool) {
	for first := range r.queue {
		batch := []Event{first}
		linger := time.NewTimer(r.o.Linger)
		for open := true; open && len(batch) < r.o.Batch; {
			select {
			case e, ok := <-r.queue:
				if ok {
					batch = append(batch, e)
				}
				open = ok
			case <-linger.C:
				open = false
			}
		}
		linger.Stop()
		if !yield(batch) {
			return
		}
	}
}

// storeAll retries until the batch is stored, or time is up. A batch that the store refuses for good is halved to
// isolate the refused events.
func (r *Recorder) storeAll(batch []Event) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = firstPause, maxPause
	for {
		err := r.attempt(r.ctx, batch)
		if err == nil {
			r.losses.stored(len(batch))
			return
		}
		if permanent(err) {
			if len(batch) == 1 {
				r.losses.lost(lostRefused, 1, err)
				return
			}
			half := len(batch) / 2
			r.storeAll(batch[:half])
			r.storeAll(batch[half:])
			return
		}
		if r.ctx.Err() != nil {
			r.losses.lost(lostAtEnd, len(batch), err)
			return
		}
		r.losses.failed(err)
		timer := time.NewTimer(pauses.NextBackOff())
		select {
		case <-timer.C:
		case <-r.ctx.Done():
			timer.Stop()
		}
	}
}

// permanent reports that the store will never take the same events.
func permanent(err error) bool {
	var never interface{ Permanent() bool }
	return errors.As(err, &never) && never.Permanent()
}

func (r *Recorder) attempt(ctx context.Context, batch []Event) error {
	ctx, cancel := context.WithTimeout(ctx, r.o.Attempt)
	defer cancel()
	began := time.Now()
	err := r.store.AppendAudit(ctx, batch)
	result := "stored"
	if err != nil {
		result = "failed"
	}
	r.metrics.seconds.WithLabelValues(result).Observe(time.Since(began).Seconds())
	return err
}

// losses logs failures of the store: the first, then at intervals while they last, and their end.
type losses struct {
	log     *slog.Logger
	metrics *metrics

	mu sync.Mutex
	// since is when the store began to fail; zero while it works.
	since time.Time
	said  time.Time
	// count is how many events were lost since the last log line; end how many at shutdown.
	count, end int
}

// failing says whether the last attempt to store something failed.
func (l *losses) failing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.since.IsZero()
}

// failed is called for every attempt that will be repeated.
func (l *losses) failed(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.since.IsZero() {
		l.since = time.Now()
	}
	l.say("audit events wait: they cannot be stored", err)
}

// stored is called for every batch that was stored.
func (l *losses) stored(n int) {
	l.metrics.stored.Add(float64(n))
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.since.IsZero():
		l.log.Info("audit events are stored again", "after", time.Since(l.since), "lost", l.count)
	case l.count > 0 && time.Since(l.said) >= saidEvery:
		l.log.Error("audit events were lost to the store; the log has them", "lost", l.count)
	default:
		return
	}
	l.since, l.said, l.count = time.Time{}, time.Time{}, 0
}

// lost is called for events that will never be stored.
func (l *losses) lost(why string, n int, err error) {
	l.metrics.lost.WithLabelValues(why).Add(float64(n))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count += n
	if why == lostAtEnd {
		l.end += n
	}
	l.say("audit events are lost to the store; the log has them", err, "why", why)
}

// say logs the first message at once, later ones at most every saidEvery. Callers hold the lock.
func (l *losses) say(message string, err error, more ...any) {
	if !l.said.IsZero() && time.Since(l.said) < saidEvery {
		return
	}
	l.said = time.Now()
	args := append([]any{"lost", l.count}, more...)
	if err != nil {
		args = append(args, "error", err)
	}
	l.log.Error(message, args...) //nolint:sloglint // both messages are constants above
	l.count = 0
}

func (l *losses) atEnd() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end == 0 {
		return nil
	}
	return fmt.Errorf("%d audit events were not stored in time; the log has them", l.end)
}

type metrics struct {
	events  *prometheus.CounterVec
	stored  prometheus.Counter
	lost    *prometheus.CounterVec
	seconds *prometheus.HistogramVec
}

func newMetrics(r prometheus.Registerer, queued func() float64) *metrics {
	const ns, sub = "kairship", "audit"
	m := &metrics{
		events: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "events_total",
			Help: "Audit events, by the way they came in and their outcome. All of them are in the log."}, []string{"via", "outcome"}),
		stored: prometheus.NewCounter(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "stored_events_total",
			Help: "Audit events that were stored."}),
		lost: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "lost_events_total",
			Help: "Audit events that are in the log alone, by why they were not stored: queue_full, refused (by the database), shutdown."}, []string{"why"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: ns, Subsystem: sub, Name: "store_seconds",
			Help:    "How long storing a batch of audit events took, by result: stored, failed.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}}, []string{"result"}),
	}
	for _, why := range []string{lostQueueFull, lostRefused, lostAtEnd} {
		m.lost.WithLabelValues(why) // there from the beginning, so that the first loss is an increase
	}
	if r != nil {
		r.MustRegister(m.events, m.stored, m.lost, m.seconds, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub,
			Name: "queued_events", Help: "Audit events that wait to be stored."}, queued))
	}
	return m
}

// via returns the label of a Via: one of the known ones, or "other".
func via(v Via) string {
	switch v {
	case ViaGraphQL, ViaProxy, ViaWebhook, ViaSignIn, ViaOperation:
		return string(v)
	}
	return "other"
}
