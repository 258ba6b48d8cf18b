package globalmanagement

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// workers is how many bindings are written at once.
	workers = 8
	// freeRemovals is how many bindings a full set may remove, whatever their share.
	freeRemovals = 5
	// toldErrors is how many errors of an event are logged: the others are most likely the same.
	toldErrors = 5
)

// Item is the outcome for one binding or subject of an event.
type Item struct {
	// Index in the list of the event; nil for a binding that the event does not name.
	Index *int `json:"index,omitempty"`
	// Name of the AccessBinding.
	Name    string  `json:"name,omitempty"`
	Outcome Outcome `json:"outcome"`
	Message string  `json:"message,omitempty"`
	// Field is the path in the event of what is not allowed.
	Field []string `json:"field,omitempty"`
}

// apply carries out an event. An error means that part of it was not done; it may be applied again.
func (w *writer) apply(ctx context.Context, e *event.Event, from origin) ([]Item, error) {
	r, cancel := w.begin(ctx, from)
	defer cancel()
	switch e.Type {
	case event.BindingUpserted:
		return r.each(ctx, e.Bindings, r.upsert)
	case event.BindingRemoved:
		return r.each(ctx, e.Bindings, r.removeNamed)
	case event.SubjectRemoved:
		return r.removeSubjects(ctx, e.Subjects)
	default:
		return r.full(ctx, e.Bindings, e.ConfirmRemovals)
	}
}

// each calls do for every valid binding.
func (r *run) each(ctx context.Context, bindings []event.Binding, do func(context.Context, *event.Binding) (verdict, error)) ([]Item, error) {
	items := make([]Item, len(bindings))
	b := newBatch(ctx)
	for i, refusal := range event.CheckAll(r.from.source, bindings) {
		items[i] = Item{Index: &i, Name: bindings[i].Name(r.from.source)}
		if refusal != nil {
			items[i].refuse(refusal)
			continue
		}
		b.do(func(ctx context.Context) (err error) {
			items[i].Outcome, items[i].Message, err = split(do(ctx, &bindings[i]))
			return err
		})
	}
	return items, b.wait()
}

func (r *run) upsert(ctx context.Context, b *event.Binding) (verdict, error) {
	name := b.Name(r.from.source)
	have, err := r.get(ctx, name)
	if err != nil {
		return verdict{}, err
	}
	return r.put(ctx, name, b.Spec(), have)
}

func (r *run) removeNamed(ctx context.Context, b *event.Binding) (verdict, error) {
	have, err := r.get(ctx, b.Name(r.from.source))
	if err != nil || have == nil {
		return verdict{outcome: OutcomeAbsent}, err
	}
	return r.remove(ctx, have)
}

// removeSubjects removes all bindings of people and groups.
func (r *run) removeSubjects(ctx context.Context, subjects []event.Subject) ([]Item, error) {
	all, err := r.list(ctx)
	if err != nil {
		return nil, err
	}
	of := map[event.Subject][]*v1alpha1.AccessBinding{}
	for i := range all {
		s := event.Subject{Kind: all[i].Spec.Subject.Kind, Name: all[i].Spec.Subject.Name}
		of[s] = append(of[s], &all[i])
	}
	var mu sync.Mutex
	var items []Item
	b := newBatch(ctx)
	for i, s := range subjects {
		if refusal := s.Check("subjects", strconv.Itoa(i)); refusal != nil {
			item := Item{Index: &i}
			item.refuse(refusal)
			mu.Lock()
			items = append(items, item)
			mu.Unlock()
			continue
		}
		theirs := of[s]
		// A subject that is named twice is absent the second time.
		delete(of, s)
		if len(theirs) == 0 {
			mu.Lock()
			items = append(items, Item{Index: &i, Outcome: OutcomeAbsent})
			mu.Unlock()
		}
		for _, have := range theirs {
			b.do(func(ctx context.Context) error {
				item := Item{Index: &i, Name: have.Name}
				var err error
				item.Outcome, item.Message, err = split(r.remove(ctx, have))
				mu.Lock()
				defer mu.Unlock()
				items = append(items, item)
				return err
			})
		}
	}
	return items, b.wait()
}

