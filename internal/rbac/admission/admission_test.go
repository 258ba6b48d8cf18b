package admission_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/rbac/admission"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

const (
	good = configMaps + "overrideRules: [{overriders: {plaintext: [{path: /data/a, operator: add, value: x}]}}]"
	bad  = configMaps + "overrideRules: [{overriders: {plaintext: [{path: /kind, operator: replace, value: ClusterRoleBinding}]}}]"
)

// namedAs is a policy with a name.
func namedAs(t *testing.T, kind, name, spec string) *unstructured.Unstructured {
	t.Helper()
	u := written(t, kind, "shop", spec)
	u.SetGenerateName("")
	u.SetName(name)
	return u
}

func TestAPolicyCannotBeChangedIntoWhatCouldNotBeMade(t *testing.T) {
	editor, root := as(t, namespaceEditor), as(t, "kairship:oidc:somebody", adminGroup)
	theirs, ours := namedAs(t, "OverridePolicy", "by-an-admin", bad), namedAs(t, "OverridePolicy", "by-an-editor", good)
	if err := root.Create(t.Context(), theirs); err != nil {
		t.Fatalf("an Admin by a group: %v", err)
	}
	if err := editor.Create(t.Context(), ours); err != nil {
		t.Fatal(err)
	}
	patch := func(kind types.PatchType, body string) client.Patch { return client.RawPatch(kind, []byte(body)) }
	hostile := `{"spec":{"overrideRules":[{"overriders":{"plaintext":[{"path":"/kind","operator":"replace","value":"x"}]}}]}}`
	applied := namedAs(t, "OverridePolicy", "by-an-editor", bad)
	fresh := namedAs(t, "OverridePolicy", "applied", bad)
	for name, change := range map[string]func(client.Client) error{
		"a merge patch": func(c client.Client) error {
			return c.Patch(t.Context(), ours.DeepCopy(), patch(types.MergePatchType, hostile))
		},
		"a JSON patch": func(c client.Client) error {
			return c.Patch(t.Context(), ours.DeepCopy(), patch(types.JSONPatchType, `[{"op":"replace","path":"/spec/overrideRules/0/overriders/plaintext/0/path","value":"/kind"}]`))
		},
		"an apply of what is there": func(c client.Client) error {
			return c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(applied.DeepCopy()), client.FieldOwner("test"), client.ForceOwnership)
		},
		"an apply of what is not": func(c client.Client) error {
			return c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(fresh.DeepCopy()), client.FieldOwner("test"))
		},
		"a dry run": func(c client.Client) error {
			return c.Patch(t.Context(), ours.DeepCopy(), patch(types.MergePatchType, hostile), client.DryRunAll)
		},
		"another value in a policy of an Admin": func(c client.Client) error {
			return c.Patch(t.Context(), theirs.DeepCopy(), patch(types.JSONPatchType, `[{"op":"replace","path":"/spec/overrideRules/0/overriders/plaintext/0/value","value":"Role"}]`))
		},
		"another selector in a policy of an Admin": func(c client.Client) error {
			return c.Patch(t.Context(), theirs.DeepCopy(), patch(types.JSONPatchType, `[{"op":"replace","path":"/spec/resourceSelectors/0/name","value":"other"}]`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if wrong := refused(change(editor), "plaintext[].path: /kind may not be changed"); wrong != "" {
				t.Error(wrong)
			}
			if err := change(root); err != nil && name != "an apply of what is not" {
				t.Errorf("as an Admin: %v", err)
			}
			// As it was.
			for _, u := range []*unstructured.Unstructured{namedAs(t, "OverridePolicy", "by-an-admin", bad), namedAs(t, "OverridePolicy", "by-an-editor", good)} {
				body, err := json.Marshal(u.Object["spec"])
				if err != nil {
					t.Fatal(err)
				}
				if err := root.Patch(t.Context(), u, patch(types.JSONPatchType, `[{"op":"replace","path":"/spec","value":`+string(body)+`}]`)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Run("its labels may be, and it may go", func(t *testing.T) {
		if err := editor.Patch(t.Context(), theirs, patch(types.MergePatchType, `{"metadata":{"labels":{"seen":"by-an-editor"},"finalizers":["example.com/hold"]}}`)); err != nil {
			t.Error(err)
		}
		if err := editor.Patch(t.Context(), theirs, patch(types.MergePatchType, `{"metadata":{"finalizers":null}}`)); err != nil {
			t.Error(err)
		}
		if err := editor.Delete(t.Context(), theirs); err != nil {
			t.Error(err)
		}
	})
	t.Run("it may be made harmless", func(t *testing.T) {
		theirs := namedAs(t, "OverridePolicy", "by-an-admin-again", bad)
		if err := root.Create(t.Context(), theirs); err != nil {
			t.Fatal(err)
		}
		if err := editor.Patch(t.Context(), theirs, patch(types.MergePatchType, `{"spec":{"overrideRules":[{"overriders":{}}]}}`)); err != nil {
			t.Error(err)
		}
	})
}

// What the API server would judge for long, it refuses: whoever wants to get by could make it as large.
func TestAPolicyThatIsTooLargeToBeJudgedIsRefused(t *testing.T) {
	editor, root := as(t, namespaceEditor), as(t, admin)
	spec := func(n int, padding string, more ...string) string {
		var paths []string
		for i := range n {
			paths = append(paths, fmt.Sprintf("{path: /metadata/labels/key-%s%d, operator: add, value: x}", padding, i))
		}
		return overriders("plaintext: [" + strings.Join(append(paths, more...), ", ") + "]")
	}
	const kind = "{path: /kind, operator: replace, value: x}"
	if err := editor.Create(t.Context(), written(t, "OverridePolicy", "shop", spec(1000, ""))); err != nil {
		t.Errorf("1,000 paths, which is much but ordinary: %v", err)
	}
	if wrong := refused(editor.Create(t.Context(), written(t, "OverridePolicy", "shop", spec(1000, "", kind))), "plaintext[].path: /kind"); wrong != "" {
		t.Errorf("one of 1,000 paths: %s", wrong)
	}
	// Of an Admin not even the comparison with what was there may cost too much.
	u := namedAs(t, "OverridePolicy", "large", spec(8000, "", kind))
	if err := root.Create(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	if err := root.Patch(t.Context(), u, client.RawPatch(types.MergePatchType, []byte(`{"spec":{"overrideRules":null},"metadata":{"labels":{"a":"b"}}}`))); err != nil {
		t.Errorf("an Admin's update: %v", err)
	}
	// More than 1 MiB: nearly what fits into etcd.
	large := strings.Repeat("x", 100)
	for name, more := range map[string][]string{"harmless": nil, "hostile": {kind}} {
		u := written(t, "OverridePolicy", "shop", spec(8000, large, more...))
		if wrong := refused(editor.Create(t.Context(), u.DeepCopy()), "'overrides.kairship.io' with binding 'overrides.kairship.io' denied request: expr"); wrong != "" {
			t.Errorf("8,000 paths, %s: %.400s", name, wrong)
		}
		if err := root.Create(t.Context(), u, client.DryRunAll); err != nil {
			t.Errorf("8,000 paths, %s, as an Admin: %v", name, err)
		}
	}
}

func TestANamespacedPolicyStaysInItsNamespace(t *testing.T) {
	editor := as(t, instanceEditor)
	const elsewhere = "resourceSelectors: [{apiVersion: v1, kind: Secret, namespace: payments}]"
	const words = "spec.resourceSelectors[].namespace: payments is not for this policy"
	for _, kind := range []string{"OverridePolicy", "PropagationPolicy"} {
		if wrong := refused(editor.Create(t.Context(), written(t, kind, "shop", elsewhere)), words); wrong != "" {
			t.Errorf("%s: %s", kind, wrong)
		}
		if wrong := refused(as(t, namespaceEditor).Create(t.Context(), written(t, kind, "shop", elsewhere)), words); wrong != "" {
			t.Errorf("%s: %s", kind, wrong)
		}
		if err := editor.Create(t.Context(), written(t, kind, "payments", elsewhere)); err != nil {
			t.Errorf("%s in the namespace itself: %v", kind, err)
		}
		if wrong := refused(editor.Create(t.Context(), written(t, kind, "karmada-system", configMaps)), "metadata.namespace: policies in karmada-system"); wrong != "" {
			t.Errorf("%s in the control plane's: %s", kind, wrong)
		}
	}
	// With preemption Karmada does not ask whether what is named matches.
	for _, namespace := range []string{"", `, namespace: ""`} {
		claims := "preemption: Always\nresourceSelectors: [{apiVersion: storage.k8s.io/v1, kind: StorageClass, name: fast" + namespace + "}]"
		if wrong := refused(editor.Create(t.Context(), written(t, "PropagationPolicy", "shop", claims)), "spec.preemption: with Always"); wrong != "" {
			t.Error(wrong)
		}
	}
}

func TestKairshipsOwnObjectsAreWrittenByAdminsAlone(t *testing.T) {
	root := as(t, admin)
	own := namedAs(t, "ClusterPropagationPolicy", "kairship-members-asia", "resourceSelectors: [{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}]")
	if err := root.Create(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Delete(t.Context(), own) })
	labelled := map[string]string{"kairship.io/members": "true"}
	meta := func(name string, labels map[string]string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Name: name, Namespace: "shop", Labels: labels}
	}
	for name, change := range map[string]func(client.Client) error{
		"deleting the policy": func(c client.Client) error { return c.Delete(t.Context(), own.DeepCopy()) },
		"deleting by the dozen": func(c client.Client) error {
			u := own.DeepCopy()
			return c.Delete(t.Context(), u, client.Preconditions{})
		},
		"labels of the policy": func(c client.Client) error {
			return c.Patch(t.Context(), own.DeepCopy(), client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`)))
		},
		"a policy of such a name": func(c client.Client) error {
			return c.Create(t.Context(), namedAs(t, "ClusterPropagationPolicy", "kairship-members-europe", configMaps))
		},
		"a policy that is named so by the server": func(c client.Client) error {
			u := written(t, "ClusterPropagationPolicy", "", configMaps)
			u.SetGenerateName("kairship-members-")
			return c.Create(t.Context(), u)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if wrong := refused(change(as(t, instanceEditor)), "metadata.name: names that begin with kairship: or kairship-members- are Kairship's own"); wrong != "" {
				t.Error(wrong)
			}
		})
	}
	custom := as(t, customRole)
	for name, o := range map[string]client.Object{
		"a role that goes to the members": &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "mine", Labels: labelled}},
		"a binding of all namespaces that goes to the members": &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "mine", Labels: labelled},
			RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "test:custom"}},
		"a binding that goes to the members": &rbacv1.RoleBinding{ObjectMeta: meta("mine", labelled), RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "test:custom"}},
	} {
		t.Run(name, func(t *testing.T) {
			if wrong := refused(custom.Create(t.Context(), o), "metadata.labels: kairship.io/members carries permissions into the members"); wrong != "" {
				t.Error(wrong)
			}
		})
	}
	t.Run("a label that is added later", func(t *testing.T) {
		theirs := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "labelled-later"}}
		if err := custom.Create(t.Context(), theirs); err != nil {
			t.Fatal(err)
		}
		label := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"kairship.io/members":"true"}}}`))
		if wrong := refused(custom.Patch(t.Context(), theirs, label), "metadata.labels: kairship.io/members carries permissions into the members"); wrong != "" {
			t.Error(wrong)
		}
	})
	t.Run("a role of such a name", func(t *testing.T) {
		if wrong := refused(custom.Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "kairship:mine"}}), "names that begin with kairship:"); wrong != "" {
			t.Error(wrong)
		}
	})
	t.Run("other roles", func(t *testing.T) {
		for _, o := range []client.Object{&rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "theirs"}}, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "kairship-members-of-theirs"}}} {
			err := custom.Create(t.Context(), o)
			if (err == nil) != (o.GetName() == "theirs") {
				t.Errorf("%s: %v", o.GetName(), err)
			}
		}
	})
	t.Run("an Admin", func(t *testing.T) {
		if err := root.Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "kairship:by-an-admin", Labels: labelled}}); err != nil {
			t.Error(err)
		}
	})
}

