package resolvers_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/server"
	"github.com/kairship-io/kairship/internal/server/proxy"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/internal/testing/testenv"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/resolvers"
)

// process is a server as it runs, for all who ask: one door with one set of resolvers and loaders, one hub and
// one proxy. Upstreams alone are not real.
type process struct {
	*httptest.Server
	*upstreams
	rows []pediatest.Row
	// karmadas are what the hub watches, by instance.
	karmadas map[string]*livetest.APIServer
	behind   *behind
	// operations are those of the host cluster, in memory.
	operations *inMemory
	described  *described
}

// tokens are the names of those who ask.
type tokens map[string]auth.Principal

func (t tokens) Authenticate(_ context.Context, token string) (auth.Principal, error) {
	if p, ok := t[token]; ok {
		return p, nil
	}
	return auth.Principal{}, &model.Error{Code: model.CodeUnauthenticated, Message: "the bearer token is not valid"}
}

// newProcess starts a server over instances that hold some rows.
func newProcess(t *testing.T, people tokens, authorizer *rbac.Authorizer, rows []pediatest.Row, instances ...string) *process {
	t.Helper()
	return newLoggedProcess(t, slog.New(slog.DiscardHandler), people, authorizer, rows, instances...)
}

func newLoggedProcess(t *testing.T, log *slog.Logger, people tokens, authorizer *rbac.Authorizer, rows []pediatest.Row, instances ...string) *process {
	t.Helper()
	p := &process{upstreams: newUpstreamsOf(t, rows), rows: rows, karmadas: map[string]*livetest.APIServer{}, behind: newBehind(t), operations: newInMemory()}
	p.described = &described{upstreams: p.upstreams}
	p.instances, p.store.remember = instances, map[string][]byte{}
	for _, instance := range instances {
		p.karmadas[instance] = livetest.New(t)
	}
	p.touch(t, "none")
	quiet := slog.New(slog.DiscardHandler)
	// On a busy machine an instance says nothing for a while, too.
	hub := live.New(live.Config{Connect: p.watched, Fleet: p.described, Everything: ownersScope(authorizer), Logger: quiet, ReadyTimeout: testenv.Timeout, Silence: testenv.Timeout})
	forward := proxy.New(proxy.Config{Upstreams: p, Revoked: server.Revoked, Logger: quiet})
	source := loaders.Source{Fleet: p, Store: p.store.client(), KubeAPI: asked{p.upstreams}, Prometheus: p.history, Wait: time.Millisecond}
	entrance := server.New(server.Config{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{
			Fleet: p, Live: hub, Bindings: authorizer, Operations: p.operations, Server: func(context.Context) *graph.Server { return &graph.Server{} },
			AuditLog: audit.NewReader(auditedWorld()),
			Actions: &actions.Runner{Fleet: p, Connect: p.written, Via: audit.ViaGraphQL,
				Audit: audit.NewRecorder(nil, audit.RecorderOptions{Logger: quiet})},
		}}),
		Authenticator: people, Authorizer: authorizer, Changed: authorizer.Changed, NewContext: source.NewContext, Proxy: forward, Logger: log,
		// Each question asks for all that there is, on a busy machine.
		Limits: server.Limits{Time: testenv.Timeout, Rate: -1, Cost: 1 << 30, Fields: 1 << 20, Tokens: 1 << 20},
	})
	p.Server = httptest.NewServer(entrance)
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		entrance.Drain(ended)
		forward.Drain(ended)
		hub.Close()
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// touch changes what the hub watches, and says in which round; what is not there yet appears. The rows of
// wholeWorld that are hidden from most people come first.
func (p *process) touch(t *testing.T, round string) {
	t.Helper()
	p.operations.touch(round)
	p.described.touch(round)
	for instance, server := range p.karmadas {
		for _, member := range []string{"member-00", "member-01"} {
			server.Put("clusters", map[string]any{"metadata": map[string]any{"name": member, "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": map[string]any{"syncMode": "Push", "region": round}})
		}
		for _, r := range slices.Backward(p.rows) {
			if r.Cluster != pediacluster.OfInstance(instance) || !slices.Contains(joined, r.Kind) {
				continue
			}
			var o map[string]any
			if err := json.Unmarshal(r.Raw, &o); err != nil {
				t.Fatal(err)
			}
			metadata := o["metadata"].(map[string]any)
			labels, _ := metadata["labels"].(map[string]any)
			if labels == nil {
				labels = map[string]any{}
			}
			labels["round"], metadata["labels"] = round, labels
			server.Put(r.GVR.Resource, o)
		}
	}
}

// joined are the kinds that the hub watches, beside clusters.
var joined = []string{"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "ResourceBinding",
	"PropagationPolicy", "ClusterPropagationPolicy", "OverridePolicy", "ClusterOverridePolicy", "Event", "ConfigMap"}

// described are the instances, as the hub compares them, each with the round in its name for people.
type described struct {
	*upstreams
	mu    sync.Mutex
	round string
}

func (d *described) touch(round string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.round = round
}

func (d *described) Instances(scope rbac.Scope) []*model.Instance {
	d.mu.Lock()
	defer d.mu.Unlock()
	round, all := d.round, d.upstreams.Instances(scope)
	for i, is := range all {
		named := *is
		named.DisplayName = &round
		all[i] = &named
	}
	return all
}

// ownersScope is that of somebody who may see all there is.
func ownersScope(a *rbac.Authorizer) rbac.Scope {
	return a.Scope(people[slices.IndexFunc(people, func(p *person) bool { return p.name == "owner" })].principal())
}

// watching is the way in to an instance by which it is watched.
type watching struct{ *livetest.APIServer }

func (watching) Done() <-chan struct{} { return nil }

func (p *process) watched(scope rbac.Scope, instance string) (live.Connection, error) {
	if _, err := p.Instance(scope, instance); err != nil {
		return nil, err
	}
	return watching{p.karmadas[instance]}, nil
}

// asked are upstreams whose API servers say in every object who has asked for it.
type asked struct{ *upstreams }

func (a asked) GetAll(ctx context.Context, who kubeapi.Who, refs []model.Ref) []kubeapi.Result {
	out := a.upstreams.GetAll(ctx, who, refs)
	for i := range out {
		out[i].Raw = signed(out[i].Raw, who.Principal)
	}
	return out
}

func (a asked) List(ctx context.Context, q kubeapi.Query) (*kubeapi.Page, error) {
	page, err := a.upstreams.List(ctx, q)
	if err != nil {
		return nil, err
	}
	for i := range page.Rows {
		page.Rows[i].Raw = signed(page.Rows[i].Raw, q.Who.Principal)
	}
	return page, nil
}

func signed(object []byte, by auth.Principal) []byte {
	return []byte(strings.Replace(string(object), `"metadata":{`, fmt.Sprintf(`"metadata":{"annotations":{"asked-by":%q},`, by.Name), 1))
}

// behind is the API servers to which requests are sent in the name of a person. It notes in whose.
type behind struct {
	*httptest.Server

	mu   sync.Mutex
	seen map[string][]sender
	// writes are the addresses and bodies of requests that were to change something.
	writes []string
}

// sender is who sent a request, as an API server sees it.
type sender struct {
	Instance, Credential string
	User, Groups         []string
}

func newBehind(t *testing.T) *behind {
	t.Helper()
	b := &behind{seen: map[string][]sender{}}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

// config leads to an instance with Kairship's credential there.
func (b *behind) config(instance string) *rest.Config {
	return &rest.Config{Host: b.URL + "/of/" + instance, BearerToken: "kairships-own-in-" + instance, Timeout: testenv.Timeout}
}

// ServeHTTP answers with an object that says who has asked for it. Requests are told apart by their nonce: the
// query's, or the name of the object.
func (b *behind) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	instance, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/of/"), "/")
	by := sender{instance, r.Header.Get("Authorization"), r.Header.Values("Impersonate-User"), r.Header.Values("Impersonate-Group")}
	name := path[strings.LastIndexByte(path, '/')+1:]
	nonce := r.URL.Query().Get("nonce")
	if nonce == "" {
		nonce = name
	}
	b.mu.Lock()
	b.seen[nonce] = append(b.seen[nonce], by)
	if r.Method != http.MethodGet {
		body, _ := io.ReadAll(r.Body)
		b.writes = append(b.writes, r.URL.RequestURI()+" "+string(body))
	}
	b.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch _, inMember, is := strings.Cut(path, "/proxy/"); {
	case is:
		path = inMember
	case name == inMembersAlone && r.Method == http.MethodGet:
		w.WriteHeader(http.StatusNotFound)
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "NotFound", "code": http.StatusNotFound})
		return
	}
	if r.Method == http.MethodPost {
		w.WriteHeader(http.StatusCreated)
	}
	_ = json.NewEncoder(w).Encode(heldBehind(path, name, fmt.Sprint(r.Method, " ", path, " ", by)))
}

