package link_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// resolves makes all names resolve to an address, which may change.
func resolves(t *testing.T) *atomic.Pointer[netip.Addr] {
	t.Helper()
	var to atomic.Pointer[netip.Addr]
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go answer(theirs, *to.Load())
		return ours, nil
	}}
	t.Cleanup(func() { net.DefaultResolver = before })
	return &to
}

// answer is a name server on a stream.
func answer(conn net.Conn, a netip.Addr) {
	defer func() { _ = conn.Close() }()
	for {
		var length uint16
		if binary.Read(conn, binary.BigEndian, &length) != nil {
			return
		}
		raw := make([]byte, length)
		if _, err := io.ReadFull(conn, raw); err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(raw) != nil {
			return
		}
		m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
		q := m.Questions[0]
		header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1}
		switch {
		case q.Type == dnsmessage.TypeA && a.Is4():
			m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: a.As4()}}}
		case q.Type == dnsmessage.TypeAAAA && a.Is6():
			m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}}}
		}
		out, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(out))), out...)); err != nil {
			return
		}
	}
}

// permit sets the networks for a test: those of the product when there are none.
func permit(t *testing.T, networks ...string) {
	t.Helper()
	var all []netip.Prefix
	for _, n := range networks {
		all = append(all, netip.MustParsePrefix(n))
	}
	kubeconfig.SetNetworks(all...)
	t.Cleanup(func() { kubeconfig.SetNetworks() })
}

// server links to one on this machine, by a name that its certificate has. connections counts those that are open.
func server(t *testing.T) (l *link.Link, connections *atomic.Int32) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}))
	connections = testenv.CountConnections(s)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	l, err = link.Open(&kubeconfig.Credential{Host: "https://karmada.example.com:" + port, CAData: authority(s), BearerToken: "t"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l, connections
}

// get asks the server with a header, and tells which version of HTTP it answers in.
func get(t *testing.T, config *rest.Config, header ...string) (version int, err error) {
	t.Helper()
	response, err := ask(t.Context(), t, config, "", header...)
	if err != nil {
		return 0, err
	}
	return response.ProtoMajor, response.Body.Close()
}

// ask asks the server for a path, with a header.
func ask(ctx context.Context, t *testing.T, config *rest.Config, path string, header ...string) (*http.Response, error) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	return client.Do(request)
}

func TestANameThatLeadsWhereNoServerMayBeIsNotConnectedTo(t *testing.T) {
	permit(t)
	to := resolves(t)
	l, connections := server(t)
	for address, want := range map[string]string{
		"127.0.0.1":              "this machine's own",
		"::1":                    "this machine's own",
		"169.254.169.254":        "link-local",
		"::ffff:169.254.169.254": "link-local",
		"fe80::1":                "link-local",
		"fd00:ec2::254":          "cloud provider",
	} {
		a := netip.MustParseAddr(address)
		to.Store(&a)
		if _, err := get(t, l.Config()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", address, want, err)
		}
	}
	permit(t, "10.0.0.0/8", "fd12::/16")
	for _, address := range []string{"127.0.0.1", "169.254.169.254", "192.0.2.1", "fd13::1"} {
		a := netip.MustParseAddr(address)
		to.Store(&a)
		if _, err := get(t, l.Config()); err == nil || !strings.Contains(err.Error(), "in none of the networks") {
			t.Errorf("%s is in none of the networks: %v", address, err)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
}

// here makes every name that of this machine, where servers may be.
func here(t *testing.T) {
	t.Helper()
	a := netip.MustParseAddr("127.0.0.1")
	resolves(t).Store(&a)
	permit(t, "127.0.0.0/8")
}

func TestEveryClientSharesTheConnections(t *testing.T) {
	here(t)
	l, connections := server(t)
	for _, person := range []string{"", "kairship:oidc:ada", "kairship:oidc:bob", "kairship:oidc:ada"} {
		config := l.Config()
		config.Impersonate.UserName = person
		version, err := get(t, config)
		if err != nil {
			t.Fatal(err)
		}
		if version != 2 {
			t.Errorf("the server is spoken to in HTTP/%d", version)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
	// HTTP/2 knows no upgrades.
	version, err := get(t, l.Config(), "Upgrade", "websocket", "Connection", "Upgrade")
	if err != nil {
		t.Fatal(err)
	}
	if version != 1 {
		t.Errorf("the server is asked for an upgrade in HTTP/%d", version)
	}
}

func TestNothingIsLeftOfALinkThatWasClosed(t *testing.T) {
	here(t)
	for name, header := range map[string][]string{"HTTP/2": nil, "HTTP/1.1": {"Upgrade", "h3", "Connection", "Upgrade"}} {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			l, connections := server(t)
			serving := runtime.NumGoroutine()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			under, err := ask(ctx, t, l.Config(), "/wait", header...)
			if err != nil {
				t.Fatal(err)
			}
			l.Close()
			// Whoever holds a link that was replaced may end what they have begun.
			if _, err := get(t, l.Config(), header...); err != nil {
				t.Errorf("what asks later: %v", err)
			}
			if n := connections.Load(); n == 0 {
				t.Error("the connection was cut while it was in use")
			}
			cancel()
			_ = under.Body.Close()
			testenv.Eventually(t, func() string {
				if n, g := connections.Load(), runtime.NumGoroutine(); n != 0 || g > serving {
					return fmt.Sprintf("%d connections, %d goroutines; there were %d before, with the server %d", n, g, before, serving)
				}
				return ""
			})
		})
	}
}

func TestALinkConnectsByTheDiallerItIsGiven(t *testing.T) {
	l, err := link.Open(&kubeconfig.Credential{Host: "https://karmada.example.com", CAData: authority(certified(t)), BearerToken: "t"},
		func(_ context.Context, _, address string) (net.Conn, error) {
			return nil, errors.New("through the tunnel to " + address)
		})
	if err != nil {
		t.Fatal(err)
	}
	for _, upgrade := range []string{"", "websocket"} {
		if _, err := get(t, l.Config(), "Upgrade", upgrade); err == nil || !strings.Contains(err.Error(), "through the tunnel to karmada.example.com:443") {
			t.Errorf("%v", err)
		}
	}
}

// certified is a server with a certificate.
func certified(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return s
}

// proxied is set in the process in which the environment names a proxy: net/http reads that once.
const proxied = "KAIRSHIP_TEST_PROXIED"

func TestAProxyOfTheEnvironmentDoesNotHideWhereAServerIs(t *testing.T) {
	if os.Getenv(proxied) == "" {
		var asked atomic.Bool
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Store(true)
			w.WriteHeader(http.StatusBadGateway)
		}))
		defer proxy.Close()
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
		again.Env = append(os.Environ(), proxied+"=yes", "HTTPS_PROXY="+proxy.URL, "HTTP_PROXY="+proxy.URL, "NO_PROXY=")
		if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		if asked.Load() {
			t.Error("the proxy was asked to connect to a server that nobody has looked at")
		}
		return
	}
	if !kubeconfig.ProxyInEnvironment() {
		t.Fatal("the environment names no proxy")
	}
	permit(t)
	to := resolves(t)
	metadata := netip.MustParseAddr("169.254.169.254")
	to.Store(&metadata)
	l, _ := server(t)
	named := l.Config()
	named.Proxy = http.ProxyFromEnvironment
	for _, config := range []*rest.Config{l.Config(), named} {
		for _, upgrade := range []string{"", "websocket"} {
			if _, err := get(t, config, "Upgrade", upgrade); err == nil || !strings.Contains(err.Error(), "link-local") {
				t.Errorf("%v", err)
			}
		}
	}
}
