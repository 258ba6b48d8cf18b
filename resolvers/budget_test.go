package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/execution"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/resolvers"
)

// answer is a GraphQL answer.
type answer struct {
	Data   json.RawMessage
	Errors []struct {
		Message string
		Path    []any
	}
}

// ask runs a query as an administrator against a fleet and a store.
func ask(tb testing.TB, f *fleetOf, s *store, query string) answer {
	tb.Helper()
	authorizer := rbac.NewAuthorizer([]string{"kairship:host:admins"})
	admin := auth.NewPrincipal(auth.OriginHost, "ann", []string{"admins"})
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{
		Fleet: f, Bindings: authorizer, Operations: operationsOfWorld(),
	}}))
	server.AddTransport(transport.POST{})
	server.AroundFields(resolvers.Tell)
	server.Use(execution.Selections{})
	source := loaders.Source{Fleet: f, Store: s.client(), KubeAPI: &s.servers, Prometheus: f.history}
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		tb.Fatal(err)
	}
	ctx := source.NewContext(authorizer.NewContext(tb.Context(), admin))
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader(string(body)))
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	server.ServeHTTP(rec, req)
	var out answer
	if err := json.Unmarshal(rec.Body.Bytes(), &out); err != nil {
		tb.Fatalf("decoding %s: %v", rec.Body, err)
	}
	return out
}

const workloadPage = `{instances{nodes{name state clusters{nodes{name state syncMode freshness{state}}} workloads(first:%d){totalCount nodes{
	__typename namespace name state propagation{policy{__typename %s} scheduled{value} applied{value} healthy{value reason}
	targets{cluster{name} desiredReplicas status{ready} freshness{state}}}}}}}}`

func TestUpstreamRequestsDoNotGrowWithRowsOrClusters(t *testing.T) {
	for _, page := range []struct {
		name, policy string
		most         int
	}{
		{"the page costs a request for its rows, one for their number and one for the bindings", "", 3},
		{"with the policies' bodies it costs one more", "resourceVersion manifest", 4},
	} {
		t.Run(page.name, func(t *testing.T) {
			var first int
			for _, clusters := range []int{1, 10, 50} {
				for _, rows := range []int{10, 50, 200} {
					s := newStore(t, rows, clusters)
					out := ask(t, &fleetOf{instances: []string{"asia"}, clusters: clusters}, s, fmt.Sprintf(workloadPage, rows, page.policy))
					if len(out.Errors) > 0 {
						t.Fatalf("errors: %v", out.Errors)
					}
					if n := strings.Count(string(out.Data), `"ready":2`); n != rows*clusters {
						t.Errorf("%d rows on %d clusters have %d ready targets, want %d", rows, clusters, n, rows*clusters)
					}
					if first == 0 {
						first = s.count()
					}
					if asked := s.servers.all(); len(asked) > 0 {
						t.Errorf("%d rows on %d clusters were asked of API servers: %v", rows, clusters, asked)
					}
					if n := s.count(); n != first || n > page.most {
						t.Errorf("%d rows on %d clusters cost %d requests, want %d as for the first and at most %d:\n%s",
							rows, clusters, n, first, page.most, strings.Join(s.requests, "\n"))
					}
				}
			}
		})
	}
}

// What the read store does not hold is asked of an API server, once for each object however often it is named: so
// the pages above are counted by what counts.
func TestAnAPIServerIsAskedOnceForWhatTheReadStoreDoesNotHold(t *testing.T) {
	s := newStore(t, 1, 1)
	widget := func(name string) string {
		return fmt.Sprintf(`resource(apiVersion: "example.com/v1", kind: "Widget", namespace: "shop", name: %q){name}`, name)
	}
	out := ask(t, &fleetOf{instances: []string{"asia"}, clusters: 1}, s, `{instance(name: "asia"){a: `+widget("a")+` again: `+widget("a")+` b: `+widget("b")+`}}`)
	if len(out.Errors) > 0 {
		t.Fatalf("errors: %v", out.Errors)
	}
	got := slices.DeleteFunc(s.servers.all(), func(what string) bool { return strings.HasPrefix(what, "kind ") })
	slices.Sort(got)
	if diff := cmp.Diff([]string{"get asia/shop/a", "get asia/shop/b"}, got); diff != "" || s.count() != 0 {
		t.Errorf("asked of API servers (-want +got):\n%s\nand %d times of the read store", diff, s.count())
	}
}

