package main

import (
	"errors"
	"fmt"
	"math"
)

// The cost model of docs/performance.md: what a page of workloads costs is a constant, so much for each row, and so much for
// each cluster that a row is in. Three pages give the three numbers; the model is checked with other ones, whose rows are all in
// ten clusters: how a row's cost divides between itself and its clusters is of two fleets, and is not checked.

// modelError is how far a prediction may be off.
const modelError = .25

// The pages that the model is made of, and those that it is checked with, by their rows; each row is in labTargets clusters,
// but for those of fewTargets, which are in seededTargets.
const (
	someRows, manyRows, fewTargets = "first page", "200 rows", "three targets"
	seededTargets                  = 3
)

var checkedPages = []struct {
	name string
	rows float64
}{{"100 rows", 100}, {"middle page", 50}, {"namespace filter", 50}}

// linear is a cost as the model has it.
type linear struct{ constant, row, target float64 }

func (l linear) of(rows, targets float64) float64 {
	return l.constant + rows*l.row + rows*targets*l.target
}

// fitted is the cost of which 50 rows, 200 rows, and 50 rows in few clusters cost so much.
func fitted(some, many, few float64) linear {
	each := (many - some) / (200 - 50)
	l := linear{constant: some - 50*each}
	eachOfFew := (few - l.constant) / 50
	l.target = (each - eachOfFew) / (labTargets - seededTargets)
	l.row = each - labTargets*l.target
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
	for _, name := range []string{someRows, manyRows, fewTargets} {
		if pages[name] == nil {
			return nil // not all of them were asked
		}
	}
	var failed []error
	fmt.Printf("\ncost model of a page of workloads: a constant, for each row, and for each cluster that a row is in; predictions beside measurements\n\n")
	fmt.Printf("%-18s %10s %10s %10s", "", "constant", "row", "cluster")
	for _, p := range checkedPages {
		fmt.Printf("   %-32s", p.name)
	}
	fmt.Println()
	for _, c := range costs {
		m := fitted(c.of(pages[someRows]), c.of(pages[manyRows]), c.of(pages[fewTargets]))
		fmt.Printf("%-18s %10.3f %10.4f %10.5f", c.name+" "+c.unit, m.constant, m.row, m.target)
		for _, p := range checkedPages {
			if pages[p.name] == nil {
				continue
			}
			predicted, measured := m.of(p.rows, labTargets), c.of(pages[p.name])
			off := predicted/measured - 1
			fmt.Printf("   %-32s", fmt.Sprintf("%.4g, measured %.4g (%+.0f %%)", predicted, measured, 100*off))
			if math.Abs(off) > modelError {
				failed = append(failed, fmt.Errorf("the model predicts %.4g %s of %s for the page %q, of which %.4g were measured", predicted, c.unit, c.name, p.name, measured))
			}
		}
		fmt.Println()
	}
	return errors.Join(failed...)
}
