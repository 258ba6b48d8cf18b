package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unique"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// patience bounds what would otherwise hang, on a machine that has much else to do. It is no measure of speed.
const patience = time.Minute

var everything = rbac.NewAuthorizer([]string{"admins"}).Scope(auth.Principal{Name: "somebody", Groups: []string{"admins"}})

type connection struct {
	config *rest.Config
	done   chan struct{}
}

func (c *connection) Config() *rest.Config  { return c.config }
func (c *connection) Done() <-chan struct{} { return c.done }

// instances connects to one instance, "asia".
type instances struct {
	mu      sync.Mutex
	current *connection
}

func (f *instances) connect(_ rbac.Scope, instance string) (Connection, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if instance != "asia" || f.current == nil {
		return nil, notFound(instance)
	}
	return f.current, nil
}

// replace changes the connection; nil removes the instance.
func (f *instances) replace(s *livetest.APIServer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != nil {
		close(f.current.done)
	}
	f.current = nil
	if s != nil {
		f.current = &connection{config: s.Config(), done: make(chan struct{})}
	}
}

type fixture struct {
	*Hub
	t        *testing.T
	fleet    *instances
	registry *prometheus.Registry
}

func newFixture(t *testing.T, s *livetest.APIServer, change ...func(*Config)) *fixture {
	f := &fixture{t: t, fleet: &instances{}, registry: prometheus.NewRegistry()}
	f.fleet.replace(s)
	cfg := Config{
		Connect: f.fleet.connect, Linger: 50 * time.Millisecond, Interval: time.Millisecond, ReadyTimeout: patience, Registerer: f.registry,
		Logger:         slog.New(slog.DiscardHandler),
		DecodeWorkload: decodeWorkload, DecodeBinding: decodeBinding, DecodeCluster: decodeCluster, Compute: compute,
		ChangesAt: func(*model.WorkloadMeta, *model.Propagation) *time.Time { return nil },
	}
	for _, c := range change {
		c(&cfg)
	}
	f.Hub = New(cfg)
	t.Cleanup(f.Close)
	return f
}

