package gate

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// AddressOf is the address of a request, without the port, as limits count it: for IPv6 it is the network, since a host
// can use any number of addresses.
func (g *Gate) AddressOf(r *http.Request) string {
	from, ok := g.ClientOf(r)
	if !ok {
		return r.RemoteAddr
	}
	return NetworkOf(from)
}

// NetworkOf is the name under which an address is counted.
func NetworkOf(a netip.Addr) string {
	if a = a.Unmap(); a.Is6() {
		if network, err := a.Prefix(64); err == nil {
			return network.String()
		}
	}
	return a.String()
}

// ClientOf is the address of a request's client: as reported by the proxies in front of the server, when the request
// comes from one. ok is false for a connection without addresses.
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
		// From the right: each proxy appends the address of its client, and the leftmost is whatever a client wrote.
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[len(hops)-1]))
		if err != nil {
			break
		}
		from, hops = hop, hops[:len(hops)-1]
	}
	return from.Unmap(), true
}

// Trusts reports whether an address is that of a proxy, which connects for many clients.
func (g *Gate) Trusts(a netip.Addr) bool {
	return slices.ContainsFunc(g.cfg.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}
