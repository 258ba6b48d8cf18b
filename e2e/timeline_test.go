package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

// storyEntry is an entry of a timeline.
type storyEntry struct {
	At                 time.Time
	Kind, Summary      string
	Actor, ClusterName *string
	Changes            []struct{ Path, From, To *string }
}

// is reports whether an entry begins as told: its kind, who did it or where it happened, and what.
func (e storyEntry) is(told string) bool {
	for _, by := range []*string{e.Actor, e.ClusterName} {
		if by != nil && strings.HasPrefix(e.Kind+" "+*by+" "+e.Summary, told) {
			return true
		}
	}
	return false
}

// timelineOf reads the whole timeline of a workload, page by page.
func timelineOf(t *testing.T, bearer, id string, since time.Time) (out []storyEntry, withheld []string) {
	t.Helper()
	var after any
	for range 50 {
		var data struct {
			Node *struct {
				Timeline *struct {
					Nodes    []storyEntry
					Withheld []string
					PageInfo struct {
						HasNextPage bool
						EndCursor   *string
					}
				}
			}
		}
		got := askAs(t, bearer, `query($id: ID!, $since: Time, $after: String) { node(id: $id) { ... on KubernetesObject { timeline(first: 7, after: $after, since: $since) {
			nodes { at kind actor clusterName summary changes { path from to } } withheld pageInfo { hasNextPage endCursor } } } } }`,
			map[string]any{"id": id, "since": since.UTC().Format(time.RFC3339), "after": after})
		if len(got.Errors) > 0 {
			t.Fatal(got.Errors)
		}
		if err := json.Unmarshal(got.Data, &data); err != nil {
			t.Fatal(err)
		}
		if data.Node == nil || data.Node.Timeline == nil {
			t.Fatalf("no timeline: %s", got.Data)
		}
		page := data.Node.Timeline
		out, withheld = append(out, page.Nodes...), page.Withheld
		if !page.PageInfo.HasNextPage {
			return out, withheld
		}
		after = *page.PageInfo.EndCursor
	}
	t.Fatal("the timeline does not end")
	return nil, nil
}

// tellsOf waits until a timeline has an entry of a kind about a member, or none, that begins as told.
func tellsOf(t *testing.T, id string, since time.Time, kind, cluster, summary string) {
	t.Helper()
	eventually(t, 90*time.Second, func() error {
		entries, _ := timelineOf(t, token, id, since)
		if !slices.ContainsFunc(entries, func(e storyEntry) bool {
			return e.Kind == kind && (cluster == "") == (e.ClusterName == nil) && (cluster == "" || cluster == *e.ClusterName) && strings.HasPrefix(e.Summary, summary)
		}) {
			return fmt.Errorf("no %s of %q says %q: %+v", kind, cluster, summary, entries)
		}
		return nil
	})
}

// An hour of more than ten changes by three people and two faults, its minutes compressed: the timeline has each of them, in order.
func TestATimelineTellsWhatChanged(t *testing.T) {
	whole(t)
	const namespace, name = "shop", "e2e-story"
	ref := model.Ref{Instance: "asia", GVK: verbKinds["deployments"], Namespace: namespace, Name: name}
	override := model.Ref{Instance: "asia", GVK: model.PolicyOverride.GVK(), Namespace: namespace, Name: name}
	clean := func() {
		for _, kind := range []string{"Deployment", "PropagationPolicy", "OverridePolicy"} {
			gvk := map[string]model.Ref{"Deployment": ref, "OverridePolicy": override, "PropagationPolicy": {Instance: "asia", GVK: verbKinds["propagationpolicies"], Namespace: namespace, Name: name}}[kind]
			mutated(t, token, "deleteResource", map[string]any{"id": gvk.ID()})
		}
		for _, name := range []string{name + "-graph", name + "-kubectl"} {
			mutated(t, token, "deletePolicy", map[string]any{"id": model.Ref{Instance: "asia", GVK: override.GVK, Namespace: namespace, Name: name}.ID()})
		}
	}
	clean()
	defer clean()
	since := time.Now().Add(-time.Second)
	editor := idTokenOf(t, "editor")
	owner := idTokenOf(t, "owner")
	text := fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: %[2]s}
