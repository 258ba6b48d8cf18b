package access_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	testclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const ann = "kairship:oidc:ann"

// says waits until an AccessBinding says so of itself.
func says(t *testing.T, name string, status metav1.ConditionStatus, reason, message string) *v1alpha1.AccessBinding {
	t.Helper()
	var b v1alpha1.AccessBinding
	testenv.Eventually(t, func() string {
		b = v1alpha1.AccessBinding{}
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &b); err != nil {
			return err.Error()
		}
		c := meta.FindStatusCondition(b.Status.Conditions, v1alpha1.ConditionApplied)
		if c == nil || c.Status != status || c.Reason != reason || !strings.Contains(c.Message, message) || c.ObservedGeneration != b.Generation {
			return fmt.Sprintf("want %s %s %q, have %+v", status, reason, message, b.Status)
		}
		return ""
	})
	return &b
}

func inForce(t *testing.T, name string) *v1alpha1.AccessBinding {
	t.Helper()
	return says(t, name, metav1.ConditionTrue, v1alpha1.ReasonApplied, "")
}

func roleBinding(t *testing.T, namespace, name string) *rbacv1.RoleBinding {
	t.Helper()
	var b rbacv1.RoleBinding
	if err := instance.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, &b); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		t.Fatal(err)
	}
	return &b
}

func clusterRole(t *testing.T, name string) *rbacv1.ClusterRole {
	t.Helper()
	var r rbacv1.ClusterRole
	if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: name}, &r); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		t.Fatal(err)
	}
	return &r
}

// permissions are Kairship's in the Karmada: those of one instance with what is for all, or of every one
// where none is named. Other tests share the Karmada, and what they made may still be going.
func permissions(t *testing.T, of ...string) []string {
	t.Helper()
	foreign := func(o client.Object) bool {
		instance := o.GetLabels()[v1alpha1.LabelInstance]
		return len(of) > 0 && instance != "" && !slices.Contains(of, instance)
	}
	var out []string
	ours := client.MatchingLabels{"app.kubernetes.io/managed-by": "kairship"}
	var roles rbacv1.ClusterRoleList
	var clusterBindings rbacv1.ClusterRoleBindingList
	var bindings rbacv1.RoleBindingList
	for _, list := range []client.ObjectList{&roles, &clusterBindings, &bindings} {
		if err := instance.Client.List(t.Context(), list, ours); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range roles.Items {
		if !foreign(&r) {
			out = append(out, r.Name)
		}
	}
	for _, b := range clusterBindings.Items {
		if foreign(&b) {
			continue
		}
		out = append(out, fmt.Sprintf("%s → %s: %v", b.Name, b.RoleRef.Name, b.Subjects))
	}
	for _, b := range bindings.Items {
		if foreign(&b) {
			continue
		}
		out = append(out, fmt.Sprintf("%s/%s → %s: %v", b.Namespace, b.Name, b.RoleRef.Name, b.Subjects))
	}
	for _, p := range policies(t, t.Context()) {
		if !foreign(&p) {
			out = append(out, p.GetName())
		}
	}
	return out
}

func unbound(t *testing.T, name string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		var b v1alpha1.AccessBinding
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &b); !apierrors.IsNotFound(err) {
			return fmt.Sprintf("it is still there: %+v", b.Status)
		}
		return ""
	})
}

func deleteBinding(t *testing.T, name string) {
	t.Helper()
	if err := host.Client.Delete(t.Context(), &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
		t.Fatal(err)
	}
}

func TestABindingHoldsInNamespacesThatComeAndGo(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "spaces", karmada.Kubeconfig("kairship"))
	bind(t, "spaces", ann, "User", "Editor", v1alpha1.AccessScope{Instance: "spaces", Namespaces: []string{"default", "later"}})
	b := says(t, "spaces", metav1.ConditionTrue, v1alpha1.ReasonApplied, "spaces: waits for namespaces that are not there: later")
	if diff := cmp.Diff([]v1alpha1.AccessApplication{{Name: "spaces", Applied: true, Message: "waits for namespaces that are not there: later"}}, b.Status.Instances); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const name, data = "kairship:binding:spaces:spaces", "kairship:editors:spaces"
	if roleBinding(t, "default", name) == nil || roleBinding(t, "default", data) == nil {
		t.Error("it does not hold where it could")
	}
	if err := instance.EnsureNamespace("later"); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if roleBinding(t, "later", name) == nil || roleBinding(t, "later", data) == nil {
			return "it does not hold in the new namespace"
		}
		return ""
	})
	if c := meta.FindStatusCondition(inForceWithout(t, "spaces", "waits").Status.Conditions, v1alpha1.ConditionApplied); c.Message != "in force in 1 of 1 instances" {
		t.Errorf("condition: %+v", c)
	}
	for _, object := range []string{name, data} {
		if err := instance.Client.Delete(t.Context(), roleBinding(t, "later", object)); err != nil {
			t.Fatal(err)
		}
		testenv.Eventually(t, func() string {
			if roleBinding(t, "later", object) == nil {
				return object + " is not put back"
			}
			return ""
		})
	}
	deleteBinding(t, "spaces")
	unbound(t, "spaces")
	for _, namespace := range []string{"default", "later"} {
		for _, object := range []string{name, data} {
			if roleBinding(t, namespace, object) != nil {
				t.Errorf("%s is left in %s", object, namespace)
			}
		}
	}
}

