package supervisor

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/kairship-io/kairship/playground/internal/process"
)

const probeTimeout = 3 * time.Second

// schedule plans the next probe, as often as the state requires.
func (c *child) schedule() {
	if c.status.Spec.Ready == nil || c.proc == nil {
		return
	}
	every := cmp.Or(time.Duration(c.status.Spec.Ready.Every), probeWhileRunning)
	switch c.status.State {
	case Starting:
		every = probeWhileStarting
	case Unhealthy:
		every = min(every, probeWhileIll)
	case Running:
		if c.failures > 0 {
			every = min(every, probeWhileIll)
		}
	default:
		return
	}
	c.probeAt = c.clock.After(every)
}

// ask probes in the background: a program that hangs must not hang the loop.
func (c *child) ask(ctx context.Context) {
	if c.probing {
		c.schedule()
		return
	}
	c.probing = true
	s := c.status.Spec
	go func() { // ends within the timeout; probed has room for the answer
		ctx, cancel := context.WithTimeout(ctx, cmp.Or(time.Duration(s.Ready.Timeout), probeTimeout))
		defer cancel()
		c.probed <- c.probe(ctx, s)
	}()
}

func (c *child) answered(err error) {
	c.probing = false
	was := c.status.State
	if c.proc == nil || was == Paused || was == Stopping {
		return
	}
	if err == nil {
		c.failures = 0
		if was != Running {
			c.log.Info("ready", "after", c.clock.Since(c.began))
			c.set(func(st *Status) { st.State, st.Since, st.Message = Running, c.clock.Now(), "" })
		}
	} else {
		c.failures++
		if was == Running && c.failures >= cmp.Or(c.status.Spec.Ready.Failures, failuresUntilIll) {
			c.log.Warn("does not answer any more", "error", err)
			c.set(func(st *Status) { st.State, st.Since = Unhealthy, c.clock.Now() })
		}
		if c.status.State != Running {
			c.set(func(st *Status) { st.Message = err.Error() })
		}
	}
	c.schedule()
}

// Prober probes endpoints; it keeps connections open, so that a probe costs next to nothing.
type Prober struct {
	mu      sync.Mutex
	clients map[process.Endpoint]*http.Client
}

// Probe asks the endpoint of a spec. Nil means the program does its work.
func (p *Prober) Probe(ctx context.Context, s process.Spec) error {
	if s.Ready.URL == "" {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.Ready.Address)
		if err != nil {
			return err
		}
		return conn.Close()
	}
	body, code, err := p.get(ctx, *s.Ready)
	if err != nil {
		return err
	}
	if code/100 != 2 {
		return fmt.Errorf("%s answers %d: %s", s.Ready.URL, code, firstLine(body))
	}
	return nil
}

func (p *Prober) get(ctx context.Context, e process.Endpoint) (string, int, error) {
	c, err := p.client(e)
	if err != nil {
		return "", 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL, nil)
	if err != nil {
		return "", 0, fmt.Errorf("asking %s: %w", e.URL, err)
	}
	resp, err := c.Do(req)
	if err != nil {
		p.forget(e) // its files may be those of another one by now: a member that was removed and made again
		return "", 0, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return "", 0, fmt.Errorf("reading the answer of %s: %w", e.URL, err)
	}
	return string(body), resp.StatusCode, nil
}

// credentials are what of an endpoint a client is made of.
func credentials(e process.Endpoint) process.Endpoint {
	return process.Endpoint{CA: e.CA, Cert: e.Cert, Key: e.Key, Kubeconfig: e.Kubeconfig, ServerName: e.ServerName}
}

// forget has the files of an endpoint read again.
func (p *Prober) forget(e process.Endpoint) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := credentials(e)
	if c := p.clients[key]; c != nil {
		c.CloseIdleConnections()
		delete(p.clients, key)
	}
}

func (p *Prober) client(e process.Endpoint) (*http.Client, error) {
	key := credentials(e)
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.clients[key]; c != nil {
		return c, nil
	}
	cfg, err := TLSConfig(e)
	if err != nil {
		return nil, err
	}
	c := &http.Client{Transport: &http.Transport{
		TLSClientConfig: cfg, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: false,
	}}
	if p.clients == nil {
		p.clients = map[process.Endpoint]*http.Client{}
	}
	p.clients[key] = c
	return c, nil
}

// TLSConfig returns the credentials of an endpoint.
func TLSConfig(e process.Endpoint) (*tls.Config, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: e.ServerName}
	if e.Kubeconfig != "" {
		return fromKubeconfig(cfg, e)
	}
	if e.CA == "" {
		cfg.InsecureSkipVerify = true // see Endpoint.CA
	} else {
		pem, err := os.ReadFile(e.CA)
		if err != nil {
			return nil, fmt.Errorf("reading the CA of %s: %w", e.URL, err)
		}
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New("no certificate in " + e.CA)
		}
	}
	if e.Cert != "" {
		pair, err := tls.LoadX509KeyPair(e.Cert, e.Key)
		if err != nil {
			return nil, fmt.Errorf("reading the client certificate for %s: %w", e.URL, err)
		}
		cfg.Certificates = []tls.Certificate{pair}
	}
	return cfg, nil
}

func fromKubeconfig(cfg *tls.Config, e process.Endpoint) (*tls.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", e.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the credentials for %s: %w", e.URL, err)
	}
	pair, err := tls.X509KeyPair(config.CertData, config.KeyData)
	if err != nil {
		return nil, fmt.Errorf("reading the credentials for %s: %w", e.URL, err)
	}
	cfg.Certificates = []tls.Certificate{pair}
	if e.ServerName == "" {
		cfg.InsecureSkipVerify = true // see Endpoint.CA; its certificate is its own
		return cfg, nil
	}
	cfg.RootCAs = x509.NewCertPool()
	if !cfg.RootCAs.AppendCertsFromPEM(config.CAData) {
		return nil, errors.New("no certificate authority in " + e.Kubeconfig)
	}
	return cfg, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if len(line) > 200 {
		line = line[:200] + "…"
	}
	return line
}
