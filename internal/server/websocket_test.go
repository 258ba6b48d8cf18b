package server

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/auth"
)

// client is the other end of a WebSocket.
type client struct {
	t    *testing.T
	conn *websocket.Conn
}

func (f *fixture) dial(headers ...string) *client {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	options := &websocket.DialOptions{Subprotocols: []string{subprotocol}, HTTPHeader: http.Header{}}
	for i := 0; i+1 < len(headers); i += 2 {
		options.HTTPHeader.Set(headers[i], headers[i+1])
	}
	conn, _, err := websocket.Dial(ctx, f.server.URL+"/graphql", options) //nolint:bodyclose // the connection has taken it over
	if err != nil {
		f.t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	f.t.Cleanup(func() { _ = conn.CloseNow() })
	return &client{f.t, conn}
}

func (c *client) send(messages ...string) *client {
	c.t.Helper()
	for _, m := range messages {
		ctx, cancel := context.WithTimeout(c.t.Context(), patience)
		err := c.conn.Write(ctx, websocket.MessageText, []byte(m))
		cancel()
		if err != nil {
			c.t.Fatal(err)
		}
	}
	return c
}

// next is the next message, or "closed CODE reason".
func (c *client) next() string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	_, raw, err := c.conn.Read(ctx)
	if err != nil {
		var closed websocket.CloseError
		if ok := asClose(err, &closed); !ok {
			c.t.Fatalf("the socket broke: %v", err)
		}
		return fmt.Sprintf("closed %d %s", closed.Code, closed.Reason)
	}
	return string(raw)
}

func asClose(err error, into *websocket.CloseError) bool {
	code := websocket.CloseStatus(err)
	into.Code = code
	if i := strings.Index(err.Error(), `reason = "`); i >= 0 {
		into.Reason = strings.TrimSuffix(err.Error()[i+len(`reason = "`):], `"`)
	}
	return code != -1
}

func (c *client) want(lines ...string) *client {
	c.t.Helper()
	var got []string
	for range lines {
		got = append(got, c.next())
	}
	if diff := cmp.Diff(lines, got); diff != "" {
		c.t.Fatalf("messages (-want +got):\n%s", diff)
	}
	return c
}

const (
	initAdmin = `{"type":"connection_init","payload":{"authorization":"Bearer admin"}}`
	ack       = `{"type":"connection_ack"}`
)

func subscribe(id, query string) string {
	return fmt.Sprintf(`{"id":%q,"type":"subscribe","payload":{"query":%q}}`, id, query)
}

func (f *fixture) admitted() *client {
	f.t.Helper()
	return f.dial().send(initAdmin).want(ack)
}

