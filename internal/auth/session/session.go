// Package session signs people in with a browser: by the code flow of OpenID Connect with PKCE, then by a cookie that
// says who they are. The cookie is encrypted and holds the whole session, so that any replica can read it. It does
// not decide what somebody may do.
package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/securecookie"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/token/keyring"
	"github.com/kairship-io/kairship/internal/model"
)

// The paths of Handler.
const (
	PathSignIn   = "/auth/sign-in"
	PathCallback = "/auth/callback"
	PathSignOut  = "/auth/sign-out"
	PathSession  = "/auth/session"
)

// HeaderCSRF must be on a request to sign out. A page of another host cannot send it without permission (CORS).
const HeaderCSRF = "X-Kairship-CSRF"

const (
	// signInFor is how long somebody may take at the provider.
	signInFor = 10 * time.Minute
	// providerTimeout bounds exchanging a code for a token.
	providerTimeout = 10 * time.Second
	// endTimeout bounds Revocations.End.
	endTimeout = 5 * time.Second
	// rotateEvery is the age at which a cookie key is replaced by a new one.
	rotateEvery = 24 * time.Hour
	// minIdle is the shortest Config.Idle.
	minIdle = time.Minute
	// renewals is how often within Config.Idle a cookie is renewed at most.
	renewals = 10
)

// Revocations knows the sessions that were ended before they expired.
type Revocations interface {
	// Ended says whether a session was ended. It is asked with every request and answers from memory.
	Ended(id string) bool
	// End ends a session; that may be forgotten after until.
	End(ctx context.Context, id string, until time.Time) error
}

// Config says how people sign in.
type Config struct {
	// PublicURL is the address that browsers open: https, or http on a loopback address, without a path. PublicURL +
	// PathCallback must be registered with the provider.
	PublicURL string
	// Provider verifies ID tokens; nil when people sign in with bearer tokens only.
	Provider *auth.OIDCAuthenticator
	// ProviderName is the provider's display name.
	ProviderName string
	// ClientID has to be one of the Provider's audiences. ClientSecret is empty for a public client.
	ClientID, ClientSecret string
	// Scopes are asked for; openid, profile, email and groups when nil.
	Scopes []string
	// Idle is how long a session lasts without a request, Absolute how long with them. Defaults: 1 h and 12 h.
	Idle, Absolute time.Duration
	// Keys holds the cookies' keys, for all replicas.
	Keys keyring.Store
	// Revocations records sign-outs.
	Revocations Revocations
	// Audit is called for sign-ins, and for a limited number of failed ones; nil for none. Its context carries the
	// request's request.Info.
	Audit func(context.Context, SignIn)
	// Logger logs sign-ins and sign-outs, also failed ones; nil for slog's default.
	Logger *slog.Logger
}

// Sessions signs people in and out and knows who they are.
type Sessions struct {
	cfg    Config
	secure bool
	// account reports to Config.Audit.
	account *account
	keys    *keyring.Ring[*securecookie.SecureCookie]
	now     func() time.Time
}

// New makes Sessions. It fails for a configuration that can never work, and makes no request.
func New(cfg Config) (*Sessions, error) {
	u, err := url.Parse(cfg.PublicURL)
	if err != nil || u.Host == "" || u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("the public address %q is not one like https://kairship.example.org", cfg.PublicURL)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !auth.Loopback(u.Hostname())) {
		return nil, fmt.Errorf("the public address %q is not https: everybody on the way could take the sessions over", cfg.PublicURL)
	}
	cfg.PublicURL = u.Scheme + "://" + u.Host
	if cfg.Keys == nil || cfg.Revocations == nil {
		return nil, errors.New("sessions need a store for their keys and somebody who knows which have ended")
	}
	if cfg.Provider != nil && cfg.ClientID == "" {
		return nil, errors.New("signing in needs the client id that the OIDC provider knows Kairship by")
	}
	if cfg.Scopes == nil {
		cfg.Scopes = []string{"openid", "profile", "email", "groups"}
	}
	if cfg.Idle == 0 {
		cfg.Idle = time.Hour
	}
	if cfg.Absolute == 0 {
		cfg.Absolute = max(12*time.Hour, cfg.Idle)
	}
	if cfg.Idle < minIdle || cfg.Absolute < cfg.Idle {
		return nil, fmt.Errorf("a session of at most %s and %s without a request is not possible", cfg.Absolute, cfg.Idle)
	}
	if cfg.ProviderName == "" {
		cfg.ProviderName = "OpenID Connect"
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	s := &Sessions{cfg: cfg, secure: u.Scheme == "https", now: time.Now}
	s.account = newAccount(cfg.Audit, func() time.Time { return s.now() })
	s.keys = keyring.New(cfg.Keys, keyring.Options[*securecookie.SecureCookie]{
		Generate: generate, Parse: parse, RotateEvery: rotateEvery, KeepFor: max(cfg.Absolute, signInFor),
		Now: func() time.Time { return s.now() },
	})
	return s, nil
}

