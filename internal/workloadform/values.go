package workloadform

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kairship-io/kairship/internal/model"
)

type kind = model.WorkloadKind

// leaf is a single value.
type leaf struct {
	// shown is what the form shows of a value; false when it cannot.
	shown func(value any) (any, bool)
	// made is the value of what is given; why says what is wrong with it.
	made func(given any) (value any, why string)
}

func (l leaf) show(_ *reader, _ string, value any) (any, bool) { return l.shown(value) }

func (l leaf) shows(value any) bool {
	_, ok := l.shown(value)
	return ok
}

func (l leaf) set(w *writer, at []string, value, given any) any {
	if value != nil {
		if shown, ok := l.shown(value); ok && shown == given {
			return value
		}
	}
	made, why := l.made(given)
	if why != "" {
		w.problem(at, "%s", why)
		return value
	}
	return made
}

func (leaf) clear(any) any               { return nil }
func (leaf) find([]string, any) []string { return nil }

var (
	text = leaf{
		shown: func(value any) (any, bool) { s, ok := value.(string); return s, ok },
		made:  func(given any) (any, string) { s, ok := given.(string); return s, unless(ok, given, "a text") },
	}
	truth = leaf{
		shown: func(value any) (any, bool) { b, ok := value.(bool); return b, ok },
		made:  func(given any) (any, string) { b, ok := given.(bool); return b, unless(ok, given, "true or false") },
	}
	whole = leaf{
		shown: func(value any) (any, bool) { n, ok := number(value); return n, ok },
		made: func(given any) (any, string) {
			n, ok := number(given)
			return n, unless(ok, given, "a whole number of 32 bits")
		},
	}
	numberOrText = leaf{
		shown: func(value any) (any, bool) {
			if n, ok := number(value); ok {
				return strconv.FormatInt(n, 10), true
			}
			s, ok := value.(string)
			return s, ok
		},
		made: func(given any) (any, string) {
			s, ok := given.(string)
			if n, err := strconv.ParseInt(s, 10, 32); err == nil {
				return n, ""
			}
			return s, unless(ok, given, "a number or a text")
		},
	}
	quantity = leaf{
		shown: func(value any) (any, bool) {
			switch v := value.(type) {
			case string:
				return v, true
			case int64:
				return strconv.FormatInt(v, 10), true
			case float64:
				return strconv.FormatFloat(v, 'f', -1, 64), true
			}
			return nil, false
		},
		made: func(given any) (any, string) {
			s, ok := given.(string)
			if why := unless(ok, given, "a text"); why != "" {
				return nil, why
			}
			if len(s) > maxQuantity {
				return nil, fmt.Sprintf("has %d characters; a quantity has at most %d", len(s), maxQuantity)
			}
			if _, err := resource.ParseQuantity(s); err != nil {
				return nil, fmt.Sprintf("%q is no quantity; give a number with or without a unit, for instance 500m, 2, 256Mi or 10Gi", s)
			}
			return s, ""
		},
	}
)

// maxQuantity is the longest text that is read as a quantity.
const maxQuantity = 64

// words is one of some words of Kubernetes, which the graph writes in capitals.
func words(allowed ...string) leaf {
	toForm, fromForm := map[string]string{}, map[string]string{}
	for _, word := range allowed {
		name := capitals(word)
		toForm[word], fromForm[name] = name, word
	}
	names := strings.Join(slices.Sorted(maps.Keys(fromForm)), ", ")
	return leaf{
		shown: func(value any) (any, bool) { s, _ := value.(string); name, ok := toForm[s]; return name, ok },
		made: func(given any) (any, string) {
			s, _ := given.(string)
			word, ok := fromForm[s]
			return word, unless(ok, given, "one of "+names)
		},
	}
}

// capitals is a word of Kubernetes as the graph writes it: NO_SCHEDULE for NoSchedule.
func capitals(word string) string {
	var out strings.Builder
	lower := false
	for _, r := range word {
		if lower && unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		out.WriteRune(unicode.ToUpper(r))
	}
	return out.String()
}

// each is a list of single values. It is changed as a whole.
type each struct{ of leaf }

var (
	texts  = each{text}
	wholes = each{whole}
	// references are objects that hold a name and nothing else; the form has the names.
	references = each{leaf{
		shown: func(value any) (any, bool) {
			o, _ := value.(map[string]any)
			name, ok := o["name"].(string)
			return name, ok && len(o) == 1
		},
		made: func(given any) (any, string) {
			s, ok := given.(string)
			return map[string]any{"name": s}, unless(ok, given, "a text")
		},
	}}
)

func (e each) show(_ *reader, _ string, value any) (any, bool) {
	items, ok := value.([]any)
	out := make([]any, len(items))
	for i := 0; ok && i < len(items); i++ {
		if items[i] == nil {
			return nil, false
		}
		out[i], ok = e.of.shown(items[i])
	}
	return out, ok
}

func (e each) shows(value any) bool {
	_, ok := e.show(nil, "", value)
	return ok
}

func (e each) set(w *writer, at []string, value, given any) any {
	wanted, ok := given.([]any)
	if !ok {
		w.problem(at, "is %s; a list is needed", described(given))
		return value
	}
	if shown, ok := e.show(nil, "", value); value != nil && ok && slices.Equal(shown.([]any), wanted) { //nolint:forcetypeassert // a list is shown as such
		return value
	}
	there, _ := value.([]any)
	out := make([]any, len(wanted))
	for i, item := range wanted {
		var before any
		if i < len(there) {
			before = there[i]
		}
		out[i] = e.of.set(w, below(at, strconv.Itoa(i)), before, item)
	}
	return out
}

func (each) clear(any) any { return nil }

func (each) find(path []string, _ any) []string {
	if _, ok := index(path); ok {
		return path[:1]
	}
	return nil
}

// number is a whole number of 32 bits, as JSON gives it.
func number(value any) (int64, bool) {
	switch n := value.(type) {
	case int64:
		return n, n >= math.MinInt32 && n <= math.MaxInt32
	case float64:
		return int64(n), n == math.Trunc(n) && n >= math.MinInt32 && n <= math.MaxInt32
	}
	return 0, false
}

// unless says that something else is needed than what is given.
func unless(ok bool, given any, needed string) string {
	if ok {
		return ""
	}
	return fmt.Sprintf("is %s; %s is needed", described(given), needed)
}

// described is a value for messages.
func described(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("%.100q", v)
	}
	return fmt.Sprintf("%.100s", fmt.Sprint(value))
}

// lookup is the value at a path; nil where there is none.
func lookup(object map[string]any, path []string) any {
	var value any = object
	for _, step := range path {
		fields, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = fields[step]
	}
	return value
}

// within is the map at a path, which is made where there is none.
func within(object map[string]any, path ...string) map[string]any {
	for _, step := range path {
		next, ok := object[step].(map[string]any)
		if !ok {
			next = map[string]any{}
			object[step] = next
		}
		object = next
	}
	return object
}

func copied(m map[string]any) map[string]any { return maps.Clone(m) }

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// escape is a name as a step of a path, as in a JSON pointer.
func escape(name string) string { return escapes.Replace(name) }

var escapes = strings.NewReplacer("~", "~0", "/", "~1")

// count is how many values there are, up to a number.
func count(value any, most int) (n int) {
	n = 1
	each := func(inner any) {
		if n <= most {
			n += count(inner, most-n)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			each(inner)
		}
	case []any:
		for _, inner := range v {
			each(inner)
		}
	}
	return n
}
