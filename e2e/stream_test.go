package e2e

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// stream is one subscription over graphql-transport-ws.
type stream struct {
	t      *testing.T
	events chan json.RawMessage
	// closed is why the server closed the connection, once events is closed; -1 when it did not.
	closed websocket.StatusCode
}

type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// subscribe opens a subscription as the administrator; it ends with the test.
func subscribe(t *testing.T, query string, variables map[string]any) *stream {
	t.Helper()
	return subscribeAs(t, token, query, variables)
}

func subscribeAs(t *testing.T, bearer, query string, variables map[string]any) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, strings.Replace(address, "http", "ws", 1)+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}}) //nolint:bodyclose // there is none once the connection is upgraded
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(4 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	send := func(m message) {
		if err := wsjson.Write(ctx, conn, m); err != nil {
			t.Fatal(err)
		}
	}
	payload := func(v any) json.RawMessage {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	send(message{Type: "connection_init", Payload: payload(map[string]string{"authorization": "Bearer " + bearer})})
	var ack message
	if err := wsjson.Read(ctx, conn, &ack); err != nil || ack.Type != "connection_ack" {
		t.Fatalf("connection_init was answered by %q, %v", ack.Type, err)
	}
	send(message{ID: "1", Type: "subscribe", Payload: payload(map[string]any{"query": query, "variables": variables})})
	s := &stream{t: t, events: make(chan json.RawMessage, 10_000), closed: -1}
	go func() {
		defer close(s.events)
		for {
			var m message
			if err := wsjson.Read(ctx, conn, &m); err != nil {
				s.closed = websocket.CloseStatus(err)
				return
			}
			switch m.Type {
			case "next", "error":
				s.events <- m.Payload
			case "ping":
				_ = wsjson.Write(ctx, conn, message{Type: "pong"})
			case "complete":
				return
			}
		}
	}()
	return s
}

// next waits for one event of the field.
func next[T any](s *stream, within time.Duration, field string) T {
	s.t.Helper()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case raw, ok := <-s.events:
		if !ok {
			s.t.Fatal("the subscription ended")
		}
		var event struct {
			Data   map[string]T
			Errors []gqlError
		}
		if err := json.Unmarshal(raw, &event); err != nil || len(event.Errors) > 0 {
			s.t.Fatalf("event %s: %v", raw, err)
		}
		return event.Data[field]
	case <-timer.C:
		s.t.Fatalf("no event within %s", within)
	}
	var none T
	return none
}