// inForceWithout waits until the message does not say something any more.
func inForceWithout(t *testing.T, name, text string) *v1alpha1.AccessBinding {
	t.Helper()
	var b *v1alpha1.AccessBinding
	testenv.Eventually(t, func() string {
		b = inForce(t, name)
		if message := b.Status.Conditions[0].Message; strings.Contains(message, text) {
			return message
		}
		return ""
	})
	return b
}

func TestARoleOfTheOperatorsIsKeptInStep(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "custom", karmada.Kubeconfig("kairship"))
	bind(t, "custom", ann, "User", "restarter", v1alpha1.AccessScope{})
	says(t, "custom", metav1.ConditionFalse, v1alpha1.ReasonRoleNotFound, `"restarter"`)

	rule := rbacv1.PolicyRule{Verbs: []string{"patch"}, APIGroups: []string{"apps"}, Resources: []string{"deployments"}}
	r := role(t, "restarter", rule)
	inForce(t, "custom")
	is := func(rules ...rbacv1.PolicyRule) func() string {
		return func() string {
			have := clusterRole(t, "kairship:role:restarter")
			if have == nil {
				return "there is no such role"
			}
			return cmp.Diff(rules, have.Rules)
		}
	}
	testenv.Eventually(t, is(rule))
	more := rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}}
	r.Rules = append(r.Rules, more)
	if err := host.Client.Update(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, is(rule, more))

	meddled := clusterRole(t, "kairship:role:restarter")
	meddled.Rules[0].Verbs = []string{"*"}
	meddled.AggregationRule = &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{}}}
	if err := instance.Client.Update(t.Context(), meddled); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if have := clusterRole(t, "kairship:role:restarter"); have == nil || have.AggregationRule != nil {
			return "it is tied to other roles"
		}
		return is(rule, more)()
	})

	r.Rules[0] = rbacv1.PolicyRule{Verbs: []string{"impersonate"}, APIGroups: []string{""}, Resources: []string{"users"}}
	if err := host.Client.Update(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	says(t, "custom", metav1.ConditionFalse, v1alpha1.ReasonRoleRefused, `"impersonate" on users`)
	testenv.Eventually(t, func() string {
		if clusterRole(t, "kairship:role:restarter") != nil {
			return "the role is still there"
		}
		return ""
	})
}

func TestAnEditedBindingTakesItsNewFormEverywhere(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "edited", karmada.Kubeconfig("kairship"))
	b := bind(t, "edited", "plain", "User", "Viewer", v1alpha1.AccessScope{})
	says(t, "edited", metav1.ConditionTrue, v1alpha1.ReasonApplied, `nobody signs in to Kairship as "plain"`)
	edit := func(change func(*v1alpha1.AccessBindingSpec)) {
		t.Helper()
		testenv.Eventually(t, func() string {
			if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(b), b); err != nil {
				return err.Error()
			}
			change(&b.Spec)
			if err := host.Client.Update(t.Context(), b); err != nil {
				return err.Error()
			}
			return ""
		})
	}
	has := func() string {
		var have rbacv1.ClusterRoleBinding
		if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: "kairship:binding:edited:edited"}, &have); err != nil {
			return "none"
		}
		return have.RoleRef.Name + " " + have.Subjects[0].Kind + " " + have.Subjects[0].Name
	}
	edit(func(s *v1alpha1.AccessBindingSpec) { s.Subject = v1alpha1.AccessSubject{Kind: "Group", Name: ann} })
	inForce(t, "edited")
	if got := has(); got != "kairship:viewer Group "+ann {
		t.Error(got)
	}
	edit(func(s *v1alpha1.AccessBindingSpec) { s.Role = "Admin" })
	inForce(t, "edited")
	if got := has(); got != "kairship:admin Group "+ann {
		t.Error(got)
	}
	edit(func(s *v1alpha1.AccessBindingSpec) { s.Scope.Instance = "nowhere" })
	says(t, "edited", metav1.ConditionFalse, v1alpha1.ReasonInstanceNotFound, `there is no instance "nowhere"`)
	if got := has(); got != "none" {
		t.Error(got)
	}
}

