package testenv

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/transport"
)

// errCrashed is the error of a request whose process has crashed.
var errCrashed = errors.New("the process has died")

// Crash sits between a controller and its API servers. It counts writes, and can make one of them the process's last:
// from then on all requests fail.
type Crash struct {
	// At is the write at which the process crashes, counted from 1; 0 for never.
	At int
	// Done says that this last write takes effect, and only its response is lost.
	Done bool

	mu      sync.Mutex
	writes  []string
	crashed bool
	changed time.Time
}

// Wrap wraps the transport of a client.
func (c *Crash) Wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		// Events only inform people, and their number varies. A dry run changes nothing.
		write := r.Method != http.MethodGet && r.Method != http.MethodHead && !strings.Contains(r.URL.Path, "/events") && r.URL.Query().Get("dryRun") == ""
		c.mu.Lock()
		switch {
		case c.crashed:
			c.mu.Unlock()
			return nil, errCrashed
		case !write:
			c.mu.Unlock()
			return next.RoundTrip(r)
		}
		c.writes = append(c.writes, r.Method+" "+r.URL.Path)
		c.changed = time.Now()
		c.crashed = len(c.writes) == c.At
		dies := c.crashed
		c.mu.Unlock()
		if !dies {
			return next.RoundTrip(r)
		}
		if c.Done {
			if response, err := next.RoundTrip(r); err == nil {
				_ = response.Body.Close()
			}
		}
		return nil, errCrashed
	})
}

// Writes are the writes so far, each as its method and path.
func (c *Crash) Writes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.writes...)
}

// Crashed reports whether the process has crashed.
func (c *Crash) Crashed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.crashed
}

// quiet reports whether nothing was written for a while.
func (c *Crash) quiet(since time.Time, d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed.After(since) {
		since = c.changed
	}
	return time.Since(since) > d
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Crashes tests that a controller may crash at any of its writes: its successors finish what it began, and then have
// nothing left to write.
type Crashes struct {
	// Setup creates the objects that the controller acts on. It is called for every run, and cleans up with the test
	// that it is given, so that names can be reused.
	Setup func(t *testing.T)
	// Start starts the controller in a manager whose every client passes through wrap.
	Start func(t *testing.T, wrap transport.WrapperFunc) (stop func())
	// Settled returns an empty string when the controller is done, else what is missing.
	Settled func() string
	// State must be the same whichever write it crashed at: no UIDs, versions or times.
	State func(t *testing.T) any
}

const (
	// quietFor is how long a controller must not write to count as having nothing to write.
	quietFor = 700 * time.Millisecond
	// lives bounds the number of writes, against a controller that never stops writing.
	lives = 60
)

// Run runs the controller once undisturbed, and then makes it crash at every write: each process makes its first write
// and dies before it has the response, so that its successor finds what was written up to then, and has to go on from
// there. (A process that dies before a write is sent leaves what its predecessor left.) The last one finishes.
func (c Crashes) Run(t *testing.T) {
	t.Helper()
	var want any
	var writes []string
	t.Run("undisturbed", func(t *testing.T) {
		c.Setup(t)
		life := &Crash{}
		stop := c.Start(t, life.Wrap)
		Eventually(t, c.Settled)
		c.untilQuiet(t, life)
		stop()
		want, writes = c.State(t), life.Writes()
		c.writesNothing(t)
		if diff := cmp.Diff(want, c.State(t)); diff != "" {
			t.Errorf("the state after another start (-want +got):\n%s", diff)
		}
	})
	if t.Failed() {
		return
	}
	if len(writes) == 0 || len(writes) > lives {
		t.Fatalf("it wrote %d times; want 1 to %d:\n%s", len(writes), lives, strings.Join(writes, "\n"))
	}
	t.Run("crashing", func(t *testing.T) {
		c.Setup(t)
		var made []string
		for {
			life, since := &Crash{At: 1, Done: true}, time.Now()
			stop := c.Start(t, life.Wrap)
			Eventually(t, func() string {
				if life.Crashed() || c.Settled() == "" && life.quiet(since, quietFor) {
					return ""
				}
				return "it neither died nor finished"
			})
			stop()
			if made = append(made, life.Writes()...); !life.Crashed() {
				break
			}
			if len(made) > 2*lives {
				t.Fatalf("it goes on writing:\n%s", strings.Join(made, "\n"))
			}
		}
		if diff := cmp.Diff(want, c.State(t)); diff != "" {
			t.Errorf("the state after crashes at %v (-want +got):\n%s", made, diff)
		}
		c.writesNothing(t)
		t.Logf("%d writes undisturbed, %d crashes", len(writes), len(made))
	})
}

// untilQuiet waits until the controller has stopped writing.
func (c Crashes) untilQuiet(t *testing.T, life *Crash) {
	t.Helper()
	since := time.Now()
	Eventually(t, func() string {
		if life.quiet(since, quietFor) {
			return ""
		}
		return "it goes on writing: " + strings.Join(life.Writes(), "\n")
	})
}

// writesNothing checks that another run has nothing to do.
func (c Crashes) writesNothing(t *testing.T) {
	t.Helper()
	life := &Crash{}
	stop := c.Start(t, life.Wrap)
	defer stop()
	Eventually(t, c.Settled)
	c.untilQuiet(t, life)
	if writes := life.Writes(); len(writes) > 0 {
		t.Errorf("it wrote although nothing had changed:\n%s", strings.Join(writes, "\n"))
	}
}
