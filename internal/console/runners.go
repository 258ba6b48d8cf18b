package console

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/coder/websocket"

	"github.com/kairship-io/kairship/internal/console/protocol"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// openTimeout is how long a runner may take to reserve a session, and to start its shell.
	openTimeout = 10 * time.Second
	// maxRefusal is how much is read of a runner's refusal.
	maxRefusal = 4 << 10
)

// Runner is where a runner is, and how it is asked.
type Runner struct {
	address string
	client  *http.Client
	token   func() (string, error)
}

// NewRunner makes a Runner for an address: unix:///PATH, or https://HOST[:PORT] with a certificate of the authorities
// in ca (PEM; empty for those of the system). token is asked for the shared token each time.
func NewRunner(address string, ca []byte, token func() (string, error)) (*Runner, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: %w", address, err)
	}
	transport := &http.Transport{Proxy: nil, DisableKeepAlives: true}
	r := &Runner{client: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, token: token}
	switch {
	case u.Scheme == "unix" && u.Host == "" && len(u.Path) > 1:
		if len(ca) > 0 {
			return nil, errors.New("a socket of this machine has no certificate; leave the certificate authority out")
		}
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", u.Path)
		}
		r.address = "http://runner"
	case u.Scheme == "https" && u.Host != "" && (u.Path == "" || u.Path == "/") && u.User == nil && u.RawQuery == "" && u.Fragment == "":
		transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
		if len(ca) > 0 {
			transport.TLSClientConfig.RootCAs = x509.NewCertPool()
			if !transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(ca) {
				return nil, errors.New("the certificate authority holds no certificate in PEM")
			}
		}
		r.address = "https://" + u.Host
	default:
		return nil, fmt.Errorf("%q is neither unix:///PATH nor https://HOST:PORT", address)
	}
	return r, nil
}

// reserve asks for a session of a principal, which gets no shell before start. LIMIT_EXCEEDED when there are too many,
// UNAVAILABLE when the runner does not answer.
func (r *Runner) reserve(ctx context.Context, principal string) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	token, err := r.token()
	if err != nil {
		return nil, unavailable("the console runner cannot be asked: its token cannot be read", err)
	}
	conn, res, err := websocket.Dial(ctx, r.address+protocol.SessionsPath+"?"+url.Values{protocol.PrincipalParameter: {principal}}.Encode(), &websocket.DialOptions{
		HTTPClient: r.client, HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}, CompressionMode: websocket.CompressionDisabled,
	})
	if err == nil {
		conn.SetReadLimit(protocol.MaxMessage)
		return conn, nil
	}
	if res == nil {
		return nil, unavailable("the console runner cannot be reached", err)
	}
	defer res.Body.Close()
	var refusal protocol.Refusal
	raw, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal)) // what is cut is no JSON
	if json.Unmarshal(raw, &refusal) == nil && model.Code(refusal.Code) == model.CodeLimitExceeded {
		return nil, &model.Error{Code: model.CodeLimitExceeded, Message: refusal.Message}
	}
	return nil, unavailable("the console runner refuses", fmt.Errorf("%d %s: %w", res.StatusCode, refusal.Message, err))
}

// start has the shell of a reserved session started.
func start(ctx context.Context, conn *websocket.Conn, what protocol.Start) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	raw, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("writing what to start: %w", err)
	}
	if err := conn.Write(ctx, websocket.MessageText, raw); err != nil {
		return unavailable("the console runner has gone", err)
	}
	kind, raw, err := conn.Read(ctx)
	if err != nil {
		return unavailable("the console runner has gone", err)
	}
	var started protocol.Started
	if kind != websocket.MessageText || json.Unmarshal(raw, &started) != nil {
		return unavailable("the console runner speaks otherwise than this server: both have to be of the same version", nil)
	}
	if started.Failure != "" {
		return unavailable("the console runner could not start a shell", errors.New(started.Failure))
	}
	return nil
}

func unavailable(message string, err error) error {
	return &model.Error{Code: model.CodeUnavailable, Retryable: true, Message: message, Err: err}
}
