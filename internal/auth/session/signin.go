package session

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// attempt is what the cookie of a sign-in holds while the person is at the provider.
type attempt struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"`
	ReturnTo string `json:"r"`
	// Begun is in seconds since 1970.
	Begun int64 `json:"b"`
}

// maxReturnTo is the longest return_to that is used; longer ones become "/".
const maxReturnTo = 1024

// localPath reports whether an address stays on this host, however a browser reads it: browsers take \ for / and drop
// tabs and line breaks. What it accepts needs no escaping in a header.
func localPath(address string) bool {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
		return false
	}
	for _, b := range []byte(address) {
		if b <= ' ' || b >= 0x7f || b == '\\' {
			return false
		}
	}
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && u.User == nil && u.Opaque == ""
}

// signIn sends the browser to the provider.
func (s *Sessions) signIn(w http.ResponseWriter, r *http.Request) {
	if s.cfg.Provider == nil {
		s.fail(w, r, &model.Error{Code: model.CodeNotFound, Message: "no identity provider is set up: send a bearer token"})
		return
	}
	back := r.URL.Query().Get("return_to")
	switch {
	case back == "", len(back) > maxReturnTo:
		back = "/"
	case !localPath(back):
		s.fail(w, r, model.BadInput("return_to", "only a path of this host is possible, like /instances"))
		return
	case strings.HasPrefix(back, "/auth/"):
		back = "/" // a sign-in path is no page to return to
	}
	ctx, cancel := context.WithTimeout(r.Context(), providerTimeout)
	defer cancel()
	endpoints, err := s.cfg.Provider.Endpoints(ctx)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	a := attempt{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), ReturnTo: back, Begun: s.now().Unix()}
	value, err := s.seal(ctx, s.signInCookie(), a)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	// The provider redirects back here: a SameSite=Strict cookie would not be sent.
	s.set(w, s.signInCookie(), value, signInFor, http.SameSiteLaxMode)
	private(w)
	http.Redirect(w, r, s.client(endpoints).AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), http.StatusFound)
}

func (s *Sessions) client(endpoints auth.OIDCEndpoints) *oauth2.Config {
	style := oauth2.AuthStyleInHeader
	if s.cfg.ClientSecret == "" || endpoints.SecretInBody {
		style = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: s.cfg.ClientID, ClientSecret: s.cfg.ClientSecret, Scopes: s.cfg.Scopes,
		RedirectURL: s.cfg.PublicURL + PathCallback,
		Endpoint:    oauth2.Endpoint{AuthURL: endpoints.Authorization, TokenURL: endpoints.Token, AuthStyle: style},
	}
}

// callback is where the provider sends the browser back to.
func (s *Sessions) callback(w http.ResponseWriter, r *http.Request) {
	if s.cfg.Provider == nil {
		s.fail(w, r, &model.Error{Code: model.CodeNotFound, Message: "no identity provider is set up: send a bearer token"})
		return
	}
	told := SignIn{Began: s.now()}
	// Reports every outcome, also of callbacks to sign-ins that never began here.
	defer func() { s.account.note(r.Context(), told) }()
	a, err := s.attempt(r)
	if err != nil {
		told.Err = err
		s.fail(w, r, err)
		return
	}
	// Whatever comes of it, this attempt is over.
	s.forget(w, s.signInCookie(), http.SameSiteLaxMode)
	id, err := s.identify(r, a)
	if err != nil {
		told.Err = err
		s.fail(w, r, err)
		return
	}
	// The id is always new, so that a session planted beforehand is worthless afterwards.
	c := s.begin(id)
	told.Principal = c.principal()
	if err := s.write(r.Context(), w, c); err != nil {
		told.Err = err
		s.fail(w, r, err)
		return
	}
	s.cfg.Logger.Info("signed in", "principal", c.principal().Name)
	s.land(w, a.ReturnTo)
}

// attempt returns the sign-in that a callback belongs to.
func (s *Sessions) attempt(r *http.Request) (*attempt, error) {
	refuse := func(why string) (*attempt, error) {
		return nil, &model.Error{Code: model.CodeBadUserInput, Field: []string{"state"}, Message: why}
	}
	cookie, err := r.Cookie(s.signInCookie())
	if err != nil {
		return refuse("this sign-in is over, or was begun in another browser; Kairship is at " + s.cfg.PublicURL)
	}
	var a attempt
	switch ok, err := s.open(r.Context(), cookie, &a); {
	case err != nil:
		return nil, err
	case !ok || a.State == "" || a.Nonce == "" || a.Verifier == "":
		return refuse("this sign-in is not valid; sign in again")
	case !s.now().Before(time.Unix(a.Begun, 0).Add(signInFor)):
		return refuse(fmt.Sprintf("signing in took longer than %d minutes; sign in again", int(signInFor.Minutes())))
	case subtle.ConstantTimeCompare([]byte(a.State), []byte(r.URL.Query().Get("state"))) != 1:
		return refuse("this answer belongs to another sign-in; sign in again")
	}
	return &a, nil
}

