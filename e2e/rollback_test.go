package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

// rollbackMembers are those of asia: two in push mode and one in pull mode.
var rollbackMembers = []string{"hangzhou", "singapore", "tokyo"}

// A rollback to the first of three revisions gives its template in every member.
func TestARollbackGivesTheTemplateOfTheRevisionInEveryMember(t *testing.T) {
	whole(t)
	const namespace, name = "e2e-rollback", "web"
	removeNamespace(t, namespace)
	leaveNothing(t, namespace)
	id := model.Ref{Instance: "asia", GVK: verbKinds["deployments"], Namespace: namespace, Name: name}.ID()
	text := func(image, env string) string {
		return fmt.Sprintf(`
apiVersion: v1
kind: Namespace
metadata: {name: %[1]s}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[2]s, namespace: %[1]s}
spec:
  replicas: 1
  selector: {matchLabels: {app: %[2]s}}
  template:
    metadata: {labels: {app: %[2]s}}
    spec: {containers: [{name: web, image: '%[3]s', env: %[4]s}]}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: %[2]s, namespace: %[1]s}
spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: %[2]s}], placement: {clusterAffinity: {clusterNames: [%[5]s]}}}
`, namespace, name, image, env, strings.Join(rollbackMembers, ", "))
	}
	// By member; first is those of the first revision.
	var first map[string]corev1.PodTemplateSpec
	templates := map[string]corev1.PodTemplateSpec{}
	everywhere := func(says string, is func(corev1.PodTemplateSpec) bool) {
		t.Helper()
		for _, member := range rollbackMembers {
			client := clientset(t, member)
			eventually(t, 60*time.Second, func() error {
				d, err := client.AppsV1().Deployments(namespace).Get(t.Context(), name, metav1.GetOptions{})
				if err != nil {
					return err
				}
				if !is(d.Spec.Template) {
					return fmt.Errorf("%s does not have the template %s but %+v", member, says, d.Spec.Template.Spec.Containers)
				}
				templates[member] = d.Spec.Template
				return nil
			})
		}
	}
	hasImage := func(image string) func(corev1.PodTemplateSpec) bool {
		return func(p corev1.PodTemplateSpec) bool { return p.Spec.Containers[0].Image == image }
	}
	var numbers []string
	revision := func(image string) {
		t.Helper()
		everywhere("with "+image, hasImage(image))
		eventually(t, 30*time.Second, func() error {
			found := revisionsOf(t, id)
			if number := found[image]; number != "" && !slices.Contains(numbers, number) {
				numbers = append(numbers, number)
				return nil
			}
			return fmt.Errorf("no revision has the image %s: %v", image, found)
		})
	}
	for _, step := range []struct{ image, env string }{
		{"registry.example/web:1", `[{name: STEP, value: one}, {name: ONLY_FIRST, value: "yes"}]`},
		{"registry.example/web:2", `[{name: STEP, value: two}, {name: MORE, value: "2"}]`},
		{"registry.example/web:3", `[{name: STEP, value: three}]`},
	} {
		if got := apply(t, map[string]any{"manifests": text(step.image, step.env)}); strings.Contains(got.outcomes(), "FAILED") || len(got.ApplyManifests.UserErrors) > 0 {
			t.Fatalf("%+v", got)
		}
		revision(step.image)
		if first == nil {
			first = maps.Clone(templates)
		}
	}
	if len(numbers) != 3 {
		t.Fatalf("revisions %v", numbers)
	}
	if got := mutated(t, token, "rollbackWorkload", map[string]any{"id": id, "revision": numbers[0]}); len(got) > 0 {
		t.Fatalf("rollbackWorkload: %s", got)
	}
	everywhere("of the first revision", func(p corev1.PodTemplateSpec) bool {
		return hasImage("registry.example/web:1")(p) && slices.Equal(p.Spec.Containers[0].Env, []corev1.EnvVar{{Name: "STEP", Value: "one"}, {Name: "ONLY_FIRST", Value: "yes"}})
	})
	for _, member := range rollbackMembers {
		if diff := cmp.Diff(first[member], templates[member]); diff != "" {
			t.Errorf("the template of %s is another one than before (-was +is):\n%s", member, diff)
		}
	}
}

// revisionsOf are the numbers of a workload's revisions by the image of its container.
func revisionsOf(t *testing.T, id string) map[string]string {
	t.Helper()
	var data struct {
		Node *struct {
			Revisions *struct {
				Nodes []struct {
					Revision int
					Images   []string
				}
			}
		}
	}
	got := ask(t, `query($id: ID!) { node(id: $id) { ... on Workload { revisions { nodes { revision images } } } } }`, map[string]any{"id": id})
	if err := json.Unmarshal(got.Data, &data); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	if data.Node != nil && data.Node.Revisions != nil {
		for _, r := range data.Node.Revisions.Nodes {
			out[strings.Join(r.Images, " ")] = strconv.Itoa(r.Revision)
		}
	}
	return out
}
