package loaders

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/graph-gophers/dataloader/v7"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// asking is arguments of every sort that lists have.
type asking struct {
	ListOptions
	text   *string
	names  []string
	labels map[string]string
	where  []pedia.Condition
}

// counted is an edge that tells how often it was read, and of whom.
func counted(reads *atomic.Int32) *edge[asking, *model.Pod, string] {
	return &edge[asking, *model.Pod, string]{
		from: model.Members[*model.Pod],
		read: func(_ context.Context, _ *Loaders, _ asking, pods []*model.Pod) (map[*model.Pod]string, error) {
			n := reads.Add(1)
			out := map[*model.Pod]string{}
			for _, p := range pods {
				out[p] = fmt.Sprint(n)
			}
			return out, nil
		},
	}
}

func batchOfPods() []*model.Pod {
	pods := []*model.Pod{{}, {}, {}}
	model.NewBatch(pods)
	return pods
}

func newEdgeKernel() *Loaders { return &Loaders{edges: map[edgeOf][]*edgeRead{}} }

func TestAReadIsSharedByThoseWhoAskTheSameAndByNoOthers(t *testing.T) {
	text := func(s string) *string { return &s }
	page := func(first int) ListOptions { return ListOptions{Page: model.Page{First: first}} }
	since := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		a, b   asking
		shared bool
	}{
		{"nothing", asking{}, asking{}, true},
		{"the same text at two addresses", asking{text: text("a")}, asking{text: text("a")}, true},
		{"other texts", asking{text: text("a")}, asking{text: text("b")}, false},
		{"a text and none", asking{text: text("")}, asking{}, false},
		{"the same lists", asking{names: []string{"a", "b"}}, asking{names: []string{"a", "b"}}, true},
		{"lists in another order", asking{names: []string{"a", "b"}}, asking{names: []string{"b", "a"}}, false},
		{"one name that reads as two", asking{names: []string{"a b"}}, asking{names: []string{"a", "b"}}, false},
		{"an empty list and none", asking{names: []string{}}, asking{}, false},
		{"the same map", asking{labels: map[string]string{"a": "1", "b": "2"}}, asking{labels: map[string]string{"b": "2", "a": "1"}}, true},
		{"pages of other lengths", asking{ListOptions: page(1)}, asking{ListOptions: page(2)}, false},
		{"with and without the total", asking{ListOptions: ListOptions{Count: true}}, asking{}, false},
		{"the same conditions", asking{where: []pedia.Condition{pedia.Namespaces("a"), pedia.SeenSince(since)}}, asking{where: []pedia.Condition{pedia.Namespaces("a"), pedia.SeenSince(since)}}, true},
		{"conditions of other kinds that read alike", asking{where: []pedia.Condition{pedia.Namespaces("a")}}, asking{where: []pedia.Condition{pedia.Names("a")}}, false},
		{"conditions of other values", asking{where: []pedia.Condition{pedia.Any(pedia.Names("a"))}}, asking{where: []pedia.Condition{pedia.Any(pedia.Names("b"))}}, false},
		{"a page beyond a cursor, which is of one list", asking{ListOptions: ListOptions{Page: model.Page{After: "x"}}}, asking{ListOptions: ListOptions{Page: model.Page{After: "x"}}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reads atomic.Int32
			k, e, pods := newEdgeKernel(), counted(&reads), batchOfPods()
			a, errA := e.of(t.Context(), k, pods[0].Batch, c.a, pods[0])
			b, errB := e.of(t.Context(), k, pods[1].Batch, c.b, pods[1])
			if errA != nil || errB != nil || (a == b) != c.shared || (reads.Load() == 1) != c.shared {
				t.Errorf("told %s (%v) and %s (%v) by %d reads; shared should be %t", a, errA, b, errB, reads.Load(), c.shared)
			}
		})
	}
}

// Conditions are compared as values: those of one filter are equal however often they are made, and no two filters
// have equal ones. One that held a function would be equal to none, and each row would be read by itself.
func TestConditionsOfAFilterAreEqualWheneverTheyAreMade(t *testing.T) {
	text, kind, since := "a", "Deployment", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	labels := "app in (x),!y"
	filters := map[string]func() ([]pedia.Condition, error){
		"pods by phase": func() ([]pedia.Condition, error) {
			return podConditions(&model.PodFilter{Phases: []model.PodPhase{model.PodRunning}})
		},
		"pods by labels": func() ([]pedia.Condition, error) { return podConditions(&model.PodFilter{LabelSelector: &labels}) },
		"pods by name":   func() ([]pedia.Condition, error) { return podConditions(&model.PodFilter{NameContains: &text}) },
		"events by type": func() ([]pedia.Condition, error) {
			return eventConditions(&model.EventFilter{Types: []model.EventType{model.EventWarning}})
		},
		"events since": func() ([]pedia.Condition, error) { return eventConditions(&model.EventFilter{Since: &since}) },
		"bindings of": func() ([]pedia.Condition, error) {
			return bindingConditions(&model.ResourceBindingFilter{Kinds: []string{kind}})
		},
		"bindings in": func() ([]pedia.Condition, error) {
			return bindingConditions(&model.ResourceBindingFilter{Clusters: []string{"m"}})
		},
		"bindings there": func() ([]pedia.Condition, error) {
			return bindingConditions(&model.ResourceBindingFilter{Clusters: []string{"n"}})
		},
		"policies that select": func() ([]pedia.Condition, error) {
			return []pedia.Condition{mayselect(&model.PolicySelectsInput{Kind: &kind})}, nil
		},
		"workloads in a state": func() ([]pedia.Condition, error) {
			return []pedia.Condition{mayBeIn([]model.WorkloadState{model.WorkloadDegraded})}, nil
		},
		"workloads placed in": func() ([]pedia.Condition, error) { return []pedia.Condition{pedia.Binding(placedIn("m"))}, nil },
	}
	for name, makeOne := range filters {
		for other, makeOther := range filters {
			a, errA := makeOne()
			b, errB := makeOther()
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if equal := reflect.DeepEqual(a, b); equal != (name == other) {
				t.Errorf("%s and %s: equal is %t", name, other, equal)
			}
		}
	}
}

