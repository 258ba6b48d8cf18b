package kubelet

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFleetsSideBySideShareNoAddress(t *testing.T) {
	for base := 1024; base+200 <= 65536-200; base += 137 {
		a, b := AddressesFor(base), AddressesFor(base+200)
		last := number(a.First) + uint32(a.Size) - 1
		if last >= number(b.First) {
			t.Fatalf("fleets at %d and %d: the first ends at %d, the second begins at %d", base, base+200, last, number(b.First))
		}
		if !a.First.IsLoopback() || !netip.AddrFrom4([4]byte{byte(last >> 24), byte(last >> 16), byte(last >> 8), byte(last)}).IsLoopback() {
			t.Fatalf("the fleet at %d leaves loopback", base)
		}
	}
}

func small() *pool {
	return newPool(Addresses{First: netip.MustParseAddr("127.200.0.0"), Size: 8, LoadBalancers: 2})
}

func take(t *testing.T, p *pool, holder, wish string, balancer bool) string {
	t.Helper()
	a, err := p.take(holder, wish, balancer)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAddresses(t *testing.T) {
	tests := map[string]struct {
		do   func(p *pool) string
		want string
	}{
		"a load balancer gets one of the first": {func(p *pool) string { return take(t, p, "a", "", true) }, "127.200.0.1"},
		"a pod gets one of the others":          {func(p *pool) string { return take(t, p, "a", "", false) }, "127.200.0.3"},
		"whoever has one keeps it": {func(p *pool) string {
			take(t, p, "a", "", false)
			return take(t, p, "a", "127.200.0.5", false)
		}, "127.200.0.3"},
		"whoever had one gets it again": {func(p *pool) string { return take(t, p, "a", "127.200.0.5", false) }, "127.200.0.5"},
		"what another has is not given": {func(p *pool) string {
			take(t, p, "a", "127.200.0.5", false)
			return take(t, p, "b", "127.200.0.5", false)
		}, "127.200.0.3"},
		"what is not the fleet's is not given":    {func(p *pool) string { return take(t, p, "a", "127.0.0.1", false) }, "127.200.0.3"},
		"a load balancer's is not given to a pod": {func(p *pool) string { return take(t, p, "a", "127.200.0.2", false) }, "127.200.0.3"},
		"one that was given back rests while there are fresh ones": {func(p *pool) string {
			take(t, p, "a", "", false)
			p.free("a")
			return take(t, p, "b", "", false)
		}, "127.200.0.4"},
		"after the last comes the first": {func(p *pool) string {
			for _, who := range []string{"a", "b", "c", "d"} {
				take(t, p, who, "", false)
			}
			p.free("b")
			return take(t, p, "e", "", false)
		}, "127.200.0.4"},
		"those of Services that are gone are free again": {func(p *pool) string {
			take(t, p, "service 1", "", true)
			take(t, p, "service 2", "", true)
			p.keep("service ", map[string]bool{"service 2": true})
			return take(t, p, "service 3", "", true)
		}, "127.200.0.1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.do(small()); got != tt.want {
				t.Errorf("it is %s, want %s", got, tt.want)
			}
		})
	}
}

func TestWhenNoAddressIsLeftThatIsSaid(t *testing.T) {
	p := small()
	for _, who := range []string{"a", "b", "c", "d"} {
		take(t, p, who, "", false)
	}
	if a, err := p.take("e", "", false); err == nil {
		t.Errorf("a fifth of four: %s", a)
	}
}

func TestBalancedNamesWhatLoadBalancersCanGet(t *testing.T) {
	a := Addresses{First: netip.MustParseAddr("127.200.0.0"), Size: 8, LoadBalancers: 2}
	if diff := cmp.Diff([]string{"127.200.0.1", "127.200.0.2"}, a.Balanced()); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}
