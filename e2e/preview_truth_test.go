package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/typed"
)

const truthNamespace = "e2e-preview"

// truthCase is one combination of objects and policies, and a change of one of the policies.
type truthCase struct {
	// name is that of what there is in it; objects and policies of one case have it in their names and labels.
	name string
	// objects are "kind name replicas cpu" with what may be left out; the name is put after that of the case.
	objects []string
	// along are objects that the Deployments among them name, and that no policy selects.
	along []string
	// given are policies that are there before: "name spec"; change is the one that is previewed, and then made.
	given  []string
	change string
	// deleted is the name of the policy that is deleted instead.
	deleted string
	// want is what the preview has to say of the first object: CHANGE RULE; empty for anything.
	want string
}

// placing is a case of one Deployment that a new policy claims.
func placing(name, object, placement string) truthCase {
	return truthCase{name: name, objects: []string{object}, change: "PropagationPolicy p {placement: {" + placement + "}}", want: "GAINED ONLY_MATCH"}
}

// editing is a case of one Deployment whose policy is changed.
func editing(name, object, before, after string) truthCase {
	return truthCase{name: name, objects: []string{object}, given: []string{"PropagationPolicy p {placement: {" + before + "}}"},
		change: "PropagationPolicy p {placement: {" + after + "}}"}
}

const (
	web        = "Deployment web 7"
	everywhere = "clusterAffinity: {clusterNames: [hangzhou, singapore, tokyo]}"
	divided    = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: "
	byRoom     = divided + "Weighted, weightPreference: {dynamicWeight: AvailableReplicas}}"
	aggregated = divided + "Aggregated}"
	duplicated = "replicaScheduling: {replicaSchedulingType: Duplicated}"
)

func weights(w ...string) string {
	var out []string
	for i := 0; i+1 < len(w); i += 2 {
		out = append(out, fmt.Sprintf("{targetCluster: {clusterNames: [%s]}, weight: %s}", w[i], w[i+1]))
	}
	return divided + "Weighted, weightPreference: {staticWeightList: [" + strings.Join(out, ", ") + "]}}"
}

func spread(c ...string) string { return "spreadConstraints: [" + strings.Join(c, ", ") + "]" }

func groups(g ...string) string { return "clusterAffinities: [" + strings.Join(g, ", ") + "]" }

const (
	inHangzhou  = "{affinityName: a, clusterNames: [hangzhou]}"
	inSingapore = "{affinityName: b, clusterNames: [singapore]}"
	inTokyo     = "{affinityName: c, clusterNames: [tokyo]}"
	nowhere     = "{affinityName: none, clusterNames: [nowhere]}"
	overflowing = "{affinityName: a, clusterNames: [tokyo], overflowAffinities: [{affinityName: b, clusterNames: [hangzhou]}]}"
)

