package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kairship-io/kairship/internal/model"
)

// promptly is how soon somebody who follows is told of what Karmada knows.
const promptly = time.Second

// toldAt is when an event whose node says something came, from now on.
func toldAt(t *testing.T, s *stream, field string, says func(node string) bool) <-chan time.Time {
	t.Helper()
	at := make(chan time.Time, 1)
	go func() { // ends with the stream
		for raw := range s.events {
			var e struct{ Data map[string]heard }
			if json.Unmarshal(raw, &e) == nil && says(string(e.Data[field].Node)) {
				at <- time.Now()
				return
			}
		}
	}()
	return at
}

// knownAt is when a watch of the API server itself tells that an object is so.
func knownAt(t *testing.T, cluster string, of schema.GroupVersionResource, namespace, name string, is func(*unstructured.Unstructured) bool) <-chan time.Time {
	t.Helper()
	cfg := config(t, cluster)
	cfg.Timeout = 0 // of all that a watch tells
	server, err := dynamic.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w, err := server.Resource(of).Namespace(namespace).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	at := make(chan time.Time, 1)
	go func() { // ends with the watch
		for e := range w.ResultChan() {
			if o, ok := e.Object.(*unstructured.Unstructured); ok && o.GetName() == name && is(o) {
				at <- time.Now()
				return
			}
		}
	}()
	return at
}

// conditionOf is the status of a condition of an object; empty when it has none.
func conditionOf(o *unstructured.Unstructured, condition string) string {
	all, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, c := range all {
		if c, ok := c.(map[string]any); ok && c["type"] == condition {
			status, _ := c["status"].(string)
			return status
		}
	}
	return ""
}

// later is how long after the one the other was.
func later(t *testing.T, what string, known, told <-chan time.Time) time.Duration {
	t.Helper()
	late := time.After(2 * time.Minute)
	var first, second time.Time
	for first.IsZero() || second.IsZero() {
		select {
		case first = <-known:
			known = nil
		case second = <-told:
			told = nil
		case <-late:
			t.Fatalf("%s: after two minutes Karmada knows it: %t, the subscriber: %t", what, !first.IsZero(), !second.IsZero())
		}
	}
	took := second.Sub(first)
	t.Logf("%s: at the socket %s after Karmada knew it", what, took.Round(time.Millisecond))
	return took
}

var (
	clusterKind  = schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"}
	instanceKind = schema.GroupVersionResource{Group: "kairship.io", Version: "v1alpha1", Resource: "instances"}
)

// memberPromptly follows whether a member runs; once it does, or no longer, compare says whether that was at the socket promptly.
func memberPromptly(t *testing.T, instance, name string, up bool) (compare func()) {
	t.Helper()
	s := subscribe(t, fmt.Sprintf(`subscription { clusters(instance: %q) { type id node { name state } } }`, instance), nil)
	synced(t, s, "clusters")
	at := toldAt(t, s, "clusters", func(node string) bool {
		return strings.Contains(node, `"`+name+`"`) && strings.Contains(node, `"READY"`) == up
	})
	is := knownAt(t, instance, clusterKind, "", name, func(o *unstructured.Unstructured) bool { return (conditionOf(o, "Ready") == "True") == up })
	return promptlyOr(t, fmt.Sprintf("%s runs: %t", name, up), is, at)
}

// instancePromptly is memberPromptly of an instance. Of one that nobody reaches its Karmada knows nothing: it counts when Kairship's controllers have
// seen it.
func instancePromptly(t *testing.T, name string, up bool) (compare func()) {
	t.Helper()
	s := subscribe(t, `subscription { instances { type id node { name state } } }`, nil)
	synced(t, s, "instances")
	at := toldAt(t, s, "instances", func(node string) bool {
		return strings.Contains(node, `"`+name+`"`) && strings.Contains(node, `"RUNNING"`) == up
	})
	is := knownAt(t, "host", instanceKind, "", name, func(o *unstructured.Unstructured) bool { return (conditionOf(o, "APIServerReachable") == "True") == up })
	return promptlyOr(t, fmt.Sprintf("%s is reached: %t", name, up), is, at)
}

