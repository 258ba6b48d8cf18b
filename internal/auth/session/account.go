package session

import (
	"context"
	"net/netip"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// SignIn is an attempted sign-in, for the audit log.
type SignIn struct {
	// Principal is who signed in; the zero Principal if unknown.
	Principal auth.Principal
	// Began is when the browser came back from the provider.
	Began time.Time
	// Err is why it did not succeed; nil when it did.
	Err error
	// Unrecorded is how many failures were left out of the audit log since the last one that was reported.
	Unrecorded int
}

// Anybody can fail to sign in, as often as they like, without a credential: only so many failures are reported to the
// audit log, each with the number left out. The log has all of them.
const (
	toldAtOnceEach   = 5
	toldEveryEach    = time.Minute
	toldAtOnceAll    = 100
	toldEveryAll     = 5 * time.Second
	maxToldAddresses = 4096
)

// account reports sign-ins to the audit log.
type account struct {
	tell func(context.Context, SignIn)
	now  func() time.Time

	mu         sync.Mutex
	each       *lru.Cache[string, *rate.Limiter]
	all        *rate.Limiter
	unrecorded int
}

func newAccount(tell func(context.Context, SignIn), now func() time.Time) *account {
	each, _ := lru.New[string, *rate.Limiter](maxToldAddresses) // fails only for a size below 1
	return &account{tell: tell, now: now, each: each, all: rate.NewLimiter(rate.Every(toldEveryAll), toldAtOnceAll)}
}

// note reports a sign-in that has ended.
func (a *account) note(ctx context.Context, s SignIn) {
	if a.tell == nil {
		return
	}
	if s.Err != nil {
		var told bool
		if s.Unrecorded, told = a.admit(request.From(ctx).Remote); !told {
			return
		}
	}
	a.tell(ctx, s)
}

// admit decides whether a failure is reported, and returns how many before it were not.
func (a *account) admit(address string) (unrecorded int, told bool) {
	if ip, err := netip.ParseAddr(address); err == nil && ip.Unmap().Is6() {
		network, _ := ip.WithZone("").Prefix(64) // fails only for other lengths
		address = network.String()               // a host has as many addresses as it likes
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	of, known := a.each.Get(address)
	if !known {
		of = rate.NewLimiter(rate.Every(toldEveryEach), toldAtOnceEach)
		a.each.Add(address, of)
	}
	now := a.now()
	if of.TokensAt(now) < 1 || !a.all.AllowN(now, 1) {
		a.unrecorded++
		return 0, false
	}
	of.AllowN(now, 1)
	unrecorded, a.unrecorded = a.unrecorded, 0
	return unrecorded, true
}