spec: {replicas: 1, selector: {matchLabels: {app: %[1]s}}, template: {metadata: {labels: {app: %[1]s}}, spec: {containers: [{name: web, image: 'registry.example/web:1'}]}}}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: %[1]s, namespace: %[2]s}
spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: %[1]s}], placement: {clusterAffinity: {clusterNames: [singapore]}}}
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: %[1]s, namespace: %[2]s}
spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: %[1]s}], overrideRules: [{overriders: {labelsOverrider: [{operator: add, value: {story: "1"}}]}}]}
`, name, namespace)
	if got := apply(t, map[string]any{"manifests": text}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	eventually(t, 60*time.Second, func() error {
		_, err := clientset(t, "singapore").AppsV1().Deployments(namespace).Get(t.Context(), name, metav1.GetOptions{})
		return err
	})
	id := ref.ID()
	did := func(bearer, verb string, input map[string]any) {
		t.Helper()
		if got := mutated(t, bearer, verb, input); len(got) > 0 {
			t.Fatalf("%s: %s", verb, got)
		}
	}
	// Ten changes by three people. The entries of the timeline that have to be there, oldest first.
	want := []string{}
	step := func(bearer, who, verb string, input map[string]any) {
		t.Helper()
		did(bearer, verb, input)
		kind := "AUDIT"
		if verb == "patchResource" || strings.HasSuffix(verb, "Policy") {
			kind = "POLICY"
		}
		want = append(want, kind+" "+who+" "+verb)
	}
	administrator := into[struct{ Viewer struct{ Name string } }](t, `{ viewer { name } }`, nil).Viewer.Name
	step(token, administrator, "scaleWorkload", map[string]any{"id": id, "replicas": 2})
	step(editor, "kairship:oidc:editor", "updateWorkloadImage", map[string]any{"id": id, "container": "web", "image": "registry.example/web:2"})
	step(owner, "kairship:oidc:owner", "restartWorkload", map[string]any{"id": id})
	step(editor, "kairship:oidc:editor", "patchResource", map[string]any{"id": override.ID(), "patch": `{"metadata":{"labels":{"story":"2"}}}`})
	// Policies that are gone when the timeline is read: by the graph, and by kubectl, of which only Karmada's events tell whom it was about.
	gone := func(name string) (id, manifest string) {
		return model.Ref{Instance: "asia", GVK: override.GVK, Namespace: namespace, Name: name}.ID(),
			strings.ReplaceAll(text[strings.LastIndex(text, "---")+4:], "metadata: {name: e2e-story,", "metadata: {name: "+name+",")
	}
	broken, manifest := gone(name + "-graph")
	step(owner, "kairship:oidc:owner", "createPolicy", map[string]any{"instance": "asia", "manifest": manifest})
	step(editor, "kairship:oidc:editor", "deletePolicy", map[string]any{"id": broken})
	k := issue(t, owner, "asia", "", namespace)
	_, manifest = gone(name + "-kubectl")
	path := filepath.Join(t.TempDir(), "override.yaml")
	if err := os.WriteFile(path, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	k.does(t, "apply", "--server-side", "-f", path)
	tellsOf(t, id, since, "POLICY", "", "ApplyOverridePolicySucceed: Apply override policy("+namespace+"/"+name+"-kubectl)")
	k.does(t, "delete", "-f", path)
	want = append(want, "POLICY kairship:oidc:owner patch of OverridePolicy "+name+"-kubectl", "POLICY kairship:oidc:owner delete of OverridePolicy "+name+"-kubectl")
	step(token, administrator, "pauseWorkload", map[string]any{"id": id})
	step(owner, "kairship:oidc:owner", "resumeWorkload", map[string]any{"id": id})
	fault := func(kind, summary string) {
		t.Helper()
		tellsOf(t, id, since, kind, "singapore", summary)
		want = append(want, kind+" singapore "+summary)
	}
	// The first fault: an image that does not exist; the second: the member is gone.
	step(editor, "kairship:oidc:editor", "updateWorkloadImage", map[string]any{"id": id, "container": "web", "image": "registry.example/missing:1"})
	fault("EVENT", "Failed: Failed to pull image")
	step(owner, "kairship:oidc:owner", "scaleWorkload", map[string]any{"id": id, "replicas": 3})
	step(token, administrator, "updateWorkloadImage", map[string]any{"id": id, "container": "web", "image": "registry.example/web:3"})
	fleetDo(t, "stop", "singapore")
	t.Cleanup(func() { fleetDo(t, "start", "singapore") })
	fault("STATUS", "Ready is FALSE")
	fault("STATUS", "it was found not ready: TaintClusterSucceed: ")
	// Its condition told of the fault; when it is mended, Karmada's events do.
	want = slices.DeleteFunc(want, func(line string) bool { return line == "STATUS singapore Ready is FALSE" })
	fleetDo(t, "start", "singapore")
	fault("STATUS", "it was found ready: TaintClusterSucceed: ")
	fault("STATUS", "Ready is TRUE")
	want = want[:len(want)-1] // at the same moment
	step(editor, "kairship:oidc:editor", "scaleWorkload", map[string]any{"id": id, "replicas": 1})

	var entries []storyEntry
	eventually(t, 30*time.Second, func() error {
		entries, _ = timelineOf(t, token, id, since)
		left := slices.Clone(want)
		for _, e := range slices.Backward(entries) {
			if len(left) > 0 && e.is(left[0]) {
				left = left[1:]
			}
		}
		if len(left) > 0 {
			return fmt.Errorf("%d of %d changes and faults are missing, or out of order, from %q on", len(left), len(want), left[0])
		}
		return nil
	})
	if !slices.IsSortedFunc(entries, func(a, b storyEntry) int { return b.At.Compare(a.At) }) {
		t.Error("the timeline is not in order")
	}
	kinds := map[string]int{}
	for _, e := range entries {
		kinds[e.Kind]++
	}
	for _, kind := range []string{"AUDIT", "POLICY", "REVISION", "SCHEDULING", "STATUS"} {
		if kinds[kind] == 0 {
			t.Errorf("nothing of %s is told: %v", kind, kinds)
		}
	}
	image := slices.IndexFunc(entries, func(e storyEntry) bool {
		return e.Kind == "AUDIT" && e.Actor != nil && *e.Actor == "kairship:oidc:editor" && slices.ContainsFunc(e.Changes, func(c struct{ Path, From, To *string }) bool {
			return c.To != nil && *c.To == "registry.example/missing:1" && c.From != nil && *c.From == "registry.example/web:2"
		})
	})
	if image < 0 {
		t.Error("the audit log does not say from which image to which")
	}
	// Who may not read the audit log is told the rest, and that something is withheld.
	others, withheld := timelineOf(t, editor, id, since)
	if slices.ContainsFunc(others, func(e storyEntry) bool {
		return e.Kind == "AUDIT" || strings.Contains(e.Summary, "of OverridePolicy") || strings.Contains(e.Summary, "it was found")
	}) || !slices.Contains(withheld, "AUDIT") || len(others) == 0 {
		t.Errorf("an editor is told %d entries, of which withheld %v", len(others), withheld)
	}
	t.Logf("%d entries: %v", len(entries), kinds)
}
