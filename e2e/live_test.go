package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

// heard is one event of any subscription.
type heard struct {
	Type string
	ID   *string
	Node json.RawMessage
}

// synced reads the snapshot of a subscription, and returns what it holds, by id.
func synced(t *testing.T, s *stream, field string) map[string]json.RawMessage {
	t.Helper()
	all := map[string]json.RawMessage{}
	for {
		switch e := next[heard](s, 30*time.Second, field); {
		case e.Type == "SYNCED":
			return all
		case e.Type != "SNAPSHOT":
			t.Fatalf("before SYNCED came %s %s", e.Type, e.Node)
		case e.ID == nil:
			all[""] = e.Node
		default:
			all[*e.ID] = e.Node
		}
	}
}

// comes waits for an event of a type whose object says something, and passes over others.
func comes(t *testing.T, s *stream, field, kind string, says ...string) json.RawMessage {
	t.Helper()
	end := time.Now().Add(30 * time.Second)
	for {
		e := next[heard](s, max(time.Until(end), time.Millisecond), field)
		if e.Type == kind && !slices.ContainsFunc(says, func(part string) bool { return !strings.Contains(string(e.Node), part) }) {
			return e.Node
		}
	}
}

// What changes in an instance reaches those who follow it, and those alone who may see it.
func TestWhatChangesIsToldToThoseWhoFollow(t *testing.T) {
	const ns = "e2e-live"
	removeNamespace(t, ns)
	leaveNothing(t, ns)
	// For a minute a person is shown what they made also where it is missing: another name in each run.
	policy := fmt.Sprintf("web-%d", time.Now().UnixNano())
	variables := map[string]any{"instance": "asia"}
	instances := subscribe(t, `subscription { instances { type id node { name state description statistics { nodes { total } } freshness { state } } } }`, nil)
	overview := subscribe(t, `subscription { overview { type id node { workloads { kind total } instances { state total } } } }`, nil)
	policies := subscribe(t, `subscription($instance: String!) { policies(instance: $instance) { type id node { namespace name resourceSelectors { kind name } } } }`, variables)
	secrets := subscribe(t, `subscription($instance: String!) { resources(instance: $instance, apiVersion: "v1", kind: "Secret", filter: {namespaces: ["`+ns+`"]}) { type id node { name keys { name bytes } manifest } } }`, variables)
	events := subscribe(t, `subscription($instance: String!) { events(instance: $instance, filter: {namespaces: ["`+ns+`"], regardingKinds: ["Deployment"]}) { type id node { reason message } } }`, variables)
	hidden := subscribeAs(t, idTokenOf(t, "editor"), `subscription($instance: String!) { policies(instance: $instance) { type id node { namespace name } } }`, variables)

	if got := synced(t, instances, "instances"); len(got) < 2 || !strings.Contains(string(got[model.InstanceID("asia")]), `"state":"RUNNING"`) {
		t.Errorf("the instances are %s", got)
	}
	if got := synced(t, overview, "overview"); len(got) != 1 {
		t.Errorf("the overview is %s", got)
	}
	if got := synced(t, policies, "policies"); len(got) < 3 {
		t.Errorf("the policies are %s", got)
	}
	synced(t, secrets, "resources")
	synced(t, events, "events")

	if got := apply(t, map[string]any{"manifests": fmt.Sprintf(`
{apiVersion: v1, kind: Namespace, metadata: {name: %[1]s}}
---
{apiVersion: v1, kind: Secret, metadata: {name: password, namespace: %[1]s}, stringData: {p: correct-horse-battery}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: %[1]s}, spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "registry.example/web:1"}]}}}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: %[1]s, name: %[2]s}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}], placement: {clusterAffinity: {clusterNames: [hangzhou]}}}}`, ns, policy)}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	comes(t, policies, "policies", "ADDED", ns, policy, `"Deployment"`)
	if secret := comes(t, secrets, "resources", "ADDED", `"password"`, `"bytes":21`); strings.Contains(string(secret), "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5") {
		t.Errorf("the Secret is told with its value: %s", secret)
	}
	comes(t, events, "events", "ADDED", "ApplyPolicySucceed")
	comes(t, overview, "overview", "MODIFIED", `"Deployment"`)

	pod := podOf(t, "hangzhou", ns)
	logs := subscribe(t, `subscription($in: PodLogsInput!) { podLogs(input: $in) { lines { at cluster pod container text } dropped ended { pod error { code } } } }`,
		map[string]any{"in": map[string]any{"instance": "asia", "cluster": "hangzhou", "namespace": ns, "pod": pod, "container": "web", "follow": false}})
	type chunk struct {
		Lines []struct {
			At                            time.Time
			Cluster, Pod, Container, Text string
		}
		Ended []struct{ Pod string }
	}
	var lines []string
	for ended := 0; ended == 0; {
		c := next[chunk](logs, 30*time.Second, "podLogs")
		ended = len(c.Ended)
		for _, l := range c.Lines {
			if l.At.IsZero() || l.Cluster != "hangzhou" || l.Pod != pod || l.Container != "web" {
				t.Errorf("a line is %+v", l)
			}
			lines = append(lines, l.Text)
		}
	}
	if len(lines) == 0 {
		t.Error("the pod has logged nothing")
	}

	// Pods are followed as the person, by workload and by member; an Editor of other namespaces is told of none of these.
	byWorkload := subscribe(t, `subscription($of: ID!) { pods(of: $of) { type id node { name ready cluster { name } } missing { clusterName } limited } }`,
		map[string]any{"of": model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: ns, Name: "web"}.ID()})
	byMember := subscribeAs(t, idTokenOf(t, "editor"), `subscription($of: ID!) { pods(of: $of) { type id node { namespace name } missing { clusterName } } }`, map[string]any{"of": model.ClusterID("asia", "hangzhou")})
	if got := synced(t, byWorkload, "pods"); len(got) != 1 || !strings.Contains(fmt.Sprintf("%s", got), pod) {
		t.Errorf("the pods of the workload are %s", got)
	}
	if got := synced(t, byMember, "pods"); len(got) == 0 || strings.Contains(fmt.Sprintf("%s", got), `"`+ns+`"`) {
		t.Errorf("an Editor is told of the pods %s", got)
	}
	if got := mutated(t, token, "scaleWorkload", map[string]any{"id": model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: ns, Name: "web"}.ID(), "replicas": 2}); len(got) > 0 {
		t.Fatal(got)
	}
	comes(t, byWorkload, "pods", "ADDED", "hangzhou")

	description := "told by " + t.Name()
	for _, what := range []string{description, ""} {
		if _, problems, _ := changedInstance(t, token, "updateInstance", map[string]any{"id": model.InstanceID("asia"), "description": what}); len(problems) > 0 {
			t.Fatal(problems)
		}
		comes(t, instances, "instances", "MODIFIED", `"asia"`)
	}
	if err := karmada(t, "asia").Resource(policyResource("propagationpolicies")).Namespace(ns).Delete(t.Context(), policy, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	comes(t, policies, "policies", "DELETED", ns, policy)

	// An Editor of a namespace is told of its policies alone.
	for id, node := range synced(t, hidden, "policies") {
		var p struct{ Namespace *string }
		if err := json.Unmarshal(node, &p); err != nil || p.Namespace == nil || *p.Namespace == ns {
			t.Errorf("an Editor is told of %s: %s", id, node)
		}
	}
}

// podOf is the name of a pod that runs in a namespace of a member.
func podOf(t *testing.T, member, ns string) (name string) {
	t.Helper()
	eventually(t, time.Minute, func() error {
		list, err := karmada(t, member).Resource(podResource).Namespace(ns).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, p := range list.Items {
			if fieldOf(&p, "status", "phase") == "Running" {
				name = p.GetName()
				return nil
			}
		}
		return fmt.Errorf("none of %d pods runs", len(list.Items))
	})
	return name
}