// policyTruths are tried on the fleet as it is.
var policyTruths = []truthCase{
	placing("nothing", web, ""),
	placing("duplicated", web, everywhere+", "+duplicated),
	placing("names", web, "clusterAffinity: {clusterNames: [tokyo, hangzhou]}"),
	placing("exclude", web, "clusterAffinity: {exclude: [tokyo]}"),
	placing("names-exclude", web, "clusterAffinity: {clusterNames: [tokyo, hangzhou], exclude: [tokyo]}"),
	placing("provider", web, "clusterAffinity: {fieldSelector: {matchExpressions: [{key: provider, operator: In, values: [aws, gcp]}]}}"),
	placing("region-not", web, "clusterAffinity: {fieldSelector: {matchExpressions: [{key: region, operator: NotIn, values: [cn-hangzhou]}]}}"),
	placing("zone", web, "clusterAffinity: {fieldSelector: {matchExpressions: [{key: zone, operator: In, values: [cn-hangzhou-h, asia-northeast1-b]}]}}"),
	placing("zone-not", web, "clusterAffinity: {fieldSelector: {matchExpressions: [{key: zone, operator: NotIn, values: [cn-hangzhou-h]}]}}"),
	placing("labels", web, "clusterAffinity: {labelSelector: {matchLabels: {e2e-preview: here}}}"),
	placing("labels-not", web, "clusterAffinity: {labelSelector: {matchExpressions: [{key: e2e-preview, operator: DoesNotExist}]}}"),
	placing("nowhere", web, "clusterAffinity: {clusterNames: [nowhere]}"),
	placing("even-1", "Deployment web 1", everywhere+", "+weights("hangzhou", "1", "singapore", "1", "tokyo", "1")),
	placing("even-7", web, everywhere+", "+weights("hangzhou", "1", "singapore", "1", "tokyo", "1")),
	placing("even-8", "Deployment web 8", everywhere+", "+weights("hangzhou", "1", "singapore", "1", "tokyo", "1")),
	placing("weights-321", "Deployment web 10", everywhere+", "+weights("hangzhou", "3", "singapore", "2", "tokyo", "1")),
	placing("weights-21", web, everywhere+", "+weights("hangzhou", "2", "tokyo", "1")),
	placing("weights-large", web, everywhere+", "+weights("hangzhou", "100", "singapore", "1", "tokyo", "1")),
	placing("weights-none", web, everywhere+", "+weights("nowhere", "1")),
	placing("weights-outside", web, "clusterAffinity: {clusterNames: [tokyo]}, "+weights("hangzhou", "2", "tokyo", "1")),
	placing("weights-default", "Deployment web 11", everywhere+", "+divided+"Weighted}"),
	placing("weights-twice", "Deployment web 9", everywhere+", "+weights("hangzhou", "1", "hangzhou", "4", "tokyo", "2")),
	placing("weights-zero", "Deployment web 0", everywhere+", "+weights("hangzhou", "2", "tokyo", "1")),
	placing("divided-only", web, everywhere+", replicaScheduling: {}"),
	placing("room-3", "Deployment web 3", everywhere+", "+byRoom),
	placing("room-cpu", "Deployment web 9 2", everywhere+", "+byRoom),
	placing("room-none", "Deployment web 9000 2", everywhere+", "+byRoom),
	placing("aggregated-3", "Deployment web 3", everywhere+", "+aggregated),
	placing("aggregated-tokyo", "Deployment web 3 1", "clusterAffinity: {clusterNames: [tokyo]}, "+aggregated),
	placing("aggregated-wide", "Deployment web 12 12", everywhere+", "+aggregated),
	placing("aggregated-none", "Deployment web 900 12", everywhere+", "+aggregated),
	placing("spread-1", web, spread("{spreadByField: cluster, minGroups: 1, maxGroups: 1}")),
	placing("spread-2", web, spread("{spreadByField: cluster, minGroups: 2, maxGroups: 2}")),
	placing("spread-4", web, spread("{spreadByField: cluster, minGroups: 4, maxGroups: 5}")),
	placing("spread-2-aggregated", "Deployment web 4", spread("{spreadByField: cluster, minGroups: 2, maxGroups: 2}")+", "+aggregated),
	placing("spread-2-room", "Deployment web 4", spread("{spreadByField: cluster, minGroups: 1, maxGroups: 2}")+", "+byRoom),
	placing("spread-ignored", web, spread("{spreadByField: cluster, minGroups: 1, maxGroups: 1}")+", "+weights("hangzhou", "1", "singapore", "1", "tokyo", "1")),
	placing("spread-room-none", "Deployment web 30 8", spread("{spreadByField: cluster, minGroups: 1, maxGroups: 1}")+", "+byRoom),
	placing("region-2", web, spread("{spreadByField: region, minGroups: 2, maxGroups: 2}", "{spreadByField: cluster, minGroups: 2, maxGroups: 2}")),
	placing("region-1", web, spread("{spreadByField: region, minGroups: 1, maxGroups: 1}", "{spreadByField: cluster, minGroups: 1, maxGroups: 3}")),
	placing("region-4", web, spread("{spreadByField: region, minGroups: 4, maxGroups: 4}", "{spreadByField: cluster, minGroups: 1, maxGroups: 3}")),
	placing("region-room", "Deployment web 5", spread("{spreadByField: region, minGroups: 2, maxGroups: 3}", "{spreadByField: cluster, minGroups: 2, maxGroups: 3}")+", "+byRoom),
	placing("zone-spread", web, spread("{spreadByField: zone, minGroups: 1, maxGroups: 2}", "{spreadByField: cluster, minGroups: 1, maxGroups: 2}")),
	placing("provider-spread", web, spread("{spreadByField: provider, minGroups: 2, maxGroups: 2}", "{spreadByField: cluster, minGroups: 2, maxGroups: 2}")),
	placing("group-first", web, groups(inHangzhou, inSingapore)),
	placing("group-second", web, groups(nowhere, inSingapore)),
	placing("group-none", web, groups(nowhere)),
	placing("group-room", "Deployment web 40 1", groups(inTokyo, inHangzhou)+", "+aggregated),
	placing("overflow-unused", "Deployment web 3", groups(overflowing)+", "+byRoom),
	placing("overflow-used", "Deployment web 40 1", groups(overflowing)+", "+byRoom),
	placing("stateful", "StatefulSet web 5", everywhere+", "+weights("hangzhou", "2", "singapore", "1")),
	placing("job", "Job web 4", everywhere+", "+weights("hangzhou", "1", "singapore", "1")),
	placing("daemon", "DaemonSet web", everywhere+", "+weights("hangzhou", "1")),
	placing("config", "ConfigMap web", everywhere+", "+byRoom),
	placing("secret", "Secret web", "clusterAffinity: {clusterNames: [singapore]}"),
	placing("config-spread", "ConfigMap web", spread("{spreadByField: cluster, minGroups: 1, maxGroups: 2}")),

	// Who claims.
	{name: "by-priority", objects: []string{web}, given: []string{"PropagationPolicy a {priority: 1, placement: {}}"}, change: "PropagationPolicy b {priority: 9, placement: {}}", want: "UNCHANGED FIRST_CLAIM_STAYS"},
	{name: "preempt", objects: []string{web}, given: []string{"PropagationPolicy a {priority: 1, placement: {}}"},
		change: "PropagationPolicy b {priority: 9, preemption: Always, placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "GAINED PREEMPTION"},
	{name: "preempt-equal", objects: []string{web}, given: []string{"PropagationPolicy a {priority: 9, placement: {}}"},
		change: "PropagationPolicy b {priority: 9, preemption: Always, placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "UNCHANGED FIRST_CLAIM_STAYS"},
	{name: "preempt-cluster", objects: []string{web}, given: []string{"ClusterPropagationPolicy a {priority: 9, placement: {}}"},
		change: "PropagationPolicy b {preemption: Always, placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "GAINED PREEMPTION"},
	{name: "cluster-first", objects: []string{web}, given: []string{"ClusterPropagationPolicy a {priority: 1, placement: {}}"},
		change: "PropagationPolicy b {placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "UNCHANGED FIRST_CLAIM_STAYS"},
	{name: "cluster-preempt", objects: []string{web}, given: []string{"ClusterPropagationPolicy a {priority: 1, placement: {}}"},
		change: "ClusterPropagationPolicy b {priority: 2, preemption: Always, placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "GAINED PREEMPTION"},
	{name: "cluster-below", objects: []string{web}, given: []string{"PropagationPolicy a {priority: 1, placement: {}}"},
		change: "ClusterPropagationPolicy b {priority: 2, preemption: Always, placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "UNCHANGED FIRST_CLAIM_STAYS"},
	{name: "cluster-new", objects: []string{web}, change: "ClusterPropagationPolicy b {placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "GAINED ONLY_MATCH"},
	{name: "by-labels", objects: []string{web, "Deployment api 2"}, change: "PropagationPolicy b {resourceSelectors: labels, placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "GAINED ONLY_MATCH"},

	// Edits.
	editing("edit-names", web, "clusterAffinity: {clusterNames: [tokyo]}", "clusterAffinity: {clusterNames: [hangzhou, tokyo]}"),
	editing("edit-weights", web, everywhere+", "+weights("hangzhou", "3", "tokyo", "1"), everywhere+", "+weights("hangzhou", "1", "tokyo", "3")),
	editing("edit-static-to-room", web, everywhere+", "+weights("hangzhou", "3", "tokyo", "4"), everywhere+", "+byRoom),
	editing("edit-dup-to-static", web, everywhere, everywhere+", "+weights("hangzhou", "1", "tokyo", "1")),
	editing("edit-static-to-dup", web, everywhere+", "+weights("hangzhou", "1", "tokyo", "1"), everywhere+", "+duplicated),
	editing("edit-room-leave", "Deployment web 6", everywhere+", "+weights("hangzhou", "3", "singapore", "2", "tokyo", "1"), "clusterAffinity: {clusterNames: [hangzhou, tokyo]}, "+byRoom),
	editing("edit-aggregate-stay", "Deployment web 4", "clusterAffinity: {clusterNames: [tokyo]}, "+aggregated, everywhere+", "+aggregated),
	editing("edit-aggregate-leave", "Deployment web 4", "clusterAffinity: {clusterNames: [tokyo]}, "+aggregated, "clusterAffinity: {clusterNames: [singapore, hangzhou]}, "+aggregated),
	editing("edit-nowhere", web, "", "clusterAffinity: {clusterNames: [nowhere]}"),
	editing("edit-too-much", "Deployment web 30 8", "clusterAffinity: {clusterNames: [hangzhou]}", "clusterAffinity: {clusterNames: [tokyo]}, "+byRoom),
	editing("edit-spread-stays", web, "clusterAffinity: {clusterNames: [singapore]}", spread("{spreadByField: cluster, minGroups: 1, maxGroups: 1}")),
	editing("edit-unused-group", web, groups(inHangzhou, inSingapore)+", "+weights("hangzhou", "1"), groups(inHangzhou, inTokyo)+", "+weights("hangzhou", "1")),
	editing("edit-used-group", web, groups(inHangzhou, inSingapore), groups("{affinityName: a, clusterNames: [tokyo]}", inSingapore)),
	editing("edit-group-later", web, groups(nowhere, inSingapore), groups(inHangzhou, inSingapore)),
	editing("edit-nothing", web, everywhere, everywhere),
	{name: "edit-drop", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}}"}, change: "PropagationPolicy a {resourceSelectors: other, placement: {}}", want: "LOST NOT_SELECTED"},
	{name: "edit-drop-next", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}, priority: 2}", "PropagationPolicy b {placement: {clusterAffinity: {clusterNames: [tokyo]}}}"},
		change: "PropagationPolicy a {resourceSelectors: other, placement: {}, priority: 2}", want: "LOST ONLY_MATCH"},
	{name: "edit-take", objects: []string{web}, given: []string{"PropagationPolicy a {resourceSelectors: other, placement: {}}"}, change: "PropagationPolicy a {placement: {}}", want: "GAINED ONLY_MATCH"},
	{name: "edit-lower", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}, priority: 9}", "PropagationPolicy b {priority: 5, preemption: Always, placement: {clusterAffinity: {clusterNames: [tokyo]}}}"},
		change: "PropagationPolicy a {placement: {}, priority: 1}", want: "LOST PREEMPTION"},
	{name: "edit-lazy", objects: []string{web}, given: []string{"PropagationPolicy a {activationPreference: Lazy, placement: {clusterAffinity: {clusterNames: [hangzhou]}}}"},
		change: "PropagationPolicy a {activationPreference: Lazy, placement: {clusterAffinity: {clusterNames: [tokyo]}}}", want: "UNCHANGED FIRST_CLAIM_STAYS"},
	{name: "lazy", objects: []string{web}, change: "PropagationPolicy a {activationPreference: Lazy, placement: {}}", want: "GAINED ONLY_MATCH"},
	{name: "scheduler", objects: []string{web}, change: "PropagationPolicy a {schedulerName: another, placement: {}}", want: "GAINED ONLY_MATCH"},

	// Deletions.
	{name: "delete", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}}"}, deleted: "PropagationPolicy a", want: "LOST NO_OTHER_POLICY"},
	{name: "delete-next", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}, priority: 2}", "PropagationPolicy b {placement: {clusterAffinity: {clusterNames: [tokyo]}}}"},
		deleted: "PropagationPolicy a", want: "LOST ONLY_MATCH"},
	{name: "delete-priority", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}, priority: 9}", "PropagationPolicy b {priority: 1, placement: {}}",
		"PropagationPolicy c {priority: 2, placement: {clusterAffinity: {clusterNames: [tokyo]}}}"}, deleted: "PropagationPolicy a", want: "LOST PRIORITY"},
	{name: "delete-exact", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}, priority: 9}", "PropagationPolicy b {resourceSelectors: labels, placement: {}}",
		"PropagationPolicy c {placement: {clusterAffinity: {clusterNames: [tokyo]}}}"}, deleted: "PropagationPolicy a", want: "LOST SELECTOR_PRECISION"},
	{name: "delete-name", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}, priority: 9}", "PropagationPolicy c {placement: {}}",
		"PropagationPolicy b {placement: {clusterAffinity: {clusterNames: [tokyo]}}}"}, deleted: "PropagationPolicy a", want: "LOST NAME_ORDER"},
	{name: "delete-namespaced", objects: []string{web}, given: []string{"PropagationPolicy a {placement: {}, priority: 9}", "ClusterPropagationPolicy c {priority: 5, placement: {}}",
		"PropagationPolicy b {placement: {clusterAffinity: {clusterNames: [tokyo]}}}"}, deleted: "PropagationPolicy a", want: "LOST NAMESPACED_FIRST"},
	{name: "delete-cluster", objects: []string{web}, given: []string{"ClusterPropagationPolicy a {placement: {}}"}, deleted: "ClusterPropagationPolicy a", want: "LOST NO_OTHER_POLICY"},

	// What goes along.
	taking("deps-new", "", "propagateDeps: true, placement: {"+everywhere+", "+weights("hangzhou", "1", "tokyo", "1")+"}"),
	taking("deps-not", "", "placement: {"+everywhere+"}"),
	taking("deps-move", "propagateDeps: true, placement: {clusterAffinity: {clusterNames: [hangzhou, tokyo]}}", "propagateDeps: true, placement: {clusterAffinity: {clusterNames: [tokyo, singapore]}}"),
	taking("deps-on", "placement: {clusterAffinity: {clusterNames: [hangzhou]}}", "propagateDeps: true, placement: {clusterAffinity: {clusterNames: [hangzhou]}}"),
	taking("deps-off", "propagateDeps: true, placement: {clusterAffinity: {clusterNames: [hangzhou]}}", "propagateDeps: false, placement: {clusterAffinity: {clusterNames: [hangzhou]}}"),
	taking("deps-lazy", "activationPreference: Lazy, propagateDeps: true, placement: {clusterAffinity: {clusterNames: [hangzhou]}}", "activationPreference: Lazy, propagateDeps: true, placement: {clusterAffinity: {clusterNames: [tokyo]}}"),
	taking("deps-nowhere", "propagateDeps: true, placement: {clusterAffinity: {clusterNames: [hangzhou]}}", "propagateDeps: true, placement: {clusterAffinity: {clusterNames: [nowhere]}}"),
	taking("deps-delete", "propagateDeps: true, placement: {clusterAffinity: {clusterNames: [hangzhou]}}", ""),
}

