package access_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	testclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/access"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const (
	namespace = "kairship-system"
	group     = "kairship:host:system:serviceaccounts:kairship-admins"
)

var host, instance *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		if host, err = env.Start(testenv.KairshipDefinitions); err != nil {
			return err
		}
		if instance, err = env.Start(testenv.KarmadaDefinitions, testenv.PolicyDefinitions); err != nil {
			return err
		}
		return host.EnsureNamespace(namespace)
	})
}

// start runs the controller until the test ends or stop is called.
func start(t *testing.T) (now *testclock.FakePassiveClock, stop func()) {
	t.Helper()
	now = testclock.NewFakePassiveClock(time.Now())
	return now, runWith(t, nil, now)
}

// runWith runs the controller until the test ends or stop is called, its requests through wrap.
func runWith(t *testing.T, wrap transport.WrapperFunc, now clock.PassiveClock) (stop func()) {
	t.Helper()
	return suite.Run(t, host, suite.Options{Wrap: wrap, Clock: now, Connections: connection.Options{Wrap: wrap}}, func(o controllers.Options) controllers.Controller {
		return access.New(access.Options{Options: o, AdminGroups: []string{group}})
	})
}

func attach(t *testing.T, name string, kubeconfig []byte) *v1alpha1.Instance {
	t.Helper()
	// What the controller leaves of an Instance that goes like this is swept when it has gone.
	t.Cleanup(func() { swept(t, context.Background()) })
	return suite.Attach(t, host, name, kubeconfig)
}

// administrators is the name of the binding that every instance has.
func administrators(instance string) string { return "kairship:administrators:" + instance }

// swept removes every permission of Kairship's.
func swept(t *testing.T, ctx context.Context) { //nolint:revive // the test's own context has ended
	t.Helper()
	for _, o := range []client.Object{&rbacv1.ClusterRoleBinding{}, &rbacv1.ClusterRole{}} {
		if err := instance.Client.DeleteAllOf(ctx, o, client.MatchingLabels{"app.kubernetes.io/managed-by": "kairship"}); err != nil {
			t.Error(err)
		}
	}
	var list rbacv1.RoleBindingList
	if err := instance.Client.List(ctx, &list, client.MatchingLabels{"app.kubernetes.io/managed-by": "kairship"}); err != nil {
		t.Error(err)
	}
	for i := range list.Items {
		_ = instance.Client.Delete(ctx, &list.Items[i])
	}
	for _, p := range policies(t, ctx) {
		_ = instance.Client.Delete(ctx, &p)
	}
}

// policies are those of Kairship in the Karmada.
func policies(t *testing.T, ctx context.Context) []unstructured.Unstructured { //nolint:revive // see swept
	t.Helper()
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion("policy.karmada.io/v1alpha1")
	list.SetKind("ClusterPropagationPolicyList")
	if err := instance.Client.List(ctx, list, client.MatchingLabels{"app.kubernetes.io/managed-by": "kairship"}); err != nil {
		t.Error(err)
	}
	return list.Items
}

func reaches(t *testing.T, name, reason string) metav1.Condition {
	t.Helper()
	var c *metav1.Condition
	testenv.Eventually(t, func() string {
		var i v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
			return err.Error()
		}
		if c = meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionAccessApplied); c == nil || c.Reason != reason {
			return fmt.Sprintf("want %s, have %+v", reason, c)
		}
		return ""
	})
	return *c
}

// bound is nil when there is no binding.
func bound(t *testing.T, name string) *rbacv1.ClusterRoleBinding {
	t.Helper()
	var b rbacv1.ClusterRoleBinding
	err := instance.Client.Get(t.Context(), client.ObjectKey{Name: administrators(name)}, &b)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return &b
}

// isBound says what is wrong with the binding.
func isBound(t *testing.T, name string) string {
	t.Helper()
	b := bound(t, name)
	if b == nil {
		return "there is no binding"
	}
	return cmp.Diff(rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: administrators(name), Labels: map[string]string{
			"app.kubernetes.io/managed-by": "kairship", "kairship.io/instance": name, "kairship.io/members": "true",
		}},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: group}},
	}, rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: b.Name, Labels: b.Labels}, RoleRef: b.RoleRef, Subjects: b.Subjects,
	})
}