func promptlyOr(t *testing.T, what string, known, told <-chan time.Time) (compare func()) {
	return func() {
		t.Helper()
		if took := later(t, what, known, told); took > promptly {
			t.Errorf("%s: at the socket %s after it was known", what, took)
		}
	}
}

// What Karmada knows of pods and statistics is at the socket of who follows them within a second; of members and instances,
// TestAStoppedMemberIsSaidAndHarmsNoOther and TestAStoppedKarmadaLeavesTheRestOfThePage. A pod is tried a few times, and the middle one counts: the
// machine has other work.
func TestWhatKarmadaKnowsIsToldWithinASecond(t *testing.T) {
	whole(t)
	const space, rounds = "e2e-prompt", 3
	createNamespaces(t, "asia", space)
	d := deployment(space, "web")
	d["spec"].(map[string]any)["replicas"] = int64(1)
	makeObject(t, "asia", workloadsKinds["Deployment"], d)
	makeObject(t, "asia", policyResource("propagationpolicies"), propagationPolicy(space, "web", "apps/v1", "Deployment", "web"))
	pod := podOf(t, "hangzhou", space)
	id := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: space, Name: "web"}.ID()
	try := func(what string, once func(round int) time.Duration) {
		t.Helper()
		var took []time.Duration
		for i := range rounds {
			took = append(took, once(i))
		}
		if slices.Sort(took); took[rounds/2] > promptly {
			t.Errorf("%s: at the socket %s after Karmada knew it, at the best %s", what, took[rounds/2], took[0])
		}
	}

	// Nothing in a member of the playground makes a pod ready again.
	pods := subscribe(t, `subscription($of: ID!) { pods(of: $of) { type id node { name ready } } }`, map[string]any{"of": id})
	synced(t, pods, "pods")
	ready := func(yes bool) []byte {
		return fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":%q}],"containerStatuses":[{"name":"c","image":"registry.k8s.io/pause","imageID":"","ready":%t,"restartCount":0}]}}`,
			map[bool]string{true: "True", false: "False"}[yes], yes)
	}
	try("a pod turned unready", func(round int) time.Duration {
		yes := round%2 == 1
		says := fmt.Sprintf(`"ready":%t`, yes)
		at := toldAt(t, pods, "pods", func(node string) bool { return strings.Contains(node, pod) && strings.Contains(node, says) })
		is := knownAt(t, "hangzhou", podResource, space, pod, func(o *unstructured.Unstructured) bool {
			return conditionOf(o, "Ready") == map[bool]string{true: "True", false: "False"}[yes]
		})
		if _, err := karmada(t, "hangzhou").Resource(podResource).Namespace(space).Patch(t.Context(), pod, types.StrategicMergePatchType, ready(yes), metav1.PatchOptions{}, "status"); err != nil {
			t.Fatal(err)
		}
		return later(t, fmt.Sprintf("a pod is ready: %t", yes), is, at)
	})

	instances := subscribe(t, `subscription { instances { type id node { name statistics { workloads { kind total } } } } }`, nil)
	synced(t, instances, "instances")
	total := func(o *unstructured.Unstructured) string {
		all, _, _ := unstructured.NestedMap(o.Object, "status", "statistics", "workloads")
		raw, _ := json.Marshal(all)
		return string(raw)
	}
	now, err := karmada(t, "host").Resource(instanceKind).Get(t.Context(), "asia", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := total(now)
	at := toldAt(t, instances, "instances", func(node string) bool { return strings.Contains(node, `"asia"`) && strings.Contains(node, `"total"`) })
	is := knownAt(t, "host", instanceKind, "", "asia", func(o *unstructured.Unstructured) bool { return total(o) != before })
	makeObject(t, "asia", workloadsKinds["Deployment"], deployment(space, "counted"))
	if took := later(t, "statistics have changed", is, at); took > promptly {
		t.Errorf("that statistics have changed is at the socket %s after they had", took)
	}
}
