package access_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/rbac/admission"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// guardIs waits until an instance says so of the bounds of its policies.
func guardIs(t *testing.T, name string, status metav1.ConditionStatus, reason string) metav1.Condition {
	t.Helper()
	var c *metav1.Condition
	testenv.Eventually(t, func() string {
		var i v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
			return err.Error()
		}
		if c = meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionPoliciesGuarded); c == nil || c.Status != status || c.Reason != reason {
			return fmt.Sprintf("want %s %s, have %+v", status, reason, c)
		}
		return ""
	})
	return *c
}

// admissionAsWanted says what is wrong with the admission policies in the Karmada.
func admissionAsWanted(t *testing.T) string {
	t.Helper()
	for _, want := range admission.Policies() {
		var p admissionregistrationv1.ValidatingAdmissionPolicy
		var b admissionregistrationv1.ValidatingAdmissionPolicyBinding
		for _, o := range []client.Object{&p, &b} {
			if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: want.Name}, o); err != nil {
				return err.Error()
			}
			if o.GetLabels()["app.kubernetes.io/managed-by"] != "kairship" {
				return want.Name + " is not labelled"
			}
		}
		if diff := cmp.Diff(want.Spec, p.Spec) + cmp.Diff(want.Binding, b.Spec); diff != "" {
			return diff
		}
	}
	return ""
}

// placeAdmission puts the admission policies into the Karmada as the controller would.
func placeAdmission(t *testing.T) {
	t.Helper()
	for _, p := range admission.Policies() {
		meta := metav1.ObjectMeta{Name: p.Name, Labels: map[string]string{"app.kubernetes.io/managed-by": "kairship"}}
		for _, o := range []client.Object{
			&admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: meta, Spec: p.Spec},
			&admissionregistrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: meta, Spec: p.Binding},
		} {
			if err := instance.Client.Create(t.Context(), o); client.IgnoreAlreadyExists(err) != nil {
				t.Fatal(err)
			}
		}
	}
}

// escalation makes a ClusterRoleBinding of a ConfigMap.
func escalation(namespace string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "policy.karmada.io/v1alpha1", "kind": "OverridePolicy",
		"metadata": map[string]any{"namespace": namespace, "generateName": "escalation-"},
		"spec": map[string]any{
			"resourceSelectors": []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "c"}},
			"overrideRules": []any{map[string]any{"overriders": map[string]any{"plaintext": []any{
				map[string]any{"path": "/kind", "operator": "replace", "value": "ClusterRoleBinding"},
			}}}},
		},
	}}
}