func TestARevocationIsNotLostWhileAKarmadaIsAway(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "away", karmada.Kubeconfig("kairship"))
	bind(t, "revoked", ann, "User", "Viewer", v1alpha1.AccessScope{})
	inForce(t, "revoked")

	karmada.Set(testenv.Down)
	reaches(t, "away", v1alpha1.ReasonUnreachable)
	deleteBinding(t, "revoked")
	b := says(t, "revoked", metav1.ConditionFalse, v1alpha1.ReasonRevoking, "away: it is to be taken away: Karmada does not answer")
	if len(b.Status.Instances) != 1 || !b.Status.Instances[0].Applied {
		t.Errorf("status: %+v", b.Status)
	}
	karmada.Set(testenv.Answering)
	unbound(t, "revoked")
	if got := strings.Join(permissions(t), "\n"); strings.Contains(got, ann) {
		t.Errorf("it is in force still:\n%s", got)
	}
}

func TestAnInstanceThatIsGoneHoldsNoBinding(t *testing.T) {
	clock, _ := start(t)
	karmada := testenv.NewKarmada(t, instance)
	i := attach(t, "lost", karmada.Kubeconfig("kairship"))
	bind(t, "outliving", ann, "User", "Viewer", v1alpha1.AccessScope{})
	inForce(t, "outliving")
	karmada.Set(testenv.Down)
	reaches(t, "lost", v1alpha1.ReasonUnreachable)
	deleteBinding(t, "outliving")
	says(t, "outliving", metav1.ConditionFalse, v1alpha1.ReasonRevoking, "lost")
	clock.SetTime(time.Now().Add(time.Hour))
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	unbound(t, "outliving")
}

func TestTwoInstancesOfOneKarmadaLeaveEachOthersPermissionsAlone(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	first := attach(t, "first", karmada.Kubeconfig("kairship"))
	attach(t, "second", karmada.Kubeconfig("kairship"))
	role(t, "shared", rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}})
	bind(t, "both", ann, "User", "shared", v1alpha1.AccessScope{})
	if b := inForce(t, "both"); len(b.Status.Instances) != 2 {
		t.Fatalf("status: %+v", b.Status)
	}
	before := map[string]string{}
	for _, name := range []string{"kairship:viewer", "kairship:role:shared"} {
		before[name] = string(clusterRole(t, name).UID)
	}
	kept := bound(t, "second").UID
	if err := host.Client.Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if bound(t, "first") != nil {
			return "the first one's are still there"
		}
		return ""
	})
	testenv.Eventually(t, func() string {
		if b := inForce(t, "both"); len(b.Status.Instances) != 1 {
			return fmt.Sprintf("%+v", b.Status)
		}
		return ""
	})
	for name, uid := range before {
		if r := clusterRole(t, name); r == nil || string(r.UID) != uid {
			t.Errorf("%s did not stay", name)
		}
	}
	if b := bound(t, "second"); b == nil || b.UID != kept {
		t.Error("the second one's administrators did not stay")
	}
}

func TestDetachingRemovesEveryPermission(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	i := attach(t, "detached", karmada.Kubeconfig("kairship"))
	bind(t, "detached", ann, "User", "Editor", v1alpha1.AccessScope{})
	inForce(t, "detached")
	theirs := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "kairship:theirs"}}
	if err := instance.Client.Create(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = instance.Client.Delete(context.Background(), theirs) })
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		var left v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(i), &left); !apierrors.IsNotFound(err) {
			return "the Instance is still there"
		}
		return ""
	})
	if left := permissions(t); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if clusterRole(t, "kairship:theirs") == nil {
		t.Error("what was somebody else's is gone as well")
	}
	says(t, "detached", metav1.ConditionTrue, v1alpha1.ReasonApplied, "in 0 of 0")
}

