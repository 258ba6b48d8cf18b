package session

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth/session/oidctest"
)

func TestSigningOut(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	copied := *b.cookies[f.host()]["kairship-session"]
	own := map[string]string{HeaderCSRF: "1", "Sec-Fetch-Site": "same-origin"}
	for name, header := range map[string]map[string]string{
		"without the header":        nil,
		"with an empty header":      {HeaderCSRF: ""},
		"by a page of another host": {HeaderCSRF: "1", "Sec-Fetch-Site": "cross-site"},
	} {
		if p := f.post(b, PathSignOut, header); p.StatusCode != http.StatusForbidden || !strings.Contains(p.body, "csrf") {
			t.Errorf("%s: %s %s", name, p.Status, p.body)
		}
		f.wantIn(b)
	}
	if p := b.open(f.server.URL+PathSignOut, ""); p.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("by a link: %s", p.Status)
	}
	f.revocations.set(errors.New("down"))
	if p := f.post(b, PathSignOut, own); p.StatusCode != http.StatusServiceUnavailable || !strings.Contains(p.body, "still signed in") {
		t.Errorf("while nobody can be told: %s %s", p.Status, p.body)
	}
	f.wantIn(b)
	f.revocations.set(nil)

	p := f.post(b, PathSignOut, own)
	var out signedOut
	if err := json.Unmarshal([]byte(p.body), &out); err != nil || p.StatusCode != http.StatusOK {
		t.Fatalf("%s %s", p.Status, p.body)
	}
	want := f.provider.URL + "/end?client_id=" + oidctest.ClientID + "&post_logout_redirect_uri=" + url.QueryEscape(f.server.URL+"/")
	if out.ProviderURL != want {
		t.Errorf("sign out of the provider at %s, want %s", out.ProviderURL, want)
	}
	f.wantOut(b, "nobody is signed in")
	// A copy of the cookie is good for nothing, for as long as it could be.
	thief := newBrowser(t, f.server.Client())
	thief.cookies[f.host()] = map[string]*http.Cookie{copied.Name: &copied}
	f.wantOut(thief, "has been ended")
	for _, until := range f.revocations.ended {
		if left := until.Sub(f.clock()); left < 12*time.Hour-time.Second {
			t.Errorf("remembered for %s only", left)
		}
	}
	if p := f.post(b, PathSignOut, own); p.StatusCode != http.StatusOK {
		t.Errorf("again: %s %s", p.Status, p.body)
	}
}

func TestAProviderWithoutAPlaceToSignOut(t *testing.T) {
	f := setUp(t, false)
	f.provider.Set(func(s *oidctest.Settings) { s.NoEndSession = true })
	if p := f.post(f.arrive(), PathSignOut, map[string]string{HeaderCSRF: "1"}); p.StatusCode != http.StatusOK || strings.TrimSpace(p.body) != "{}" {
		t.Errorf("%s %s", p.Status, p.body)
	}
}