func TestPagesHoldEveryRowOnce(t *testing.T) {
	s := newStore(t, 25, 1)
	f := &fleetOf{instances: []string{"asia", "europe"}, clusters: 1}
	seen, after, pages := map[string]int{}, "", 0
	for {
		var page struct {
			Workloads struct {
				TotalCount int
				PageInfo   struct {
					HasNextPage bool
					EndCursor   string
				}
				Nodes []struct {
					Name     string
					Instance struct{ Name string }
				}
			}
		}
		out := ask(t, f, s, fmt.Sprintf(`{workloads(first: 10 %s){totalCount pageInfo{hasNextPage endCursor} nodes{name instance{name}}}}`, after))
		if len(out.Errors) > 0 {
			t.Fatalf("errors: %v", out.Errors)
		}
		if err := json.Unmarshal(out.Data, &page); err != nil {
			t.Fatal(err)
		}
		if page.Workloads.TotalCount != 50 {
			t.Errorf("totalCount of page %d is %d, want 50", pages, page.Workloads.TotalCount)
		}
		for _, n := range page.Workloads.Nodes {
			seen[n.Instance.Name+"/"+n.Name]++
		}
		pages++
		if !page.Workloads.PageInfo.HasNextPage {
			break
		}
		after = fmt.Sprintf(`after: %q`, page.Workloads.PageInfo.EndCursor)
	}
	if len(seen) != 50 || pages != 5 {
		t.Errorf("%d rows on %d pages, want 50 on 5", len(seen), pages)
	}
	for row, n := range seen {
		if n != 1 {
			t.Errorf("%s was shown %d times", row, n)
		}
	}
}

func TestOneFailureIsOneErrorAndItsSiblingsSurvive(t *testing.T) {
	query := fmt.Sprintf(workloadPage, 50, "resourceVersion")
	healthy := fleetOf{instances: []string{"asia", "europe"}, clusters: 3}
	for _, c := range []struct {
		name    string
		fleet   func(*fleetOf)
		store   func(*store)
		path    []string
		message string
		errors  int
		data    []string
	}{
		{
			name:   "a Karmada that does not answer leaves its clusters null and its workloads alive",
			fleet:  func(f *fleetOf) { f.down = map[string]bool{"asia": true} },
			errors: 1, message: `instance "asia"`, path: []string{"instances", "nodes", "0", "clusters"},
			data: []string{`"clusters":null`, `"name":"app-0049"`, `"ready":2`},
		},
		{
			name:   "a read store that fails leaves the workloads null and the clusters alive",
			store:  func(s *store) { s.broken["deployments"] = http.StatusServiceUnavailable },
			errors: 2, message: "the read store does not answer", path: []string{"instances", "nodes", "", "workloads"},
			data: []string{`"workloads":null`, `"name":"member-02"`},
		},
		{
			name:   "a read store that hangs is given up",
			store:  func(s *store) { s.broken["jobs"] = 0 },
			errors: 2, message: "did not answer in time", path: []string{"instances", "nodes", "", "workloads"},
			data: []string{`"workloads":null`, `"name":"member-02"`},
		},
		{
			name:   "bindings that cannot be read are told once for each page, and no state is claimed",
			store:  func(s *store) { s.broken["resourcebindings"] = http.StatusInternalServerError },
			errors: 2, message: "the read store does not answer", path: []string{"instances", "nodes", "", "workloads", "nodes", "", ""},
			data: []string{`"name":"app-0049","state":"UNKNOWN","propagation":null`},
		},
		{
			name:   "policies that cannot be read leave what is known of them",
			store:  func(s *store) { s.broken["propagationpolicies"] = http.StatusInternalServerError },
			errors: 2, message: "the read store does not answer", path: []string{"instances", "nodes", "", "workloads", "nodes", "", "propagation", "policy", "resourceVersion"},
			data: []string{`"__typename":"PropagationPolicy","resourceVersion":null`, `"ready":2`},
		},
		{
			name:   "a kind that is not synced is told beside the others",
			fleet:  func(f *fleetOf) { f.unsynced = map[string]bool{"cronjobs": true} },
			errors: 2, message: "does not hold cronjobs", path: []string{"instances", "nodes", "", "workloads"},
			data: []string{`"totalCount":null`, `"name":"app-0049"`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, s := healthy, newStore(t, 50, 3)
			if c.fleet != nil {
				c.fleet(&f)
			}
			if c.store != nil {
				c.store(s)
			}
			start := time.Now()
			out := ask(t, &f, s, query)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("the answer took %s", took)
			}
			if len(out.Errors) != c.errors {
				t.Fatalf("%d errors, want %d: %v", len(out.Errors), c.errors, out.Errors)
			}
			for _, e := range out.Errors {
				if !strings.Contains(e.Message, c.message) || !matchesPath(e.Path, c.path) {
					t.Errorf("error %q at %v, want %q at %v", e.Message, e.Path, c.message, c.path)
				}
			}
			for _, want := range c.data {
				if !strings.Contains(string(out.Data), want) {
					t.Errorf("the answer lacks %s", want)
				}
			}
		})
	}
}