func TestTheProtocol(t *testing.T) {
	for _, tc := range []struct {
		name string
		send []string
		want []string
	}{
		{"a query has one answer", []string{initAdmin, subscribe("1", "{who}")},
			[]string{ack, `{"id":"1","type":"next","payload":{"data":{"who":"ann"}}}`, `{"id":"1","type":"complete"}`}},
		{"ping is answered, also before the client is known", []string{`{"type":"ping","payload":{"a":1}}`, initAdmin, `{"type":"pong"}`, `{"type":"ping"}`},
			[]string{`{"type":"pong","payload":{"a":1}}`, ack, `{"type":"pong"}`}},
		{"the key of the token in any case", []string{`{"type":"connection_init","payload":{"Authorization":"bearer admin"}}`}, []string{ack}},
		{"no token", []string{`{"type":"connection_init"}`}, []string{"closed 4403 Forbidden: a bearer token is required*"}},
		{"a bad token", []string{`{"type":"connection_init","payload":{"authorization":"Bearer x"}}`}, []string{"closed 4403 Forbidden: the bearer token is not valid"}},
		{"a stranger", []string{`{"type":"connection_init","payload":{"authorization":"Bearer stranger"}}`}, []string{"closed 4403 Forbidden: you have no role*"}},
		{"an outage is no refusal: the client may come back", []string{`{"type":"connection_init","payload":{"authorization":"Bearer broken"}}`}, []string{"closed 1013 the host cluster does not answer"}},
		{"a second init", []string{initAdmin, initAdmin}, []string{ack, "closed 4429 Too many initialisation requests"}},
		{"subscribing before the init", []string{subscribe("1", "{who}")}, []string{"closed 4401 Unauthorized"}},
		{"an id that is in use", []string{initAdmin, subscribe("1", "subscription{ticks}"), subscribe("1", "subscription{ticks}")}, []string{ack, "closed 4409 Subscriber for 1 already exists"}},
		{"no JSON", []string{initAdmin, "nonsense"}, []string{ack, "closed 4400 Invalid message: *"}},
		{"no type", []string{initAdmin, `{"id":"1"}`}, []string{ack, "closed 4400 Invalid message: type is missing"}},
		{"an unknown type", []string{initAdmin, `{"type":"start"}`}, []string{ack, "closed 4400 Invalid message: unknown type"}},
		{"an unknown type before the init", []string{`{"type":"start"}`}, []string{"closed 4400 Invalid message: unknown type"}},
		{"no id", []string{initAdmin, `{"type":"subscribe","payload":{"query":"{who}"}}`}, []string{ack, "closed 4400 Invalid message: id *"}},
		{"no query", []string{initAdmin, `{"id":"1","type":"subscribe","payload":{}}`}, []string{ack, "closed 4400 Invalid message: payload: query: is required"}},
		{"a payload of the init that is no object", []string{`{"type":"connection_init","payload":[]}`}, []string{"closed 4400 Invalid message: *"}},
		{"a document that is not valid is an error and no more, and frees the id", []string{initAdmin, subscribe("1", "{nothing}"), subscribe("1", "{who}")},
			[]string{ack, `{"id":"1","type":"error","payload":[{"message":"Cannot query field*`, `{"id":"1","type":"next","payload":{"data":{"who":"ann"}}}`, `{"id":"1","type":"complete"}`}},
		{"a subscription that cannot begin is an error and no more", []string{initAdmin, subscribe("1", "subscription{refused}"), `{"type":"ping"}`},
			[]string{ack, `{"id":"1","type":"error","payload":[{"message":"you have no role*`, `{"type":"pong"}`}},
		{"a panic is told as such", []string{initAdmin, subscribe("1", "subscription{panics}"), `{"type":"ping"}`},
			[]string{ack, `{"id":"1","type":"error","payload":[{"message":"internal error*`, `{"type":"pong"}`}},
		{"an error beside data comes with it", []string{initAdmin, subscribe("1", `{who fail(how:"known")}`)},
			[]string{ack, `{"id":"1","type":"next","payload":{"errors":[{"message":"asia is down"*`, `{"id":"1","type":"complete"}`}},
		{"limits hold here too", []string{initAdmin, subscribe("1", "{"+strings.Repeat("node{", 16)+"name"+strings.Repeat("}", 17))},
			[]string{ack, `{"id":"1","type":"error","payload":[{"message":"the document has 17 levels*`}},
		{"no object", []string{initAdmin, `["ping"]`}, []string{ack, "closed 4400 Invalid message: not a JSON object*"}},
		{"nothing", []string{initAdmin, `null`}, []string{ack, "closed 4400 Invalid message: type is missing"}},
		{"no JSON before the init", []string{"nonsense"}, []string{"closed 4400 Invalid message: *"}},
		{"a type that only servers send", []string{initAdmin, `{"id":"1","type":"next","payload":{}}`}, []string{ack, "closed 4400 Invalid message: unknown type"}},
		{"an acknowledgement by the client", []string{initAdmin, ack}, []string{ack, "closed 4400 Invalid message: unknown type"}},
		{"an id that is a number", []string{initAdmin, `{"id":1,"type":"subscribe","payload":{"query":"{who}"}}`}, []string{ack, "closed 4400 Invalid message: *"}},
		{"an id that is empty", []string{initAdmin, subscribe("", "{who}")}, []string{ack, "closed 4400 Invalid message: id *"}},
		{"an id that is too long", []string{initAdmin, subscribe(strings.Repeat("x", 129), "{who}")}, []string{ack, "closed 4400 Invalid message: id *"}},
		{"no payload", []string{initAdmin, `{"id":"1","type":"subscribe"}`}, []string{ack, "closed 4400 Invalid message: payload: *"}},
		{"a payload that is a list", []string{initAdmin, `{"id":"1","type":"subscribe","payload":[{"query":"{who}"}]}`}, []string{ack, "closed 4400 Invalid message: payload: batches *"}},
		{"a query that is a number", []string{initAdmin, `{"id":"1","type":"subscribe","payload":{"query":7}}`}, []string{ack, "closed 4400 Invalid message: payload: query: *"}},
		{"variables that are a string", []string{initAdmin, `{"id":"1","type":"subscribe","payload":{"query":"{who}","variables":"x"}}`}, []string{ack, "closed 4400 Invalid message: payload: variables: *"}},
		{"a ping with a payload that is no object", []string{initAdmin, `{"type":"ping","payload":"x"}`}, []string{ack, "closed 4400 Invalid message: the payload of ping *"}},
		{"a ping with no payload to speak of", []string{initAdmin, `{"type":"ping","payload":null}`}, []string{ack, `{"type":"pong","payload":null}`}},
		{"completing without id", []string{initAdmin, `{"type":"complete"}`}, []string{ack, "closed 4400 Invalid message: id *"}},
		{"a mutation has one answer", []string{initAdmin, subscribe("1", "mutation{change}")},
			[]string{ack, `{"id":"1","type":"next","payload":{"data":{"change":"changed"}}}`, `{"id":"1","type":"complete"}`}},
		{"a document that does not parse is an error and no more", []string{initAdmin, subscribe("1", "}"), `{"type":"ping"}`},
			[]string{ack, `{"id":"1","type":"error","payload":[{"message":*`, `{"type":"pong"}`}},
		{"an operation that is not in the document is an error and no more", []string{initAdmin, `{"id":"1","type":"subscribe","payload":{"query":"query a{who}","operationName":"b"}}`, `{"type":"ping"}`},
			[]string{ack, `{"id":"1","type":"error","payload":[{"message":"operation b not found*`, `{"type":"pong"}`}},
		{"completing what is not there does nothing", []string{initAdmin, `{"id":"7","type":"complete"}`, `{"type":"ping"}`}, []string{ack, `{"type":"pong"}`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newFixture(t).dial()
			var got []string
			for i := 0; i < max(len(tc.send), len(tc.want)); i++ {
				if i < len(tc.send) {
					c.send(tc.send[i])
				}
				if tc.name == "an id that is in use" && i == 1 {
					continue // a subscription says nothing by itself
				}
				if len(got) < len(tc.want) && expects(tc.send, i) {
					got = append(got, c.next())
				}
			}
			for len(got) < len(tc.want) {
				got = append(got, c.next())
			}
			for i, want := range tc.want {
				prefix, open := strings.CutSuffix(want, "*")
				if open && strings.HasPrefix(got[i], prefix) {
					got[i] = want
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

// expects says whether what was sent is answered at once: the next message is sent only then.
func expects(sent []string, i int) bool {
	return i < len(sent) && !strings.Contains(sent[i], `"pong"`) && !strings.Contains(sent[i], `"id":"7","type":"complete"`)
}

func TestSubscriptions(t *testing.T) {
	f := newFixture(t)
	c := f.admitted().send(subscribe("a", "subscription{ticks}"), subscribe("b", "subscription{n:ticks}"))
	eventually(t, "both open", func() bool { return f.schema.subscribers() == 2 })
	f.schema.tick(7)
	got := map[string]bool{}
	for range 2 {
		var m message
		_ = json.Unmarshal([]byte(c.next()), &m)
		got[m.ID+" "+m.Type] = true
	}
	if diff := cmp.Diff(map[string]bool{"a next": true, "b next": true}, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	// Completing one leaves the other, says nothing, and frees its id.
	c.send(`{"id":"a","type":"complete"}`)
	eventually(t, "one is left", func() bool { return f.schema.subscribers() == 1 })
	c.send(subscribe("a", "{who}")).want(`{"id":"a","type":"next","payload":{"data":{"who":"ann"}}}`, `{"id":"a","type":"complete"}`)
	f.schema.tick(-1)
	c.want(`{"id":"b","type":"complete"}`)
	// A client that goes takes its subscriptions with it.
	c.send(subscribe("c", "subscription{ticks}"))
	eventually(t, "one more opens", func() bool { return f.schema.subscribers() == 1 })
	_ = c.conn.CloseNow()
	eventually(t, "it ends with its client", func() bool { return f.schema.subscribers() == 0 })
	eventually(t, "nothing is counted any more", func() bool {
		return f.gate.Open().Subscriptions == 0
	})
}

func TestEachEventHasLoadersOfItsOwn(t *testing.T) {
	f := newFixture(t)
	c := f.admitted().send(subscribe("a", "subscription{ticks}"))
	eventually(t, "it opens", func() bool { return f.schema.subscribers() == 1 })
	f.schema.tick(1)
	f.schema.tick(2)
	c.want(`{"id":"a","type":"next","payload":{"data":{"ticks":1,"loaders":2}}}`, `{"id":"a","type":"next","payload":{"data":{"ticks":2,"loaders":3}}}`)
}

func TestSubscriptionsAreLimited(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Limits.SubscriptionsPerConnection, c.Limits.SubscriptionsPerUser = 2, 3 })
	first, second := f.admitted(), f.admitted()
	first.send(subscribe("a", "subscription{ticks}"), subscribe("b", "subscription{ticks}"), subscribe("c", "subscription{ticks}"))
	if got := first.next(); !strings.Contains(got, `"id":"c","type":"error"`) || !strings.Contains(got, `"limit":"subscriptionsPerConnection"`) {
		t.Errorf("the third of a connection: %s", got)
	}
	eventually(t, "two are open", func() bool { return f.schema.subscribers() == 2 })
	second.send(subscribe("a", "subscription{ticks}"))
	eventually(t, "three are open", func() bool { return f.schema.subscribers() == 3 })
	second.send(subscribe("b", "subscription{ticks}"))
	if got := second.next(); !strings.Contains(got, `"id":"b","type":"error"`) || !strings.Contains(got, `"limit":"subscriptionsPerUser"`) {
		t.Errorf("the fourth of a user: %s", got)
	}
	first.send(`{"id":"a","type":"complete"}`)
	eventually(t, "two are open", func() bool { return f.schema.subscribers() == 2 })
	second.send(subscribe("b", "{who}")).want(`{"id":"b","type":"next","payload":{"data":{"who":"ann"}}}`, `{"id":"b","type":"complete"}`)
}

func TestAClientThatDoesNotSayWhoItIs(t *testing.T) {
	f := newFixture(t)
	f.initTimeout = 30 * time.Millisecond
	f.dial().want("closed 4408 Connection initialisation timeout")
}

func TestAClientThatIsOnlyAlive(t *testing.T) {
	f := newFixture(t)
	f.initTimeout = time.Second
	f.dial().send(`{"type":"ping"}`, `{"type":"pong"}`).want(`{"type":"pong"}`, "closed 4408 Connection initialisation timeout")
}

func TestABinaryMessage(t *testing.T) {
	for name, before := range map[string][]string{"before the init": nil, "after it": {initAdmin}} {
		t.Run(name, func(t *testing.T) {
			c := newFixture(t).dial().send(before...)
			if before != nil {
				c.want(ack)
			}
			if err := c.conn.Write(t.Context(), websocket.MessageBinary, []byte(`{"type":"ping"}`)); err != nil {
				t.Fatal(err)
			}
			c.want("closed 4400 Invalid message: not text")
		})
	}
}

func TestAMessageThatIsTooLarge(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Limits.Body = 1000 })
	c := f.admitted().send(subscribe("1", "{who}"+strings.Repeat(" ", 2000)))
	if got := c.next(); !strings.HasPrefix(got, "closed 1009") {
		t.Errorf("got %s", got)
	}
}

func TestNobodysSocketHoldsLittle(t *testing.T) {
	f := newFixture(t)
	f.initTimeout = patience
	padded := func(size int) string {
		const before, after = `{"type":"connection_init","payload":{"authorization":"Bearer admin","x":"`, `"}}`
		return before + strings.Repeat("x", size-len(before)-len(after)) + after
	}
	t.Run("whole", func(t *testing.T) {
		if got := f.dial().send(padded(maxUnknown + 1)).next(); !strings.HasPrefix(got, "closed 1009") {
			t.Errorf("got %.200s", got)
		}
	})
	t.Run("without an end", func(t *testing.T) {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", f.server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		// The first frame of a message, of a size that is told, masked with zeroes, with one byte more than there
		// may be and many more to come.
		frame := append([]byte{0x01, 0x80 | 127}, make([]byte, 8+4)...)
		binary.BigEndian.PutUint64(frame[2:], 1<<19)
		frame = append(frame, padded(1 << 19)[:maxUnknown+1]...)
		fmt.Fprintf(conn, "GET /graphql HTTP/1.1\r\nHost: kairship\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", subprotocol)
		incoming := bufio.NewReader(conn)
		res, err := http.ReadResponse(incoming, nil)
		if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("got %v, %v", res, err)
		}
		defer res.Body.Close()
		if _, err := conn.Write(frame); err != nil {
			t.Fatal(err)
		}
		head := make([]byte, 4)
		if _, err := io.ReadFull(incoming, head); err != nil || head[0] != 0x88 || websocket.StatusCode(binary.BigEndian.Uint16(head[2:])) != websocket.StatusMessageTooBig {
			t.Errorf("got %x, %v", head, err)
		}
	})
	t.Run("the longest token and more fit", func(t *testing.T) {
		const longest = 16 << 10 // maxTokenLength of internal/rbac
		token := strings.Repeat("x", longest)
		f.tokens.set(token, &auth.Principal{Name: "ann", Groups: []string{"admins"}})
		f.dial().send(fmt.Sprintf(`{"type":"connection_init","payload":{"authorization":"Bearer %s","x":%q}}`, token, strings.Repeat("y", 2*longest))).want(ack)
		f.dial().send(padded(maxUnknown)).want(ack)
	})
	t.Run("what is known to be somebody's may be as large as a request", func(t *testing.T) {
		c := f.admitted().send(subscribe("1", "{who}"+strings.Repeat(" ", 2*maxUnknown)))
		c.want(`{"id":"1","type":"next","payload":{"data":{"who":"ann"}}}`, `{"id":"1","type":"complete"}`)
	})
}

func TestAnotherSubprotocol(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, f.server.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-ws"}}) //nolint:bodyclose // the connection has taken it over
	if err != nil {
		t.Fatal(err)
	}
	if got := (&client{t, conn}).next(); got != "closed 4406 Subprotocol not acceptable" {
		t.Errorf("got %s", got)
	}
}

func TestOrigins(t *testing.T) {
	for _, tc := range []struct {
		name, origin string
		allowed      []string
		want         int
	}{
		{"a program sends none", "", nil, 101},
		{"a page of the host itself", "SELF", nil, 101},
		{"a page of another host", "https://evil.example", nil, 403},
		{"a page of another host that is allowed", "https://console.example.com", []string{"console.example.com"}, 101},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, func(c *Config) { c.Origins = tc.allowed })
			options := &websocket.DialOptions{Subprotocols: []string{subprotocol}, HTTPHeader: http.Header{}}
			if tc.origin == "SELF" {
				tc.origin = f.server.URL
			}
			if tc.origin != "" {
				options.HTTPHeader.Set("Origin", tc.origin)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			conn, res, err := websocket.Dial(ctx, f.server.URL+"/graphql", options) //nolint:bodyclose // the connection has taken it over
			if conn != nil {
				_ = conn.CloseNow()
			}
			if res == nil || res.StatusCode != tc.want {
				t.Errorf("answer %v (%v), want %d", res, err, tc.want)
			}
		})
	}
}

