package launch

import (
	"context"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/graph"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/process"
)

func newBuilder(l Launch) *builder {
	b := &builder{l: l, watch: &watch{client: l.Client}, clients: map[string]*kube.Client{}, specs: map[string]process.Spec{}}
	for _, s := range l.Plan.Specs() {
		b.specs[s.Name] = s
	}
	return b
}

// Further returns the steps that start one further member of a fleet that runs.
func (l Launch) Further(m fleet.Further) []graph.Task {
	b := newBuilder(l)
	b.further(m)
	return b.tasks
}

func (b *builder) further(m fleet.Further) {
	b.cluster(m.Member())
	if m.Agent == nil {
		return
	}
	// Started, and not waited for: an agent whose member has left its instance ends again and again, which is no reason for the
	// rest of the fleet not to come up.
	s := b.specs[m.Name+"-agent"]
	b.tasks = append(b.tasks, graph.Task{Name: s.Name, After: []string{m.Name + "-apiserver"}, Run: func(ctx context.Context) error {
		return b.l.Client.Ensure(ctx, s)
	}})
}
