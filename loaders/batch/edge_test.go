package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// reader reads edges, of pods.
type reader struct{ *Operation }

func newReader() reader { return reader{NewOperation(func(row any) any { return row })} }

// page is arguments with a page.
type page struct {
	first int
	after string
	count bool
}

func (p page) After() string { return p.after }

// asking is arguments of every sort that lists have.
type asking struct {
	page
	text   *string
	names  []string
	labels map[string]string
	where  []sql.Condition
}

// counted is an edge that tells how often it was read, and of whom.
func counted(reads *atomic.Int32) *Edge[reader, asking, *model.Pod, string] {
	return &Edge[reader, asking, *model.Pod, string]{
		From: Members[*model.Pod],
		Read: func(_ context.Context, _ reader, _ asking, pods []*model.Pod) (map[*model.Pod]string, error) {
			n := reads.Add(1)
			out := map[*model.Pod]string{}
			for _, p := range pods {
				out[p] = fmt.Sprint(n)
			}
			return out, nil
		},
	}
}

func podsIn(k reader) []*model.Pod {
	pods := []*model.Pod{{}, {}, {}}
	Join(k.Operation, pods)
	return pods
}

func TestAReadIsSharedByThoseWhoAskTheSameAndByNoOthers(t *testing.T) {
	text := func(s string) *string { return &s }
	since := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		a, b   asking
		shared bool
	}{
		{"nothing", asking{}, asking{}, true},
		{"the same text at two addresses", asking{text: text("a")}, asking{text: text("a")}, true},
		{"other texts", asking{text: text("a")}, asking{text: text("b")}, false},
		{"a text and None", asking{text: text("")}, asking{}, false},
		{"the same lists", asking{names: []string{"a", "b"}}, asking{names: []string{"a", "b"}}, true},
		{"lists in another order", asking{names: []string{"a", "b"}}, asking{names: []string{"b", "a"}}, false},
		{"one name that reads as two", asking{names: []string{"a b"}}, asking{names: []string{"a", "b"}}, false},
		{"an empty list and None", asking{names: []string{}}, asking{}, false},
		{"the same map", asking{labels: map[string]string{"a": "1", "b": "2"}}, asking{labels: map[string]string{"b": "2", "a": "1"}}, true},
		{"pages of other lengths", asking{page: page{first: 1}}, asking{page: page{first: 2}}, false},
		{"with and without the total", asking{page: page{count: true}}, asking{}, false},
		{"the same conditions", asking{where: []sql.Condition{sql.Namespaces("a"), sql.SeenSince(since)}}, asking{where: []sql.Condition{sql.Namespaces("a"), sql.SeenSince(since)}}, true},
		{"conditions of other kinds that read alike", asking{where: []sql.Condition{sql.Namespaces("a")}}, asking{where: []sql.Condition{sql.Names("a")}}, false},
		{"conditions of other values", asking{where: []sql.Condition{sql.Any(sql.Names("a"))}}, asking{where: []sql.Condition{sql.Any(sql.Names("b"))}}, false},
		{"a page beyond a cursor, which is of one list", asking{page: page{after: "x"}}, asking{page: page{after: "x"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reads atomic.Int32
			k, e := newReader(), counted(&reads)
			pods := podsIn(k)
			a, errA := e.Of(t.Context(), k, k.Batch(pods[0]), c.a, pods[0])
			b, errB := e.Of(t.Context(), k, k.Batch(pods[1]), c.b, pods[1])
			if errA != nil || errB != nil || (a == b) != c.shared || (reads.Load() == 1) != c.shared {
				t.Errorf("told %s (%v) and %s (%v) by %d reads; shared should be %t", a, errA, b, errB, reads.Load(), c.shared)
			}
		})
	}
}

