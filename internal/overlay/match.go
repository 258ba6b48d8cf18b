package overlay

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// maxCompared is how much of items is compared to find those that have most in common: values of new items, once for each old one.
// Where there is more, items are taken in their order.
const maxCompared = 100_000

// origins is which item of the view each given one was made of; -1 for a new one. It is the one that says the same; of items with
// an identity, else the one with the same, else one that says the same under another; of items without, else the one in its place
// that has most in common with it. Among several it is the one at the same position, else the first.
func (c List) origins(view, list []any) []int {
	m := &matching{view: view, list: list, of: make([]int, len(list)), taken: make([]bool, len(view))}
	for i := range m.of {
		m.of[i] = -1
	}
	m.by(fingerprint)
	if len(c.Identity) == 0 {
		m.inPlace()
		return m.of
	}
	m.by(c.identity)
	m.by(c.rest)
	return m.of
}

// identity is what tells an item from others; empty when none of the fields says anything.
func (c List) identity(item any) string {
	object, _ := item.(map[string]any)
	parts, telling := make([]any, len(c.Identity)), false
	for i, f := range c.Identity {
		parts[i] = said(object[f])
		telling = telling || parts[i] != nil
		if parts[i] == nil {
			parts[i] = c.Otherwise
		}
	}
	if !telling {
		return ""
	}
	return fingerprint(parts)
}

// rest is what an item says apart from its identity.
func (c List) rest(item any) string {
	object, _ := item.(map[string]any)
	object = maps.Clone(object)
	maps.DeleteFunc(object, func(name string, _ any) bool { return slices.Contains(c.Identity, name) })
	return fingerprint(object)
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
	if s, ok := value.(string); ok {
		return none(s)
	}
	return without(value, said)
}

// Said is what was read without what says that there is nothing: nulls and empty lists.
func Said(read map[string]any) map[string]any {
	var each func(value any) any
	each = func(value any) any { return without(value, each) }
	out, _ := each(read).(map[string]any)
	return out
}

// without is a value whose parts are as each says, without those that are none or an empty list.
func without(value any, each func(any) any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, inner := range v {
			inner = each(inner)
			if list, ok := inner.([]any); inner != nil && (!ok || len(list) > 0) {
				out[k] = inner
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = each(inner)
		}
		return out
	}
	return value
}

// matching is which items of a view are those of an input.
type matching struct {
	view, list []any
	of         []int
	taken      []bool
}

func (m *matching) take(j, i int) { m.of[j], m.taken[i] = i, true }

// by matches items that have the same key, which is not empty.
func (m *matching) by(key func(item any) string) {
	free, keys := map[string][]int{}, make([]string, len(m.list))
	for j, item := range m.list {
		if m.of[j] < 0 {
			keys[j] = key(item)
		}
	}
	for i, item := range m.view {
		if m.taken[i] {
			continue
		}
		switch k := key(item); {
		case k == "":
		case i < len(keys) && keys[i] == k:
			m.take(i, i)
		default:
			free[k] = append(free[k], i)
		}
	}
	for j, k := range keys {
		if m.of[j] < 0 && len(free[k]) > 0 {
			m.take(j, free[k][0])
			free[k] = free[k][1:]
		}
	}
}

// inPlace matches what is left: between two items that are matched, the old ones that are missing with the new ones that stand
// there, those first that have most in common. Where as many came as went, each is taken for the one whose place it has.
func (m *matching) inPlace() {
	for j := 0; j < len(m.list); {
		if m.of[j] >= 0 {
			j++
			continue
		}
		end := j
		for end < len(m.list) && m.of[end] < 0 {
			end++
		}
		from := 0
		if j > 0 {
			from = m.of[j-1] + 1
		}
		to := from
		for to < len(m.view) && !m.taken[to] {
			to++
		}
		m.pair(span{from, to}, span{j, end})
		j = end + 1
	}
}

type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

func (m *matching) pair(old, made span) {
	for _, p := range m.common(old, made) {
		if m.of[p.j] < 0 && !m.taken[p.i] {
			m.take(p.j, p.i)
		}
	}
	if old.len() != made.len() {
		return
	}
	for k := range old.len() {
		if m.of[made.from+k] < 0 && !m.taken[old.from+k] {
			m.take(made.from+k, old.from+k)
		}
	}
}

// inCommon is how many values an old and a new item have in common.
type inCommon struct{ i, j, n int }

// common are the items of two spans that have something in common, those first that have most, and that have the same position.
func (m *matching) common(old, made span) (out []inCommon) {
	theirs, values := make([]map[string]bool, made.len()), 0
	for k := range theirs {
		theirs[k] = leavesOf(m.list[made.from+k])
		values += len(theirs[k])
	}
	if old.len()*values > maxCompared {
		return nil
	}
	for i := old.from; i < old.to; i++ {
		mine := leavesOf(m.view[i])
		for k := range theirs {
			n := 0
			for leaf := range theirs[k] {
				if mine[leaf] {
					n++
				}
			}
			if n > 0 {
				out = append(out, inCommon{i, made.from + k, n})
			}
		}
	}
	away := func(p inCommon) int { return max(p.i-old.from, p.j-made.from) - min(p.i-old.from, p.j-made.from) }
	slices.SortStableFunc(out, func(a, b inCommon) int {
		return cmp.Or(b.n-a.n, away(a)-away(b), a.j-b.j)
	})
	return out
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
