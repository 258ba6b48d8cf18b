package console

import (
	"encoding/pem"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/kairship-io/kairship/internal/console/protocol"
	"github.com/kairship-io/kairship/internal/model"
)

func shared() (string, error) { return "shared", nil }

func TestWhereARunnerMayBe(t *testing.T) {
	for address, says := range map[string]string{
		"unix:///run/x": "", "https://runner:8444": "", "https://runner/": "",
		"http://runner": "neither", "unix://run/x": "neither", "unix:///": "neither", "https://": "neither", "https://ann@runner": "neither",
		"https://runner/x": "neither", "https://runner?x": "neither", "runner:8444": "neither", "": "neither", "%": "no address",
	} {
		if _, err := NewRunner(address, nil, shared); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"unix:///run/x", "https://runner"} {
		if _, err := NewRunner(address, []byte("none"), shared); err == nil {
			t.Errorf("%s with a certificate authority that is none", address)
		}
	}
}

// The token is sent to a runner whose certificate is good, and to no address that it names.
func TestARunnerIsReachedByTLS(t *testing.T) {
	var asked []string
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = append(asked, "elsewhere") }))
	defer elsewhere.Close()
	answer := func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err == nil {
			_ = conn.CloseNow()
		}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Authorization")+" "+r.URL.Path+" "+r.URL.Query().Get(protocol.PrincipalParameter))
		answer(w, r)
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	server.StartTLS()
	defer server.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	reserve := func(ca []byte) error {
		t.Helper()
		r, err := NewRunner(server.URL, ca, shared)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := r.reserve(t.Context(), "kairship:oidc:ada lovelace")
		if err == nil {
			_ = conn.CloseNow()
		}
		return err
	}
	if err := reserve(ca); err != nil || len(asked) != 1 || asked[0] != "Bearer shared /sessions kairship:oidc:ada lovelace" {
		t.Errorf("%v: asked %q", err, asked)
	}
	known := (*model.Error)(nil)
	if err := reserve(nil); !errors.As(err, &known) || known.Code != model.CodeUnavailable || len(asked) != 1 {
		t.Errorf("%v: asked %q", err, asked)
	}
	answer = func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}
	if err := reserve(ca); err == nil || len(asked) != 2 {
		t.Errorf("%v: asked %q", err, asked)
	}
}

func TestATokenThatCannotBeReadIsAnOutage(t *testing.T) {
	r, err := NewRunner("unix:///nowhere", nil, func() (string, error) { return "", errors.New("it is away") })
	if err != nil {
		t.Fatal(err)
	}
	known := (*model.Error)(nil)
	if _, err := r.reserve(t.Context(), "ada"); !errors.As(err, &known) || known.Code != model.CodeUnavailable || strings.Contains(known.Message, "away") {
		t.Errorf("got %v", err)
	}
}
