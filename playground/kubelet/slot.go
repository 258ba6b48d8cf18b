package kubelet

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"sync"
)

// Slot holds the kubelet of a fleet, once it has been configured.
type Slot struct {
	processes Processes
	log       *slog.Logger

	mu     sync.Mutex
	now    *Kubelet
	cancel context.CancelFunc
	done   chan struct{}
	// base ends with Close, and so does whoever waits.
	base context.Context //nolint:containedctx // see above
	end  context.CancelFunc
}

// NewSlot returns an empty slot.
func NewSlot(p Processes, log *slog.Logger) *Slot {
	base, end := context.WithCancel(context.Background())
	return &Slot{processes: p, log: log, base: base, end: end}
}

// Configure makes the kubelet work as the config says, and returns when it has
// looked at every pod. One that works as it says is left alone; what was stopped
// or paused on demand is started.
func (s *Slot) Configure(ctx context.Context, c Config) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.base.Err() != nil {
		return errors.New("the fleet is going down")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.base, cancel)()
	if s.now == nil || !reflect.DeepEqual(s.now.Config(), c) {
		k, err := New(c, s.processes, s.log)
		if err != nil {
			return err
		}
		s.stop()
		run, cancel := context.WithCancel(s.base)
		s.now, s.cancel, s.done = k, cancel, make(chan struct{})
		go func() { // ends with cancel
			defer close(s.done)
			k.Run(run)
		}()
	}
	if err := s.now.Settled(ctx); err != nil {
		return err
	}
	return s.now.Repair(ctx)
}

// stop ends the kubelet, not its processes.
func (s *Slot) stop() {
	if s.now != nil {
		s.cancel()
		<-s.done
		s.now = nil
	}
}

// Close ends the kubelet, not its processes, and takes no other.
func (s *Slot) Close() {
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
}
