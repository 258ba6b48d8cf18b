package access

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestBindingUpToDate(t *testing.T) {
	groups := []string{"kairship:host:b", "kairship:host:a", "kairship:host:b"}
	for name, tt := range map[string]struct {
		edit func(*unstructured.Unstructured)
		want bool
	}{
		"as it was written":      {func(*unstructured.Unstructured) {}, true},
		"with what others added": {func(u *unstructured.Unstructured) { u.SetAnnotations(map[string]string{"a": "b"}) }, true},
		"without its label":      {func(u *unstructured.Unstructured) { u.SetLabels(nil) }, false},
		"with another role":      {func(u *unstructured.Unstructured) { u.Object["roleRef"].(map[string]any)["name"] = "view" }, false},
		"with one subject too many": {func(u *unstructured.Unstructured) {
			u.Object["subjects"] = append(u.Object["subjects"].([]any), map[string]any{"kind": "User", "name": "eve"})
		}, false},
		"without a subject": {func(u *unstructured.Unstructured) { u.Object["subjects"] = u.Object["subjects"].([]any)[1:] }, false},
	} {
		t.Run(name, func(t *testing.T) {
			have := desired(groups)[0]
			tt.edit(have)
			if got := upToDate(have, desired(groups)[0]); got != tt.want {
				t.Errorf("want %v, got %v", tt.want, got)
			}
		})
	}
}

func TestGroupsAreBoundOnceAndInOrder(t *testing.T) {
	subject := func(name string) any {
		return map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": name}
	}
	want := []any{subject("kairship:host:a"), subject("kairship:host:b")}
	if diff := cmp.Diff(want, desired([]string{"kairship:host:b", "kairship:host:a", "kairship:host:b"})[0].Object["subjects"]); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
}
