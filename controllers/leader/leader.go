// Package leader elects one of several controller managers by a Lease, and keeps one that has lost it without knowing
// from writing: a process that was stopped for a while, or starved, continues where it was, and would write what it
// decided before another took over.
//
// It must not know what is written.
package leader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"
)

// The times of the election. A leader that dies is replaced after at most Duration and Retry; one that cannot renew
// gives up after Renew. Every write begins before that, and has the rest of Duration to arrive.
const (
	Duration = 12 * time.Second
	Renew    = 8 * time.Second
	Retry    = 2 * time.Second
)

// ErrNotLeader is the error of a write that is no longer allowed.
var ErrNotLeader = errors.New("this controller manager is not known to be the leader any more")

// Lock is the Lease, as one candidate sees it.
type Lock struct {
	resourcelock.Interface

	clock clock.PassiveClock
	// renewed is when the last successful renewal began; nil while somebody else is the leader.
	renewed atomic.Pointer[time.Time]
}

// New makes the lock of one candidate on the named Lease in the cluster that config leads to.
func New(config *rest.Config, namespace, name string, clock clock.PassiveClock) (*Lock, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("naming this candidate: %w", err)
	}
	// A request that hangs must not cost the Lease; the factory takes half of Renew as the deadline.
	inner, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, namespace, name,
		resourcelock.ResourceLockConfig{Identity: host + "_" + string(uuid.NewUUID())}, config, Renew)
	if err != nil {
		return nil, fmt.Errorf("making the lock %s/%s: %w", namespace, name, err)
	}
	return &Lock{Interface: inner, clock: clock}, nil
}

// Create implements resourcelock.Interface.
func (l *Lock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.note(record, func() error { return l.Interface.Create(ctx, record) })
}

// Update implements resourcelock.Interface.
func (l *Lock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.note(record, func() error { return l.Interface.Update(ctx, record) })
}

// note writes the record, and keeps when that began: other candidates count from a later moment.
func (l *Lock) note(record resourcelock.LeaderElectionRecord, write func() error) error {
	began := l.clock.Now()
	if record.HolderIdentity != l.Identity() {
		// Released: from here on another may take it, whether this write arrives or not.
		l.renewed.Store(nil)
		return write()
	}
	if err := write(); err != nil {
		return err
	}
	l.renewed.Store(&began)
	return nil
}

// Leads reports whether this candidate is certainly the leader.
func (l *Lock) Leads() bool {
	renewed := l.renewed.Load()
	return renewed != nil && l.clock.Since(*renewed) < Renew
}

// Fence wraps the transport of every client that writes on behalf of the leader.
func (l *Lock) Fence(next http.RoundTripper) http.RoundTripper {
	return fence{lock: l, next: next}
}

type fence struct {
	lock *Lock
	next http.RoundTripper
}

func (f fence) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return f.next.RoundTrip(r)
	}
	if !f.lock.Leads() {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, ErrNotLeader
	}
	// What is decided here is sent when there is a connection for it, which may be after a stop.
	if r.Body != nil && r.Body != http.NoBody {
		bodyOf := r.GetBody
		r = r.Clone(r.Context())
		r.Body = fencedBody{r.Body, f.lock}
		if bodyOf != nil {
			r.GetBody = func() (io.ReadCloser, error) {
				body, err := bodyOf()
				return fencedBody{body, f.lock}, err
			}
		}
	}
	return f.next.RoundTrip(r)
}

// WrappedRoundTripper implements k8s.io/apimachinery/pkg/util/net.RoundTripperWrapper, by which requests are cancelled.
func (f fence) WrappedRoundTripper() http.RoundTripper { return f.next }

// fencedBody ends the request whose body it is, before its end is sent, when the leader is another one by then.
type fencedBody struct {
	io.ReadCloser
	lock *Lock
}

func (b fencedBody) Read(p []byte) (int, error) {
	if !b.lock.Leads() {
		return 0, ErrNotLeader
	}
	return b.ReadCloser.Read(p)
}
