package session

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/token/keyring/keyringtest"
	"github.com/kairship-io/kairship/internal/model"
)

// unsealed is what a cookie holds for whoever has no key.
func unsealed(t *testing.T, value string) string {
	t.Helper()
	_, sealed, _ := strings.Cut(value, ".")
	outer, err := base64.URLEncoding.DecodeString(sealed)
	parts := strings.SplitN(string(outer), "|", 3)
	if err != nil || len(parts) != 3 {
		t.Fatalf("%v: %q", err, outer)
	}
	inner, err := base64.URLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	return string(inner)
}

func TestACookieIsRenewedNowAndThen(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	f.add(f.cfg.Idle)
	renewed := 0
	f.add(-f.cfg.Idle)
	for range 60 {
		if p := f.who(b); p.Header.Get("Set-Cookie") != "" {
			renewed++
		}
		f.add(time.Minute)
	}
	if renewed < 5 || renewed > renewals {
		t.Errorf("renewed %d times within an hour", renewed)
	}
}

func TestForgedCookiesAreRefused(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	good := b.cookies[f.host()]["kairship-session"].Value
	id, sealed, _ := strings.Cut(good, ".")
	other := setUp(t, false).arrive()
	half, _ := f.halfway()
	var foreign string
	for _, c := range other.cookies {
		foreign = c["kairship-session"].Value
	}
	for name, value := range map[string]string{
		"nothing":                "",
		"no key":                 sealed,
		"an unknown key":         "forged." + sealed,
		"a key and nothing":      id + ".",
		"a changed letter":       id + "." + sealed[:40] + "A" + sealed[41:],
		"cut off":                good[:len(good)-8],
		"too long":               good + strings.Repeat("A", maxCookie),
		"that of another server": foreign,
		"another one's body":     id + "." + foreign[strings.Index(foreign, ".")+1:],
		"that of a sign-in":      half.cookies[f.host()]["kairship-sign-in"].Value,
	} {
		if value == good {
			t.Fatal(name)
		}
		b.cookies[f.host()]["kairship-session"].Value = value
		t.Run(name, func(*testing.T) { f.wantOut(b, "the session is not valid") })
	}
	b.cookies[f.host()]["kairship-session"].Value = good
	f.wantIn(b)
}

func TestKeysOfCookiesAreReplaced(t *testing.T) {
	f := setUp(t, false)
	f.cfg.Idle, f.cfg.Absolute = 30*time.Hour, 40*time.Hour
	f.Sessions = f.replica()
	b := f.arrive()
	key := func() string {
		id, _, _ := strings.Cut(b.cookies[f.host()]["kairship-session"].Value, ".")
		return id
	}
	first := key()
	f.add(rotateEvery + time.Hour)
	f.wantIn(b)
	if key() == first {
		t.Error("the cookie was renewed with the old key")
	}
	// A replica that has just started knows both.
	f.Sessions = f.replica()
	f.wantIn(b)
	// Whoever deletes the keys ends all sessions.
	f.store.Put(nil)
	f.add(2 * time.Minute)
	f.wantOut(b, "not valid")
}

func TestKeysThatCannotBeReadAreAnOutage(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	f.store.Fail(errors.New("down"))
	f.add(30 * time.Minute)
	f.wantIn(b)
	f.Sessions = f.replica()
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.AddCookie(b.cookies[f.host()]["kairship-session"])
	_, _, err := f.FromRequest(r)
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeUnavailable {
		t.Errorf("error = %v", err)
	}
	if p := b.open(f.server.URL+PathSession, ""); p.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("who is signed in: %s %s", p.Status, p.body)
	}
}

func FuzzFromRequest(f *testing.F) {
	s, err := New(Config{PublicURL: "http://localhost", Keys: &keyringtest.Store{}, Revocations: &revocations{ended: map[string]time.Time{}}})
	if err != nil {
		f.Fatal(err)
	}
	good, err := s.seal(f.Context(), s.sessionCookie(), s.begin(auth.OIDCIdentity{User: "ann"}))
	if err != nil {
		f.Fatal(err)
	}
	id, sealed, _ := strings.Cut(good, ".")
	for _, seed := range []string{good, "", ".", id, id + ".", id + "." + sealed[:20], sealed} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		r := &http.Request{Header: http.Header{"Cookie": {s.sessionCookie() + "=" + value}}}
		p, _, err := s.FromRequest(r.WithContext(t.Context()))
		var e *model.Error
		switch {
		case err == nil && p.Name != "kairship:oidc:ann":
			t.Fatalf("%q is %v", value, p)
		case err != nil && (!errors.As(err, &e) || e.Code != model.CodeUnauthenticated):
			t.Fatalf("%q: %v", value, err)
		}
	})
}
