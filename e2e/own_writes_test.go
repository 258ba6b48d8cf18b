package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// ownWrites is how many writes are each followed by the writer's query.
const ownWrites = 1000

const ownWritesNamespace = "e2e-own-writes"

// A thousand writes, each followed at once by the writer's query, while the read store follows nothing for five seconds at a time: no older
// version is shown, whether the object is asked for by its name, by its id, in a list, by a filter that it has just begun to match, or as a
// stream's first answer.
func TestNobodySeesAnOlderVersionOfWhatTheyWrote(t *testing.T) {
	whole(t)
	removeNamespace(t, ownWritesNamespace)
	leaveNothing(t, ownWritesNamespace)
	const objects = 5
	text := fmt.Sprintf("{apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {namespace.karmada.io/skip-auto-propagation: \"true\"}}}\n", ownWritesNamespace)
	for i := range objects {
		text += fmt.Sprintf("---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web-%d, namespace: %s}, spec: {replicas: 0, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: 'registry.example/web:1'}]}}}}\n", i, ownWritesNamespace)
	}
	if got := apply(t, map[string]any{"manifests": text}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	id := func(i int) string {
		return model.Ref{Instance: "asia", GVK: verbKinds["deployments"], Namespace: ownWritesNamespace, Name: fmt.Sprint("web-", i)}.ID()
	}
	type seen struct {
		Name, ResourceVersion string
		Replicas              int
	}
	older, asked := 0, 0
	thaw := func() {}
	defer func() { thaw() }()
	var frozen time.Time
	for n := range ownWrites {
		switch {
		case frozen.IsZero():
			thaw, frozen = freeze(t, "clusterpedia-synchro"), time.Now()
		case time.Since(frozen) > 5*time.Second:
			thaw()
			frozen = time.Time{}
		}
		i := n % objects
		if problems := mutated(t, token, "scaleWorkload", map[string]any{"id": id(i), "replicas": n}); len(problems) > 0 {
			t.Fatalf("write %d: %s", n, problems)
		}
		got := into[struct {
			Node     *seen
			Instance struct {
				Workload  *seen
				Workloads struct {
					Nodes      []seen
					TotalCount int
				}
			}
		}](t, `query($id: ID!, $name: String!, $ns: [String!], $in: String!) {
			node(id: $id) { ... on Workload { name resourceVersion replicas } }
			instance(name: "asia") {
				workload(kind: DEPLOYMENT, namespace: $in, name: $name) { name resourceVersion replicas }
				workloads(first: 20, filter: {namespaces: $ns, kinds: [DEPLOYMENT]}) { nodes { name resourceVersion replicas } totalCount }
			}
		}`, map[string]any{"id": id(i), "name": fmt.Sprint("web-", i), "ns": []string{ownWritesNamespace}, "in": ownWritesNamespace})
		asked++
		shown := []*seen{got.Node, got.Instance.Workload, nil}
		for j := range got.Instance.Workloads.Nodes {
			if got.Instance.Workloads.Nodes[j].Name == fmt.Sprint("web-", i) {
				shown[2] = &got.Instance.Workloads.Nodes[j]
			}
		}
		for where, s := range shown {
			if s == nil || s.Replicas != n {
				older++
				if older < 10 {
					t.Errorf("after write %d, read %d shows %+v", n, where, s)
				}
			}
		}
		if total := got.Instance.Workloads.TotalCount; total != objects || len(got.Instance.Workloads.Nodes) != objects {
			t.Fatalf("after write %d the list has %d rows and says %d, want %d", n, len(got.Instance.Workloads.Nodes), total, objects)
		}
	}
	t.Logf("%d writes, %d queries of three reads each, %d older versions", ownWrites, asked, older)
	removeNamespace(t, ownWritesNamespace)
}

// What was just made is in its lists, and what was just deleted is not, while the read store follows nothing.
func TestWhatIsMadeAndDeletedIsSeenAtOnce(t *testing.T) {
	whole(t)
	const namespace = "e2e-own-made"
	removeNamespace(t, namespace)
	leaveNothing(t, namespace)
	if got := apply(t, map[string]any{"manifests": fmt.Sprintf("{apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {namespace.karmada.io/skip-auto-propagation: \"true\"}}}", namespace)}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	list := func() (names string) {
		t.Helper()
		got := into[struct {
			Instance struct {
				Resources struct {
					Nodes      []struct{ Name string }
					TotalCount int
				}
			}
		}](t, `query($ns: [String!]) { instance(name: "asia") { resources(apiVersion: "v1", kind: "ConfigMap", first: 50, filter: {namespaces: $ns, nameContains: "made"}) { nodes { name } totalCount } } }`,
			map[string]any{"ns": []string{namespace}})
		for _, n := range got.Instance.Resources.Nodes {
			names += n.Name + " "
		}
		return names + fmt.Sprint(got.Instance.Resources.TotalCount)
	}
	thaw := freeze(t, "clusterpedia-synchro")
	text := ""
	for _, name := range []string{"made-c", "made-a", "made-b"} {
		text += fmt.Sprintf("---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: %s}, data: {a: \"1\"}}\n", name, namespace)
	}
	if got := apply(t, map[string]any{"manifests": text}); got.outcomes() != "CREATED CREATED CREATED" {
		t.Fatalf("%+v", got)
	}
	if got, want := list(), "made-a made-b made-c 3"; got != want {
		t.Errorf("the list has %q, want %q", got, want)
	}
	ref := model.Ref{Instance: "asia", GVK: verbKinds["configmaps"], Namespace: namespace, Name: "made-b"}
	if got := mutated(t, token, "deleteResource", map[string]any{"id": ref.ID()}); len(got) > 0 {
		t.Fatal(got)
	}
	if got, want := list(), "made-a made-c 2"; got != want {
		t.Errorf("after a deletion the list has %q, want %q", got, want)
	}
	thaw()
	eventually(t, 30*time.Second, func() error {
		if got, want := list(), "made-a made-c 2"; got != want {
			return fmt.Errorf("when the read store has caught up the list has %q, want %q", got, want)
		}
		return nil
	})
	removeNamespace(t, namespace)
}