// taking is a case of a Deployment that names objects of four kinds, and one that is not there; without a spec after it the policy is
// deleted.
func taking(name, before, after string) truthCase {
	c := truthCase{name: name, objects: []string{web}, along: []string{"ConfigMap settings", "Secret keys", "ServiceAccount robot", "PersistentVolumeClaim disk"}}
	if before != "" {
		c.given = []string{"PropagationPolicy p {" + before + "}"}
	}
	if c.change = "PropagationPolicy p {" + after + "}"; after == "" {
		c.change, c.deleted = "", "PropagationPolicy p"
	}
	return c
}

// taintedTruths are tried with tokyo tainted, and singapore in the region of hangzhou.
var taintedTruths = []truthCase{
	placing("taint", web, everywhere),
	placing("taint-exists", web, everywhere+", clusterTolerations: [{key: e2e-preview, operator: Exists}]"),
	placing("taint-equal", web, everywhere+", clusterTolerations: [{key: e2e-preview, operator: Equal, value: 'yes', effect: NoSchedule}]"),
	placing("taint-value", web, everywhere+", clusterTolerations: [{key: e2e-preview, operator: Equal, value: 'no', effect: NoSchedule}]"),
	placing("taint-effect", web, everywhere+", clusterTolerations: [{key: e2e-preview, operator: Exists, effect: NoExecute}]"),
	placing("taint-weights", web, everywhere+", "+weights("hangzhou", "1", "tokyo", "5")),
	placing("taint-only", web, "clusterAffinity: {clusterNames: [tokyo]}"),
	placing("taint-groups", web, groups(inTokyo, inSingapore)),
	placing("tainted-region-1", web, spread("{spreadByField: region, minGroups: 1, maxGroups: 1}", "{spreadByField: cluster, minGroups: 1, maxGroups: 2}")),
	placing("tainted-region-2", web, spread("{spreadByField: region, minGroups: 2, maxGroups: 2}", "{spreadByField: cluster, minGroups: 2, maxGroups: 2}")),
	placing("tolerated-region-2", web, spread("{spreadByField: region, minGroups: 2, maxGroups: 2}", "{spreadByField: cluster, minGroups: 2, maxGroups: 3}")+", clusterTolerations: [{operator: Exists}]"),
	placing("tolerated-region-room", "Deployment web 6", spread("{spreadByField: region, minGroups: 1, maxGroups: 2}", "{spreadByField: cluster, minGroups: 2, maxGroups: 2}")+", clusterTolerations: [{operator: Exists}], "+byRoom),
}

