// Package batch reads the edges of a graph for all rows that were read together at once. It knows how edges are read,
// not what they lead to: package loaders defines that, in one file for each domain.
//
// Only the operation that read rows knows which ones were read together: the rows themselves are plain values, which
// many operations may share.
package batch

import (
	"reflect"
	"slices"
	"sync"
)

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
	// joined are batches whose members are not in batches yet, by the type of their keys: of most rows nobody asks.
	joined map[reflect.Type][]*Batch
	// reads has a *reads of the edge's own types for each edge of each batch.
	reads map[readsOf]any
}

// NewOperation returns an operation that has read nothing. Rows with the same key are one row, seen as several types;
// keys have to be comparable.
func NewOperation(key func(row any) any) *Operation {
	return &Operation{key: key, batches: map[any]*Batch{}, joined: map[reflect.Type][]*Batch{}, reads: map[readsOf]any{}}
}

// Join makes rows that were read together a batch. A row that was in another batch leaves it.
func Join[T any](o *Operation, rows []T) {
	if len(rows) == 0 {
		return
	}
	b := &Batch{members: make([]any, len(rows))}
	var kinds []reflect.Type // few: most rows of a list are of one type
	for i, row := range rows {
		b.members[i] = row
		if kind := reflect.TypeOf(o.key(row)); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, kind := range kinds {
		o.joined[kind] = append(o.joined[kind], b)
	}
}

// Batch is the batch of a row; nil for one that came alone, from a watch or a mutation.
func (o *Operation) Batch(row any) *Batch {
	key := o.key(row)
	o.mu.RLock()
	if len(o.joined[reflect.TypeOf(key)]) == 0 {
		defer o.mu.RUnlock()
		return o.batches[key]
	}
	o.mu.RUnlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.of(key)
}

// of is the batch of the row with a key, under the lock.
func (o *Operation) of(key any) *Batch {
	kind := reflect.TypeOf(key)
	for _, b := range o.joined[kind] {
		for _, row := range b.members {
			if key := o.key(row); reflect.TypeOf(key) == kind {
				o.batches[key] = b
			}
		}
	}
	delete(o.joined, kind)
	return o.batches[key]
}

// Follow adds a row to the batch of another row that leads to it, so that edges of it are read for that whole batch. It
// does nothing when the other row came alone.
func (o *Operation) Follow(row, of any) {
	key, leader := o.key(row), o.key(of)
	o.mu.Lock()
	defer o.mu.Unlock()
	if b := o.of(leader); b != nil {
		o.of(key) // what was joined before leaves its batch for this one
		o.batches[key] = b
	}
}

// operation gives an edge the operation that it is read in: a Reader embeds it.
func (o *Operation) operation() *Operation { return o }

// Reader reads edges: it embeds the *Operation that it reads them in.
type Reader interface{ operation() *Operation }
