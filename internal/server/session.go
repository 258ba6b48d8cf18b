package server

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// headerCSRF is the header by which the UI shows that a request is its own.
const headerCSRF = "X-Kairship-CSRF"

// A browser sends a session's cookie for requests of any page. So a request by cookie has to show that a page of this
// host made it: by something that a foreign page cannot send without a preflight, and by what the browser itself
// reports as its origin.

// errForeign refuses a request that could be another page's.
var errForeign = &model.Error{Code: model.CodeForbidden,
	Message: "a request with a session cookie has to come from a page of this host, as application/json or with the header " + headerCSRF + " (rule csrf)"}

// ownRequest reports whether a plain request may use the session of its cookie.
func (d *Server) ownRequest(r *http.Request) bool {
	if r.Header.Get("Upgrade") != "" {
		return d.ownOrigin(r) // a page can set no headers on a WebSocket, but cannot change its origin either
	}
	if r.Header.Get(headerCSRF) == "" && !isJSON(r.Header.Get("Content-Type")) {
		return false
	}
	if r.Header.Get("Origin") != "" {
		return d.ownOrigin(r)
	}
	return r.Header.Get("Sec-Fetch-Site") == "same-origin"
}

// ownOrigin reports whether a request names its page, and the page is one of this host or of Config.Origins.
func (d *Server) ownOrigin(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || origin.Host == "" {
		return false
	}
	if strings.EqualFold(origin.Host, r.Host) {
		// A page loaded without TLS could be anybody's.
		return r.TLS == nil || origin.Scheme == "https"
	}
	for _, pattern := range d.cfg.Origins {
		of := origin.Host
		if strings.Contains(pattern, "://") {
			of = origin.Scheme + "://" + origin.Host
		}
		if ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(of)); err == nil && ok {
			return true
		}
	}
	return false
}
