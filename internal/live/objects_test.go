package live

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// line is a change as text: its type, and the namespace and name of its object.
func line(kind model.ChangeType, id *string) string {
	if id == nil {
		return string(kind)
	}
	parsed, err := model.ParseID(*id)
	if err != nil {
		return err.Error()
	}
	if parsed.IsInstance() {
		return string(kind) + " " + parsed.Ref.Instance
	}
	return strings.TrimSuffix(fmt.Sprintf("%s %s %s/%s", kind, parsed.Ref.GVK.Kind, parsed.Ref.Namespace, parsed.Ref.Name), "/")
}

// nextLine reads one change.
func nextLine[C any](t *testing.T, from <-chan C, describe func(C) string) string {
	t.Helper()
	select {
	case c, open := <-from:
		if !open {
			return "closed"
		}
		return describe(c)
	case <-time.After(patience):
		t.Fatal("no change came")
		return ""
	}
}

// wantLines reads one change for each line and compares.
func wantLines[C any](t *testing.T, from <-chan C, describe func(C) string, lines ...string) {
	t.Helper()
	var got []string
	for range lines {
		got = append(got, nextLine(t, from, describe))
	}
	if diff := cmp.Diff(lines, got); diff != "" {
		t.Fatalf("changes (-want +got):\n%s", diff)
	}
}

func resourceLine(c *model.KubernetesResourceChange) string { return line(c.Type, c.ID) }

var (
	secrets     = Resource{Kind: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Name: "secrets"}
	deployments = Resource{Kind: model.KindDeployment.GVK(), Name: "deployments"}
)

func object(namespace, name string, more ...any) map[string]any {
	meta := map[string]any{"name": name}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	out := map[string]any{"metadata": meta}
	for i := 0; i < len(more); i += 2 {
		out[more[i].(string)] = more[i+1]
	}
	return out
}

