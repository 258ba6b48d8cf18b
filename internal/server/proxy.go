package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/vektah/gqlparser/v2/gqlerror"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

// proxied is the paths of Config.Proxy.
var proxied = []string{"/instances/", "/api/", "/apis/"}

type revokedKey struct{}

// Revoked returns a channel that is closed when the right of a proxied request has ended or changed; nil for any other
// context. It is watched until the request ends.
func Revoked(ctx context.Context) <-chan struct{} {
	if watch, ok := ctx.Value(revokedKey{}).(func() <-chan struct{}); ok {
		return watch()
	}
	return nil
}

// serveProxy admits callers who may see anything; the proxy checks the scope for what that is.
func (d *Server) serveProxy(w http.ResponseWriter, r *http.Request) {
	c := d.credentialOf(r)
	c.Proxied = true
	r, in, ok := d.admit(w, r, c, d.refuseProxied)
	if !ok {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	watch := sync.OnceValue(func() <-chan struct{} {
		ended := make(chan struct{})
		lost := d.gate.Lost(ctx, in)
		go func() { // ends with ctx
			select {
			case refusal := <-lost:
				d.cfg.Logger.DebugContext(ctx, "a proxied request has lost its right", "requestId", requestID(ctx), "principal", in.Principal.Name, "code", refusal.Code)
				close(ended)
			case <-ctx.Done():
			}
		}()
		return ended
	})
	d.cfg.Proxy.ServeHTTP(w, r.WithContext(context.WithValue(ctx, revokedKey{}, watch)))
}

// reasons is Kubernetes' reason for each status of a refusal.
var reasons = map[int]metav1.StatusReason{
	http.StatusUnauthorized:        metav1.StatusReasonUnauthorized,
	http.StatusForbidden:           metav1.StatusReasonForbidden,
	http.StatusTooManyRequests:     metav1.StatusReasonTooManyRequests,
	http.StatusServiceUnavailable:  metav1.StatusReasonServiceUnavailable,
	http.StatusInternalServerError: metav1.StatusReasonInternalError,
}

// refuseProxied answers a request that is not admitted, as Kubernetes does.
func (d *Server) refuseProxied(w http.ResponseWriter, r *http.Request, status int, refusal *model.Error) {
	shown := d.presentCause(r.Context(), refusal)
	d.refused(w, r, gqlerror.List{shown})
	out := metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure,
		Code: int32(status), Reason: reasons[status], Message: shown.Message} //nolint:gosec // a status is small
	if l := refusal.Limit; l != nil && l.RetryAfter > 0 {
		out.Details = &metav1.StatusDetails{RetryAfterSeconds: int32(l.RetryAfter)} //nolint:gosec // a minute at most
	}
	raw, err := json.Marshal(&out)
	writeResponse(w, mediaJSON, status, raw, err)
}
