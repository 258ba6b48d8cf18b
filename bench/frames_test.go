package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestMessagesOfAServerAreReadAndItsPingsAnswered(t *testing.T) {
	sent := []string{"a", strings.Repeat("b", 126), strings.Repeat("c", 40<<10), strings.Repeat("d", 70<<10), ""}
	pinged := make(chan error, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			pinged <- err
			return
		}
		// Nothing comes before the client asked, as with a subscription: it would be read along with the upgrade.
		if _, _, err := conn.Read(r.Context()); err != nil {
			pinged <- err
			return
		}
		ctx := conn.CloseRead(r.Context())
		for _, text := range sent {
			if err := conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
				pinged <- err
				return
			}
		}
		pinged <- conn.Ping(ctx)
		_ = conn.Close(websocket.StatusNormalClosure, "")
	}))
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var under net.Conn
	conn, _, err := websocket.Dial(ctx, s.URL, &websocket.DialOptions{HTTPClient: &http.Client{Transport: &http.Transport{ //nolint:bodyclose // there is none
		DialContext: func(ctx context.Context, network, addr string) (_ net.Conn, err error) {
			under, err = (&net.Dialer{}).DialContext(ctx, network, addr)
			return under, err
		}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	context.AfterFunc(ctx, func() { _ = conn.CloseNow() })
	if err := conn.Write(ctx, websocket.MessageText, []byte("go")); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := frames(under, func(message []byte, at time.Time) {
		if time.Since(at) > time.Minute {
			t.Errorf("a message came at %s", at)
		}
		got = append(got, string(message))
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, sent) {
		t.Errorf("%d messages were read, want %d", len(got), len(sent))
	}
	if err := <-pinged; err != nil {
		t.Errorf("the ping: %v", err)
	}
}

func TestANumberIsFoundInAMessage(t *testing.T) {
	for message, want := range map[string]int{`{"name":"a-12","x":1}`: 12, `{"name":"a-"}`: -1, `{"name":"b-1"}`: -1, ``: -1, `"name":"a-7`: 7} {
		if got := number([]byte(message), `"name":"a-`); got != want {
			t.Errorf("in %s it is %d, want %d", message, got, want)
		}
	}
}