// What a preview says is what Karmada then does: claims, clusters and replicas.
func TestPreviewsAreWhatKarmadaDoes(t *testing.T) {
	whole(t)
	w := newTruthWorld(t)
	all := len(policyTruths) + len(taintedTruths)
	wrong := w.try(policyTruths)
	w.disturb()
	wrong += w.try(taintedTruths)
	fmt.Fprintf(os.Stdout, "preview truth: %d of %d\n", all-wrong, all)
	if wrong > 0 || all < 60 {
		t.Errorf("preview truth: %d of %d", all-wrong, all)
	}
}

// truthWorld is a fleet on which previews are compared with what Karmada does.
type truthWorld struct {
	*testing.T
	asia dynamic.Interface
}

func newTruthWorld(t *testing.T) *truthWorld {
	t.Helper()
	w := &truthWorld{T: t, asia: karmada(t, "asia")}
	removeNamespace(t, truthNamespace)
	leaveNothing(t, truthNamespace)
	cpp := w.asia.Resource(schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: "clusterpropagationpolicies"})
	sweep := func() {
		list, err := cpp.List(context.WithoutCancel(t.Context()), metav1.ListOptions{LabelSelector: "e2e=preview"})
		if err != nil {
			t.Error(err)
			return
		}
		for i := range list.Items {
			if err := cpp.Delete(context.WithoutCancel(t.Context()), list.Items[i].GetName(), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
				t.Error(err)
			}
		}
	}
	sweep()
	t.Cleanup(sweep)
	w.patchCluster("hangzhou", `{"metadata":{"labels":{"e2e-preview":"here"}}}`, `{"metadata":{"labels":{"e2e-preview":null}}}`)
	w.make("{apiVersion: v1, kind: Namespace, metadata: {name: " + truthNamespace + ", labels: {namespace.karmada.io/skip-auto-propagation: 'true'}}}")
	return w
}

