package revision

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/model"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func workload(name string, generation int64, cause string) *template {
	t := &template{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), Generation: generation}}
	if cause != "" {
		t.Annotations = map[string]string{model.AnnotationChangeCause: cause}
	}
	return t
}

func record(workload, name string, number, generation int64) *recorded {
	return &recorded{ObjectMeta: metav1.ObjectMeta{Name: name}, workload: types.UID(workload), number: number, generation: generation}
}

func TestPlanned(t *testing.T) {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	deleted := workload("web", 1, "")
	deleted.DeletionTimestamp = &metav1.Time{Time: now}
	young := workload("young", 1, "")
	young.CreationTimestamp = metav1.NewTime(now)
	for _, tt := range []struct {
		name      string
		templates []connection.Object
		held      []connection.Object
		checks    map[types.UID]check
		// tasks are named, with a star when they are to be looked at.
		tasks, orphans []string
		again          time.Duration
	}{
		{
			name:      "a workload without a revision is looked at",
			templates: []connection.Object{workload("web", 1, "")}, tasks: []string{"web*"},
		},
		{
			name:      "one whose generation is recorded is not",
			templates: []connection.Object{workload("web", 4, "")},
			held:      []connection.Object{record("web", "old", 1, 1), record("web", "new", 2, 4)},
		},
		{
			name:      "one whose generation moved is",
			templates: []connection.Object{workload("web", 5, "")},
			held:      []connection.Object{record("web", "new", 2, 4)}, tasks: []string{"web*"},
		},
		{
			name:      "one that was looked at since is not, as long as its revision is there",
			templates: []connection.Object{workload("web", 5, "")},
			held:      []connection.Object{record("web", "new", 2, 4)},
			checks:    map[types.UID]check{"web": {at: ago(time.Hour), generation: 5, name: "new", number: 2}},
		},
		{
			name:      "a cause that was told later is looked at",
			templates: []connection.Object{workload("web", 4, "why")},
			held:      []connection.Object{record("web", "new", 2, 4)},
			checks:    map[types.UID]check{"web": {at: ago(time.Hour), generation: 4, name: "new", number: 2}}, tasks: []string{"web*"},
		},
		{
			name:      "a revision that was written a moment ago is waited for",
			templates: []connection.Object{workload("web", 5, "")},
			checks:    map[types.UID]check{"web": {at: ago(time.Second), generation: 5, name: "new", number: 1}}, again: 4 * time.Second,
		},
		{
			name:      "a revision that does not come was deleted",
			templates: []connection.Object{workload("web", 5, "")},
			checks:    map[types.UID]check{"web": {at: ago(6 * time.Second), generation: 5, name: "new", number: 1}}, tasks: []string{"web*"},
		},
		{
			name:      "two revisions of one number are settled",
			templates: []connection.Object{workload("web", 4, "")},
			held:      []connection.Object{record("web", "a", 2, 4), record("web", "b", 2, 4)}, tasks: []string{"web*"},
		},
		{
			name:      "what failed waits",
			templates: []connection.Object{workload("web", 5, "")},
			checks:    map[types.UID]check{"web": {at: ago(10 * time.Second), failed: true}}, again: 20 * time.Second,
		},
		{
			name:      "what failed is tried again",
			templates: []connection.Object{workload("web", 5, "")},
			checks:    map[types.UID]check{"web": {at: ago(time.Minute), failed: true}}, tasks: []string{"web*"},
		},
		{
			name:      "too many revisions are a task without a look",
			templates: []connection.Object{workload("web", 4, "")},
			held:      []connection.Object{record("web", "a", 1, 1), record("web", "b", 2, 2), record("web", "c", 3, 4)}, tasks: []string{"web"},
		},
		{
			name:      "a workload that is being deleted is left alone",
			templates: []connection.Object{deleted},
			held:      []connection.Object{record("web", "a", 1, 0)},
		},
		{
			name: "revisions of a workload that is gone are orphans",
			held: []connection.Object{record("web", "a", 1, 1)}, orphans: []string{"a"},
		},
		{
			name:      "what has just changed goes first, what nobody touched last, and the younger before the older",
			templates: []connection.Object{workload("old", 1, ""), young, workload("perhaps", 3, ""), workload("changed", 3, "")},
			held:      []connection.Object{record("perhaps", "a", 1, 1), record("changed", "b", 1, 1)},
			checks:    map[types.UID]check{"changed": {at: ago(time.Hour), generation: 2, name: "b", number: 1}},
			tasks:     []string{"changed*", "perhaps*", "young*", "old*"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := planned(map[*connection.Watch][]connection.Object{kinds[0].watch: tt.templates}, tt.held, tt.checks, 2, now)
			var tasks, orphans []string
			for _, task := range p.tasks {
				name := task.template.Name
				if task.look {
					name += "*"
				}
				tasks = append(tasks, name)
			}
			for _, o := range p.orphans {
				orphans = append(orphans, o.Name)
			}
			if !slices.Equal(tasks, tt.tasks) || !slices.Equal(orphans, tt.orphans) || p.again != tt.again {
				t.Errorf("tasks %q, orphans %q, again in %s; want %q, %q, %s", tasks, orphans, p.again, tt.tasks, tt.orphans, tt.again)
			}
		})
	}
}

