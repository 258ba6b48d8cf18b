package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const manifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: hello, namespace: e2e-write}
spec:
  replicas: 2
  selector: {matchLabels: {app: hello}}
  template:
    metadata: {labels: {app: hello}}
    spec: {containers: [{name: hello, image: registry.example/hello:1}]}
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: hello, namespace: e2e-write}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: hello}]
  overrideRules:
  - targetCluster: {clusterNames: [tokyo]}
    overriders: {imageOverrider: [{component: Registry, operator: replace, value: tokyo.registry.example}]}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: hello, namespace: e2e-write}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: hello}]
  placement:
    clusterAffinity: {clusterNames: [singapore, tokyo]}
---
apiVersion: v1
kind: Namespace
metadata: {name: e2e-write}
`

type applied struct {
	ApplyManifests struct {
		Documents []struct {
			Index                                      int
			APIVersion, Kind, Namespace, Name, Outcome string
			Error                                      *struct {
				Code, Message string
				Field         []string
			}
		}
		UserErrors []struct {
			Code, Message string
			Field         []string
		}
	}
}

const applyMutation = `mutation($in: ApplyManifestsInput!) { applyManifests(input: $in) {
	documents { index apiVersion kind namespace name outcome error { code message field } } userErrors { code message field } } }`

func apply(t *testing.T, input map[string]any) applied {
	t.Helper()
	if _, ok := input["instance"]; !ok {
		input["instance"] = "asia"
	}
	return into[applied](t, applyMutation, map[string]any{"in": input})
}

// outcomes is the documents' outcomes in the order given.
func (a applied) outcomes() string {
	var out []string
	for _, d := range a.ApplyManifests.Documents {
		out = append(out, d.Outcome)
	}
	return strings.Join(out, " ")
}

type change struct {
	Type string
	Node *struct {
		ID, Name, State, StateReason string
		Replicas                     int
		Propagation                  struct {
			Targets []struct {
				ClusterName     string
				DesiredReplicas *int
				Status          *struct{ Ready *int }
			}
		}
	}
}

const watchHello = `subscription { workloads(instance: "asia", filter: {namespaces: ["e2e-write"]}) { type
	node { id name state stateReason replicas propagation { targets { clusterName desiredReplicas status { ready } } } } } }`

// removeNamespace removes a namespace of asia that a test makes, through Karmada's own API, and waits until it is gone.
func removeNamespace(t *testing.T, name string) {
	t.Helper()
	namespaces := karmada(t, "asia").Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	eventually(t, 2*time.Minute, func() error {
		err := namespaces.Delete(t.Context(), name, metav1.DeleteOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("the namespace %s is still there: %w", name, err)
	})
}

// leaveNothing removes a namespace of asia when the test ends; whoever makes it again waits until it is gone.
func leaveNothing(t *testing.T, name string) {
	t.Helper()
	namespaces := karmada(t, "asia").Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	t.Cleanup(func() {
		if err := namespaces.Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
}

func TestWhatIsAppliedIsSeenLiveAndAsThePerson(t *testing.T) {
	t.Parallel()
	removeNamespace(t, "e2e-write")
	s := subscribe(t, watchHello, nil)
	if c := next[change](s, 10*time.Second, "workloads"); c.Type != "SYNCED" {
		t.Fatalf("the stream of an empty namespace began with %s", c.Type)
	}

	dry := apply(t, map[string]any{"manifests": manifests, "dryRun": true})
	if len(dry.ApplyManifests.Documents) != 4 {
		t.Fatalf("dry run: %+v", dry)
	}

	start := time.Now()
	got := apply(t, map[string]any{"manifests": manifests})
	if got.outcomes() != "CREATED CREATED CREATED CREATED" {
		t.Fatalf("outcomes %q: %+v", got.outcomes(), got)
	}
	id := follow(t, s, start, 2)

	start = time.Now()
	scaled := into[struct {
		ScaleWorkload struct {
			Workload   struct{ Replicas int }
			UserErrors []struct{ Message string }
		}
	}](t, `mutation($id: ID!) { scaleWorkload(input: {id: $id, replicas: 3}) { workload { replicas } userErrors { message } } }`, map[string]any{"id": id})
	if scaled.ScaleWorkload.Workload.Replicas != 3 || len(scaled.ScaleWorkload.UserErrors) > 0 {
		t.Fatalf("scaling answered %+v", scaled)
	}
	follow(t, s, start, 3)

	if again := apply(t, map[string]any{"manifests": strings.Replace(manifests, "replicas: 2", "replicas: 3", 1)}); again.outcomes() != "UNCHANGED UNCHANGED UNCHANGED UNCHANGED" {
		t.Errorf("applying the same again: %q", again.outcomes())
	}
	if who := auditedUsers(t, "e2e-write"); !strings.HasPrefix(who, "kairship:host:system:serviceaccount:kairship-admins:") {
		t.Errorf("the API server of asia saw %q write", who)
	}
	removeNamespace(t, "e2e-write")
	for {
		if c := next[change](s, time.Minute, "workloads"); c.Type == "DELETED" {
			break
		}
	}
}

// follow reads changes until the workload runs with the replicas in both clusters, having been on its way.
func follow(t *testing.T, s *stream, start time.Time, replicas int) (id string) {
	t.Helper()
	var states []string
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("it was followed through %v", states)
		}
	})
	for {
		// A control plane may be installed beside it, which takes both processors for seconds.
		c := next[change](s, 30*time.Second, "workloads")
		if time.Since(start) > 30*time.Second {
			t.Fatal("not running after 30 s")
		}
		if c.Node == nil {
			continue
		}
		states = append(states, c.Type+"/"+c.Node.State+"/"+c.Node.StateReason)
		ready := 0
		for _, tg := range c.Node.Propagation.Targets {
			if same(tg.DesiredReplicas, &replicas) && tg.Status != nil && same(tg.Status.Ready, &replicas) {
				ready++
			}
		}
		if c.Node.State == "RUNNING" && ready == 2 && c.Node.Replicas == replicas {
			t.Logf("%d replicas after %s: %v", replicas, time.Since(start).Round(time.Millisecond), states)
			if !strings.Contains(strings.Join(states, " "), "PROGRESSING") && !strings.Contains(strings.Join(states, " "), "NOT_PROPAGATED") {
				t.Errorf("it was never seen on its way: %v", states)
			}
			return c.Node.ID
		}
	}
}

// auditedUsers is who wrote to Deployments of a namespace of asia, from the API server's own audit log:
// the name of the impersonated user.
func auditedUsers(t *testing.T, namespace string) string {
	t.Helper()
	type write struct {
		ImpersonatedUser *struct{ Username string }
		User             struct{ Username string }
		UserAgent        string
		ObjectRef        struct{ Resource, Namespace string }
	}
	var names []string
	for e := range auditLines[write](t, "asia", time.Time{}, `"verb":"patch"`, `"resource":"deployments"`, fmt.Sprintf(`"namespace":%q`, namespace)) {
		if e.ObjectRef.Namespace != namespace || e.ObjectRef.Resource != "deployments" || !strings.Contains(e.UserAgent, "kairship") {
			continue
		}
		if e.ImpersonatedUser == nil {
			t.Fatalf("%s wrote as itself", e.User.Username)
		}
		if !slices.Contains(names, e.ImpersonatedUser.Username) {
			names = append(names, e.ImpersonatedUser.Username)
		}
	}
	return strings.Join(names, " ")
}

func TestARefusedDocumentIsNamed(t *testing.T) {
	removeNamespace(t, "e2e-refused")
	leaveNothing(t, "e2e-refused")
	namespace := "apiVersion: v1\nkind: Namespace\nmetadata: {name: e2e-refused}\n---\n"
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ok, namespace: e2e-refused}\n"
	for _, c := range []struct{ name, manifests, outcomes, code, says string }{
		{"a field that does not exist", namespace + "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: e2e-refused}\ndate: {}\n---\n" + config,
			"CREATED FAILED SKIPPED", "BAD_USER_INPUT", "date"},
		{"a value that the API server refuses", namespace + "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, namespace: e2e-refused}\nspec: {replicas: -1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n",
			"UNCHANGED FAILED", "BAD_USER_INPUT", "replicas"},
		{"a kind that does not exist", "apiVersion: nowhere.example/v1\nkind: Thing\nmetadata: {name: x}\n", "FAILED", "NOT_FOUND", "Thing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := apply(t, map[string]any{"manifests": c.manifests})
			if got.outcomes() != c.outcomes {
				t.Fatalf("outcomes %q, want %q: %+v", got.outcomes(), c.outcomes, got)
			}
			for _, d := range got.ApplyManifests.Documents {
				if d.Error != nil && (d.Error.Code != c.code || !strings.Contains(d.Error.Message+strings.Join(d.Error.Field, "."), c.says)) {
					t.Errorf("error %+v, want %s about %s", d.Error, c.code, c.says)
				}
			}
		})
	}
	t.Run("YAML that does not parse", func(t *testing.T) {
		got := apply(t, map[string]any{"manifests": config + "---\nkind: [\n"})
		if len(got.ApplyManifests.UserErrors) == 0 && !strings.Contains(got.outcomes(), "FAILED") {
			t.Errorf("%+v", got)
		}
	})
	t.Run("an instance that does not exist", func(t *testing.T) {
		got := apply(t, map[string]any{"instance": "nowhere", "manifests": config})
		if len(got.ApplyManifests.UserErrors) != 1 || got.ApplyManifests.UserErrors[0].Code != "NOT_FOUND" {
			t.Errorf("%+v", got)
		}
	})
}