// disturb taints a cluster, and moves another one to another region, until the test ends.
func (w *truthWorld) disturb() {
	w.Helper()
	w.patchCluster("tokyo", `{"spec":{"taints":[{"key":"e2e-preview","value":"yes","effect":"NoSchedule"}]}}`, `{"spec":{"taints":[]}}`)
	w.patchCluster("singapore", `{"spec":{"region":"cn-hangzhou"}}`, `{"spec":{"region":"ap-southeast-1"}}`)
}

// patchCluster changes a member, and changes it back when the test ends. Kairship has seen the change when it returns.
func (w *truthWorld) patchCluster(name, patch, back string) {
	w.Helper()
	clusters := w.asia.Resource(schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"})
	send := func(ctx context.Context, patch string) {
		if _, err := clusters.Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			w.Errorf("%s: %v", name, err)
		}
	}
	type cluster struct {
		Instance struct {
			Cluster struct {
				Region string
				Labels []struct{ Key string }
				Taints []struct{ Key string }
			}
		}
	}
	query := `query($name: String!) { instance(name: "asia") { cluster(name: $name) { region labels { key } taints { key } } } }`
	before := into[cluster](w.T, query, map[string]any{"name": name})
	send(w.Context(), patch)
	w.Cleanup(func() { send(context.WithoutCancel(w.Context()), back) })
	eventually(w.T, 20*time.Second, func() error {
		now, err := read[cluster](w.T, query, map[string]any{"name": name})
		if err == nil && fmt.Sprint(now) == fmt.Sprint(before) {
			err = fmt.Errorf("%s is as before", name)
		}
		return err
	})
}

// resourceOf is where objects of the kinds of the cases are.
func (w *truthWorld) resourceOf(o *unstructured.Unstructured) dynamic.ResourceInterface {
	gvk := o.GroupVersionKind()
	plural := strings.ToLower(gvk.Kind) + "s"
	if p, ok := strings.CutSuffix(plural, "ys"); ok {
		plural = p + "ies"
	}
	r := w.asia.Resource(gvk.GroupVersion().WithResource(plural))
	if o.GetNamespace() == "" {
		return r
	}
	return r.Namespace(o.GetNamespace())
}

