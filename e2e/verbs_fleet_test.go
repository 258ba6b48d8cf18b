package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// Labels, taints and the pause of scheduling of a member are set and taken back; others that it has stay.
func TestAMembersLabelsAndTaintsAreChanged(t *testing.T) {
	whole(t)
	id := model.ClusterID("europe", "frankfurt")
	clusters := karmada(t, "europe").Resource(schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"})
	state := func() string {
		o, err := clusters.Get(t.Context(), "frankfurt", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		taints, _, _ := unstructured.NestedSlice(o.Object, "spec", "taints")
		return fmt.Sprint(o.GetLabels(), taints)
	}
	before := state()
	restore := func() {
		mutated(t, token, "updateCluster", map[string]any{"id": id, "removeLabels": []string{"e2e-verbs"}, "removeTaints": []any{map[string]any{"key": "e2e-verbs"}}})
		mutated(t, token, "setClusterSchedulable", map[string]any{"id": id, "schedulable": true})
	}
	restore()
	for _, step := range []struct {
		verb  string
		input map[string]any
		want  []string
		has   string
	}{
		{"updateCluster", map[string]any{"labels": []any{map[string]any{"key": "e2e-verbs", "value": "yes"}}, "dryRun": true}, nil, before},
		{"updateCluster", map[string]any{"labels": []any{map[string]any{"key": "not a key", "value": "yes"}}}, []string{"BAD_USER_INPUT input.labels"}, before},
		{"updateCluster", map[string]any{"taints": []any{map[string]any{"key": "a/b/c", "effect": "NO_SCHEDULE"}}}, []string{"BAD_USER_INPUT input.taints"}, before},
		{"updateCluster", map[string]any{"labels": []any{map[string]any{"key": "e2e-verbs", "value": "yes"}}}, nil, "e2e-verbs:yes"},
		{"updateCluster", map[string]any{"taints": []any{map[string]any{"key": "e2e-verbs", "value": "v", "effect": "NO_SCHEDULE"}}}, nil, "effect:NoSchedule key:e2e-verbs value:v"},
		{"updateCluster", map[string]any{"taints": []any{map[string]any{"key": "e2e-verbs", "effect": "PREFER_NO_SCHEDULE"}}}, []string{"BAD_USER_INPUT input.taints"}, "effect:NoSchedule key:e2e-verbs value:v"},
		{"setClusterSchedulable", map[string]any{"schedulable": false}, nil, "cluster.karmada.io/unschedulable"},
		{"setClusterSchedulable", map[string]any{"schedulable": true}, nil, "effect:NoSchedule key:e2e-verbs value:v"},
	} {
		step.input["id"] = id
		if got := mutated(t, token, step.verb, step.input); !slices.Equal(got, step.want) {
			t.Errorf("%s with %v is answered %s, want %s", step.verb, step.input, got, step.want)
		}
		if now := state(); !strings.Contains(now, step.has) {
			t.Errorf("after %s with %v it is %s, want %s", step.verb, step.input, now, step.has)
		}
	}
	restore()
	if now := state(); now != before {
		t.Errorf("it was %s and is %s", before, now)
	}
	if got := mutated(t, idTokenOf(t, "editor"), "setClusterSchedulable", map[string]any{"id": model.ClusterID("asia", "tokyo"), "schedulable": false}); len(got) != 1 || !strings.HasPrefix(got[0], "FORBIDDEN") {
		t.Errorf("an Editor is answered %s", got)
	}
}

// What somebody is given works at once, is seen by those who may, and is gone when it is taken.
func TestARoleIsGivenSeenAndTaken(t *testing.T) {
	whole(t)
	stranger := idTokenOf(t, "stranger")
	const subject, role = "kairship:oidc:stranger", "Viewer"
	input := map[string]any{"subject": map[string]any{"kind": "USER", "name": subject}, "role": role, "instance": "asia", "namespaces": []string{"shop"}}
	bindings := func(bearer string) (out []struct{ ID, Source, GrantedBy string }) {
		var data struct {
			AccessBindings struct {
				Nodes []struct{ ID, Source, GrantedBy string }
			}
		}
		answer := askAs(t, bearer, `{ accessBindings(first: 200, filter: {subjectContains: "oidc:stranger", instances: ["asia"]}) { nodes { id source grantedBy } } }`, nil)
		if err := json.Unmarshal(answer.Data, &data); err != nil {
			t.Fatalf("%s %v", answer.Data, err)
		}
		return data.AccessBindings.Nodes
	}
	for _, b := range bindings(token) { // of a run before
		mutated(t, token, "revokeAccess", map[string]any{"id": b.ID})
	}
	for _, tc := range []struct {
		name, bearer string
		change       map[string]any
		want         string
	}{
		{"an Editor gives it", idTokenOf(t, "editor"), nil, "FORBIDDEN"},
		{"a name without an origin", token, map[string]any{"subject": map[string]any{"kind": "USER", "name": "stranger"}}, "BAD_USER_INPUT input.subject"},
		{"a name of Kubernetes' own", token, map[string]any{"subject": map[string]any{"kind": "GROUP", "name": "system:masters"}}, "BAD_USER_INPUT input.subject"},
		{"a role that is none", token, map[string]any{"role": "cluster-admin"}, "BAD_USER_INPUT input.role"},
		{"a namespace that cannot be", token, map[string]any{"namespaces": []string{"../shop"}}, "BAD_USER_INPUT input.namespaces"},
		{"an instance that is not there", token, map[string]any{"instance": "africa"}, "NOT_FOUND input.instance"},
	} {
		wrong := map[string]any{}
		for _, from := range []map[string]any{input, tc.change} {
			for k, v := range from {
				wrong[k] = v
			}
		}
		if got := mutated(t, tc.bearer, "grantAccess", wrong); len(got) != 1 || got[0] != tc.want {
			t.Errorf("%s: answered %s, want %s", tc.name, got, tc.want)
		}
	}
	if got := mutated(t, token, "grantAccess", input); len(got) > 0 {
		t.Fatal(got)
	}
	if got := mutated(t, token, "grantAccess", input); !slices.Equal(got, []string{"CONFLICT input.subject"}) {
		t.Errorf("given again: %s", got)
	}
	sees := func(want bool) {
		t.Helper()
		took := eventually(t, 5*time.Second, func() error {
			out := askAs(t, stranger, `{instance(name:"asia"){workloads(first:1){nodes{name}}}}`, nil)
			if seen := len(out.Errors) == 0; seen != want {
				return fmt.Errorf("seen: %t, want %t: %v", seen, want, out.Errors)
			}
			return nil
		})
		t.Logf("seen: %t after %s", want, took)
	}
	sees(true)
	for name, bearer := range map[string]string{"an administrator": token, "who has it": stranger} {
		if got := bindings(bearer); len(got) != 1 || got[0].Source != "KAIRSHIP" || got[0].GrantedBy == "" {
			t.Errorf("%s sees %+v", name, got)
		}
	}
	given := bindings(token)[0]
	if got := bindings(idTokenOf(t, "editor")); len(got) != 0 {
		t.Errorf("an Editor sees %+v", got)
	}
	if got := mutated(t, stranger, "revokeAccess", map[string]any{"id": given.ID}); len(got) != 1 || got[0] != "FORBIDDEN" {
		t.Errorf("who has it takes it: %s", got)
	}
	if got := mutated(t, token, "revokeAccess", map[string]any{"id": given.ID, "dryRun": true}); len(got) > 0 || len(bindings(token)) != 1 {
		t.Errorf("a dry run: %s, left %v", got, bindings(token))
	}
	if got := mutated(t, token, "revokeAccess", map[string]any{"id": given.ID}); len(got) > 0 {
		t.Fatal(got)
	}
	sees(false)
	if got := mutated(t, token, "revokeAccess", map[string]any{"id": given.ID}); !slices.Equal(got, []string{"NOT_FOUND input.id"}) {
		t.Errorf("taken again: %s", got)
	}
}
