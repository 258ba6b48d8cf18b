package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const escalated = "e2e-escalation"

var (
	configMapsKind          = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	clusterRoleBindingsKind = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"}
)

// carried is a ConfigMap with the policy that takes it to a member: what an Editor of its namespace makes every day.
const carried = `
apiVersion: v1
kind: ConfigMap
metadata: {name: ` + escalated + `, namespace: shop}
data: {a: b}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: ` + escalated + `, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: ` + escalated + `}]
  placement: {clusterAffinity: {clusterNames: [hangzhou]}}
`

// selecting is an OverridePolicy with a selector and what it overrides, each YAML in one line.
func selecting(selector, overrides string) string {
	return `
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: ` + escalated + `, namespace: shop}
spec:
  resourceSelectors: [{` + selector + `}]
  ` + overrides + `
`
}

func overrideOf(plaintext string) string {
	return selecting("apiVersion: v1, kind: ConfigMap, name: "+escalated, "overrideRules: [{overriders: {plaintext: ["+plaintext+"]}}]")
}

// toBinding makes of the ConfigMap a ClusterRoleBinding.
var toBinding = overrideOf(`
    {path: /kind, operator: replace, value: ClusterRoleBinding}, {path: /apiVersion, operator: replace, value: rbac.authorization.k8s.io/v1},
    {path: /metadata/namespace, operator: remove}, {path: /data, operator: remove},
    {path: /roleRef, operator: add, value: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}},
    {path: /subjects, operator: add, value: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "kairship:oidc:editor"}]}`)

// ladders are what an Editor of namespaces might try.
var ladders = []struct{ name, manifest, words string }{
	{"a ConfigMap that becomes a ClusterRoleBinding", toBinding, "overriders.plaintext[].path: /kind may not be changed; allowed are /spec"},
	{"a privileged Pod in a namespace of the member's own", overrideOf(`{path: /metadata/namespace, operator: replace, value: kube-system}`), "plaintext[].path: /metadata/namespace may not be changed"},
	{"rules", overrideOf(`{path: /rules, operator: add, value: []}`), "plaintext[].path: /rules may not be changed"},
	{"a label that steers Karmada", overrideOf(`{path: /metadata/labels/clusterpropagationpolicy.karmada.io~1permanent-id, operator: add, value: x}`), "permanent-id may not be changed"},
	{"the deprecated form", selecting(`apiVersion: v1, kind: ConfigMap, name: `+escalated, `overriders: {plaintext: [{path: /kind, operator: replace, value: Secret}]}`), "plaintext[].path: /kind may not be changed"},
	{"a field", selecting(`apiVersion: v1, kind: ConfigMap, name: `+escalated, `overrideRules: [{overriders: {fieldOverrider: [{fieldPath: /kind, yaml: [{subPath: "", operator: replace, value: x}]}]}}]`), "fieldOverrider[].fieldPath: /kind may not be changed"},
	{"an image that is a name", selecting(`apiVersion: v1, kind: ConfigMap, name: `+escalated, `overrideRules: [{overriders: {imageOverrider: [{predicate: {path: /metadata/name}, component: Repository, operator: replace, value: x}]}}]`), "imageOverrider[].predicate.path: /metadata/name may not be changed"},
	{"everything at once", `
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: ` + escalated + `, namespace: shop}
spec: {overrideRules: [{overriders: {plaintext: [{path: /spec/x, operator: add, value: x}]}}]}
`, "spec.resourceSelectors: an empty list selects everything"},
	{"the role of Kairship's RoleBindings", selecting(`apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding`, `overrideRules: [{overriders: {plaintext: [{path: /roleRef/name, operator: replace, value: cluster-admin}]}}]`), "v1 RoleBinding may be carried into members only by policies that Admins"},
	{"keeping what is revoked", `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: e2e-keeps, namespace: shop}
spec:
  preserveResourcesOnDeletion: true
  priority: 1000
  preemption: Always
  resourceSelectors: [{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding}]
`, "v1 RoleBinding may be carried into members only by policies that Admins"},
	{"a Namespace", `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: e2e-namespace, namespace: shop}
spec: {resourceSelectors: [{apiVersion: v1, kind: Namespace, name: shop}]}
`, "v1 Namespace may be carried"},
	{"another namespace", `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: e2e-elsewhere, namespace: shop}
spec: {resourceSelectors: [{apiVersion: v1, kind: Secret, namespace: platform}]}
`, "spec.resourceSelectors[].namespace: platform is not for this policy"},
}

// applyAs applies manifests in the graph as somebody, and says what became of them and why.
func applyAs(t *testing.T, bearer, manifests string) (outcomes, reasons string) {
	t.Helper()
	out := askAs(t, bearer, applyMutation, map[string]any{"in": map[string]any{"instance": "asia", "manifests": manifests}})
	if len(out.Errors) > 0 {
		t.Fatalf("errors: %+v", out.Errors)
	}
	var got applied
	if err := json.Unmarshal(out.Data, &got); err != nil {
		t.Fatal(err)
	}
	var why []string
	for _, d := range got.ApplyManifests.Documents {
		if d.Error != nil {
			why = append(why, d.Error.Code+" "+d.Error.Message)
		}
	}
	return got.outcomes(), strings.Join(why, "\n")
}

