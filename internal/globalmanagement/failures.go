package globalmanagement

import (
	"net"
	"net/netip"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
	"k8s.io/utils/clock"
)

const (
	// failureBurst is how many failures of one address are explained at once, failureInterval how long it takes until
	// another one is.
	failureBurst    = 10
	failureInterval = 6 * time.Second
	// maxAddresses is how many addresses are tracked.
	maxAddresses = 4096
)

// failures counts the failures of each address. Beyond the limit they are neither explained nor logged, and refused
// unread where possible. Correctly signed requests still pass: nobody can lock the sender out by failing from behind
// the same proxy.
type failures struct {
	clock clock.PassiveClock
	mu    sync.Mutex
	of    *lru.Cache[netip.Prefix, *rate.Limiter]
}

func newFailures(now clock.PassiveClock) *failures {
	of, _ := lru.New[netip.Prefix, *rate.Limiter](maxAddresses) // fails only for a size below 1
	return &failures{clock: now, of: of}
}

// note counts a failure, and says whether it is within the limit.
func (f *failures) note(address string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := neighbourhood(address)
	limiter, known := f.of.Get(key)
	if !known {
		limiter = rate.NewLimiter(rate.Every(failureInterval), failureBurst)
		f.of.Add(key, limiter)
	}
	return limiter.AllowN(f.clock.Now(), 1)
}

// neighbourhood returns the network of one host: in IPv6 each has 2^64 addresses.
func neighbourhood(address string) netip.Prefix {
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{}
	}
	ip = ip.Unmap().WithZone("")
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	prefix, _ := ip.Prefix(bits) // fails only for other lengths
	return prefix
}
