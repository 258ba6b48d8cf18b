package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
)

// still is a clock that is set.
type still struct {
	mu sync.Mutex
	at time.Time
}

func (s *still) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

func (s *still) add(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = s.at.Add(d)
}

func newSlow(t *testing.T, change ...func(*Config)) (*fixture, *still) {
	t.Helper()
	clock := &still{at: time.Unix(1_000_000, 0)}
	return newFixture(t, append(change, func(c *Config) { c.now = clock.now })...), clock
}

func TestAUserMaySpendSoManyPoints(t *testing.T) {
	f, clock := newSlow(t, func(c *Config) { c.Limits.Cost, c.Limits.Rate, c.Limits.RateBurst = 5, 2, 5 })
	f.tokens.set("carl", &auth.Principal{Name: "carl", Groups: []string{"admins"}})
	// {priced{name}} costs a point, and each document one.
	for i := range 2 {
		if a := f.query("{priced{name}}"); a.status != 200 || a.code() != "" {
			t.Fatalf("operation %d: %d %s", i, a.status, a.raw)
		}
	}
	for _, accept := range []string{mediaJSON, mediaGraphQL, mediaEvents} {
		a := f.query("{priced{priced{name}}}", "Accept", accept)
		if a.status != http.StatusTooManyRequests || a.code() != "LIMIT_EXCEEDED" || a.limit() != "rate" || a.header.Get("Retry-After") != "1" {
			t.Errorf("%s: %d %q by %q, Retry-After %q: %s", accept, a.status, a.code(), a.limit(), a.header.Get("Retry-After"), a.raw)
		}
	}
	if a := f.query("{priced{name}}", "Authorization", "Bearer carl"); a.code() != "" {
		t.Errorf("somebody else pays for it: %s", a.raw)
	}
	clock.add(2 * time.Second)
	if a := f.query("{priced{name}}"); a.code() != "" {
		t.Errorf("later: %s", a.raw)
	}
	c := f.admitted().send(subscribe("1", "{priced{priced{priced{name}}}}"))
	if got := c.next(); !strings.HasPrefix(got, `{"id":"1","type":"error"`) || !strings.Contains(got, `"limit":"rate"`) || !strings.Contains(got, `"retryAfter":`) {
		t.Errorf("on a socket: %s", got)
	}
}

func TestVariablesOnASocketCostWhatABodyCosts(t *testing.T) {
	const document, size = "query($v:String){echo(text:$v)}", 100_000
	f, _ := newSlow(t, func(c *Config) { c.Limits.Cost, c.Limits.Rate, c.Limits.RateBurst = 10, 1, 2500 })
	f.tokens.set("carl", &auth.Principal{Name: "carl", Groups: []string{"admins"}})
	payload, _ := json.Marshal(map[string]any{"query": document, "variables": map[string]string{"v": strings.Repeat("x", size)}})
	asBody := 0
	for f.do("POST", "/graphql", string(payload), "Authorization", "Bearer carl").limit() == "" {
		asBody++
	}
	c := f.admitted()
	onSocket := 0
	for ; onSocket < asBody+3; onSocket++ {
		c.send(`{"id":"1","type":"subscribe","payload":` + string(payload) + `}`)
		if got := c.next(); !strings.Contains(got, `"type":"next"`) {
			if !strings.HasPrefix(got, `{"id":"1","type":"error"`) || !strings.Contains(got, `"limit":"rate"`) {
				t.Errorf("refused: %.300s", got)
			}
			break
		}
		if got := c.next(); got != `{"id":"1","type":"complete"}` {
			t.Fatal(got)
		}
	}
	if onSocket != asBody || onSocket != 2 {
		t.Errorf("%d as bodies, %d on a socket", asBody, onSocket)
	}
	// What is no operation costs as much, and has no error to be refused with.
	c = f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer carl"}}`).want(ack)
	c.send(`{"type":"ping","payload":{"x":"` + strings.Repeat("x", size) + `"}}`)
	if got := c.next(); !strings.HasPrefix(got, "closed 1013 you may spend") {
		t.Errorf("a long ping: %.300s", got)
	}
}

func TestWhatIsNoOperationHasToBePaidForToo(t *testing.T) {
	for name, body := range map[string]string{
		"a long document": `{"query":"{who} #` + strings.Repeat(" ", 1000) + `"}`,
		"a bad document":  `{"query":"}"}`,
		"a batch":         `[]`,
		"a bad request":   `{`,
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := newSlow(t, func(c *Config) { c.Limits.Cost, c.Limits.Rate, c.Limits.RateBurst = 1, 1, 20 })
			refused := false
			for i := 0; i < 30 && !refused; i++ {
				refused = f.do("POST", "/graphql", body).limit() == "rate"
			}
			if !refused {
				t.Error("it may be sent without end")
			}
		})
	}
}

