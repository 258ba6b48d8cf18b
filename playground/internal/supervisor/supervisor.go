// Package supervisor keeps the processes of a fleet in the desired state: it starts them, watches them, starts them
// again with a growing pause when they end by themselves, freezes and thaws them, and stops them tier by tier.
//
// It must not know what the programs are, nor in which order a fleet comes up: it receives them one at a time over its
// socket.
package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// Supervisor owns every process of one fleet.
type Supervisor struct {
	clock     clock.Clock
	start     starter
	probe     prober
	processes *ProcessList
	log       *slog.Logger

	mu       sync.Mutex
	children map[string]*child
	closing  bool
	watchers []func(process.Spec)

	ctx    context.Context
	cancel context.CancelFunc
	loops  sync.WaitGroup
}

// New returns a supervisor without processes.
func New(l *ProcessList, log *slog.Logger) *Supervisor {
	return newSupervisor(clock.RealClock{}, Start, (&Prober{}).Probe, l, log)
}

func newSupervisor(c clock.Clock, start starter, probe prober, l *ProcessList, log *slog.Logger) *Supervisor {
	ctx, cancel := context.WithCancel(context.Background())
	return &Supervisor{clock: c, start: start, probe: probe, processes: l, log: log,
		children: map[string]*child{}, ctx: ctx, cancel: cancel}
}

// Ensure makes a process run as the spec says: it starts one that does not run, restarts one that runs differently, and
// leaves any other alone.
func (s *Supervisor) Ensure(ctx context.Context, spec process.Spec) error {
	if spec.Name == "" || spec.Path == "" || spec.Log == "" {
		return errors.New("a process needs name, path and log")
	}
	if _, err := spec.Signal(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return errors.New("the fleet is going down")
	}
	c := s.children[spec.Name]
	if c == nil {
		c = newChild(spec, s.clock, s.start, s.probe, s.processes, s.changed, s.log)
		s.children[spec.Name] = c
		s.loops.Go(func() { c.loop(s.ctx) })
	}
	s.mu.Unlock()
	return c.do(ctx, opEnsure, spec)
}

// Watch registers a function that is called after each change of a process, with its spec. It must return at once and
// not call back.
func (s *Supervisor) Watch(told func(process.Spec)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers = append(s.watchers, told)
}

func (s *Supervisor) changed(spec process.Spec) {
	s.mu.Lock()
	watchers := s.watchers
	s.mu.Unlock()
	for _, told := range watchers {
		told(spec)
	}
}

// Retry ends a process that runs but does not do its work, and starts it again
// after a pause. One that is stopped or paused stays so.
func (s *Supervisor) Retry(ctx context.Context, name, reason string) error {
	chosen, err := s.choose([]string{name})
	if err != nil {
		return err
	}
	return chosen[0].command(ctx, command{op: opRetry, reason: reason})
}

// Rename calls a process by the name of the spec, under which nothing may run.
func (s *Supervisor) Rename(ctx context.Context, name string, spec process.Spec) error {
	s.mu.Lock()
	c := s.children[name]
	if c == nil || s.children[spec.Name] != nil {
		s.mu.Unlock()
		return fmt.Errorf("calling %s %s: there is no such process, or there is one of that name", name, spec.Name)
	}
	delete(s.children, name)
	s.children[spec.Name] = c
	s.mu.Unlock()
	return c.do(ctx, opRename, spec)
}

// Forget stops a process and drops it.
func (s *Supervisor) Forget(ctx context.Context, name string) error {
	s.mu.Lock()
	c := s.children[name]
	s.mu.Unlock()
	if c == nil {
		return nil
	}
	if err := c.do(ctx, opStop, process.Spec{}); err != nil {
		return fmt.Errorf("stopping %s: %w", name, err)
	}
	s.mu.Lock()
	delete(s.children, name)
	s.mu.Unlock()
	return c.do(ctx, opQuit, process.Spec{})
}

// Stop stops processes, the upper tiers first.
func (s *Supervisor) Stop(ctx context.Context, names []string) error {
	return s.inTiers(ctx, names, opStop, func(a, b *child) int { return int(b.tier()) - int(a.tier()) })
}

// Start starts stopped processes, the lower tiers first.
func (s *Supervisor) Start(ctx context.Context, names []string) error {
	return s.inTiers(ctx, names, opStart, func(a, b *child) int { return int(a.tier()) - int(b.tier()) })
}

// Pause freezes processes.
func (s *Supervisor) Pause(ctx context.Context, names []string) error {
	return s.inTiers(ctx, names, opPause, func(a, b *child) int { return int(b.tier()) - int(a.tier()) })
}

// Resume thaws processes.
func (s *Supervisor) Resume(ctx context.Context, names []string) error {
	return s.inTiers(ctx, names, opResume, func(a, b *child) int { return int(a.tier()) - int(b.tier()) })
}

// inTiers runs one command on each process, a tier at a time and all of a tier
// together.
func (s *Supervisor) inTiers(ctx context.Context, names []string, o op, order func(a, b *child) int) error {
	chosen, err := s.choose(names)
	if err != nil {
		return err
	}
	slices.SortStableFunc(chosen, order)
	for len(chosen) > 0 {
		n := 1
		for n < len(chosen) && chosen[n].tier() == chosen[0].tier() {
			n++
		}
		errs := make([]error, n)
		var wg sync.WaitGroup
		for i, c := range chosen[:n] {
			wg.Go(func() { errs[i] = c.do(ctx, o, process.Spec{}) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		chosen = chosen[n:]
	}
	return nil
}

func (s *Supervisor) choose(names []string) ([]*child, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var chosen []*child
	for _, n := range names {
		c := s.children[n]
		if c == nil {
			return nil, fmt.Errorf("no process is called %q; there are: %s", n,
				strings.Join(slices.Sorted(maps.Keys(s.children)), ", "))
		}
		chosen = append(chosen, c)
	}
	return chosen, nil
}

func (c *child) tier() process.Tier {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status.Spec.Tier
}

// Status returns every process, ordered by name.
func (s *Supervisor) Status() []Status {
	s.mu.Lock()
	children := slices.Collect(maps.Values(s.children))
	s.mu.Unlock()
	out := make([]Status, 0, len(children))
	for _, c := range children {
		out = append(out, c.Status())
	}
	slices.SortFunc(out, func(a, b Status) int { return strings.Compare(a.Spec.Name, b.Spec.Name) })
	return out
}

// Of returns one process, without what has to be read from the operating system.
func (s *Supervisor) Of(name string) (Status, bool) {
	s.mu.Lock()
	c := s.children[name]
	s.mu.Unlock()
	if c == nil {
		return Status{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status, true
}

// Close stops every process, the upper tiers first, and takes no more.
func (s *Supervisor) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	names := slices.Collect(maps.Keys(s.children))
	s.mu.Unlock()
	err := s.Stop(ctx, names)
	s.cancel()
	s.loops.Wait()
	return err
}

// CutLogs keeps the logs of running processes from filling the disk, until ctx
// ends.
func (s *Supervisor) CutLogs(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.clock.After(time.Minute):
			for _, st := range s.Status() {
				cut(st.Spec.Log)
			}
		}
	}
}
