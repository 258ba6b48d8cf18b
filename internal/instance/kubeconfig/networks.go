package kubeconfig

import (
	"fmt"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
)

// permitted are the networks of SetNetworks.
var permitted atomic.Pointer[[]netip.Prefix]

// SetNetworks sets, for the whole process, the networks in which servers may be. Without any, all but this machine's
// own and link-local ones, where cloud providers keep credentials.
func SetNetworks(networks ...netip.Prefix) {
	if len(networks) == 0 {
		permitted.Store(nil)
		return
	}
	permitted.Store(&networks)
}

// metadata are the addresses at which cloud providers serve credentials, where they are not link-local.
var metadata = []netip.Addr{
	netip.MustParseAddr("fd00:ec2::254"),   // Amazon
	netip.MustParseAddr("fd20:ce::254"),    // Google
	netip.MustParseAddr("100.100.100.200"), // Alibaba
	netip.MustParseAddr("168.63.129.16"),   // Azure
}

// translation is the prefix behind which IPv6-only networks reach IPv4.
var translation = netip.MustParsePrefix("64:ff9b::/96")

// CheckAddress returns an error when no server may be at an address.
func CheckAddress(a netip.Addr) error {
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

// numeric matches a last label that makes some resolvers read the whole name as an IPv4 address: 0x7f.1, 2130706433,
// 0177.0.0.1.
var numeric = regexp.MustCompile(`(?i)^(0x[0-9a-f]*|[0-9]+)$`)

// checkHost returns an error when no server may have a name. What the name resolves to is checked when it is dialled.
func checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if err := CheckAddress(a); err != nil {
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
		if err := CheckAddress(netip.AddrFrom4([4]byte{127, 0, 0, 1})); err != nil {
			return fmt.Errorf("holds an address that %w", err)
		}
	}
	return nil
}

// ProxyInEnvironment says whether the environment names a proxy for https. Clients of instances use none.
func ProxyInEnvironment() bool {
	return os.Getenv("HTTPS_PROXY") != "" || os.Getenv("https_proxy") != ""
}