// asPerson is a client of somebody in the Karmada.
func asPerson(t *testing.T, user string, groups ...string) client.Client {
	t.Helper()
	config := rest.CopyConfig(instance.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: append([]string{"system:authenticated"}, groups...)}
	c, err := client.New(config, client.Options{Scheme: instance.Client.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPoliciesOfOthersThanAdminsAreBounded(t *testing.T) {
	if err := instance.EnsureNamespace("shop"); err != nil {
		t.Fatal(err)
	}
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "bounded", karmada.Kubeconfig("kairship"))
	custom := role(t, "policy-writer", rbacv1.PolicyRule{Verbs: []string{"create"}, APIGroups: []string{"policy.karmada.io"}, Resources: []string{"overridepolicies"}})
	within := v1alpha1.AccessScope{Instance: "bounded", Namespaces: []string{"shop"}}
	everything := v1alpha1.AccessScope{Instance: "bounded"}
	people := map[string]struct {
		role  v1alpha1.AccessRole
		scope v1alpha1.AccessScope
		kind  string
		may   bool
	}{
		"an-editor-of-shop":   {"Editor", within, "User", false},
		"an-editor":           {"Editor", everything, "User", false},
		"editors":             {"Editor", everything, "Group", false},
		"a-writer":            {v1alpha1.AccessRole(custom.Name), everything, "User", false},
		"an-admin-of-shop":    {"Admin", within, "User", false},
		"an-admin":            {"Admin", everything, "User", true},
		"admins-by-a-group":   {"Admin", everything, "Group", true},
		"a-group-of-kairship": {},
	}
	for name, p := range people {
		if p.role != "" {
			bind(t, "bounded-"+name, "kairship:oidc:"+name, p.kind, p.role, p.scope)
		}
	}
	guardIs(t, "bounded", metav1.ConditionTrue, v1alpha1.ReasonApplied)
	for name, p := range people {
		t.Run(name, func(t *testing.T) {
			c := asPerson(t, "kairship:oidc:"+name)
			switch {
			case p.role == "":
				c, p.may = asPerson(t, "kairship:host:somebody", group), true
			case p.kind == "Group":
				inForce(t, "bounded-"+name)
				c = asPerson(t, "kairship:oidc:somebody", "kairship:oidc:"+name)
			default:
				inForce(t, "bounded-"+name)
			}
			testenv.Eventually(t, func() string {
				switch err := c.Create(t.Context(), escalation("shop"), client.DryRunAll); {
				case p.may:
					return strings.TrimSuffix(fmt.Sprint(err), "<nil>")
				case err == nil:
					t.Fatal("may make a ClusterRoleBinding of a ConfigMap")
				case !strings.Contains(err.Error(), "plaintext[].path: /kind may not be changed; allowed are /spec"):
					// A permission that the API server has not seen yet.
					return err.Error()
				}
				return ""
			})
		})
	}
}

func TestTheBoundsOfPoliciesArePutBack(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "put-back", karmada.Kubeconfig("kairship"))
	guardIs(t, "put-back", metav1.ConditionTrue, v1alpha1.ReasonApplied)
	if wrong := admissionAsWanted(t); wrong != "" {
		t.Fatal(wrong)
	}
	name := admission.Policies()[0].Name
	policy := func(change func(*admissionregistrationv1.ValidatingAdmissionPolicy) error) func() error {
		return func() error {
			var p admissionregistrationv1.ValidatingAdmissionPolicy
			if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: name}, &p); err != nil {
				return err
			}
			return change(&p)
		}
	}
	binding := func(change func(*admissionregistrationv1.ValidatingAdmissionPolicyBinding) error) func() error {
		return func() error {
			var b admissionregistrationv1.ValidatingAdmissionPolicyBinding
			if err := instance.Client.Get(t.Context(), client.ObjectKey{Name: name}, &b); err != nil {
				return err
			}
			return change(&b)
		}
	}
	update := func(o client.Object) error { return instance.Client.Update(t.Context(), o) }
	for what, meddle := range map[string]func() error{
		"deleting a policy": policy(func(p *admissionregistrationv1.ValidatingAdmissionPolicy) error {
			return instance.Client.Delete(t.Context(), p)
		}),
		"deleting a binding": binding(func(b *admissionregistrationv1.ValidatingAdmissionPolicyBinding) error {
			return instance.Client.Delete(t.Context(), b)
		}),
		"a condition that never holds": policy(func(p *admissionregistrationv1.ValidatingAdmissionPolicy) error {
			p.Spec.MatchConditions = append(p.Spec.MatchConditions, admissionregistrationv1.MatchCondition{Name: "never", Expression: "false"})
			return update(p)
		}),
		"a check that is gone": policy(func(p *admissionregistrationv1.ValidatingAdmissionPolicy) error {
			p.Spec.Validations = p.Spec.Validations[:1]
			return update(p)
		}),
		"a failure that lets pass": policy(func(p *admissionregistrationv1.ValidatingAdmissionPolicy) error {
			ignore := admissionregistrationv1.Ignore
			p.Spec.FailurePolicy = &ignore
			return update(p)
		}),
		"warnings only": binding(func(b *admissionregistrationv1.ValidatingAdmissionPolicyBinding) error {
			b.Spec.ValidationActions = []admissionregistrationv1.ValidationAction{admissionregistrationv1.Warn}
			return update(b)
		}),
		"some namespaces only": binding(func(b *admissionregistrationv1.ValidatingAdmissionPolicyBinding) error {
			b.Spec.MatchResources = &admissionregistrationv1.MatchResources{NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}}
			return update(b)
		}),
		"another name for its owner": policy(func(p *admissionregistrationv1.ValidatingAdmissionPolicy) error {
			p.Labels = nil
			return update(p)
		}),
	} {
		t.Run(what, func(t *testing.T) {
			testenv.Eventually(t, func() string {
				err := meddle()
				if err != nil && !apierrors.IsConflict(err) {
					t.Fatal(err)
				}
				return strings.TrimSuffix(fmt.Sprint(err), "<nil>")
			})
			testenv.Eventually(t, func() string { return admissionAsWanted(t) })
		})
	}
}

