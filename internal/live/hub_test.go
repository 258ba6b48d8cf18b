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

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
)

const patience = 10 * time.Second

var everything = access.NewAuthorizer([]string{"admins"}).Scope(access.Principal{Name: "somebody", Groups: []string{"admins"}})

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

func (f *instances) connect(_ access.Scope, instance string) (Connection, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if instance != "asia" || f.current == nil {
		return nil, notFound(instance)
	}
	return f.current, nil
}

// replace changes the connection; nil removes the instance.
func (f *instances) replace(s *apiServer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != nil {
		close(f.current.done)
	}
	f.current = nil
	if s != nil {
		f.current = &connection{config: s.config(), done: make(chan struct{})}
	}
}

type fixture struct {
	*Hub
	t        *testing.T
	fleet    *instances
	registry *prometheus.Registry
}

func newFixture(t *testing.T, s *apiServer, change ...func(*Config)) *fixture {
	f := &fixture{t: t, fleet: &instances{}, registry: prometheus.NewRegistry()}
	f.fleet.replace(s)
	cfg := Config{
		Connect: f.fleet.connect, Linger: 50 * time.Millisecond, ReadyTimeout: patience, Registerer: f.registry,
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
	w := in.board.views[model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: namespace, Name: name}]
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
	ch, err := f.Workloads(ctx, everything, "asia", filter)
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
	return &model.Cluster{InstanceName: instance, Name: o.Metadata.Name, State: o.State}, err
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

func TestWorkloadsAreJoinedAndFollowed(t *testing.T) {
	s := newAPIServer(t)
	for _, name := range []string{"a", "b", "c"} {
		s.put("deployments", deployment("shop", name))
	}
	s.put("resourcebindings", binding("shop", "a", "hangzhou", "tokyo"))
	s.put("clusters", cluster("hangzhou", model.ClusterReady))
	f := newFixture(t, s)

	sub := f.workloads(t.Context(), nil)
	sub.want("SNAPSHOT shop/a hangzhou=TRUE tokyo=UNKNOWN", "SNAPSHOT shop/b", "SNAPSHOT shop/c", "SYNCED")

	s.put("resourcebindings", binding("shop", "b", "hangzhou"))
	sub.want("MODIFIED shop/b hangzhou=TRUE") // a binding's change is its workload's
	s.put("clusters", cluster("hangzhou", model.ClusterOffline))
	got := map[string]bool{sub.next(): true, sub.next(): true}
	if diff := cmp.Diff(map[string]bool{
		"MODIFIED shop/a hangzhou=UNKNOWN tokyo=UNKNOWN": true, "MODIFIED shop/b hangzhou=UNKNOWN": true}, got); diff != "" {
		t.Fatalf("a cluster's change reaches the workloads in it (-want +got):\n%s", diff)
	}
	s.put("deployments", deployment("shop", "d"))
	sub.want("ADDED shop/d")
	s.put("deployments", deployment("shop", "d"))
	sub.want("MODIFIED shop/d")
	s.drop("resourcebindings", "shop", "b-deployment")
	sub.want("MODIFIED shop/b")
	s.drop("deployments", "shop", "a")
	sub.want("DELETED shop/a hangzhou=UNKNOWN tokyo=UNKNOWN")
}

func TestFilters(t *testing.T) {
	web := "web"
	for _, tc := range []struct {
		name   string
		filter *model.WorkloadFilter
		want   []string
	}{
		{"no filter shows everything", nil, []string{"SNAPSHOT ops/web-1", "SNAPSHOT shop/web-1", "SNAPSHOT shop/web-2", "SNAPSHOT shop/work", "SYNCED"}},
		{"namespaces are any of the list", &model.WorkloadFilter{Namespaces: []string{"ops"}}, []string{"SNAPSHOT ops/web-1", "SYNCED"}},
		{"kinds are any of the list", &model.WorkloadFilter{Kinds: []model.WorkloadKind{model.KindJob}}, []string{"SNAPSHOT shop/work", "SYNCED"}},
		{"fields are combined with AND", &model.WorkloadFilter{NameContains: &web, Namespaces: []string{"shop"}}, []string{"SNAPSHOT shop/web-1", "SNAPSHOT shop/web-2", "SYNCED"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newAPIServer(t)
			s.put("deployments", deployment("shop", "web-1"))
			s.put("deployments", deployment("shop", "web-2"))
			s.put("deployments", deployment("ops", "web-1"))
			s.put("jobs", deployment("shop", "work"))
			newFixture(t, s).workloads(t.Context(), tc.filter).want(tc.want...)
		})
	}
}

func TestOneWorkload(t *testing.T) {
	s := newAPIServer(t)
	s.put("deployments", deployment("shop", "other"))
	f := newFixture(t, s)
	ref := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "web"}
	ch, err := f.Workload(t.Context(), everything, ref)
	if err != nil {
		t.Fatal(err)
	}
	sub := &subscriber{t, ch}
	sub.want("SYNCED")
	s.put("deployments", deployment("shop", "web"))
	sub.want("ADDED shop/web")
	if n := s.count(s.watches, "jobs"); n != 0 {
		t.Errorf("jobs were watched %d times for a Deployment", n)
	}
}