func object(text string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		panic(text + ": " + err.Error()) //nolint:forbidigo // a mistake in a test's own table
	}
	return o
}

// make makes an object, or changes it.
func (w *truthWorld) make(text string) {
	o := object(text)
	// Karmada's own fields of a policy stay.
	_, err := w.resourceOf(o).Apply(w.Context(), o.GetName(), o, metav1.ApplyOptions{FieldManager: "e2e", Force: true})
	if err != nil {
		w.Errorf("%s %s: %v", o.GetKind(), o.GetName(), err)
	}
}

// manifestOf is an object of a case.
func (c *truthCase) manifestOf(text string) string {
	f := append(strings.Fields(text), "", "", "")
	kind, name, replicas, cpu := f[0], c.name+"-"+f[1], f[2], f[3]
	requests := ""
	if cpu != "" {
		requests = ", resources: {requests: {cpu: '" + cpu + "'}}"
	}
	needs := ""
	if len(c.along) > 0 {
		needs = "serviceAccountName: " + c.name + "-robot, volumes: [{name: a, configMap: {name: " + c.name + "-settings}}, {name: b, secret: {secretName: " + c.name +
			"-keys}}, {name: c, persistentVolumeClaim: {claimName: " + c.name + "-disk}}, {name: d, configMap: {name: " + c.name + "-missing}}], "
	}
	template := "{metadata: {labels: {app: " + name + "}}, spec: {" + needs + "containers: [{name: web, image: registry.example/web:1" + requests + "}]}}"
	meta := "metadata: {namespace: " + truthNamespace + ", name: " + name + ", labels: {case: " + c.name + "}}"
	selector := "selector: {matchLabels: {app: " + name + "}}, template: " + template
	switch kind {
	case "Deployment":
		return "{apiVersion: apps/v1, kind: Deployment, " + meta + ", spec: {replicas: " + replicas + ", " + selector + "}}"
	case "StatefulSet":
		return "{apiVersion: apps/v1, kind: StatefulSet, " + meta + ", spec: {serviceName: web, replicas: " + replicas + ", " + selector + "}}"
	case "DaemonSet":
		return "{apiVersion: apps/v1, kind: DaemonSet, " + meta + ", spec: {" + selector + "}}"
	case "Job":
		return "{apiVersion: batch/v1, kind: Job, " + meta + ", spec: {parallelism: " + replicas + ", completions: " + replicas +
			", template: " + strings.Replace(template, "spec: {", "spec: {restartPolicy: Never, ", 1) + "}}"
	}
	if kind == "PersistentVolumeClaim" {
		meta += ", spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}"
	}
	return "{apiVersion: v1, kind: " + kind + ", " + meta + "}"
}

// policyOf is a policy of a case: "Kind name {spec}". Nothing is sent to the members, whose room the other cases are about.
func (c *truthCase) policyOf(text string) string {
	kind, rest, _ := strings.Cut(text, " ")
	name, spec, _ := strings.Cut(rest, " ")
	var kinds []string
	byName := []string{}
	for _, o := range c.objects {
		m := object(c.manifestOf(o))
		byName = append(byName, fmt.Sprintf("{apiVersion: %s, kind: %s, namespace: %s, name: %s}", m.GetAPIVersion(), m.GetKind(), truthNamespace, m.GetName()))
		kinds = append(kinds, fmt.Sprintf("{apiVersion: %s, kind: %s, namespace: %s, labelSelector: {matchLabels: {case: %s}}}", m.GetAPIVersion(), m.GetKind(), truthNamespace, c.name))
	}
	slices.Sort(kinds)
	selectors := "[" + strings.Join(byName, ", ") + "]"
	switch {
	case strings.Contains(spec, "resourceSelectors: labels, "):
		selectors = "[" + strings.Join(slices.Compact(kinds), ", ") + "]"
	case strings.Contains(spec, "resourceSelectors: other, "):
		selectors = "[{apiVersion: v1, kind: ConfigMap, name: none-" + c.name + "}]"
	}
	spec = strings.NewReplacer("resourceSelectors: labels, ", "", "resourceSelectors: other, ", "").Replace(spec)
	meta := "name: " + c.name + "-" + name + ", labels: {e2e: preview}"
	if kind == "PropagationPolicy" {
		meta += ", namespace: " + truthNamespace
	}
	return "{apiVersion: policy.karmada.io/v1alpha1, kind: " + kind + ", metadata: {" + meta + "}, spec: {resourceSelectors: " + selectors +
		", suspension: {dispatching: true}, " + strings.TrimPrefix(spec, "{") + "}"
}

// changed is the policy that the case changes.
func (c *truthCase) changed() *unstructured.Unstructured {
	if c.deleted == "" {
		return object(c.policyOf(c.change))
	}
	return object(c.policyOf(c.deleted + " {placement: {}}"))
}

