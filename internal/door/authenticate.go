package door

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
)

// bearer is the token of an Authorization header; empty when there is none.
func bearer(header string) string {
	scheme, token, ok := strings.Cut(strings.TrimSpace(header), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// admit finds out who asks and refuses who may see nothing: nobody gets further without a principal and
// a scope in the context.
func (d *Door) admit(ctx context.Context, token string) (context.Context, access.Principal, *model.Error) {
	if token == "" {
		return nil, access.Principal{}, &model.Error{Code: model.CodeUnauthenticated,
			Message: "a bearer token is required: send it as `Authorization: Bearer …`, or in connection_init as {\"authorization\": \"Bearer …\"}"}
	}
	p, err := d.cfg.Authenticator.Authenticate(ctx, token)
	if err != nil {
		var known *model.Error
		if !errors.As(err, &known) {
			known = &model.Error{Code: model.CodeInternal, Message: "internal error", Err: err}
		}
		return nil, access.Principal{}, known
	}
	recordOf(ctx).note(func(r *record) { r.principal = p.Name })
	if d.cfg.Authorizer.Scope(p).Empty() {
		return nil, p, access.ErrForbidden
	}
	return d.cfg.Authorizer.NewContext(ctx, p), p, nil
}

// admitHTTP is admit for a plain request; it has answered when ok is false.
func (d *Door) admitHTTP(w http.ResponseWriter, r *http.Request) (_ *http.Request, p access.Principal, ok bool) {
	ctx, p, refusal := d.admit(r.Context(), bearer(r.Header.Get("Authorization")))
	if refusal == nil {
		return r.WithContext(ctx), p, true
	}
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
	d.refuse(w, r, status, d.presentCause(r.Context(), refusal))
	return r, p, false
}

// refuse answers a request that is not let in, in GraphQL's form.
func (d *Door) refuse(w http.ResponseWriter, r *http.Request, status int, errs ...*gqlerror.Error) {
	code := outcome(false, errs)
	recordOf(r.Context()).note(func(rec *record) { rec.outcome = code })
	d.countLimits(errs)
	writeFailure(w, mediaOf(r), status, errs)
}

func (d *Door) countLimits(errs gqlerror.List) {
	for _, e := range errs {
		if limit, ok := e.Extensions["limit"].(string); ok {
			d.metrics.refusals.WithLabelValues(limit).Inc()
		}
	}
}