func TestClusters(t *testing.T) {
	s := newAPIServer(t)
	s.put("clusters", cluster("hangzhou", model.ClusterReady))
	f := newFixture(t, s)
	ch, err := f.Clusters(t.Context(), everything, "asia")
	if err != nil {
		t.Fatal(err)
	}
	next := func() string {
		select {
		case c := <-ch:
			if c.Node == nil {
				return string(c.Type)
			}
			return fmt.Sprint(c.Type, " ", c.Node.Name, " ", c.Node.State)
		case <-time.After(patience):
			return "nothing"
		}
	}
	got := []string{next(), next()}
	s.put("clusters", cluster("hangzhou", model.ClusterReady)) // a heartbeat is no change
	s.put("clusters", cluster("hangzhou", model.ClusterOffline))
	got = append(got, next())
	s.drop("clusters", "<nil>", "hangzhou")
	got = append(got, next())
	want := []string{"SNAPSHOT hangzhou READY", "SYNCED", "MODIFIED hangzhou OFFLINE", "DELETED hangzhou OFFLINE"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("changes (-want +got):\n%s", diff)
	}
	if n := s.count(s.watches, "deployments"); n != 0 {
		t.Errorf("deployments were watched %d times for clusters", n)
	}
}

func TestManySubscribersShareOneWatch(t *testing.T) {
	s := newAPIServer(t)
	s.put("deployments", deployment("shop", "a"))
	f := newFixture(t, s)
	ctx, leave := context.WithCancel(t.Context())
	var subs []*subscriber
	for range 50 {
		subs = append(subs, f.workloads(ctx, nil))
	}
	for _, sub := range subs {
		sub.want("SNAPSHOT shop/a", "SYNCED")
	}
	for _, resource := range []string{"deployments", "statefulsets", "daemonsets", "jobs", "cronjobs", "resourcebindings", "clusters"} {
		if lists, watches := s.count(s.lists, resource), s.count(s.watches, resource); lists != 1 || watches != 1 {
			t.Errorf("%s: %d lists and %d watches, want 1 and 1", resource, lists, watches)
		}
	}
	if got := f.metric("kairship_live_subscribers"); got != 50 {
		t.Errorf("subscribers = %v, want 50", got)
	}
	if got := f.metric("kairship_live_watches"); got != 7 {
		t.Errorf("watches = %v, want 7", got)
	}
	leave()
	eventually(t, "watches stop after the last subscriber left", func() bool {
		return s.openWatches() == 0 && f.metric("kairship_live_watches") == 0 && f.metric("kairship_live_subscribers") == 0
	})
	f.workloads(t.Context(), nil).want("SNAPSHOT shop/a", "SYNCED")
}

func TestWatchesLingerForTheNextSubscriber(t *testing.T) {
	s := newAPIServer(t)
	f := newFixture(t, s, func(c *Config) { c.Linger = time.Hour })
	for range 3 {
		ctx, leave := context.WithCancel(t.Context())
		f.workloads(ctx, nil).want("SYNCED")
		leave()
		eventually(t, "the subscriber left", func() bool { return f.metric("kairship_live_subscribers") == 0 })
	}
	if n := s.count(s.watches, "deployments"); n != 1 {
		t.Errorf("%d watches for three visits, want 1", n)
	}
}

