// Package batch reads the edges of a graph for all rows that came together at once. It knows how edges are read, not
// what they lead to: that is said by package loaders, one file for each domain.
//
// Which rows came together is known to the operation that read them, and to nobody else: the rows themselves are plain
// values, which many operations may share.
package batch

import "sync"

// Batch is rows that were read together, so that an edge of one is read for all of them at once.
type Batch struct {
	members []any
}

// Members is the members of a batch that are of a type.
func Members[T any](b *Batch) []T {
	out := make([]T, 0, len(b.members))
	for _, m := range b.members {
		if t, ok := m.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// Operation is what one operation has read: its rows' batches, and the edges of those that were asked for. It is thrown
// away with the operation.
type Operation struct {
	key func(row any) any

	mu      sync.RWMutex
	batches map[any]*Batch
	// reads has a *reads of the edge's own types for each edge of each batch.
	reads map[readsOf]any
}

// NewOperation returns an operation that has read nothing. Rows of which key is the same are one row, seen as several
// types; it has to be comparable.
func NewOperation(key func(row any) any) *Operation {
	return &Operation{key: key, batches: map[any]*Batch{}, reads: map[readsOf]any{}}
}

// Join ties together rows that were read together. A row that was in another batch leaves it.
func Join[T any](o *Operation, rows []T) {
	b := &Batch{members: make([]any, len(rows))}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, row := range rows {
		b.members[i] = row
		o.batches[o.key(row)] = b
	}
}

// Batch is the batch that a row came in; nil for one that came alone, from a watch or a mutation.
func (o *Operation) Batch(row any) *Batch {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.batches[o.key(row)]
}

// Follow says that what is asked of a row is asked for everything in the batch of another one, which leads to it. A row
// that leads to others and came alone leaves them alone.
func (o *Operation) Follow(row, of any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if b := o.batches[o.key(of)]; b != nil {
		o.batches[o.key(row)] = b
	}
}

// operation is how an edge finds the operation that it is read in: a Reader embeds it.
func (o *Operation) operation() *Operation { return o }

// Reader reads edges: it embeds the *Operation that it reads them in.
type Reader interface{ operation() *Operation }
