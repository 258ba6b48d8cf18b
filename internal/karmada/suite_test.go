package karmada

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var server *testenv.Server

// admin may do everything in the instance; reader may only read, and writer may apply but not read.
var (
	admin  = auth.NewPrincipal(auth.OriginHost, "ada", []string{"admins"})
	reader = auth.NewPrincipal(auth.OriginHost, "rita", []string{"readers"})
	writer = auth.NewPrincipal(auth.OriginHost, "wanda", []string{"writers"})
)

func TestMain(m *testing.M) {
	testenv.Main(m, func(e *testenv.Environment) (err error) {
		if server, err = e.Start(testenv.KarmadaDefinitions); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		for group, rules := range map[string][]rbacv1.PolicyRule{
			"admins":  {{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"*"}}},
			"readers": {{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"get"}}},
			"writers": {{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"patch", "create"}}},
		} {
			role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "test-" + group}, Rules: rules}
			binding := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "test-" + group},
				RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
				Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "kairship:host:" + group}}}
			for _, o := range []client.Object{role, binding} {
				if err := server.Client.Create(ctx, o); err != nil {
					return fmt.Errorf("granting %s: %w", group, err)
				}
			}
		}
		return server.UntilGranted(ctx)
	})
}

// connection reaches the API server of the suite.
type connection struct {
	cfg    *rest.Config
	mapper meta.ResettableRESTMapper
}

func (c *connection) Instance() string                  { return "asia" }
func (c *connection) Mapper() meta.ResettableRESTMapper { return c.mapper }

func (c *connection) As(p auth.Principal) (*rest.Config, error) {
	if p.Name == "" {
		return nil, &model.Error{Code: model.CodeForbidden, Message: "nobody is asking"}
	}
	cfg := rest.CopyConfig(c.cfg)
	cfg.Impersonate = rest.ImpersonationConfig{UserName: p.Name, Groups: p.Groups}
	return cfg, nil
}

func connect(t *testing.T, cfg *rest.Config) *connection {
	t.Helper()
	cfg = rest.CopyConfig(cfg)
	disco, err := discovery.NewDiscoveryClientForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &connection{cfg: cfg, mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco))}
}

// namespace makes a new namespace for a test.
func namespace(t *testing.T) string {
	t.Helper()
	ns := &unstructured.Unstructured{}
	ns.SetAPIVersion("v1")
	ns.SetKind("Namespace")
	ns.SetGenerateName("test-")
	if err := server.Client.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return ns.GetName()
}

// unused is a name that nothing has, also when the tests are repeated.
func unused(prefix string) string { return prefix + "-" + strings.ToLower(rand.Text()[:8]) }

// apply applies as the admin and fails the test when the request as a whole is refused.
func apply(t *testing.T, req Request) []model.DocumentOutcome {
	t.Helper()
	return applyAs(t, admin, req)
}

func applyAs(t *testing.T, who auth.Principal, req Request) []model.DocumentOutcome {
	t.Helper()
	out, invalid, err := Apply(t.Context(), connect(t, server.Config), who, req)
	if err != nil || len(invalid) > 0 {
		t.Fatalf("apply: error %v, user errors %v", err, invalid)
	}
	return out
}

// outcomes puts outcomes into lines, such as `0 Deployment ns/cart CREATED`.
func outcomes(docs []model.DocumentOutcome) []string {
	text := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	var out []string
	for _, d := range docs {
		line := fmt.Sprintf("%d %s %s/%s %s", d.Index, text(d.Kind), text(d.Namespace), text(d.Name), d.Outcome)
		if d.Error != nil {
			line += fmt.Sprintf(" %s [%s] %s", d.Error.Code, strings.Join(d.Error.Field, "."), d.Error.Message)
		}
		out = append(out, line)
	}
	return out
}

// expect compares outcomes with lines; @ stands for the namespace.
func expect(t *testing.T, ns string, got []model.DocumentOutcome, want ...string) {
	t.Helper()
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "@", ns)
	}
	if diff := cmp.Diff(want, outcomes(got)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// get reads an object as an administrator; nil when there is none.
func get(t *testing.T, gvk schema.GroupVersionKind, ns, name string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	err := server.Client.Get(t.Context(), types.NamespacedName{Namespace: ns, Name: name}, u)
	if client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
	if err != nil {
		return nil
	}
	return u
}

var (
	deploymentKind = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	configMapKind  = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	namespaceKind  = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
)

// replicas is how many a Deployment asks for.
func replicas(t *testing.T, ns, name string) int64 {
	t.Helper()
	u := get(t, deploymentKind, ns, name)
	if u == nil {
		t.Fatalf("Deployment %s/%s is not there", ns, name)
	}
	n, _, err := unstructured.NestedInt64(u.Object, "spec", "replicas")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func deployment(ns, name string, replicas int) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {namespace: %s, name: %s}
spec:
  replicas: %d
  selector: {matchLabels: {app: %s}}
  template:
    metadata: {labels: {app: %s}}
    spec: {containers: [{name: web, image: "web:1"}]}
`, ns, name, replicas, name, name)
}

func configMap(ns, name, value string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: %s, name: %s}\ndata: {key: %q}\n", ns, name, value)
}

func docs(texts ...string) string { return strings.Join(texts, "---\n") }

func mustJSON(t *testing.T, raw []byte) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := json.Unmarshal(raw, &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}

// mustYAML reads one object.
func mustYAML(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	docs, invalid := read(text)
	if invalid != nil || len(docs) != 1 || docs[0].err != nil {
		t.Fatalf("%q is not one object", text)
	}
	return docs[0].object
}