func TestASocketClosesWhenItsTokenDoesNotOpenItAnyMore(t *testing.T) {
	ann := auth.Principal{Name: "ann", Groups: []string{"admins"}}
	expiring := "h." + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"exp":%d}`, time.Now().Add(time.Hour).Unix())) + ".s"
	for _, tc := range []struct {
		name   string
		change func(*fixture)
		want   string
	}{
		{"because it was revoked", func(f *fixture) { f.tokens.set(expiring, nil) }, "closed 4401 Unauthorized: the bearer token is not valid"},
		{"because its owner lost every role", func(f *fixture) { f.tokens.set(expiring, &auth.Principal{Name: "ann"}) }, "closed 4403 Forbidden: *"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, func(c *Config) { c.recheck = 20 * time.Millisecond })
			f.tokens.set(expiring, &ann)
			c := f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer ` + expiring + `"}}`).want(ack)
			c.send(subscribe("a", "subscription{ticks}"))
			eventually(t, "it opens", func() bool { return f.schema.subscribers() == 1 })
			tc.change(f)
			got := c.next()
			if prefix, open := strings.CutSuffix(tc.want, "*"); got != tc.want && (!open || !strings.HasPrefix(got, prefix)) {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			eventually(t, "the subscription ends", func() bool { return f.schema.subscribers() == 0 })
		})
	}
	t.Run("but not because it cannot be asked about", func(t *testing.T) {
		f := newFixture(t, func(c *Config) { c.recheck = 5 * time.Millisecond })
		f.tokens.set("x", &ann)
		c := f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer x"}}`).want(ack)
		f.tokens.mu.Lock()
		f.tokens.down = true
		f.tokens.mu.Unlock()
		eventually(t, "it was asked about", func() bool { f.tokens.mu.Lock(); defer f.tokens.mu.Unlock(); return f.tokens.refused > 3 })
		c.send(`{"type":"ping"}`).want(`{"type":"pong"}`)
	})
}

