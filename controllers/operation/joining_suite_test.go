package operation_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// federation is an instance with a cluster that may join it, each with what its controllers would do there.
type federation struct {
	karmada, member *testenv.Server
}

var (
	theFederation federation
	startOnce     sync.Once
)

// federated starts both once for all tests, attaches the instance asia, and runs the controllers until the test ends.
func federated(t *testing.T) federation {
	t.Helper()
	startOnce.Do(func() {
		var err error
		if theFederation.karmada, err = environment.Start(testenv.KarmadaDefinitions, testenv.PolicyDefinitions, testenv.WorkDefinitions); err != nil {
			t.Fatal(err)
		}
		if theFederation.member, err = environment.Start(); err != nil {
			t.Fatal(err)
		}
		// Roles in a Karmada are the access controller's business.
		must(t, theFederation.karmada.Client.Create(context.Background(), &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "owners"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: owners}},
		}))
		must(t, theFederation.karmada.UntilGranted(context.Background()))
	})
	f := theFederation
	suite.Attach(t, host, "asia", f.karmada.Kubeconfig(t))
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, controller := range []func(context.Context){f.makeTokens, f.collect, f.report} {
		running.Go(func() {
			for ctx.Err() == nil {
				controller(ctx)
				select {
				case <-ctx.Done():
				case <-time.After(20 * time.Millisecond): // as often as a watch would tell
				}
			}
		})
	}
	t.Cleanup(func() { cancel(); running.Wait() })
	return f
}

// environmentKarmada starts another control plane, for one test.
func environmentKarmada(t *testing.T) *testenv.Server {
	t.Helper()
	s := testenv.Start(t, testenv.KarmadaDefinitions)
	must(t, s.Client.Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "owners"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: owners}},
	}))
	must(t, s.UntilGranted(t.Context()))
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// makeTokens fills the Secrets of accounts in the member, as its controller manager does.
func (f federation) makeTokens(ctx context.Context) {
	var all corev1.SecretList
	if f.member.Client.List(ctx, &all, client.InNamespace("karmada-cluster")) != nil {
		return
	}
	for i := range all.Items {
		s := &all.Items[i]
		if s.Type != corev1.SecretTypeServiceAccountToken || len(s.Data["token"]) > 0 || s.DeletionTimestamp != nil {
			continue
		}
		seconds := int64(time.Hour / time.Second)
		token := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Annotations[corev1.ServiceAccountNameKey]}}
		if f.member.Client.SubResource("token").Create(ctx, account, token) != nil {
			continue
		}
		s.Data = map[string][]byte{"token": []byte(token.Status.Token), "ca.crt": f.member.Config.CAData}
		_ = f.member.Client.Update(ctx, s) // tried again
	}
}

// collect removes what belongs to a role of the member that is gone, as its garbage collector does, and ends namespaces.
func (f federation) collect(ctx context.Context) {
	var roles rbacv1.ClusterRoleList
	if f.member.Client.List(ctx, &roles) != nil {
		return
	}
	there := map[types.UID]bool{}
	for i := range roles.Items {
		there[roles.Items[i].UID] = true
	}
	var bindings rbacv1.ClusterRoleBindingList
	var namespaces corev1.NamespaceList
	if f.member.Client.List(ctx, &bindings) != nil || f.member.Client.List(ctx, &namespaces) != nil {
		return
	}
	orphan := func(o client.Object) bool {
		return len(o.GetOwnerReferences()) > 0 && !slices.ContainsFunc(o.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return there[r.UID] })
	}
	for i := range bindings.Items {
		if orphan(&bindings.Items[i]) {
			_ = f.member.Client.Delete(ctx, &bindings.Items[i])
		}
	}
	for i := range namespaces.Items {
		ns := &namespaces.Items[i]
		if ns.DeletionTimestamp != nil {
			_ = f.member.Client.DeleteAllOf(ctx, &corev1.Secret{}, client.InNamespace(ns.Name))
			_ = f.member.Client.DeleteAllOf(ctx, &corev1.ServiceAccount{}, client.InNamespace(ns.Name))
			ns.Spec.Finalizers = nil
			_ = f.member.Client.SubResource("finalize").Update(ctx, ns)
		} else if orphan(ns) {
			_ = f.member.Client.Delete(ctx, ns)
		}
	}
}

// report says of each Cluster of the instance that it is ready, as Karmada does.
func (f federation) report(ctx context.Context) {
	for _, c := range f.clusters(ctx) {
		if _, found, _ := unstructured.NestedSlice(c.Object, "status", "conditions"); found {
			continue
		}
		status := "True"
		if strings.HasPrefix(c.GetName(), "lost") {
			status = "False"
		}
		_ = unstructured.SetNestedSlice(c.Object, []any{map[string]any{"type": "Ready", "status": status, "reason": "ClusterReady", "message": "",
			"lastTransitionTime": "2026-01-01T00:00:00Z"}}, "status", "conditions")
		_ = f.karmada.Client.Status().Update(ctx, c) // tried again
	}
}

