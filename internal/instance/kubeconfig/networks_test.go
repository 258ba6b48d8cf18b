package kubeconfig_test

import (
	"context"
	"encoding/binary"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
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

// permit sets the networks for a test.
func permit(t *testing.T, networks ...string) {
	t.Helper()
	var all []netip.Prefix
	for _, n := range networks {
		all = append(all, netip.MustParsePrefix(n))
	}
	kubeconfig.SetNetworks(all...)
	t.Cleanup(func() { kubeconfig.SetNetworks() })
}

// server is one on this machine, by a name that its certificate has. connections counts who connects.
func server(t *testing.T) (config func(edit func(*rest.Config)) *rest.Config, connections *atomic.Int32) {
	t.Helper()
	connections = &atomic.Int32{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	cert, key := keyPair(t)
	parsed, err := kubeconfig.Parse(written(t, ca, cert, key, func(c *clientcmdapi.Config) {
		c.Clusters["c"].Server = "https://karmada.example.com:" + port
	}))
	if err != nil {
		t.Fatal(err)
	}
	return func(edit func(*rest.Config)) *rest.Config {
		config := rest.CopyConfig(parsed)
		if edit != nil {
			edit(config)
		}
		return config
	}, connections
}

// get asks the server, and tells which version of HTTP it answers in.
func get(t *testing.T, config *rest.Config) (version int, err error) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, config.Host, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	return response.ProtoMajor, response.Body.Close()
}

func TestANameThatLeadsWhereNoServerMayBeIsNotConnectedTo(t *testing.T) {
	to := resolves(t)
	config, connections := server(t)
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
		if _, err := get(t, config(nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", address, want, err)
		}
	}
	permit(t, "10.0.0.0/8", "fd12::/16")
	for _, address := range []string{"127.0.0.1", "169.254.169.254", "192.0.2.1", "fd13::1"} {
		a := netip.MustParseAddr(address)
		to.Store(&a)
		if _, err := get(t, config(nil)); err == nil || !strings.Contains(err.Error(), "in none of the networks") {
			t.Errorf("%s is in none of the networks: %v", address, err)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
}

func TestCopiesOfAConfigurationShareTheirConnections(t *testing.T) {
	to := resolves(t)
	a := netip.MustParseAddr("127.0.0.1")
	to.Store(&a)
	permit(t, "127.0.0.0/8")
	config, connections := server(t)
	for _, person := range []string{"", "kairship:oidc:ada", "kairship:oidc:bob", "kairship:oidc:ada"} {
		version, err := get(t, config(func(c *rest.Config) { c.Impersonate.UserName = person }))
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
	// As what is upgraded needs it.
	version, err := get(t, config(func(c *rest.Config) { c.NextProtos = []string{"http/1.1"} }))
	if err != nil {
		t.Fatal(err)
	}
	if version != 1 {
		t.Errorf("the server is spoken to in HTTP/%d", version)
	}
}

func TestNetworksArePermittedByTheirAddress(t *testing.T) {
	cert, key := keyPair(t)
	parse := func(server string) error {
		_, err := kubeconfig.Parse(written(t, cert, cert, key, func(c *clientcmdapi.Config) { c.Clusters["c"].Server = server }))
		return err
	}
	permit(t, "127.0.0.0/8", "fd12::/16")
	for _, good := range []string{"https://127.0.0.1:6443", "https://localhost:6443", "https://[fd12::7]", "https://[::ffff:127.0.0.1]", "https://karmada.example"} {
		if err := parse(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"https://10.0.0.1", "https://[::1]", "https://169.254.169.254", "https://[fd13::7]", "https://0x7f.1"} {
		if err := parse(bad); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