func TestAdministratorsAreBoundAndStaySo(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "asia", karmada.Kubeconfig("kairship"))
	c := reaches(t, "asia", v1alpha1.ReasonApplied)
	if c.Status != metav1.ConditionTrue || !strings.Contains(c.Message, group) {
		t.Errorf("condition: %+v", c)
	}
	if diff := isBound(t, "asia"); diff != "" {
		t.Fatalf("binding (-want +got):\n%s", diff)
	}

	for name, meddle := range map[string]func(*rbacv1.ClusterRoleBinding) error{
		"deleting it": func(b *rbacv1.ClusterRoleBinding) error { return instance.Client.Delete(t.Context(), b) },
		"adding a subject": func(b *rbacv1.ClusterRoleBinding) error {
			b.Subjects = append(b.Subjects, rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: "User", Name: "eve"})
			return instance.Client.Update(t.Context(), b)
		},
		"taking all away": func(b *rbacv1.ClusterRoleBinding) error {
			b.Subjects = nil
			return instance.Client.Update(t.Context(), b)
		},
		"taking its label": func(b *rbacv1.ClusterRoleBinding) error {
			b.Labels = nil
			return instance.Client.Update(t.Context(), b)
		},
		"changing the role": func(b *rbacv1.ClusterRoleBinding) error {
			if err := instance.Client.Delete(t.Context(), b); err != nil {
				return err
			}
			other := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: b.Name, Labels: b.Labels}, Subjects: b.Subjects, RoleRef: b.RoleRef}
			other.RoleRef.Name = "view"
			return client.IgnoreAlreadyExists(instance.Client.Create(t.Context(), other))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := meddle(bound(t, "asia")); err != nil {
				t.Fatal(err)
			}
			testenv.Eventually(t, func() string { return isBound(t, "asia") })
		})
	}
}

func TestABindingThatIsNoLongerWantedGoesAndAnotherStays(t *testing.T) {
	karmada := testenv.NewKarmada(t, instance)
	bind := func(name string, labels map[string]string) {
		b := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "view"}}
		if err := instance.Client.Create(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = instance.Client.Delete(context.Background(), b) })
	}
	ours := map[string]string{"app.kubernetes.io/managed-by": "kairship"}
	bind("kairship:former", ours)
	bind("kairship:unlabelled", nil)
	bind("somebody-else", ours)
	start(t)
	attach(t, "former", karmada.Kubeconfig("kairship"))
	testenv.Eventually(t, func() string {
		var b rbacv1.ClusterRoleBinding
		if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: "kairship:former"}, &b); !apierrors.IsNotFound(err) {
			return "the former binding is still there"
		}
		return ""
	})
	for _, name := range []string{"kairship:unlabelled", "somebody-else"} {
		var b rbacv1.ClusterRoleBinding
		if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: name}, &b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNothingIsWrittenToAKarmadaWhenNothingChanged(t *testing.T) {
	_, stop := start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "idle", karmada.Kubeconfig("kairship"))
	reaches(t, "idle", v1alpha1.ReasonApplied)
	stop()

	before := karmada.Writes()
	start(t)
	// An edit shows that the instance has been looked at again.
	testenv.Eventually(t, func() string {
		var i v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: "idle"}, &i); err != nil {
			return err.Error()
		}
		i.Spec.DisplayName = "Idle"
		if err := host.Client.Update(t.Context(), &i); err != nil {
			return err.Error()
		}
		return ""
	})
	testenv.Eventually(t, func() string {
		if c := reaches(t, "idle", v1alpha1.ReasonApplied); c.ObservedGeneration != 2 {
			return "the edit has not been looked at"
		}
		return ""
	})
	if got := karmada.Writes() - before; got != 0 {
		t.Errorf("%d writes when nothing changed", got)
	}
}

func TestAKarmadaThatCannotBeWrittenToIsNamed(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "powerless", karmada.PowerlessKubeconfig("nobody"))
	reaches(t, "powerless", v1alpha1.ReasonRefused)

	attach(t, "broken", []byte("no kubeconfig"))
	reaches(t, "broken", v1alpha1.ReasonKubeconfigInvalid)

	good := karmada.Kubeconfig("kairship")
	karmada.Set(testenv.Down)
	attach(t, "down", good)
	reaches(t, "down", v1alpha1.ReasonUnreachable)
	karmada.Set(testenv.Answering)
	reaches(t, "down", v1alpha1.ReasonApplied)
}

func TestPermissionsGoWithTheInstance(t *testing.T) {
	for _, tt := range []struct {
		name string
		mode testenv.Mode
		left bool
	}{
		{"reachable", testenv.Answering, false},
		{"gone", testenv.Down, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			clock, _ := start(t)
			karmada := testenv.NewKarmada(t, instance)
			i := attach(t, tt.name, karmada.Kubeconfig("kairship"))
			reaches(t, tt.name, v1alpha1.ReasonApplied)

			karmada.Set(tt.mode)
			clock.SetTime(time.Now().Add(time.Hour))
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
			if left := bound(t, tt.name) != nil; left != tt.left {
				t.Errorf("the binding is left: want %v, got %v", tt.left, left)
			}
		})
	}
}
