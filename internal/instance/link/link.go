// Package link holds the connections to the API server of one instance with one credential. Every client uses them:
// requests as Kairship, requests as people, watches and the proxy. It connects to permitted addresses only, follows
// no redirect and limits the size of answers. It does not know who asks, or for what.
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

// Dialler connects to an API server. It must check the address itself: only direct connections are kept within the
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

// idleTimeout is how long an unused TCP connection stays open. It also bounds how long one outlives a closed link:
// over HTTP/2, a cancelled request ends a moment after its caller returns.
const idleTimeout = 10 * time.Second

// newTransport returns client-go's transport without what is not permitted here. It does not use client-go's cache,
// where a transport lives as long as the process, with the credential.
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
	// No proxy from the environment: only the proxy would be dialled, and nobody would check the server's address.
	// Set after the defaults, which include one.
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

// Close closes each connection when nothing is in progress on it, at once or within seconds. Later requests are still
// answered, and their connections closed afterwards: holders of a replaced credential may finish what they have
// begun.
func (l *Link) Close() {
	l.transport.closed.Store(true)
	l.transport.CloseIdleConnections()
}

// transport is the base transport of every client of a link.
type transport struct {
	// raw is for answers that are passed on unchanged, and upgrading for requests that may leave HTTP, which HTTP/2
	// cannot.
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

// RoundTrip returns an error for a redirect, and limits the size of any other answer.
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
		return res, nil // the connection no longer belongs to the transport
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
	case res.ContentLength > mostOf(r):
		_ = res.Body.Close()
		return nil, ErrTooLarge
	default:
		res.Body = &boundedBody{ReadCloser: res.Body, left: mostOf(r)}
	}
	return res, nil
}

// ended closes the idle connections of a closed link after a request.
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

// body is that of an answer; it calls ended when it is closed.
type body struct {
	io.ReadCloser
	ended func()
}

// Close implements io.Closer.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.ended()
	return err
}
