package pedia

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/kairship-io/kairship/internal/store"
)

// Condition is something that rows have to meet. Each has two forms that say the same: one for the store
// and one for rows that are already here.
type Condition interface {
	// sql writes the condition for the row at hand.
	sql(s *statement)
	// match tries it on a row.
	match(v *view) truth
}

// searched says whether an index of the pack finds the rows of one of the conditions.
func searched(where []Condition) bool {
	return slices.ContainsFunc(where, func(c Condition) bool {
		s, ok := c.(interface{ searched() bool })
		return ok && s.searched()
	})
}

// truth is what is known of a row without asking the store again.
type truth int8

const (
	no truth = iota - 1
	// unknown is what lies in other rows.
	unknown
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// Namespaces holds for rows in any of the namespaces. A page of few of them is served by the unique index.
func Namespaces(namespaces ...string) Condition { return namespacesCondition(namespaces) }

type namespacesCondition []string

func (c namespacesCondition) sql(s *statement) {
	s.write("namespace")
	s.anyOf(c)
}

func (c namespacesCondition) match(v *view) truth {
	return truthOf(slices.Contains(c, v.key.Namespace))
}

// namespaceIs is the condition of one namespace, which leaves the order of the index as it is.
type namespaceIs string

func (c namespaceIs) sql(s *statement) {
	s.write("namespace = ")
	s.value(string(c))
}

func (c namespaceIs) match(v *view) truth { return truthOf(string(c) == v.key.Namespace) }

// Names holds for rows with any of the names.
func Names(names ...string) Condition { return namesCondition(names) }

type namesCondition []string

func (c namesCondition) sql(s *statement) {
	s.write("name")
	s.anyOf(c)
}

func (c namesCondition) match(v *view) truth { return truthOf(slices.Contains(c, v.key.Name)) }

// Keys holds for the rows at any of the keys, whatever their kind. FetchKeys is faster where nothing else
// is asked.
func Keys(keys ...Key) Condition {
	c := keysCondition{places: map[[3]string]bool{}}
	for _, k := range keys {
		if storable(k.Cluster, k.Namespace, k.Name) {
			c.places[[3]string{k.Cluster, k.Namespace, k.Name}] = true
		}
	}
	return c
}

type keysCondition struct{ places map[[3]string]bool }

func (c keysCondition) sql(s *statement) {
	places := make([][3]string, 0, len(c.places))
	for p := range c.places {
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	s.write("(cluster, namespace, name) IN (SELECT k->>0, k->>1, k->>2 FROM jsonb_array_elements(")
	s.json(places)
	s.write(") AS k(k))")
}

func (c keysCondition) match(v *view) truth {
	return truthOf(c.places[[3]string{v.key.Cluster, v.key.Namespace, v.key.Name}])
}

// NameContains holds for rows whose name contains a text.
func NameContains(part string) Condition { return nameContains(part) }

type nameContains string

// escapeLike makes a LIKE pattern match literally.
var escapeLike = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func (c nameContains) sql(s *statement) {
	if c.searched() {
		s.write("name LIKE ")
	} else {
		s.write("name || '' LIKE ")
	}
	s.value("%" + escapeLike.Replace(string(c)) + "%")
}

// searched: the index is made of groups of three letters. Of fewer it knows nothing, and would be read as
// a whole.
func (c nameContains) searched() bool { return len(c) >= 3 }

func (c nameContains) match(v *view) truth {
	return truthOf(strings.Contains(v.key.Name, string(c)))
}

// Labels holds for rows that a selector selects, by the rules of Kubernetes: `!=` and `notin` select
// objects without the label too.
func Labels(selector labels.Selector) Condition { return labelsCondition{selector} }

type labelsCondition struct{ selector labels.Selector }

func (c labelsCondition) match(v *view) truth {
	return truthOf(c.selector.Matches(labels.Set(v.head().Metadata.Labels)))
}

func (c labelsCondition) sql(s *statement) {
	requirements, selectable := c.selector.Requirements()
	if !selectable {
		s.write("false")
		return
	}
	s.write("true")
	for _, r := range requirements {
		s.write(" AND ")
		labelRequirement(s, r.Key(), r.Operator(), r.Values().List())
	}
}

// searched: the index serves what names a value.
func (c labelsCondition) searched() bool {
	requirements, _ := c.selector.Requirements()
	return slices.ContainsFunc(requirements, func(r labels.Requirement) bool {
		switch r.Operator() {
		case selection.Equals, selection.DoubleEquals, selection.In:
			return labelIn{key: r.Key()}.searched()
		}
		return false
	})
}

func labelRequirement(s *statement, key string, op selection.Operator, values []string) {
	switch op {
	case selection.Equals, selection.DoubleEquals, selection.In:
		LabelIn(key, values...).sql(s)
	case selection.NotEquals, selection.NotIn:
		s.write("NOT COALESCE(")
		label(s, key)
		s.anyOf(values)
		s.write(", false)")
	case selection.Exists:
		label(s, key)
		s.write(" IS NOT NULL")
	case selection.DoesNotExist:
		label(s, key)
		s.write(" IS NULL")
	case selection.GreaterThan, selection.LessThan:
		s.write("CASE WHEN ")
		label(s, key)
		s.write(` ~ '^[+-]{0,1}[0-9]{1,18}$' THEN (`)
		label(s, key)
		s.write(map[selection.Operator]string{selection.GreaterThan: ")::numeric > (", selection.LessThan: ")::numeric < ("}[op])
		s.value(values[0])
		s.write(")::numeric ELSE false END")
	default:
		s.write("false")
	}
}

// indexedLabels have an index of their own in the pack.
var indexedLabels = map[string]string{
	"propagationpolicy.karmada.io/permanent-id":        store.PolicyID,
	"clusterpropagationpolicy.karmada.io/permanent-id": store.ClusterPolicyID,
	"resourcebinding.karmada.io/permanent-id":          store.BindingID,
	"clusterresourcebinding.karmada.io/permanent-id":   store.ClusterBindingID,
}

// label writes the value of a label.
func label(s *statement, key string) {
	if expression, ok := indexedLabels[key]; ok {
		s.write(expression)
		return
	}
	s.write("(", store.Labels, "->>")
	s.value(key)
	s.write(")")
}

// LabelIn holds for rows whose label has one of the values.
func LabelIn(key string, values ...string) Condition { return labelIn{key, values} }

type labelIn struct {
	key    string
	values []string
}

func (c labelIn) sql(s *statement) {
	if _, ok := indexedLabels[c.key]; ok || len(c.values) == 0 {
		label(s, c.key)
		s.anyOf(c.values)
		return
	}
	// The index on all labels serves containment, one value at a time.
	s.write("(")
	for i, value := range c.values {
		if i > 0 {
			s.write(" OR ")
		}
		s.write("(", store.Labels, ") @> ")
		s.json(map[string]string{c.key: value})
	}
	s.write(")")
}

// searched: labels with an index of their own are served by it in the order of pages.
func (c labelIn) searched() bool { return indexedLabels[c.key] == "" }

func (c labelIn) match(v *view) truth {
	value, ok := v.head().Metadata.Labels[c.key]
	return truthOf(ok && slices.Contains(c.values, value))
}

// LabelsContain holds for rows that have all the labels, as a Service selects its pods. It holds for none
// when there are no labels to ask for, as a Service without a selector selects no pod.
func LabelsContain(set map[string]string) Condition { return labelsContain(set) }

type labelsContain map[string]string

func (c labelsContain) sql(s *statement) {
	if len(c) == 0 {
		s.write("false")
		return
	}
	s.write("(", store.Labels, ") @> ")
	s.json(map[string]string(c))
}

func (c labelsContain) searched() bool { return true }

func (c labelsContain) match(v *view) truth {
	return truthOf(len(c) > 0 && containsAll(v.head().Metadata.Labels, c))
}

func containsAll(set, subset map[string]string) bool {
	for key, want := range subset {
		if got, ok := set[key]; !ok || got != want {
			return false
		}
	}
	return true
}

// OwnedBy holds for rows whose controlling owner has one of the uids.
func OwnedBy(uids ...string) Condition { return ownedBy(uids) }

type ownedBy []string

func (c ownedBy) sql(s *statement) {
	s.write(store.HasOwner, " AND owner_uid")
	s.anyOf(c)
}

func (c ownedBy) searched() bool { return true }

func (c ownedBy) match(v *view) truth {
	uid := v.controller().UID
	return truthOf(uid != "" && slices.Contains(c, uid))
}

// UIDs holds for rows with one of the uids.
func UIDs(uids ...string) Condition { return uidsCondition(uids) }

type uidsCondition []string

func (c uidsCondition) sql(s *statement) {
	s.write("uid")
	s.anyOf(c)
}

func (c uidsCondition) searched() bool { return true }

func (c uidsCondition) match(v *view) truth {
	return truthOf(slices.Contains(c, v.head().Metadata.UID))
}

// Involving holds for events about objects with one of the uids.
func Involving(uids ...string) Condition { return involving(uids) }

type involving []string

func (c involving) sql(s *statement) {
	s.write(store.IsEvent, " AND ", store.EventObject)
	s.anyOf(c)
}

func (c involving) searched() bool { return true }

func (c involving) match(v *view) truth {
	return Field([]string{"involvedObject", "uid"}, c...).match(v)
}

// Field holds for rows whose field has one of the values, as text. The path is names of fields, from the
// top; it is no user's text.
func Field(path []string, values ...string) Condition { return fieldCondition{path, values} }

type fieldCondition struct {
	path   []string
	values []string
}

func (c fieldCondition) sql(s *statement) {
	s.write("(")
	field(s, c.path[:len(c.path)-1])
	s.write("->>")
	fieldName(s, c.path[len(c.path)-1])
	s.write(")")
	s.anyOf(c.values)
}

func (c fieldCondition) match(v *view) truth {
	text, ok := textOf(v.field(c.path))
	return truthOf(ok && slices.Contains(c.values, text))
}

// field writes the value at a path as jsonb.
func field(s *statement, path []string) {
	s.write("object")
	for _, name := range path {
		s.write("->")
		fieldName(s, name)
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)

// fieldName writes the name of a field: as a constant, which an index can be for, where it is a plain one.
func fieldName(s *statement, name string) {
	if plainName.MatchString(name) {
		s.write("'", name, "'")
		return
	}
	s.value(name)
}

// textOf is a value as the store's `->>` gives it; false for none.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", false
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	}
	raw, err := json.Marshal(v)
	return string(raw), err == nil
}

// FieldContainedIn holds for rows whose field is a set of key and text that is part of the given one, as
// the selector of a Service is part of the labels of its pods. An empty field is part of nothing.
func FieldContainedIn(path []string, set map[string]string) Condition {
	return fieldContainedIn{path, set}
}

type fieldContainedIn struct {
	path []string
	set  map[string]string
}

func (c fieldContainedIn) sql(s *statement) {
	s.write("jsonb_typeof(")
	field(s, c.path)
	s.write(") = 'object' AND (")
	field(s, c.path)
	s.write(") <> '{}'::jsonb AND (")
	field(s, c.path)
	s.write(") <@ ")
	if c.set == nil {
		s.json(struct{}{})
		return
	}
	s.json(c.set)
}

func (c fieldContainedIn) match(v *view) truth {
	part, ok := v.field(c.path).(map[string]any)
	if !ok || len(part) == 0 {
		return no
	}
	for key, value := range part {
		text, ok := value.(string)
		if have, there := c.set[key]; !ok || !there || have != text {
			return no
		}
	}
	return yes
}

// FieldContains holds for rows whose field contains a value as PostgreSQL means it: an object that has
// at least its fields, a list that has an element for each of its. The value is encoded as JSON.
func FieldContains(path []string, value any) Condition { return fieldContains{path, value} }

type fieldContains struct {
	path  []string
	value any
}

func (c fieldContains) sql(s *statement) {
	s.write("COALESCE((")
	field(s, c.path)
	s.write(") @> ")
	s.json(c.value)
	s.write(", false)")
}

func (c fieldContains) match(v *view) truth {
	raw, err := json.Marshal(c.value)
	var want any
	if err != nil || json.Unmarshal(raw, &want) != nil {
		return no
	}
	got := v.field(c.path)
	return truthOf(got != nil && jsonContains(got, want, true))
}

// jsonContains is containment of JSON documents. At the top a list contains a bare value of it.
func jsonContains(got, want any, top bool) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return false
		}
		for key, w := range want {
			if g, there := object[key]; !there || !jsonContains(g, w, false) {
				return false
			}
		}
		return true
	case []any:
		list, ok := got.([]any)
		return ok && !slices.ContainsFunc(want, func(w any) bool {
			return !slices.ContainsFunc(list, func(g any) bool { return jsonContains(g, w, false) })
		})
	}
	if list, ok := got.([]any); ok && top {
		return slices.Contains(list, want)
	}
	switch got.(type) {
	case map[string]any, []any:
		return false
	}
	return got == want
}

// Not turns a condition round.
func Not(c Condition) Condition { return notCondition{c} }

type notCondition struct{ of Condition }

func (c notCondition) sql(s *statement) {
	s.write("NOT COALESCE((")
	c.of.sql(s)
	s.write("), false)")
}

func (c notCondition) match(v *view) truth { return -c.of.match(v) }

// Any holds when at least one of the conditions does; without conditions it does not.
func Any(conditions ...Condition) Condition { return anyCondition(conditions) }

type anyCondition []Condition

func (c anyCondition) sql(s *statement) {
	s.write("false")
	for _, one := range c {
		s.write(" OR (")
		one.sql(s)
		s.write(")")
	}
}

func (c anyCondition) match(v *view) truth {
	best := no
	for _, one := range c {
		best = max(best, one.match(v))
	}
	return best
}

// All holds when all of the conditions do; without conditions it does.
func All(conditions ...Condition) Condition { return allCondition(conditions) }

type allCondition []Condition

func (c allCondition) sql(s *statement) {
	s.write("true")
	s.all(c)
}

func (c allCondition) searched() bool { return searched(c) }

func (c allCondition) match(v *view) truth {
	worst := yes
	for _, one := range c {
		worst = min(worst, one.match(v))
	}
	return worst
}
