package overlay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/overlay"
)

func TestHidden(t *testing.T) {
	for name, c := range map[string]struct {
		object string
		want   []string
	}{
		"all is shown": {`{metadata: {name: a, labels: {b: c}}, spec: {count: 1, deep: {"on": true}, inner: {a: b}, items: [{id: a}], names: [a], port: 80}}`, []string{}},
		"fields that no form has": {`{metadata: {uid: u}, spec: {deep: {"on": true, z: 1}, inner: {c: d}}, other: 1}`,
			[]string{"/metadata/uid", "/other", "/spec/deep/z", "/spec/inner/c"}},
		"a name with a slash, a tilde and dots": {`{metadata: {"a/b~c": 1}, "metadata.name": x}`, []string{"/metadata/a~1b~0c", "/metadata.name"}},
		"what means nothing to people":          {`{status: {a: b}, spec: {mounts: [{path: a, status: b, x: c}]}}`, []string{"/spec/mounts[path=a]/x"}},
		"nulls":                                 {`{metadata: null, x: null, spec: {items: null, inner: {c: null}}}`, []string{}},
		"values that cannot be shown": {`{metadata: 7, spec: {count: 5000000000, "deep": [], limit: 1.5, mode: 7, word: Other, size: much, items: 7, names: 7, inner: 7, labels: 7}}`,
			[]string{"/metadata", "/spec/count", "/spec/deep", "/spec/inner", "/spec/items", "/spec/labels", "/spec/limit", "/spec/mode", "/spec/names", "/spec/size", "/spec/word"}},
		"parts of items":                     {`{spec: {items: [{id: a}, 7, {id: b, x: 1}], names: [a, 7], refs: [{name: a, x: 1}, b], groups: [1, a]}}`, []string{"/spec/groups/1", "/spec/items/1", "/spec/items/2/x", "/spec/names/1", "/spec/refs/0/x", "/spec/refs/1"}},
		"a list with an item without a name": {`{spec: {ports: [{port: 1, x: 1}, {name: a}], mounts: [{path: a}, {}]}}`, []string{"/spec/mounts", "/spec/ports"}},
		"entries":                            {`{metadata: {labels: {a: b, c: 7}}, spec: {notes: {a: b, own/c: d, own/noise: e}, limits: {cpu: much}}}`, []string{"/metadata/labels/c", "/spec/limits/cpu", "/spec/notes/own~1c"}},
		"sources":                            {`{spec: {sources: [{type: File, file: {name: a, x: 1}, configMap: {}}, {type: Tape, tape: {x: 1}}]}}`, []string{"/spec/sources/0/configMap", "/spec/sources/0/file/x", "/spec/sources/1/tape"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, overlay.Hidden(form, parsed(t, c.object))); diff != "" {
				t.Error(diff)
			}
		})
	}
	many := map[string]any{}
	for i := range 507 {
		many[fmt.Sprint(i)] = true
	}
	if got := overlay.Hidden(form, many); len(got) != 501 || got[500] != "… and 7 more" {
		t.Errorf("%d paths, then %q", len(got), got[len(got)-1])
	}
}

func TestSaid(t *testing.T) {
	got := overlay.Said(parsed(t, `{a: null, b: [], c: "", d: {e: null}, f: [{g: null, h: 1}, {}], i: false}`))
	if diff := cmp.Diff(parsed(t, `{c: "", d: {}, f: [{h: 1}, {}], i: false}`), got); diff != "" {
		t.Error(diff)
	}
}

func TestAnInputHasBounds(t *testing.T) {
	for name, c := range map[string]struct {
		input map[string]any
		want  string
	}{
		"values": {map[string]any{"names": make([]any, 20_000)}, "has 20002 values and 0 bytes of text; at most 20000 and 1048576 are allowed"},
		"bytes":  {map[string]any{"name": strings.Repeat("x", 1<<20+1)}, "has 2 values and 1048577 bytes of text; at most 20000 and 1048576 are allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := overlay.New(form, c.input)
			for _, problems := range [][]overlay.Problem{problems, overlay.Lay(form, map[string]any{}, c.input)} {
				if len(problems) != 1 || problems[0].Message() != c.want {
					t.Errorf("%+v", problems)
				}
			}
			if got := overlay.Under("form", problems)[0].Message(); got != "form: "+c.want {
				t.Error(got)
			}
		})
	}
	if _, problems := overlay.New(form, map[string]any{"items": make([]any, 100)}); len(problems) != 20 {
		t.Errorf("%d problems", len(problems))
	}
}

// What is too much to be compared is taken in its order.
func TestMatchingHasABound(t *testing.T) {
	rules := func(n int, fields string) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = parsed(t, fmt.Sprintf(fields, i))
		}
		return out
	}
	for _, n := range []int{10, 400} {
		object := map[string]any{"spec": map[string]any{"rules": rules(n, `{from: "%d", to: b, x: 1}`)}}
		// The one with most in common is the last one; one more than there was.
		given := append([]any{parsed(t, fmt.Sprintf(`{from: "%d", to: c}`, n-1))}, rules(n, `{from: new%d, to: c}`)...)
		if problems := overlay.Lay(form, object, map[string]any{"rules": given}); len(problems) > 0 {
			t.Fatal(problems)
		}
		spec, _ := object["spec"].(map[string]any)
		list, _ := spec["rules"].([]any)
		first, _ := list[0].(map[string]any)
		if known := first["x"] != nil; known != (n == 10) {
			t.Errorf("of %d the first is %v", n, first)
		}
	}
}
