package session

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// signedOut is the answer to signing out.
type signedOut struct {
	// ProviderURL is where the browser can sign out of the provider as well; empty when it has no such endpoint.
	ProviderURL string `json:"providerUrl,omitempty"`
}

// signOut ends the session of a request. The cookie is dropped only when that succeeds, so that nobody is wrongly
// told that they are signed out.
func (s *Sessions) signOut(w http.ResponseWriter, r *http.Request) {
	if site := r.Header.Get("Sec-Fetch-Site"); r.Header.Get(HeaderCSRF) == "" || site != "" && site != "same-origin" {
		s.fail(w, r, &model.Error{Code: model.CodeForbidden, Message: "a request to sign out has to come from a page of this host, with the header " + HeaderCSRF + " (rule csrf)"})
		return
	}
	c, err := s.read(r)
	var refused *model.Error
	if errors.As(err, &refused) && refused.Code != model.CodeUnauthenticated {
		s.fail(w, r, err)
		return
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(r.Context(), endTimeout)
		defer cancel()
		if err := s.cfg.Revocations.End(ctx, c.ID, s.end(c)); err != nil {
			s.fail(w, r, &model.Error{Code: model.CodeUnavailable, Retryable: true, Err: err, Message: "the session could not be ended: you are still signed in"})
			return
		}
		s.cfg.Logger.Info("signed out", "principal", c.principal().Name)
	}
	s.forget(w, s.sessionCookie(), http.SameSiteStrictMode)
	writeJSON(w, http.StatusOK, signedOut{ProviderURL: s.providerSignOut(r)})
}

// providerSignOut returns the provider's sign-out URL, which redirects back here.
func (s *Sessions) providerSignOut(r *http.Request) string {
	if s.cfg.Provider == nil {
		return ""
	}
	endpoints, err := s.cfg.Provider.Endpoints(r.Context())
	u, bad := url.Parse(endpoints.EndSession)
	if err != nil || bad != nil || endpoints.EndSession == "" {
		return ""
	}
	q := u.Query()
	q.Set("client_id", s.cfg.ClientID)
	q.Set("post_logout_redirect_uri", s.cfg.PublicURL+"/")
	u.RawQuery = q.Encode()
	return u.String()
}

// standing is what GET PathSession answers.
type standing struct {
	SignedIn bool `json:"signedIn"`
	// Reason says why a former session is not valid any more; empty when there was none.
	Reason string `json:"reason,omitempty"`
	// Principal and Groups have their origin; absent when nobody is signed in.
	Principal string   `json:"principal,omitempty"`
	Groups    []string `json:"groups,omitempty"`
	// Expires is when the session ends without another request, Ends when it ends at the latest.
	Expires *time.Time `json:"expires,omitempty"`
	Ends    *time.Time `json:"ends,omitempty"`
	// Ways are the ways to sign in.
	Ways []way `json:"ways"`
}

// way is a way of signing in.
type way struct {
	// Kind is "oidc" or "bearer".
	Kind string `json:"kind"`
	Name string `json:"name"`
	// URL is where a browser goes; return_to may be added. Empty for a bearer token.
	URL string `json:"url,omitempty"`
}

// Without serves PathSession where browser sign-in is not set up: people send tokens.
func Without() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, standing{Ways: []way{bearer}})
	})
}

// bearer is the way that is always offered.
var bearer = way{Kind: "bearer", Name: "Bearer token"}

// status answers who is signed in, and the ways to sign in.
func (s *Sessions) status(w http.ResponseWriter, r *http.Request) {
	var out standing
	if s.cfg.Provider != nil {
		out.Ways = append(out.Ways, way{Kind: "oidc", Name: s.cfg.ProviderName, URL: PathSignIn})
	}
	out.Ways = append(out.Ways, bearer)
	c, err := s.read(r)
	var refused *model.Error
	switch {
	case err == nil:
		s.renew(r.Context(), w, c)
		p, expires, ends := c.principal(), s.expires(c).UTC(), s.end(c).UTC()
		out.SignedIn, out.Principal, out.Groups, out.Expires, out.Ends = true, p.Name, p.Groups, &expires, &ends
	case errors.As(err, &refused) && refused.Code == model.CodeUnauthenticated:
		if refused != ErrNoSession {
			out.Reason = refused.Message
		}
	default:
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, out)
}
