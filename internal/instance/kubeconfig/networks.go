package kubeconfig

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// permitted are the networks of SetNetworks.
var permitted atomic.Pointer[[]netip.Prefix]

// SetNetworks says for the whole process in which networks servers may be. None: in all but those of this
// machine and of its link, where cloud providers keep credentials.
func SetNetworks(networks ...netip.Prefix) {
	if len(networks) == 0 {
		permitted.Store(nil)
		return
	}
	permitted.Store(&networks)
}

// metadata are the addresses at which cloud providers give away credentials, where they are not link-local.
var metadata = []netip.Addr{
	netip.MustParseAddr("fd00:ec2::254"),   // Amazon
	netip.MustParseAddr("fd20:ce::254"),    // Google
	netip.MustParseAddr("100.100.100.200"), // Alibaba
	netip.MustParseAddr("168.63.129.16"),   // Azure
}

// translation is the prefix behind which IPv6-only networks reach IPv4.
var translation = netip.MustParsePrefix("64:ff9b::/96")

// checkAddress says why there may be no server at an address.
func checkAddress(a netip.Addr) error {
	a = a.WithZone("").Unmap()
	if translation.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if networks := permitted.Load(); networks != nil {
		for _, n := range *networks {
			if n.Contains(a) {
				return nil
			}
		}
		return fmt.Errorf("is in none of the networks in which servers may be")
	}
	switch {
	case a.IsUnspecified(), a.IsLoopback(), a.Is4() && a.As4()[0] == 0:
		return fmt.Errorf("is this machine's own")
	case a.IsLinkLocalUnicast():
		return fmt.Errorf("is link-local")
	case a.IsMulticast(), a == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return fmt.Errorf("is not that of one server")
	}
	for _, m := range metadata {
		if a == m {
			return fmt.Errorf("is a cloud provider's own")
		}
	}
	return nil
}

// numeric is a last label that some resolvers take for a number, and the whole for an IPv4 address in a form
// of its own: 0x7f.1, 2130706433, 0177.0.0.1.
var numeric = regexp.MustCompile(`(?i)^(0x[0-9a-f]*|[0-9]+)$`)

// checkHost says why there may be no server of a name, as far as the name tells: what it resolves to is looked
// at when it is dialled.
func checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if err := checkAddress(a); err != nil {
			return fmt.Errorf("holds an address that %w", err)
		}
		return nil
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	for _, r := range name {
		if r > '~' {
			return fmt.Errorf("must be written in ASCII")
		}
	}
	if numeric.MatchString(name[strings.LastIndexByte(name, '.')+1:]) {
		return fmt.Errorf("holds an IPv4 address that is not written as four numbers")
	}
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		if err := checkAddress(netip.AddrFrom4([4]byte{127, 0, 0, 1})); err != nil {
			return fmt.Errorf("holds an address that %w", err)
		}
	}
	return nil
}

// guard keeps the connections of one kubeconfig within the networks: what a name resolves to is known only
// when it is dialled, and may be another address each time.
type guard struct {
	mu sync.Mutex
	of map[*http.Transport]*transport
}

// newGuard makes all clients of a configuration, and of its copies, dial through a guard. Its Dial would not
// do: client-go keeps one transport for good for every client that has one.
func newGuard(config *rest.Config) {
	g := &guard{of: map[*http.Transport]*transport{}}
	config.Wrap(g.around)
}

// around gives the transport that client-go made, but guarded; the same for the same. It is the innermost of all
// wrappers.
func (g *guard) around(next http.RoundTripper) http.RoundTripper {
	t, ok := next.(*http.Transport)
	if !ok {
		// Where another one connects to cannot be known.
		return unguarded{fmt.Errorf("a transport of type %T cannot be kept within the networks in which servers may be", next)}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of[t] == nil {
		guarded := t.Clone()
		guarded.DialContext = dial
		guarded.TLSNextProto = nil // those of t would share its connections
		guarded.MaxResponseHeaderBytes = maxHeader
		guarded = utilnet.SetTransportDefaults(guarded)
		// Not that of the environment either: what is dialled would be the proxy, and the address of the server
		// nobody's to look at. After the defaults, which have it.
		guarded.Proxy = nil
		g.of[t] = &transport{guarded}
	}
	return g.of[t]
}

// ProxyInEnvironment says whether the environment names a proxy for https. Clients of instances use none.
func ProxyInEnvironment() bool {
	return os.Getenv("HTTPS_PROXY") != "" || os.Getenv("https_proxy") != ""
}

// unguarded makes no request.
type unguarded struct{ err error }

// RoundTrip fails.
func (u unguarded) RoundTrip(*http.Request) (*http.Response, error) { return nil, u.err }

// dial is client-go's, but for the look at the address.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("the address is not one of IP: %w", err)
		}
		if err := checkAddress(at.Addr()); err != nil {
			return fmt.Errorf("the address %w", err)
		}
		return nil
	}}
	return d.DialContext(ctx, network, address)
}
