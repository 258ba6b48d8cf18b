package graph

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

type recorder struct {
	mu     sync.Mutex
	events []string
}

func (r *recorder) Started(t string) { r.note("+" + t) }
func (r *recorder) Finished(t string, _ time.Duration, err error) {
	if err != nil {
		r.note("!" + t)
		return
	}
	r.note("-" + t)
}

func (r *recorder) note(e string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func (r *recorder) at(e string) int { return slices.Index(r.events, e) }

func nothing(context.Context) error { return nil }

func TestATaskStartsWhenAllItWaitsForIsDone(t *testing.T) {
	var r recorder
	err := Run(t.Context(), []Task{
		{Name: "join", After: []string{"api", "member"}, Run: nothing},
		{Name: "api", After: []string{"etcd"}, Run: nothing},
		{Name: "member", After: []string{"etcd"}, Run: nothing},
		{Name: "etcd", Run: nothing},
	}, &r)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][2]string{{"-etcd", "+api"}, {"-etcd", "+member"}, {"-api", "+join"}, {"-member", "+join"}} {
		if r.at(order[0]) < 0 || r.at(order[0]) > r.at(order[1]) {
			t.Errorf("%s was not before %s in %v", order[0], order[1], r.events)
		}
	}
}

func TestIndependentTasksRunTogether(t *testing.T) {
	met := make(chan struct{})
	meet := func(mine, others string) func(context.Context) error {
		return func(ctx context.Context) error {
			select {
			case met <- struct{}{}:
			case <-met:
			case <-ctx.Done():
				return errors.New(mine + " never met " + others)
			}
			return nil
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := Run(ctx, []Task{{Name: "a", Run: meet("a", "b")}, {Name: "b", Run: meet("b", "a")}}, &recorder{}); err != nil {
		t.Error(err)
	}
}

func TestAFailureEndsTheOthersAndIsNamed(t *testing.T) {
	var r recorder
	cause := errors.New("no space")
	err := Run(t.Context(), []Task{
		{Name: "postgres", Run: func(context.Context) error { return cause }},
		{Name: "slow", Run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
		{Name: "after", After: []string{"postgres"}, Run: nothing},
	}, &r)
	if !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "postgres: ") || strings.Contains(err.Error(), "slow") {
		t.Errorf("error is %v, want that of postgres alone", err)
	}
	if r.at("+after") >= 0 {
		t.Error("a task ran although what it waits for failed")
	}
}

func TestARunThatIsCutOffNamesWhoWasAtWork(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := Run(ctx, []Task{
		{Name: "done", Run: nothing},
		{Name: "hanging", After: []string{"done"}, Run: func(ctx context.Context) error { cancel(); <-ctx.Done(); return ctx.Err() }},
	}, &recorder{})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "hanging") || strings.Contains(err.Error(), "done:") {
		t.Errorf("error is %v, want the task that was at work", err)
	}
}

func TestCheck(t *testing.T) {
	tests := map[string]struct {
		tasks []Task
		want  string
	}{
		"tasks in any order are fine": {tasks: []Task{{Name: "b", After: []string{"a"}}, {Name: "a"}}},
		"a name can be used once": {
			tasks: []Task{{Name: "a"}, {Name: "a"}}, want: `two tasks are called "a"`},
		"what is waited for has to exist": {
			tasks: []Task{{Name: "a", After: []string{"z"}}}, want: `"a" waits for "z", which is no task`},
		"a circle is shown": {
			tasks: []Task{{Name: "a", After: []string{"b"}}, {Name: "b", After: []string{"c"}}, {Name: "c", After: []string{"a"}}},
			want:  "tasks wait for each other in a circle: a → b → c → a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := Check(tt.tasks)
			if got := message(err); got != tt.want {
				t.Errorf("error %q, want %q", got, tt.want)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
