package demo

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/playground/internal/fleet"
)

// A binding whose subject, instance or namespace is misspelt gives nobody anything, without a word.
func TestBindingsNamePeopleAndPlacesThatExist(t *testing.T) {
	text, err := os.ReadFile("../oidc/users.json")
	if err != nil {
		t.Fatal(err)
	}
	var users []struct {
		Sub    string
		Groups []string
	}
	if err := json.Unmarshal(text, &users); err != nil {
		t.Fatal(err)
	}
	people, groups := map[string]bool{}, map[string]bool{}
	for _, u := range users {
		people[u.Sub] = true
		for _, g := range u.Groups {
			groups[g] = true
		}
	}
	bindings := 0
	for _, o := range objects(t, fleet.Host) {
		var b v1alpha1.AccessBinding
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(o.Object, &b, true); err != nil {
			t.Fatalf("%s: %v", o.GetName(), err)
		}
		bindings++
		name, ours := strings.CutPrefix(b.Spec.Subject.Name, "kairship:oidc:")
		known := people
		if b.Spec.Subject.Kind == v1alpha1.SubjectGroup {
			known = groups
		}
		if !ours || !known[name] || name == "stranger" {
			t.Errorf("%s is for %s %q, whom the provider does not know or who must have no role", b.Name, b.Spec.Subject.Kind, b.Spec.Subject.Name)
		}
		if b.Spec.Scope.Instance == "" {
			continue
		}
		if _, ok := fleet.Demo().Instance(b.Spec.Scope.Instance); !ok {
			t.Errorf("%s: there is no instance %q", b.Name, b.Spec.Scope.Instance)
		}
		for _, ns := range b.Spec.Scope.Namespaces {
			if !slices.ContainsFunc(objects(t, b.Spec.Scope.Instance), func(o *unstructured.Unstructured) bool {
				return o.GetKind() == "Namespace" && o.GetName() == ns
			}) {
				t.Errorf("%s: %s has no namespace %q", b.Name, b.Spec.Scope.Instance, ns)
			}
		}
	}
	if bindings != 3 {
		t.Errorf("there are %d bindings, want one each for owner, editor and viewer", bindings)
	}
}
