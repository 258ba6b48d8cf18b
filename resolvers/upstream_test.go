package resolvers_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/prometheus"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// store stands in for Clusterpedia's HTTP API where requests matter: it counts them, and fails them on purpose.
type store struct {
	t testing.TB
	*httptest.Server
	standin pediatest.Standin
	// broken makes requests for a resource fail: by status, or by hanging when it is 0.
	broken map[string]int
	// breaks says how a request fails; 0 for not at all. Nil for none but the broken ones.
	breaks func(address string, q sql.Query) int
	// remember, when not nil, keeps answers: benchmarks are about who asks.
	remember map[string][]byte
	// timeout is how long a request is waited for; 0 for the usual.
	timeout time.Duration
	// hangs says of each request, as it comes, that it is never answered; nil for none.
	hangs func() bool

	// servers are the API servers beside the store.
	servers servers

	mu       sync.Mutex
	requests []string
}

// servers stand in for the API servers of Karmadas and members: they hold Widgets, and note what they are asked.
type servers struct {
	mu    sync.Mutex
	asked []string
}

func (s *servers) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, fmt.Sprintf(format, args...))
}

// all is what they were asked.
func (s *servers) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *servers) GetAll(_ context.Context, _ kubeapi.Who, refs []model.Ref) []kubeapi.Result {
	out := make([]kubeapi.Result, len(refs))
	for i, ref := range refs {
		s.note("get %s/%s/%s", ref.Instance, ref.Namespace, ref.Name)
		out[i].Raw = widget(ref.Name)
	}
	return out
}

func (s *servers) List(_ context.Context, q kubeapi.Query) (*kubeapi.Page, error) {
	s.note("list %s/%s %s", q.Instance, q.Cluster, q.GVK.Kind)
	return &kubeapi.Page{}, nil
}

func (s *servers) Kind(_ context.Context, _ rbac.Scope, instance, cluster string, kind schema.GroupVersionKind) (*model.APIResource, error) {
	s.note("kind %s/%s %s", instance, cluster, kind.Kind)
	return &model.APIResource{Group: kind.Group, Version: kind.Version, Kind: kind.Kind, Name: plural(kind.Kind), Scope: model.ScopeNamespaced}, nil
}

func (s *servers) APIResources(_ context.Context, _ rbac.Scope, instance string) ([]*model.APIResource, error) {
	s.note("kinds %s", instance)
	return nil, nil
}

// newStore holds so many Deployments of each instance, each of which runs in so many members.
func newStore(tb testing.TB, rows, clusters int) *store {
	tb.Helper()
	var all []pediatest.Row
	for _, instance := range []string{"asia", "europe"} {
		cluster := pediacluster.OfInstance(instance)
		for i := range rows {
			name := fmt.Sprintf("app-%04d", i)
			all = append(all, row("apps/v1", "deployments", "Deployment", cluster, deployment(cluster, name)),
				row("work.karmada.io/v1alpha2", "resourcebindings", "ResourceBinding", cluster, binding(cluster, name, clusters)))
		}
		all = append(all, row("policy.karmada.io/v1alpha1", "propagationpolicies", "PropagationPolicy", cluster, object(cluster, "shop", "everywhere", nil)))
	}
	return newStoreOf(tb, all)
}

// newStoreOf holds these rows.
func newStoreOf(tb testing.TB, rows []pediatest.Row) *store {
	tb.Helper()
	s := &store{t: tb, broken: map[string]int{}, standin: pediatest.Standin{Rows: func(sql.Query) []pediatest.Row { return rows }}}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(s.Close)
	return s
}

