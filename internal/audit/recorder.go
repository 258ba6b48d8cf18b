package audit

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// Appender stores events; package database implements it. It does not store an event with a known id twice. Its
// errors are transient, unless Permanent() reports that the same events will never be stored.
type Appender interface {
	AppendAudit(ctx context.Context, events []Event) error
}

// RecorderOptions are the settings of a Recorder. Zero values are the defaults.
type RecorderOptions struct {
	// Logger gets every event at once, as a line with the message "audit", and one "audit begun" before it for
	// what Begin announced. Defaults to slog.Default().
	Logger *slog.Logger
	// Metrics may be nil.
	Metrics prometheus.Registerer
	// Queue is how many events wait for the store at most. Default 10,000, which is some 10 MiB.
	Queue int
	// Batch is how many events are stored at once at most. Default 500.
	Batch int
	// Linger is how long a batch waits for more events. Default 200 ms.
	Linger time.Duration
	// Wait is how long a request waits at most for room in the queue while the store works; it does not wait while
	// the store fails. Default 50 ms.
	Wait time.Duration
	// Attempt bounds one attempt to store a batch. Default 10 s.
	Attempt time.Duration
}

// Recorder writes events to the log at once, and to a store in the background. Events that the store does not take in
// time are counted and logged as lost to the store; the log still has them. Safe for concurrent use.
type Recorder struct {
	o       RecorderOptions
	store   Appender
	metrics *metrics
	losses  *losses

	// closing guards queue against being closed during a send.
	closing sync.RWMutex
	closed  bool
	queue   chan Event

	// cutOff stops storing for good when Close runs out of time.
	ctx    context.Context
	cutOff context.CancelFunc
	ended  chan struct{}
}

// NewRecorder starts a Recorder; Close ends it. Without a store (nil) events go to the log only.
func NewRecorder(store Appender, o RecorderOptions) *Recorder {
	o.Logger = orDefault(o.Logger, slog.Default())
	o.Queue = orDefault(o.Queue, 10_000)
	o.Batch = orDefault(o.Batch, 500)
	o.Linger = orDefault(o.Linger, 200*time.Millisecond)
	o.Wait = orDefault(o.Wait, 50*time.Millisecond)
	o.Attempt = orDefault(o.Attempt, 10*time.Second)
	r := &Recorder{o: o, store: store, queue: make(chan Event, o.Queue), ended: make(chan struct{})}
	r.metrics = newMetrics(o.Metrics, func() float64 { return float64(len(r.queue)) })
	r.losses = &losses{log: o.Logger, metrics: r.metrics}
	r.ctx, r.cutOff = context.WithCancel(context.Background())
	if store == nil {
		close(r.ended)
	} else {
		go r.write()
	}
	return r
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// Begin announces an action before it is done. It sets a missing id and time. The Entry must be ended; Around always
// does.
func (r *Recorder) Begin(ctx context.Context, e Event) *Entry {
	if e.ID == "" {
		e.ID = newID()
	}
	began := time.Now()
	if e.At.IsZero() {
		e.At = began
	}
	entry := &Entry{recorder: r, ctx: context.WithoutCancel(ctx), event: e, began: began}
	// A process that is killed in the middle leaves this line as the only trace.
	announced := tidy(e, redact.Values{})
	r.o.Logger.LogAttrs(entry.ctx, slog.LevelInfo, "audit begun", subject(announced)...)
	return entry
}

// Around runs the action of an event and records its result, also when it panics (the panic continues) or its context
// has ended.
func (r *Recorder) Around(ctx context.Context, e Event, do func(context.Context, *Entry) Result) {
	entry := r.Begin(ctx, e)
	// Without effect when it has been ended below.
	defer entry.End(panicked)
	entry.End(do(ctx, entry))
}

// Record records an action that has been done. It sets a missing id and time. Use Begin, Hide and End for actions
// whose messages may hold secrets.
func (r *Recorder) Record(ctx context.Context, e Event) {
	r.record(context.WithoutCancel(ctx), e, redact.Values{})
}

// Keep records an action that has been done, and waits until the store has it: for what is known elsewhere until then, and must not be lost with this
// process. After an error it is to be repeated with an event of the same id: then it is neither stored nor logged. It is stored once, however often it is
// repeated.
func (r *Recorder) Keep(ctx context.Context, e Event) error {
	e = tidy(e, redact.Values{})
	if r.store != nil {
		err := r.attempt(ctx, []Event{e})
		switch {
		case err == nil:
			r.losses.stored(1)
		case permanent(err):
			r.losses.lost(lostRefused, 1, err)
		default:
			return fmt.Errorf("storing audit event %s: %w", e.ID, err)
		}
	}
	r.log(context.WithoutCancel(ctx), e)
	return nil
}

// log writes an event to the log, and counts it.
func (r *Recorder) log(ctx context.Context, e Event) {
	r.o.Logger.LogAttrs(ctx, slog.LevelInfo, "audit", append(subject(e),
		slog.String("outcome", string(e.Outcome)), slog.String("code", e.Code), slog.String("message", e.Message),
		slog.Duration("took", e.Duration))...)
	r.metrics.events.WithLabelValues(via(e.Via), string(e.Outcome)).Inc()
}

func (r *Recorder) record(ctx context.Context, e Event, hidden redact.Values) {
	if e.ID == "" {
		e.ID = newID()
	}
	if e.At.IsZero() {
		e.At = time.Now()
	}
	e = tidy(e, hidden)
	r.log(ctx, e)
	if r.store == nil {
		return
	}
	r.closing.RLock()
	defer r.closing.RUnlock()
	if r.closed {
		r.losses.lost(lostAtEnd, 1, nil)
		return
	}
	select {
	case r.queue <- e:
		return
	default:
	}
	if r.losses.failing() {
		r.losses.lost(lostQueueFull, 1, nil)
		return
	}
	timer := time.NewTimer(r.o.Wait)
	defer timer.Stop()
	select {
	case r.queue <- e:
	case <-timer.C:
		r.losses.lost(lostQueueFull, 1, nil)
	}
}

// subject returns the attributes that are known when an event begins.
func subject(e Event) []slog.Attr {
	return []slog.Attr{
		slog.String("auditId", e.ID), slog.Time("at", e.At), slog.String("principal", e.Principal), slog.Any("groups", e.Groups),
		slog.String("remote", e.Remote), slog.String("userAgent", e.UserAgent),
		slog.String("action", e.Action), slog.String("via", string(e.Via)),
		slog.String("instance", e.Object.Instance), slog.String("cluster", e.Object.Cluster),
		slog.String("group", e.Object.GVK.Group), slog.String("version", e.Object.GVK.Version), slog.String("kind", e.Object.GVK.Kind),
		slog.String("namespace", e.Object.Namespace), slog.String("name", e.Object.Name),
		slog.String("resource", e.Resource), slog.String("subresource", e.Subresource),
		slog.Bool("dryRun", e.DryRun), slog.String("requestId", e.RequestID),
	}
}

func newID() string {
	id, _ := uuid.NewV7() // fails only without randomness, and crypto/rand does not fail
	return id.String()
}

// Close stores the queued events and stops. Events not stored when ctx ends are counted and logged as lost to the
// store; the error says how many. Events recorded after Close go to the log only.
func (r *Recorder) Close(ctx context.Context) error {
	r.closing.Lock()
	if !r.closed {
		r.closed = true
		close(r.queue)
	}
	r.closing.Unlock()
	select {
	case <-r.ended:
	case <-ctx.Done():
		r.cutOff()
		<-r.ended
	}
	r.cutOff()
	return r.losses.atEnd()
}
