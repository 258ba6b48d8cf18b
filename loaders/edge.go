package loaders

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// edge is one edge of the graph: it leads from each of many parents to what is read for all of them at once.
//
// Edges are variables of the package, not made where they are read: so a read has nothing to go by but what it
// is given, and an argument that is not part of args does not compile. An edge that is made in passing shares
// its reads with nobody.
type edge[A any, P comparable, R any] struct {
	// from is those in a batch who have the edge.
	from func(*model.Batch) []P
	// read is a function of its arguments and parents alone. Its error is that of all, or an each.
	read func(ctx context.Context, k *Loaders, args A, parents []P) (map[P]R, error)
}

// none is the arguments of an edge that takes none.
type none struct{}

// edgeOf names one edge of everything in a batch.
type edgeOf struct {
	batch *model.Batch
	// edge is a *edge.
	edge any
}

// edgeRead is what has been read of an edge for one value of its arguments.
type edgeRead struct {
	args any

	run sync.Once
	// parents are those it was read for, as a map[P]bool; parts are theirs, as a map[P]R.
	parents, parts any
	err            error

	mu   sync.Mutex
	told []error
}

// errUnread is the error of a read that did not come to its end.
var errUnread error = &model.Error{Code: model.CodeInternal, Message: "a read did not end"}

// paged is arguments with a page. One beyond a cursor is of one list, and is not read for others.
type paged interface{ after() string }

// of reads the edge of everything in a batch at once, when it is first asked for, and gives self its part. Who
// asks with other arguments has another read: they are compared as values, however deep. What came alone,
// without a batch, is read alone. When the read failed there is no part, and the error is a *Reported for all but
// the first who asks; with a *PartialError there is a part, and only the first who asks has the error.
func (e *edge[A, P, R]) of(ctx context.Context, k *Loaders, b *model.Batch, args A, self P) (R, error) {
	if p, ok := any(args).(paged); b == nil || ok && p.after() != "" {
		return e.alone(ctx, k, args, self)
	}
	r := k.edgeRead(edgeOf{b, e}, args)
	r.run.Do(func() {
		parents := map[P]bool{}
		r.parents, r.err = parents, errUnread
		r.parts, r.err = panics.Catch(func() (map[P]R, error) {
			var members []P // each once: a batch may hold one object twice, as the owner of two
			for _, p := range e.from(b) {
				if !parents[p] {
					parents[p], members = true, append(members, p)
				}
			}
			return e.read(ctx, k, args, members)
		})
	})
	// Who is not of the batch is not taken for somebody who has nothing there.
	if parents, ok := r.parents.(map[P]bool); ok && !parents[self] {
		return e.alone(ctx, k, args, self)
	}
	return partOf[P, R](r, self)
}

func (e *edge[A, P, R]) alone(ctx context.Context, k *Loaders, args A, self P) (R, error) {
	r := &edgeRead{}
	r.parts, r.err = panics.Catch(func() (map[P]R, error) { return e.read(ctx, k, args, []P{self}) })
	return partOf[P, R](r, self)
}

// edgeRead is the read of an edge with some arguments, made when nobody has asked for it.
func (k *Loaders) edgeRead(of edgeOf, args any) *edgeRead {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.edges[of] {
		if reflect.DeepEqual(r.args, args) {
			return r
		}
	}
	r := &edgeRead{args: args}
	k.edges[of] = append(k.edges[of], r)
	return r
}

// partOf is the part that one of the parents has in a read.
func partOf[P comparable, R any](r *edgeRead, self P) (part R, err error) {
	if err = errorOf(r.err, self); failed(err) {
		return part, r.tell(err)
	}
	if parts, is := r.parts.(map[P]R); is {
		part = parts[self]
	}
	if err != nil {
		if err = r.tell(err); errors.As(err, new(*Reported)) {
			err = nil
		}
	}
	return part, err
}

// tell is an error the first time that it is asked for, and a *Reported after it: one failed request is one error
// of a field, however many objects it leaves without. That another edge on the way has told it does not count.
//
// A panic is an error to all who wait for it: none of them is to be taken for one that has nothing.
func (e *edgeRead) tell(err error) error {
	if errors.As(err, new(*panics.Error)) {
		return err
	}
	if told := (*Reported)(nil); errors.As(err, &told) {
		err = told.Err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, before := range e.told {
		if same(err, before) {
			return &Reported{err}
		}
	}
	e.told = append(e.told, err)
	return err
}

// same says whether two errors say the same: that a kind is not held is found anew for each object.
func same(a, b error) bool {
	x, y := (*model.Error)(nil), (*model.Error)(nil)
	if errors.Is(a, b) || !errors.As(a, &x) || !errors.As(b, &y) {
		return errors.Is(a, b)
	}
	return x.Code == y.Code && x.Message == y.Message && x.Instance == y.Instance && x.Cluster == y.Cluster
}

// Reported is the error of a field that is null because of a failed read, when another field of the answer has
// its error already.
type Reported struct{ Err error }

func (t *Reported) Error() string { return t.Err.Error() }

// Unwrap is the error that was reported.
func (t *Reported) Unwrap() error { return t.Err }

// PartialError is the error that comes beside a result: what it lacks, and why.
type PartialError struct{ Err error }

func (p *PartialError) Error() string { return p.Err.Error() }

// Unwrap is why.
func (p *PartialError) Unwrap() error { return p.Err }

// lacking is err as one that leaves the result; nil for none.
func lacking(err error) error {
	if err == nil {
		return nil
	}
	return &PartialError{err}
}

// failed says that there is no result.
func failed(err error) bool { return err != nil && !errors.As(err, new(*PartialError)) }

// each is the errors of some of those for whom something was read together.
type each[P comparable] map[P]error

func (e each[P]) Error() string {
	for _, err := range e {
		return fmt.Sprintf("%d failed: %v", len(e), err)
	}
	return "none failed"
}

// add notes an error; nil is none.
func (e each[P]) add(p P, err error) {
	if err != nil && e[p] == nil {
		e[p] = err
	}
}

// any is e as an error; nil when nobody has one.
func (e each[P]) any() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

// errorOf is the part of an error that concerns one of those for whom something was read.
func errorOf[P comparable](err error, self P) error {
	var some each[P]
	if errors.As(err, &some) {
		return some[self]
	}
	return err
}
