package access_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	identity "github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac/subjects"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// known says who is wrong among those whom the members know.
func known(t *testing.T, of string, want ...string) func() string {
	t.Helper()
	slices.Sort(want)
	return func() string {
		var b rbacv1.ClusterRoleBinding
		if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: "kairship:impersonable:" + of}, &b); err != nil {
			return err.Error()
		}
		var names []string
		for _, s := range b.Subjects {
			names = append(names, s.Name)
		}
		slices.Sort(names)
		return cmp.Diff(want, names)
	}
}

func TestWhoIsSeenWithABoundGroupIsKnownInTheMembers(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "seen", karmada.Kubeconfig("kairship"))
	const devs = "kairship:oidc:devs"
	bind(t, "seen", devs, "Group", "Viewer", v1alpha1.AccessScope{Instance: "seen"})
	inForce(t, "seen")
	testenv.Eventually(t, known(t, "seen", group, devs))

	clients, err := kubernetes.NewForConfig(host.Config)
	if err != nil {
		t.Fatal(err)
	}
	notebook := subjects.NewRecorder(clients.CoreV1().ConfigMaps(namespace), clock.RealClock{}, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() { stopped <- notebook.Run(ctx) }()
	defer func() { cancel(); <-stopped }()
	notebook.Note(t.Context(), identity.NewPrincipal("oidc", "cat", []string{"devs"}))
	notebook.Note(t.Context(), identity.NewPrincipal("oidc", "dan", []string{"others"}))
	// An administrator, too, is let in by name.
	notebook.Note(t.Context(), identity.Principal{Name: "kairship:host:root", Groups: []string{group}})
	testenv.Eventually(t, known(t, "seen", group, devs, "kairship:oidc:cat", "kairship:host:root"))

	deleteBinding(t, "seen")
	unbound(t, "seen")
	testenv.Eventually(t, known(t, "seen", group, "kairship:host:root"))
	var pages = &unstructured.Unstructured{}
	pages.SetAPIVersion("v1")
	pages.SetKind("ConfigMap")
	if err := host.Client.DeleteAllOf(t.Context(), pages, client.InNamespace(namespace), client.MatchingLabels{subjects.Label: "true"}); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, known(t, "seen", group))
}

func TestMembersAreReachedByTheirNames(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	karmada.Join("hangzhou", 200)
	attach(t, "reached", karmada.Kubeconfig("kairship"))
	named := func(want ...string) func() string {
		return func() string {
			r := clusterRole(t, "kairship:members")
			if r == nil {
				return "there is no such role"
			}
			var names []string
			for _, rule := range r.Rules {
				names = append(names, rule.ResourceNames...)
			}
			return cmp.Diff(want, names)
		}
	}
	testenv.Eventually(t, named("hangzhou"))
	karmada.Join("tokyo", 200)
	testenv.Eventually(t, named("hangzhou", "tokyo"))
	karmada.Leave("hangzhou")
	testenv.Eventually(t, named("tokyo"))
	karmada.Leave("tokyo")
	testenv.Eventually(t, named())
	if r := clusterRole(t, "kairship:members"); len(r.Rules) > 0 {
		t.Errorf("a rule without names is one for all: %+v", r.Rules)
	}
}

func TestThePolicyForMembersStaysAsItIs(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "policed", karmada.Kubeconfig("kairship"))
	reaches(t, "policed", v1alpha1.ReasonApplied)
	policy := func() *unstructured.Unstructured {
		for _, p := range policies(t, t.Context()) {
			if p.GetName() == "kairship-members-policed" {
				return &p
			}
		}
		return nil
	}
	testenv.Eventually(t, func() string {
		if policy() == nil {
			return "there is none"
		}
		return ""
	})
	want, _, err := unstructured.NestedMap(policy().Object, "spec")
	if err != nil {
		t.Fatal(err)
	}
	for name, meddle := range map[string]func(*unstructured.Unstructured) error{
		"deleting it": func(u *unstructured.Unstructured) error { return instance.Client.Delete(t.Context(), u) },
		"for some members only": func(u *unstructured.Unstructured) error {
			if err := unstructured.SetNestedStringSlice(u.Object, []string{"tokyo"}, "spec", "placement", "clusterAffinity", "clusterNames"); err != nil {
				return err
			}
			return instance.Client.Update(t.Context(), u)
		},
		"keeping what is taken away": func(u *unstructured.Unstructured) error {
			if err := unstructured.SetNestedField(u.Object, true, "spec", "preserveResourcesOnDeletion"); err != nil {
				return err
			}
			return instance.Client.Update(t.Context(), u)
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := policy()
			if err := meddle(before.DeepCopy()); err != nil {
				t.Fatal(err)
			}
			testenv.Eventually(t, func() string {
				now := policy()
				if now == nil || now.GetResourceVersion() == before.GetResourceVersion() {
					return "it is not put back"
				}
				got, _, err := unstructured.NestedMap(now.Object, "spec")
				if err != nil {
					return err.Error()
				}
				return cmp.Diff(want, got)
			})
		})
	}
}

func TestPermissionsDoNotWaitForMembersThatCannotBeRead(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	karmada.Set(testenv.WithoutClusters)
	attach(t, "blind", karmada.Kubeconfig("kairship"))
	bind(t, "blind", ann, "User", "Viewer", v1alpha1.AccessScope{Instance: "blind"})
	inForce(t, "blind")
	c := reaches(t, "blind", v1alpha1.ReasonApplied)
	if !strings.Contains(c.Message, "the members do not have all of that") {
		t.Errorf("condition: %+v", c)
	}
	karmada.Set(testenv.Answering)
	testenv.Eventually(t, func() string {
		if c := reaches(t, "blind", v1alpha1.ReasonApplied); strings.Contains(c.Message, "members do not") || clusterRole(t, "kairship:members") == nil {
			return fmt.Sprintf("%+v", c)
		}
		return ""
	})
}

// A label is no way back: Karmada leaves in the members what its policy does not select any more.
func TestABindingThatIsForTheKarmadaAloneAgainIsMadeAnew(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "back", karmada.Kubeconfig("kairship"))
	b := bind(t, "back", ann, "User", "Viewer", v1alpha1.AccessScope{Instance: "back"})
	inForce(t, "back")
	const name = "kairship:binding:back:back"
	var first, second rbacv1.ClusterRoleBinding
	if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: name}, &first); err != nil {
		t.Fatal(err)
	}
	if first.Labels["kairship.io/members"] != "true" {
		t.Errorf("labels: %v", first.Labels)
	}
	testenv.Eventually(t, func() string {
		if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(b), b); err != nil {
			return err.Error()
		}
		b.Spec.Subject.Name = "plain"
		return strings.TrimSuffix(fmt.Sprint(host.Client.Update(t.Context(), b)), "<nil>")
	})
	says(t, "back", "True", v1alpha1.ReasonApplied, "nobody signs in")
	if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: name}, &second); err != nil {
		t.Fatal(err)
	}
	if second.UID == first.UID || second.Labels["kairship.io/members"] != "" {
		t.Errorf("it is the same one still: %v", second.Labels)
	}
}
