package loaders

import (
	"errors"
	"fmt"
	"sync"

	"github.com/kairship-io/kairship/internal/model"
)

// edgeOf names one edge of everything in a batch.
type edgeOf struct {
	batch *model.Batch
	name  string
}

// edgeRead is what has been read for it.
type edgeRead struct {
	run   sync.Once
	parts any
	err   error

	mu   sync.Mutex
	told []error
}

// tell is an error the first time that it is asked for, and a *Told after it: one failed request is one error
// of a field, however many objects it leaves without. That another edge on the way has told it does not count.
func (e *edgeRead) tell(err error) error {
	if told := (*Told)(nil); errors.As(err, &told) {
		err = told.Err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, before := range e.told {
		if same(err, before) {
			return &Told{err}
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

// Told is the error of a field that is null because of a failed read, when another field of the answer has
// its error already.
type Told struct{ Err error }

func (t *Told) Error() string { return t.Err.Error() }

// Unwrap is the error that was told.
func (t *Told) Unwrap() error { return t.Err }

// Partial is the error that comes beside a result: what it lacks, and why.
type Partial struct{ Err error }

func (p *Partial) Error() string { return p.Err.Error() }

// Unwrap is why.
func (p *Partial) Unwrap() error { return p.Err }

// lacking is err as one that leaves the result; nil for none.
func lacking(err error) error {
	if err == nil {
		return nil
	}
	return &Partial{err}
}

// failed says that there is no result.
func failed(err error) bool { return err != nil && !errors.As(err, new(*Partial)) }

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

// edge is edgeAs for what is in the batch itself.
func edge[P comparable, R any](k *Kernel, b *model.Batch, name string, self P, read func([]P) (map[P]R, error)) (R, error) {
	return edgeAs(k, b, fmt.Sprintf("%T %s", self, name), self, model.Members[P], read)
}

// edgeAs reads one edge of everything in a batch at once, when it is first asked for, and gives each its own
// part; members says what in the batch has the edge. What came alone, without a batch, is read alone. When the
// read failed there is no part, and the error is a *Told for all but the first who asks; with a *Partial there is
// a part, and only the first who asks has the error.
//
// The name tells the edges of a batch apart, their arguments included. The read's error is that of all, or an
// each.
func edgeAs[P comparable, R any](k *Kernel, b *model.Batch, name string, self P, members func(*model.Batch) []P, read func([]P) (map[P]R, error)) (part R, err error) {
	e := &edgeRead{}
	parents := func() []P { return []P{self} }
	if b != nil {
		k.mu.Lock()
		if known := k.edges[edgeOf{b, name}]; known != nil {
			e = known
		} else {
			k.edges[edgeOf{b, name}] = e
		}
		k.mu.Unlock()
		parents = func() []P { return members(b) }
	}
	e.run.Do(func() {
		parts, err := read(parents())
		e.parts, e.err = parts, err
	})
	if err = errorOf(e.err, self); failed(err) {
		return part, e.tell(err)
	}
	if parts, is := e.parts.(map[P]R); is {
		part = parts[self]
	}
	if err != nil {
		if err = e.tell(err); errors.As(err, new(*Told)) {
			err = nil
		}
	}
	return part, err
}
