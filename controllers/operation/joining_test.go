package operation_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/transport"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func join(cluster string) v1alpha1.OperationSpec {
	return v1alpha1.OperationSpec{Kind: v1alpha1.OperationJoinCluster, Instance: "asia", Cluster: cluster, JoinCluster: &v1alpha1.JoinClusterInput{Mode: "Push"}}
}

func unjoin(cluster string) v1alpha1.OperationSpec {
	return v1alpha1.OperationSpec{Kind: v1alpha1.OperationUnjoinCluster, Instance: "asia", Cluster: cluster, UnjoinCluster: &v1alpha1.UnjoinClusterInput{}}
}

// joined is what there is once a cluster of a name has joined.
func joined(name string) []string {
	out := []string{
		"instance: Cluster " + name + ", known by its id: true, 0 taints",
		"instance: Secret karmada-cluster/" + name + " with 2 keys of 1 owners",
		"instance: Secret karmada-cluster/" + name + "-impersonator with 1 keys of 1 owners",
		"member: ClusterRole karmada-controller-manager:karmada-" + name,
		"member: ClusterRoleBinding karmada-controller-manager:karmada-" + name,
		"member: Namespace karmada-cluster",
		"member: ServiceAccount karmada-cluster/karmada-impersonator",
		"member: ServiceAccount karmada-cluster/karmada-" + name,
	}
	slices.Sort(out)
	return out
}

func expectState(t *testing.T, f federation, want []string) {
	t.Helper()
	testenv.Eventually(t, func() string { return cmp.Diff(want, f.state(t)) })
}

func succeeds(t *testing.T, name string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		if o := now(t.Context(), name); o == nil || o.Status.State != v1alpha1.OperationSucceeded || len(o.Finalizers) > 0 {
			return "it is " + strings.Join(summary(o), "\n")
		}
		return ""
	})
}

func fails(t *testing.T, name, why string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		if o := now(t.Context(), name); o == nil || o.Status.State != v1alpha1.OperationFailed || !strings.Contains(o.Status.Message, why) {
			return fmt.Sprintf("%s\nwant it to fail with %q", strings.Join(summary(o), "\n"), why)
		}
		return ""
	})
}

func TestAMemberJoinsAndLeavesAndNothingIsLeft(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	before := f.state(t)
	start(t, nil)
	ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t)))
	succeeds(t, "join-osaka")
	expectState(t, f, joined("osaka"))
	var used corev1.Secret
	must(t, f.karmada.Client.Get(t.Context(), client.ObjectKey{Namespace: "karmada-cluster", Name: "osaka"}, &used))
	if strings.Contains(string(used.Data["token"]), string(f.member.Config.KeyData)) || len(used.Data["token"]) == 0 {
		t.Error("what Karmada keeps is not the token of its own account")
	}

	ask(t, "join-twin", join("kobe"), string(f.member.Kubeconfig(t)))
	fails(t, "join-twin", `that cluster is joined already, under the name "osaka"`)
	expectState(t, f, joined("osaka"))

	ask(t, "unjoin-osaka", unjoin("osaka"))
	succeeds(t, "unjoin-osaka")
	expectState(t, f, before)
}

// held has another instance hold the member, or claim to: it is not ready then.
func (f federation) held(t *testing.T, by *testenv.Server, name string, ready bool) {
	t.Helper()
	c := aCluster(name, map[string]any{"id": f.id(t), "syncMode": "Pull"})
	must(t, by.Client.Create(t.Context(), c))
	if !ready {
		return
	}
	must(t, unstructured.SetNestedSlice(c.Object, []any{map[string]any{"type": "Ready", "status": "True", "reason": "ClusterReady", "message": "",
		"lastTransitionTime": "2026-01-01T00:00:00Z"}}, "status", "conditions"))
	must(t, by.Client.Status().Update(t.Context(), c))
}

