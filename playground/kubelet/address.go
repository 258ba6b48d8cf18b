package kubelet

import (
	"errors"
	"net/netip"
	"strings"
	"sync"
)

// pool hands out addresses. The first part of its block is for load balancers.
type pool struct {
	addresses Addresses

	mu   sync.Mutex
	held map[netip.Addr]string // by address: who has it
	next netip.Addr            // where to look first, so that an address rests before it is used again
}

func newPool(a Addresses) *pool {
	return &pool{addresses: a, held: map[netip.Addr]string{}}
}

var errNoAddress = errors.New("no address is free")

// take returns the address of a holder: the one it has, the one it wishes for
// when that is free, or another.
func (p *pool) take(holder, wish string, balancer bool) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for a, who := range p.held {
		if who == holder {
			return a.String(), nil
		}
	}
	if a, err := netip.ParseAddr(wish); err == nil && p.within(a, balancer) && p.held[a] == "" {
		p.held[a] = holder
		return wish, nil
	}
	from, count := p.addresses.First, p.addresses.LoadBalancers
	if !balancer {
		for range p.addresses.LoadBalancers {
			from = from.Next()
		}
		count = p.addresses.Size - p.addresses.LoadBalancers - 2
		if p.next.IsValid() && p.within(p.next, false) {
			from = p.next
		}
	}
	for a := from.Next(); count > 0; a, count = a.Next(), count-1 {
		if !p.within(a, balancer) { // past the end: from the start again
			a = p.addresses.First
			for range p.addresses.LoadBalancers {
				a = a.Next()
			}
			continue
		}
		if p.held[a] == "" {
			p.held[a] = holder
			if !balancer {
				p.next = a
			}
			return a.String(), nil
		}
	}
	return "", errNoAddress
}

func (p *pool) within(a netip.Addr, balancer bool) bool {
	if !a.Is4() {
		return false
	}
	n := int(number(a)) - int(number(p.addresses.First))
	if balancer {
		return n >= 1 && n <= p.addresses.LoadBalancers
	}
	return n > p.addresses.LoadBalancers && n < p.addresses.Size-1
}

func number(a netip.Addr) uint32 {
	b := a.As4()
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// free gives an address back.
func (p *pool) free(holder string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for a, who := range p.held {
		if who == holder {
			delete(p.held, a)
		}
	}
}

// keep gives back the addresses of all holders of a kind but those named.
func (p *pool) keep(kind string, holders map[string]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for a, who := range p.held {
		if strings.HasPrefix(who, kind) && !holders[who] {
			delete(p.held, a)
		}
	}
}
