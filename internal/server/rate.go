package server

import (
	"context"
	"crypto/sha256"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"golang.org/x/time/rate"

	"github.com/kairship-io/kairship/internal/rbac"
)

const (
	// maxBuckets is how many users, and how many addresses, have a bucket. Whose has not been used for the
	// longest time loses it, and begins with a full one.
	maxBuckets = 20_000
	// bytesPerPoint is how much of a request costs one point, whatever becomes of it.
	bytesPerPoint = 100
	// unknownSize is what a request is taken to be long that does not say it, in bytes.
	unknownSize = 10_000
	// fieldPairsPerPoint is how many pairs of fields of a document that is not yet known to be valid cost one.
	fieldPairsPerPoint = 100
	// maxKnown is how many credentials are remembered that were good, and knownFor how long.
	maxKnown = 10_000
	knownFor = 10 * time.Minute
)

// buckets are token buckets by key. A nil one refuses nothing.
type buckets struct {
	limit rate.Limit
	burst int
	now   func() time.Time

	mu    sync.Mutex
	known *lru.Cache[string, *rate.Limiter]
}

// newBuckets makes buckets that gain perSecond tokens and hold burst; nil when perSecond is negative.
func newBuckets(perSecond, burst int, now func() time.Time) *buckets {
	if perSecond < 0 {
		return nil
	}
	known, _ := lru.New[string, *rate.Limiter](maxBuckets) // fails only for a size below 1
	return &buckets{limit: rate.Limit(perSecond), burst: burst, now: now, known: known}
}

func (b *buckets) of(key string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, ok := b.known.Get(key)
	if !ok {
		l = rate.NewLimiter(b.limit, b.burst)
		b.known.Add(key, l)
	}
	return l
}

// take takes n tokens; when there are not as many it takes none and tells when there will be.
func (b *buckets) take(key string, n int) (wait time.Duration) {
	if b == nil {
		return 0
	}
	now := b.now()
	r := b.of(key).ReserveN(now, min(n, b.burst))
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// owe takes n tokens that were used already, be they there or not.
func (b *buckets) owe(key string, n int) {
	if b != nil && n > 0 {
		b.of(key).ReserveN(b.now(), min(n, b.burst))
	}
}

// lacks tells when there will be n tokens; 0 when there are. It takes none.
func (b *buckets) lacks(key string, n int) (wait time.Duration) {
	if b == nil {
		return 0
	}
	if has, want := b.of(key).TokensAt(b.now()), float64(min(n, b.burst)); has < want {
		return time.Duration(math.Ceil((want - has) / float64(b.limit) * float64(time.Second)))
	}
	return 0
}

// empty tells when there will be a token again; 0 when there is one.
func (b *buckets) empty(key string) (wait time.Duration) {
	if b == nil {
		return 0
	}
	if has := b.of(key).TokensAt(b.now()); has < 1 {
		return time.Duration((1 - has) / float64(b.limit) * float64(time.Second))
	}
	return 0
}

// sizePoints is what a request costs by its size.
func sizePoints(r *http.Request) int {
	size := r.ContentLength
	switch {
	case r.Method == http.MethodGet:
		size = int64(len(r.URL.RawQuery))
	case size < 0:
		size = unknownSize
	}
	return pointsOf(int(min(size, many)))
}

// pointsOf is what so many bytes of a request cost: of a WebSocket's message as of a body, variables and all.
func pointsOf(size int) int { return 1 + size/bytesPerPoint }

// charge takes points from whoever asks, and refuses when they have not as many.
func (d *Server) charge(ctx context.Context, points int) *gqlerror.Error {
	wait := d.rates.take(rbac.PrincipalFrom(ctx).Name, points)
	if wait == 0 {
		return nil
	}
	return tooFast("rate", d.limits.Rate, wait, "you may spend %d points a second, and %d at once", d.limits.Rate, d.limits.RateBurst)
}

// tooFast refuses a request by a limit that holds for a time, in whole seconds.
func tooFast(limit string, allowed int, wait time.Duration, format string, args ...any) *gqlerror.Error {
	e := limitExceeded(limit, allowed, 0, format, args...)
	e.Extensions["retryAfter"] = max(int(math.Ceil(wait.Seconds())), 1)
	e.Extensions["retryable"] = true
	return e
}

// failures is who could not say who they are of late, by remote address. Whose credential was good a
// while ago is not kept out by others at the same address, be it a proxy's.
type failures struct {
	door *Server
	*buckets
	good *expirable.LRU[[sha256.Size]byte, struct{}]
}

func newFailures(d *Server, now func() time.Time) *failures {
	n := d.limits.Authentication
	return &failures{door: d, buckets: newBuckets(n, 10*n, now), good: expirable.NewLRU[[sha256.Size]byte, struct{}](maxKnown, nil, knownFor)}
}

// refusal of a credential that is not to be looked at now; nil when it may be.
func (f *failures) refusal(c credential) *gqlerror.Error {
	wait := f.empty(c.address)
	if wait == 0 || f.good.Contains(c.key()) {
		return nil
	}
	return tooFast("authentication", f.door.limits.Authentication, wait, "too many requests from your address were refused; at most %d a second may be", f.door.limits.Authentication)
}

func (f *failures) failed(c credential)    { f.take(c.address, 1) }
func (f *failures) succeeded(c credential) { f.good.Add(c.key(), struct{}{}) }

// addressOf is where a request comes from, without the port, as limits count it: of IPv6 it is the network,
// since a host has as many addresses as it likes.
func (d *Server) addressOf(r *http.Request) string {
	from, ok := d.clientOf(r)
	if !ok {
		return r.RemoteAddr
	}
	return networkOf(from)
}

// networkOf is the name by which an address is counted.
func networkOf(a netip.Addr) string {
	if a = a.Unmap(); a.Is6() {
		if network, err := a.Prefix(64); err == nil {
			return network.String()
		}
	}
	return a.String()
}

// clientOf is the address that a request comes from: what the proxies in front of the server say, when it is
// they who ask. ok is false for a connection without addresses.
func (d *Server) clientOf(r *http.Request) (from netip.Addr, ok bool) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if from, err = netip.ParseAddr(host); err != nil {
		return from, false
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for len(hops) > 0 && d.trustedProxy(from) {
		// From the right: each proxy adds whom it was asked by, and the left is whatever a client wrote.
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[len(hops)-1]))
		if err != nil {
			break
		}
		from, hops = hop, hops[:len(hops)-1]
	}
	return from.Unmap(), true
}

func (d *Server) trustedProxy(a netip.Addr) bool {
	return slices.ContainsFunc(d.cfg.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}
