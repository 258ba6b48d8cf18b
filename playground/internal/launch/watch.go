// Package launch brings a fleet up: it orders the supervisor to start what may be
// started and puts the API servers' content in place as soon as each is ready.
//
// It must not know flags or manifests; plan and bootstrap do.
package launch

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/kairship-io/kairship/playground/internal/control"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

const (
	// All waiting tasks share one request to the supervisor in this time.
	glance = 100 * time.Millisecond
	// A process that ended this often while it was waited for will not become ready.
	hopeless = 5
)

// watch shares the supervisor's answer between tasks.
type watch struct {
	client *control.Client

	mu    sync.Mutex
	at    time.Time
	fleet control.Fleet
	err   error
}

func (w *watch) status(ctx context.Context, name string) (supervisor.Status, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.at) > glance {
		w.fleet, w.err = w.client.Fleet(ctx)
		w.at = time.Now()
	}
	if w.err != nil {
		return supervisor.Status{}, false, w.err
	}
	for _, s := range w.fleet.Processes {
		if s.Spec.Name == name {
			return s, true, nil
		}
	}
	return supervisor.Status{}, false, nil
}

// forget makes the next question a fresh one.
func (w *watch) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = time.Time{}
}

// start makes a process run and waits until it is ready.
func (w *watch) start(ctx context.Context, s process.Spec) error {
	if err := w.client.Ensure(ctx, s); err != nil {
		return err
	}
	w.forget()
	first := -1
	for {
		st, known, err := w.status(ctx, s.Name)
		switch {
		case err != nil && ctx.Err() == nil:
			return err
		case known && st.State == supervisor.Running && st.Hash == s.Hash():
			return nil
		case known && first < 0:
			first = st.Restarts
		case known && st.Restarts-first >= hopeless:
			return fmt.Errorf("it ended %d times. Its last lines (%s):\n%s", st.Restarts-first, s.Log, Tail(s.Log, 12))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (%s: %s)", context.Cause(ctx), st.State, st.Message)
		case <-time.After(glance):
		}
	}
}

// Tail returns the last lines of a file, indented.
func Tail(path string, lines int) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return "  (" + err.Error() + ")"
	}
	all := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	if len(all) > lines {
		all = all[len(all)-lines:]
	}
	for i, l := range all {
		if len(l) > 240 {
			l = l[:240] + "…"
		}
		all[i] = "  " + l
	}
	return strings.Join(all, "\n")
}