func TestWhoIsNotOfTheBatchIsReadAlone(t *testing.T) {
	var reads atomic.Int32
	k, e, pods, other := newEdgeKernel(), counted(&reads), batchOfPods(), &model.Pod{}
	if got, err := e.of(t.Context(), k, pods[0].Batch, asking{}, pods[0]); got != "1" || err != nil {
		t.Fatal(got, err)
	}
	if got, err := e.of(t.Context(), k, pods[0].Batch, asking{}, other); got != "2" || err != nil {
		t.Errorf("told %q, %v; what it has was to be read", got, err)
	}
}

// One failed request is one error; another one that reads alike is another.
func TestAnErrorIsToldOncePerInstanceAndCluster(t *testing.T) {
	failure := func(code model.Code, message, instance, cluster string) error {
		return &model.Error{Code: code, Message: message, Instance: instance, Cluster: cluster}
	}
	first := failure(model.CodeUnavailable, "it does not answer", "asia", "tokyo")
	for _, c := range []struct {
		name   string
		second error
		told   bool
	}{
		{"the same", first, true},
		{"one that says the same", failure(model.CodeUnavailable, "it does not answer", "asia", "tokyo"), true},
		{"of another cluster", failure(model.CodeUnavailable, "it does not answer", "asia", "osaka"), false},
		{"of another instance", failure(model.CodeUnavailable, "it does not answer", "europe", "tokyo"), false},
		{"of another code", failure(model.CodeTimeout, "it does not answer", "asia", "tokyo"), false},
		{"of other words", failure(model.CodeUnavailable, "it is gone", "asia", "tokyo"), false},
		{"of another sort", errors.New("it does not answer"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			pods := batchOfPods()
			var reads atomic.Int32
			e := &edge[none, *model.Pod, string]{
				from: model.Members[*model.Pod],
				read: func(context.Context, *Loaders, none, []*model.Pod) (map[*model.Pod]string, error) {
					reads.Add(1)
					return nil, each[*model.Pod]{pods[0]: first, pods[1]: c.second}
				},
			}
			k := newEdgeKernel()
			_, one := e.of(t.Context(), k, pods[0].Batch, none{}, pods[0])
			_, two := e.of(t.Context(), k, pods[1].Batch, none{}, pods[1])
			if errors.As(one, new(*Reported)) || errors.As(two, new(*Reported)) != c.told || reads.Load() != 1 {
				t.Errorf("told %v and %v (%T) by %d reads", one, two, two, reads.Load())
			}
		})
	}
}

func TestAPanicOfASharedReadIsTheErrorOfAllWhoWaitForIt(t *testing.T) {
	var reads atomic.Int32
	e := &edge[none, *model.Pod, string]{
		from: model.Members[*model.Pod],
		read: func(context.Context, *Loaders, none, []*model.Pod) (map[*model.Pod]string, error) {
			reads.Add(1)
			panic("too bad") //nolint:forbidigo // what is tested
		},
	}
	k, pods := newEdgeKernel(), batchOfPods()
	errs := make([]error, len(pods))
	var wg sync.WaitGroup
	for i, p := range pods {
		wg.Go(func() { _, errs[i] = e.of(t.Context(), k, p.Batch, none{}, p) })
	}
	wg.Wait()
	for i, err := range errs {
		if !errors.As(err, new(*panics.Error)) || errors.As(err, new(*Reported)) {
			t.Errorf("pod %d is told %v", i, err)
		}
	}
	if _, err := e.of(t.Context(), k, nil, none{}, pods[0]); !errors.As(err, new(*panics.Error)) {
		t.Errorf("one that came alone is told %v", err)
	}
	if n := reads.Load(); n != 2 {
		t.Errorf("%d reads, want one for the batch and one alone", n)
	}
}

func TestAPanicOfABatchIsTheErrorOfAllWhoseKeysAreInIt(t *testing.T) {
	ref := func(name string) model.Ref {
		return model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Name: name}
	}
	read := guarded(func(context.Context, []model.Ref) []*dataloader.Result[int] { panic("too bad") }) //nolint:forbidigo // what is tested
	got := read(t.Context(), []model.Ref{ref("a"), ref("b")})
	if len(got) != 2 || slices.ContainsFunc(got, func(r *dataloader.Result[int]) bool { return !errors.As(r.Error, new(*panics.Error)) }) {
		t.Errorf("told %v", got)
	}
}

// The owner of two objects of a page is one object, which comes once with each of them.
func TestAnObjectThatCameTwiceIsReadOnce(t *testing.T) {
	a, b := &model.Pod{}, &model.Pod{}
	model.NewBatch([]*model.Pod{a, b, a})
	var asked []*model.Pod
	e := &edge[none, *model.Pod, string]{
		from: model.Members[*model.Pod],
		read: func(_ context.Context, _ *Loaders, _ none, pods []*model.Pod) (map[*model.Pod]string, error) {
			asked = append(asked, pods...)
			return nil, nil
		},
	}
	if _, err := e.of(t.Context(), newEdgeKernel(), a.Batch, none{}, a); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(asked, []*model.Pod{a, b}) {
		t.Errorf("%d were read, want each of two once", len(asked))
	}
}
