package status

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/controllers/status/health"
)

// prober looks at one Karmada again and again until its context ends. Its findings can be read at any time: nobody
// waits for a Karmada that hangs.
type prober struct {
	instance string
	pace     Pace
	clock    clock.Clock
	// wake signals new findings.
	wake   func()
	cancel context.CancelFunc
	// hurry and hurryMembers request a look before its turn.
	hurry, hurryMembers chan struct{}

	mu      sync.Mutex
	karmada karmada
	hint    hint
	control findings
	members []memberSaying
	// membersLooked says that every member was asked at least once.
	membersLooked bool
}

// view holds the findings of a prober.
type view struct {
	findings

	members       []memberSaying
	membersLooked bool
}

func (p *prober) view() view {
	p.mu.Lock()
	defer p.mu.Unlock()
	return view{findings: p.control, members: p.members, membersLooked: p.membersLooked}
}

// hint is what the watches know of a Karmada. A change of it is a reason to look.
type hint struct {
	// troubled says that the connection or the watch is broken.
	troubled bool
	// members are their names and Karmada's complaints about them.
	members string
}

// use makes the prober use another connection, and look before its turn when something changed.
func (p *prober) use(k karmada, h hint) {
	p.mu.Lock()
	changed := p.karmada != k || p.hint != h
	p.karmada, p.hint = k, h
	p.mu.Unlock()
	if changed {
		p.soon()
	}
}

// soon requests a look before its turn: something about the Karmada has changed.
func (p *prober) soon() {
	for _, c := range []chan struct{}{p.hurry, p.hurryMembers} {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func (p *prober) asked() karmada {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.karmada
}

// jitter spreads the looks of many instances over time.
func jitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.9 + 0.2*rand.Float64())) //nolint:gosec // no secret
}

// run looks until the context ends. The members are looked at separately: many that hang delay no other look.
func (p *prober) run(ctx context.Context, before seed) {
	var running sync.WaitGroup
	defer running.Wait()
	control := newControlPlane(p.instance, p.pace, p.clock, before.components, before.kubernetes)
	running.Go(func() {
		p.repeat(ctx, p.hurry, func() time.Duration { return p.lookAtControlPlane(ctx, control) })
	})
	followed := newMembers(p.instance, p.pace, p.clock, before.member)
	p.repeat(ctx, p.hurryMembers, func() time.Duration { return p.lookAtMembers(ctx, followed) })
}

func (p *prober) lookAtControlPlane(ctx context.Context, control *controlPlane) time.Duration {
	pause := control.look(ctx, p.asked())
	if ctx.Err() != nil {
		return 0
	}
	found := control.findings()
	p.mu.Lock()
	before := p.control
	p.control = found
	p.mu.Unlock()
	if !before.looked || before.kubernetes != found.kubernetes || !maps.Equal(before.components, found.components) {
		select {
		case p.hurryMembers <- struct{}{}:
		default:
		}
		p.wake()
	}
	if pause == p.pace.Calm {
		pause = jitter(pause)
	}
	return pause
}

func (p *prober) lookAtMembers(ctx context.Context, followed *members) time.Duration {
	if p.view().components[componentAggregatedAPI].State != health.Well {
		// None could be probed. The other loop signals when this changes.
		return p.pace.Calm
	}
	pause := followed.look(ctx, p.asked(), jitter)
	if ctx.Err() != nil {
		return 0
	}
	p.mu.Lock()
	changed := p.membersLooked != followed.everyone || !slices.Equal(p.members, followed.said)
	p.members, p.membersLooked = followed.said, followed.everyone
	p.mu.Unlock()
	if changed {
		p.wake()
	}
	return pause
}

// repeat looks, waits as long as that look returned, and looks again: sooner when a look is requested, but never sooner
// than Alert after the look before, so that two looks in a row do not see the same moment.
func (p *prober) repeat(ctx context.Context, hurry <-chan struct{}, look func() time.Duration) {
	for ctx.Err() == nil {
		pause := look()
		ended := p.clock.Now()
		timer := p.clock.NewTimer(pause)
		hurried := hurry
	waiting:
		for {
			select {
			case <-ctx.Done():
				timer.Stop()
				return
			case <-timer.C():
				break waiting
			case <-hurried:
				hurried = nil
				timer.Stop()
				timer = p.clock.NewTimer(min(pause, max(p.pace.Alert-p.clock.Since(ended), 0)))
			}
		}
	}
}

// probers are those of all instances. They belong to a manager.
type probers struct {
	pace  Pace
	clock clock.Clock
	wake  func(instance string)

	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu         sync.Mutex
	byInstance map[string]*prober
}

func newProbers(pace Pace, now clock.Clock, wake func(string)) *probers {
	// Probers begin when a reconcile asks for one, which may be before Start.
	ctx, cancel := context.WithCancel(context.Background())
	return &probers{pace: pace, clock: now, wake: wake, ctx: ctx, cancel: cancel, byInstance: map[string]*prober{}}
}

// Start waits until the context ends and then ends every prober.
func (s *probers) Start(ctx context.Context) error {
	<-ctx.Done()
	s.mu.Lock()
	s.cancel()
	s.mu.Unlock()
	s.running.Wait()
	return nil
}

// NeedLeaderElection says that only the leader probes.
func (s *probers) NeedLeaderElection() bool { return true }

// seed is what was last reported about an instance before its prober began.
type seed struct {
	components map[string]health.Saying
	member     health.Saying
	kubernetes string
}

// ensure returns the prober of an instance, which uses k. A new one begins with what before returns.
func (s *probers) ensure(instance string, k karmada, h hint, before func() seed) *prober {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.byInstance[instance]; p != nil {
		p.use(k, h)
		return p
	}
	ctx, cancel := context.WithCancel(s.ctx)
	p := &prober{
		instance: instance, pace: s.pace, clock: s.clock, karmada: k, hint: h, cancel: cancel,
		wake:  func() { s.wake(instance) },
		hurry: make(chan struct{}, 1), hurryMembers: make(chan struct{}, 1),
	}
	s.byInstance[instance] = p
	if s.ctx.Err() == nil {
		from := before()
		s.running.Go(func() { p.run(ctx, from) })
	}
	return p
}

// remove ends the prober of an instance.
func (s *probers) remove(instance string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.byInstance[instance]; p != nil {
		p.cancel()
		delete(s.byInstance, instance)
	}
}
