// Package batch reads the edges of a graph for all rows that were read together at once. It knows how edges are read,
// not what they lead to: package loaders defines that, in one file for each domain.
//
// Only the operation that read rows knows which ones were read together: the rows themselves are plain values, which
// many operations may share.
package batch

import "sync"

// Batch is rows that were read together, so that an edge of one is read for all of them at once.
type Batch struct {
	members []any
}

// Members is the members of a batch that have a type.
func Members[T any](b *Batch) []T {
	out := make([]T, 0, len(b.members))
	for _, m := range b.members {
		if t, ok := m.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// Operation is what one operation has read: the batches of its rows, and the edges that were requested. It is discarded
// with the operation.
type Operation struct {
	key func(row any) any

	mu      sync.RWMutex
	batches map[any]*Batch
	// reads has a *reads of the edge's own types for each edge of each batch.
	reads map[readsOf]any
}

// NewOperation returns an operation that has read nothing. Rows with the same key are one row, seen as several types;
// keys have to be comparable.
func NewOperation(key func(row any) any) *Operation {
	return &Operation{key: key, batches: map[any]*Batch{}, reads: map[readsOf]any{}}
}

// Join makes rows that were read together a batch. A row that was in another batch leaves it.
func Join[T any](o *Operation, rows []T) {
	b := &Batch{members: make([]any, len(rows))}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, row := range rows {
		b.members[i] = row
		o.batches[o.key(row)] = b
	}
}

// Batch is the batch of a row; nil for one that came alone, from a watch or a mutation.
func (o *Operation) Batch(row any) *Batch {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.batches[o.key(row)]
}

// Follow adds a row to the batch of another row that leads to it, so that edges of it are read for that whole batch. It
// does nothing when the other row came alone.
func (o *Operation) Follow(row, of any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if b := o.batches[o.key(of)]; b != nil {
		o.batches[o.key(row)] = b
	}
}

// operation gives an edge the operation that it is read in: a Reader embeds it.
func (o *Operation) operation() *Operation { return o }

// Reader reads edges: it embeds the *Operation that it reads them in.
type Reader interface{ operation() *Operation }