func (s *store) client() *pedia.Client {
	// Long, but for a store that hangs on purpose.
	timeout := cmp.Or(s.timeout, testenv.Timeout)
	for _, status := range s.broken {
		if status == 0 {
			timeout = 300 * time.Millisecond
		}
	}
	c, err := s.standin.Client(&rest.Config{Host: s.URL}, timeout)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func (s *store) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	address := r.URL.RequestURI()
	s.mu.Lock()
	s.requests = append(s.requests, address)
	known, hangs := s.remember[address], s.hangs
	s.mu.Unlock()
	if known != nil {
		_, _ = w.Write(known)
		return
	}
	if hangs != nil && hangs() {
		<-r.Context().Done()
		return
	}
	if status, breaks := s.breaksAt(r); breaks {
		if status == 0 {
			<-r.Context().Done()
			return
		}
		http.Error(w, `{"kind":"Status","message":"broken on purpose"}`, status)
		return
	}
	body, err := s.standin.Answer(r)
	if err != nil {
		s.t.Error(err)
	}
	if s.remember != nil {
		s.mu.Lock()
		s.remember[address] = body
		s.mu.Unlock()
	}
	_, _ = w.Write(body)
}

// breaksAt says whether a request fails, and how.
func (s *store) breaksAt(r *http.Request) (status int, breaks bool) {
	q, ok := s.standin.Asked(r)
	if !ok {
		s.t.Errorf("nobody asked for %s", r.URL)
	}
	for _, gvr := range q.GVRs {
		if status, breaks := s.broken[gvr.Resource]; breaks {
			return status, true
		}
	}
	if s.breaks != nil {
		status = s.breaks(r.URL.RequestURI(), q)
	}
	return status, status != 0
}

// row is an object as the store holds it: without apiVersion and kind.
func row(apiVersion, resource, kind, cluster string, o map[string]any) pediatest.Row {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		panic(err) //nolint:forbidigo // a fixture that is none
	}
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err) //nolint:forbidigo // a fixture that is none
	}
	return pediatest.Row{Row: sql.Row{Cluster: cluster, GVR: gv.WithResource(resource), Raw: raw}, Kind: kind}
}

func object(cluster, namespace, name string, annotations map[string]string) map[string]any {
	all := map[string]string{"shadow.clusterpedia.io/cluster-name": cluster}
	for k, v := range annotations {
		all[k] = v
	}
	return map[string]any{"metadata": map[string]any{
		"namespace": namespace, "name": name, "uid": cluster + "/" + name, "generation": 1,
		"creationTimestamp": "2026-01-01T00:00:00Z", "annotations": all,
	}}
}

func deployment(cluster, name string) map[string]any {
	o := object(cluster, "shop", name, map[string]string{
		"propagationpolicy.karmada.io/namespace": "shop", "propagationpolicy.karmada.io/name": "everywhere",
	})
	o["spec"] = map[string]any{"replicas": 2}
	return o
}

// binding is that of a Deployment that runs in so many members.
func binding(cluster, app string, clusters int) map[string]any {
	o := object(cluster, "shop", app+"-deployment", nil)
	var chosen, status []any
	for i := range clusters {
		member := fmt.Sprintf("member-%02d", i)
		chosen = append(chosen, map[string]any{"name": member, "replicas": 2})
		status = append(status, map[string]any{"clusterName": member, "applied": true, "health": "Healthy",
			"status": map[string]any{"replicas": 2, "readyReplicas": 2, "updatedReplicas": 2, "availableReplicas": 2, "generation": 1, "resourceTemplateGeneration": 1, "observedGeneration": 1}})
	}
	o["spec"] = map[string]any{"clusters": chosen, "replicas": 2,
		"resource": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": app, "uid": cluster + "/" + app}}
	o["status"] = map[string]any{"schedulerObservedGeneration": 1, "aggregatedStatus": status, "conditions": []any{
		map[string]any{"type": "Scheduled", "status": "True", "reason": "Success", "lastTransitionTime": "2026-01-01T00:00:00Z"},
		map[string]any{"type": "FullyApplied", "status": "True", "reason": "FullyAppliedSuccess", "lastTransitionTime": "2026-01-01T00:00:00Z"},
	}}
	return o
}

// fleetOf is a fleet in memory, as the real one is once it has synced.
type fleetOf struct {
	instances []string
	clusters  int
	// down are instances whose Karmada does not answer.
	down map[string]bool
	// unsynced are resources that the read store does not hold.
	unsynced map[string]bool
	// unsyncedOf is an instance that the read store does not know.
	unsyncedOf string
	// known is the instances of which more is to be told than their names.
	known map[string]*model.Instance
	// history is what clusters reported before; nil for none.
	history *prometheus.Client
}

func (f *fleetOf) Instances(scope rbac.Scope) []*model.Instance {
	out := []*model.Instance{}
	for _, name := range f.instances {
		if i, err := f.Instance(scope, name); err == nil {
			out = append(out, i)
		}
	}
	return out
}

func (f *fleetOf) Instance(scope rbac.Scope, name string) (*model.Instance, error) {
	if !slices.Contains(f.instances, name) || !scope.Instance(name) {
		return nil, &model.Error{Code: model.CodeNotFound, Message: "there is no instance " + name}
	}
	if i := f.known[name]; i != nil {
		return i, nil
	}
	return &model.Instance{Name: name, State: model.InstanceRunning}, nil
}

func (f *fleetOf) Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error) {
	if f.down[instance] {
		return nil, model.InstanceUnavailable(instance, "its API server does not answer", nil)
	}
	out := []*model.Cluster{}
	for i := range f.clusters {
		out = append(out, f.cluster(instance, fmt.Sprintf("member-%02d", i)))
	}
	return out, nil
}

