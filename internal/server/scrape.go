package server

import (
	"net/http"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// serveMetrics admits those who may see everything, from any address: metrics name instances and their use, and a proxy
// on this machine connects from loopback for anybody.
func (d *Server) serveMetrics(metrics http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		admitted, _, ok := d.admit(w, r, d.credentialOf(r), d.refuseKnown)
		if !ok {
			return
		}
		if !rbac.ScopeFrom(admitted.Context()).All() {
			d.refuse(w, admitted, http.StatusForbidden, d.presentCause(admitted.Context(), errNotOwner))
			return
		}
		metrics.ServeHTTP(w, admitted)
	}
}

var errNotOwner = &model.Error{Code: model.CodeForbidden, Message: "metrics are for owners; programs without a token read them at --telemetry-address"}