// metric is the sum of a metric over its labels.
func (f *fixture) metric(name string) float64 {
	f.t.Helper()
	families, err := f.registry.Gather()
	if err != nil {
		f.t.Fatal(err)
	}
	sum := 0.0
	for _, family := range families {
		if family.GetName() == name {
			for _, m := range family.Metric {
				sum += m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

// knows is a Deployment as the hub sees it; nil when it sees none.
func (f *fixture) knows(t *testing.T, namespace, name string) *model.WorkloadMeta {
	t.Helper()
	in, err := f.instance("asia")
	if err != nil {
		t.Fatal(err)
	}
	in.board.mu.Lock()
	defer in.board.mu.Unlock()
	w := in.board.views[unique.Make(model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: namespace, Name: name})]
	if w == nil {
		return nil
	}
	return w.Meta()
}

// subscriber reads a stream of workloads.
type subscriber struct {
	t  *testing.T
	ch <-chan *model.WorkloadChange
}

func (f *fixture) workloads(ctx context.Context, filter *model.WorkloadFilter) *subscriber {
	f.t.Helper()
	return f.workloadsOf(ctx, everything, filter)
}

func (f *fixture) workloadsOf(ctx context.Context, scope rbac.Scope, filter *model.WorkloadFilter) *subscriber {
	f.t.Helper()
	ch, err := f.Workloads(ctx, scope, "asia", filter)
	if err != nil {
		f.t.Fatalf("Workloads: %v", err)
	}
	return &subscriber{f.t, ch}
}

// want reads one change for each line and compares: "TYPE namespace/name cluster=HEALTH …".
func (s *subscriber) want(lines ...string) {
	s.t.Helper()
	var got []string
	for range lines {
		got = append(got, s.next())
	}
	if diff := cmp.Diff(lines, got); diff != "" {
		s.t.Fatalf("changes (-want +got):\n%s", diff)
	}
}

func (s *subscriber) next() string {
	s.t.Helper()
	select {
	case c, ok := <-s.ch:
		if !ok {
			return "closed"
		}
		return describe(c)
	case <-time.After(patience):
		s.t.Fatal("no change came")
		return ""
	}
}

func describe(c *model.WorkloadChange) string {
	if c.Node == nil {
		return string(c.Type)
	}
	m := c.Node.Meta()
	parts := []string{string(c.Type), m.Ref.Namespace + "/" + m.Ref.Name}
	for _, t := range m.Live.Targets {
		parts = append(parts, fmt.Sprintf("%s=%s", t.ClusterName, t.Healthy.Value))
	}
	return strings.Join(parts, " ")
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("never happened: %s", what)
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
}

func deployment(namespace, name string) map[string]any {
	return map[string]any{"metadata": map[string]any{"namespace": namespace, "name": name}}
}

func binding(namespace, name string, clusters ...string) map[string]any {
	return map[string]any{
		"metadata": map[string]any{"namespace": namespace, "name": name + "-deployment"},
		"spec":     map[string]any{"name": name, "clusters": clusters},
	}
}

func cluster(name string, state model.ClusterState) map[string]any {
	return map[string]any{"metadata": map[string]any{"name": name}, "state": state}
}

type rawObject struct {
	Metadata struct{ Namespace, Name, UID, ResourceVersion string }
	Spec     struct {
		Name     string
		Clusters []string
	}
	State model.ClusterState
}

func decodeWorkload(instance string, kind model.WorkloadKind, raw []byte) (model.Workload, error) {
	var o rawObject
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, err
	}
	if o.Metadata.Name == "broken" {
		return nil, errors.New("cannot be read")
	}
	meta := model.WorkloadMeta{WorkloadKind: kind, Object: model.Object{UID: o.Metadata.UID, ResourceVersion: o.Metadata.ResourceVersion,
		Ref: model.Ref{Instance: instance, GVK: kind.GVK(), Namespace: o.Metadata.Namespace, Name: o.Metadata.Name}}}
	if kind == model.KindJob {
		return &model.Job{WorkloadMeta: meta}, nil
	}
	return &model.Deployment{WorkloadMeta: meta}, nil
}

func decodeBinding(instance string, raw []byte) (*model.ResourceBinding, error) {
	var o rawObject
	err := json.Unmarshal(raw, &o)
	b := &model.ResourceBinding{Object: model.Object{Ref: model.Ref{Instance: instance, Namespace: o.Metadata.Namespace, Name: o.Metadata.Name}},
		Resource: model.BoundResource{GVK: model.KindDeployment.GVK(), Namespace: o.Metadata.Namespace, Name: o.Spec.Name}}
	for _, c := range o.Spec.Clusters {
		b.Clusters = append(b.Clusters, model.BindingCluster{ClusterName: c})
	}
	return b, err
}

func decodeCluster(instance string, raw []byte) (*model.Cluster, error) {
	var o rawObject
	err := json.Unmarshal(raw, &o)
	return &model.Cluster{InstanceName: instance, Name: o.Metadata.Name, UID: o.Metadata.UID, ResourceVersion: o.Metadata.ResourceVersion, State: o.State}, err
}

// compute makes a target healthy where its cluster is READY.
func compute(_ *model.WorkloadMeta, b *model.ResourceBinding, clusters map[string]*model.Cluster) *model.Propagation {
	p := &model.Propagation{Binding: b}
	if b == nil {
		return p
	}
	for _, c := range b.Clusters {
		t := &model.PropagationTarget{ClusterName: c.ClusterName, Healthy: model.Fact{Value: model.FactUnknown}}
		if known := clusters[c.ClusterName]; known != nil && known.State == model.ClusterReady {
			t.Healthy.Value = model.FactTrue
		}
		p.Targets = append(p.Targets, t)
	}
	return p
}

func wantCode(t *testing.T, err error, want model.Code) {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) || e.Code != want {
		t.Fatalf("error = %v, want code %s", err, want)
	}
}
