// Package leader elects one of several controller managers by a Lease, and keeps one that has lost it
// without knowing from writing: a process that was stopped for a while, or starved, goes on where it
// was, and would write what it decided before another took over.
//
// It must not know what is written.
package leader

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"
)

// The times of the election. One that dies is replaced after at most Duration and Retry; one that cannot
// renew gives up after Renew. Every write is begun before that, and has the rest of Duration to arrive.
const (
	Duration = 12 * time.Second
	Renew    = 8 * time.Second
	Retry    = 2 * time.Second
)

// ErrNotLeader is what a write gets that must not be made any more.
var ErrNotLeader = errors.New("this controller manager is not known to be the leader any more")

// Lock is the Lease, as one candidate sees it.
type Lock struct {
	resourcelock.Interface

	clock clock.PassiveClock
	// renewed is when the last renewal began that succeeded, nil while somebody else is the leader.
	renewed atomic.Pointer[time.Time]
}

// New makes the lock of one candidate. The Lease has a name in a namespace of the cluster that config
// leads to.
func New(config *rest.Config, namespace, name string, clock clock.PassiveClock) (*Lock, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("naming this candidate: %w", err)
	}
	// A request that hangs must not cost the Lease; the factory takes half of this as its deadline.
	inner, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, namespace, name,
		resourcelock.ResourceLockConfig{Identity: host + "_" + string(uuid.NewUUID())}, config, Renew)
	if err != nil {
		return nil, fmt.Errorf("making the lock %s/%s: %w", namespace, name, err)
	}
	return &Lock{Interface: inner, clock: clock}, nil
}

// Create is for the election.
func (l *Lock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.note(record, func() error { return l.Interface.Create(ctx, record) })
}

// Update is for the election.
func (l *Lock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.note(record, func() error { return l.Interface.Update(ctx, record) })
}

// note writes the record, and keeps when that began: the others count from a later moment.
func (l *Lock) note(record resourcelock.LeaderElectionRecord, write func() error) error {
	began := l.clock.Now()
	if record.HolderIdentity != l.Identity() {
		// Given back. From here on another may take it, whether this write arrives or not.
		l.renewed.Store(nil)
		return write()
	}
	if err := write(); err != nil {
		return err
	}
	l.renewed.Store(&began)
	return nil
}

// Leads says whether this candidate is the leader for sure.
func (l *Lock) Leads() bool {
	renewed := l.renewed.Load()
	return renewed != nil && l.clock.Since(*renewed) < Renew
}

// Fence is put around every client that writes on behalf of the leader.
func (l *Lock) Fence(next http.RoundTripper) http.RoundTripper {
	return fence{lock: l, next: next}
}

type fence struct {
	lock *Lock
	next http.RoundTripper
}

func (f fence) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !f.lock.Leads() {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, ErrNotLeader
	}
	return f.next.RoundTrip(r)
}