// form is the change of the case as its typed input says it, with null for what there is not; nil for a deletion.
func (c *truthCase) form() map[string]any {
	if c.deleted != "" {
		return nil
	}
	after := c.changed()
	raw, err := after.MarshalJSON()
	if err == nil {
		err = after.UnmarshalJSON(raw) // as API machinery reads it: with whole numbers
	}
	if err != nil {
		panic(err) //nolint:forbidigo // a mistake in a test's own table
	}
	i := slices.IndexFunc(typed.Policies, func(k typed.Kind) bool { return k.GVK == after.GroupVersionKind() })
	out := overlay.Read(typed.Policies[i].Form, after.Object)
	out["name"] = after.GetName()
	if after.GetNamespace() != "" {
		out["namespace"] = after.GetNamespace()
	}
	in := map[string]any{"policy": out}
	for _, text := range c.given {
		if p := object(c.policyOf(text)); p.GetName() == after.GetName() && p.GetKind() == after.GetKind() {
			in["id"] = model.Ref{Instance: "asia", GVK: p.GroupVersionKind(), Namespace: p.GetNamespace(), Name: p.GetName()}.ID()
		}
	}
	return in
}

// fate is what became of an object: "POLICY: CLUSTER=REPLICAS …".
type fate map[string]string

// fates are what Karmada has made of all objects of the cases, by kind and name.
func (w *truthWorld) fates() fate {
	out := fate{}
	claims := map[string]string{}
	for _, gvr := range []schema.GroupVersionResource{
		{Group: "apps", Version: "v1", Resource: "deployments"}, {Group: "apps", Version: "v1", Resource: "statefulsets"}, {Group: "apps", Version: "v1", Resource: "daemonsets"},
		{Group: "batch", Version: "v1", Resource: "jobs"}, {Version: "v1", Resource: "configmaps"}, {Version: "v1", Resource: "secrets"},
		{Version: "v1", Resource: "serviceaccounts"}, {Version: "v1", Resource: "persistentvolumeclaims"},
	} {
		list, err := w.asia.Resource(gvr).Namespace(truthNamespace).List(w.Context(), metav1.ListOptions{})
		if err != nil {
			w.Fatal(err)
		}
		for i := range list.Items {
			a := list.Items[i].GetAnnotations()
			claim := a["clusterpropagationpolicy.karmada.io/name"]
			if name := a["propagationpolicy.karmada.io/name"]; name != "" {
				claim = name
			}
			claims[list.Items[i].GetKind()+" "+list.Items[i].GetName()] = claim
		}
	}
	bindings, err := w.asia.Resource(schema.GroupVersionResource{Group: "work.karmada.io", Version: "v1alpha2", Resource: "resourcebindings"}).Namespace(truthNamespace).List(w.Context(), metav1.ListOptions{})
	if err != nil {
		w.Fatal(err)
	}
	placed := map[string]string{}
	for i := range bindings.Items {
		var b struct {
			Spec struct {
				Resource struct{ Kind, Name string }
				Clusters []struct {
					Name     string
					Replicas int
				}
				RequiredBy []struct{ Clusters []struct{ Name string } }
			}
		}
		raw, err := bindings.Items[i].MarshalJSON()
		if err == nil {
			err = json.Unmarshal(raw, &b)
		}
		if err != nil {
			w.Fatal(err)
		}
		var at []string
		for _, c := range b.Spec.Clusters {
			at = append(at, fmt.Sprintf("%s=%d", c.Name, c.Replicas))
		}
		for _, by := range b.Spec.RequiredBy {
			for _, c := range by.Clusters {
				at = append(at, c.Name+"=0")
			}
		}
		slices.Sort(at)
		placed[b.Spec.Resource.Kind+" "+b.Spec.Resource.Name] = strings.Join(at, " ")
	}
	for of, claim := range claims {
		out[of] = claim + ": " + placed[of]
	}
	return out
}

// of is the part of a case.
func (f fate) of(c *truthCase) fate {
	out := fate{}
	for _, text := range slices.Concat(c.objects, c.along) {
		o := object(c.manifestOf(text))
		out[o.GetKind()+" "+o.GetName()] = f[o.GetKind()+" "+o.GetName()]
	}
	return out
}

// previewed is a preview as the graph gives it.
type previewed struct {
	PreviewPropagationPolicy struct {
		Findings []struct{ Code string }
		Rows     struct {
			TotalCount int
			Nodes      []struct {
				Object        struct{ Kind, Name string }
				Change, Rule  string
				By            *struct{ Name string }
				Before, After []struct {
					ClusterName string
					Replicas    int
				}
				Findings   []struct{ Code, Message string }
				Dependents []struct {
					Object        struct{ Kind, Name string }
					Before, After []struct {
						ClusterName string
						Replicas    int
					}
				}
			}
		}
	}
}

const previewQuery = `query($in: PreviewPropagationPolicyInput!) { previewPropagationPolicy(input: $in) { findings { code }
	rows(first: 20) { totalCount nodes { object { kind name } change rule by { kind namespace name } before { clusterName replicas } after { clusterName replicas } findings { code message }
	dependents { object { kind name } before { clusterName } after { clusterName } } } } } }`

