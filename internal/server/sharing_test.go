package server

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/rbac"
)

// shared opens subscriptions to what is shared, and waits until they are open.
func (f *fixture) shared(before int, token string, queries ...string) []*client {
	f.t.Helper()
	var out []*client
	for _, q := range queries {
		out = append(out, f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer `+token+`"}}`).want(`{"type":"connection_ack"}`).send(subscribe("1", q)))
	}
	eventually(f.t, "they are open", func() bool { return f.schema.newestReaders() == before+len(out) })
	return out
}

func (s *tiny) answersMade() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

func often(n int, q string) []string {
	return strings.Split(strings.Repeat(q+"\n", n-1)+q, "\n")
}

func TestOneSelectionIsResolvedOnceForEachChange(t *testing.T) {
	f := newFixture(t)
	f.tokens.set("ann", &auth.Principal{Name: "ann", Groups: []string{"admins"}})
	f.tokens.set("bob", &auth.Principal{Name: "bob", Groups: []string{"admins"}})
	all := f.shared(0, "ann", often(8, "subscription{shared}")...)
	all = append(all, f.shared(8, "ann", often(4, "subscription{shared(of:2)}")...)...)
	all = append(all, f.shared(12, "bob", often(3, "subscription{shared}")...)...)
	for round := 1; round <= 3; round++ {
		f.schema.publish(round)
		for _, c := range all {
			if got := c.next(); !strings.Contains(got, fmt.Sprintf(`"data":{"shared":%d}`, round)) || !strings.Contains(got, `"id":"1"`) {
				t.Fatalf("round %d: %s", round, got)
			}
		}
		// One of ann, one of ann who selects something else, one of bob: he may see something else.
		if n := f.schema.answersMade(); n != 3*round {
			t.Errorf("%d answers were made for %d subscribers in %d rounds, want 3 each", n, len(all), round)
		}
	}
}

func TestAnAnswerWithErrorsIsSharedWithNobody(t *testing.T) {
	f := newFixture(t)
	f.tokens.set("ann", &auth.Principal{Name: "ann", Groups: []string{"admins"}})
	f.schema.unsound = true
	all := f.shared(0, "ann", often(5, "subscription{shared}")...)
	f.schema.publish(1)
	for _, c := range all {
		if got := c.next(); !strings.Contains(got, `"shared":1`) || !strings.Contains(got, `"errors"`) {
			t.Errorf("got %s", got)
		}
	}
	if n := f.schema.answersMade(); n != 5 {
		t.Errorf("%d answers were made, want 5", n)
	}
}

// Who leaves while an answer is made for all does not keep it from the others.
func TestWhoLeavesKeepsNoAnswerFromOthers(t *testing.T) {
	f := newFixture(t)
	f.tokens.set("ann", &auth.Principal{Name: "ann", Groups: []string{"admins"}})
	var once sync.Once
	stuck := make(chan struct{})
	f.schema.making = func(ctx context.Context) {
		first := false
		once.Do(func() { first = true })
		if first {
			close(stuck)
			<-ctx.Done()
		}
	}
	f.schema.oneEvent = true
	leaver := f.shared(0, "ann", "subscription{shared}")[0]
	f.schema.publish(6)
	<-stuck
	other := f.shared(1, "ann", "subscription{shared}")[0]
	f.schema.publish(7)
	eventually(t, "the other one waits for that answer", func() bool {
		f.schema.mu.Lock()
		defer f.schema.mu.Unlock()
		return f.schema.claims == 2
	})
	leaver.send(`{"type":"complete","id":"1"}`)
	if got := other.next(); !strings.Contains(got, `"shared":7`) {
		t.Errorf("got %s", got)
	}
}

func TestSharedAnswersAreKeptForASecondAndWithinBounds(t *testing.T) {
	now := time.Unix(0, 0)
	s := newSharing(func() time.Time { return now })
	key := func(n int) sharedKey { return sharedKey{"x", pace.Event{Type: "MODIFIED", At: int64(n)}} }
	put := func(n, size int) {
		t.Helper()
		raw, mine := s.claim(t.Context(), key(n))
		if mine == nil {
			t.Fatalf("answer %d is known: %q", n, raw)
		}
		s.settle(key(n), mine, make([]byte, size))
	}
	put(1, 10)
	if _, ok := s.known(key(1)); !ok {
		t.Error("what was made is not known")
	}
	now = now.Add(sharedFor + 1)
	if _, ok := s.known(key(1)); ok {
		t.Error("it is known for longer than a second")
	}
	put(1, 10)
	for i := range 20 {
		put(100+i, maxShared/8)
	}
	if s.size > maxShared || len(s.answers) > 9 || len(s.answers) != len(s.made) {
		t.Errorf("%d bytes in %d answers (%d in line) are kept; at most %d", s.size, len(s.answers), len(s.made), maxShared)
	}
	now = now.Add(sharedFor + 1)
	s.sweepLater()
	if s.size != 0 || len(s.answers) != 0 {
		t.Errorf("%d bytes in %d answers are kept after a second", s.size, len(s.answers))
	}
}

func TestAnAnswerThatFailsIsMadeByWhoWaits(t *testing.T) {
	s := newSharing(nil)
	key := sharedKey{"x", pace.Event{Type: "ADDED"}}
	_, mine := s.claim(t.Context(), key)
	got := make(chan *sharedAnswer)
	go func() { _, next := s.claim(t.Context(), key); got <- next }()
	s.settle(key, mine, nil)
	if next := <-got; next == nil {
		t.Error("the one who waited does not make it")
	} else {
		s.settle(key, next, []byte("x"))
	}
	if raw, _ := s.claim(t.Context(), key); string(raw) != "x" {
		t.Errorf("got %q", raw)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	other := sharedKey{"y", pace.Event{}}
	s.claim(t.Context(), other)
	if raw, next := s.claim(gone, other); raw != nil || next != nil {
		t.Error("who is gone makes an answer")
	}
}

func TestWhoComesBackWithTheIDOfAnEventGoesOnAfterIt(t *testing.T) {
	f := newFixture(t)
	const query = "subscription{shared}"
	resumed := func(n int) string {
		t.Helper()
		eventually(t, "it is open", func() bool { return f.schema.newestReaders() >= n })
		f.schema.mu.Lock()
		defer f.schema.mu.Unlock()
		return f.schema.resumed[n-1]
	}
	made, shared := f.linesAfter(query, "", "id: "), f.linesAfter(query, "", "id: ")
	if a, b := resumed(1), resumed(2); a+b != "" {
		t.Errorf("who begins goes on at %q and %q", a, b)
	}
	f.schema.publish(1)
	id := made()
	if other := shared(); other != id || !strings.HasSuffix(id, ".p.1") {
		t.Errorf("the same event has the ids %q and %q", id, other)
	}
	for i, c := range []struct{ query, last, want string }{
		{query, id, "p.1"},
		{"subscription{shared(of:3)}", id, "-"}, // what it means there, nobody knows
		{query, "nonsense", "-"},
		{query, strings.TrimSuffix(id, "p.1"), "-"},
	} {
		f.linesAfter(c.query, c.last, "id: ")
		if got := resumed(3 + i); got != c.want {
			t.Errorf("with %q of %s it goes on at %q, want %q", c.last, c.query, got, c.want)
		}
	}
	// A WebSocket tells no ids.
	c := f.dial(headerLastEventID, id).send(`{"type":"connection_init","payload":{"authorization":"Bearer admin"}}`).want(`{"type":"connection_ack"}`).send(subscribe("1", query))
	if got := resumed(7); got != "" {
		t.Errorf("a WebSocket goes on at %q", got)
	}
	_ = c
}

// Equal rights alone are not enough to share, and neither is the same person.
func TestWhatMakesASelectionAnotherOne(t *testing.T) {
	of := func(name, group, query, operation string, variables map[string]any) string {
		ctx := rbac.NewAuthorizer([]string{group}).NewContext(t.Context(), auth.Principal{Name: name, Groups: []string{"admins"}})
		return selectionOf(ctx, &graphql.OperationContext{RawQuery: query, Variables: variables, Operation: &ast.OperationDefinition{Name: operation}})
	}
	one := of("ann", "admins", "q", "o", map[string]any{"a": 1})
	if again := of("ann", "admins", "q", "o", map[string]any{"a": 1}); again != one {
		t.Error("the same is another one")
	}
	for what, other := range map[string]string{
		"a person": of("bob", "admins", "q", "o", map[string]any{"a": 1}), "rights": of("ann", "others", "q", "o", map[string]any{"a": 1}),
		"a document": of("ann", "admins", "r", "o", map[string]any{"a": 1}), "an operation": of("ann", "admins", "q", "p", map[string]any{"a": 1}),
		"variables": of("ann", "admins", "q", "o", map[string]any{"a": 2}),
	} {
		if other == one {
			t.Errorf("%s makes no difference", what)
		}
	}
}

func TestWhoHasEndedClaimsNothing(t *testing.T) {
	f := newFixture(t)
	op := &graphql.OperationContext{RawQuery: "q", Operation: &ast.OperationDefinition{}, Doc: &ast.QueryDocument{}}
	s := &subscriber{Events: f.gate.Events("ann", 1), server: f.Server, selection: selectionOf(t.Context(), op)}
	s.end()
	if _, known := s.Claim(t.Context(), pace.Event{}); known {
		t.Error("there is an answer")
	}
	if n := len(f.sharing.answers); n != 0 {
		t.Errorf("%d answers are waited for", n)
	}
}
