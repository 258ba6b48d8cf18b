package sql

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// conditionsOf is every condition that takes a text, with one for each place of a text.
func conditionsOf(text string) []Condition {
	key := Key{Cluster: "kairship.asia", Namespace: text, Name: text, GVR: deployments}
	return []Condition{
		Namespaces(text), Namespaces(text, "b"), Names(text), Names(text, "b"), Keys(key), NameContains(text), LabelIn("app", text), LabelIn("app", text, "b"),
		LabelsContain(map[string]string{text: text}), OwnedBy(text), OwnedByObjects(key), UIDs(text, "b"), Involving(text), Field([]string{"spec", "x"}, text),
		FieldContains([]string{"spec"}, map[string]any{text: text}), FieldContainedIn([]string{"spec"}, map[string]string{text: text}),
		Not(Names(text)), Any(Names(text), NameContains(text)), All(Names(text), Field([]string{"a"}, text)), Binding(Names(text)),
	}
}

// FuzzStatementsDoNotDependOnValues: whatever text a condition or a cursor holds, the SQL is the same, letter
// by letter, as with a harmless one. All that differs is parameters.
func FuzzStatementsDoNotDependOnValues(f *testing.F) {
	for i := range conditionsOf("") {
		f.Add(uint8(i), "cart", "shop")
		f.Add(uint8(i), "'; DROP TABLE resources; --", "?::text")
		f.Add(uint8(i), "\\%_\"", "\U0010FFFF\u0001")
		f.Add(uint8(i), "\x00", "\xff")
	}
	kinds := []schema.GroupVersionResource{deployments, {Version: "v1", Resource: "pods"}}
	orders := []Order{ByName, ByCreated, ByLastSeen}
	f.Fuzz(func(t *testing.T, which uint8, text, cursor string) {
		write := func(text, cursor string, several, descending bool, order Order, d Dialect) (string, error) {
			c := conditionsOf(text)[int(which)%len(conditionsOf(""))]
			q := Query{Scope: everything(), GVRs: kinds[:1], Clusters: []string{"kairship.asia"}, Where: []Condition{c}, Order: order, Descending: descending, Limit: 5,
				After: &Position{At: "2026-01-01T00:00:00Z", Key: Key{Cluster: "kairship.asia", Namespace: cursor, Name: cursor, GVR: deployments}}}
			if several {
				q.GVRs, q.Clusters = kinds, []string{"kairship.asia", "kairship.asia.tokyo"}
			}
			if err := q.Check(); err != nil {
				return "", err
			}
			s, err := q.Page(d)
			if err != nil {
				return "", err
			}
			return s.Where + "\n" + s.OrderBy, nil
		}
		for _, d := range []Dialect{{true, true}, {true, false}, {false, true}, {false, false}} {
			for _, order := range orders {
				for _, several := range []bool{false, true} {
					for _, descending := range []bool{false, true} {
						got, err := write(text, cursor, several, descending, order, d)
						if err != nil {
							continue // it was refused
						}
						// A part of a name is found by an index when it is long enough, and read otherwise.
						like := "v"
						if len(text) >= 3 {
							like = "vvv"
						}
						want, err := write(like, "v", several, descending, order, d)
						if err != nil {
							t.Fatal(err)
						}
						if got != want {
							t.Fatalf("condition %d of %q:\n%s\nwith a harmless text:\n%s", which, text, got, want)
						}
					}
				}
			}
		}
	})
}