func TestWhatHappenedWhileDisconnectedIsToldOnce(t *testing.T) {
	for _, tc := range []struct {
		name string
		when func(*apiServer, *fixture)
		// lists is how often deployments are listed: again only when continuing is impossible.
		lists int
	}{
		{"a watch that ends continues where it was", func(s *apiServer, _ *fixture) { s.refuse(true) }, 1},
		{"a watch whose version is Gone lists again", func(s *apiServer, _ *fixture) { s.refuse(true); s.compact() }, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newAPIServer(t)
			s.put("deployments", deployment("shop", "kept"))
			s.put("deployments", deployment("shop", "removed"))
			f := newFixture(t, s)
			sub := f.workloads(t.Context(), nil)
			sub.want("SNAPSHOT shop/kept", "SNAPSHOT shop/removed", "SYNCED")

			s.refuse(true)
			s.drop("deployments", "shop", "removed")
			s.put("deployments", deployment("shop", "new"))
			tc.when(s, f)
			s.refuse(false)
			got := map[string]bool{sub.next(): true, sub.next(): true}
			if diff := cmp.Diff(map[string]bool{"DELETED shop/removed": true, "ADDED shop/new": true}, got); diff != "" {
				t.Fatalf("changes (-want +got):\n%s", diff)
			}
			s.put("deployments", deployment("shop", "later"))
			sub.want("ADDED shop/later")
			if n := s.count(s.lists, "deployments"); n != tc.lists {
				t.Errorf("deployments were listed %d times, want %d", n, tc.lists)
			}
			if f.metric("kairship_live_watch_restarts_total") == 0 {
				t.Error("restarts were not counted")
			}
		})
	}
}

func TestAReplacedConnectionIsFollowed(t *testing.T) {
	old, next := newAPIServer(t), newAPIServer(t)
	old.put("deployments", deployment("shop", "both"))
	old.put("deployments", deployment("shop", "only-old"))
	next.put("deployments", deployment("shop", "both"))
	f := newFixture(t, old)
	sub := f.workloads(t.Context(), &model.WorkloadFilter{Kinds: []model.WorkloadKind{model.KindDeployment}})
	sub.want("SNAPSHOT shop/both", "SNAPSHOT shop/only-old", "SYNCED")
	f.fleet.replace(next)
	for sub.next() != "DELETED shop/only-old" { // "both" may be told as MODIFIED: it is another object
	}
	next.put("deployments", deployment("shop", "later"))
	for sub.next() != "ADDED shop/later" {
	}
	eventually(t, "the old server is left alone", func() bool { return old.openWatches() == 0 })
}

func TestAnInstanceThatIsRemovedEndsItsStreams(t *testing.T) {
	s := newAPIServer(t)
	f := newFixture(t, s)
	sub := f.workloads(t.Context(), nil)
	sub.want("SYNCED")
	f.fleet.replace(nil)
	sub.want("closed")
	_, err := f.Workloads(t.Context(), everything, "asia", nil)
	wantCode(t, err, model.CodeNotFound)
	f.fleet.replace(s)
	f.workloads(t.Context(), nil).want("SYNCED")
}

func TestSubscribingIsRefused(t *testing.T) {
	s := newAPIServer(t)
	bad := "UPPER"
	for _, tc := range []struct {
		name string
		try  func(*fixture) error
		want model.Code
	}{
		{"without any right", func(f *fixture) error {
			_, err := f.Workloads(t.Context(), access.Scope{}, "asia", nil)
			return err
		}, model.CodeForbidden},
		{"to an instance that does not exist", func(f *fixture) error {
			_, err := f.Clusters(t.Context(), everything, "mars")
			return err
		}, model.CodeNotFound},
		{"with a malformed filter", func(f *fixture) error {
			_, err := f.Workloads(t.Context(), everything, "asia", &model.WorkloadFilter{NameContains: &bad})
			return err
		}, model.CodeBadUserInput},
		{"with instances in the filter", func(f *fixture) error {
			_, err := f.Workloads(t.Context(), everything, "asia", &model.WorkloadFilter{Instances: []string{"asia"}})
			return err
		}, model.CodeBadUserInput},
		{"to something that is no workload", func(f *fixture) error {
			_, err := f.Workload(t.Context(), everything, model.Ref{Instance: "asia", Name: "x"})
			return err
		}, model.CodeBadUserInput},
	} {
		t.Run(tc.name, func(t *testing.T) {
			wantCode(t, tc.try(newFixture(t, s)), tc.want)
			if n := s.openWatches(); n != 0 {
				t.Errorf("%d watches were opened", n)
			}
		})
	}
}

func TestAKarmadaThatIsDownIsToldInTime(t *testing.T) {
	s := newAPIServer(t)
	s.refuse(true)
	f := newFixture(t, s, func(c *Config) { c.ReadyTimeout = 200 * time.Millisecond })
	_, err := f.Workloads(t.Context(), everything, "asia", nil)
	wantCode(t, err, model.CodeUnavailable)
	var e *model.Error
	if errors.As(err, &e); e.Instance != "asia" || !e.Retryable {
		t.Errorf("error does not name the instance or is not retryable: %+v", e)
	}
}

