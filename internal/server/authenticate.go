package server

import (
	"context"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/server/gate"
)

// credentialOf takes the credential from a request's headers.
func (d *Server) credentialOf(r *http.Request) gate.Credential {
	c := d.gate.CredentialOf(r)
	if rec := recordOf(r.Context()); rec != nil {
		c.Address = rec.address
	}
	return c
}

// enter admits a caller, and in any case records their name for the log.
func (d *Server) enter(ctx context.Context, c gate.Credential) (context.Context, gate.Visit, *model.Error) {
	admitted, in, refusal := d.gate.Enter(ctx, c)
	if name := in.Principal.Name; name != "" {
		recordOf(ctx).note(func(r *record) { r.principal = name })
	}
	return admitted, in, refusal
}

// admit is enter for a plain request; when ok is false it has answered with refuse.
func (d *Server) admit(w http.ResponseWriter, r *http.Request, c gate.Credential, refuse refuser) (_ *http.Request, in gate.Visit, ok bool) {
	ctx, in, refusal := d.enter(r.Context(), c)
	if refusal == nil && c.Session != nil && !d.ownRequest(r) {
		refusal = errForeign
	}
	if refusal == nil {
		// Large requests are charged before they are read.
		refusal = d.gate.Charge(ctx, sizePoints(r))
	}
	if refusal != nil {
		if ctx != nil {
			r = r.WithContext(ctx)
		}
		refuse(w, r, d.statusOfRefusal(w, refusal), refusal)
		return r, in, false
	}
	if c.Session != nil && d.cfg.Renew != nil {
		d.cfg.Renew(w, r)
	}
	return r.WithContext(ctx), in, true
}

// refuser answers a request that is not admitted.
type refuser func(w http.ResponseWriter, r *http.Request, status int, refusal *model.Error)

// statusOfRefusal is the status for a caller who is not admitted; it sets the headers that go with it.
func (d *Server) statusOfRefusal(w http.ResponseWriter, refusal *model.Error) int {
	status := http.StatusInternalServerError
	switch refusal.Code {
	case model.CodeUnauthenticated:
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", `Bearer realm="kairship"`)
	case model.CodeForbidden:
		status = http.StatusForbidden
	case model.CodeLimitExceeded:
		status = http.StatusTooManyRequests
	case model.CodeUnavailable, model.CodeTimeout:
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	}
	return status
}

// mayUseGraphiQL reports whether a request may have the page. The page holds nothing secret, so it is refused only to
// those whose cookie shows that they could not use it.
func (d *Server) mayUseGraphiQL(r *http.Request) bool {
	c := d.credentialOf(r)
	if c.Session == nil || d.cfg.Introspect == nil || d.gate.Refusal(c) != nil {
		return true
	}
	ctx, _, refusal := d.gate.Look(r.Context(), c)
	return refusal != nil || d.introspects(ctx)
}

// refuseKnown answers a request that is not admitted, as GraphQL does.
func (d *Server) refuseKnown(w http.ResponseWriter, r *http.Request, status int, refusal *model.Error) {
	d.refuse(w, r, status, d.presentCause(r.Context(), refusal))
}

// refuse answers a request that is not executed, as GraphQL does.
func (d *Server) refuse(w http.ResponseWriter, r *http.Request, status int, errs ...*gqlerror.Error) {
	d.refused(w, r, errs)
	writeFailure(w, mediaOf(r), status, errs)
}

// refused records a refusal in log and metrics, and sets Retry-After.
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

// counted counts a refusal by a limit, and returns its message.
func (d *Server) counted(refusal *model.Error) string {
	d.countLimits(gqlerror.List{clientErrorOf(refusal)})
	return refusal.Message
}

func (d *Server) countLimits(errs gqlerror.List) {
	for _, e := range errs {
		if limit, ok := e.Extensions["limit"].(string); ok {
			d.metrics.refusals.WithLabelValues(limit).Inc()
		}
	}
}
