package resolvers_test

import (
	"cmp"
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
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/execution"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/resolvers"
)

// upstreamCall is one question to an upstream.
type upstreamCall struct {
	// upstream is what was asked: readStore, readSync, karmadas or apiServers.
	upstream string
	// what of it: resources of the read store, or an instance.
	what []string
	// id tells calls apart: the same query asks the same again. The same may be asked more than once for one
	// answer: time is how often it was before.
	id   string
	time int
}

// The upstreams.
const (
	readStore  = "the read store"
	readSync   = "the read sync"
	karmadas   = "Karmada"
	apiServers = "the API servers"
)

// upstreams stands in for everything that is asked for an answer: it notes what is, and fails what it is
// told to.
type upstreams struct {
	*fleetOf
	store *store
	// identify says who asks; an administrator unless it is set.
	identify func(context.Context) context.Context
	// wait is how long loaders gather; long unless it is set, so that what is asked together is.
	wait time.Duration
	// audited is the audit log; auditedWorld unless it is set.
	audited auditedEvents

	// stale says that the read store is not up to date.
	stale bool

	mu    sync.Mutex
	calls map[string][]upstreamCall
	fails func(upstreamCall) bool
}

func newUpstreams(tb testing.TB) *upstreams {
	tb.Helper()
	return newUpstreamsOf(tb, world(tb))
}

// newUpstreamsOf is upstreams whose read store holds some rows.
func newUpstreamsOf(tb testing.TB, rows []pediatest.Row) *upstreams {
	tb.Helper()
	u := &upstreams{fleetOf: &fleetOf{instances: []string{"asia", "europe"}, clusters: 2, known: map[string]*model.Instance{
		"asia": {Name: "asia", State: model.InstanceRunning, CreatedAt: time.Unix(1, 0)}, "europe": {Name: "europe", State: model.InstanceRunning, CreatedAt: time.Unix(1, 0)},
	}, history: newHistory(tb).client(tb, nil)}, store: newStoreOf(tb, rows), identify: administrator, calls: map[string][]upstreamCall{}}
	u.store.breaks = func(address string, q sql.Query) int {
		call := upstreamCall{upstream: readStore, id: address}
		for _, gvr := range q.GVRs {
			call.what = append(call.what, gvr.Resource)
		}
		if u.failed(call) {
			return http.StatusInternalServerError
		}
		return 0
	}
	return u
}

func administrator(ctx context.Context) context.Context {
	return rbac.NewAuthorizer([]string{"kairship:host:admins"}).NewContext(ctx, auth.NewPrincipal(auth.OriginHost, "ann", []string{"admins"}))
}

// failed notes a call and says whether it fails.
func (u *upstreams) failed(call upstreamCall) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	call.time = len(u.calls[call.id])
	u.calls[call.id] = append(u.calls[call.id], call)
	return u.fails != nil && u.fails(call)
}

// Freshness is that of a read store that is up to date, unless the upstreams are stale.
func (u *upstreams) Freshness(instance, cluster string) *model.Freshness {
	if u.stale {
		return &model.Freshness{State: model.FreshnessStale}
	}
	return u.fleetOf.Freshness(instance, cluster)
}

func (u *upstreams) Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error) {
	if u.failed(upstreamCall{upstream: karmadas, what: []string{instance}, id: "clusters of " + instance}) {
		return nil, model.InstanceUnavailable(instance, "its API server does not answer", nil)
	}
	return u.fleetOf.Clusters(scope, instance)
}

func (u *upstreams) Synced(instance, cluster string, gvr schema.GroupVersionResource) error {
	if u.failed(upstreamCall{upstream: readSync, what: []string{gvr.Resource}, id: fmt.Sprint("sync of ", pediacluster.Name(instance, cluster), gvr)}) {
		return &model.Error{Code: model.CodeNotSynced, Instance: instance, Message: "the read store does not hold " + gvr.Resource + " yet"}
	}
	switch gvr.Group {
	case "example.com":
		return &model.Error{Code: model.CodeNotSynced, Instance: instance, Message: "the read store does not hold " + gvr.Resource + " yet"}
	default:
		return nil
	}
}

// apiServer fails a call to an API server.
func (u *upstreams) apiServer(instance, cluster, what string) error {
	if u.failed(upstreamCall{upstream: apiServers, what: []string{instance}, id: fmt.Sprint(instance, "/", cluster, " ", what)}) {
		return model.InstanceUnavailable(instance, "its API server does not answer", nil)
	}
	return nil
}

func (u *upstreams) GetAll(_ context.Context, _ kubeapi.Who, refs []model.Ref) []kubeapi.Result {
	out := make([]kubeapi.Result, len(refs))
	for i, ref := range refs {
		if out[i].Err = u.apiServer(ref.Instance, ref.Cluster, ref.ID()); out[i].Err == nil {
			out[i].Raw = widget(ref.Name)
		}
	}
	return out
}