// Handler answers the paths below /auth/.
func (s *Sessions) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+PathSignIn, s.signIn)
	mux.HandleFunc("GET "+PathCallback, s.callback)
	mux.HandleFunc("POST "+PathSignOut, s.signOut)
	mux.HandleFunc("GET "+PathSession, s.status)
	return mux
}

// ErrNoSession is the error of a request without a session's cookie.
var ErrNoSession = &model.Error{Code: model.CodeUnauthenticated, Message: "nobody is signed in: sign in, or send a bearer token"}

// content is what a session's cookie holds.
type content struct {
	ID     string   `json:"i"`
	User   string   `json:"u"`
	Groups []string `json:"g"`
	// Begun is when the person signed in, Seen when the cookie was made, in seconds since 1970.
	Begun int64 `json:"b"`
	Seen  int64 `json:"s"`
}

func (c *content) principal() auth.Principal {
	return auth.OIDCIdentity{User: c.User, Groups: c.Groups}.Principal()
}

// end returns when a session ends at the latest, expires when it ends without another request.
func (s *Sessions) end(c *content) time.Time { return time.Unix(c.Begun, 0).Add(s.cfg.Absolute) }

func (s *Sessions) expires(c *content) time.Time {
	idle, end := time.Unix(c.Seen, 0).Add(s.cfg.Idle), s.end(c)
	if end.Before(idle) {
		return end
	}
	return idle
}

// begin makes a new session.
func (s *Sessions) begin(id auth.OIDCIdentity) *content {
	now := s.now().Unix()
	return &content{ID: rand.Text(), User: id.User, Groups: id.Groups, Begun: now, Seen: now}
}

// FromRequest returns the principal of a request's cookie, and when the session ends without another request. Its
// errors are UNAUTHENTICATED, ErrNoSession when there is no cookie, and UNAVAILABLE when the keys are needed and
// cannot be read.
func (s *Sessions) FromRequest(r *http.Request) (auth.Principal, time.Time, error) {
	c, err := s.read(r)
	if err != nil {
		return auth.Principal{}, time.Time{}, err
	}
	return c.principal(), s.expires(c), nil
}

// Renew restarts the idle time of a request's session. Call it before writing the response. It does nothing for a
// request without a session, or whose cookie is still new.
func (s *Sessions) Renew(w http.ResponseWriter, r *http.Request) {
	c, err := s.read(r)
	if err != nil {
		return
	}
	s.renew(r.Context(), w, c)
}

func (s *Sessions) renew(ctx context.Context, w http.ResponseWriter, c *content) {
	now, before := s.now(), s.expires(c)
	if now.Sub(time.Unix(c.Seen, 0)) < s.cfg.Idle/renewals || !before.Before(s.end(c)) {
		return
	}
	c.Seen = now.Unix()
	if err := s.write(ctx, w, c); err != nil {
		s.cfg.Logger.Warn("a session could not be renewed", "principal", c.principal().Name, "error", err)
	}
}

// read takes the session from a request.
func (s *Sessions) read(r *http.Request) (*content, error) {
	cookie, err := r.Cookie(s.sessionCookie())
	if err != nil {
		return nil, ErrNoSession
	}
	var c content
	ok, err := s.open(r.Context(), cookie, &c)
	if err != nil {
		return nil, err
	}
	now := s.now()
	switch {
	case !ok || c.ID == "" || c.User == "":
		return nil, &model.Error{Code: model.CodeUnauthenticated, Message: "the session is not valid; sign in again"}
	case !now.Before(s.expires(&c)):
		return nil, &model.Error{Code: model.CodeUnauthenticated, Message: "the session has expired; sign in again"}
	case s.cfg.Revocations.Ended(c.ID):
		return nil, &model.Error{Code: model.CodeUnauthenticated, Message: "the session has been ended; sign in again"}
	}
	return &c, nil
}
