package gate

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// AddressOf is where a request comes from, without the port, as limits count it: of IPv6 it is the network, since a
// host has as many addresses as it likes.
func (g *Gate) AddressOf(r *http.Request) string {
	from, ok := g.ClientOf(r)
	if !ok {
		return r.RemoteAddr
	}
	return NetworkOf(from)
}

// NetworkOf is the name by which an address is counted.
func NetworkOf(a netip.Addr) string {
	if a = a.Unmap(); a.Is6() {
		if network, err := a.Prefix(64); err == nil {
			return network.String()
		}
	}
	return a.String()
}

// ClientOf is the address that a request comes from: what the proxies in front of the server say, when it is
// they who ask. ok is false for a connection without addresses.
func (g *Gate) ClientOf(r *http.Request) (from netip.Addr, ok bool) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if from, err = netip.ParseAddr(host); err != nil {
		return from, false
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for len(hops) > 0 && g.Trusts(from) {
		// From the right: each proxy adds whom it was asked by, and the left is whatever a client wrote.
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[len(hops)-1]))
		if err != nil {
			break
		}
		from, hops = hop, hops[:len(hops)-1]
	}
	return from.Unmap(), true
}

// Trusts says of an address that it is a proxy's, which comes for many.
func (g *Gate) Trusts(a netip.Addr) bool {
	return slices.ContainsFunc(g.cfg.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}
