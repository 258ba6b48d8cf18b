package loaders

import (
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

// edge reads one edge of everything of a type in a batch at once, when it is first asked for, and gives
// each its own part. What came alone, without a batch, is read alone. Ok is false when the read failed;
// the error is then nil for all but the first who asks.
//
// The name tells edges of one type apart, their arguments included.
func edge[P comparable, R any](k *Kernel, b *model.Batch, name string, self P, read func([]P) (map[P]R, error)) (part R, ok bool, err error) {
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
		parts, err := read(model.Members[P](b))
		e.parts = parts
		return err
	})
	if ok {
		part = e.parts.(map[P]R)[self] //nolint:forcetypeassert // written three lines above
	}
	return part, ok, err
}
