package e2e

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/rbac/subjects"
)

// acting is a principal as an instance is to see them, by the AccessBindings that are there now.
func acting(t *testing.T, instance string, p auth.Principal) auth.Principal {
	t.Helper()
	list, err := karmada(t, "host").Resource(v1alpha1.AccessBindingResource).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	bindings := make([]v1alpha1.AccessBinding, len(list.Items))
	for i, u := range list.Items {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &bindings[i]); err != nil {
			t.Fatal(err)
		}
	}
	authorizer := rbac.NewAuthorizer(nil)
	authorizer.SetBindings(rbac.NewBindings(bindings, nil))
	return authorizer.Scope(p).Acting(instance, p)
}

// through is a member as somebody reaches it through their instance's cluster proxy.
func through(t *testing.T, instance, member string, p auth.Principal) kubernetes.Interface {
	t.Helper()
	cfg := config(t, instance)
	cfg.Host = strings.TrimSuffix(cfg.Host, "/") + "/apis/cluster.karmada.io/v1alpha1/clusters/" + member + "/proxy"
	cfg.Impersonate = rest.ImpersonationConfig{UserName: p.Name, Groups: p.Groups}
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// refusedBy says what is wrong with an error that is to be a member's own refusal of a resource.
func refusedBy(err error, user, resource string) string {
	switch {
	case err == nil:
		return "it is allowed"
	case !apierrors.IsForbidden(err) || subjects.Refused(err) || !strings.Contains(err.Error(), fmt.Sprintf("User %q cannot", user)) || !strings.Contains(err.Error(), fmt.Sprintf("resource %q", resource)):
		return "it is not the member's own refusal: " + err.Error()
	}
	return ""
}

func accessManifest(name, kind, subject, role, namespaces string) string {
	scope := "{instance: asia}"
	if namespaces != "" {
		scope = "{instance: asia, namespaces: [" + namespaces + "]}"
	}
	return fmt.Sprintf(`
apiVersion: kairship.io/v1alpha1
kind: AccessBinding
metadata: {name: %s}
spec:
  subject: {kind: %s, name: %q}
  role: %s
  scope: %s
`, name, kind, subject, role, scope)
}

func memberPods(t *testing.T, client kubernetes.Interface, namespace string) ([]corev1.Pod, error) {
	t.Helper()
	list, err := client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

func TestAMemberDecidesByItsOwnPermissionsWhatAPersonMayDoThere(t *testing.T) {
	whole(t)
	// Their provider says more of them than what is bound: that must not matter.
	editor := auth.NewPrincipal("oidc", "editor", []string{"staff"})
	client := through(t, "asia", "hangzhou", acting(t, "asia", editor))
	for _, namespace := range []string{"shop", "payments"} {
		want, err := memberPods(t, clientset(t, "hangzhou"), namespace)
		if err != nil {
			t.Fatal(err)
		}
		got, err := memberPods(t, client, namespace)
		if err != nil || len(got) != len(want) {
			t.Errorf("pods of %s: %d, %v, want %d", namespace, len(got), err, len(want))
		}
		if _, err := client.CoreV1().Secrets(namespace).List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Errorf("secrets of %s: %v", namespace, err)
		}
	}
	_, err := memberPods(t, client, "kube-system")
	if wrong := refusedBy(err, editor.Name, "pods"); wrong != "" {
		t.Errorf("pods of another namespace: %s", wrong)
	}
	_, err = client.CoreV1().Secrets("platform").List(t.Context(), metav1.ListOptions{})
	if wrong := refusedBy(err, editor.Name, "secrets"); wrong != "" {
		t.Errorf("secrets of another namespace: %s", wrong)
	}
	_, err = client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if wrong := refusedBy(err, editor.Name, "nodes"); wrong != "" {
		t.Errorf("nodes: %s", wrong)
	}
	// "*" is all members, and what is no resource Karmada answers with rights of its own.
	for _, path := range []string{"/version", "/metrics", "/api/v1/secrets"} {
		err := through(t, "asia", "*", acting(t, "asia", editor)).CoreV1().RESTClient().Get().AbsPath(path).Do(t.Context()).Error()
		if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "clusters/proxy") {
			t.Errorf("%s of all members at once: %v", path, err)
		}
	}
}

