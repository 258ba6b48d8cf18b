// Package signin gets somebody's ID token the way a browser does: by the code flow with PKCE, through the provider's
// own sign-in page, with the person's password. There is no other way: the provider does not issue tokens for others.
//
// It must not know which people there are, nor what a token is good for.
package signin

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const (
	// timeout bounds signing in as a whole, requestTimeout each of its eight requests.
	timeout        = 30 * time.Second
	requestTimeout = 10 * time.Second
	// maxPage is more than any page of the provider has.
	maxPage = 256 << 10
	// maxForms is one more than signing in and consenting need.
	maxForms = 3
)

// Scopes are what makes an ID token say name, email and groups.
var Scopes = []string{oidc.ScopeOpenID, "profile", "email", "groups"}

// Client is a client of an OpenID Connect provider, as it is registered there.
type Client struct {
	// Issuer is the provider's address.
	Issuer string
	// CAFile verifies the provider's certificate; PEM.
	CAFile string
	// ID is the audience of the tokens. Secret is empty for a public client.
	ID, Secret string
	// RedirectURL is one that is registered. Nothing has to listen there: signing in ends when the
	// provider sends people to it.
	RedirectURL string
}

// IDToken signs somebody in and returns their ID token, which has been verified. The error says what the
// provider said, when it was the provider that refused.
func (c Client) IDToken(ctx context.Context, user, password string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %s", timeout))
	defer cancel()
	token, err := c.idToken(ctx, user, password)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	if err != nil {
		return "", fmt.Errorf("signing in as %s at %s: %w", user, c.Issuer, err)
	}
	return token, nil
}

func (c Client) idToken(ctx context.Context, user, password string) (string, error) {
	browser, err := c.browser()
	if err != nil {
		return "", err
	}
	ctx = oidc.ClientContext(ctx, browser)
	provider, err := oidc.NewProvider(ctx, c.Issuer)
	if err != nil {
		return "", fmt.Errorf("asking the provider what it offers: %w", err)
	}
	config := oauth2.Config{ClientID: c.ID, ClientSecret: c.Secret, Endpoint: provider.Endpoint(), RedirectURL: c.RedirectURL, Scopes: Scopes}
	state, nonce, verifier := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
	start := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))

	answer, err := c.visit(ctx, browser, start, user, password)
	if err != nil {
		return "", err
	}
	switch {
	case answer.Get("state") != state:
		return "", errors.New("the provider's answer belongs to another sign-in")
	case answer.Get("iss") != c.Issuer:
		return "", fmt.Errorf("the answer is from %q", answer.Get("iss"))
	case answer.Get("error") != "":
		return "", refusal(answer.Get("error"), answer.Get("error_description"))
	}
	tokens, err := config.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(verifier))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.ErrorCode != "" {
		return "", refusal(refused.ErrorCode, refused.ErrorDescription)
	}
	if err != nil {
		return "", fmt.Errorf("exchanging the code: %w", err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	id, err := provider.Verifier(&oidc.Config{ClientID: c.ID}).Verify(ctx, raw)
	if err != nil {
		return "", fmt.Errorf("verifying the ID token: %w", err)
	}
	if id.Nonce != nonce {
		return "", errors.New("the ID token belongs to another sign-in")
	}
	return raw, nil
}

// visit goes through the provider's pages and returns what it sends back to the client.
func (c Client) visit(ctx context.Context, browser *http.Client, start, user, password string) (url.Values, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, start, nil)
	if err != nil {
		return nil, fmt.Errorf("opening the sign-in page: %w", err)
	}
	for range maxForms {
		page, err := open(browser, req)
		if err != nil {
			return nil, err
		}
		if page.location != nil {
			return page.location.Query(), nil
		}
		if page.alert != "" {
			return nil, refusal(page.alert, "")
		}
		if page.status != http.StatusOK || page.form == nil {
			return nil, fmt.Errorf("%s is no sign-in page: status %d", page.url.Path, page.status)
		}
		values := page.form.hidden
		if page.form.password { // else it asks for consent
			if !slices.Contains(page.form.users, user) {
				return nil, fmt.Errorf("there is no such user; there are: %s", strings.Join(page.form.users, ", "))
			}
			values.Set("user", user)
			values.Set("password", password)
		}
		if req, err = http.NewRequestWithContext(ctx, http.MethodPost, page.form.action.String(), strings.NewReader(values.Encode())); err != nil {
			return nil, fmt.Errorf("sending the sign-in page: %w", err)
		}
		if !within(req.URL, c.Issuer) {
			return nil, fmt.Errorf("the sign-in page would send the password to %s", req.URL.Host)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return nil, errors.New("the provider asks again and again")
}

// visited is where a request led to.
type visited struct {
	url    *url.URL
	status int
	// location is where people are sent back to; the rest is empty then.
	location *url.URL
	form     *form
	// alert is what the page says went wrong.
	alert string
}

func open(browser *http.Client, req *http.Request) (visited, error) {
	resp, err := browser.Do(req)
	if err != nil {
		return visited{}, fmt.Errorf("opening the sign-in page: %w", err)
	}
	defer resp.Body.Close()
	v := visited{url: resp.Request.URL, status: resp.StatusCode}
	if resp.StatusCode/100 == 3 {
		v.location, err = resp.Location()
		if err != nil {
			return v, fmt.Errorf("%s leads nowhere: %w", v.url.Path, err)
		}
		return v, nil
	}
	if err := v.read(io.LimitReader(resp.Body, maxPage)); err != nil {
		return v, fmt.Errorf("reading the sign-in page: %w", err)
	}
	return v, nil
}

// browser keeps cookies, and follows redirects within the provider until one leads back to the client.
func (c Client) browser() (*http.Client, error) {
	pem, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("reading the provider's certificate authority: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("reading the provider's certificate authority: %s holds no certificate", c.CAFile)
	}
	jar, err := cookiejar.New(nil)
	if err != nil { // only for a list of suffixes that is not given
		return nil, err
	}
	back, err := url.Parse(c.RedirectURL)
	if err != nil {
		return nil, fmt.Errorf("reading the redirect URL: %w", err)
	}
	return &http.Client{
		Timeout: requestTimeout, Jar: jar,
		Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			DisableKeepAlives: true, // one sign-in: open connections would only be left over
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			to := req.URL
			switch {
			case to.Scheme == back.Scheme && to.Host == back.Host && to.Path == back.Path:
				return http.ErrUseLastResponse
			case !within(to, c.Issuer):
				return fmt.Errorf("the provider leads away, to %s", to.Host)
			case len(via) >= 10:
				return errors.New("the provider leads in circles")
			}
			return nil
		},
	}, nil
}

// within reports whether an address belongs to the issuer.
func within(u *url.URL, issuer string) bool {
	i, err := url.Parse(issuer)
	return err == nil && u.Scheme == i.Scheme && u.Host == i.Host
}

// refusal is what the provider says went wrong.
func refusal(what, why string) error {
	if why != "" {
		what += ": " + why
	}
	return fmt.Errorf("the provider refuses: %s", what)
}