// Everybody who sees the operation is told that an instance holds the cluster; which one it is stands beside, for those who may know of it.
func TestAMemberOfAnotherInstanceIsRefusedAndHiddenNamesAreNotTold(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	// A second control plane, which has the cluster.
	other := environmentKarmada(t)
	suite.Attach(t, host, "europe", other.Kubeconfig(t))
	f.held(t, other, "kyoto", true)
	before := f.state(t)
	start(t, nil)

	o := ask(t, "join-owner", join("osaka"), string(f.member.Kubeconfig(t)))
	fails(t, "join-owner", "that cluster is joined already, to an instance that you do not see")
	o = now(t.Context(), o.Name)
	if text := strings.Join(summary(o), "\n"); strings.Contains(text, "europe") || strings.Contains(text, "kyoto") {
		t.Errorf("everybody is told %s", text)
	}
	if is := o.Status.Found; is[v1alpha1.FoundHolder] != "europe" || is[v1alpha1.FoundHeldAs] != "kyoto" {
		t.Errorf("it is held by %q", is)
	}
	expectState(t, f, before)
}

// Whoever may write into some Karmada can write the id of any cluster into it. That keeps nobody from joining theirs.
func TestAClaimToAClusterKeepsNobodyFromJoiningIt(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	other := environmentKarmada(t)
	suite.Attach(t, host, "europe", other.Kubeconfig(t))
	f.held(t, other, "kyoto", false)
	start(t, nil)
	ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t)))
	succeeds(t, "join-osaka")
}

// One cluster that is joined twice at the same time joins once.
func TestAClusterIsJoinedByOneOperationAtATime(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	other := environmentKarmada(t)
	suite.Attach(t, host, "europe", other.Kubeconfig(t))
	before := f.state(t)
	seeded := func(o *v1alpha1.Operation, steps ...v1alpha1.Step) {
		o.Status = v1alpha1.OperationStatus{State: v1alpha1.OperationRunning, Found: map[string]string{"clusterID": f.id(t)}, Steps: steps}
		must(t, host.Client.Status().Update(t.Context(), o))
	}
	checked := v1alpha1.Step{Name: "Check", State: v1alpha1.StepSucceeded}

	t.Run("another operation is at it", func(t *testing.T) {
		first := join("kyoto")
		first.Instance = "europe"
		seeded(ask(t, "join-kyoto", first), checked) // which waits for its kubeconfig
		stop := start(t, nil)
		defer stop()
		ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t)))
		fails(t, "join-osaka", "that cluster is being joined already, by another operation")
		expectState(t, f, before)
	})
	t.Run("it was joined by other means after it was looked at", func(t *testing.T) {
		f.held(t, other, "kyoto", true)
		seeded(ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t))), checked)
		stop := start(t, nil)
		defer stop()
		fails(t, "join-osaka", "that cluster is joined already")
		if steps := strings.Join(summary(now(t.Context(), "join-osaka")), "\n"); !strings.Contains(steps, "Register Failed") {
			t.Errorf("it failed elsewhere:\n%s", steps)
		}
		expectState(t, f, before)
		suite.Remove(t, other, aCluster("kyoto", nil))
	})
	t.Run("it was joined by other means after it was made", func(t *testing.T) {
		stop := start(t, nil)
		defer stop()
		ask(t, "join-lost", join("lost-osaka"), string(f.member.Kubeconfig(t)))
		during(t, "join-lost", "Ready", "")
		f.held(t, other, "kyoto", true)
		fails(t, "join-lost", "that cluster is joined already")
		expectState(t, f, before)
	})
}

// Two joinings under one name would share the accounts, and whichever is undone take them from the other.
func TestTheAccountsOfAnotherJoiningAreLeftAlone(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	must(t, f.member.Client.Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "karmada-controller-manager:karmada-osaka",
		Annotations: map[string]string{v1alpha1.AnnotationOperation: "another"}}}))
	before := f.state(t)
	start(t, nil)
	ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t)))
	fails(t, "join-osaka", "delete its ClusterRole karmada-controller-manager:karmada-osaka")
	expectState(t, f, before)
}