// matchesPath compares a path; an empty element matches any index.
func matchesPath(got []any, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if want[i] != "" && fmt.Sprint(got[i]) != want[i] {
			return false
		}
	}
	return true
}

func TestWithoutScopeNothingIsRead(t *testing.T) {
	s := newStore(t, 10, 1)
	source := loaders.Source{Fleet: &fleetOf{instances: []string{"asia"}}, Store: s.client()}
	k := source.NewLoaders(context.Background())
	if _, _, err := k.Workloads(t.Context(), loaders.WorkloadQuery{Instances: []string{"asia"}, ListOptions: loaders.ListOptions{Page: pageOf(10)}}); err == nil {
		t.Error("workloads were read without a scope")
	}
	if s.count() != 0 {
		t.Errorf("%d requests were made for nobody", s.count())
	}
}

func TestBadInputNamesTheField(t *testing.T) {
	f := &fleetOf{instances: []string{"asia"}, clusters: 1}
	for _, c := range []struct{ name, query, want string }{
		{"first below one", `{workloads(first:0){totalCount}}`, "first: is 0; 1 to 200"},
		{"first above the most", `{workloads(first:100000){totalCount}}`, "first: is 100000; 1 to 200"},
		{"first of instances", `{instances(first:0){totalCount}}`, "first: is 0"},
		{"a cursor that is none", `{workloads(after:"x"){totalCount}}`, "after: is not a cursor"},
		{"a cursor of another list", `{instances(after:"MQp3b3JrbG9hZHMKCmFzaWEKc2hvcAphCkRFUExPWU1FTlQ"){totalCount}}`, "after: is a cursor of another list"},
		{"a namespace that cannot be one", `{workloads(filter:{namespaces:["a,b"]}){totalCount}}`, `namespaces: "a,b"`},
		{"a name that cannot be part of one", `{workloads(filter:{nameContains:"%"}){totalCount}}`, `nameContains: holds "%"`},
		{"instances in the list of one", `{instance(name:"asia"){workloads(filter:{instances:["europe"]}){totalCount}}}`, "instances: may be given to the root"},
		{"an instance that is not there", `{workloads(filter:{instances:["nowhere"]}){totalCount}}`, "there is no instance nowhere"},
		{"an instance by name that is not there", `{instance(name:"nowhere"){name}}`, "there is no instance nowhere"},
		{"an id that is none", `{node(id:"x"){id}}`, "id: is not an id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := ask(t, f, newStore(t, 1, 1), c.query)
			if len(out.Errors) != 1 || !strings.Contains(out.Errors[0].Message, c.want) {
				t.Errorf("errors %v, want one with %q", out.Errors, c.want)
			}
		})
	}
}
