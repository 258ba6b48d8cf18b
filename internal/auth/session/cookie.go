package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/securecookie"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// maxCookie is how long the value of a cookie may be: browsers keep 4,096 bytes with name and attributes.
	maxCookie = 3840
	// The lengths of the two keys of a cookie, for HMAC-SHA256 and AES-256.
	signingKey, encryptionKey = 64, 32
)

// generate makes the two keys, concatenated.
func generate() ([]byte, error) {
	key := make([]byte, signingKey+encryptionKey)
	_, err := rand.Read(key)
	return key, err
}

func parse(key []byte) (*securecookie.SecureCookie, error) {
	if len(key) != signingKey+encryptionKey {
		return nil, errors.New("a cookie's key has another length")
	}
	// This package checks age and length itself: by its own clock, and for the whole cookie.
	return securecookie.New(key[:signingKey], key[signingKey:]).MaxAge(0).MaxLength(0).SetSerializer(securecookie.JSONEncoder{}), nil
}

// Browsers accept a cookie with this prefix only from the host itself, over https and for all paths: no other host of
// the domain can plant one.
func (s *Sessions) cookieName(name string) string {
	if s.secure {
		return "__Host-" + name
	}
	return name
}

func (s *Sessions) sessionCookie() string { return s.cookieName("kairship-session") }
func (s *Sessions) signInCookie() string  { return s.cookieName("kairship-sign-in") }

// seal makes the value of a cookie: the key's id, and v encrypted with the key under the cookie's name.
func (s *Sessions) seal(ctx context.Context, name string, v any) (string, error) {
	key, err := s.keys.Current(ctx)
	if err != nil {
		return "", err
	}
	value, err := key.Value.Encode(name, v)
	if err != nil {
		return "", &model.Error{Code: model.CodeInternal, Message: "the cookie could not be made", Err: err}
	}
	return key.ID + "." + value, nil
}

// open reads a cookie that seal made; false for any other. The error is from reading the keys.
func (s *Sessions) open(ctx context.Context, cookie *http.Cookie, into any) (bool, error) {
	id, value, ok := strings.Cut(cookie.Value, ".")
	if !ok || len(cookie.Value) > maxCookie {
		return false, nil
	}
	key, ok, err := s.keys.ByID(ctx, id)
	if err != nil || !ok {
		return false, err
	}
	return key.Value.Decode(cookie.Name, value, into) == nil, nil
}

// write sets the session's cookie.
func (s *Sessions) write(ctx context.Context, w http.ResponseWriter, c *content) error {
	value, err := s.seal(ctx, s.sessionCookie(), c)
	if err != nil {
		return err
	}
	if len(value) > maxCookie {
		return &model.Error{Code: model.CodeLimitExceeded, Message: fmt.Sprintf("you are in %d groups, whose names do not fit into the cookie of a session (%d bytes): "+
			"the identity provider has to send Kairship only those that matter to it; a bearer token holds more", len(c.Groups), maxCookie)}
	}
	s.set(w, s.sessionCookie(), value, s.expires(c).Sub(s.now()), http.SameSiteStrictMode)
	return nil
}

func (s *Sessions) set(w http.ResponseWriter, name, value string, lasts time.Duration, site http.SameSite) {
	seconds := max(1, int((lasts+time.Second-1)/time.Second))
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, Secure: s.secure, HttpOnly: true, SameSite: site})
}

// forget makes the browser drop a cookie.
func (s *Sessions) forget(w http.ResponseWriter, name string, site http.SameSite) {
	http.SetCookie(w, &http.Cookie{Name: name, Path: "/", MaxAge: -1, Secure: s.secure, HttpOnly: true, SameSite: site})
}