// Of what is not on the page nothing is sent, however much of it there is.
func TestOnlyTheChosenAreSent(t *testing.T) {
	s := livetest.New(t)
	for _, name := range []string{"a", "b", "c"} {
		s.Put("deployments", deployment("shop", name))
		s.Put("secrets", object("shop", name))
		s.Put("propagationpolicies", object("shop", name))
	}
	f := newFixture(t, s)
	id := func(kind schema.GroupVersionKind, name string) string {
		return model.Ref{Instance: "asia", GVK: kind, Namespace: "shop", Name: name}.ID()
	}
	page, err := f.Workloads(t.Context(), everything, "asia", nil, id(model.KindDeployment.GVK(), "b"), id(model.KindDeployment.GVK(), "none"))
	if err != nil {
		t.Fatal(err)
	}
	workloads := &subscriber{t, page}
	workloads.want("SNAPSHOT shop/b", "SYNCED")
	kept, err := f.Resources(t.Context(), everything, "asia", secrets, nil, id(secrets.Kind, "c"))
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, kept, resourceLine, "SNAPSHOT Secret shop/c", "SYNCED")
	policies, err := f.Policies(t.Context(), everything, "asia", id(model.PolicyPropagation.GVK(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, policies, func(c *model.PolicyChange) string { return line(c.Type, c.ID) }, "SNAPSHOT PropagationPolicy shop/a", "SYNCED")
	s.Put("deployments", deployment("shop", "a"))
	s.Put("deployments", deployment("shop", "b"))
	workloads.want("MODIFIED shop/b")
	for _, wrong := range [][]string{{"none"}, {model.InstanceID("asia")}, {model.Ref{Instance: "europe", GVK: secrets.Kind, Namespace: "shop", Name: "a"}.ID()}, slices.Repeat([]string{id(secrets.Kind, "a")}, mostIDs+1)} {
		if _, err := f.Resources(t.Context(), everything, "asia", secrets, nil, wrong...); err == nil || !strings.Contains(err.Error(), "ids") {
			t.Errorf("%.60q: %v", wrong, err)
		}
	}
}

func TestObjectsOfAKindAreFollowed(t *testing.T) {
	s := livetest.New(t)
	s.Put("secrets", object("shop", "password", "data", map[string]any{"p": "Y29ycmVjdC1ob3JzZQ=="}))
	s.Put("secrets", object("pay", "other"))
	f := newFixture(t, s)
	all, err := f.Resources(t.Context(), everything, "asia", secrets, nil)
	if err != nil {
		t.Fatal(err)
	}
	shop, err := f.Resources(t.Context(), roleIn(v1alpha1.RoleEditor, "asia", "shop"), "asia", secrets, &model.ResourceFilter{Namespaces: []string{"shop", "pay"}})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, all, resourceLine, "SNAPSHOT Secret pay/other")
	select {
	case c := <-all:
		if strings.Contains(string(c.Node.Raw), "Y29y") || len(c.Node.Keys) != 1 {
			t.Errorf("a Secret is sent as %s", c.Node.Raw)
		}
	case <-time.After(patience):
		t.Fatal("no change came")
	}
	wantLines(t, all, resourceLine, "SYNCED")
	wantLines(t, shop, resourceLine, "SNAPSHOT Secret shop/password", "SYNCED")

	s.Put("secrets", object("pay", "third"))
	s.Put("secrets", object("shop", "password"))
	wantLines(t, shop, resourceLine, "MODIFIED Secret shop/password")
	wantLines(t, all, resourceLine, "ADDED Secret pay/third", "MODIFIED Secret shop/password")
	s.Drop("secrets", "shop", "password")
	wantLines(t, shop, resourceLine, "DELETED Secret shop/password")
	wantLines(t, all, resourceLine, "DELETED Secret shop/password")
	if n := s.Watches("secrets"); n != 1 {
		t.Errorf("%d watches", n)
	}

	// A list anew tells the difference, and no more. The watch may tell a part of it before.
	s.Drop("secrets", "pay", "third")
	s.Put("secrets", object("pay", "fourth"))
	s.Compact()
	s.EndWatches()
	got := []string{nextLine(t, all, resourceLine), nextLine(t, all, resourceLine)}
	slices.Sort(got)
	if want := []string{"ADDED Secret pay/fourth", "DELETED Secret pay/third"}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// Kinds that are joined are watched once, also when somebody follows them as they are: what was listed before is listed again.
func TestAKindThatIsJoinedIsFollowedAsItIsByTheSameWatch(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", object("shop", "web", "spec", map[string]any{"replicas": 3}))
	f := newFixture(t, s)
	joined := f.workloads(t.Context(), &model.WorkloadFilter{Kinds: []model.WorkloadKind{model.KindDeployment}})
	joined.want("SNAPSHOT shop/web", "SYNCED")
	as, err := f.Resources(t.Context(), everything, "asia", deployments, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, as, resourceLine, "SNAPSHOT Deployment shop/web", "SYNCED")
	s.Put("deployments", object("shop", "api"))
	wantLines(t, as, resourceLine, "ADDED Deployment shop/api")
	joined.want("ADDED shop/api")
	if open, lists := s.OpenWatches(), s.Lists("deployments"); open != 3 || lists != 2 { // with clusters and bindings
		t.Errorf("%d watches are open, and %d lists were made", open, lists)
	}
}

func TestPoliciesOfAllKindsAreOneStream(t *testing.T) {
	s := livetest.New(t)
	s.Put("propagationpolicies", object("shop", "web", "spec", map[string]any{}))
	s.Put("clusterpropagationpolicies", object("", "all", "spec", map[string]any{}))
	s.Put("overridepolicies", object("shop", "images", "spec", map[string]any{}))
	f := newFixture(t, s)
	all, err := f.Policies(t.Context(), everything, "asia")
	if err != nil {
		t.Fatal(err)
	}
	policyLine := func(c *model.PolicyChange) string { return line(c.Type, c.ID) }
	wantLines(t, all, policyLine, "SNAPSHOT ClusterPropagationPolicy /all", "SNAPSHOT OverridePolicy shop/images", "SNAPSHOT PropagationPolicy shop/web", "SYNCED")
	s.Put("clusteroverridepolicies", object("", "registry", "spec", map[string]any{}))
	wantLines(t, all, policyLine, "ADDED ClusterOverridePolicy /registry")
	in, err := f.Policies(t.Context(), roleIn(v1alpha1.RoleViewer, "asia", "shop"), "asia")
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, in, policyLine, "SNAPSHOT OverridePolicy shop/images", "SNAPSHOT PropagationPolicy shop/web", "SYNCED")
}