// refusals explains a provider's errors to the person. The error's description is not shown: anybody may have written
// it.
var refusals = map[string]*model.Error{
	"access_denied":              {Code: model.CodeForbidden, Message: "the identity provider did not let you in, or you did not agree"},
	"login_required":             {Code: model.CodeUnauthenticated, Message: "the identity provider wants you to sign in there first"},
	"interaction_required":       {Code: model.CodeUnauthenticated, Message: "the identity provider wants something of you first; sign in again"},
	"consent_required":           {Code: model.CodeUnauthenticated, Message: "the identity provider wants you to agree first; sign in again"},
	"account_selection_required": {Code: model.CodeUnauthenticated, Message: "the identity provider wants you to choose an account first; sign in again"},
	"temporarily_unavailable":    {Code: model.CodeUnavailable, Message: "the identity provider cannot sign you in at the moment", Retryable: true},
	"server_error":               {Code: model.CodeUnavailable, Message: "the identity provider failed to sign you in", Retryable: true},
	"invalid_scope":              {Code: model.CodeInternal, Message: "the identity provider does not know a scope that Kairship asks for; an administrator has to set it right"},
	"unauthorized_client":        {Code: model.CodeInternal, Message: "the identity provider does not let Kairship sign people in; an administrator has to set it right"},
	"invalid_request":            {Code: model.CodeInternal, Message: "the identity provider does not understand Kairship's request; an administrator has to set it right"},
	"unsupported_response_type":  {Code: model.CodeInternal, Message: "the identity provider does not offer the code flow; an administrator has to set it right"},
}

// identify exchanges the code of a callback for the identity that the provider vouches for.
func (s *Sessions) identify(r *http.Request, a *attempt) (auth.OIDCIdentity, error) {
	var none auth.OIDCIdentity
	q := r.URL.Query()
	if issuer := q.Get("iss"); issuer != "" && issuer != s.cfg.Provider.Issuer() {
		return none, &model.Error{Code: model.CodeBadUserInput, Field: []string{"iss"}, Message: "this answer is another identity provider's; sign in again"}
	}
	if name := q.Get("error"); name != "" {
		e := model.Error{Code: model.CodeUnauthenticated, Message: "the identity provider did not sign you in"}
		if known := refusals[name]; known != nil {
			e = *known
		}
		e.Err = fmt.Errorf("the provider says %.50q: %.200q", name, q.Get("error_description"))
		return none, &e
	}
	code := q.Get("code")
	if code == "" {
		return none, &model.Error{Code: model.CodeBadUserInput, Field: []string{"code"}, Message: "the identity provider's answer holds no code; sign in again"}
	}
	ctx, cancel := context.WithTimeout(r.Context(), providerTimeout)
	defer cancel()
	endpoints, err := s.cfg.Provider.Endpoints(ctx)
	if err != nil {
		return none, err
	}
	answer, err := s.client(endpoints).Exchange(oidc.ClientContext(ctx, s.cfg.Provider.Client()), code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return none, exchangeError(err)
	}
	raw, ok := answer.Extra("id_token").(string)
	if !ok {
		return none, &model.Error{Code: model.CodeInternal, Message: "the identity provider did not say who you are (no ID token); an administrator has to set it right"}
	}
	return s.cfg.Provider.SignIn(ctx, raw, s.cfg.ClientID, a.Nonce)
}

// exchangeError says why a code was not exchanged for a token. The library's own error may hold the whole answer.
func exchangeError(err error) *model.Error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return &model.Error{Code: model.CodeUnavailable, Retryable: true, Err: err, Message: "the identity provider does not answer; sign in again later"}
	}
	cause := fmt.Errorf("the token endpoint answers %s, error %.50q", refused.Response.Status, refused.ErrorCode)
	switch {
	case refused.ErrorCode == "invalid_grant":
		return &model.Error{Code: model.CodeUnauthenticated, Err: cause, Message: "the identity provider does not take this sign-in: it was used before, or is another's; sign in again"}
	case refused.Response.StatusCode >= http.StatusInternalServerError:
		return &model.Error{Code: model.CodeUnavailable, Retryable: true, Err: cause, Message: "the identity provider failed; sign in again later"}
	default:
		return &model.Error{Code: model.CodeInternal, Err: cause, Message: "the identity provider does not take Kairship's request; an administrator has to set it right"}
	}
}