func TestASlowClientIsGivenUpAndStallsNobody(t *testing.T) {
	f := newFixture(t)
	f.writeTimeout = 100 * time.Millisecond
	other := f.admitted()
	// A client that takes little and reads nothing is sent more than the server's side can hold.
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	narrow := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	conn, _, err := websocket.Dial(ctx, f.server.URL+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // the connection has taken it over
		Subprotocols: []string{subprotocol}, HTTPClient: &http.Client{Transport: narrow}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	slow := (&client{t, conn}).send(initAdmin).want(ack)
	for i := range 12 {
		slow.send(subscribe(fmt.Sprint(i), "{big(size:900000)}"))
	}
	other.send(subscribe("b", "{who}")).want(`{"id":"b","type":"next","payload":{"data":{"who":"ann"}}}`, `{"id":"b","type":"complete"}`)
	eventually(t, "the slow client is given up", func() bool { return strings.Count(f.log.String(), "status=101") >= 1 })
}

func TestSocketsCloseWhenTheServerStops(t *testing.T) {
	f := newFixture(t)
	c := f.admitted().send(subscribe("a", "subscription{ticks}"))
	eventually(t, "it opens", func() bool { return f.schema.subscribers() == 1 })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	go f.Drain(ctx)
	c.want("closed 1012 The server is shutting down")
}
