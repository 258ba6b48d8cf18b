package schematest_test

import (
	"testing"

	"github.com/kairship-io/kairship/internal/testing/schematest"
)

var values = schematest.Values{
	"node.id": `"x"`, "nodes.ids": `["x"]`, "instance.name": `"asia"`, "search.text": `"a"`, "Instance.cluster.name": `"tokyo"`,
	"Cluster.pods.first": "2", "Instance.metrics.range": `{from: "2026-11-25T12:00:00Z"}`, "Cluster.metrics.range": `{from: "2026-11-25T12:00:00Z"}`, "resources.apiVersion": `"v1"`, "resources.kind": `"Secret"`,
	"previewPropagationPolicy.input": `{instance: "asia", manifest: "{}"}`, "previewOverridePolicy.input": `{instance: "asia", manifest: "{}"}`,
	"previewManifests.input": `{instance: "asia", manifests: "{}"}`, "previewDeletion.ids": `["x"]`,
}

func TestEveryTypeIsReached(t *testing.T) {
	s := schematest.Load(t, values, map[string][]schematest.Path{
		"Propagation": {{`instance(name: "asia")`, "workloads", "nodes", "propagation"}},
	})
	if missing := s.Unreached(); len(missing) > 0 {
		t.Errorf("not reached: %v", missing)
	}
	if len(s.Types()) < 100 {
		t.Errorf("only %v are reached", s.Types())
	}
	for _, name := range s.Types() {
		if len(s.Entries(name)) == 0 || len(s.Fields(name)) == 0 {
			t.Errorf("%s has entries %v and fields %v", name, s.Entries(name), s.Fields(name))
		}
	}
	got := s.Entries("PropagationTarget")[0].Query("clusterName")
	if want := `{__typename instance(name: "asia"){__typename workloads{__typename nodes{__typename propagation{__typename targets{__typename clusterName}}}}}}`; got != want {
		t.Errorf("the query for targets is\n%s, want\n%s", got, want)
	}
}

func TestFieldsAreSelectedWithWhatTheyNeed(t *testing.T) {
	s := schematest.Load(t, values, nil)
	for _, c := range []struct {
		typeName, field, want string
		ok                    bool
	}{
		{"Instance", "name", "name", true},
		{"Instance", "cluster", `cluster(name: "tokyo"){__typename}`, true},
		{"Cluster", "pods", "pods(first: 2){nodes{__typename}}", true},
		{"Query", "overview", "overview{__typename}", true},
		{"Deployment", "manifest", "manifest", true},
		{"Instance", "resource", "", false},
	} {
		f := s.Schema.Types[c.typeName].Fields.ForName(c.field)
		if got, ok := s.Select(c.typeName, f); got != c.want || ok != c.ok {
			t.Errorf("%s.%s is selected as %q (%t), want %q (%t)", c.typeName, c.field, got, ok, c.want, c.ok)
		}
	}
}

func TestObjectsAreFoundInAnAnswer(t *testing.T) {
	node := func(kind string) any { return map[string]any{"__typename": kind} }
	data := map[string]any{"a": []any{
		map[string]any{"b": map[string]any{"c": []any{node("X"), node("Y"), nil}}},
		map[string]any{"b": nil},
		map[string]any{"b": map[string]any{"c": []any{node("X")}}},
	}}
	if got := (schematest.Path{`a(x: "1")`, "b", "c", "... on X"}).Objects(data); len(got) != 2 {
		t.Errorf("found %v", got)
	}
	if got := (schematest.Path{}).Objects(data); len(got) != 1 {
		t.Errorf("the root is %v", got)
	}
}