// foreseen is what the preview of a case says: what will become of its objects, and what it says of the first. Before is what it
// thinks they are now.
func (w *truthWorld) foreseen(c *truthCase, now fate) (before, after fate, said string, err error) {
	policy := c.changed()
	in := map[string]any{"instance": "asia"}
	if c.deleted != "" {
		gvk := policy.GroupVersionKind()
		in["delete"], in["id"] = true, model.Ref{Instance: "asia", GVK: gvk, Namespace: policy.GetNamespace(), Name: policy.GetName()}.ID()
	} else {
		in["manifest"] = c.policyOf(c.change)
	}
	data, err := read[previewed](w.T, previewQuery, map[string]any{"in": in})
	if err != nil {
		return nil, nil, "", err
	}
	if form := c.form(); form != nil {
		delete(in, "manifest")
		maps.Copy(in, form)
		typed, err := read[previewed](w.T, previewQuery, map[string]any{"in": in})
		if err != nil {
			return nil, nil, "", err
		}
		if diff := cmp.Diff(data, typed); diff != "" {
			return nil, nil, "", fmt.Errorf("%s: by its form (+) it is previewed otherwise than by its manifest: %s", c.name, diff)
		}
	}
	before, after = fate{}, maps.Clone(now)
	for of, is := range now {
		before[of] = is
	}
	for _, row := range data.PreviewPropagationPolicy.Rows.Nodes {
		of := row.Object.Kind + " " + row.Object.Name
		claim, _, _ := strings.Cut(now[of], ": ")
		before[of] = claim + ": " + clustersText(row.Before)
		switch row.Change {
		case "GAINED", "MOVED":
			claim = policy.GetName()
		case "LOST":
			claim = ""
			if row.By != nil {
				claim = row.By.Name
			}
		}
		after[of] = claim + ": " + clustersText(row.After)
		for _, d := range row.Dependents {
			of := d.Object.Kind + " " + d.Object.Name
			before[of], after[of] = ": "+clustersText(d.Before), ": "+clustersText(d.After)
		}
		if strings.HasSuffix(of, "-web") || said == "" {
			said = row.Change + " " + row.Rule
		}
		for _, f := range row.Findings {
			said += " " + f.Code
		}
	}
	return before, after, said, nil
}

func clustersText(list []struct {
	ClusterName string
	Replicas    int
},
) string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s=%d", c.ClusterName, c.Replicas))
	}
	return strings.Join(out, " ")
}

// try tries cases, all of them at once, and returns how many previews were wrong.
func (w *truthWorld) try(cases []truthCase) (wrong int) {
	w.Helper()
	began := time.Now()
	each := func(do func(c *truthCase)) {
		g := errgroup.Group{}
		g.SetLimit(6)
		for i := range cases {
			g.Go(func() error { do(&cases[i]); return nil })
		}
		_ = g.Wait() // they report themselves
	}
	each(func(c *truthCase) {
		for _, text := range c.given {
			w.make(c.policyOf(text))
		}
	})
	each(func(c *truthCase) {
		for _, text := range slices.Concat(c.along, c.objects) {
			w.make(c.manifestOf(text))
		}
	})
	made := time.Since(began)
	start := w.settled(cases)
	settled := time.Since(began)
	type expected struct {
		after fate
		said  string
	}
	want := make([]expected, len(cases))
	each(func(c *truthCase) {
		i := slices.IndexFunc(cases, func(o truthCase) bool { return o.name == c.name })
		// What is seen has reached the read store, too.
		eventually(w.T, 30*time.Second, func() error {
			before, after, said, err := w.foreseen(c, start.of(c))
			if err == nil && (said == "" && c.want != "" || !maps.Equal(before, start.of(c))) {
				err = fmt.Errorf("%s: the preview begins with %v, and it is %v", c.name, before, start.of(c))
			}
			want[i] = expected{after, said}
			return err
		})
	})
	seen := time.Since(began)
	each(func(c *truthCase) {
		if c.deleted == "" {
			w.make(c.policyOf(c.change))
			return
		}
		o := c.changed()
		if err := w.resourceOf(o).Delete(w.Context(), o.GetName(), metav1.DeleteOptions{}); err != nil {
			w.Error(err)
		}
	})
	end := w.settled(cases)
	for i := range cases {
		c := &cases[i]
		if got := end.of(c); !maps.Equal(got, want[i].after) || !strings.HasPrefix(want[i].said, c.want) {
			wrong++
			w.Errorf("%s: it was %v; the preview says %q and %v (want %q); Karmada made of it %v", c.name, start.of(c), want[i].said, want[i].after, c.want, got)
		}
	}
	w.Logf("%d cases: made after %s, settled %s, previewed %s, done %s", len(cases), made.Round(time.Millisecond), settled.Round(time.Millisecond), seen.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
	return wrong
}

// settled waits until Karmada has done what it does: nothing has changed for some seconds.
func (w *truthWorld) settled(cases []truthCase) fate {
	w.Helper()
	var last fate
	since := time.Now()
	eventually(w.T, time.Minute, func() error {
		now := w.fates()
		if !maps.Equal(now, last) {
			last, since = now, time.Now()
		}
		if quiet := time.Since(since); quiet < 4*time.Second {
			return fmt.Errorf("it is quiet for %s", quiet)
		}
		return nil
	})
	return last
}