func TestAKarmadaThatWentDownIsNotShownAsPresent(t *testing.T) {
	s := newAPIServer(t)
	f := newFixture(t, s, func(c *Config) { c.ReadyTimeout = 200 * time.Millisecond })
	f.workloads(t.Context(), nil).want("SYNCED")
	s.refuse(true)
	eventually(t, "the watches notice", func() bool { return f.metric("kairship_live_watch_restarts_total") >= 7 })
	_, err := f.Workloads(t.Context(), everything, "asia", nil)
	wantCode(t, err, model.CodeUnavailable)
}

func TestABrokenObjectHidesNoOther(t *testing.T) {
	s := newAPIServer(t)
	s.put("deployments", deployment("shop", "broken"))
	s.put("deployments", deployment("shop", "whole"))
	newFixture(t, s).workloads(t.Context(), nil).want("SNAPSHOT shop/whole", "SYNCED")
}

func TestAStateThatPassesWithTimeIsTold(t *testing.T) {
	s := newAPIServer(t)
	s.put("deployments", deployment("shop", "settling"))
	f := newFixture(t, s, func(c *Config) {
		at := time.Now().Add(300 * time.Millisecond)
		c.ChangesAt = func(*model.WorkloadMeta, *model.Propagation) *time.Time { return &at }
	})
	f.workloads(t.Context(), nil).want("SNAPSHOT shop/settling", "SYNCED", "MODIFIED shop/settling")
}

func TestASlowReaderGetsTheLastStateAndIsToldWhatItLost(t *testing.T) {
	s := newAPIServer(t)
	for i := range 3 {
		s.put("deployments", deployment("shop", fmt.Sprintf("w%d", i)))
	}
	f := newFixture(t, s, func(c *Config) { c.Buffer = 4 })
	slow := f.workloads(t.Context(), nil)
	slow.want("SNAPSHOT shop/w0", "SNAPSHOT shop/w1", "SNAPSHOT shop/w2", "SYNCED")

	last := ""
	for range 20 {
		d := deployment("shop", "w0")
		s.put("deployments", d)
		last = d["metadata"].(map[string]any)["resourceVersion"].(string)
	}
	eventually(t, "the last change arrived", func() bool { return f.knows(t, "shop", "w0").ResourceVersion == last })
	reads := 1
	for ; (<-slow.ch).Node.Meta().ResourceVersion != last; reads++ {
	}
	if reads > 2 { // one was on its way already; after it comes the last
		t.Errorf("a slow reader was sent %d of 20 states of one object, want at most 2", reads)
	}
	if n := f.metric("kairship_live_coalesced_events_total"); n < 18 {
		t.Errorf("%v changes were counted as coalesced, want at least 18", n)
	}

	s.drop("deployments", "shop", "w1")
	for i := range 20 {
		s.put("deployments", deployment("shop", fmt.Sprintf("n%02d", i)))
	}
	eventually(t, "everything arrived", func() bool { return f.knows(t, "shop", "n19") != nil })
	eventually(t, "the buffer overflowed", func() bool { return f.metric("kairship_live_buffer_overflows_total") >= 1 })
	var got []string
	for {
		line := slow.next()
		if line == "RESYNC" {
			break
		}
	}
	for {
		line := slow.next()
		if line == "SYNCED" {
			break
		}
		got = append(got, line)
	}
	if len(got) != 22 || strings.Contains(strings.Join(got, ","), "w1") {
		t.Fatalf("after RESYNC %d objects, want 22 without w1: %v", len(got), got)
	}
	for _, line := range got {
		if !strings.HasPrefix(line, "SNAPSHOT ") {
			t.Errorf("between RESYNC and SYNCED: %s", line)
		}
	}
}

func TestNothingIsLeftRunning(t *testing.T) {
	s := newAPIServer(t)
	s.put("deployments", deployment("shop", "a"))
	before := runtime.NumGoroutine()
	f := newFixture(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 10 {
		f.workloads(ctx, nil) // never read
	}
	f.Close()
	s.CloseClientConnections()
	eventually(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
	if _, err := f.Workloads(ctx, everything, "asia", nil); err == nil {
		t.Error("a closed hub took a subscriber")
	}
}

func wantCode(t *testing.T, err error, want model.Code) {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) || e.Code != want {
		t.Fatalf("error = %v, want code %s", err, want)
	}
}
