package overlay

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
)

// maxCompared is how many pairs of items are compared by what they have in common; more are taken in their order.
const maxCompared = 10_000

// List is a list of objects. An empty one is none. Each item of an input is laid over the item of the object that it was made
// of: the one that says the same, else the one with the same identity, else the one in its place that has most in common with it.
type List struct {
	Form Form
	// Union is what an item is when its fields depend on what it is; Form is nil then.
	Union *Union
	// Identity are the fields, of an input, that tell one item from another; nil for items that are told by their place.
	Identity []string
}

func (c List) item() Codec {
	if c.Union != nil {
		item := *c.Union
		item.Always = true
		return item
	}
	return Object{Form: c.Form, Always: true}
}

func (c List) view(value any) any {
	list, _ := value.([]any)
	out := make([]any, len(list))
	for i, item := range list {
		out[i] = c.item().view(item)
	}
	return out
}

func (c List) lay(l *laying, value, input any, _ bool) any {
	before, has := value.([]any)
	given, _ := input.([]any)
	if len(given) == 0 {
		if len(before) == 0 {
			return value
		}
		return nil
	}
	view, _ := c.view(value).([]any)
	of := c.origins(view, given)
	after := make([]any, len(given))
	for i := range given {
		l.below(strconv.Itoa(i), func() {
			if of[i] < 0 {
				after[i] = c.item().lay(l, nil, given[i], true)
			} else {
				after[i] = c.item().lay(l, before[of[i]], given[i], false)
			}
		})
	}
	if has && reflect.DeepEqual(before, after) {
		return value
	}
	return after
}

func (c List) name(input any, path []string) []string {
	at := index(path)
	if at == nil {
		return nil
	}
	given, _ := input.([]any)
	var item any
	if i, _ := strconv.Atoi(at[0]); i >= 0 && i < len(given) {
		item = given[i]
	}
	return append([]string{at[0]}, c.item().name(item, path[1:])...)
}

// origins is which item of the view each given one was made of; -1 for a new one.
func (c List) origins(view, given []any) []int {
	of := make([]int, len(given))
	for i := range of {
		of[i] = -1
	}
	taken := make([]bool, len(view))
	match := func(key func(any) string) {
		free := map[string][]int{}
		for i, v := range view {
			if k := key(v); k != "" && !taken[i] {
				free[k] = append(free[k], i)
			}
		}
		for j, v := range given {
			if of[j] >= 0 {
				continue
			}
			if k := key(v); len(free[k]) > 0 {
				of[j], free[k] = free[k][0], free[k][1:]
				taken[of[j]] = true
			}
		}
	}
	match(fingerprint)
	if len(c.Identity) > 0 {
		match(func(v any) string { return identity(v, c.Identity) })
	}
	inPlace(of, taken, view, given)
	return of
}

// fingerprint is the same text for values that say the same; what is none and what is left out are the same.
func fingerprint(value any) string {
	raw, err := json.Marshal(said(value))
	if err != nil {
		return ""
	}
	return string(raw)
}

// said is a value without what says nothing.
func said(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, inner := range v {
			switch inner := said(inner).(type) {
			case nil:
			case []any:
				if len(inner) > 0 {
					out[k] = inner
				}
			default:
				out[k] = inner
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = said(inner)
		}
		return out
	case string:
		return none(v)
	}
	return value
}

// identity is what tells an item from others; empty when none of the fields says anything.
func identity(value any, fields []string) string {
	object, _ := value.(map[string]any)
	parts, telling := make([]any, len(fields)), false
	for i, f := range fields {
		parts[i] = said(object[f])
		telling = telling || parts[i] != nil
	}
	if !telling {
		return ""
	}
	return fingerprint(parts)
}

// inPlace matches what is left: between two items that are matched, the old ones that are missing with the new ones that stand
// there, those first that have most in common. Where as many came as went, each is taken for the one whose place it has.
func inPlace(of []int, taken []bool, view, given []any) {
	for j := 0; j < len(given); {
		if of[j] >= 0 {
			j++
			continue
		}
		end := j
		for end < len(given) && of[end] < 0 {
			end++
		}
		from := 0
		if j > 0 {
			from = of[j-1] + 1
		}
		to := from
		for to < len(view) && !taken[to] {
			to++
		}
		pair(of, taken, view, given, span{from, to}, span{j, end})
		j = end + 1
	}
}

type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

func pair(of []int, taken []bool, view, given []any, old, made span) {
	take := func(j, i int) { of[j], taken[i] = i, true }
	if old.len()*made.len() <= maxCompared {
		type common struct{ i, j, n int }
		var pairs []common
		leaves := make([]map[string]bool, old.len())
		for i := range leaves {
			leaves[i] = leavesOf(view[old.from+i])
		}
		for j := made.from; j < made.to; j++ {
			mine := leavesOf(given[j])
			for i := range leaves {
				n := 0
				for leaf := range mine {
					if leaves[i][leaf] {
						n++
					}
				}
				if n > 0 {
					pairs = append(pairs, common{old.from + i, j, n})
				}
			}
		}
		slices.SortStableFunc(pairs, func(a, b common) int { return b.n - a.n })
		for _, p := range pairs {
			if of[p.j] < 0 && !taken[p.i] {
				take(p.j, p.i)
			}
		}
	}
	if old.len() != made.len() {
		return
	}
	for k := range old.len() {
		if of[made.from+k] < 0 && !taken[old.from+k] {
			take(made.from+k, old.from+k)
		}
	}
}

// leavesOf are the values in a value with their paths.
func leavesOf(value any) map[string]bool {
	out := map[string]bool{}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case nil:
		case map[string]any:
			for k, inner := range v {
				walk(path+"/"+k, inner)
			}
		case []any:
			for _, inner := range v {
				walk(path+"/", inner)
			}
		default:
			out[path+"="+fingerprint(v)] = true
		}
	}
	walk("", value)
	return out
}