func TestAPersonWhoIsBoundByAGroupIsKnownInTheMembers(t *testing.T) {
	whole(t)
	// Somebody new: whom an earlier run has noted is known already.
	mate := auth.NewPrincipal("oidc", fmt.Sprintf("e2e-mate-%d", time.Now().UnixNano()), []string{"e2e-crew", "staff"})
	create(t, "host", v1alpha1.AccessBindingResource, accessManifest("e2e-crew", "Group", "kairship:oidc:e2e-crew", "Viewer", "shop"))
	as := acting(t, "asia", mate)
	if len(as.Groups) != 1 {
		t.Fatalf("acting groups: %v", as.Groups)
	}
	notebook := subjects.NewRecorder(clientset(t, "host").CoreV1().ConfigMaps("kairship-system"), clock.RealClock{}, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() { stopped <- notebook.Run(ctx) }()
	defer func() { cancel(); <-stopped }()

	client := through(t, "asia", "hangzhou", as)
	took := eventually(t, 20*time.Second, func() error {
		return notebook.Try(t.Context(), as, func(context.Context) error {
			_, err := memberPods(t, client, "shop")
			return err
		})
	})
	t.Logf("let in after %s", took)
	_, err := memberPods(t, client, "payments")
	if wrong := refusedBy(err, mate.Name, "pods"); wrong != "" {
		t.Errorf("another namespace: %s", wrong)
	}
	_, err = client.CoreV1().Secrets("shop").List(t.Context(), metav1.ListOptions{})
	if wrong := refusedBy(err, mate.Name, "secrets"); wrong != "" {
		t.Errorf("secrets: %s", wrong)
	}
	// A member takes nobody with a group that is not bound, nor somebody whom nobody has noted.
	if _, err := memberPods(t, through(t, "asia", "hangzhou", mate), "shop"); !subjects.Refused(err) {
		t.Errorf("with all of their groups: %v", err)
	}
	unnoted := auth.Principal{Name: "kairship:oidc:e2e-unnoted", Groups: as.Groups}
	if _, err := memberPods(t, through(t, "asia", "hangzhou", unnoted), "shop"); !subjects.Refused(err) {
		t.Errorf("somebody who is not noted: %v", err)
	}

	// What is taken away is taken away in the member itself.
	member := clientset(t, "hangzhou")
	const name = "kairship:binding:asia:e2e-crew"
	if _, err := member.RbacV1().RoleBindings("shop").Get(t.Context(), name, metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := karmada(t, "host").Resource(v1alpha1.AccessBindingResource).Delete(t.Context(), "e2e-crew", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	took = eventually(t, 10*time.Second, func() error {
		if _, err := memberPods(t, client, "shop"); !apierrors.IsForbidden(err) {
			return fmt.Errorf("the right is gone, and the answer is %w", err)
		}
		if _, err := member.RbacV1().RoleBindings("shop").Get(t.Context(), name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			return fmt.Errorf("it is still in the member: %w", err)
		}
		listed, err := member.RbacV1().ClusterRoles().Get(t.Context(), "karmada-impersonator", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if s := listed.String(); strings.Contains(s, mate.Name) || strings.Contains(s, "e2e-crew") {
			return fmt.Errorf("they are still known in the member")
		}
		return nil
	})
	t.Logf("gone from the member after %s", took)
}

// With the accounts of a member's own namespaces they could give themselves any right there.
func TestAnEditorOfEverythingWritesToNoMembersOwnNamespaces(t *testing.T) {
	whole(t)
	p := auth.NewPrincipal("oidc", "e2e-editor", nil)
	create(t, "host", v1alpha1.AccessBindingResource, accessManifest("e2e-editor", "User", p.Name, "Editor", ""))
	client := through(t, "asia", "hangzhou", acting(t, "asia", p))
	// The proxy takes no dry runs.
	write := func(namespace string) error {
		maps := client.CoreV1().ConfigMaps(namespace)
		if _, err := maps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "e2e-editor"}}, metav1.CreateOptions{}); err != nil {
			return err
		}
		return maps.Delete(t.Context(), "e2e-editor", metav1.DeleteOptions{})
	}
	eventually(t, 20*time.Second, func() error {
		if _, err := memberPods(t, client, "kube-system"); err != nil {
			return err
		}
		return write("shop")
	})
	if _, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("nodes: %v", err)
	}
	if wrong := refusedBy(write("kube-system"), p.Name, "configmaps"); wrong != "" {
		t.Errorf("a ConfigMap in kube-system: %s", wrong)
	}
	_, err := client.RbacV1().ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "e2e-editor"}}, metav1.CreateOptions{})
	if wrong := refusedBy(err, p.Name, "clusterroles"); wrong != "" {
		t.Errorf("a ClusterRole: %s", wrong)
	}
}
