package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// bearer is the token of an Authorization header; empty when there is none.
func bearer(header string) string {
	scheme, token, ok := strings.Cut(strings.TrimSpace(header), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// credential is how a request says who asks: by a bearer token or, when it has none, by the session that
// its cookie names.
type credential struct {
	token string
	// session is the request whose session counts; nil when a token was sent.
	session *http.Request
	// address is where it came from.
	address string
	// proxied says that it is to open an instance through the proxy: credentials for one instance alone are
	// for that only.
	proxied bool
}

// credentialOf takes the credential of a request's head.
func (d *Server) credentialOf(r *http.Request) credential {
	c := credential{}
	if rec := recordOf(r.Context()); rec != nil {
		c.address = rec.address
	}
	if header := r.Header.Get("Authorization"); header != "" {
		c.token = bearer(header)
	} else if d.cfg.Session != nil && r.Header.Get("Cookie") != "" {
		c.session = r
	}
	return c
}

// key tells credentials apart without holding them.
func (c credential) key() [sha256.Size]byte {
	if c.session != nil {
		return sha256.Sum256([]byte("cookie " + strings.Join(c.session.Header.Values("Cookie"), ";")))
	}
	return sha256.Sum256([]byte("bearer " + c.token))
}

// admission is somebody who was let in.
type admission struct {
	principal auth.Principal
	scope     rbac.Scope
	// expires is when the credential ends by itself; zero when it does not say.
	expires time.Time
	// changed is closed when anybody's rights have changed since before these were looked up.
	changed <-chan struct{}
}

// admit finds out who asks and refuses who may see nothing: nobody gets further without a principal and
// a scope in the context.
func (d *Server) admit(ctx context.Context, c credential) (context.Context, admission, *model.Error) {
	var in admission
	if d.cfg.Changed != nil {
		in.changed = d.cfg.Changed() // before the look, so that no change is missed
	}
	var err error
	switch {
	case c.session != nil:
		in.principal, in.expires, err = d.cfg.Session(c.session)
	case c.token != "":
		in.principal, err = d.cfg.Authenticator.Authenticate(ctx, c.token)
		in.expires, _ = auth.TokenExpiry(c.token)
	}
	if err != nil {
		var known *model.Error
		if !errors.As(err, &known) {
			known = &model.Error{Code: model.CodeInternal, Message: "internal error", Err: err}
		}
		return nil, in, known
	}
	if in.principal.Name == "" {
		return nil, in, &model.Error{Code: model.CodeUnauthenticated,
			Message: "a bearer token is required: send it as `Authorization: Bearer …`, or in connection_init as {\"authorization\": \"Bearer …\"}"}
	}
	if c.session != nil && !in.expires.IsZero() && !d.now().Before(in.expires) {
		return nil, in, errSessionExpired
	}
	recordOf(ctx).note(func(r *record) { r.principal = in.principal.Name })
	if of := in.principal.Instance; of != "" && !c.proxied {
		return nil, in, &model.Error{Code: model.CodeUnauthenticated,
			Message: fmt.Sprintf("the token is that of a kubeconfig: it opens instance %q through the proxy, and nothing else", of)}
	}
	ctx = d.cfg.Authorizer.NewContext(ctx, in.principal)
	if in.scope = rbac.ScopeFrom(ctx); in.scope.Empty() {
		return nil, in, rbac.ErrForbidden
	}
	return ctx, in, nil
}

var errSessionExpired = &model.Error{Code: model.CodeUnauthenticated, Message: "the session has expired; sign in again"}

// admitNew is admit for somebody who comes in, which counts when it fails.
func (d *Server) admitNew(ctx context.Context, c credential) (context.Context, admission, *model.Error) {
	ctx, in, refusal := d.admit(ctx, c)
	switch {
	case refusal == nil:
		d.failures.succeeded(c)
	case refusal.Code == model.CodeUnauthenticated:
		d.failures.failed(c)
	}
	return ctx, in, refusal
}

// admitHTTP is admitNew for a plain request; it has answered, with refuse, when ok is false.
func (d *Server) admitHTTP(w http.ResponseWriter, r *http.Request, c credential, refuse refuser) (_ *http.Request, in admission, ok bool) {
	if e := d.failures.refusal(c); e != nil {
		refuse(w, r, http.StatusTooManyRequests, e)
		return r, in, false
	}
	ctx, in, refusal := d.admitNew(r.Context(), c)
	if refusal == nil && c.session != nil && !d.ownRequest(r) {
		refusal = errForeign
	}
	if refusal != nil {
		refuse(w, r, d.statusOfRefusal(w, refusal), d.presentCause(r.Context(), refusal))
		return r, in, false
	}
	r = r.WithContext(ctx)
	// What is long is paid for before it is read.
	if e := d.charge(ctx, sizePoints(r)); e != nil {
		refuse(w, r, http.StatusTooManyRequests, e)
		return r, in, false
	}
	if c.session != nil && d.cfg.Renew != nil {
		d.cfg.Renew(w, r)
	}
	return r, in, true
}

// refuser answers a request that is not let in.
type refuser func(w http.ResponseWriter, r *http.Request, status int, errs ...*gqlerror.Error)

// statusOfRefusal is the status for somebody who is not let in; it sets the headers that go with it.
func (d *Server) statusOfRefusal(w http.ResponseWriter, refusal *model.Error) int {
	status := http.StatusInternalServerError
	switch refusal.Code {
	case model.CodeUnauthenticated:
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", `Bearer realm="kairship"`)
	case model.CodeForbidden:
		status = http.StatusForbidden
	case model.CodeUnavailable, model.CodeTimeout:
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	}
	return status
}

// mayUseGraphiQL says whether a request may have the page. It holds nothing that is secret, so that it is
// refused only to those of whom a cookie tells that it would be of no use to them.
func (d *Server) mayUseGraphiQL(r *http.Request) bool {
	c := d.credentialOf(r)
	if c.session == nil || d.cfg.Introspect == nil || d.failures.refusal(c) != nil {
		return true
	}
	ctx, _, refusal := d.admit(r.Context(), c)
	return refusal != nil || d.introspects(ctx)
}

// refuse answers a request that is not let in, in GraphQL's form.
func (d *Server) refuse(w http.ResponseWriter, r *http.Request, status int, errs ...*gqlerror.Error) {
	d.refused(w, r, errs)
	writeFailure(w, mediaOf(r), status, errs)
}

// refused takes a refusal into log, metrics and the header that says when to come back.
func (d *Server) refused(w http.ResponseWriter, r *http.Request, errs gqlerror.List) {
	code := outcome(false, errs)
	recordOf(r.Context()).note(func(rec *record) { rec.outcome = code })
	d.countLimits(errs)
	for _, e := range errs {
		if seconds, ok := e.Extensions["retryAfter"].(int); ok {
			w.Header().Set("Retry-After", strconv.Itoa(seconds))
		}
	}
}

func (d *Server) countLimits(errs gqlerror.List) {
	for _, e := range errs {
		if limit, ok := e.Extensions["limit"].(string); ok {
			d.metrics.refusals.WithLabelValues(limit).Inc()
		}
	}
}
