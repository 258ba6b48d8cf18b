package batch

import (
	"context"
	"errors"
	"reflect"
	"sync"

	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Edge is one edge of the graph: it leads from each of many parents to what is read for all of them at once.
//
// Edges are package variables, not made where they are read: so a read can use nothing but its parameters, and an
// argument that is not part of args does not compile. An edge made on the fly shares its reads with nobody.
type Edge[L Reader, A any, P comparable, R any] struct {
	// From is the parents in a batch that have the edge.
	From func(*Batch) []P
	// Read must depend on its arguments and parents only. Its error applies to all parents, unless it is an Each.
	Read func(ctx context.Context, l L, args A, parents []P) (map[P]R, error)
}

// None is the arguments of an edge that takes none.
type None struct{}

// Paged is arguments with a page. A page after a cursor belongs to one list, and is not read for others.
type Paged interface{ After() string }

// readsOf identifies the reads of one edge for one batch.
type readsOf struct {
	batch *Batch
	// edge is the *Edge, which decides the types of its reads.
	edge any
}

// reads is the reads of an edge for a batch, one for each value of its arguments.
type reads[A any, P comparable, R any] struct {
	mu  sync.Mutex
	all []*read[A, P, R]
}

// read is the result of reading an edge for one value of its arguments.
type read[A any, P comparable, R any] struct {
	args A

	run sync.Once
	// parents are the parents that it was read for.
	parents map[P]bool
	parts   map[P]R
	err     error

	mu       sync.Mutex
	reported []error
}

// Of reads the edge for a whole batch when it is first requested, and returns self's part. Each value of the arguments
// is a separate read: they are compared deeply. Without a batch, self is read alone. When the read failed there is no
// part, and the error is a *Reported for all callers but the first; with a *PartialError there is a part, and only the
// first caller gets the error.
func (e *Edge[L, A, P, R]) Of(ctx context.Context, l L, b *Batch, args A, self P) (R, error) {
	if p, ok := any(args).(Paged); b == nil || ok && p.After() != "" {
		return e.Alone(ctx, l, args, self)
	}
	r := e.readsIn(l.operation(), b).with(args)
	r.run.Do(func() {
		r.parents, r.err = map[P]bool{}, errUnread
		r.parts, r.err = panics.Catch(func() (map[P]R, error) {
			var members []P // each once: a batch may contain one object twice, as the owner of two
			for _, p := range e.From(b) {
				if !r.parents[p] {
					r.parents[p], members = true, append(members, p)
				}
			}
			return e.Read(ctx, l, args, members)
		})
	})
	// A parent outside the batch must not look like one without a result.
	if !r.parents[self] {
		return e.Alone(ctx, l, args, self)
	}
	return r.part(self)
}

// Alone reads the edge of one parent by itself.
func (e *Edge[L, A, P, R]) Alone(ctx context.Context, l L, args A, self P) (R, error) {
	r := &read[A, P, R]{}
	r.parts, r.err = panics.Catch(func() (map[P]R, error) { return e.Read(ctx, l, args, []P{self}) })
	return r.part(self)
}

// readsIn is the reads of the edge for a batch.
func (e *Edge[L, A, P, R]) readsIn(o *Operation, b *Batch) *reads[A, P, R] {
	o.mu.Lock()
	defer o.mu.Unlock()
	of := readsOf{b, e}
	known, ok := o.reads[of].(*reads[A, P, R])
	if !ok {
		known = &reads[A, P, R]{}
		o.reads[of] = known
	}
	return known
}

// with is the read for some arguments, made on first use.
func (r *reads[A, P, R]) with(args A) *read[A, P, R] {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, known := range r.all {
		if reflect.DeepEqual(known.args, args) {
			return known
		}
	}
	fresh := &read[A, P, R]{args: args}
	r.all = append(r.all, fresh)
	return fresh
}

// part is one parent's part of a read.
func (r *read[A, P, R]) part(self P) (part R, err error) {
	if err = ErrorOf(r.err, self); Failed(err) {
		return part, r.report(err)
	}
	part = r.parts[self]
	if err != nil {
		if err = r.report(err); errors.As(err, new(*Reported)) {
			err = nil
		}
	}
	return part, err
}

// report returns an error the first time, and a *Reported after that: one failed request is one error in the answer,
// however many objects it affects. Reports by another edge on the way do not count.
//
// A panic is an error for all callers: none of them must look like one without a result.
func (r *read[A, P, R]) report(err error) error {
	if errors.As(err, new(*panics.Error)) {
		return err
	}
	if reported := (*Reported)(nil); errors.As(err, &reported) {
		err = reported.Err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, before := range r.reported {
		if same(err, before) {
			return &Reported{err}
		}
	}
	r.reported = append(r.reported, err)
	return err
}
