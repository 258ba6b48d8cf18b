package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// patience bounds what would otherwise hang, on a machine that has much else to do. It is no measure of speed.
const patience = time.Minute

// tiny is a schema with a field for each thing that can happen.
type tiny struct {
	schema *ast.Schema
	// ticks feeds the subscription of that name; each subscriber gets all of them.
	mu      sync.Mutex
	tickers map[chan int]struct{}
	// failure is what the field fail fails with; nil for what the test's own words say.
	failure func(how string) error
	// wait blocks the field of that name until it is closed or the request ends.
	wait chan struct{}
	// newest is what subscriptions of that name tell of; they ask for each event, as package live does.
	newest int
	// made counts the answers of "shared"; making is called while one is made, and unsound has each hold an error.
	made, claims int
	// resumed is where each subscription to "shared" goes on.
	resumed []string
	// oneEvent makes one event of all that is published.
	oneEvent bool
	making   func(context.Context)
	unsound  bool
	version  int
	changed  *sync.Cond
	readers  int
}

func newTiny() *tiny {
	s := &tiny{tickers: map[chan int]struct{}{}, wait: make(chan struct{}), schema: gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query { echo(text: String): String  who: String!  fail(how: String!): String  must: String!  wait: String  node: Node  priced: Priced  big(size: Int!): String }
		type Node { node: Node  name: String }
		type Priced { priced: Priced  name(of: String): String }
		type Mutation { change: String }
		type Subscription { ticks: Int  newest: Int  shared(of: Int): Int  large: String  refused: Int  panics: Int }
	`})}
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *tiny) Schema() *ast.Schema { return s.schema }

func (s *tiny) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

func (s *tiny) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	if op.Operation.Operation == ast.Subscription {
		return s.subscribe(ctx, op)
	}
	done := false
	return func(ctx context.Context) *graphql.Response {
		if done {
			return nil
		}
		done = true
		data := map[string]any{}
		for _, f := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Query", "Mutation"}) {
			v, err := s.field(ctx, op, f)
			if err != nil {
				graphql.AddError(ctx, err)
			}
			data[f.Alias] = v
		}
		raw, _ := json.Marshal(data)
		return &graphql.Response{Data: raw}
	}
}

type loaderKey struct{}

func (s *tiny) field(ctx context.Context, op *graphql.OperationContext, f graphql.CollectedField) (_ any, err error) {
	args := f.ArgumentMap(op.Variables)
	defer func() {
		if p := recover(); p != nil {
			err = op.Recover(ctx, p)
		}
	}()
	switch f.Name {
	case "echo":
		return args["text"], nil
	case "who":
		return rbac.PrincipalFrom(ctx).Name, nil
	case "__typename":
		return "Query", nil
	case "big":
		n := args["size"].(int64)
		return strings.Repeat("x", int(n)), nil
	case "wait":
		select {
		case <-s.wait:
			return "waited", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case "change":
		return "changed", nil
	case "fail":
		if s.failure != nil {
			return nil, s.failure(args["how"].(string))
		}
		switch args["how"] {
		case "known":
			return nil, &model.Error{Code: model.CodeUnavailable, Message: "asia is down", Instance: "asia", Cluster: "tokyo",
				Field: []string{"input", "x"}, Retryable: true, Err: errors.New("dial tcp 10.0.0.1: secret")}
		case "secret":
			return nil, errors.New("dial 10.0.0.1: hunter2")
		case "panic":
			panic("hunter2") //nolint:forbidigo // what resolvers must not do
		case "internal":
			return nil, &model.Error{Code: model.CodeInternal, Message: "hunter2"}
		}
	}
	return nil, nil
}

func (s *tiny) subscribe(ctx context.Context, op *graphql.OperationContext) graphql.ResponseHandler {
	f := graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Subscription"})[0]
	switch f.Name {
	case "refused":
		return func(ctx context.Context) *graphql.Response {
			graphql.AddError(ctx, rbac.ErrForbidden)
			return &graphql.Response{}
		}
	case "panics":
		return func(context.Context) *graphql.Response { panic("hunter2") } //nolint:forbidigo // what resolvers must not do
	}
	if f.Name == "newest" || f.Name == "shared" {
		return s.follow(ctx, f.Name)
	}
	ch := make(chan int, 100)
	s.mu.Lock()
	s.tickers[ch] = struct{}{}
	s.mu.Unlock()
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.tickers, ch)
	})
	return func(ctx context.Context) *graphql.Response {
		select {
		case n, ok := <-ch:
			if !ok {
				return nil
			}
			if f.Name == "large" {
				return &graphql.Response{Data: json.RawMessage(`{"large":"` + strings.Repeat("x", 100_000) + `"}`)}
			}
			return &graphql.Response{Data: json.RawMessage(fmt.Sprintf(`{%q:%d,"loaders":%v}`, f.Alias, n, ctx.Value(loaderKey{})))}
		case <-ctx.Done():
			return nil
		}
	}
}

func (s *tiny) subscribers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tickers)
}

// tick sends to all subscribers; a negative number ends their streams.
func (s *tiny) tick(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ch := range s.tickers {
		if n < 0 {
			close(ch)
			delete(s.tickers, ch)
			continue
		}
		select {
		case ch <- n:
		default: // what a slow subscriber has not taken is lost, as coalescing would have it
		}
	}
}

// tokens knows "admin", "stranger", "broken" (the host cluster does not answer) and whatever else is set.
type tokens struct {
	mu     sync.Mutex
	owners map[string]auth.Principal
	// down makes all of them "broken"; refused counts them.
	down    bool
	refused int
}

func (k *tokens) Authenticate(_ context.Context, token string) (auth.Principal, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if token == "broken" || k.down {
		k.refused++
		return auth.Principal{}, &model.Error{Code: model.CodeUnavailable, Message: "the host cluster does not answer", Retryable: true}
	}
	p, ok := k.owners[token]
	if !ok {
		return p, &model.Error{Code: model.CodeUnauthenticated, Message: "the bearer token is not valid"}
	}
	return p, nil
}

func (k *tokens) set(token string, p *auth.Principal) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.owners, token)
	if p != nil {
		k.owners[token] = *p
	}
}

type fixture struct {
	*Server
	t        *testing.T
	schema   *tiny
	tokens   *tokens
	log      *lockedBuffer
	registry *prometheus.Registry
	server   *httptest.Server
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newFixture(t *testing.T, change ...func(*Config)) *fixture {
	f := &fixture{t: t, schema: newTiny(), log: &lockedBuffer{}, registry: prometheus.NewRegistry()}
	f.tokens = &tokens{owners: map[string]auth.Principal{
		"admin":    {Name: "ann", Groups: []string{"admins"}},
		"stranger": {Name: "bob"},
		// As the token of a kubeconfig.
		"ann-at-asia": {Name: "ann", Groups: []string{"admins"}, Instance: "asia"},
	}}
	var mu sync.Mutex
	loaders := 0
	cfg := Config{
		Schema: f.schema, Authenticator: f.tokens, Authorizer: rbac.NewAuthorizer([]string{"admins"}),
		NewContext: func(ctx context.Context) context.Context {
			mu.Lock()
			defer mu.Unlock()
			loaders++
			return context.WithValue(ctx, loaderKey{}, loaders)
		},
		Registerer: f.registry, Gatherer: f.registry,
		Logger: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, c := range change {
		c(&cfg)
	}
	f.Server = New(cfg)
	f.server = httptest.NewServer(f.Server)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		f.Drain(ctx)
		if ctx.Err() != nil {
			t.Error("streams did not end when drained")
		}
		f.server.Close()
	})
	return f
}

// realSchema is the graph itself, without resolvers.
func realSchema() graphql.ExecutableSchema { return graph.NewExecutableSchema(graph.Config{}) }

type answer struct {
	status int
	header http.Header
	raw    string
	Data   map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Locations  []any
		Extensions map[string]any
	}
}

func (a answer) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	code, _ := a.Errors[0].Extensions["code"].(string)
	return code
}

func (a answer) limit() string {
	if len(a.Errors) == 0 {
		return ""
	}
	limit, _ := a.Errors[0].Extensions["limit"].(string)
	return limit
}

// do sends a request as the admin; headers are pairs, an empty value removes one.
func (f *fixture) do(method, path, body string, headers ...string) answer {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, f.server.URL+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer admin")
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] == "" {
			req.Header.Del(headers[i])
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	a := answer{status: res.StatusCode, header: res.Header, raw: string(raw)}
	if strings.Contains(res.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(raw, &a); err != nil {
			f.t.Fatalf("the answer is not JSON: %v: %.200s", err, raw)
		}
	}
	return a
}

func (f *fixture) query(query string, headers ...string) answer {
	f.t.Helper()
	body, _ := json.Marshal(map[string]any{"query": query})
	return f.do(http.MethodPost, "/graphql", string(body), headers...)
}

// events opens an event stream as the admin; next is the data of each event.
func (f *fixture) events(query string) (next func() string) {
	f.t.Helper()
	return f.linesAfter(query, "", "data: ")
}

// linesAfter is events of who comes back with the id of an event; each next line that begins so.
func (f *fixture) linesAfter(query, last, prefix string) (next func() string) {
	f.t.Helper()
	body, _ := json.Marshal(map[string]any{"query": query})
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodPost, f.server.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer admin")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", mediaEvents)
	if last != "" {
		req.Header.Set(headerLastEventID, last)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	return func() string {
		f.t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), prefix); ok {
				return data
			}
		}
		f.t.Fatalf("the stream ended: %v", lines.Err())
		return ""
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never happened: %s", what)
		}
	}
}
