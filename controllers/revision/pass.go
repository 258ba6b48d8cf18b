package revision

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/internal/instance/connection"
)

// pass is one pass over an instance.
type pass struct {
	*Controller

	instance string
	conn     *connection.Connection
	state    *state
	limit    int
}

// run records what is new, the most urgent first, and leaves the rest to another pass when its time is up.
func (p *pass) run(ctx context.Context) (reconcile.Result, error) {
	began := p.Clock.Now()
	if wait := p.state.next.Sub(began); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	todo := p.plan(began)
	p.state.next = began.Add(max(pause, share*p.Clock.Since(began)))
	p.state.checks = todo.checks
	for i := range todo.tasks {
		t := &todo.tasks[i]
		if p.Clock.Since(began) > slice {
			return p.later(len(todo.tasks) - i), nil
		}
		err := p.do(ctx, t)
		switch {
		case err == nil:
			continue
		case errors.Is(err, errOutOfTime):
			return p.later(len(todo.tasks) - i), nil
		case !errors.Is(err, errGoing):
			p.Logger.Warn("a revision could not be recorded", "instance", p.instance, "error", err)
		}
		if !errors.Is(err, errGoing) && !isAnswer(err) {
			pendingGauge.WithLabelValues(p.instance).Set(float64(len(todo.tasks) - i))
			return reconcile.Result{RequeueAfter: retry}, nil
		}
		c := p.state.checks[t.template.UID]
		c.failed, c.at = true, p.Clock.Now()
		p.state.checks[t.template.UID] = c
		todo.wait(retry)
	}
	if err := p.sweep(ctx, &todo); err != nil {
		if errors.Is(err, errOutOfTime) {
			return p.later(len(todo.orphans)), nil
		}
		p.Logger.Warn("a revision could not be removed", "instance", p.instance, "error", err)
		todo.wait(retry)
	}
	pendingGauge.WithLabelValues(p.instance).Set(0)
	return reconcile.Result{RequeueAfter: todo.again}, nil
}

func (p *pass) plan(now time.Time) plan {
	templates := map[*connection.Watch][]connection.Object{}
	for _, k := range kinds {
		templates[k.watch] = p.conn.List(k.watch)
	}
	return planned(templates, p.conn.List(revisions), p.state.checks, p.limit, now)
}

// later leaves n tasks to the next pass.
func (p *pass) later(n int) reconcile.Result {
	pendingGauge.WithLabelValues(p.instance).Set(float64(n))
	return reconcile.Result{RequeueAfter: max(time.Millisecond, p.state.next.Sub(p.Clock.Now()))}
}

// sweep removes the revisions of workloads that are gone. It gives the Karmada's own garbage collector, if that runs,
// the time to do so.
func (p *pass) sweep(ctx context.Context, todo *plan) error {
	gone := make(map[types.UID]time.Time, len(p.state.gone))
	defer func() { p.state.gone = gone }()
	now := p.Clock.Now()
	for _, r := range todo.orphans {
		since, known := p.state.gone[r.workload]
		if !known {
			since = now
		}
		gone[r.workload] = since
		if age := now.Sub(since); age < grace {
			todo.wait(grace - age)
			continue
		}
		if err := p.remove(ctx, r); err != nil {
			return err
		}
	}
	return nil
}
