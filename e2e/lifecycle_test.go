package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// made is the instance that these tests make.
const made = "e2e-made"

// canManage skips a test where no pods can be run, so that no Karmada can be made. Where all has to be shown, which
// is where CI is set, that is a failure.
func canManage(t *testing.T) {
	t.Helper()
	if instanceNow(t, "europe").Spec.Source == v1alpha1.InstanceManaged {
		return
	}
	const why = "no Karmada can be made here: pods run as processes on Linux only, as root or with CAP_SYS_ADMIN (playground/README.md)"
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

func instanceGone(t *testing.T, name string) error {
	t.Helper()
	u, err := karmada(t, "host").Resource(v1alpha1.InstanceResource).Get(t.Context(), name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%s is still there: finalizers %v, status %v", name, u.GetFinalizers(), u.Object["status"])
}

// throughKairship are the clients of an instance by the kubeconfig that Kairship holds of it.
func throughKairship(t *testing.T, instance string) (dynamic.Interface, kubernetes.Interface) {
	t.Helper()
	secret, err := clientset(t, "host").CoreV1().Secrets("kairship-system").Get(t.Context(), instanceNow(t, instance).CredentialSecret(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(secret.Data[v1alpha1.KubeconfigKey])
	if err != nil {
		t.Fatal(err)
	}
	config.Timeout = 10 * time.Second
	dynamicClient, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return dynamicClient, client
}

var clusterResource = schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"}

// join makes a cluster known to an instance in push mode, as its administrator.
func join(t *testing.T, instance string, member *testenv.Server, as string) {
	t.Helper()
	const namespace = "e2e-join"
	if err := member.EnsureNamespace(namespace); err != nil {
		t.Fatal(err)
	}
	inMember, err := kubernetes.NewForConfig(member.Config)
	if err != nil {
		t.Fatal(err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "karmada"}}
	if _, err := inMember.CoreV1().ServiceAccounts(namespace).Create(t.Context(), account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: "karmada"}},
	}
	if _, err := inMember.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	hours := int64(7200)
	token, err := inMember.CoreV1().ServiceAccounts(namespace).CreateToken(t.Context(), "karmada",
		&authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &hours}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	system, err := inMember.CoreV1().Namespaces().Get(t.Context(), metav1.NamespaceSystem, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	inKarmada, inKarmadaTyped := throughKairship(t, instance)
	_, err = inKarmadaTyped.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: as},
		Data:       map[string][]byte{"token": []byte(token.Status.Token), "caBundle": member.Config.CAData},
	}
	if _, err := inKarmadaTyped.CoreV1().Secrets(namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	ref := map[string]any{"namespace": namespace, "name": as}
	cluster := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster", "metadata": map[string]any{"name": as},
		"spec": map[string]any{
			"syncMode": "Push", "apiEndpoint": member.Config.Host, "id": string(system.UID), "secretRef": ref, "impersonatorSecretRef": ref,
		},
	}}
	if _, err := inKarmada.Resource(clusterResource).Create(t.Context(), cluster, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// runPods does to a Deployment of a cluster what its controllers and kubelets would do.
func runPods(t *testing.T, cluster *testenv.Server, namespace, name string) {
	t.Helper()
	var d appsv1.Deployment
	eventually(t, time.Minute, func() error {
		return cluster.Client.Get(t.Context(), types.NamespacedName{Namespace: namespace, Name: name}, &d)
	})
	n := *d.Spec.Replicas
	d.Status = appsv1.DeploymentStatus{ObservedGeneration: d.Generation, Replicas: n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n}
	if err := cluster.Client.Status().Update(t.Context(), &d); err != nil {
		t.Fatal(err)
	}
}

const propagated = `apiVersion: v1
kind: Namespace
metadata: {name: e2e-made}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: hello, namespace: e2e-made}
spec:
  replicas: 2
  selector: {matchLabels: {app: hello}}
  template:
    metadata: {labels: {app: hello}}
    spec: {containers: [{name: hello, image: registry.example/hello:1}]}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: hello, namespace: e2e-made}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: hello}]
  placement: {clusterAffinity: {clusterNames: [paris]}}
`

func TestAnInstanceIsMadeUsedGuardedAndLeavesNothing(t *testing.T) {
	t.Parallel()
	canManage(t)
	whole(t)
	instances := karmada(t, "host").Resource(v1alpha1.InstanceResource)
	t.Cleanup(func() { // where the test failed
		ctx := context.Background()
		force := fmt.Appendf(nil, `[{"op":"add","path":"/metadata/annotations","value":{%q:%q}}]`, v1alpha1.AnnotationForceDelete, made)
		if _, err := instances.Patch(ctx, made, "application/json-patch+json", force, metav1.PatchOptions{}); err == nil {
			_ = instances.Delete(ctx, made, metav1.DeleteOptions{})
		}
	})
	begin := time.Now()
	_, err := instances.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kairship.io/v1alpha1", "kind": "Instance", "metadata": map[string]any{"name": made},
		"spec": map[string]any{"source": "Managed", "displayName": "Made by a test"},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	eventually(t, 5*time.Minute, func() error {
		i := instanceNow(t, made)
		seen[string(i.Status.Phase)] = true
		for _, step := range i.Status.Steps {
			seen[step.Name+" "+string(step.State)] = true
		}
		if ready := meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionReady); i.Status.Phase != v1alpha1.PhaseRunning || ready == nil || ready.Status != metav1.ConditionTrue {
			return fmt.Errorf("it is %s; %+v; steps %+v", i.Status.Phase, ready, i.Status.Steps)
		}
		return nil
	})
	t.Logf("RUNNING and Ready after %s", time.Since(begin).Round(time.Second))
	if !seen[string(v1alpha1.PhaseInstalling)] || len(seen) < 5 {
		t.Errorf("its progress was not told: %v", seen)
	}
	type state struct {
		Instance struct {
			State, Source string
			Clusters      struct {
				Nodes []struct{ Name, State string }
			}
			Workloads struct {
				Nodes []struct {
					Name, State string
					Propagation struct {
						Targets []struct{ ClusterName string }
					}
				}
			}
		}
	}
	ask := func() state {
		return into[state](t, `{instance(name:"`+made+`"){state source clusters{nodes{name state}} workloads{nodes{name state propagation{targets{clusterName}}}}}}`, nil)
	}
	if got := ask(); got.Instance.State != "RUNNING" || got.Instance.Source != "MANAGED" {
		t.Errorf("the graph says %+v", got)
	}

	// A member joins.
	member := testenv.Start(t)
	join(t, made, member, "paris")
	eventually(t, time.Minute, func() error {
		if got := ask(); len(got.Instance.Clusters.Nodes) != 1 || got.Instance.Clusters.Nodes[0].State != "READY" {
			return fmt.Errorf("clusters %+v", got.Instance.Clusters)
		}
		return nil
	})

	// A Deployment runs there.
	start := time.Now()
	out := into[applied](t, `mutation($i: ApplyManifestsInput!){applyManifests(input:$i){documents{index apiVersion kind namespace name outcome error{code message field}} userErrors{code message field}}}`,
		map[string]any{"i": map[string]any{"instance": made, "manifests": propagated}})
	if got := out.outcomes(); got != "CREATED CREATED CREATED" {
		t.Fatalf("outcomes %q: %+v", got, out)
	}
	runPods(t, member, "e2e-made", "hello")
	eventually(t, time.Minute, func() error {
		got := ask().Instance.Workloads.Nodes
		if len(got) != 1 || got[0].Name != "hello" || got[0].State != "RUNNING" || len(got[0].Propagation.Targets) != 1 || got[0].Propagation.Targets[0].ClusterName != "paris" {
			return fmt.Errorf("workloads %+v", got)
		}
		return nil
	})
	t.Logf("a Deployment runs in its member after %s", time.Since(start).Round(100*time.Millisecond))

	// It is not deleted while a member is joined, and the reason is told.
	eventually(t, 30*time.Second, func() error {
		if s := instanceNow(t, made).Status.Statistics; s == nil || s.Clusters.Total != 1 {
			return fmt.Errorf("statistics %+v", s)
		}
		return nil
	})
	err = instances.Delete(t.Context(), made, metav1.DeleteOptions{})
	if err == nil || !strings.Contains(err.Error(), "cluster") {
		t.Fatalf("with a member joined: %v", err)
	}
	t.Logf("refused: %v", err)
	if i := instanceNow(t, made); i.DeletionTimestamp != nil {
		t.Fatal("it is being deleted although that was refused")
	}

	// Unjoined, it goes, and nothing of it is left.
	inKarmada, _ := throughKairship(t, made)
	if err := inKarmada.Resource(clusterResource).Delete(t.Context(), "paris", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, time.Minute, func() error {
		err := instances.Delete(t.Context(), made, metav1.DeleteOptions{})
		if err != nil {
			return fmt.Errorf("deleting: %w", err)
		}
		return nil
	})
	start = time.Now()
	eventually(t, 3*time.Minute, func() error { return instanceGone(t, made) })
	t.Logf("gone after %s", time.Since(start).Round(time.Second))
	eventually(t, 30*time.Second, func() error { return leftovers(t, made) })
	whole(t)
}

// leftovers says what is left of an instance that was deleted.
func leftovers(t *testing.T, instance string) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "../hack/leftovers.sh", instance)
	cmd.Env = os.Environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func TestADetachedInstanceLeavesTheKarmadaAsItWas(t *testing.T) {
	whole(t)
	const name = "e2e-attached"
	host := clientset(t, "host").CoreV1().Secrets("kairship-system")
	theirs, err := host.Get(t.Context(), instanceNow(t, "europe").CredentialSecret(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := everythingOf(t, "europe")
	t.Logf("europe holds %d objects", len(before))
	if n := before.count("deployments.apps"); n == 0 {
		t.Fatal("europe has no Deployment that could vanish")
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string][]byte{v1alpha1.KubeconfigKey: theirs.Data[v1alpha1.KubeconfigKey]}}
	if _, err := host.Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	instances := karmada(t, "host").Resource(v1alpha1.InstanceResource)
	t.Cleanup(func() {
		_ = instances.Delete(context.Background(), name, metav1.DeleteOptions{})
		_ = host.Delete(context.Background(), name, metav1.DeleteOptions{})
	})
	_, err = instances.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kairship.io/v1alpha1", "kind": "Instance", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"source": "Attached", "attached": map[string]any{"kubeconfigSecretRef": map[string]any{"name": name}}},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, time.Minute, func() error { return conditionIs(t, name, v1alpha1.ConditionReady, metav1.ConditionTrue) })
	eventually(t, 30*time.Second, func() error { return conditionIs(t, name, v1alpha1.ConditionRegistered, metav1.ConditionTrue) })
	// Both lead to one Karmada, so that each of its members is held twice.
	for _, holder := range []string{name, "europe"} {
		eventually(t, 30*time.Second, func() error {
			return conditionIs(t, holder, v1alpha1.ConditionMembersUnique, metav1.ConditionFalse)
		})
	}
	if err := instances.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, 2*time.Minute, func() error { return instanceGone(t, name) })
	if err := leftovers(t, name); err != nil {
		t.Error(err)
	}
	eventually(t, 30*time.Second, func() error { return conditionIs(t, "europe", v1alpha1.ConditionMembersUnique, metav1.ConditionTrue) })
	// What Kairship itself has in this Karmada belongs to europe, too, which puts it back.
	eventually(t, 30*time.Second, func() error {
		if err := everythingOf(t, "europe").since(before); err != nil {
			return fmt.Errorf("europe is not as it was: %w", err)
		}
		return nil
	})
	whole(t)
}
