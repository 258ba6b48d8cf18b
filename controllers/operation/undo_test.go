package operation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// dismissable makes somebody Admin of asia, in Kairship and in its Karmada, until they are dismissed.
func dismissable(t *testing.T, f federation, name string) (dismiss func()) {
	t.Helper()
	adminOf(t, name, "asia")
	must(t, f.karmada.Client.Create(t.Context(), allRights(name)))
	t.Cleanup(func() { suite.Remove(t, f.karmada, allRights(name)) })
	return func() {
		suite.Remove(t, host, &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name + "-asia"}})
		suite.Remove(t, f.karmada, allRights(name))
	}
}

// by is an operation that somebody asks for.
func by(name string, spec v1alpha1.OperationSpec) v1alpha1.OperationSpec {
	spec.Actor.Name = "kairship:oidc:" + name
	return spec
}

// during waits until a step is under way.
func during(t *testing.T, name, step, message string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		for _, s := range summary(now(t.Context(), name)) {
			if strings.HasPrefix(s, step+" Running") && strings.Contains(s, message) {
				return ""
			}
		}
		return "it is " + strings.Join(summary(now(t.Context(), name)), "\n")
	})
}

func cancel(t *testing.T, name string) {
	t.Helper()
	o := &v1alpha1.Operation{ObjectMeta: metav1.ObjectMeta{Name: name}}
	must(t, host.Client.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"cancel":true}}`))))
}

// putToken stores the token of a registration, as the API server does.
func putToken(t *testing.T, o *v1alpha1.Operation) {
	t.Helper()
	token := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: o.Name, OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(o, v1alpha1.OperationKindGVK)}},
		Data:       map[string][]byte{"token": []byte("abcdef.0123456789abcdef")},
	}
	must(t, host.Client.Create(t.Context(), token))
	t.Cleanup(func() { suite.Remove(t, host, token) })
}

func aCluster(name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster",
		"metadata": map[string]any{"name": name}, "spec": spec}}
}

// aWork is what Karmada holds of an object that a policy placed in a member.
func aWork(cluster string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "work.karmada.io/v1alpha1", "kind": "Work",
		"metadata": map[string]any{"name": "web", "namespace": "karmada-es-" + cluster,
			"annotations": map[string]any{"resourcebinding.karmada.io/name": "web-deployment", "resourcebinding.karmada.io/namespace": "shop"}},
		"spec": map[string]any{"workload": map[string]any{}}}}
}

func (f federation) space(t *testing.T, cluster string) {
	t.Helper()
	must(t, client.IgnoreAlreadyExists(f.karmada.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "karmada-es-" + cluster}})))
	must(t, f.karmada.Client.Create(t.Context(), aWork(cluster)))
	t.Cleanup(func() { suite.Remove(t, f.karmada, aWork(cluster)) })
}

// What somebody began goes, also when they may not remove it themselves any more: above all what would let them in again.
func TestWhatADismissedAdminBeganIsUndone(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	before := f.state(t)
	// The controller has to know them as Admins from its beginning.
	dismiss := map[string]func(){}
	for _, name := range []string{"bob", "carl", "dora"} {
		dismiss[name] = dismissable(t, f, name)
	}
	start(t, nil)

	t.Run("the accounts in a member and its credentials", func(t *testing.T) {
		ask(t, "join-lost", by("bob", join("lost-osaka")), string(f.member.Kubeconfig(t)))
		during(t, "join-lost", "Ready", "")
		if there := f.state(t); slices.Equal(there, before) {
			t.Fatal("nothing was made")
		}
		dismiss["bob"]()
		cancel(t, "join-lost")
		testenv.Eventually(t, func() string { return ended("join-lost") })
		expectState(t, f, before)
		if got, want := now(t.Context(), "join-lost").Status.Message, "it was cancelled"; got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	})

	t.Run("the token of a registration", func(t *testing.T) {
		spec := by("carl", join("nara"))
		spec.JoinCluster.Mode = "Pull"
		putToken(t, ask(t, "join-nara", spec))
		during(t, "join-nara", "Registration", "")
		dismiss["carl"]()
		fails(t, "join-nara", "only Admins of all of instance")
		expectState(t, f, before)
	})

	t.Run("the taints of a cluster", func(t *testing.T) {
		must(t, f.karmada.Client.Create(t.Context(), aCluster("kobe", map[string]any{"id": "kobes", "syncMode": "Push"})))
		f.space(t, "kobe")
		testenv.Eventually(t, func() string { return unready(t, f) })
		ask(t, "unjoin-kobe", by("dora", unjoin("kobe")))
		during(t, "unjoin-kobe", "Drain", "web")
		dismiss["dora"]()
		fails(t, "unjoin-kobe", "only Admins of all of instance")
		if diff := cmp.Diff("instance: Cluster kobe, known by its id: false, 0 taints", f.state(t)[0]); diff != "" {
			t.Errorf("the cluster (-want +got):\n%s", diff)
		}
		f.clear(t)
	})
}

func unready(t *testing.T, f federation) string {
	t.Helper()
	for _, c := range f.clusters(t.Context()) {
		if conditions, _, _ := unstructured.NestedSlice(c.Object, "status", "conditions"); len(conditions) == 0 {
			return "Karmada has not reported of " + c.GetName()
		}
	}
	return ""
}

// The rights of an agent are held until it has removed everything, and not for ever, whatever becomes of the operation.
func TestTheRightsOfAnAgentAreLetGoWhenARemovalFails(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	cluster := aCluster("nara", map[string]any{"id": "naras", "syncMode": "Pull"})
	cluster.SetFinalizers([]string{"karmada.io/cluster-controller"})
	must(t, f.karmada.Client.Create(t.Context(), cluster))
	f.space(t, "nara")
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: "karmada-es-nara", Name: "system:karmada:nara:agent-work"}}
	must(t, f.karmada.Client.Create(t.Context(), role))
	t.Cleanup(func() { suite.Remove(t, f.karmada, role) })
	held := func() bool {
		must(t, f.karmada.Client.Get(t.Context(), client.ObjectKeyFromObject(role), role))
		return len(role.Finalizers) > 0
	}
	testenv.Eventually(t, func() string { return unready(t, f) })
	dismiss := dismissable(t, f, "bob")
	start(t, nil)
	o := ask(t, "unjoin-nara", by("bob", unjoin("nara")))
	// As a controller left it that saw the cluster drained.
	o.Status = v1alpha1.OperationStatus{State: v1alpha1.OperationRunning, Steps: []v1alpha1.Step{{Name: "Cordon", State: v1alpha1.StepPending}, {Name: "Drain", State: v1alpha1.StepSucceeded}}}
	must(t, host.Client.Status().Update(t.Context(), o))
	during(t, "unjoin-nara", "Remove", "take these out")
	if !held() {
		t.Fatal("the rights of the agent are not held")
	}
	dismiss()
	during(t, "unjoin-nara", "Undo", "for the agent")
	if !held() {
		t.Error("the rights of the agent are let go while a Work is there")
	}
	suite.Remove(t, f.karmada, aWork("nara"))
	fails(t, "unjoin-nara", "its accounts stay there")
	if held() {
		t.Error("the rights of the agent are held for ever")
	}
}

// The accounts in a member do not stay because its Karmada cannot be asked any more.
func TestAMemberIsCleanedWhateverBecomesOfTheInstance(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	start(t, nil)
	ask(t, "join-lost", join("lost-osaka"), string(f.member.Kubeconfig(t)))
	during(t, "join-lost", "Ready", "")
	suite.Detach(t, host, "asia")
	fails(t, "join-lost", "the instance is not there any more; what was made in its Karmada could not be removed")
	for _, is := range f.state(t) {
		if strings.HasPrefix(is, "member: ") {
			t.Errorf("it stays: %s", is)
		}
	}
}

// An operation is about the instance that was meant: one that was made anew under its name, or leads elsewhere by now, gets nothing of it.
func TestAnotherInstanceOfTheSameNameGetsNothing(t *testing.T) {
	f := federated(t)
	t.Cleanup(func() { f.clear(t) })
	before := f.state(t)
	start(t, nil)
	for name, tc := range map[string]struct {
		pin func(*v1alpha1.OperationSpec)
		why string
	}{
		"made anew":          {func(s *v1alpha1.OperationSpec) { s.InstanceUID = "another" }, "the instance is another one than was meant"},
		"another kubeconfig": {func(s *v1alpha1.OperationSpec) { s.KarmadaUID = "another" }, "the instance leads to another Karmada"},
	} {
		t.Run(name, func(t *testing.T) {
			spec := join("osaka")
			tc.pin(&spec)
			ask(t, "join-osaka", spec, string(f.member.Kubeconfig(t)))
			fails(t, "join-osaka", tc.why)
			expectState(t, f, before)
		})
	}
	var system corev1.Namespace
	must(t, f.karmada.Client.Get(t.Context(), client.ObjectKey{Name: metav1.NamespaceSystem}, &system))
	spec := join("osaka")
	spec.InstanceUID, spec.KarmadaUID = string(instanceOf(t, "asia").UID), string(system.UID)
	ask(t, "join-osaka", spec, string(f.member.Kubeconfig(t)))
	succeeds(t, "join-osaka")
}