func TestEventsAreFiltered(t *testing.T) {
	s := livetest.New(t)
	event := func(name, kind, reason, about string) map[string]any {
		return object("shop", name, "type", kind, "reason", reason, "involvedObject", map[string]any{"kind": about, "name": "web", "namespace": "shop"},
			"lastTimestamp", "2026-11-25T12:00:00Z", "firstTimestamp", "2026-11-25T12:00:00Z")
	}
	s.Put("events", event("a", "Normal", "Synced", "Deployment"))
	s.Put("events", event("b", "Warning", "Failed", "Deployment"))
	s.Put("events", event("c", "Warning", "Failed", "Pod"))
	f := newFixture(t, s)
	got, err := f.Events(t.Context(), everything, "asia", &model.EventFilter{Types: []model.EventType{model.EventWarning}, RegardingKinds: []string{"Deployment"}})
	if err != nil {
		t.Fatal(err)
	}
	eventLine := func(c *model.KubernetesEventChange) string { return line(c.Type, c.ID) }
	wantLines(t, got, eventLine, "SNAPSHOT Event shop/b", "SYNCED")
	_, err = f.Events(t.Context(), everything, "asia", &model.EventFilter{Clusters: []string{"tokyo"}})
	wantCode(t, err, model.CodeBadUserInput)
}

// Whoever asks for the objects of many kinds takes memory and watches from everybody.
func TestOnlySoManyKindsAreFollowedAtATime(t *testing.T) {
	s := livetest.New(t)
	f := newFixture(t, s)
	kind := func(i int) Resource {
		return Resource{Kind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: fmt.Sprint("Kind", i)}, Name: fmt.Sprint("kinds", i)}
	}
	for i := range mostTables {
		if _, err := f.Resources(t.Context(), everything, "asia", kind(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err := f.Resources(t.Context(), everything, "asia", kind(mostTables), nil)
	wantCode(t, err, model.CodeLimitExceeded)
	if _, err := f.Resources(t.Context(), everything, "asia", kind(0), nil); err != nil {
		t.Errorf("what is followed already: %v", err)
	}
}

// fleetOf is a fleet of which a test says what is known.
type fleetOf struct {
	mu        sync.Mutex
	instances map[string]model.Instance
	clusters  map[string][]*model.Cluster
	// fresh is that of instances, and of members as "instance/member".
	fresh map[string]model.Freshness
}

func (f *fleetOf) change(how func(*fleetOf)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how(f)
}

func (f *fleetOf) Instances(scope rbac.Scope) (out []*model.Instance) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, i := range f.instances {
		if !scope.Instance(name) {
			continue
		}
		if !scope.Whole(name) {
			i.Statistics = nil
		}
		out = append(out, &i)
	}
	return out
}

func (f *fleetOf) Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !scope.Whole(instance) {
		return nil, nil
	}
	return f.clusters[instance], nil
}

func (f *fleetOf) Freshness(instance, cluster string) *model.Freshness {
	f.mu.Lock()
	defer f.mu.Unlock()
	fresh, now := f.fresh[strings.TrimSuffix(instance+"/"+cluster, "/")], time.Now()
	fresh.SyncedAt = &now
	return &fresh
}