func (f federation) clusters(ctx context.Context) []*unstructured.Unstructured {
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion("cluster.karmada.io/v1alpha1")
	list.SetKind("ClusterList")
	if err := f.karmada.Client.List(ctx, list); err != nil {
		return nil
	}
	out := make([]*unstructured.Unstructured, 0, len(list.Items))
	for i := range list.Items {
		out = append(out, &list.Items[i])
	}
	return out
}

// state is what there is of joined clusters, in the instance, the member and the host cluster.
func (f federation) state(t *testing.T) []string {
	t.Helper()
	ctx := context.Background()
	out := []string{}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, c := range f.clusters(ctx) {
		id, _, _ := unstructured.NestedString(c.Object, "spec", "id")
		taints, _, _ := unstructured.NestedSlice(c.Object, "spec", "taints")
		add("instance: Cluster %s, known by its id: %t, %d taints", c.GetName(), id == f.id(t), len(taints))
	}
	var secrets corev1.SecretList
	must(t, f.karmada.Client.List(ctx, &secrets))
	for i := range secrets.Items {
		s := &secrets.Items[i]
		add("instance: Secret %s/%s with %d keys of %d owners", s.Namespace, s.Name, len(s.Data), len(s.OwnerReferences))
	}
	var roles rbacv1.ClusterRoleList
	must(t, f.member.Client.List(ctx, &roles))
	for i := range roles.Items {
		if strings.HasPrefix(roles.Items[i].Name, "karmada") {
			add("member: ClusterRole %s", roles.Items[i].Name)
		}
	}
	var bindings rbacv1.ClusterRoleBindingList
	must(t, f.member.Client.List(ctx, &bindings))
	for i := range bindings.Items {
		if strings.HasPrefix(bindings.Items[i].Name, "karmada") {
			add("member: ClusterRoleBinding %s", bindings.Items[i].Name)
		}
	}
	var accounts corev1.ServiceAccountList
	must(t, f.member.Client.List(ctx, &accounts))
	for i := range accounts.Items {
		add("member: ServiceAccount %s/%s", accounts.Items[i].Namespace, accounts.Items[i].Name)
	}
	var namespaces corev1.NamespaceList
	must(t, f.member.Client.List(ctx, &namespaces))
	for i := range namespaces.Items {
		if strings.HasPrefix(namespaces.Items[i].Name, "karmada") {
			add("member: Namespace %s", namespaces.Items[i].Name)
		}
	}
	must(t, host.Client.List(ctx, &secrets, client.InNamespace(namespace)))
	for i := range secrets.Items {
		if secrets.Items[i].Name != "asia" {
			add("host: Secret %s", secrets.Items[i].Name)
		}
	}
	slices.Sort(out)
	return out
}

// id is what tells the member from others.
func (f federation) id(t *testing.T) string {
	t.Helper()
	var ns corev1.Namespace
	testenv.Eventually(t, func() string {
		if err := f.member.Client.Get(context.Background(), types.NamespacedName{Name: metav1.NamespaceSystem}, &ns); err != nil {
			return err.Error()
		}
		return ""
	})
	return string(ns.UID)
}

// clear removes what a test left, whatever became of it.
func (f federation) clear(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	for _, c := range f.clusters(ctx) {
		suite.Remove(t, f.karmada, c)
	}
	_ = f.karmada.Client.DeleteAllOf(ctx, &corev1.Secret{}, client.InNamespace("karmada-cluster"))
	_ = f.karmada.Client.DeleteAllOf(ctx, &corev1.Secret{}, client.InNamespace("kube-system"))
	var roles rbacv1.ClusterRoleList
	must(t, f.member.Client.List(ctx, &roles))
	for i := range roles.Items {
		if strings.HasPrefix(roles.Items[i].Name, "karmada") {
			_ = f.member.Client.Delete(ctx, &roles.Items[i])
		}
	}
	var bindings rbacv1.ClusterRoleBindingList
	must(t, f.member.Client.List(ctx, &bindings))
	for i := range bindings.Items {
		if strings.HasPrefix(bindings.Items[i].Name, "karmada") {
			_ = f.member.Client.Delete(ctx, &bindings.Items[i])
		}
	}
	_ = f.member.Client.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "karmada-cluster"}})
	testenv.Eventually(t, func() string {
		f.collect(ctx)
		if err := f.member.Client.Get(ctx, types.NamespacedName{Name: "karmada-cluster"}, &corev1.Namespace{}); err == nil {
			return "the namespace karmada-cluster is still there"
		}
		return ""
	})
}
