package e2e

import (
	"context"
	"encoding/json"
	"fmt"
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
	return subscribeAt(t, address, bearer, query, variables)
}

// socketOf opens a WebSocket of a server as somebody.
func socketOf(ctx context.Context, server, bearer string) (*websocket.Conn, error) {
	conn, _, err := websocket.Dial(ctx, strings.Replace(server, "http", "ws", 1)+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}}) //nolint:bodyclose // there is none once the connection is upgraded
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(16 << 20)
	var ack message
	err = wsjson.Write(ctx, conn, map[string]any{"type": "connection_init", "payload": map[string]string{"authorization": "Bearer " + bearer}})
	if err == nil {
		err = wsjson.Read(ctx, conn, &ack)
	}
	if err == nil && ack.Type != "connection_ack" {
		err = fmt.Errorf("connection_init was answered by %q", ack.Type)
	}
	if err != nil {
		_ = conn.CloseNow()
		return nil, err
	}
	return conn, nil
}

// subscribeAt is subscribeAs at another server.
func subscribeAt(t *testing.T, server, bearer, query string, variables map[string]any) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	conn, err := socketOf(ctx, server, bearer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if err := wsjson.Write(ctx, conn, map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{"query": query, "variables": variables}}); err != nil {
		t.Fatal(err)
	}
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