func TestBindingsAreWrittenByKarmadaAndAdminsAlone(t *testing.T) {
	const text = `
apiVersion: work.karmada.io/v1alpha2
kind: ResourceBinding
metadata: {name: roles, namespace: shop}
spec: {resource: {apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, namespace: shop, name: "kairship:editors:asia"}}`
	root, inside := as(t, admin), as(t, namespaceAdmin)
	if wrong := refused(inside.Create(t.Context(), object(t, text)), "bindings are written by Karmada and Admins of the instance"); wrong != "" {
		t.Error(wrong)
	}
	u := object(t, text)
	if err := root.Create(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	keep := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"preserveResourcesOnDeletion":true}}`))
	if wrong := refused(inside.Patch(t.Context(), u.DeepCopy(), keep), "bindings are written by Karmada"); wrong != "" {
		t.Error(wrong)
	}
	schedule := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"clusters":[{"name":"tokyo"}]}}`))
	if err := as(t, scheduler).Patch(t.Context(), u.DeepCopy(), schedule); err != nil {
		t.Errorf("Karmada's scheduler: %v", err)
	}
	if err := root.Patch(t.Context(), u.DeepCopy(), keep); err != nil {
		t.Error(err)
	}
	// By this label Karmada finds what a binding that is deleted has left in the members.
	label := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"resourcebinding.karmada.io/permanent-id":"of-another"}}}`))
	if wrong := refused(inside.Patch(t.Context(), u.DeepCopy(), label), "bindings are written by Karmada"); wrong != "" {
		t.Error(wrong)
	}
	if wrong := refused(inside.Delete(t.Context(), u.DeepCopy()), "bindings are written by Karmada"); wrong != "" {
		t.Error(wrong)
	}
	// What empties a namespace.
	if err := as(t, "system:serviceaccount:kube-system:namespace-controller").Delete(t.Context(), u); err != nil {
		t.Error(err)
	}
}

func TestHowStrictlyPodsAreLookedAtIsForAdmins(t *testing.T) {
	namespace := func(name, key, value string) *corev1.Namespace {
		return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{key: value, "app": "x"}}}
	}
	editor := as(t, instanceEditor)
	for _, mode := range []string{"enforce", "audit", "warn"} {
		if wrong := refused(editor.Create(t.Context(), namespace("loose-"+mode, "pod-security.kubernetes.io/"+mode, "privileged")), "decide how strictly the members look at pods"); wrong != "" {
			t.Errorf("%s: %s", mode, wrong)
		}
	}
	for name, n := range map[string]*corev1.Namespace{
		"restricted": namespace("strict", "pod-security.kubernetes.io/enforce", "restricted"),
		"restricted of a version": {ObjectMeta: metav1.ObjectMeta{Name: "strict-of-a-version", Labels: map[string]string{
			"pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/enforce-version": "v1.30"}}},
		"unlabelled": {ObjectMeta: metav1.ObjectMeta{Name: "plain"}},
		"labelled":   namespace("labelled", "team", "x"),
	} {
		if err := editor.Create(t.Context(), n); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if wrong := refused(editor.Create(t.Context(), namespace("devices", "resource.kubernetes.io/admin-access", "true")), "lets claims take every device"); wrong != "" {
		t.Error(wrong)
	}
	root := as(t, admin)
	made := namespace("by-an-admin", "pod-security.kubernetes.io/enforce", "privileged")
	if err := root.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}

	// Who may change every Namespace, and is no Admin.
	labeller := as(t, customRole)
	for patch, reason := range map[string]string{
		`{"metadata":{"labels":{"team":"a"}}}`:                                        "",
		`{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"restricted"}}}`: "",
		`{"metadata":{"labels":{"pod-security.kubernetes.io/warn":"baseline"}}}`:      "decide how strictly",
		`{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"baseline"}}}`:   "decide how strictly",
		`{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":null}}}`:         "decide how strictly",
		`{"metadata":{"labels":{"resource.kubernetes.io/admin-access":"true"}}}`:      "lets claims take every device",
	} {
		err := labeller.Patch(t.Context(), made.DeepCopy(), client.RawPatch(types.MergePatchType, []byte(patch)), client.DryRunAll)
		if reason == "" && err != nil {
			t.Errorf("%s: %v", patch, err)
		}
		if reason == "" {
			continue
		}
		if wrong := refused(err, reason); wrong != "" {
			t.Errorf("%s: %s", patch, wrong)
		}
	}
}

