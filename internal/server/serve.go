package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// ServeConfig says where to listen. An empty address is not used.
type ServeConfig struct {
	HTTPAddress  string
	HTTPSAddress string
	// CertFile and KeyFile hold the certificate for HTTPSAddress, in PEM.
	CertFile, KeyFile string
	// DrainTimeout is how long requests may take to end once the server is stopped. 20 s.
	DrainTimeout time.Duration
	Logger       *slog.Logger
}

const (
	// readHeaderTimeout is how long a client may take to send the head of a request.
	readHeaderTimeout = 10 * time.Second
	// idleTimeout is how long a connection is kept for the next request.
	idleTimeout = 2 * time.Minute
	// maxHeader is how long the head of a request may be.
	maxHeader = 64 << 10
)

// Serve listens and answers until ctx ends, then lets requests end and closes streams so that their clients reconnect
// elsewhere. It fails at once when it cannot listen on an address.
func (d *Server) Serve(ctx context.Context, cfg ServeConfig) error {
	if cfg.Logger == nil {
		cfg.Logger = d.cfg.Logger
	}
	if cfg.DrainTimeout == 0 {
		cfg.DrainTimeout = 20 * time.Second
	}
	var secure *tls.Config
	if cfg.HTTPSAddress != "" {
		if _, err := tls.LoadX509KeyPair(cfg.CertFile, cfg.KeyFile); err != nil {
			return fmt.Errorf("reading the certificate for %s: %w", cfg.HTTPSAddress, err)
		}
		secure = &tls.Config{
			MinVersion: tls.VersionTLS12,
			NextProtos: []string{"h2", "http/1.1"},
			// Read at each handshake, so that a renewed certificate is used without a restart.
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
				pair, err := tls.LoadX509KeyPair(cfg.CertFile, cfg.KeyFile)
				if err != nil {
					return nil, fmt.Errorf("reading the certificate: %w", err)
				}
				return &pair, nil
			},
		}
	}

	// Listen on all addresses before serving any of them.
	type endpoint struct {
		scheme   string
		listener net.Listener
	}
	var endpoints []endpoint
	closeAll := func() {
		for _, e := range endpoints {
			_ = e.listener.Close()
		}
	}
	for _, at := range []struct {
		scheme, address string
		config          *tls.Config
	}{{"http", cfg.HTTPAddress, nil}, {"https", cfg.HTTPSAddress, secure}} {
		if at.address == "" {
			continue
		}
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at.address)
		if err != nil {
			closeAll()
			return fmt.Errorf("listening for %s on %s: %w", at.scheme, at.address, err)
		}
		l = d.connections.listen(l)
		if at.config != nil {
			l = tls.NewListener(l, at.config)
		}
		endpoints = append(endpoints, endpoint{at.scheme, l})
	}
	if len(endpoints) == 0 {
		return errors.New("neither an address for http nor one for https is given")
	}

	group, failed := errgroup.WithContext(ctx)
	var servers []*http.Server
	for _, e := range endpoints {
		s := newServer(d, cfg.Logger.With("server", e.scheme))
		servers = append(servers, s)
		cfg.Logger.Info("listening", "scheme", e.scheme, "address", e.listener.Addr().String())
		group.Go(func() error {
			if err := s.Serve(e.listener); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("serving %s: %w", e.scheme, err)
			}
			return nil
		})
	}
	<-failed.Done()

	cfg.Logger.Info("shutting down", "atMost", cfg.DrainTimeout)
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), cfg.DrainTimeout)
	defer cancel()
	d.Drain(draining)
	for _, s := range servers {
		if err := s.Shutdown(draining); err != nil {
			cfg.Logger.Warn("requests were cut off", "error", err)
			_ = s.Close()
		}
	}
	return group.Wait()
}

// newServer makes a server that closes connections that are slow to send a request.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxConcurrentStreams, SendPingTimeout: silentFor, PingTimeout: pingTimeout,
			WriteByteTimeout: answerTimeout},
		ErrorLog: slog.NewLogLogger(redact.Logs(log.Handler()), slog.LevelDebug),
	}
}
