package execution

import (
	"context"
	"io"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// FieldSet is the fields of one object in an answer. It has no deferred fields: the server refuses @defer.
type FieldSet struct {
	fields []graphql.CollectedField
	// Values has a value for each field, or will have once Dispatch returns.
	Values []graphql.Marshaler
	// Invalids counts fields that are null where the schema allows none: the object itself is null then.
	Invalids uint32
	waiting  []waiting
	// few are the values where there are few of them, as in most objects.
	few [4]graphql.Marshaler
}

// waiting is a field whose value has to be waited for.
type waiting struct {
	i       int
	resolve func(context.Context) graphql.Marshaler
}

// NewFieldSet makes the set of fields that were selected; each alias is among them once.
func NewFieldSet(fields []graphql.CollectedField) *FieldSet {
	s := &FieldSet{fields: fields}
	if len(fields) <= len(s.few) {
		s.Values = s.few[:len(fields)]
	} else {
		s.Values = make([]graphql.Marshaler, len(fields))
	}
	return s
}

// Concurrently has Dispatch resolve a field beside others.
func (s *FieldSet) Concurrently(i int, resolve func(context.Context) graphql.Marshaler) {
	s.waiting = append(s.waiting, waiting{i, resolve})
}

// Dispatch resolves the fields that have to be waited for, and returns when all are there: beside each other, or one after
// the other where earlier elements of a list have read for this one. The last one is resolved by the caller itself. A
// resolver that panics recovers by itself.
func (s *FieldSet) Dispatch(ctx context.Context) {
	if len(s.waiting) == 0 {
		return
	}
	if len(s.waiting) > 1 && ctx.Value(readKey{}) != nil {
		for _, w := range s.waiting {
			s.Values[w.i] = w.resolve(ctx)
		}
		return
	}
	var others sync.WaitGroup
	last := len(s.waiting) - 1
	for _, w := range s.waiting[:last] {
		others.Go(func() { s.Values[w.i] = w.resolve(ctx) })
	}
	s.Values[s.waiting[last].i] = s.waiting[last].resolve(ctx)
	others.Wait()
}

// MarshalGQL writes the object as JSON.
func (s *FieldSet) MarshalGQL(w io.Writer) {
	// Aliases are GraphQL names, which need no escaping. A failed write is an error of the writer.
	before := `{"`
	for i := range s.fields {
		_, _ = io.WriteString(w, before)
		_, _ = io.WriteString(w, s.fields[i].Alias)
		_, _ = io.WriteString(w, `":`)
		s.Values[i].MarshalGQL(w)
		before = `,"`
	}
	if len(s.fields) == 0 {
		_, _ = io.WriteString(w, `{`)
	}
	_, _ = io.WriteString(w, `}`)
}