// adminOf makes somebody Admin of an instance.
func adminOf(t *testing.T, name, instance string) {
	t.Helper()
	binding := &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name + "-" + instance}, Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:" + name}, Role: v1alpha1.RoleAdmin, Scope: v1alpha1.AccessScope{Instance: instance}}}
	must(t, host.Client.Create(t.Context(), binding))
	t.Cleanup(func() { suite.Remove(t, host, binding) })
}

// allRights are those that the access controller gives an Admin in a Karmada.
func allRights(name string) *rbacv1.ClusterRoleBinding {
	return &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "admin-" + name},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "kairship:oidc:" + name}}}
}

func TestWhoIsNoAdminAnyMoreJoinsNothing(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	before := f.state(t)
	// Karmada still knows them as one.
	must(t, f.karmada.Client.Create(t.Context(), allRights("eve")))
	t.Cleanup(func() { suite.Remove(t, f.karmada, allRights("eve")) })
	start(t, nil)
	spec := join("osaka")
	spec.Actor.Name = "kairship:oidc:eve"
	ask(t, "join-eve", spec, string(f.member.Kubeconfig(t)))
	fails(t, "join-eve", "only Admins of all of instance")
	expectState(t, f, before)
}

func TestAnotherClusterBehindTheSameAddressIsNotAdmitted(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	before := f.state(t)
	o := ask(t, "join-moved", join("osaka"), string(f.member.Kubeconfig(t)))
	// What a controller noted before it died, of the cluster that was there then.
	o.Status = v1alpha1.OperationStatus{State: v1alpha1.OperationRunning, Found: map[string]string{"clusterID": "another"},
		Steps: []v1alpha1.Step{{Name: "Check", State: v1alpha1.StepSucceeded}, {Name: "Accounts", State: v1alpha1.StepPending}}}
	must(t, host.Client.Status().Update(t.Context(), o))
	start(t, nil)
	fails(t, "join-moved", "another cluster answers at the address of the kubeconfig by now")
	expectState(t, f, before)
}

func TestAKubeconfigThatIsNotEnoughIsRefused(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	before := f.state(t)
	start(t, nil)
	nobody := testenv.Kubeconfig(t, f.member.Config.Host, f.member.Config.CAData, &api.AuthInfo{Token: "nobody-knows-it"})
	ask(t, "join-nobody", join("osaka"), string(nobody))
	fails(t, "join-nobody", "the member does not know the credential")
	exec := testenv.Kubeconfig(t, f.member.Config.Host, f.member.Config.CAData, &api.AuthInfo{Exec: &api.ExecConfig{Command: "sh", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}})
	ask(t, "join-exec", join("osaka"), string(exec))
	fails(t, "join-exec", "runs a program")
	itself := f.karmada.Kubeconfig(t)
	ask(t, "join-itself", join("osaka"), string(itself))
	fails(t, "join-itself", "that is the control plane of instance")
	expectState(t, f, before)
}

func TestAMemberThatDoesNotAnswerIsForcedOutAndThatIsSaid(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	start(t, nil)
	lost := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster",
		"metadata": map[string]any{"name": "lost"}, "spec": map[string]any{"id": "some", "syncMode": "Push", "apiEndpoint": "https://127.0.0.1:1"}}}
	must(t, f.karmada.Client.Create(t.Context(), lost))
	testenv.Eventually(t, func() string {
		if conditions, _, _ := unstructured.NestedSlice(f.clusters(t.Context())[0].Object, "status", "conditions"); len(conditions) == 0 {
			return "Karmada has not reported"
		}
		return ""
	})
	ask(t, "unjoin-lost", unjoin("lost"))
	fails(t, "unjoin-lost", "does not answer")
	spec := unjoin("lost")
	spec.UnjoinCluster.Force = true
	ask(t, "unjoin-forced", spec)
	succeeds(t, "unjoin-forced")
	steps := strings.Join(summary(now(t.Context(), "unjoin-forced")), "\n")
	if !strings.Contains(steps, "Karmada has no credential of it") || !strings.Contains(steps, "karmada-controller-manager:karmada-lost") {
		t.Errorf("it is not said what stays:\n%s", steps)
	}
	if left := f.clusters(t.Context()); len(left) > 0 {
		t.Errorf("%d clusters are left", len(left))
	}
}