func TestWhoIsNotOfTheBatchIsReadAlone(t *testing.T) {
	var reads atomic.Int32
	k, e, other := newReader(), counted(&reads), &model.Pod{}
	pods := podsIn(k)
	if got, err := e.Of(t.Context(), k, k.Batch(pods[0]), asking{}, pods[0]); got != "1" || err != nil {
		t.Fatal(got, err)
	}
	if got, err := e.Of(t.Context(), k, k.Batch(pods[0]), asking{}, other); got != "2" || err != nil {
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
			k := newReader()
			pods := podsIn(k)
			var reads atomic.Int32
			e := &Edge[reader, None, *model.Pod, string]{
				From: Members[*model.Pod],
				Read: func(context.Context, reader, None, []*model.Pod) (map[*model.Pod]string, error) {
					reads.Add(1)
					return nil, Each[*model.Pod]{pods[0]: first, pods[1]: c.second}
				},
			}
			_, one := e.Of(t.Context(), k, k.Batch(pods[0]), None{}, pods[0])
			_, two := e.Of(t.Context(), k, k.Batch(pods[1]), None{}, pods[1])
			if errors.As(one, new(*Reported)) || errors.As(two, new(*Reported)) != c.told || reads.Load() != 1 {
				t.Errorf("told %v and %v (%T) by %d reads", one, two, two, reads.Load())
			}
		})
	}
}

func TestAPanicOfASharedReadIsTheErrorOfAllWhoWaitForIt(t *testing.T) {
	var reads atomic.Int32
	e := &Edge[reader, None, *model.Pod, string]{
		From: Members[*model.Pod],
		Read: func(context.Context, reader, None, []*model.Pod) (map[*model.Pod]string, error) {
			reads.Add(1)
			panic("too bad") //nolint:forbidigo // what is tested
		},
	}
	k := newReader()
	pods := podsIn(k)
	errs := make([]error, len(pods))
	var wg sync.WaitGroup
	for i, p := range pods {
		wg.Go(func() { _, errs[i] = e.Of(t.Context(), k, k.Batch(p), None{}, p) })
	}
	wg.Wait()
	for i, err := range errs {
		if !errors.As(err, new(*panics.Error)) || errors.As(err, new(*Reported)) {
			t.Errorf("pod %d is told %v", i, err)
		}
	}
	if _, err := e.Of(t.Context(), k, nil, None{}, pods[0]); !errors.As(err, new(*panics.Error)) {
		t.Errorf("one that came alone is told %v", err)
	}
	if n := reads.Load(); n != 2 {
		t.Errorf("%d reads, want one for the batch and one alone", n)
	}
}

// The owner of two objects of a page is one object, which comes once with each of them.
func TestAnObjectThatCameTwiceIsReadOnce(t *testing.T) {
	a, b := &model.Pod{}, &model.Pod{}
	k := newReader()
	Join(k.Operation, []*model.Pod{a, b, a})
	var asked []*model.Pod
	e := &Edge[reader, None, *model.Pod, string]{
		From: Members[*model.Pod],
		Read: func(_ context.Context, _ reader, _ None, pods []*model.Pod) (map[*model.Pod]string, error) {
			asked = append(asked, pods...)
			return nil, nil
		},
	}
	if _, err := e.Of(t.Context(), k, k.Batch(a), None{}, a); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(asked, []*model.Pod{a, b}) {
		t.Errorf("%d were read, want each of two once", len(asked))
	}
}

// What leads to rows of others, as a claim leads to its policy, is read with what leads to them beside it.
func TestWhatFollowsARowIsInItsBatch(t *testing.T) {
	k := newReader()
	pods, alone := podsIn(k), &model.Pod{}
	a, b := &model.PolicyClaim{}, &model.PolicyClaim{}
	k.Follow(a, pods[1])
	k.Follow(b, alone)
	if k.Batch(a) == nil || k.Batch(a) != k.Batch(pods[0]) || k.Batch(b) != nil || k.Batch(alone) != nil {
		t.Errorf("in the batches %v and %v, want that of the pods and none", k.Batch(a), k.Batch(b))
	}
	Join(k.Operation, pods[1:])
	if k.Batch(pods[0]) == k.Batch(pods[1]) || k.Batch(pods[1]) != k.Batch(pods[2]) {
		t.Error("what was joined again has to leave the batch that it was in")
	}
}
