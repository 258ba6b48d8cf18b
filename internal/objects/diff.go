package objects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// itemNames are the fields that identify items of a list, the first that fits. They are those of Kubernetes' own
// merges; of the fields that depend on the list an item has only one.
var itemNames = []string{"name", "mountPath", "devicePath", "containerPort", "port", "ip", "topologyKey", "type", "key", "uid"}

// orderedLists are those in which the order of named items matters: init containers run one after another.
var orderedLists = map[string]bool{"initContainers": true}

// Diff returns the changes from one JSON document to another, in the order of the second. A null field counts as
// absent, and an empty document as null. List items that have names are compared by name, so that a moved item is no
// change; a list of plain values is compared as a whole.
func Diff(from, to []byte) ([]model.FieldChange, error) {
	a, err := decodeAny(from)
	if err != nil {
		return nil, fmt.Errorf("comparing objects: the former one: %w", err)
	}
	b, err := decodeAny(to)
	if err != nil {
		return nil, fmt.Errorf("comparing objects: the latter one: %w", err)
	}
	return DiffValues(a, b), nil
}

// DiffValues is Diff for documents that were decoded with numbers as written.
func DiffValues(from, to any) []model.FieldChange {
	d := differ{changes: []model.FieldChange{}}
	d.compare("", "", from, to)
	return d.changes
}

// decodeAny keeps numbers as written.
func decodeAny(raw []byte) (any, error) {
	if len(raw) == 0 {
		return nil, nil //nolint:nilnil // an absent document
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	err := decoder.Decode(&v)
	return v, err
}

type differ struct {
	changes []model.FieldChange
}

// compare notes the changes at path; name is the last field on the way there.
func (d *differ) compare(path, name string, a, b any) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			d.fields(path, a, b)
			return
		}
	case []any:
		if b, ok := b.([]any); ok {
			d.list(path, name, a, b)
			return
		}
	}
	if !reflect.DeepEqual(a, b) {
		d.note(path, a, b)
	}
}

func (d *differ) fields(path string, a, b map[string]any) {
	names := slices.Collect(maps.Keys(b))
	for name := range a {
		if _, ok := b[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		d.compare(path+"/"+escape(name), name, a[name], b[name])
	}
}

func (d *differ) list(path, name string, a, b []any) {
	if reflect.DeepEqual(a, b) {
		return
	}
	objectsA, objectsB := objectsOf(a), objectsOf(b)
	if objectsA == nil || objectsB == nil {
		d.note(path, a, b)
		return
	}
	for _, field := range itemNames {
		keysA, keysB := keysOf(objectsA, field), keysOf(objectsB, field)
		if keysA != nil && keysB != nil {
			d.named(path, name, field, items{keysA, objectsA}, items{keysB, objectsB})
			return
		}
	}
	d.unnamed(path, a, b)
}

// items are the items of a list, with the name of each.
type items struct {
	keys    []string
	objects []map[string]any
}

func (l items) find(key string) (map[string]any, bool) {
	if i := slices.Index(l.keys, key); i >= 0 {
		return l.objects[i], true
	}
	return nil, false
}

func (d *differ) named(path, list, field string, a, b items) {
	at := func(key string) string { return path + "[" + field + "=" + escape(key) + "]" }
	var stayedA, stayedB []string
	for i, key := range b.keys {
		if before, ok := a.find(key); ok {
			stayedB = append(stayedB, key)
			d.fields(at(key), before, b.objects[i])
		} else {
			d.note(at(key), nil, b.objects[i])
		}
	}
	for i, key := range a.keys {
		if _, ok := b.find(key); ok {
			stayedA = append(stayedA, key)
		} else {
			d.note(at(key), a.objects[i], nil)
		}
	}
	if orderedLists[list] && !slices.Equal(stayedA, stayedB) {
		d.note(path, stayedA, stayedB)
	}
}

// unnamed compares items by position, leaving out equal items at both ends: inserting or removing an item does not
// change all that follow.
func (d *differ) unnamed(path string, a, b []any) {
	first := 0
	for first < len(a) && first < len(b) && reflect.DeepEqual(a[first], b[first]) {
		first++
	}
	endA, endB := len(a), len(b)
	for endA > first && endB > first && reflect.DeepEqual(a[endA-1], b[endB-1]) {
		endA--
		endB--
	}
	for i := first; i < max(endA, endB); i++ {
		at := path + "/" + strconv.Itoa(i)
		switch {
		case i >= endA:
			d.note(at, nil, b[i])
		case i >= endB:
			d.note(at, a[i], nil)
		default:
			d.compare(at, "", a[i], b[i])
		}
	}
}

// note adds a change, unless both values are null.
func (d *differ) note(path string, a, b any) {
	from, to := valueOf(a), valueOf(b)
	if from == nil && to == nil {
		return
	}
	if from != nil && to != nil && *from == *to {
		// A string that reads like the number that it became.
		from, to = quoted(a), quoted(b)
	}
	d.changes = append(d.changes, model.FieldChange{Path: path, From: from, To: to})
}

// valueOf formats a value for people; nil for null.
func valueOf(v any) *string {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return &v
	}
	return quoted(v)
}

// quoted writes a value as JSON.
func quoted(v any) *string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	// What was decoded from JSON can be encoded again.
	_ = encoder.Encode(v) //nolint:errchkjson // see above
	s := strings.TrimSuffix(out.String(), "\n")
	return &s
}

// objectsOf is the items of a list of objects only; nil when it has anything else.
func objectsOf(list []any) []map[string]any {
	out := make([]map[string]any, 0, len(list))
	for _, item := range list {
		o, ok := item.(map[string]any)
		if !ok {
			return nil
		}
		out = append(out, o)
	}
	return out
}

// keysOf is each item's value of a field; nil when one is neither string nor number, or two are equal.
func keysOf(list []map[string]any, field string) []string {
	keys, seen := make([]string, 0, len(list)), make(map[string]bool, len(list))
	for _, item := range list {
		var key string
		switch v := item[field].(type) {
		case string:
			key = v
		case json.Number:
			key = v.String()
		default:
			return nil
		}
		if seen[key] {
			return nil
		}
		seen[key] = true
		keys = append(keys, key)
	}
	return keys
}

// escape escapes a name as a step of a JSON pointer.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