// inMembersAlone is the name of objects that members have and instances do not.
const inMembersAlone = "local"

// clusterInfo is what an instance shows to clusters that are about to register.
var clusterInfo = sync.OnceValue(func() string {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return fmt.Sprintf("{clusters: [{name: '', cluster: {server: 'https://asia.example:5443', certificate-authority-data: %s}}]}", base64.StdEncoding.EncodeToString(ca))
})

// heldBehind is what an API server holds at a path: of every kind an object of each name, which is paused where its name says so.
func heldBehind(path, name, askedBy string) map[string]any {
	parts := strings.Split(path, "/")
	kind := "Deployment"
	for _, k := range catalog.Kinds() {
		if slices.Contains(parts[max(0, len(parts)-2):], k.Resource) { // the last but the name, if there is one
			kind = k.GVK.Kind
		}
	}
	switch name {
	case "controllerrevisions":
		return map[string]any{"items": []any{map[string]any{"metadata": map[string]any{"name": "cart-1"}, "revision": 1,
			"data": map[string]any{"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{"labels": map[string]any{"revision": "1"}}}}}}}}
	case "version":
		return map[string]any{}
	case "cluster-info":
		return map[string]any{"data": map[string]any{"kubeconfig": clusterInfo()}}
	}
	pods := map[string]any{"metadata": map[string]any{}, "spec": map[string]any{"containers": []any{map[string]any{"name": "cart", "image": "cart:1"}}}}
	return map[string]any{"apiVersion": "apps/v1", "kind": kind,
		"metadata": map[string]any{"namespace": "shop", "name": name, "uid": "the-one-meant", "resourceVersion": "7", "creationTimestamp": "2026-01-01T00:00:00Z",
			"annotations": map[string]any{"asked-by": askedBy, objects.PolicyNamespace: "shop", objects.PolicyName: "cart"}},
		"spec": map[string]any{"paused": name == "paused", "template": pods, "jobTemplate": map[string]any{"spec": map[string]any{"template": pods}},
			"resourceSelectors": []any{map[string]any{"apiVersion": "apps/v1", "kind": "Deployment"}}},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}}
}

// of is by whom a request was made.
func (b *behind) of(nonce string) []sender {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seen[nonce]
}

// as is a configuration whose requests an instance sees as a person's.
func (p *process) as(instance string, who auth.Principal) *rest.Config {
	cfg := p.behind.config(instance)
	cfg.Impersonate = rest.ImpersonationConfig{UserName: who.Name, Groups: who.Groups}
	return cfg
}

// Upstream is where the proxy sends requests; see proxy.Upstreams.
func (p *process) Upstream(_ context.Context, scope rbac.Scope, who auth.Principal, instance, cluster string) (*rest.Config, error) {
	if _, err := p.Instance(scope, instance); err != nil {
		return nil, err
	}
	cfg := p.as(instance, scope.Acting(instance, who))
	if cluster != "" {
		if p.ClusterStates(scope, instance)[cluster] == nil {
			return nil, &model.Error{Code: model.CodeNotFound, Instance: instance, Message: fmt.Sprintf("instance %q has no cluster %q", instance, cluster)}
		}
		cfg.Host += "/apis/cluster.karmada.io/v1alpha1/clusters/" + cluster + "/proxy"
	}
	return cfg, nil
}

// Holders is the instances that have a member; see proxy.Upstreams.
func (p *process) Holders(_ context.Context, scope rbac.Scope, cluster string) ([]string, error) {
	var out []string
	for _, instance := range p.Instances(scope) {
		if p.ClusterStates(scope, instance.Name)[cluster] != nil {
			out = append(out, instance.Name)
		}
	}
	return out, nil
}

// writing is the way in to an instance by which it is written to.
type writing struct {
	*process
	instance string
}

func (p *process) written(scope rbac.Scope, instance string) (karmada.Connection, error) {
	if _, err := p.Instance(scope, instance); err != nil {
		return nil, err
	}
	return writing{p, instance}, nil
}

func (w writing) Instance() string { return w.instance }

func (w writing) As(who auth.Principal) (*rest.Config, error) { return w.as(w.instance, who), nil }

func (w writing) Mapper() meta.ResettableRESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(kinds["ConfigMap"], meta.RESTScopeNamespace)
	m.Add(model.PolicyPropagation.GVK(), meta.RESTScopeNamespace)
	m.Add(schema.GroupVersionKind{Group: "cluster.karmada.io", Version: "v1alpha1", Kind: "Cluster"}, meta.RESTScopeRoot)
	m.Add(schema.GroupVersionKind{Group: "apps.karmada.io", Version: "v1alpha1", Kind: "WorkloadRebalancer"}, meta.RESTScopeRoot)
	return fixed{m}
}

// DecodeCluster reads Karmada's object for a member.
func (p *process) DecodeCluster(name string, raw []byte) (*model.Cluster, error) {
	return (&instance.Fleet{}).DecodeCluster(name, raw)
}

// fixed is a mapper that has nothing to forget.
type fixed struct{ meta.RESTMapper }

func (fixed) Reset() {}
