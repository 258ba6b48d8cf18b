package lifecycle

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// pullCheck distinguishes the check of pull registration from that of the settings.
const pullCheck = "/pull"

// pullRegistration maintains inside the Karmada what clusters need to register themselves by a bootstrap token. The
// operator installs nothing of it, and such a cluster would wait forever.
func (w *work) pullRegistration(ctx context.Context) error {
	key := w.instance.Name + pullCheck
	done := w.checks.get(key)
	if done.wish == string(w.reach.cluster) && w.Clock.Now().Sub(done.at) < w.pace.Settings {
		return nil
	}
	conn, err := w.Connections.Ensure(w.instance.Name, w.reach.config)
	if err != nil {
		return err
	}
	for _, object := range registrationObjects(w.reach.cluster) {
		if err := keepInside(ctx, conn.Dynamic(), object); err != nil {
			if wasInstalled(w.instance) {
				// It was there; the status reports that the Karmada does not answer now.
				return nil
			}
			if apierrors.IsForbidden(err) || apierrors.IsInvalid(err) {
				return fails(v1alpha1.ReasonInstallFailed, "the Karmada refuses %s %q: %s", object.object.GetKind(), object.object.GetName(), err)
			}
			return waits("waiting for the Karmada to answer: %s", err)
		}
	}
	w.checks.set(key, check{wish: string(w.reach.cluster), at: w.Clock.Now()})
	return nil
}

// inside is an object of Kairship's inside a Karmada.
type inside struct {
	resource schema.GroupVersionResource
	object   *unstructured.Unstructured
}

// keepInside keeps an object inside a Karmada in the desired state, whatever else it contains.
func keepInside(ctx context.Context, karmada dynamic.Interface, want inside) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	client := dynamic.ResourceInterface(karmada.Resource(want.resource))
	if ns := want.object.GetNamespace(); ns != "" {
		client = karmada.Resource(want.resource).Namespace(ns)
	}
	current, err := client.Get(ctx, want.object.GetName(), metav1.GetOptions{})
	if err == nil && within(want.object.Object, current.Object) {
		return nil
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	if _, err := client.Apply(ctx, want.object.GetName(), want.object, metav1.ApplyOptions{FieldManager: string(fieldOwner), Force: true}); err != nil {
		return err
	}
	wrote(want.object.GetKind(), "apply")
	return nil
}

// The names that Karmada's own tools give these objects, so that both can maintain them.
const (
	tokenGroup        = "system:bootstrappers:karmada:default-cluster-token" //nolint:gosec // the name of a group
	agentGroup        = "system:karmada:agents"
	rbacGenerator     = "system:karmada:agent:rbac-generator"
	clusterInfoReader = "system:karmada:bootstrap-signer-clusterinfo"
)

// registrationObjects let an agent find out where it registers, ask for a certificate and have it
// approved, renew it, and be given its permissions; and let the administrator through to the members.
func registrationObjects(cluster []byte) []inside {
	rule := func(group, resource string, verbs ...any) []any {
		return []any{map[string]any{"apiGroups": []any{group}, "resources": []any{resource}, "verbs": verbs}}
	}
	role := func(name string, rules []any) inside {
		return rbac("ClusterRole", "clusterroles", name, "", map[string]any{"rules": rules})
	}
	bind := func(name, role, kind, subject string) inside {
		return rbac("ClusterRoleBinding", "clusterrolebindings", name, "", binding("ClusterRole", role, kind, subject))
	}
	info := rule("", "configmaps", "get")
	info[0].(map[string]any)["resourceNames"] = []any{"cluster-info"} //nolint:forcetypeassert // made above
	configMap := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "cluster-info", "namespace": metav1.NamespacePublic},
		"data":     map[string]any{"kubeconfig": string(cluster)},
	}}
	const certificates = "certificates.k8s.io"
	return []inside{
		{schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, configMap},
		rbac("Role", "roles", clusterInfoReader, metav1.NamespacePublic, map[string]any{"rules": info}),
		rbac("RoleBinding", "rolebindings", clusterInfoReader, metav1.NamespacePublic, binding("Role", clusterInfoReader, rbacv1.UserKind, "system:anonymous")),
		role("cluster-proxy-admin", rule("cluster.karmada.io", "clusters/proxy", "*")),
		bind("cluster-proxy-admin", "cluster-proxy-admin", rbacv1.UserKind, "system:admin"),
		role("system:karmada:agent-rbac-generator", rule("*", "*", "*")),
		bind("system:karmada:agent-rbac-generator", "system:karmada:agent-rbac-generator", rbacv1.UserKind, rbacGenerator),
		bind("system:karmada:agent-bootstrap", "system:node-bootstrapper", rbacv1.GroupKind, tokenGroup),
		role("system:karmada:certificatesigningrequest:autoapprover", rule(certificates, "certificatesigningrequests/clusteragent", "create")),
		bind("system:karmada:agent-autoapprove-bootstrap", "system:karmada:certificatesigningrequest:autoapprover", rbacv1.GroupKind, tokenGroup),
		role("system:karmada:certificatesigningrequest:selfautoapprover", rule(certificates, "certificatesigningrequests/selfclusteragent", "create")),
		bind("system:karmada:agent-autoapprove-certificate-rotation", "system:karmada:certificatesigningrequest:selfautoapprover", rbacv1.GroupKind, agentGroup),
	}
}

func binding(roleKind, role, kind, subject string) map[string]any {
	return map[string]any{
		"roleRef":  map[string]any{"apiGroup": rbacv1.GroupName, "kind": roleKind, "name": role},
		"subjects": []any{map[string]any{"apiGroup": rbacv1.GroupName, "kind": kind, "name": subject}},
	}
}

func rbac(kind, resource, name, namespace string, fields map[string]any) inside {
	metadata := map[string]any{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	fields["apiVersion"], fields["kind"], fields["metadata"] = rbacv1.SchemeGroupVersion.String(), kind, metadata
	return inside{rbacv1.SchemeGroupVersion.WithResource(resource), &unstructured.Unstructured{Object: fields}}
}