// A policy is written with the right of its author, and carried out with that of Karmada.
func TestAnEditorsPoliciesAreNoLadderInTheMembers(t *testing.T) {
	t.Parallel()
	eventually(t, 30*time.Second, func() error { return conditionIs(t, "asia", "PoliciesGuarded", metav1.ConditionTrue) })
	editor := idTokenOf(t, "editor")
	member := client(t, "hangzhou")
	bindings := member.Resource(clusterRoleBindingsKind)
	remove := func(kind schema.GroupVersionResource) {
		err := client(t, "asia").Resource(kind).Namespace("shop").Delete(context.Background(), escalated, metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	}
	overrides := schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: "overridepolicies"}
	t.Cleanup(func() {
		remove(overrides)
		remove(configMapsKind)
		remove(schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: "propagationpolicies"})
		if err := bindings.Delete(context.Background(), escalated, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
	if outcomes, reasons := applyAs(t, editor, carried); outcomes != "CREATED CREATED" {
		t.Fatalf("what an Editor makes every day: %s\n%s", outcomes, reasons)
	}
	eventually(t, 30*time.Second, func() error {
		_, err := member.Resource(configMapsKind).Namespace("shop").Get(t.Context(), escalated, metav1.GetOptions{})
		return err
	})

	k := issue(t, editor, "asia", "", "shop")
	for _, l := range ladders {
		t.Run(l.name, func(t *testing.T) {
			outcomes, reasons := applyAs(t, editor, l.manifest)
			if outcomes != "FAILED" || !strings.Contains(reasons, l.words) {
				t.Errorf("in the graph: %s, want FAILED with %q, got:\n%s", outcomes, l.words, reasons)
			}
			file := filepath.Join(t.TempDir(), "policy.yaml")
			if err := os.WriteFile(file, []byte(l.manifest), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, how := range [][]string{{"apply"}, {"apply", "--server-side"}, {"create"}} {
				out, err := k.kubectl(t, append(how, "-f", file)...)
				if err == nil || !strings.Contains(strings.Join(strings.Fields(out), " "), l.words) {
					t.Errorf("kubectl %s through the proxy: want a refusal with %q, got %v:\n%s", strings.Join(how, " "), l.words, err, out)
				}
			}
		})
	}
	for name, get := range map[string]func() error{
		"the override is there": func() error {
			_, err := client(t, "asia").Resource(overrides).Namespace("shop").Get(t.Context(), escalated, metav1.GetOptions{})
			return err
		},
		"the binding is in the member": func() error {
			_, err := bindings.Get(t.Context(), escalated, metav1.GetOptions{})
			return err
		},
	} {
		if err := get(); !apierrors.IsNotFound(err) {
			t.Errorf("%s: %v", name, err)
		}
	}

	t.Run("an Admin is not limited", func(t *testing.T) {
		if outcomes, reasons := applyAs(t, token, toBinding); outcomes != "CREATED" {
			t.Fatalf("%s\n%s", outcomes, reasons)
		}
		// And so it is worth refusing it to others.
		eventually(t, 30*time.Second, func() error {
			_, err := bindings.Get(t.Context(), escalated, metav1.GetOptions{})
			return err
		})
		// Of what an Admin wrote an Editor may change the labels, and nothing that it says.
		file := filepath.Join(t.TempDir(), "policy.yaml")
		if err := os.WriteFile(file, []byte(strings.Replace(toBinding, "name: view", "name: cluster-admin", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		k.refused(t, `overriders\.plaintext\[\]\.path: /kind may not be changed`, "apply", "--server-side", "--force-conflicts", "-f", file)
		// One that removes a field is judged anew, whatever changes: Karmada's webhook writes those down differently.
		if outcomes, reasons := applyAs(t, token, overrideOf(`{path: /immutable, operator: add, value: true}`)); outcomes != "CONFIGURED" {
			t.Fatalf("%s\n%s", outcomes, reasons)
		}
		k.does(t, "label", "overridepolicies.policy.karmada.io", escalated, "team=shop")
	})
}

// guarded says what is missing of Kairship's admission policies in an instance.
func guarded(t *testing.T, instance string) error {
	t.Helper()
	kind := schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicybindings"}
	list, err := client(t, instance).Resource(kind).List(t.Context(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/managed-by=kairship"})
	if err != nil {
		return err
	}
	if len(list.Items) < 4 {
		return fmt.Errorf("%d bindings of admission policies in %s", len(list.Items), instance)
	}
	return nil
}

func TestTheBoundsOfPoliciesAreInEveryInstanceAndPutBack(t *testing.T) {
	t.Parallel()
	whole(t)
	for _, instance := range []string{"asia", "europe"} {
		eventually(t, 30*time.Second, func() error {
			return errors.Join(conditionIs(t, instance, "PoliciesGuarded", metav1.ConditionTrue), guarded(t, instance))
		})
	}
	kind := schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicybindings"}
	if err := client(t, "asia").Resource(kind).Delete(t.Context(), "overrides.kairship.io", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	took := eventually(t, 10*time.Second, func() error { return guarded(t, "asia") })
	t.Logf("put back after %s", took)
}