func TestADeletionThatIsHeldBackTakesNoPermissionAway(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	// The Secret is that of an attached instance, which goes with the test.
	attach(t, "lender", karmada.Kubeconfig("kairship"))
	reaches(t, "lender", v1alpha1.ReasonApplied)
	i := &v1alpha1.Instance{
		ObjectMeta: metav1.ObjectMeta{Name: "held", Finalizers: []string{"kairship.io/lifecycle"}},
		Spec:       v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged},
	}
	if err := host.Client.Create(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		testenv.Eventually(t, func() string {
			var left v1alpha1.Instance
			if err := host.Client.Get(context.Background(), client.ObjectKeyFromObject(i), &left); apierrors.IsNotFound(err) {
				return ""
			}
			left.Finalizers = nil
			_ = host.Client.Update(context.Background(), &left)
			return "the Instance is still there"
		})
	})
	// Nothing can be said of it while it has no credential.
	reaches(t, "held", v1alpha1.ReasonPending)
	bind(t, "held", ann, "User", "Viewer", v1alpha1.AccessScope{Instance: "held"})
	says(t, "held", metav1.ConditionFalse, v1alpha1.ReasonPending, "no kubeconfig yet")
	edit := func(change func()) {
		t.Helper()
		testenv.Eventually(t, func() string {
			if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(i), i); err != nil {
				return err.Error()
			}
			change()
			if err := host.Client.Status().Update(t.Context(), i); err != nil {
				return err.Error()
			}
			return ""
		})
	}
	edit(func() { i.Status.KubeconfigSecretRef = &v1alpha1.SecretReference{Name: "lender"} })
	inForce(t, "held")

	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	var b rbacv1.ClusterRoleBinding
	get := func() error {
		return instance.Client.Get(t.Context(), client.ObjectKey{Name: "kairship:binding:held:held"}, &b)
	}
	if err := get(); err != nil {
		t.Fatal(err)
	}
	taken := b.UID
	if err := instance.Client.Delete(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if err := get(); err != nil || b.UID == taken {
			return "it is not put back"
		}
		return ""
	})
	edit(func() {
		meta.SetStatusCondition(&i.Status.Conditions, metav1.Condition{
			Type: v1alpha1.ConditionDeletable, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonDeletable, ObservedGeneration: i.Generation,
		})
	})
	testenv.Eventually(t, func() string {
		if err := get(); !apierrors.IsNotFound(err) {
			return "it is still there"
		}
		return ""
	})
	says(t, "held", metav1.ConditionFalse, v1alpha1.ReasonInstanceNotFound, `there is no instance "held"`)
}

func TestANameOfKubernetesOwnIsRefused(t *testing.T) {
	for _, kind := range []string{"User", "Group"} {
		b := &v1alpha1.AccessBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "refused"},
			Spec:       v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: kind, Name: "system:masters"}, Role: "Admin"},
		}
		if err := host.Client.Create(t.Context(), b); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.subject.name must not begin with 'system:'") {
			unbind(t, "refused")
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestANameWithWhiteSpaceAtItsEndsIsRefused(t *testing.T) {
	for _, name := range []string{" kairship:oidc:ann", "kairship:oidc:ann ", "kairship:oidc:ann\t", "kairship:oidc: ann", "kairship:host:\u00a0ann", "kairship:oidc:ann\u2003", " ", "\n"} {
		for _, kind := range []string{"User", "Group"} {
			b := &v1alpha1.AccessBinding{
				ObjectMeta: metav1.ObjectMeta{Name: "refused"},
				Spec:       v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: kind, Name: name}, Role: "Viewer"},
			}
			if err := host.Client.Create(t.Context(), b); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.subject.name must not begin or end with white space") {
				unbind(t, "refused")
				t.Errorf("%s %q: %v", kind, name, err)
			}
		}
	}
	within := &v1alpha1.AccessBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "within"},
		Spec:       v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectGroup, Name: "kairship:oidc:Site Reliability: Asia"}, Role: "Viewer"},
	}
	if err := host.Client.Create(t.Context(), within); err != nil {
		t.Errorf("white space within a name: %v", err)
	}
	unbind(t, "within")
}

func TestOneBindingIsWrittenToTheInstanceOfItsScopeAlone(t *testing.T) {
	start(t)
	near, far := testenv.NewKarmada(t, instance), testenv.NewKarmada(t, instance)
	attach(t, "near", near.Kubeconfig("kairship"))
	attach(t, "far", far.Kubeconfig("kairship"))
	reaches(t, "near", v1alpha1.ReasonApplied)
	reaches(t, "far", v1alpha1.ReasonApplied)
	before, beforeFar := near.Writes(), far.Writes()
	bind(t, "one", ann, "User", "Viewer", v1alpha1.AccessScope{Instance: "near"})
	inForce(t, "one")
	deleteBinding(t, "one")
	unbound(t, "one")
	// Itself, the members' list of who is known there, and that of who may reach them.
	if got := near.Writes() - before; got != 6 {
		t.Errorf("%d writes for a binding that came and went, want 6", got)
	}
	if got := far.Writes() - beforeFar; got != 0 {
		t.Errorf("%d writes to the other instance", got)
	}
}