// full brings the bindings of the source in line with a set. Unchanged ones are not among the items.
func (r *run) full(ctx context.Context, bindings []event.Binding, confirmed bool) ([]Item, error) {
	have, err := r.list(ctx)
	if err != nil {
		return nil, err
	}
	p := planFull(r.from.source, bindings, have)
	if n := len(p.remove); !confirmed && n > freeRemovals && 2*n > p.present {
		return nil, refuse(reasonUnconfirmed, "the set would remove %d of %d bindings; if that is meant, say \"confirmRemovals\": true", n, p.present)
	}
	var mu sync.Mutex
	items := p.refused
	add := func(item Item, v verdict, err error) error {
		mu.Lock()
		defer mu.Unlock()
		if item.Outcome, item.Message = v.outcome, v.message; err == nil && v.outcome != OutcomeUnchanged {
			items = append(items, item)
		}
		return err
	}
	// Removals come before additions: they are more urgent.
	b := newBatch(ctx)
	for _, o := range p.remove {
		b.do(func(ctx context.Context) error {
			v, err := r.remove(ctx, o)
			return add(Item{Name: o.Name}, v, err)
		})
	}
	if err := b.wait(); err != nil {
		return nil, err
	}
	b = newBatch(ctx)
	for _, change := range p.put {
		b.do(func(ctx context.Context) error {
			have := change.have
			if have == nil {
				// The list does not hold bindings of others.
				var err error
				if have, err = r.get(ctx, change.name); err != nil {
					return err
				}
			}
			v, err := r.put(ctx, change.name, bindings[change.index].Spec(), have)
			return add(Item{Index: &change.index, Name: change.name}, v, err)
		})
	}
	return items, b.wait()
}

// plan is the changes that a full set requires.
type plan struct {
	remove []*v1alpha1.AccessBinding
	put    []change
	// refused are the invalid bindings. Existing ones of their names stay unchanged.
	refused []Item
	// present is how many existing bindings are not being deleted.
	present int
}

type change struct {
	index int
	name  string
	have  *v1alpha1.AccessBinding
}

// planFull compares a set with the existing bindings.
func planFull(source string, bindings []event.Binding, have []v1alpha1.AccessBinding) plan {
	var p plan
	there := make(map[string]*v1alpha1.AccessBinding, len(have))
	for i := range have {
		there[have[i].Name] = &have[i]
	}
	named := make(map[string]bool, len(bindings))
	for i, refusal := range event.CheckAll(source, bindings) {
		name := bindings[i].Name(source)
		named[name] = true
		if refusal != nil {
			item := Item{Index: &i, Name: name}
			item.refuse(refusal)
			p.refused = append(p.refused, item)
			continue
		}
		p.put = append(p.put, change{i, name, there[name]})
	}
	for i := range have {
		if have[i].DeletionTimestamp != nil {
			continue
		}
		p.present++
		if !named[have[i].Name] {
			p.remove = append(p.remove, &have[i])
		}
	}
	return p
}

func (i *Item) refuse(err *model.Error) {
	i.Outcome, i.Message, i.Field = OutcomeRefused, err.Message, err.Field
}

func split(v verdict, err error) (Outcome, string, error) { return v.outcome, v.message, err }

// batch runs several tasks at once. A failure keeps others from starting only if they would fail the same way.
type batch struct {
	ctx    context.Context
	group  errgroup.Group
	mu     sync.Mutex
	failed []error
	over   bool
}

func newBatch(ctx context.Context) *batch {
	b := &batch{ctx: ctx}
	b.group.SetLimit(workers)
	return b
}

func (b *batch) do(one func(context.Context) error) {
	b.group.Go(func() error {
		if b.isOver() {
			return nil
		}
		if err := one(b.ctx); err != nil {
			b.fail(err)
		}
		return nil
	})
}

func (b *batch) isOver() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.over
}

// fail records an error. One that is not an API server's answer would be that of every further request.
func (b *batch) fail(err error) {
	var status apierrors.APIStatus
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = b.over || !errors.As(err, &status) || apierrors.IsUnauthorized(err) || apierrors.IsForbidden(err) || apierrors.IsTooManyRequests(err)
	if len(b.failed) < toldErrors {
		b.failed = append(b.failed, err)
	}
}

// wait waits for all started tasks, and returns their errors.
func (b *batch) wait() error {
	_ = b.group.Wait() // they return nothing
	return errors.Join(b.failed...)
}