func TestTheBoundsOfAFormerVersionAreRemoved(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	bounds := func(name string) []client.Object {
		p := admission.Policies()[0]
		p.Binding.PolicyName = name
		meta := metav1.ObjectMeta{Name: name, Labels: map[string]string{"app.kubernetes.io/managed-by": "kairship"}}
		return []client.Object{
			&admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: meta, Spec: p.Spec},
			&admissionregistrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: meta, Spec: p.Binding},
		}
	}
	former, others := bounds("former"+admission.Suffix), bounds("of-somebody-else.example.com")
	for _, o := range slices.Concat(former, others) {
		if err := instance.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := instance.Client.Delete(context.Background(), o); client.IgnoreNotFound(err) != nil {
				t.Error(err)
			}
		})
	}
	attach(t, "former", karmada.Kubeconfig("kairship"))
	guardIs(t, "former", metav1.ConditionTrue, v1alpha1.ReasonApplied)
	for _, o := range former {
		testenv.Eventually(t, func() string {
			if err := instance.Client.Get(t.Context(), client.ObjectKeyFromObject(o), o); !apierrors.IsNotFound(err) {
				return fmt.Sprintf("the %T of a former version is still there: %v", o, err)
			}
			return ""
		})
	}
	for _, o := range others {
		if err := instance.Client.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			t.Errorf("the %T of somebody else: %v", o, err)
		}
	}
}

// writersOfPolicies says who may write policies and who may not, of those who may write Deployments.
func writersOfPolicies(t *testing.T, want bool, people ...string) string {
	t.Helper()
	for _, user := range people {
		if !may(t, user, nil, "create deployments.apps shop") {
			return user + " may not write Deployments"
		}
		for _, resource := range []string{"overridepolicies", "propagationpolicies"} {
			for _, verb := range []string{"create", "update", "patch", "delete"} {
				if got := may(t, user, nil, verb+" "+resource+".policy.karmada.io shop"); got != want {
					return fmt.Sprintf("%s may %s %s: %v", user, verb, resource, got)
				}
			}
			if !may(t, user, nil, "get "+resource+".policy.karmada.io shop") {
				return user + " may not read " + resource
			}
		}
	}
	return ""
}

func TestNobodyButAdminsWritesPoliciesWhereNothingBoundsThem(t *testing.T) {
	const editor, inShop, writer, admin = "kairship:oidc:e", "kairship:oidc:e-of-shop", "kairship:oidc:w", "kairship:oidc:a"
	for name, tt := range map[string]struct {
		mode            testenv.Mode
		reason, message string
	}{
		"not-served":   {testenv.WithoutAdmissionPolicies, v1alpha1.ReasonNotServed, "does not serve ValidatingAdmissionPolicies"},
		"not-in-force": {testenv.IgnoringAdmissionPolicies, v1alpha1.ReasonNotInForce, "enable its admission plugin ValidatingAdmissionPolicy"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := instance.EnsureNamespace("shop"); err != nil {
				t.Fatal(err)
			}
			clock, _ := start(t)
			karmada := testenv.NewKarmada(t, instance)
			karmada.Set(tt.mode)
			custom := role(t, "writer-"+name,
				rbacv1.PolicyRule{Verbs: []string{"*"}, APIGroups: []string{"apps"}, Resources: []string{"deployments"}},
				rbacv1.PolicyRule{Verbs: []string{"*"}, APIGroups: []string{"policy.karmada.io"}, Resources: []string{"*"}})
			attach(t, name, karmada.Kubeconfig("kairship"))
			bind(t, name+"-editor", editor, "User", "Editor", v1alpha1.AccessScope{Instance: name})
			bind(t, name+"-shop", inShop, "User", "Editor", v1alpha1.AccessScope{Instance: name, Namespaces: []string{"shop"}})
			bind(t, name+"-writer", writer, "User", v1alpha1.AccessRole(custom.Name), v1alpha1.AccessScope{Instance: name})
			bind(t, name+"-admin", admin, "User", "Admin", v1alpha1.AccessScope{Instance: name})

			if c := guardIs(t, name, metav1.ConditionFalse, tt.reason); !strings.Contains(c.Message, "only Admins may write policies") || !strings.Contains(c.Message, tt.message) {
				t.Errorf("condition: %s", c.Message)
			}
			// The rest is in force.
			reaches(t, name, v1alpha1.ReasonApplied)
			for _, b := range []string{"editor", "shop", "writer"} {
				says(t, name+"-"+b, metav1.ConditionTrue, v1alpha1.ReasonApplied, "policies are for Admins only")
			}
			inForce(t, name+"-admin")
			testenv.Eventually(t, func() string {
				return writersOfPolicies(t, false, editor, inShop, writer) + writersOfPolicies(t, true, admin)
			})

			karmada.Set(testenv.Answering)
			clock.SetTime(time.Now().Add(time.Hour))
			wake(t, name)
			guardIs(t, name, metav1.ConditionTrue, v1alpha1.ReasonApplied)
			testenv.Eventually(t, func() string { return writersOfPolicies(t, true, editor, inShop, writer, admin) })

			if tt.mode == testenv.IgnoringAdmissionPolicies {
				// An API server that was started anew without the plugin.
				karmada.Set(tt.mode)
				clock.SetTime(time.Now().Add(2 * time.Hour))
				wake(t, name)
				guardIs(t, name, metav1.ConditionFalse, tt.reason)
				testenv.Eventually(t, func() string { return writersOfPolicies(t, false, editor, inShop, writer) })
			}
		})
	}
}

