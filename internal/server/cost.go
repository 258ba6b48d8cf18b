package server

import (
	"encoding/json"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
)

// The cost of a query is about the number of objects in its answer that have to be read. It is computed before any
// resolver runs:
//
//   - a scalar, an enum and a plain value (Fact, Freshness, TargetStatus …: part of its object, without edges of its
//     own) cost nothing;
//   - a manifest, or the form of a workload, costs 5, because it is the whole object;
//   - metrics cost 31, or 251 where their step is given: a point costs a thirtieth, of eight series with 120 points or at most 1,000;
//   - any other object costs 1, and what is selected in it;
//   - a list of plain values costs 1; any other list costs its length times one entry;
//   - a page is as long as `first`, at most 200; where lists are known to be shorter than the default page, it is as
//     long as that (see lengths);
//   - __schema costs 1,000 and __type 100.
//
// A fragment costs its content wherever it is spread, even where its type condition excludes others: the cost is an
// upper bound.
//
// So a page of 50 workloads with policy, targets and their clusters costs about 650, and the default limit of 10,000
// allows that page of ten instances in one request.

const (
	manifestCost = 5
	metricsCost  = 31
	steppedCost  = 251
	schemaCost   = 1000
	typeCost     = 100
	// maxPage is the longest page the graph serves.
	maxPage = 200
	// unknownLength is the assumed length of a list that is neither paged nor known.
	unknownLength = 10
)

// lengths are assumed lengths of lists: for paged ones an upper bound.
var lengths = map[string]int{
	"Query.instances":     10,
	"Instance.clusters":   20,
	"Propagation.targets": 5,
}

// pricing computes the cost of operations on one schema.
type pricing struct {
	schema *ast.Schema
	// plain is the object types that are plain values.
	plain map[string]bool
}

func newPricing(schema *ast.Schema) *pricing {
	p := &pricing{schema: schema, plain: map[string]bool{}}
	// A type is plain when all its fields are leaves or plain: found by removing types that are not, until nothing
	// changes.
	for name, t := range schema.Types {
		if t.Kind == ast.Object && t != schema.Query && t != schema.Mutation && t != schema.Subscription {
			p.plain[name] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for name := range p.plain {
			if !p.isPlain(schema.Types[name]) {
				delete(p.plain, name)
				changed = true
			}
		}
	}
	return p
}

func (p *pricing) isPlain(t *ast.Definition) bool {
	for _, i := range t.Interfaces {
		if i == "Node" {
			return false
		}
	}
	for _, f := range t.Fields {
		of := p.schema.Types[f.Type.Name()]
		if of == nil || len(f.Arguments) > 0 || !of.IsLeafType() && !p.plain[of.Name] {
			return false
		}
	}
	return true
}

// walk computes the cost of one operation.
type walk struct {
	*pricing
	doc       *ast.QueryDocument
	variables map[string]any
	known     map[string]int
}

// cost is the cost of a valid operation.
func (p *pricing) cost(doc *ast.QueryDocument, op *ast.OperationDefinition, variables map[string]any) int {
	w := walk{pricing: p, doc: doc, variables: variables, known: map[string]int{}}
	return w.set(op.SelectionSet, 0)
}

// set is the cost of a selection set. In a connection, page is the number of rows; else 0.
func (w *walk) set(set ast.SelectionSet, page int) (total int) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			total += w.field(s, page)
		case *ast.InlineFragment:
			total += w.set(s.SelectionSet, page)
		case *ast.FragmentSpread:
			key := s.Name + "\n" + strconv.Itoa(page)
			cost, ok := w.known[key]
			if !ok {
				if f := w.doc.Fragments.ForName(s.Name); f != nil {
					cost = w.set(f.SelectionSet, page)
				}
				w.known[key] = cost
			}
			total += cost
		}
		total = min(total, many)
	}
	return total
}

func (w *walk) field(f *ast.Field, page int) int {
	switch f.Name {
	case "__schema":
		return schemaCost
	case "__type":
		return typeCost
	case "__typename":
		return 0
	case "manifest", "form":
		return manifestCost
	}
	if f.Definition == nil || f.ObjectDefinition == nil {
		return 0
	}
	t := w.schema.Types[f.Definition.Type.Name()]
	if t == nil || t.IsLeafType() {
		return 0
	}
	if t.Name == "Metrics" {
		if f.ArgumentMap(w.variables)["step"] == nil {
			return metricsCost
		}
		return steppedCost
	}
	isList := f.Definition.Type.Elem != nil
	if w.plain[t.Name] {
		if isList {
			return 1
		}
		return 0
	}
	if first := f.Definition.Arguments.ForName("first"); first != nil {
		return w.set(f.SelectionSet, w.pageLength(f)) + 1
	}
	inner := w.set(f.SelectionSet, 0) + 1
	switch {
	case !isList:
		return inner
	case page > 0: // the rows of a connection
		return times(page, inner)
	}
	return times(w.listLength(f), inner)
}

// pageLength is the assumed length of a page. The resolver refuses a value out of range by its name: here it must only
// cost neither less nor more than can be served.
func (w *walk) pageLength(f *ast.Field) int {
	rows := maxPage
	switch v := f.ArgumentMap(w.variables)["first"].(type) {
	case int64:
		rows = int(min(v, maxPage))
	case int:
		rows = min(v, maxPage)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			rows = int(min(n, maxPage))
		}
	}
	if known, ok := lengths[f.ObjectDefinition.Name+"."+f.Name]; ok {
		rows = min(rows, known)
	}
	return max(rows, 1)
}

func (w *walk) listLength(f *ast.Field) int {
	if known, ok := lengths[f.ObjectDefinition.Name+"."+f.Name]; ok {
		return known
	}
	// A list selected by a list of ids is as long as that.
	for _, v := range f.ArgumentMap(w.variables) {
		if list, ok := v.([]any); ok {
			return max(len(list), 1)
		}
	}
	return unknownLength
}

func times(n, cost int) int {
	if cost > 0 && n > many/cost {
		return many
	}
	return n * cost
}
