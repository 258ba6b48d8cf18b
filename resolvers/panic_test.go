package resolvers_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

// written is a log that many write to.
type written struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// Whatever panics, and in whatever goroutine, the process stands; all who waited for it have an error, nobody is
// told what was panicked with, and the log has the stack once.
func TestAPanicIsAnErrorToAllWhoWaitForWhatPanicked(t *testing.T) {
	widget := func(name string) string {
		return fmt.Sprintf(`resource(apiVersion: "example.com/v1", kind: "Widget", namespace: "shop", name: %q){name}`, name)
	}
	for _, c := range []struct {
		name, query string
		panics      func(upstreamCall) bool
		// errors is the fields that have one, one for each object that waits.
		errors []string
		data   string
	}{
		{
			name:   "a list that is read for all members of a page",
			query:  `{instance(name: "asia"){clusters{nodes{name pods{nodes{name}}}}}}`,
			panics: func(c upstreamCall) bool { return c.upstream == readSync && slices.Contains(c.what, "pods") },
			errors: []string{"pods", "pods"}, data: "name:member-01 pods:<nil>",
		},
		{
			name:   "a list beside itself with other arguments",
			query:  `{instance(name: "asia"){cluster(name: "member-00"){name a: pods(first: 1){nodes{name}} b: pods(first: 2){nodes{name}}}}}`,
			panics: func(c upstreamCall) bool { return c.upstream == readSync && slices.Contains(c.what, "pods") },
			errors: []string{"a", "b"}, data: "name:member-00",
		},
		{
			name:   "objects that are gathered from several fields",
			query:  `{instance(name: "asia"){cluster(name: "member-00"){pods{nodes{name node{name}}}}}}`,
			panics: func(c upstreamCall) bool { return c.upstream == readSync && slices.Contains(c.what, "nodes") },
			errors: []string{"node", "node"}, data: "name:cart-abc-1",
		},
		{
			name:  "objects of API servers, read in a goroutine of their own",
			query: `{instance(name: "asia"){name a: ` + widget("a") + ` b: ` + widget("b") + `}}`,
			panics: func(c upstreamCall) bool {
				return c.upstream == apiServers && strings.Contains(c.id, "/") && !strings.Contains(c.id, "kind ")
			},
			errors: []string{"a", "b"}, data: "name:asia",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := &written{}
			known, authorizer := rightsOfPeople()
			p := newLoggedProcess(t, slog.New(slog.NewTextHandler(log, nil)), known, authorizer, world(t), "asia")
			p.mu.Lock()
			p.fails = func(call upstreamCall) bool {
				if c.panics(call) {
					panic("hunter2") //nolint:forbidigo // what is tested
				}
				return false
			}
			p.mu.Unlock()
			got, err := p.do(t.Context(), people[0], query(c.query))
			if err != nil {
				t.Fatal(err)
			}
			var fields []string
			for _, e := range got.Graph.Errors {
				if e.Extensions.Code != model.CodeInternal || strings.Contains(e.Message, "hunter2") {
					t.Errorf("told %s: %s", e.Extensions.Code, e.Message)
				}
				fields = append(fields, fmt.Sprint(e.Path[len(e.Path)-1]))
			}
			slices.Sort(fields)
			if diff := cmp.Diff(c.errors, fields); diff != "" {
				t.Errorf("fields with an error (-want +got):\n%s", diff)
			}
			if text := fmt.Sprint(got.Graph.Data); !strings.Contains(text, c.data) {
				t.Errorf("the siblings are %s", text)
			}
			// Reads with other arguments panic each for themselves.
			if n := strings.Count(log.String(), "stack="); n < 1 || n > len(slices.Compact(slices.Clone(fields))) {
				t.Errorf("the log has %d stacks: %s", n, log)
			}
			p.mu.Lock()
			p.fails = nil
			p.mu.Unlock()
			if again, err := p.do(t.Context(), people[0], query(c.query)); err != nil || len(again.Graph.Errors) > 0 {
				t.Errorf("afterwards: %v %v", again.Graph.Errors, err)
			}
		})
	}
}
