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

// A browser sends a session's cookie whoever made it ask. So a request by cookie has to show that it was
// made by a page of this host: by something that a foreign page cannot send without asking first, and by
// what the browser itself says of where it comes from.

// errForeign is what a request is told that could be another page's.
var errForeign = &model.Error{Code: model.CodeForbidden,
	Message: "a request with a session cookie has to come from a page of this host, as application/json or with the header " + headerCSRF + " (rule csrf)"}

// ownRequest says whether a plain request may use the session of its cookie.
func (d *Server) ownRequest(r *http.Request) bool {
	if r.Header.Get("Upgrade") != "" {
		return d.ownOrigin(r) // a page can set no header on a WebSocket, but not its origin either
	}
	if r.Header.Get(headerCSRF) == "" && !isJSON(r.Header.Get("Content-Type")) {
		return false
	}
	if r.Header.Get("Origin") != "" {
		return d.ownOrigin(r)
	}
	return r.Header.Get("Sec-Fetch-Site") == "same-origin"
}

// ownOrigin says whether a request names its page, and the page is one of this host or of Config.Origins.
func (d *Server) ownOrigin(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || origin.Host == "" {
		return false
	}
	if strings.EqualFold(origin.Host, r.Host) {
		// A page that came in the clear could be anybody's.
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