func (u *upstreams) List(_ context.Context, q kubeapi.Query) (*kubeapi.Page, error) {
	if err := u.apiServer(q.Instance, q.Cluster, "list of "+q.GVK.Kind); err != nil {
		return nil, err
	}
	if q.GVK.Kind == "Secret" {
		raw := json.RawMessage(`{"metadata":{"namespace":"shop","name":"keys","uid":"Secret/keys"}}`)
		return &kubeapi.Page{Rows: []kubeapi.Row{{Raw: raw, Namespace: "shop", Name: "keys", Cursor: "keys"}}}, nil
	}
	return &kubeapi.Page{Rows: []kubeapi.Row{{Raw: widget("a"), Namespace: "shop", Name: "a", Cursor: "a"}}}, nil
}

func (u *upstreams) Kind(_ context.Context, _ rbac.Scope, instance, cluster string, kind schema.GroupVersionKind) (*model.APIResource, error) {
	if err := u.apiServer(instance, cluster, "kind "+kind.Kind); err != nil {
		return nil, err
	}
	return &model.APIResource{Group: kind.Group, Version: kind.Version, Kind: kind.Kind, Name: plural(kind.Kind), Scope: model.ScopeNamespaced}, nil
}

func (u *upstreams) APIResources(_ context.Context, _ rbac.Scope, instance string) ([]*model.APIResource, error) {
	if err := u.apiServer(instance, "", "kinds"); err != nil {
		return nil, err
	}
	return []*model.APIResource{{Group: "example.com", Version: "v1", Kind: "Widget", Name: "widgets"}}, nil
}

// told is an answer with the codes of its errors.
type told struct {
	Data   any
	Errors []toldError
	// calls is what was asked for it.
	calls map[string][]upstreamCall
}

type toldError struct {
	Message    string
	Path       []any
	Extensions struct{ Code model.Code }
}

// has says whether a call was made for the answer.
func (a *told) has(c upstreamCall) bool { return c.time < len(a.calls[c.id]) }

// runner tries what is previewed at API servers that take everything.
func (u *upstreams) runner() *actions.Runner {
	return &actions.Runner{Fleet: tryingAt{u}, Audit: audit.NewRecorder(nil, audit.RecorderOptions{Logger: slog.New(slog.DiscardHandler)}),
		Connect: func(_ rbac.Scope, instance string) (karmada.Connection, error) {
			if err := u.apiServer(instance, "", "a dry run"); err != nil {
				return nil, err
			}
			return accepting{instance}, nil
		}}
}

// tryingAt is what actions ask of a fleet beside what reads do.
type tryingAt struct{ *upstreams }

func (tryingAt) DecodeCluster(string, []byte) (*model.Cluster, error) {
	return nil, errors.ErrUnsupported
}

// accepting is a connection to an API server that takes everything: an object of any name is there, and is as it is sent.
type accepting struct{ instance string }

func (t accepting) Instance() string                { return t.instance }
func (accepting) Mapper() meta.ResettableRESTMapper { return nil }
func (t accepting) As(auth.Principal) (*rest.Config, error) {
	return &rest.Config{Host: "http://karmada.invalid", Transport: t}, nil
}

func (accepting) RoundTrip(r *http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader(`{"metadata":{"name":"it","resourceVersion":"1"}}`))
	if r.Method == http.MethodPost {
		body = r.Body
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: r}, nil
}

// ask runs a query while some calls fail.
func (u *upstreams) ask(tb testing.TB, query string, fails func(upstreamCall) bool) told {
	tb.Helper()
	u.mu.Lock()
	u.calls, u.fails = map[string][]upstreamCall{}, fails
	u.mu.Unlock()
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{
		Fleet:    u,
		Bindings: bindingsOfPeople(), Operations: operationsOfWorld(),
		Server:   func(context.Context) *graph.Server { return &graph.Server{} },
		AuditLog: audit.NewReader(u.auditedNow()), Actions: u.runner(),
	}}))
	server.AddTransport(transport.POST{})
	server.AroundFields(resolvers.Tell)
	server.Use(execution.Selections{})
	server.SetErrorPresenter(func(ctx context.Context, err error) *gqlerror.Error {
		out := graphql.DefaultErrorPresenter(ctx, err)
		out.Extensions = map[string]any{"code": codeOf(err)}
		return out
	})
	ctx := loaders.Source{Fleet: u, Store: u.store.client(), KubeAPI: u, Prometheus: u.history, Wait: cmp.Or(u.wait, 5*time.Millisecond)}.NewContext(u.identify(tb.Context()))
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		tb.Fatal(err)
	}
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader(string(body)))
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	server.ServeHTTP(rec, req)
	var out told
	if err := json.Unmarshal(rec.Body.Bytes(), &out); err != nil {
		tb.Fatalf("decoding %s: %v", rec.Body, err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	out.calls = u.calls
	return out
}