// Kubernetes asks about a Namespace in the Namespace itself: who has every right in one has them on itself.
func TestANamespaceIsNotPartOfWhatIsInIt(t *testing.T) {
	shop := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
	label := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"team":"a"}}}`))
	inside := as(t, namespaceAdmin)
	for what, err := range map[string]error{
		"a label":  inside.Patch(t.Context(), shop.DeepCopy(), label, client.DryRunAll),
		"deletion": inside.Delete(t.Context(), shop.DeepCopy(), client.DryRunAll),
	} {
		if wrong := refused(err, "a role in a namespace is about what is in it"); wrong != "" {
			t.Errorf("%s: %s", what, wrong)
		}
	}
	root := as(t, admin)
	if err := errors.Join(root.Patch(t.Context(), shop.DeepCopy(), label, client.DryRunAll), root.Delete(t.Context(), shop.DeepCopy(), client.DryRunAll)); err != nil {
		t.Error(err)
	}
}

// The kinds that policies may name are kinds that Editors may write in namespaces, or a few classes: what
// Kubernetes adds is for Admins until somebody has thought about it.
func TestOnlyKindsThatEditorsMayWriteAreCarried(t *testing.T) {
	known := map[string]bool{}
	for gvk := range scheme.Scheme.AllKnownTypes() {
		known[gvk.Group+"/"+gvk.Kind] = true
	}
	rules := append(role.Editor([]string{
		"backendtlspolicies.gateway.networking.k8s.io", "grpcroutes.gateway.networking.k8s.io", "gateways.gateway.networking.k8s.io",
		"gatewayclasses.gateway.networking.k8s.io", "httproutes.gateway.networking.k8s.io", "referencegrants.gateway.networking.k8s.io",
		"tcproutes.gateway.networking.k8s.io", "tlsroutes.gateway.networking.k8s.io", "udproutes.gateway.networking.k8s.io",
		"volumesnapshots.snapshot.storage.k8s.io", "volumesnapshotclasses.snapshot.storage.k8s.io",
	}), role.EditorData()...)
	for group, kinds := range admission.Kinds {
		for _, kind := range kinds {
			gvk := schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
			if !known[group+"/"+kind] && !strings.HasSuffix(group, "gateway.networking.k8s.io") && group != "snapshot.storage.k8s.io" {
				t.Errorf("Kubernetes has no %s", gvk)
			}
			if resource := plural(gvk); !allows(rules, group, resource) {
				t.Errorf("Editors may not write %s.%s, but carry them into members", resource, group)
			}
		}
	}
	for _, kind := range []string{"PersistentVolume", "Namespace", "Node", "ResourceQuota", "LimitRange"} {
		if resource := plural(schema.GroupVersionKind{Version: "v1", Kind: kind}); allows(rules, "", resource, "update") {
			t.Errorf("Editors may write %s, which are not carried", resource)
		}
	}
	for _, resource := range []string{"csidrivers", "csinodes", "volumeattachments"} {
		if allows(rules, "storage.k8s.io", resource, "update") {
			t.Errorf("Editors may write %s, which are not carried", resource)
		}
	}
}

// plural is the resource of a kind, as the API server calls it.
func plural(gvk schema.GroupVersionKind) string {
	name := strings.ToLower(gvk.Kind)
	switch {
	case strings.HasSuffix(name, "ss"):
		return name + "es"
	case strings.HasSuffix(name, "policy"):
		return strings.TrimSuffix(name, "y") + "ies"
	case name == "endpoints":
		return name
	}
	return name + "s"
}

func allows(rules []rbacv1.PolicyRule, group, resource string, verbs ...string) bool {
	if len(verbs) == 0 {
		verbs = []string{"create"}
	}
	return slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool {
		return slices.Contains(r.APIGroups, group) && slices.Contains(r.Verbs, verbs[0]) && (slices.Contains(r.Resources, resource) || slices.Contains(r.Resources, "*"))
	})
}
