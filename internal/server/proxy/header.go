package proxy

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// plainName is the name of a header as the most lenient servers read it.
func plainName(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "_", "-")
}

// checkImpersonation refuses callers who ask to impersonate somebody: only Kairship sets that.
func checkImpersonation(h http.Header) error {
	for name := range h {
		if strings.HasPrefix(plainName(name), "impersonate-") {
			return &model.Error{Code: model.CodeForbidden, Field: []string{name},
				Message: fmt.Sprintf("the header %q is refused: requests are made as the one who is signed in", name)}
		}
	}
	return nil
}

// kept reports whether the upstream may see a header of a request. net/http/httputil drops the headers of single
// connections.
func kept(name string) bool {
	switch name = plainName(name); name {
	case "authorization", "cookie", "cookie2",
		// The client's address and page are nobody else's concern.
		"forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip", "origin", "referer",
		// The server answers it itself.
		"expect",
		// An API server would use the client's id in its own audit log, and for a trace.
		"audit-id", "traceparent", "tracestate", "baggage", "b3":
		return false
	}
	for _, prefix := range []string{"x-forwarded", "x-remote-", "x-original-", "x-envoy-", "impersonate-", "proxy-", "sec-fetch-", "x-kairship-", "x-b3-"} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return true
}

// bearerProtocol begins the subprotocol in which browsers send a token to API servers.
const bearerProtocol = "base64url.bearer.authorization.k8s.io."

// cleanRequest removes the headers of a request that the upstream must not see.
func cleanRequest(h http.Header) {
	for name := range h {
		if !kept(name) {
			delete(h, name)
		}
	}
	const protocols = "Sec-Websocket-Protocol"
	if values, ok := h[protocols]; ok {
		var left []string
		for one := range strings.SplitSeq(strings.Join(values, ","), ",") {
			if one = strings.TrimSpace(one); one != "" && !strings.HasPrefix(strings.ToLower(one), bearerProtocol) {
				left = append(left, one)
			}
		}
		if h.Del(protocols); len(left) > 0 {
			h.Set(protocols, strings.Join(left, ", "))
		}
	}
}

// cleanAnswer removes the headers of a response that would affect Kairship's own pages, or a server in front of
// Kairship.
func cleanAnswer(h http.Header) {
	for name := range h {
		switch plain := plainName(name); plain {
		case "set-cookie", "set-cookie2", "www-authenticate", "clear-site-data", "alt-svc", "service-worker-allowed", "refresh",
			"content-location", "strict-transport-security", "public-key-pins", "nel", "report-to", "reporting-endpoints",
			"x-sendfile", "x-lighttpd-send-file":
			delete(h, name)
		default:
			if strings.HasPrefix(plain, "access-control-") || strings.HasPrefix(plain, "x-accel-") {
				delete(h, name)
			}
		}
	}
}

// ownHeaders are on every response: what a member serves is not a page of Kairship's, whatever its headers say.
var ownHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
	"X-Content-Type-Options":  "nosniff",
}

// upgrades are the protocols that Kubernetes switches to. Others could hide requests from this proxy.
var upgrades = []string{"websocket", "spdy/3.1"}

// upgrade is the protocol that a request asks to switch to; empty for none.
func upgrade(r *http.Request) (string, error) {
	asked := false
	for _, value := range r.Header["Connection"] {
		for token := range strings.SplitSeq(value, ",") {
			asked = asked || strings.EqualFold(strings.TrimSpace(token), "upgrade")
		}
	}
	if !asked {
		return "", nil
	}
	protocol := strings.ToLower(strings.Join(r.Header["Upgrade"], ","))
	switch {
	case !slices.Contains(upgrades, protocol):
		return "", &model.Error{Code: model.CodeBadUserInput, Field: []string{"Upgrade"},
			Message: "the header \"Upgrade\" is refused: connections are switched to WebSocket and SPDY/3.1 alone"}
	case r.Method != http.MethodGet && r.Method != http.MethodPost:
		return "", &model.Error{Code: model.CodeBadUserInput, Field: []string{"Upgrade"},
			Message: "the header \"Upgrade\" is refused: connections are switched by GET and POST alone"}
	}
	return protocol, nil
}
