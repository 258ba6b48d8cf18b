// Package gate admits callers to every server of Kairship, whatever its protocol: who is admitted and with what rights,
// how much they may spend, how many things they may have open, and when a right ends. It refuses with a *model.Error,
// and knows neither what is requested behind it nor how a refusal is written.
package gate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Config is what a Gate needs.
type Config struct {
	Authenticator auth.Authenticator
	Authorizer    Authorizer
	// Session returns the principal of the session that a request's cookie names, and when it ends (zero: unknown).
	// Errors are like an Authenticator's; the zero Principal is nobody. Nil: there are no sessions.
	Session func(*http.Request) (auth.Principal, time.Time, error)
	// Changed returns a channel that is closed as soon as anybody's rights change; each call returns the current one.
	// Nil: changes are not reported.
	Changed func() <-chan struct{}
	// TrustedProxies are the networks of proxies whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	Limits         Limits
	// Recheck is how often the right to something open is checked when no change is reported. Default 2 s.
	Recheck time.Duration
	// Now returns the time; nil for time.Now.
	Now func() time.Time
	// Delayed counts the events that had to wait; nil for no counter.
	Delayed prometheus.Counter
}

// Authorizer decides what principals may do; *rbac.Authorizer does.
type Authorizer interface {
	// NewContext returns a context that carries the principal and what they may see now.
	NewContext(context.Context, auth.Principal) context.Context
}

// Gate admits callers.
type Gate struct {
	cfg    Config
	limits Limits
	now    func() time.Time

	// rates is the points that users have left, refused the recent failures to authenticate.
	rates   *buckets
	refused *refused
	turns   *turns
	open    open
}

// New makes a gate.
func New(cfg Config) *Gate {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Recheck == 0 {
		cfg.Recheck = recheck
	}
	if cfg.Delayed == nil {
		cfg.Delayed = prometheus.NewCounter(prometheus.CounterOpts{Name: "delayed"})
	}
	g := &Gate{cfg: cfg, limits: cfg.Limits, now: cfg.Now, open: open{subscriptions: Tally{}, sockets: Tally{}, halfOpen: Tally{}}}
	g.rates = newBuckets(g.limits.Rate, g.limits.RateBurst, g.now)
	g.refused = newRefused(g.limits.Authentication, g.now)
	g.turns = newTurns(g.limits, g.rates, cfg.Delayed, g.now)
	return g
}

// Credential is how a caller authenticates: by a bearer token or, without one, by the session that a request's cookie
// names.
type Credential struct {
	Token string
	// Session is the request with the session's cookie; nil when a token was sent.
	Session *http.Request
	// Address is the caller's address, as limits count it.
	Address string
	// Proxied says that it is for the proxy to an instance: credentials for one instance alone are valid only there.
	Proxied bool
}

// CredentialOf takes the credential from a request's headers. The caller has to add the address.
func (g *Gate) CredentialOf(r *http.Request) Credential {
	if header := r.Header.Get("Authorization"); header != "" {
		return Credential{Token: Bearer(header)}
	}
	if g.cfg.Session != nil && r.Header.Get("Cookie") != "" {
		return Credential{Session: r}
	}
	return Credential{}
}

// Bearer is the token of an Authorization header; empty when there is none.
func Bearer(header string) string {
	scheme, token, ok := strings.Cut(strings.TrimSpace(header), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// key identifies a credential without revealing it.
func (c Credential) key() [sha256.Size]byte {
	if c.Session != nil {
		return sha256.Sum256([]byte("cookie " + strings.Join(c.Session.Header.Values("Cookie"), ";")))
	}
	return sha256.Sum256([]byte("bearer " + c.Token))
}

// Visit is an admitted caller.
type Visit struct {
	// Principal is the caller's identity: set also when they are refused for lack of rights.
	Principal auth.Principal
	Scope     rbac.Scope
	// Expires is when the credential expires; zero when unknown.
	Expires time.Time

	credential Credential
	// changed is closed when anybody's rights have changed since before this visit's were looked up.
	changed <-chan struct{}
}

// Enter authenticates a caller, and returns a context with their identity and what they may see. The error is
// UNAUTHENTICATED for nobody, FORBIDDEN for a principal who may see nothing, LIMIT_EXCEEDED for an address with too
// many recent failures, and otherwise the Authenticator's.
func (g *Gate) Enter(ctx context.Context, c Credential) (context.Context, Visit, *model.Error) {
	if refusal := g.Refusal(c); refusal != nil {
		return nil, Visit{}, refusal
	}
	admitted, in, refusal := g.Look(ctx, c)
	switch {
	case refusal == nil:
		g.refused.succeeded(c)
	case refusal.Code == model.CodeUnauthenticated:
		g.refused.failed(c)
	}
	return admitted, in, refusal
}

// Look is Enter without the limit on failures.
func (g *Gate) Look(ctx context.Context, c Credential) (context.Context, Visit, *model.Error) {
	in := Visit{credential: c}
	if g.cfg.Changed != nil {
		in.changed = g.cfg.Changed() // before the lookup, so that no change is missed
	}
	var err error
	switch {
	case c.Session != nil:
		in.Principal, in.Expires, err = g.cfg.Session(c.Session)
	case c.Token != "":
		in.Principal, err = g.cfg.Authenticator.Authenticate(ctx, c.Token)
		in.Expires, _ = auth.TokenExpiry(c.Token)
	}
	if err != nil {
		var known *model.Error
		if !errors.As(err, &known) {
			known = &model.Error{Code: model.CodeInternal, Message: "internal error", Err: err}
		}
		return nil, in, known
	}
	if in.Principal.Name == "" {
		return nil, in, errNobody
	}
	if c.Session != nil && !in.Expires.IsZero() && !g.now().Before(in.Expires) {
		return nil, in, errSessionExpired
	}
	if of := in.Principal.Instance; of != "" && !c.Proxied {
		return nil, in, &model.Error{Code: model.CodeUnauthenticated,
			Message: fmt.Sprintf("the token is that of a kubeconfig: it opens instance %q through the proxy, and nothing else", of)}
	}
	ctx = g.cfg.Authorizer.NewContext(ctx, in.Principal)
	if in.Scope = rbac.ScopeFrom(ctx); in.Scope.Empty() {
		return nil, in, rbac.ErrForbidden
	}
	return ctx, in, nil
}

var (
	errNobody = &model.Error{Code: model.CodeUnauthenticated,
		Message: "a bearer token is required: send it as `Authorization: Bearer …`, or in connection_init as {\"authorization\": \"Bearer …\"}"}
	errSessionExpired = &model.Error{Code: model.CodeUnauthenticated, Message: "the session has expired; sign in again"}
)
