package revision

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/internal/instance/connection"
)

// check is what was found when a workload was last looked at. It stands in for revisions that the watch does not show
// yet, and for generations that brought none.
type check struct {
	// at is by this machine's clock.
	at         time.Time
	generation int64
	cause      string
	// name and number of its current revision.
	name   string
	number int64
	since  string
	// failed says that it could not be read or recorded.
	failed bool
}

const (
	// lag is how long a watch may take to show a write.
	lag = 5 * time.Second
	// retry is when a workload that could not be recorded is looked at again.
	retry = 30 * time.Second
	// grace is how long the Karmada's own garbage collector has to remove the revisions of a workload
	// that is gone. Then Kairship does.
	grace = 30 * time.Second
)

// task is a workload that has to be looked at, or that has too many revisions.
type task struct {
	kind     kind
	template *template
	// revisions of it, the newest first.
	revisions []*recorded
	// look says that its template may have changed.
	look bool
	rank int
}

// The order of tasks: a template that has just changed may change again, and its content is lost then; one that nobody
// touched can wait. Among equals the youngest goes first.
const (
	rankChanged = iota
	rankUnknown
	rankNew
)

// plan is what has to be done in a Karmada.
type plan struct {
	tasks []task
	// orphans are revisions whose workload is gone.
	orphans []*recorded
	// checks are those of workloads that still exist.
	checks map[types.UID]check
	// again is when to plan again, because something has to wait; 0 when nothing has.
	again time.Duration
}

// planned compares the workloads with their revisions, in memory.
func planned(templates map[*connection.Watch][]connection.Object, held []connection.Object, checks map[types.UID]check, limit int, now time.Time) plan {
	p := plan{checks: map[types.UID]check{}}
	of := make(map[types.UID][]*recorded, len(held))
	for _, o := range held {
		if r, ok := o.(*recorded); ok {
			of[r.workload] = append(of[r.workload], r)
		}
	}
	for _, k := range kinds {
		for _, o := range templates[k.watch] {
			t, ok := o.(*template)
			if !ok {
				continue
			}
			revisions := of[t.UID]
			delete(of, t.UID)
			if t.DeletionTimestamp != nil {
				continue
			}
			slices.SortFunc(revisions, newestFirst)
			c, checked := checks[t.UID]
			if checked {
				p.checks[t.UID] = c
			}
			task := task{kind: k, template: t, revisions: revisions}
			if wait := judge(&task, c, checked, now); wait > 0 {
				p.wait(wait)
				continue
			}
			if task.look || len(revisions) > limit {
				p.tasks = append(p.tasks, task)
			}
		}
	}
	for _, revisions := range of {
		p.orphans = append(p.orphans, revisions...)
	}
	slices.SortStableFunc(p.tasks, func(a, b task) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), b.template.CreationTimestamp.Compare(a.template.CreationTimestamp.Time))
	})
	return p
}

// judge decides whether a workload has to be looked at. It returns how long to wait before that is known, 0 when it is.
func judge(t *task, c check, checked bool, now time.Time) time.Duration {
	generation, cause := t.template.Generation, t.template.cause()
	switch age := now.Sub(c.at); {
	case checked && c.failed && age < retry:
		return retry - age
	case checked && !c.failed && c.generation >= generation && c.cause == cause:
		// Nothing is new since it was looked at, but its current revision may have been deleted.
		if t.current().name() == c.name {
			return 0
		}
		if age < lag {
			return lag - age
		}
	case t.current() != nil && t.current().generation == generation && t.current().cause == cause:
		return 0
	}
	t.look = true
	switch {
	case checked && !c.failed:
		t.rank = rankChanged
	case len(t.revisions) > 0:
		t.rank = rankUnknown
	default:
		t.rank = rankNew
	}
	return 0
}

// current is the newest revision; nil when there is none, or two claim to be.
func (t *task) current() *recorded {
	switch {
	case len(t.revisions) == 0, len(t.revisions) > 1 && t.revisions[0].number == t.revisions[1].number:
		return nil
	}
	return t.revisions[0]
}

// name is that of a revision, "" for nil.
func (r *recorded) name() string {
	if r == nil {
		return ""
	}
	return r.Name
}

// wait notes that planning has to be repeated after a while.
func (p *plan) wait(d time.Duration) {
	if p.again == 0 || d < p.again {
		p.again = d
	}
}

func newestFirst(a, b *recorded) int {
	return cmp.Or(cmp.Compare(b.number, a.number), strings.Compare(a.Name, b.Name))
}
