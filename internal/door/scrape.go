package door

import (
	"net"
	"net/http"
	"net/netip"

	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
)

// serveMetrics lets in those who may see everything, and what runs on the same machine: metrics name
// instances and tell how much they are used.
func (d *Door) serveMetrics(metrics http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !onThisMachine(r) {
			admitted, _, ok := d.admitHTTP(w, r, d.credentialOf(r), d.refuse)
			if !ok {
				return
			}
			if !access.ScopeFrom(admitted.Context()).All() {
				d.refuse(w, admitted, http.StatusForbidden, d.presentCause(admitted.Context(), errNotOwner))
				return
			}
			r = admitted
		}
		metrics.ServeHTTP(w, r)
	}
}

var errNotOwner = &model.Error{Code: model.CodeForbidden, Message: "metrics are for those who may see everything"}

// forwarded are the headers by which a proxy says that it asks for somebody else.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"}

// onThisMachine says that a request was made by a program on this machine for itself: over plain HTTP, from
// loopback, to loopback by name, which neither a page that a browser was lured to nor a name that leads here
// is, and by no proxy that says that it is one.
func onThisMachine(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !from.Addr().Unmap().IsLoopback() || r.TLS != nil {
		return false
	}
	for _, name := range forwarded {
		if len(r.Header.Values(name)) > 0 {
			return false
		}
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return access.Loopback(host)
}