func TestAMemberRegistersItselfWithATokenThatIsTakenBack(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	start(t, nil)
	spec := join("nara")
	spec.JoinCluster.Mode = "Pull"
	o := ask(t, "join-nara", spec)
	token := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: o.Name, OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(o, v1alpha1.OperationKindGVK)}},
		Data:       map[string][]byte{"token": []byte("abcdef.0123456789abcdef")},
	}
	must(t, host.Client.Create(t.Context(), token))
	t.Cleanup(func() { suite.Remove(t, host, token) })
	key := client.ObjectKey{Namespace: "kube-system", Name: "bootstrap-token-abcdef"}
	var known corev1.Secret
	testenv.Eventually(t, func() string {
		if err := f.karmada.Client.Get(t.Context(), key, &known); err != nil {
			return err.Error()
		}
		return ""
	})
	if known.Type != "bootstrap.kubernetes.io/token" || string(known.Data["token-secret"]) != "0123456789abcdef" || len(known.Data["expiration"]) == 0 {
		t.Errorf("the token is of type %s, with %d keys", known.Type, len(known.Data))
	}
	agent := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster",
		"metadata": map[string]any{"name": "nara"}, "spec": map[string]any{"id": f.id(t), "syncMode": "Pull"}}}
	must(t, f.karmada.Client.Create(t.Context(), agent))
	succeeds(t, "join-nara")
	if err := f.karmada.Client.Get(t.Context(), key, &known); err == nil {
		t.Error("the token is still there")
	}

	// One that is cancelled leaves no token either.
	other := join("himeji")
	other.JoinCluster.Mode = "Pull"
	o = ask(t, "join-himeji", other)
	token = token.DeepCopy()
	token.ObjectMeta = metav1.ObjectMeta{Namespace: namespace, Name: o.Name, OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(o, v1alpha1.OperationKindGVK)}}
	must(t, host.Client.Create(t.Context(), token))
	t.Cleanup(func() { suite.Remove(t, host, token) })
	testenv.Eventually(t, func() string {
		if err := f.karmada.Client.Get(t.Context(), key, &known); err != nil {
			return err.Error()
		}
		return ""
	})
	must(t, host.Client.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"cancel":true}}`))))
	testenv.Eventually(t, func() string {
		if is := now(t.Context(), o.Name); is.Status.State != v1alpha1.OperationCancelled {
			return "it is " + strings.Join(summary(is), "\n")
		}
		return ""
	})
	if err := f.karmada.Client.Get(t.Context(), key, &known); err == nil {
		t.Error("the token of what was cancelled is still there")
	}
}

func TestADeathAtAnyWriteOfAJoiningIsMadeGood(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	testenv.Crashes{
		Setup: func(t *testing.T) {
			f.clear(t)
			ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t)))
		},
		Start:   func(t *testing.T, wrap transport.WrapperFunc) func() { return start(t, wrap) },
		Settled: func() string { return ended("join-osaka") },
		State:   func(t *testing.T) any { return append(f.state(t), summary(now(context.Background(), "join-osaka"))...) },
	}.Run(t)
}

func TestADeathAtAnyWriteOfARemovalIsMadeGood(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	testenv.Crashes{
		Setup: func(t *testing.T) {
			f.clear(t)
			stop := start(t, nil)
			ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t)))
			succeeds(t, "join-osaka")
			stop()
			ask(t, "unjoin-osaka", unjoin("osaka"))
		},
		Start:   func(t *testing.T, wrap transport.WrapperFunc) func() { return start(t, wrap) },
		Settled: func() string { return ended("unjoin-osaka") },
		State: func(t *testing.T) any {
			return append(f.state(t), summary(now(context.Background(), "unjoin-osaka"))...)
		},
	}.Run(t)
}

// What does not move to another cluster within the time for that goes with the cluster, and that is said.
func TestWhatDoesNotMoveIsRemovedWithTheCluster(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	stop := start(t, nil)
	ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t)))
	succeeds(t, "join-osaka")
	stop()
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "karmada-es-osaka"}}
	must(t, client.IgnoreAlreadyExists(f.karmada.Client.Create(t.Context(), space)))
	work := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "work.karmada.io/v1alpha1", "kind": "Work", "spec": map[string]any{"workload": map[string]any{"manifests": []any{}}},
		"metadata": map[string]any{"namespace": space.Name, "name": "web", "annotations": map[string]any{
			"resourcebinding.karmada.io/namespace": "shop", "resourcebinding.karmada.io/name": "web-deployment"}}}}
	must(t, f.karmada.Client.Create(t.Context(), work))
	t.Cleanup(func() { suite.Remove(t, f.karmada, work) })

	o := ask(t, "unjoin-osaka", unjoin("osaka"))
	// A controller that died has waited for long.
	began := metav1.NewTime(time.Now().Add(-3 * time.Minute))
	o.Status = v1alpha1.OperationStatus{State: v1alpha1.OperationRunning,
		Found: map[string]string{"uid": string(f.clusters(t.Context())[0].GetUID()), "mode": "Push", "tainted": "true"},
		Steps: []v1alpha1.Step{{Name: "Cordon", State: v1alpha1.StepSucceeded}, {Name: "Drain", State: v1alpha1.StepRunning, StartedAt: &began}}}
	must(t, host.Client.Status().Update(t.Context(), o))
	start(t, nil)
	succeeds(t, "unjoin-osaka")
	if steps := strings.Join(summary(now(t.Context(), "unjoin-osaka")), "\n"); !strings.Contains(steps, "Drain Succeeded: removed with the cluster, since they did not move within 2m0s: deployment shop/web") {
		t.Errorf("it is not said what went with the cluster:\n%s", steps)
	}
}

// What has left a cluster and fits no other one is said: it runs nowhere.
func TestWhatFitsNoOtherClusterIsNamed(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	stop := start(t, nil)
	ask(t, "join-osaka", join("osaka"), string(f.member.Kubeconfig(t)))
	succeeds(t, "join-osaka")
	stop()
	must(t, client.IgnoreAlreadyExists(f.karmada.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}})))
	for name, clusters := range map[string][]any{"web-deployment": {}, "api-deployment": {map[string]any{"name": "tokyo"}}} {
		b := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"namespace": "shop", "name": name}, "spec": map[string]any{"clusters": clusters,
			"resource": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": name}}}}
		b.SetGroupVersionKind(bindingKind)
		must(t, f.karmada.Client.Create(t.Context(), b))
		t.Cleanup(func() { suite.Remove(t, f.karmada, b) })
	}
	o := ask(t, "unjoin-osaka", unjoin("osaka"))
	o.Status = v1alpha1.OperationStatus{State: v1alpha1.OperationRunning,
		Found: map[string]string{"uid": string(f.clusters(t.Context())[0].GetUID()), "mode": "Push", "tainted": "true", "moving": "shop/web-deployment,shop/api-deployment,shop/gone-deployment"},
		Steps: []v1alpha1.Step{{Name: "Cordon", State: v1alpha1.StepSucceeded}, {Name: "Drain", State: v1alpha1.StepRunning, StartedAt: ptr.To(metav1.Now())}}}
	must(t, host.Client.Status().Update(t.Context(), o))
	start(t, nil)
	succeeds(t, "unjoin-osaka")
	if steps := strings.Join(summary(now(t.Context(), "unjoin-osaka")), "\n"); !strings.Contains(steps, "Drain Succeeded: these fit no other cluster, and are in none now: deployment shop/web\n") {
		t.Errorf("it is not said what runs nowhere now:\n%s", steps)
	}
}