// What another check refuses, RBAC for one, says nothing of the admission policies.
func TestARefusalOfAnotherCheckIsNotTakenForThatOfThePolicies(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	karmada.Instead(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/clusterroles") || r.URL.Query().Get("dryRun") == "" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_ = json.NewEncoder(w).Encode(apierrors.NewForbidden(rbacv1.Resource("clusterroles"), admission.Probe, errors.New("no rule allows it")).Status())
		return true
	})
	attach(t, "forbidding", karmada.Kubeconfig("kairship"))
	guardIs(t, "forbidding", metav1.ConditionFalse, v1alpha1.ReasonRefused)
}

// An API server was heard that keeps silent later, or has no time left to answer the last question.
func TestAnAnswerIsNotTakenBackBySilence(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	karmada.Set(testenv.IgnoringAdmissionPolicies)
	var asked atomic.Int32
	karmada.Instead(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/clusterroles") || r.URL.Query().Get("dryRun") == "" || asked.Add(1) == 1 {
			return false
		}
		panic(http.ErrAbortHandler) //nolint:forbidigo // how a handler cuts its connection
	})
	attach(t, "silent", karmada.Kubeconfig("kairship"))
	guardIs(t, "silent", metav1.ConditionFalse, v1alpha1.ReasonNotInForce)
}

// Whoever repairs their API server need not wait for long.
func TestBoundsThatWereNotInForceAreLookedForSoon(t *testing.T) {
	clock, _ := start(t)
	karmada := testenv.NewKarmada(t, instance)
	karmada.Set(testenv.IgnoringAdmissionPolicies)
	attach(t, "repaired", karmada.Kubeconfig("kairship"))
	guardIs(t, "repaired", metav1.ConditionFalse, v1alpha1.ReasonNotInForce)
	karmada.Set(testenv.Answering)
	clock.SetTime(clock.Now().Add(time.Minute))
	wake(t, "repaired")
	guardIs(t, "repaired", metav1.ConditionTrue, v1alpha1.ReasonApplied)
}

// wake makes the controller look at an instance.
func wake(t *testing.T, name string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		var i v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
			return err.Error()
		}
		i.Spec.Description += "."
		return strings.TrimSuffix(fmt.Sprint(host.Client.Update(t.Context(), &i)), "<nil>")
	})
}

func TestTheBoundsOfPoliciesGoWithTheLastInstance(t *testing.T) {
	// What the controller of another test wrote while its instance went would count as that of a third one.
	swept(t, t.Context())
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	one := attach(t, "one-of-two", karmada.Kubeconfig("kairship"))
	two := attach(t, "two-of-two", karmada.Kubeconfig("kairship"))
	reaches(t, "two-of-two", v1alpha1.ReasonApplied)
	for _, i := range []*v1alpha1.Instance{one, two} {
		reaches(t, i.Name, v1alpha1.ReasonApplied)
		if wrong := admissionAsWanted(t); wrong != "" {
			t.Fatalf("before %s goes: %s", i.Name, wrong)
		}
		if err := host.Client.Delete(t.Context(), i); err != nil {
			t.Fatal(err)
		}
		testenv.Eventually(t, func() string {
			if err := host.Client.Get(context.Background(), client.ObjectKeyFromObject(i), &v1alpha1.Instance{}); !apierrors.IsNotFound(err) {
				return "the Instance is still there"
			}
			return ""
		})
	}
	for _, list := range []client.ObjectList{&admissionregistrationv1.ValidatingAdmissionPolicyList{}, &admissionregistrationv1.ValidatingAdmissionPolicyBindingList{}} {
		if err := instance.Client.List(t.Context(), list, client.MatchingLabels{"app.kubernetes.io/managed-by": "kairship"}); err != nil {
			t.Fatal(err)
		}
		if n := meta.LenList(list); n != 0 {
			t.Errorf("%d %T are left", n, list)
		}
	}
}
