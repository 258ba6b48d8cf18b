// Package oidctest starts the playground's OpenID Connect provider for a test: the real one, on a port of
// its own.
package oidctest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kairship-io/kairship/playground/internal/components"
	"github.com/kairship-io/kairship/playground/internal/pki"
	"github.com/kairship-io/kairship/playground/oidc"
)

const (
	// startTimeout is how long a busy machine may take to load Node.js and make a key.
	startTimeout = time.Minute
	stopTimeout  = 20 * time.Second
)

// Provider is a running provider.
type Provider struct {
	oidc.Settings
	// CA is the file that verifies it.
	CA string
	// UserPassword is the password of every user, Secret that of the client kairship.
	UserPassword, Secret string
	// Redirect is a redirect URL of Kairship's, PostLogout where it takes people who have signed out.
	Redirect, PostLogout string

	program oidc.Program
	command *exec.Cmd
	done    chan struct{}
	log     buffer
}

// Start starts a provider that ends with the test. The test is skipped where there is no Node.js, but for CI.
func Start(t *testing.T) *Provider {
	t.Helper()
	cache, err := components.DefaultCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	program, err := oidc.Install(t.Context(), cache, os.Stderr)
	if errors.Is(err, oidc.ErrNoNode) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	authority, err := pki.Open(filepath.Join(dir, "pki"), "oidc")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Issue("server", pki.Subject{User: "oidc", Hosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{
		CA: authority.CA().Cert, Redirect: "https://127.0.0.1:8443/callback", PostLogout: "https://127.0.0.1:8443/",
		program: program,
	}
	p.Settings = oidc.Settings{
		Cert: pair.Cert, Key: pair.Key, Data: filepath.Join(dir, "data"),
		Password: filepath.Join(dir, "password"), ClientSecret: filepath.Join(dir, "secret"),
		Redirects: []string{p.Redirect}, PostLogoutRedirects: []string{p.PostLogout},
	}
	if p.UserPassword, err = oidc.Secret(p.Password); err != nil {
		t.Fatal(err)
	}
	if p.Secret, err = oidc.Secret(p.ClientSecret); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(t) })
	// Somebody else may take a free port before it is used.
	for range 3 {
		p.Issuer = "https://" + freeAddress(t)
		if p.start(t) {
			return p
		}
	}
	t.Fatalf("the provider does not start:\n%s", p.Log())
	return nil
}

// Restart stops the provider and starts it again at the same address.
func (p *Provider) Restart(t *testing.T) {
	t.Helper()
	p.Stop(t)
	if !p.start(t) {
		t.Fatalf("the provider does not start again:\n%s", p.Log())
	}
}

// Stop ends the provider; it must not have ended by itself, nor have to be killed.
func (p *Provider) Stop(t *testing.T) {
	t.Helper()
	if p.command == nil {
		return
	}
	_ = p.command.Process.Signal(syscall.SIGTERM) // one that has ended shows below
	select {
	case <-p.done:
	case <-time.After(stopTimeout):
		_ = p.command.Process.Kill()
		<-p.done
		t.Errorf("the provider did not stop within %s:\n%s", stopTimeout, p.Log())
	}
	if code := p.command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("the provider ended with %d:\n%s", code, p.Log())
	}
	p.command = nil
}

// Log is what the provider has written so far.
func (p *Provider) Log() string { return p.log.String() }

// Logs waits until the provider has written something: a line may come after the answer that it is about.
func (p *Provider) Logs(t *testing.T, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), stopTimeout)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !strings.Contains(p.Log(), want) {
		select {
		case <-ctx.Done():
			t.Fatalf("after %s the log does not show %s:\n%s", stopTimeout, want, p.Log())
		case <-tick.C:
		}
	}
}

// Run runs another provider with the given settings until it ends by itself, and returns what it wrote.
func (p *Provider) Run(t *testing.T, s oidc.Settings) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, p.program.Node, p.program.Args(s)...).CombinedOutput()
	return string(out), err
}

// HTTP returns a client that trusts the provider and follows no redirect.
func (p *Provider) HTTP(t *testing.T) *http.Client {
	t.Helper()
	pem, err := os.ReadFile(p.CA)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Timeout: 20 * time.Second, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// start reports whether the provider came up; false when it has ended.
func (p *Provider) start(t *testing.T) bool {
	t.Helper()
	// Not the test's context: a provider is stopped as it is in a fleet.
	p.command = exec.Command(p.program.Node, p.program.Args(p.Settings)...)
	p.command.Env = []string{"PATH=" + os.Getenv("PATH")}
	p.command.Stdout, p.command.Stderr = &p.log, &p.log
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	p.done = make(chan struct{})
	go func() {
		_ = p.command.Wait() // Stop looks at how it ended
		close(p.done)
	}()
	ctx, cancel := context.WithTimeoutCause(t.Context(), startTimeout, fmt.Errorf("not ready after %s", startTimeout))
	defer cancel()
	client := p.HTTP(t)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Issuer+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := client.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return true
			}
		}
		select {
		case <-p.done:
			p.command = nil
			return false
		case <-ctx.Done():
			t.Fatalf("the provider: %v:\n%s", context.Cause(ctx), p.Log())
		case <-tick.C:
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // it was never used
	return l.Addr().String()
}

// buffer is written by a process while a test reads it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