func TestInstancesAndTheOverviewAreFollowed(t *testing.T) {
	fleet := &fleetOf{instances: map[string]model.Instance{
		"asia":   {Name: "asia", State: model.InstanceRunning, Statistics: &model.InstanceStatistics{Nodes: model.ReadyCount{Total: 3, Ready: 3}}},
		"europe": {Name: "europe", State: model.InstanceRunning},
	}, clusters: map[string][]*model.Cluster{"asia": {{Name: "tokyo", State: model.ClusterReady}}}}
	f := newFixture(t, livetest.New(t), func(c *Config) {
		c.Fleet = fleet
		c.Everything = rbac.NewAuthorizer([]string{"admins"}).Scope(auth.Principal{Name: "kairship", Groups: []string{"admins"}})
	})
	instanceLine := func(c *model.InstanceChange) string {
		if c.Node == nil {
			return line(c.Type, c.ID)
		}
		counted := -1
		if c.Node.Statistics != nil {
			counted = c.Node.Statistics.Nodes.Total
		}
		return fmt.Sprintf("%s %s %d", line(c.Type, c.ID), c.Node.State, counted)
	}
	all, err := f.Instances(t.Context(), everything, nil)
	if err != nil {
		t.Fatal(err)
	}
	part, err := f.Instances(t.Context(), roleIn(v1alpha1.RoleViewer, "asia", "shop"), nil)
	if err != nil {
		t.Fatal(err)
	}
	europe, err := f.Instances(t.Context(), everything, []string{"europe"})
	if err != nil {
		t.Fatal(err)
	}
	overview, err := f.Overview(t.Context(), everything)
	if err != nil {
		t.Fatal(err)
	}
	states := func(c *model.OverviewChange) string {
		if c.Node == nil {
			return string(c.Type)
		}
		return fmt.Sprintf("%s %v%v%d", c.Type, c.Node.Instances, c.Node.ClusterStates, c.Node.Nodes.Total)
	}
	wantLines(t, all, instanceLine, "SNAPSHOT asia RUNNING 3", "SNAPSHOT europe RUNNING -1", "SYNCED")
	wantLines(t, part, instanceLine, "SNAPSHOT asia RUNNING -1", "SYNCED")
	wantLines(t, europe, instanceLine, "SNAPSHOT europe RUNNING -1", "SYNCED")
	wantLines(t, overview, states, "SNAPSHOT [{RUNNING 2}][{READY 1}]3", "SYNCED")

	fleet.change(func(f *fleetOf) {
		f.instances["asia"] = model.Instance{Name: "asia", State: model.InstanceDown, Statistics: &model.InstanceStatistics{Nodes: model.ReadyCount{Total: 4}}}
	})
	wantLines(t, all, instanceLine, "MODIFIED asia UNAVAILABLE 4")
	wantLines(t, part, instanceLine, "MODIFIED asia UNAVAILABLE -1")
	wantLines(t, overview, states, "MODIFIED [{RUNNING 1} {UNAVAILABLE 1}][{READY 1}]4")
	fleet.change(func(f *fleetOf) { f.clusters["asia"] = []*model.Cluster{{Name: "tokyo", State: model.ClusterOffline}} })
	wantLines(t, overview, states, "MODIFIED [{RUNNING 1} {UNAVAILABLE 1}][{OFFLINE 1}]4")
	wantLines(t, all, instanceLine, "MODIFIED asia UNAVAILABLE 4")
	fleet.change(func(f *fleetOf) { f.fresh = map[string]model.Freshness{"asia/tokyo": {State: model.FreshnessStale}} })
	wantLines(t, all, instanceLine, "MODIFIED asia UNAVAILABLE 4")
	fleet.change(func(f *fleetOf) { f.fresh["europe"] = model.Freshness{State: model.FreshnessStale} })
	wantLines(t, all, instanceLine, "MODIFIED europe RUNNING -1")
	wantLines(t, europe, instanceLine, "MODIFIED europe RUNNING -1")
	fleet.change(func(f *fleetOf) { delete(f.instances, "europe") })
	wantLines(t, europe, instanceLine, "DELETED europe RUNNING -1")
	fleet.change(func(f *fleetOf) { f.instances["europe"] = model.Instance{Name: "europe", State: model.InstanceRunning} })
	wantLines(t, europe, instanceLine, "ADDED europe RUNNING -1")
	if _, err := f.Instances(t.Context(), rbac.Scope{}, nil); err == nil {
		t.Error("somebody without any role follows instances")
	}
}

func TestNothingIsComparedWhileNobodyFollowsInstances(t *testing.T) {
	fleet := &fleetOf{instances: map[string]model.Instance{"asia": {Name: "asia"}}}
	f := newFixture(t, livetest.New(t), func(c *Config) { c.Fleet, c.Everything = fleet, everything })
	for range 3 {
		ctx, leave := context.WithCancel(t.Context())
		got, err := f.Instances(ctx, everything, nil)
		if err != nil {
			t.Fatal(err)
		}
		<-got
		leave()
		eventually(t, "nobody follows", func() bool {
			f.Hub.fleet.mu.Lock()
			defer f.Hub.fleet.mu.Unlock()
			return f.Hub.fleet.users == 0 && len(f.Hub.fleet.known) == 0
		})
	}
}
