package main

import (
	"errors"
	"fmt"
	"math"
)

// The cost model of docs/performance.md: what a page of workloads costs is a constant, so much for each row, and so much for
// each target of a row. Three pages give the three numbers; the model is checked with other ones.

// modelError is how far a prediction may be off.
const modelError = .25

// pages of the model: rows and the targets of each.
var modelPages = map[string]struct{ rows, targets float64 }{
	"without targets": {50, 0}, "first page": {50, labTargets}, "200 rows": {200, labTargets}, "100 rows": {100, labTargets}, "three targets": {50, 3},
}

// linear is a cost as the model has it.
type linear struct{ constant, row, target float64 }

func (l linear) of(rows, targets float64) float64 {
	return l.constant + rows*l.row + rows*targets*l.target
}

// fitted is the cost whose pages without targets, of 50 rows and of 200 rows cost so much.
func fitted(without, first, many float64) linear {
	each := (many - first) / (200 - 50)
	l := linear{constant: first - 50*each}
	l.row = (without - l.constant) / 50
	l.target = (each - l.row) / labTargets
	return l
}

// costs are what the model predicts, in the units of the table.
var costs = []struct {
	name, unit string
	of         func(*result) float64
}{
	{"answer", "kB", func(r *result) float64 { return float64(r.bytes) / 1e3 }},
	{"allocations", "", func(r *result) float64 { return r.counted.allocations }},
	{"allocated", "kB", func(r *result) float64 { return r.counted.allocated / 1e3 }},
	{"processors", "ms", func(r *result) float64 { return float64(r.processors[ours]) / 1e6 }},
}

// model prints the costs of pages at the first size, and what they make of other pages beside what those were measured to
// cost.
func (l *lab) model() error {
	pages := map[string]*result{}
	for i := range l.results {
		if r := &l.results[i]; r.size == l.o.sizes[0] {
			pages[r.question.name] = r
		}
	}
	for name := range modelPages {
		if name != "three targets" && pages[name] == nil {
			return nil // not all of them were asked
		}
	}
	var failed []error
	fmt.Printf("\ncost model of a page of workloads: a constant, for each row, and for each target of a row; predictions beside measurements\n\n")
	fmt.Printf("%-18s %10s %10s %10s   %-26s %-26s\n", "", "constant", "row", "target", "100 rows", "three targets")
	for _, c := range costs {
		m := fitted(c.of(pages["without targets"]), c.of(pages["first page"]), c.of(pages["200 rows"]))
		fmt.Printf("%-18s %10.3f %10.4f %10.5f", c.name+" "+c.unit, m.constant, m.row, m.target)
		for _, name := range []string{"100 rows", "three targets"} {
			if pages[name] == nil {
				continue
			}
			predicted, measured := m.of(modelPages[name].rows, modelPages[name].targets), c.of(pages[name])
			off := predicted/measured - 1
			fmt.Printf("   %-26s", fmt.Sprintf("%.4g, measured %.4g (%+.0f %%)", predicted, measured, 100*off))
			if math.Abs(off) > modelError {
				failed = append(failed, fmt.Errorf("the model predicts %.4g %s of %s for the page of %s, of which %.4g were measured", predicted, c.unit, c.name, name, measured))
			}
		}
		fmt.Println()
	}
	return errors.Join(failed...)
}
