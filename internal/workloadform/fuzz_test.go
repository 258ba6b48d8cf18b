package workloadform

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/model"
)

// Whatever an object is, reading it does not fail, and what was read changes nothing when it is sent back.
func FuzzAnObjectOfAnyShape(f *testing.F) {
	// Small ones, of which many can be tried; TestDamagedObjectsLoseNothing has the full ones.
	f.Add([]byte(`{"metadata":{"labels":{"a":"b","karmada.io/managed":"true"}},"spec":{"replicas":1,"strategy":{"rollingUpdate":{"maxSurge":1}}}}`), []byte(`{"labels":null,"strategy":{"type":"RECREATE"}}`))
	f.Add([]byte(`{"spec":{"template":{"spec":{"tolerations":[{"key":"a","x":1},{"key":"b"}],"imagePullSecrets":[{"name":"a"}]}}}}`), []byte(`{"tolerations":[{"key":"b"}],"imagePullSecrets":["b"]}`))
	f.Add([]byte(`{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":1}}}]}}}}}}`),
		[]byte(`{"containers":[{"name":"a"},{"name":"a"}],"schedule":"x"}`))
	f.Add([]byte(`{"spec":{"template":{"spec":{"containers":[{"name":"a"},{"name":"a","image":1}],"volumes":"x"}}}}`), []byte(`{"volumes":[],"replicas":"x"}`))
	f.Fuzz(func(t *testing.T, object, form []byte) {
		var o, given map[string]any
		if utiljson.Unmarshal(object, &o) != nil || o == nil {
			return
		}
		_ = utiljson.Unmarshal(form, &given)
		for _, kind := range model.WorkloadKinds {
			holds(t, kind, o, given)
		}
	})
}

// holds is what is true of every object and form.
func holds(t *testing.T, kind model.WorkloadKind, object, given map[string]any) {
	t.Helper()
	before, after := again(t, object), again(t, object)
	form, _ := Read(kind, object)
	if diff := cmp.Diff(before, object); diff != "" {
		t.Fatalf("reading changes it:\n%s", diff)
	}
	if problems := Apply(kind, after, sent(form, kind)); len(problems) == 1 && problems[0].Field == nil {
		return // there is too much
	} else if len(problems) > 0 {
		// What is wrong in the object already, and would be refused if it were new, stays.
		t.Fatalf("what was read is refused: %v", problems)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Fatalf("what was read changes it (-before +after):\n%s", diff)
	}
	// No form makes it panic; laid over twice it changes nothing more.
	if problems := Apply(kind, after, given); len(problems) > 0 {
		return
	}
	once := again(t, after)
	if problems := Apply(kind, after, given); len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(once, after); diff != "" {
		t.Fatalf("twice is not once (-once +twice):\n%s", diff)
	}
	FieldOf(kind, given, []string{"spec", "template", "spec", "containers", "0", "env", "7", "name"})
}

// Full objects, of which parts were replaced by anything.
func TestDamagedObjectsLoseNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same ones each time
	damage := func(v any) any { return v }
	damage = func(v any) any {
		if random.IntN(60) == 0 {
			return []any{nil, "x", 1.5, int64(7), true, []any{}, map[string]any{}, []any{"x", nil}, []any{map[string]any{"name": int64(1)}}, map[string]any{"name": "y"}}[random.IntN(10)]
		}
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				v[name] = damage(v[name])
			}
		case []any:
			for i := range v {
				v[i] = damage(v[i])
			}
		}
		return v
	}
	for range 4 {
		for _, kind := range model.WorkloadKinds {
			object := full(t, kind)
			damage(object["spec"])
			holds(t, kind, again(t, object), Form{})
		}
	}
}
