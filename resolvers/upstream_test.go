package resolvers_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
)

// store stands in for Clusterpedia's HTTP API where the number of requests matters: it counts them, and
// answers like the real one for the parameters that Kairship sends.
type store struct {
	t testing.TB
	*httptest.Server
	// rows is how many Deployments each instance has, clusters in how many members each runs.
	rows, clusters int
	// broken makes requests for a resource fail: by status, or by hanging when it is 0.
	broken map[string]int
	// remember, when not nil, keeps answers: benchmarks are about who asks.
	remember map[string][]byte

	mu       sync.Mutex
	requests []string
}

func newStore(tb testing.TB, rows, clusters int) *store {
	s := &store{t: tb, rows: rows, clusters: clusters, broken: map[string]int{}}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(s.Close)
	return s
}

func (s *store) client() *pedia.Client {
	// Long, but for a store that hangs on purpose.
	timeout := 30 * time.Second
	for _, status := range s.broken {
		if status == 0 {
			timeout = 300 * time.Millisecond
		}
	}
	c, err := pedia.New(&rest.Config{Host: s.URL}, timeout)
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
	resource := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	s.mu.Lock()
	s.requests = append(s.requests, r.URL.String())
	known := s.remember[r.URL.String()]
	s.mu.Unlock()
	if known != nil {
		_, _ = w.Write(known)
		return
	}
	if status, broken := s.broken[resource]; broken {
		if status == 0 {
			<-r.Context().Done()
			return
		}
		http.Error(w, `{"kind":"Status","message":"broken on purpose"}`, status)
		return
	}
	items := []any{}
	q := r.URL.Query()
	for _, cluster := range strings.Split(q.Get("clusters"), ",") {
		switch resource {
		case "deployments":
			for i := range s.rows {
				items = append(items, s.deployment(cluster, fmt.Sprintf("app-%04d", i)))
			}
		case "resourcebindings":
			for _, name := range strings.Split(q.Get("names"), ",") {
				items = append(items, s.binding(cluster, name))
			}
		case "propagationpolicies":
			items = append(items, object(cluster, "shop", "everywhere", nil))
		}
	}
	items = s.filtered(q, items)
	total := len(items)
	if limit, err := strconv.Atoi(q.Get("limit")); err != nil {
		s.t.Errorf("a request without limit: %s", r.URL)
	} else {
		items = items[:min(limit, len(items))]
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"remainingItemCount": total - len(items)}, "items": items})
	if err != nil {
		s.t.Error(err)
	}
	if s.remember != nil {
		s.mu.Lock()
		s.remember[r.URL.String()] = body
		s.mu.Unlock()
	}
	_, _ = w.Write(body)
}

// filtered applies the keyset condition.
func (s *store) filtered(q map[string][]string, items []any) []any {
	where := strings.Join(q["whereSQLStatement"], "")
	if !strings.HasPrefix(where, "(cluster,namespace,name) >") {
		return items
	}
	raw, err := base64.StdEncoding.DecodeString(q["whereSQLJSONParams"][0])
	if err != nil {
		s.t.Error(err)
	}
	var params []string
	if err := json.Unmarshal(raw, &params); err != nil {
		s.t.Error(err)
	}
	after := pedia.Key{Cluster: params[0], Namespace: params[1], Name: params[2]}
	return slices.DeleteFunc(items, func(item any) bool {
		m := item.(map[string]any)["metadata"].(map[string]any)
		key := pedia.Key{Cluster: m["annotations"].(map[string]string)["shadow.clusterpedia.io/cluster-name"], Namespace: "shop", Name: m["name"].(string)}
		c := key.Compare(after)
		return c < 0 || c == 0 && !strings.Contains(where, ">=")
	})
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

func (s *store) deployment(cluster, name string) map[string]any {
	o := object(cluster, "shop", name, map[string]string{
		"propagationpolicy.karmada.io/namespace": "shop", "propagationpolicy.karmada.io/name": "everywhere",
	})
	o["spec"] = map[string]any{"replicas": 2}
	return o
}

func (s *store) binding(cluster, name string) map[string]any {
	app := strings.TrimSuffix(name, "-deployment")
	o := object(cluster, "shop", name, nil)
	var chosen, status []any
	for i := range s.clusters {
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
}

func (f *fleetOf) Instances(scope access.Scope) []*model.Instance {
	out := []*model.Instance{}
	for _, name := range f.instances {
		if i, err := f.Instance(scope, name); err == nil {
			out = append(out, i)
		}
	}
	return out
}

func (f *fleetOf) Instance(scope access.Scope, name string) (*model.Instance, error) {
	if !slices.Contains(f.instances, name) || !scope.Instance(name) {
		return nil, &model.Error{Code: model.CodeNotFound, Message: "there is no instance " + name}
	}
	if i := f.known[name]; i != nil {
		return i, nil
	}
	return &model.Instance{Name: name, State: model.InstanceRunning}, nil
}

func (f *fleetOf) Clusters(scope access.Scope, instance string) ([]*model.Cluster, error) {
	if f.down[instance] {
		return nil, model.InstanceUnavailable(instance, "its API server does not answer", nil)
	}
	out := []*model.Cluster{}
	for i := range f.clusters {
		out = append(out, f.cluster(instance, fmt.Sprintf("member-%02d", i)))
	}
	return out, nil
}

func (f *fleetOf) cluster(instance, name string) *model.Cluster {
	region, parity := "even", "even"
	if (name[len(name)-1]-'0')%2 == 1 {
		region, parity = "odd", "odd"
	}
	c := &model.Cluster{InstanceName: instance, Name: name, State: model.ClusterReady, SyncMode: model.SyncPush,
		Region: &region, Labels: []model.KeyValue{{Key: "parity", Value: parity}}}
	if f.down[instance] {
		c.State = model.ClusterUnknown
	}
	return c
}

func (f *fleetOf) Cluster(_ access.Scope, instance, name string) (*model.Cluster, error) {
	return f.cluster(instance, name), nil
}

func (f *fleetOf) ClusterStates(scope access.Scope, instance string) map[string]*model.Cluster {
	out := map[string]*model.Cluster{}
	for i := range f.clusters {
		name := fmt.Sprintf("member-%02d", i)
		out[name] = f.cluster(instance, name)
	}
	return out
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
