package overlay_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/overlay"
)

// form has one field of each codec.
var form = overlay.Form{
	{Name: "name", At: "metadata.name", Is: overlay.Text{}},
	{Name: "labels", At: "metadata.labels", Is: overlay.Entries{Kept: func(key string) bool { return strings.HasPrefix(key, "kept/") }}},
	{Name: "count", At: "spec.count", Is: overlay.Number{}, Default: 1},
	{Name: "limit", At: "spec.limit", Is: overlay.Number{ZeroIsNone: true}},
	{Name: "on", At: "spec.deep.on", Is: overlay.Flag{}, Default: false},
	{Name: "mode", At: "spec.mode", Is: overlay.Enum{}, Default: "ONCE_ONLY"},
	{Name: "lower", At: "spec.lower", Is: overlay.Enum{Lower: true, Unwritten: "NEVER"}},
	{Name: "any", At: "spec.any", Is: overlay.JSON{}},
	{Name: "size", At: "spec.size", Is: overlay.Quantity{}},
	{Name: "names", At: "spec.names", Is: overlay.Values{}},
	{Name: "refs", At: "spec.refs", Is: overlay.Values{Key: "name"}},
	{Name: "limits", At: "spec.limits", Is: overlay.Entries{Key: "resource", Value: "quantity", Is: overlay.Quantity{}}},
	{Name: "inner", At: "spec.inner", Is: overlay.Object{Form: overlay.Form{{Name: "a", Is: overlay.Text{}}, {Name: "b", Is: overlay.Text{}, Default: "x"}}}},
	{Name: "always", At: "spec.always", Is: overlay.Object{Always: true, Form: overlay.Form{{Name: "a", Is: overlay.Text{}}}}},
	{Name: "items", At: "spec.items", Is: overlay.List{Identity: []string{"id"}, Form: overlay.Form{
		{Name: "id", Is: overlay.Text{}}, {Name: "value", Is: overlay.Text{}}, {Name: "more", Is: overlay.Values{}}}}},
	{Name: "word", At: "spec.word", Is: overlay.Enum{Words: []string{"TCP", "NoSchedule"}}},
	{Name: "port", At: "spec.port", Is: overlay.NumberOrText{}},
	{Name: "class", At: "spec.class", Is: overlay.Text{Empty: true}},
	{Name: "groups", At: "spec.groups", Is: overlay.Values{Is: overlay.Number{}}},
	{Name: "notes", At: "spec.notes", Is: overlay.Entries{Unseen: func(key string) bool { return strings.HasPrefix(key, "own/") },
		Untold: func(key string) bool { return key == "own/noise" }, Refused: "is the server's"}},
	{Name: "ports", At: "spec.ports", Is: overlay.List{Identity: []string{"port", "protocol"}, Otherwise: "TCP", Needed: true, Form: overlay.Form{
		{Name: "port", Is: overlay.Number{}}, {Name: "protocol", Is: overlay.Text{}}, {Name: "name", Is: overlay.Text{}}}}},
	{Name: "mounts", At: "spec.mounts", Is: overlay.List{Identity: []string{"path"}, Needed: true, Form: overlay.Form{{Name: "path", Is: overlay.Text{}}, {At: "status"}}}},
	{At: "status"},
	{Name: "rules", At: "spec.rules", Is: overlay.List{Form: overlay.Form{{Name: "from", Is: overlay.Text{}}, {Name: "to", Is: overlay.Text{}}}}},
	{Name: "sources", At: "spec.sources", Is: overlay.List{Identity: []string{"type", "name"}, Union: &overlay.Union{By: "type", Other: "UNKNOWN", Cases: map[string]overlay.Form{
		"FILE":       {{Name: "name", At: "file.name", Is: overlay.Text{}}, {Name: "share", At: "file.share", Is: overlay.Percent{}}},
		"CONFIG_MAP": {{Name: "name", At: "configMap.ref.name", Is: overlay.Text{}}},
	}}}},
}

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLay(t *testing.T) {
	for name, c := range map[string]struct{ object, input, want string }{
		"what is left out stays":                         {`{spec: {count: 3, x: 1}}`, `{}`, `{spec: {count: 3, x: 1}}`},
		"what is null goes":                              {`{spec: {count: 3, x: 1}}`, `{count: null}`, `{spec: {x: 1}}`},
		"a default is not written":                       {`{spec: {x: 1}}`, `{count: 1, "on": false, mode: ONCE_ONLY, limit: 0, names: [], inner: null, always: {a: null}}`, `{spec: {x: 1}}`},
		"a default that is written stays":                {`{spec: {count: 1}}`, `{count: 1}`, `{spec: {count: 1}}`},
		"a default is written over something else":       {`{spec: {count: 3}}`, `{count: 1}`, `{spec: {count: 1}}`},
		"a deep field comes":                             {`{}`, `{"on": true}`, `{spec: {deep: {"on": true}}}`},
		"a deep field goes with what held it":            {`{spec: {deep: {"on": true}, x: 1}}`, `{"on": null}`, `{spec: {x: 1}}`},
		"a deep field goes and leaves what it knows not": {`{spec: {deep: {"on": true, y: 2}}}`, `{"on": null}`, `{spec: {deep: {y: 2}}}`},
		"words":                                            {`{spec: {mode: Always}}`, `{mode: ONCE_ONLY, lower: SOME}`, `{spec: {mode: OnceOnly, lower: some}}`},
		"a word that is not written":                       {`{spec: {lower: some, x: 1}}`, `{lower: NEVER}`, `{spec: {x: 1}}`},
		"a word that is not known stays":                   {`{spec: {mode: BrandNew}}`, `{count: 2}`, `{spec: {mode: BrandNew, count: 2}}`},
		"JSON that says the same":                          {`{spec: {any: {a: [1, null]}}}`, `{any: " {\"a\" : [1,null]} "}`, `{spec: {any: {a: [1, null]}}}`},
		"JSON that says another thing":                     {`{spec: {any: {a: [1]}}}`, `{any: "\"blue\""}`, `{spec: {any: blue}}`},
		"a quantity that is the same":                      {`{spec: {size: 1000m}}`, `{size: "1"}`, `{spec: {size: 1000m}}`},
		"a quantity as a number":                           {`{spec: {size: 2}}`, `{size: "2"}`, `{spec: {size: 2}}`},
		"another quantity":                                 {`{spec: {size: 1000m}}`, `{size: 2Gi}`, `{spec: {size: 2Gi}}`},
		"entries by key":                                   {`{metadata: {labels: {a: "1", b: "2", kept/x: "3", odd: 4}}}`, `{labels: [{key: a, value: "9"}, {key: c, value: ""}]}`, `{metadata: {labels: {a: "9", c: "", kept/x: "3", odd: 4}}}`},
		"entries of quantities":                            {`{spec: {limits: {cpu: 1, memory: 1Gi}}}`, `{limits: [{resource: cpu, quantity: 1000m}, {resource: pods, quantity: "4"}]}`, `{spec: {limits: {cpu: 1, pods: "4"}}}`},
		"texts in objects keep their other fields":         {`{spec: {refs: [{name: a, x: 1}, {name: b, x: 2}]}}`, `{refs: [b, c]}`, `{spec: {refs: [{name: b, x: 2}, {name: c}]}}`},
		"an object comes":                                  {`{}`, `{inner: {}}`, `{spec: {inner: {}}}`},
		"an object that is new has its defaults":           {`{}`, `{inner: {b: x}}`, `{spec: {inner: {b: x}}}`},
		"an object goes":                                   {`{spec: {inner: {a: b, x: 1}, y: 2}}`, `{inner: null}`, `{spec: {y: 2}}`},
		"an object in which nothing is said stays":         {`{spec: {always: {x: 1}}}`, `{always: null}`, `{spec: {always: {x: 1}}}`},
		"an object that is odd is left":                    {`{spec: {inner: 7}}`, `{inner: null, always: {}}`, `{spec: {inner: 7}}`},
		"items by identity":                                {`{spec: {items: [{id: a, value: "1", x: 1}, {id: b, value: "2", x: 2}]}}`, `{items: [{id: b, value: "3"}, {id: a}]}`, `{spec: {items: [{id: b, value: "3", x: 2}, {id: a, value: "1", x: 1}]}}`},
		"an item is renamed":                               {`{spec: {items: [{id: a, value: "1", x: 1}, {id: b, value: "2", x: 2}]}}`, `{items: [{id: c, value: "1"}, {id: b}]}`, `{spec: {items: [{id: c, value: "1", x: 1}, {id: b, value: "2", x: 2}]}}`},
		"an item goes and another comes":                   {`{spec: {items: [{id: a, value: "1", x: 1}, {id: b, value: "2", x: 2}]}}`, `{items: [{id: b}, {id: c, value: "9"}]}`, `{spec: {items: [{id: b, value: "2", x: 2}, {id: c, value: "9"}]}}`},
		"items that have nothing to be told by":            {`{spec: {rules: [{from: a, to: b, x: 1}, {from: c, to: d, x: 2}]}}`, `{rules: [{from: q, to: r}, {from: a, to: b}, {from: c, to: e}]}`, `{spec: {rules: [{from: q, to: r}, {from: a, to: b, x: 1}, {from: c, to: e, x: 2}]}}`},
		"the one that has most in common":                  {`{spec: {rules: [{from: a, to: b, x: 1}]}}`, `{rules: [{from: q, to: r}, {from: a, to: c}]}`, `{spec: {rules: [{from: q, to: r}, {from: a, to: c, x: 1}]}}`},
		"the one that has most in common, at its position": {`{spec: {rules: [{from: a, to: b, x: 1}, {from: a, to: c, x: 2}]}}`, `{rules: [{from: q, to: r}, {from: a}]}`, `{spec: {rules: [{from: q, to: r, x: 1}, {from: a, to: c, x: 2}]}}`},
		"items that say the same stay where they are":      {`{spec: {rules: [{from: a, x: 1}, {from: a, x: 2}]}}`, `{rules: [{from: b}, {from: a}]}`, `{spec: {rules: [{from: b, x: 1}, {from: a, x: 2}]}}`},
		"an item with a name in the place of another":      {`{spec: {items: [{id: a, value: "1", x: 1}, {id: b, x: 2}]}}`, `{items: [{id: c, value: "9"}, {id: b}]}`, `{spec: {items: [{id: c, value: "9"}, {id: b, x: 2}]}}`},
		"items of the same name that are edited":           {`{spec: {items: [{id: a, value: "1", x: 1}, {id: a, value: "2", x: 2}]}}`, `{items: [{id: a, value: "2"}, {id: a, value: "3"}]}`, `{spec: {items: [{id: a, value: "2", x: 2}, {id: a, value: "3", x: 1}]}}`},
		"items by identity that is not written":            {`{spec: {ports: [{port: 1, x: 1}, {port: 1, protocol: UDP, x: 2}]}}`, `{ports: [{port: 1, protocol: UDP, name: u}, {port: 1, protocol: TCP, name: t}]}`, `{spec: {ports: [{port: 1, protocol: UDP, name: u, x: 2}, {port: 1, protocol: TCP, name: t, x: 1}]}}`},
		"a list with an item that lacks its name stays":    {`{spec: {ports: [{port: 1}, {name: a}]}}`, `{ports: [], mounts: null}`, `{spec: {ports: [{port: 1}, {name: a}]}}`},
		"a list with an item that lacks its name goes":     {`{spec: {ports: [{port: 1, x: 1}, {name: a}]}}`, `{ports: [{port: 1}]}`, `{spec: {ports: [{port: 1}]}}`},
		"words that are known":                             {`{spec: {x: 1}}`, `{word: NO_SCHEDULE}`, `{spec: {word: NoSchedule, x: 1}}`},
		"a word that is none of them":                      {`{spec: {word: Other}}`, `{word: null}`, `{spec: {word: Other}}`},
		"a number or a text keeps its type":                {`{spec: {port: "80"}}`, `{port: "80"}`, `{spec: {port: "80"}}`},
		"a number as a text":                               {`{spec: {port: http}}`, `{port: "80"}`, `{spec: {port: 80}}`},
		"a text that is empty":                             {`{spec: {class: a}}`, `{class: ""}`, `{spec: {class: ""}}`},
		"an empty text that is none":                       {`{spec: {class: "", x: 1}}`, `{class: null}`, `{spec: {x: 1}}`},
		"numbers":                                          {`{spec: {groups: [1, 2]}}`, `{groups: [2, 3]}`, `{spec: {groups: [2, 3]}}`},
		"a number that is too large to be seen":            {`{spec: {count: 5000000000}}`, `{count: 1}`, `{spec: {count: 5000000000}}`},
		"entries of others":                                {`{spec: {notes: {a: "1", own/b: "2"}}}`, `{notes: null}`, `{spec: {notes: {own/b: "2"}}}`},
		"a list goes":                                      {`{spec: {items: [{id: a}], y: 1}}`, `{items: []}`, `{spec: {y: 1}}`},
		"an empty list stays":                              {`{spec: {items: [], names: []}}`, `{items: [], names: []}`, `{spec: {items: [], names: []}}`},
		"odd items":                                        {`{spec: {items: [7, {id: a}], names: [1, a]}}`, `{items: [{}, {id: a, value: "2"}], names: [a]}`, `{spec: {items: [7, {id: a, value: "2"}], names: [1, a]}}`},
		"a source of another type":                         {`{spec: {sources: [{type: File, file: {name: a, x: 1}, y: 2}]}}`, `{sources: [{type: CONFIG_MAP, name: a}]}`, `{spec: {sources: [{type: ConfigMap, configMap: {ref: {name: a}}, y: 2}]}}`},
		"a source that is edited":                          {`{spec: {sources: [{type: File, file: {name: a, share: 7, x: 1}}]}}`, `{sources: [{type: FILE, name: a, share: "8%"}]}`, `{spec: {sources: [{type: File, file: {name: a, share: 8, x: 1}}]}}`},
		"a source that is not known":                       {`{spec: {sources: [{type: Tape, tape: {x: 1}}]}}`, `{sources: [{type: UNKNOWN, name: null}]}`, `{spec: {sources: [{type: Tape, tape: {x: 1}}]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			object := parsed(t, c.object)
			if problems := overlay.Lay(form, object, parsed(t, c.input)); len(problems) > 0 {
				t.Fatal(problems)
			}
			if diff := cmp.Diff(parsed(t, c.want), object); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	for name, c := range map[string]struct{ input, field, message string }{
		"no JSON":              {`{any: "{"}`, "any", `any: is "{", which is not JSON: a text is written with its quotes, as in "\"blue\""`},
		"no quantity":          {`{limits: [{resource: cpu, quantity: "1"}, {resource: memory, quantity: much}]}`, "limits.1.quantity", `limits[1].quantity: is "much", which is no quantity such as "500m", "2Gi" or "3"`},
		"a huge exponent":      {`{size: "1e999999999"}`, "size", `size: is "1e999999999", which is no quantity such as "500m", "2Gi" or "3"`},
		"no percent":           {`{sources: [{type: FILE, share: "a"}]}`, "sources.0.share", `sources[0].share: is "a", which is no whole number of percent such as "70%"`},
		"no type":              {`{sources: [{type: UNKNOWN}]}`, "sources.0.type", `sources[0].type: is "UNKNOWN"; it has to be one of CONFIG_MAP, FILE`},
		"no place for it":      {`{sources: [{type: CONFIG_MAP, share: "1%"}]}`, "sources.0.share", `sources[0].share: is given, and type CONFIG_MAP has none`},
		"a key of others":      {`{notes: [{key: a, value: b}, {key: own/b, value: ""}]}`, "notes.1.key", `notes[1].key: is "own/b", which is the server's`},
		"an entry without key": {`{labels: [{value: a}]}`, "labels.0", "labels[0]: is not whole; key and value are needed"},
		"no name":              {`{ports: [{name: a}]}`, "ports.0.port", "ports[0].port: is missing"},
		"a word that is none":  {`{word: NO_TCP}`, "word", `word: is "NO_TCP"; one of NO_SCHEDULE, TCP is needed`},
		"a large number":       {`{limit: 5000000000}`, "limit", "limit: is 5000000000; a whole number of 32 bits is needed"},
		"half a number":        {`{limit: 1.5}`, "limit", "limit: is 1.5; a whole number of 32 bits is needed"},
		"a text for a flag":    {`{"on": "true"}`, "on", `on: is "true"; true or false is needed`},
		"a number for a text":  {`{name: 7}`, "name", "name: is 7; a text is needed"},
		"an object for texts":  {`{names: {a: b}}`, "names", "names: is an object; a list is needed"},
		"a list as a text":     {`{names: [a, [b]]}`, "names.1", "names[1]: is a list; a text is needed"},
		"a list for an object": {`{inner: []}`, "inner", "inner: is a list; an object is needed"},
		"a text for a list":    {`{items: a}`, "items", `items: is "a"; a list is needed`},
		"null for an item":     {`{items: [null]}`, "items.0", "items[0]: is null; an object is needed"},
		"a key that is twice":  {`{labels: [{key: a, value: ""}, {key: a, value: ""}]}`, "labels.1.key", `labels[1].key: is "a", which entry 0 has, too; a key is given once`},
	} {
		t.Run(name, func(t *testing.T) {
			object := parsed(t, `{spec: {size: 1}}`)
			problems := overlay.Lay(form, object, parsed(t, c.input))
			if len(problems) != 1 || strings.Join(problems[0].Field, ".") != c.field || problems[0].Message() != c.message {
				t.Errorf("the problems are %v", problems)
			}
			if diff := cmp.Diff(parsed(t, `{spec: {size: 1}}`), object); diff != "" {
				t.Errorf("it is changed: %s", diff)
			}
		})
	}
}

func TestWhere(t *testing.T) {
	input := parsed(t, `{labels: [{key: a, value: ""}, {key: b.c/d, value: ""}], sources: [{type: CONFIG_MAP, name: a}, {type: FILE}]}`)
	for path, want := range map[string]string{
		"metadata name": "name", "metadata labels b.c/d": "labels 1 value", "metadata labels z": "labels", "spec deep": "on", "spec": "",
		"spec items 1 id": "items 1 id", "spec items 1": "items 1", "spec items 9 xyz": "items 9", "spec refs 2 name": "refs 2", "spec inner a": "inner a",
		"spec sources 0 configMap ref name": "sources 0 name", "spec sources 1 file share": "sources 1 share", "spec sources 0 type": "sources 0 type", "status x": "",
	} {
		if got := strings.Join(overlay.Where(form, input, strings.Fields(path)), " "); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

// Whatever an object looks like: what is read of it and laid over it changes nothing, and anything that is laid over it is read then.
func TestAnyObjectAnyInput(t *testing.T) {
	const rounds = 3000
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // no secret
		object := randomObject(r)
		before := fmt.Sprint(object)
		read := overlay.Read(form, object)
		if problems := overlay.Lay(form, object, read); len(problems) == 0 {
			if after := fmt.Sprint(object); after != before {
				t.Fatalf("seed %d: %s became %s by %v", seed, before, after, read)
			}
		}
		input := overlay.Read(form, randomObject(r))
		if len(overlay.Lay(form, object, input)) > 0 {
			continue
		}
		delete(input, "labels") // some are kept
		if ports, _ := input["ports"].([]any); len(ports) == 0 {
			delete(input, "ports") // those that cannot be seen stay
		}
		got := overlay.Read(form, object)
		for name, want := range input {
			if !cmp.Equal(want, got[name]) && !strings.Contains(fmt.Sprint(object), "odd") {
				t.Fatalf("seed %d: %s of %v is read as %v", seed, name, want, got[name])
			}
		}
	}
}

// randomObject has fields of the form with values of the right and of wrong types.
func randomObject(r *rand.Rand) map[string]any {
	odd := func(value any) any {
		switch r.IntN(40) {
		case 0:
			return "odd"
		case 1:
			return map[string]any{"odd": int64(1)}
		case 2:
			return []any{"odd"}
		case 3:
			return true
		}
		return value
	}
	text := func() any { return odd([]string{"a", "b", "c"}[r.IntN(3)]) }
	list := func(item func() any) any {
		out := []any{}
		for range r.IntN(4) {
			out = append(out, odd(item()))
		}
		return odd(out)
	}
	spec := map[string]any{}
	for name, value := range map[string]func() any{
		"count": func() any { return odd(int64(r.IntN(3))) }, "limit": func() any { return odd(int64(r.IntN(3))) },
		"deep": func() any { return odd(map[string]any{"on": odd(r.IntN(2) == 0), "unknown": int64(1)}) },
		"word": func() any { return odd("TCP") }, "port": func() any { return odd(int64(r.IntN(3))) }, "class": func() any { return odd([]string{"", "a"}[r.IntN(2)]) },
		"groups": func() any { return list(func() any { return int64(r.IntN(3)) }) },
		"notes":  func() any { return odd(map[string]any{"a": odd("1"), "own/b": "2"}) },
		"ports": func() any {
			return list(func() any { return map[string]any{"port": odd(int64(r.IntN(2))), "name": text(), "unknown": text()} })
		},
		"mode": func() any { return odd("OnceOnly") }, "lower": func() any { return odd("some") },
		"any": func() any { return odd(map[string]any{"a": int64(1)}) }, "size": func() any { return odd("1Gi") },
		"names":  func() any { return list(text) },
		"refs":   func() any { return list(func() any { return map[string]any{"name": text(), "unknown": int64(2)} }) },
		"limits": func() any { return odd(map[string]any{"cpu": odd("1"), "memory": odd(int64(7))}) },
		"inner":  func() any { return odd(map[string]any{"a": text(), "b": text(), "unknown": int64(3)}) },
		"always": func() any { return odd(map[string]any{"a": text()}) },
		"items": func() any {
			return list(func() any { return map[string]any{"id": text(), "value": text(), "unknown": text()} })
		},
		"rules": func() any {
			return list(func() any { return map[string]any{"from": text(), "to": text(), "unknown": text()} })
		},
		"sources": func() any {
			return list(func() any {
				return map[string]any{"type": odd("File"), "file": odd(map[string]any{"name": text(), "unknown": int64(4)})}
			})
		},
	} {
		if r.IntN(3) > 0 {
			spec[name] = value()
		}
	}
	return map[string]any{"metadata": odd(map[string]any{"name": text(), "labels": odd(map[string]any{"a": odd("1"), "kept/b": "2"})}), "spec": odd(spec)}
}