func TestValidatingHasToBePaidForOnce(t *testing.T) {
	f, _ := newSlow(t, func(c *Config) { c.Limits.Cost, c.Limits.Rate, c.Limits.RateBurst = 1, 1, 500 })
	wide := func(name string) string {
		return "query " + name + "{node{" + repeat(4, func(i int) string { return fmt.Sprintf("...f%d ", i) }) + "}}" +
			repeat(4, func(i int) string { return fmt.Sprintf("fragment f%d on Node{", i) + strings.Repeat("name ", 50) + "}" })
	}
	for i := range 3 {
		if a := f.query(wide("A")); a.code() != "" {
			t.Fatalf("time %d: %s", i, a.raw)
		}
	}
	if a := f.query(wide("B")); a.limit() != "rate" {
		t.Errorf("another document: %s", a.raw)
	}
}

func TestTheRateCanBeLeftOff(t *testing.T) {
	f, _ := newSlow(t, func(c *Config) { c.Limits.Cost, c.Limits.Rate, c.Limits.Authentication = 1, -1, -1 })
	for range 300 {
		if a := f.query("{node{name}}"); a.code() != "" {
			t.Fatal(a.raw)
		}
		if a := f.query("{who}", "Authorization", ""); a.status != http.StatusUnauthorized {
			t.Fatal(a.raw)
		}
	}
	for _, l := range f.limits.All() {
		if l.Name == "rate" || l.Name == "authentication" {
			t.Errorf("the limit %s is told", l.Name)
		}
	}
}

func TestAnAddressMayFailSoManyTimes(t *testing.T) {
	f, clock := newSlow(t, func(c *Config) { c.Limits.Authentication = 1 })
	f.query("{who}") // a good token, which is remembered
	for range 10 {
		if a := f.query("{who}", "Authorization", "Bearer nonsense"); a.status != http.StatusUnauthorized {
			t.Fatalf("%d %s", a.status, a.raw)
		}
	}
	f.tokens.set("new", &anna)
	for _, token := range []string{"Bearer nonsense", "Bearer new", ""} {
		if a := f.query("{who}", "Authorization", token); a.status != http.StatusTooManyRequests || a.limit() != "authentication" || a.header.Get("Retry-After") == "" {
			t.Errorf("%q: %d %s", token, a.status, a.raw)
		}
	}
	f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer new"}}`).
		want("closed 1013 too many requests from your address were refused; at most 1 a second may be (limit authentication)")
	if a := f.query("{who}"); a.status != http.StatusOK {
		t.Errorf("whose token was good: %d %s", a.status, a.raw)
	}
	clock.add(2 * time.Second)
	if a := f.query("{who}", "Authorization", "Bearer new"); a.status != http.StatusOK {
		t.Errorf("later: %d %s", a.status, a.raw)
	}
}

func TestAddresses(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for _, tc := range []struct {
		name, remote, forwarded, want string
	}{
		{"a client", "192.0.2.1:1234", "", "192.0.2.1"},
		{"a client that says it is another", "192.0.2.1:1234", "198.51.100.1", "192.0.2.1"},
		{"through a proxy", "10.0.0.1:1234", "192.0.2.1", "192.0.2.1"},
		{"through two", "10.0.0.1:1234", "192.0.2.1, 10.0.0.2", "192.0.2.1"},
		{"through a proxy, saying that it is another", "10.0.0.1:1234", "198.51.100.1, 192.0.2.1", "192.0.2.1"},
		{"a proxy that does not say", "10.0.0.1:1234", "", "10.0.0.1"},
		{"a proxy that says nonsense", "10.0.0.1:1234", "192.0.2.1, unknown", "10.0.0.1"},
		{"a network of IPv6", "[2001:db8:1:2:3:4:5:6]:1234", "", "2001:db8:1:2::/64"},
		{"IPv4 in IPv6", "[::ffff:192.0.2.1]:1234", "", "192.0.2.1"},
		{"no address", "@", "", "@"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, func(c *Config) { c.TrustedProxies = proxies })
			r := &http.Request{RemoteAddr: tc.remote, Header: http.Header{}}
			if tc.forwarded != "" {
				r.Header.Set("X-Forwarded-For", tc.forwarded)
			}
			if got := f.gate.AddressOf(r); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
