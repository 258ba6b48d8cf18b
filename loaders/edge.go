package loaders

import (
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
	once
	parts any
}

// once runs a read for many fields and hands its error to the first of them only: one failed request
// is one error in the answer, however many fields it leaves null.
type once struct {
	run  sync.Once
	told sync.Once
	err  error
}

func (o *once) do(read func() error) (ok bool, err error) {
	o.run.Do(func() { o.err = read() })
	if o.err == nil {
		return true, nil
	}
	o.told.Do(func() { err = o.err })
	return false, err
}

// edge is edgeAs for what is in the batch itself.
func edge[P comparable, R any](k *Kernel, b *model.Batch, name string, self P, read func([]P) (map[P]R, error)) (part R, ok bool, err error) {
	return edgeAs(k, b, fmt.Sprintf("%T %s", self, name), self, model.Members[P], read)
}

// edgeAs reads one edge of everything in a batch at once, when it is first asked for, and gives each its own
// part; members says what in the batch has the edge. What came alone, without a batch, is read alone. Ok is
// false when the read failed; the error is then nil for all but the first who asks.
//
// The name tells the edges of a batch apart, their arguments included.
func edgeAs[P comparable, R any](k *Kernel, b *model.Batch, name string, self P, members func(*model.Batch) []P, read func([]P) (map[P]R, error)) (part R, ok bool, err error) {
	if b == nil {
		parts, err := read([]P{self})
		return parts[self], err == nil, err
	}
	k.mu.Lock()
	e := k.edges[edgeOf{b, name}]
	if e == nil {
		e = &edgeRead{}
		k.edges[edgeOf{b, name}] = e
	}
	k.mu.Unlock()
	ok, err = e.do(func() error {
		parts, err := read(members(b))
		e.parts = parts
		return err
	})
	if parts, is := e.parts.(map[P]R); ok && is {
		part = parts[self]
	}
	return part, ok, err
}
