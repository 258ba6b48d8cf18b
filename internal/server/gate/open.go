package gate

import (
	"sync"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// open counts what callers have open.
type open struct {
	mu            sync.Mutex
	subscriptions Tally
	sockets       Tally
	halfOpen      Tally // by address
	counts        Counts
}

// Counts is what is open, of all callers together.
type Counts struct {
	// Subscriptions and Sockets of authenticated callers, and sockets of those who have not authenticated yet.
	Subscriptions, Sockets, HalfOpen int
	// Lasting is the things that check their right repeatedly (Gate.Lost).
	Lasting int
}

// Tally counts things by owner.
type Tally map[string]int

// Leave subtracts one of an owner's things.
func (t Tally) Leave(key string) {
	if t[key]--; t[key] <= 0 {
		delete(t, key)
	}
}

// Open is what is open now.
func (g *Gate) Open() Counts {
	g.open.mu.Lock()
	defer g.open.mu.Unlock()
	return g.open.counts
}

// enter counts one more thing of an owner, until leave is called. Callers hold the lock.
func (o *open) enter(tally Tally, key string, total *int) (leave func()) {
	tally[key]++
	*total++
	return sync.OnceFunc(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		tally.Leave(key)
		*total--
	})
}

// HalfOpen counts a socket whose client has not authenticated yet, until leave is called; it refuses when there are too
// many.
func (g *Gate) HalfOpen(address string) (leave func(), refusal *model.Error) {
	o := &g.open
	o.mu.Lock()
	defer o.mu.Unlock()
	switch each, all := g.limits.HalfOpenSocketsPerAddress, g.limits.HalfOpenSockets; {
	case o.halfOpen[address] >= each:
		return nil, tooFast("halfOpenSocketsPerAddress", each, 0, "%d connections from your address have not said yet who they are; no more are allowed", each)
	case o.counts.HalfOpen >= all:
		return nil, tooFast("halfOpenSockets", all, 0, "%d connections have not said yet who they are; no more are allowed", all)
	}
	return o.enter(o.halfOpen, address, &o.counts.HalfOpen), nil
}

// Socket counts a socket of a principal, until leave is called; it refuses when they have too many.
func (g *Gate) Socket(p auth.Principal) (leave func(), refusal *model.Error) {
	return g.open.person(g.open.sockets, p, &g.open.counts.Sockets, "socketsPerUser", g.limits.SocketsPerUser, "connections")
}

// Subscription counts a subscription of a principal, until leave is called; it refuses when they have too many.
func (g *Gate) Subscription(p auth.Principal) (leave func(), refusal *model.Error) {
	return g.open.person(g.open.subscriptions, p, &g.open.counts.Subscriptions, "subscriptionsPerUser", g.limits.SubscriptionsPerUser, "subscriptions")
}

// person counts one more thing that a principal has open, up to a limit.
func (o *open) person(tally Tally, p auth.Principal, total *int, limit string, most int, what string) (leave func(), refusal *model.Error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if tally[p.Name] >= most {
		return nil, exceeded(limit, most, "you have %d %s open; no more are allowed", most, what)
	}
	return o.enter(tally, p.Name, total), nil
}

// lasting counts something that checks its right repeatedly, until leave is called.
func (g *Gate) lasting() (leave func()) {
	g.open.mu.Lock()
	defer g.open.mu.Unlock()
	g.open.counts.Lasting++
	return func() {
		g.open.mu.Lock()
		defer g.open.mu.Unlock()
		g.open.counts.Lasting--
	}
}
