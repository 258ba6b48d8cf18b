// Package link is the connections to the API server of one instance with one credential, below every client that
// is made for it: requests as Kairship, requests as people, watches, and what is proxied. It connects to permitted
// addresses only, follows no redirect and bounds what is read of an answer. It does not know who asks, or for what.
package link

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"syscall"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// Link is the connections to an API server with one credential. Every client of its Config shares them.
type Link struct {
	config    *rest.Config
	transport *transport
}

// Dialler connects to an API server. Where that may be is for it to check: only direct connections are kept within the
// permitted networks here.
type Dialler func(ctx context.Context, network, address string) (net.Conn, error)

// Open makes a link. It connects by dial, and directly when that is nil. No connection is made until a client asks.
func Open(c *kubeconfig.Credential, dial Dialler) (*Link, error) {
	security, err := rest.TLSConfigFor(&rest.Config{TLSClientConfig: rest.TLSClientConfig{CAData: c.CAData, CertData: c.CertData, KeyData: c.KeyData}})
	if err != nil {
		return nil, fmt.Errorf("reading the certificates: %w", err)
	}
	if dial == nil {
		dial = direct
	}
	l := &Link{transport: &transport{usual: newTransport(security, dial), raw: newTransport(security, dial), upgrading: newTransport(security, dial, "http/1.1")}}
	l.transport.raw.DisableCompression = true
	l.transport.upgrading.DisableCompression = true
	l.config = &rest.Config{Host: c.Host, BearerToken: c.BearerToken, Transport: l.transport}
	return l, nil
}

// idleTimeout is how long a TCP connection stays open that nothing uses. It bounds, too, how long one is left of a link
// that was closed: what is cancelled over HTTP/2 ends a moment after whoever cancelled it was told so.
const idleTimeout = 10 * time.Second

// newTransport is client-go's, but for what is not permitted here. It is never one that client-go keeps: that lives
// as long as the process, with the credential.
func newTransport(security *tls.Config, dial Dialler, protocols ...string) *http.Transport {
	security = security.Clone()
	security.NextProtos = protocols
	t := utilnet.SetTransportDefaults(&http.Transport{
		TLSClientConfig:        security,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxIdleConnsPerHost:    25,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeader,
		DialContext:            dial,
	})
	// Not that of the environment: what is dialled would be the proxy, and the address of the server nobody's to
	// look at. After the defaults, which have it.
	t.Proxy = nil
	return t
}

// direct connects to permitted addresses only: what a name resolves to is known only when it is dialled, and may be
// another address each time.
func direct(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("the address is not one of IP: %w", err)
		}
		if err := kubeconfig.CheckAddress(at.Addr()); err != nil {
			return fmt.Errorf("the address %w", err)
		}
		return nil
	}}
	return d.DialContext(ctx, network, address)
}

// Config is a configuration whose clients share the link. It is the caller's own.
func (l *Link) Config() *rest.Config { return rest.CopyConfig(l.config) }

// Close closes each connection when nothing is under way on it, at once or within seconds. What asks later is answered
// still, and its connection closed after it: whoever holds a replaced credential may end what they have begun.
func (l *Link) Close() {
	l.transport.closed.Store(true)
	l.transport.CloseIdleConnections()
}

// transport is what every client of a link ends in.
type transport struct {
	// raw is for answers that are passed on as they come, and upgrading for those that may leave HTTP, which HTTP/2
	// knows no way to.
	usual, raw, upgrading *http.Transport
	closed                atomic.Bool
}

func (t *transport) of(r *http.Request) *http.Transport {
	switch {
	case r.Header.Get("Upgrade") != "":
		return t.upgrading
	case passed(r):
		return t.raw
	}
	return t.usual
}

// RoundTrip makes an error of a redirect, and bounds what is read of any other answer.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	next := t.of(r)
	res, err := next.RoundTrip(r)
	if err != nil {
		t.ended(next)
		return nil, err
	}
	if res.StatusCode == http.StatusSwitchingProtocols {
		if !passed(r) {
			_ = res.Body.Close()
			return nil, fmt.Errorf("the server switches protocols unasked")
		}
		return res, nil // its connection is no more the transport's
	}
	res.Body = &body{ReadCloser: res.Body, ended: func() { t.ended(next) }}
	if passed(r) {
		return res, nil
	}
	if err := redirect(res); err != nil {
		return nil, err
	}
	switch {
	case watches(r):
		b := &boundedBody{ReadCloser: res.Body, left: most.watch}
		if !inFrames(r, res) {
			b.values = &values{}
		}
		res.Body = b
	case res.ContentLength > most.answer:
		_ = res.Body.Close()
		return nil, ErrTooLarge
	default:
		res.Body = &boundedBody{ReadCloser: res.Body, left: most.answer}
	}
	return res, nil
}

// ended closes what an exchange leaves of a closed link.
func (t *transport) ended(of *http.Transport) {
	if t.closed.Load() {
		of.CloseIdleConnections()
	}
}

// WrappedRoundTripper is for client-go, which looks for the transport below.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.usual }

// CloseIdleConnections is for http.Client.
func (t *transport) CloseIdleConnections() {
	t.usual.CloseIdleConnections()
	t.raw.CloseIdleConnections()
	t.upgrading.CloseIdleConnections()
}

// body is that of an answer, and tells of its end.
type body struct {
	io.ReadCloser
	ended func()
}

// Close is io.Closer's.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.ended()
	return err
}
