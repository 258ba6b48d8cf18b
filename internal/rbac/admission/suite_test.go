package admission_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/rbac/admission"
	"github.com/kairship-io/kairship/internal/rbac/role"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var karmada *testenv.Server

// The people of the tests, each with another right to write policies.
const (
	namespaceEditor = "kairship:oidc:editor-of-shop"
	instanceEditor  = "kairship:oidc:editor"
	customRole      = "kairship:oidc:custom"
	namespaceAdmin  = "kairship:oidc:admin-of-shop"
	admin           = "kairship:oidc:admin"
	adminGroup      = "kairship:oidc:admins"
	// scheduler stands for a component of Karmada that may not do everything.
	scheduler = "system:karmada-scheduler"
)

func TestMain(m *testing.M) {
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		if karmada, err = env.Start(testenv.PolicyDefinitions, testenv.WorkDefinitions); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		return prepare(ctx)
	})
}

// prepare makes the namespaces, the roles, and the policies, and waits until these are in force.
func prepare(ctx context.Context) error {
	rule := func(group string, verbs []string, resources ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{APIGroups: []string{group}, Verbs: verbs, Resources: resources}
	}
	write := []string{"get", "create", "update", "patch", "delete"}
	objects := []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}},
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "payments"}},
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "karmada-system"}},
	}
	for name, rules := range map[string][]rbacv1.PolicyRule{
		"editor": append(role.Editor(nil), role.EditorData()...),
		"custom": {rule("policy.karmada.io", write, "overridepolicies", "clusteroverridepolicies", "propagationpolicies", "clusterpropagationpolicies"),
			rule("rbac.authorization.k8s.io", write, "clusterroles", "clusterrolebindings", "rolebindings"), rule("", write, "namespaces")},
		"scheduler": {rule("work.karmada.io", write, "resourcebindings", "clusterresourcebindings")},
	} {
		objects = append(objects, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "test:" + name}, Rules: rules})
	}
	for user, name := range map[string]string{instanceEditor: "test:editor", customRole: "test:custom", admin: "cluster-admin", scheduler: "test:scheduler"} {
		objects = append(objects, &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "test:" + user}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
			Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: user}},
		})
	}
	objects = append(objects, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "test:admins"}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: adminGroup}},
	})
	for user, name := range map[string]string{namespaceEditor: "test:editor", namespaceAdmin: "cluster-admin"} {
		objects = append(objects, &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "test:" + user}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
			Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: user}},
		})
	}
	for _, p := range admission.Policies() {
		objects = append(objects,
			&admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: p.Name}, Spec: p.Spec},
			&admissionregistrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: p.Name}, Spec: p.Binding})
	}
	for _, o := range objects {
		if err := karmada.Client.Create(ctx, o); err != nil {
			return fmt.Errorf("making %T %q: %w", o, o.GetName(), err)
		}
	}
	if err := karmada.UntilGranted(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		probe := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: admission.Probe}}
		if err := karmada.Client.Create(ctx, probe, client.DryRunAll); err != nil && strings.Contains(err.Error(), "Kairship's own") {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("the admission policies are not in force: %w", ctx.Err())
}

// as is a client of somebody.
func as(t *testing.T, user string, groups ...string) client.Client {
	t.Helper()
	config := rest.CopyConfig(karmada.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: append([]string{"system:authenticated"}, groups...)}
	c, err := client.New(config, client.Options{Scheme: karmada.Client.Scheme(), Mapper: karmada.Client.RESTMapper()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// object reads one that is written down as YAML, in a namespace when it has one.
func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return u
}

// written is a policy of some kind with a spec.
func written(t *testing.T, kind, namespace, spec string) *unstructured.Unstructured {
	t.Helper()
	u := object(t, "apiVersion: policy.karmada.io/v1alpha1\nkind: "+kind+"\nmetadata:\n  generateName: p-\n")
	if !strings.HasPrefix(kind, "Cluster") {
		u.SetNamespace(namespace)
	}
	var body map[string]any
	if err := yaml.Unmarshal([]byte(spec), &body); err != nil {
		t.Fatalf("%v in:\n%s", err, spec)
	}
	u.Object["spec"] = body
	return u
}

// refused says what is wrong with an answer that should be a refusal with some words.
func refused(err error, words string) string {
	switch {
	case err == nil:
		return "it is allowed"
	case !strings.Contains(err.Error(), words):
		return fmt.Sprintf("want %q, got: %v", words, err)
	case os.Getenv("SHOW_REFUSALS") != "":
		fmt.Fprintln(os.Stderr, err)
	}
	return ""
}