func TestAccessSurvivesACrashAtEveryWrite(t *testing.T) {
	run := func(t *testing.T, wrap transport.WrapperFunc) func() {
		t.Helper()
		return runWith(t, wrap, testclock.NewFakePassiveClock(time.Now()))
	}
	setup := func(t *testing.T) *v1alpha1.Instance {
		t.Helper()
		// Instances share them, and so each life finds what the one before it left: the same for all.
		placeAdmission(t)
		karmada := testenv.NewKarmada(t, instance)
		i := attach(t, "crashing", karmada.Kubeconfig("kairship"))
		role(t, "crashing", rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}})
		bind(t, "crashing-editor", ann, "User", "Editor", v1alpha1.AccessScope{Namespaces: []string{"default"}})
		bind(t, "crashing-custom", ann, "User", "crashing", v1alpha1.AccessScope{Instance: "crashing"})
		return i
	}
	state := func(t *testing.T) any {
		t.Helper()
		out := []any{permissions(t, "crashing")}
		for _, name := range []string{"crashing-editor", "crashing-custom"} {
			var b v1alpha1.AccessBinding
			if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &b); client.IgnoreNotFound(err) != nil {
				t.Fatal(err)
			}
			for i := range b.Status.Conditions {
				b.Status.Conditions[i].LastTransitionTime = metav1.Time{}
			}
			out = append(out, b.Finalizers, b.Status)
		}
		return out
	}
	conditionIs := func(name string) bool {
		var b v1alpha1.AccessBinding
		return host.Client.Get(context.Background(), client.ObjectKey{Name: name}, &b) == nil && meta.IsStatusConditionTrue(b.Status.Conditions, v1alpha1.ConditionApplied)
	}
	t.Run("while it is given", func(t *testing.T) {
		testenv.Crashes{
			Setup: func(t *testing.T) { t.Helper(); setup(t) },
			Start: run,
			Settled: func() string {
				var i v1alpha1.Instance
				if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "crashing"}, &i); err != nil {
					return err.Error()
				}
				c := meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionAccessApplied)
				if c == nil || !strings.Contains(c.Message, "in force: 2") || !conditionIs("crashing-editor") || !conditionIs("crashing-custom") {
					return fmt.Sprintf("not everything is in force: %+v", c)
				}
				return ""
			},
			State: state,
		}.Run(t)
	})
	t.Run("while it is taken away", func(t *testing.T) {
		testenv.Crashes{
			Setup: func(t *testing.T) {
				t.Helper()
				setup(t)
				stop := run(t, nil)
				inForce(t, "crashing-editor")
				inForce(t, "crashing-custom")
				stop()
				deleteBinding(t, "crashing-editor")
				deleteBinding(t, "crashing-custom")
			},
			Start: run,
			Settled: func() string {
				var list v1alpha1.AccessBindingList
				if err := host.Client.List(context.Background(), &list); err != nil {
					return err.Error()
				}
				var i v1alpha1.Instance
				if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "crashing"}, &i); err != nil {
					return err.Error()
				}
				if c := meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionAccessApplied); c == nil || c.Status != metav1.ConditionTrue || strings.Contains(c.Message, "in force") {
					return fmt.Sprintf("%+v", c)
				}
				if len(list.Items) != 0 {
					return fmt.Sprintf("%d are still there", len(list.Items))
				}
				return ""
			},
			State: state,
		}.Run(t)
	})
	t.Run("while the instance is detached", func(t *testing.T) {
		testenv.Crashes{
			Setup: func(t *testing.T) {
				t.Helper()
				i := setup(t)
				stop := run(t, nil)
				inForce(t, "crashing-editor")
				inForce(t, "crashing-custom")
				stop()
				if err := host.Client.Delete(t.Context(), i); err != nil {
					t.Fatal(err)
				}
			},
			Start: run,
			Settled: func() string {
				var i v1alpha1.Instance
				if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "crashing"}, &i); !apierrors.IsNotFound(err) {
					return "the Instance is still there"
				}
				if conditionIs("crashing-custom") {
					return "a binding is said to be in force"
				}
				return ""
			},
			State: state,
		}.Run(t)
	})
}