func TestChecksOfWorkloadsThatAreGoneAreForgotten(t *testing.T) {
	p := planned(map[*connection.Watch][]connection.Object{kinds[0].watch: {workload("web", 1, "")}}, nil,
		map[types.UID]check{"web": {at: now, generation: 1, name: "a"}, "gone": {at: now}}, 2, now)
	if len(p.checks) != 1 || p.checks["web"].name != "a" {
		t.Errorf("it keeps %v", p.checks)
	}
}

func TestTheNameOfARevision(t *testing.T) {
	a := nameOf("web", "u1", []byte("x"))
	if a != nameOf("web", "u1", []byte("x")) {
		t.Error("one template has two names")
	}
	for what, other := range map[string]string{"another template": nameOf("web", "u1", []byte("y")), "another workload of that name": nameOf("web", "u2", []byte("x"))} {
		if other == a {
			t.Errorf("%s has the same name %s", what, a)
		}
	}
	long := nameOf(strings.Repeat("a", 235)+".b", "u1", []byte("x"))
	if len(long) > 253 || strings.Contains(long, ".-") || strings.Contains(long, "--") {
		t.Errorf("a long name becomes %s (%d)", long, len(long))
	}
}

func TestTheContentOfARevisionIsTheTemplateAlone(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind kind
		spec map[string]any
		want string
	}{
		{
			"a pod template, without the time that only some answers have", kinds[0],
			map[string]any{"replicas": int64(3), "template": map[string]any{
				"metadata": map[string]any{"creationTimestamp": nil}, "spec": map[string]any{"b": int64(1), "a": "x"},
			}},
			`{"spec":{"template":{"spec":{"a":"x","b":1}}}}`,
		},
		{
			"a job template, and the pod template inside", kinds[3],
			map[string]any{"schedule": "@daily", "jobTemplate": map[string]any{
				"metadata": map[string]any{"creationTimestamp": nil, "labels": map[string]any{"a": "b"}},
				"spec":     map[string]any{"template": map[string]any{"metadata": map[string]any{"creationTimestamp": nil}, "spec": map[string]any{}}},
			}},
			`{"spec":{"jobTemplate":{"metadata":{"labels":{"a":"b"}},"spec":{"template":{"spec":{}}}}}}`,
		},
		{"nothing, where there is no template", kinds[0], map[string]any{"replicas": int64(3)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(contentOf(tt.kind, &unstructured.Unstructured{Object: map[string]any{"spec": tt.spec}})); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// BenchmarkPlanned is a look at a large Karmada in which nothing is to be done.
func BenchmarkPlanned(b *testing.B) {
	const workloads, each = 100_000, 3
	templates := make([]connection.Object, 0, workloads)
	held := make([]connection.Object, 0, workloads*each)
	for i := range workloads {
		name := fmt.Sprintf("workload-%d", i)
		templates = append(templates, workload(name, each, ""))
		for n := range int64(each) {
			held = append(held, record(name, fmt.Sprintf("%s-%d", name, n), n+1, n+1))
		}
	}
	for b.Loop() {
		if p := planned(map[*connection.Watch][]connection.Object{kinds[0].watch: templates}, held, nil, 10, now); len(p.tasks) > 0 {
			b.Fatalf("%d tasks", len(p.tasks))
		}
	}
}
