// Package gate is what every server of Kairship stands behind, whatever it speaks: who comes in and with what right, how
// much anybody may spend, how many things they may have open, and when a right ends. It says no with a *model.Error,
// and knows neither what is asked for behind it nor how a refusal is written.
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
	// Session tells whose session a request's cookie names, and when that ends (zero: it does not say). Errors are
	// like an Authenticator's; the zero Principal is nobody. Nil: there are no sessions.
	Session func(*http.Request) (auth.Principal, time.Time, error)
	// Changed gives a channel that is closed as soon as anybody's rights change; asked again, a new one. Nil: nobody
	// says so.
	Changed func() <-chan struct{}
	// TrustedProxies are the networks of proxies whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	Limits         Limits
	// Recheck is how often the right to something open is looked at when nobody says that it changed. Default 2 s.
	Recheck time.Duration
	// Now tells the time; nil for time.Now.
	Now func() time.Time
	// Delayed counts the events that had to wait; nil for nobody.
	Delayed prometheus.Counter
}

// Authorizer decides what principals may do; *rbac.Authorizer does.
type Authorizer interface {
	// NewContext returns a context that carries who asks and what they may see now.
	NewContext(context.Context, auth.Principal) context.Context
}

// Gate lets people in.
type Gate struct {
	cfg    Config
	limits Limits
	now    func() time.Time

	// rates is the points that people have left, refused who could not say who they are of late.
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

// Credential is how somebody says who they are: by a bearer token or, when they sent none, by the session that a
// request's cookie names.
type Credential struct {
	Token string
	// Session is the request whose session counts; nil when a token was sent.
	Session *http.Request
	// Address is where it came from, as limits count it.
	Address string
	// Proxied says that it is to open an instance through the proxy: credentials for one instance alone are for that
	// only.
	Proxied bool
}

// CredentialOf takes the credential of a request's head. The address is the caller's to add.
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

// key tells credentials apart without holding them.
func (c Credential) key() [sha256.Size]byte {
	if c.Session != nil {
		return sha256.Sum256([]byte("cookie " + strings.Join(c.Session.Header.Values("Cookie"), ";")))
	}
	return sha256.Sum256([]byte("bearer " + c.Token))
}

// Visit is somebody who was let in.
type Visit struct {
	// Principal is who they are: known, too, where they are refused for what they may not do.
	Principal auth.Principal
	Scope     rbac.Scope
	// Expires is when the credential ends by itself; zero when it does not say.
	Expires time.Time

	credential Credential
	// changed is closed when anybody's rights have changed since before these were looked up.
	changed <-chan struct{}
}

// Enter finds out who asks, and gives a context that carries who it is and what they may see. The error is
// UNAUTHENTICATED for nobody, FORBIDDEN for somebody who may see nothing, LIMIT_EXCEEDED for an address that has failed
// too often of late, and what the Authenticator says otherwise.
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

// Look is Enter for somebody who is not counted.
func (g *Gate) Look(ctx context.Context, c Credential) (context.Context, Visit, *model.Error) {
	in := Visit{credential: c}
	if g.cfg.Changed != nil {
		in.changed = g.cfg.Changed() // before the look, so that no change is missed
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