// Unjoinable is for no cluster: none of these is held by two instances.
func (f *fleetOf) Unjoinable(rbac.Scope, string, string, string) (string, error) { return "", nil }

func (f *fleetOf) cluster(instance, name string) *model.Cluster {
	region, parity := "even", "even"
	if (name[len(name)-1]-'0')%2 == 1 {
		region, parity = "odd", "odd"
	}
	c := &model.Cluster{InstanceName: instance, Name: name, UID: "Cluster/" + name, State: model.ClusterReady, SyncMode: model.SyncPush, CreatedAt: time.Unix(1, 0),
		Region: &region, Labels: []model.KeyValue{{Key: "parity", Value: parity}}}
	if f.down[instance] {
		c.State = model.ClusterUnknown
	}
	return c
}

func (f *fleetOf) Cluster(_ rbac.Scope, instance, name string) (*model.Cluster, error) {
	if name == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	return f.cluster(instance, name), nil
}

func (f *fleetOf) ClusterStates(scope rbac.Scope, instance string) map[string]*model.Cluster {
	out := map[string]*model.Cluster{}
	for i := range f.clusters {
		name := fmt.Sprintf("member-%02d", i)
		out[name] = f.cluster(instance, name)
	}
	return out
}

// ClusterObjects are members that serve what the world holds.
func (f *fleetOf) ClusterObjects(_ rbac.Scope, instance string) ([]*clusterv1alpha1.Cluster, error) {
	if f.down[instance] {
		return nil, model.InstanceUnavailable(instance, "its API server does not answer", nil)
	}
	var out []*clusterv1alpha1.Cluster
	for i := range f.clusters {
		c := &clusterv1alpha1.Cluster{}
		c.Name = fmt.Sprintf("member-%02d", i)
		for _, gvk := range kinds {
			c.Status.APIEnablements = append(c.Status.APIEnablements, clusterv1alpha1.APIEnablement{GroupVersion: gvk.GroupVersion().String(), Resources: []clusterv1alpha1.APIResource{{Kind: gvk.Kind}}})
		}
		out = append(out, c)
	}
	return out, nil
}

func (f *fleetOf) Freshness(string, string) *model.Freshness {
	return &model.Freshness{State: model.FreshnessLive}
}

func (f *fleetOf) Synced(instance, _ string, gvr schema.GroupVersionResource) error {
	if f.unsynced[gvr.Resource] || instance == f.unsyncedOf {
		return &model.Error{Code: model.CodeNotSynced, Instance: instance, Message: "the read store does not hold " + gvr.Resource + " yet"}
	}
	return nil
}

func pageOf(first int) model.Page { return model.Page{First: first} }
