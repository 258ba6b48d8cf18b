package typed_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/typed"
)

// parsed is YAML as a JSON object.
func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func lines(problems []overlay.Problem) (out []string) {
	for _, p := range problems {
		out = append(out, strings.Join(p.Field, ".")+" | "+p.Message())
	}
	return out
}

func TestANewPolicy(t *testing.T) {
	k := typed.ByField(typed.Policies, "propagationPolicy")
	got, problems := k.New(parsed(t, `
name: web
namespace: shop
labels: [{key: team, value: blue}]
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, labelSelector: {matchLabels: [{key: app, value: web}], matchExpressions: []}}]
preemption: NEVER
activationPreference: LAZY
placement:
  clusterAffinity: null
  clusterAffinities: [{affinityName: near, clusterNames: [tokyo], exclude: []}]
  clusterTolerations: [{key: gpu, operator: EXISTS, effect: NO_SCHEDULE, tolerationSeconds: 0}]
  spreadConstraints: [{spreadByField: CLUSTER, minGroups: 2, maxGroups: 0}]
  replicaScheduling: {type: DIVIDED, weightPreference: {dynamicWeight: AVAILABLE_REPLICAS}}
suspension: {dispatchingOnClusters: [tokyo]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(parsed(t, `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop, labels: {team: blue}}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, labelSelector: {matchLabels: {app: web}}}]
  preemption: Never
  activationPreference: Lazy
  placement:
    clusterAffinities: [{affinityName: near, clusterNames: [tokyo]}]
    clusterTolerations: [{key: gpu, operator: Exists, effect: NoSchedule, tolerationSeconds: 0}]
    spreadConstraints: [{spreadByField: cluster, minGroups: 2}]
    replicaScheduling: {replicaSchedulingType: Divided, weightPreference: {dynamicWeight: AvailableReplicas}}
  suspension: {dispatchingOnClusters: {clusterNames: [tokyo]}}`), got); diff != "" {
		t.Error(diff)
	}
}

func TestWrongInputsNameTheirField(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct{ field, input, want string }{
		"no name": {"propagationPolicy", `{namespace: a}`, "propagationPolicy.name | propagationPolicy.name: is missing"},
		"no namespace": {"overridePolicy", `{name: a}`,
			"overridePolicy.namespace | overridePolicy.namespace: is missing: a OverridePolicy is in a namespace"},
		"a namespace of a cluster-wide policy": {"clusterPropagationPolicy", `{name: a, namespace: b}`,
			`clusterPropagationPolicy.namespace | clusterPropagationPolicy.namespace: is "b", and a ClusterPropagationPolicy is in none`},
		"both affinities": {"clusterPropagationPolicy", `{name: a, placement: {clusterAffinity: {}, clusterAffinities: [{affinityName: x}]}}`,
			"clusterPropagationPolicy.placement.clusterAffinities | clusterPropagationPolicy.placement.clusterAffinities: stands beside clusterAffinity; give exactly one of them, and null for the other one"},
		"more groups at least than at most": {"clusterPropagationPolicy", `{name: a, placement: {spreadConstraints: [{minGroups: 1}, {spreadByField: REGION, minGroups: 3, maxGroups: 2}]}}`,
			"clusterPropagationPolicy.placement.spreadConstraints.1.minGroups | clusterPropagationPolicy.placement.spreadConstraints[1].minGroups: is 3, more than maxGroups, which is 2"},
		"fewer groups than none": {"clusterPropagationPolicy", `{name: a, placement: {spreadConstraints: [{minGroups: -1}]}}`,
			"clusterPropagationPolicy.placement.spreadConstraints.0.minGroups | clusterPropagationPolicy.placement.spreadConstraints[0].minGroups: is -1; it has to be 0 or more"},
		"a field and a label": {"clusterPropagationPolicy", `{name: a, placement: {spreadConstraints: [{spreadByField: ZONE, spreadByLabel: x}]}}`,
			"clusterPropagationPolicy.placement.spreadConstraints.0.spreadByLabel | clusterPropagationPolicy.placement.spreadConstraints[0].spreadByLabel: stands beside spreadByField; give exactly one of them, and null for the other one"},
		"suspended twice": {"clusterPropagationPolicy", `{name: a, suspension: {dispatching: true, dispatchingOnClusters: [b]}}`,
			"clusterPropagationPolicy.suspension.dispatchingOnClusters | clusterPropagationPolicy.suspension.dispatchingOnClusters: stands beside dispatching; with it nothing is sent to any cluster, so give one of them"},
		"a selector without values": {"clusterOverridePolicy", `{name: a, resourceSelectors: [{apiVersion: v1, kind: ConfigMap, labelSelector: {matchExpressions: [{key: a, operator: IN, values: []}]}}]}`,
			`clusterOverridePolicy.resourceSelectors.0.labelSelector.matchExpressions.0 | clusterOverridePolicy.resourceSelectors[0].labelSelector.matchExpressions[0]: selects nothing: values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`},
		"no JSON": {"clusterOverridePolicy", `{name: a, overrideRules: [{overriders: {plaintext: [{path: /a, operator: ADD, value: blue}]}}]}`,
			`clusterOverridePolicy.overrideRules.0.overriders.plaintext.0.value | clusterOverridePolicy.overrideRules[0].overriders.plaintext[0].value: is "blue", which is not JSON: a text is written with its quotes, as in "\"blue\""`},
		"rules beside the deprecated form": {"clusterOverridePolicy", `{name: a, overrideRules: [{overriders: {}}], targetCluster: {clusterNames: [b]}}`,
			"clusterOverridePolicy.targetCluster | clusterOverridePolicy.targetCluster: is deprecated and stands beside overrideRules; say in the rules what it says, and give null for it"},
		"a key twice": {"clusterOverridePolicy", `{name: a, labels: [{key: x, value: "1"}, {key: x, value: "2"}]}`,
			`clusterOverridePolicy.labels.1.key | clusterOverridePolicy.labels[1].key: is "x", which entry 0 has, too; a key is given once`},
		"too much": {"clusterOverridePolicy", `{name: a, labels: [{key: x, value: "` + long + `"}]}`,
			"clusterOverridePolicy | clusterOverridePolicy: has 6 values and 1048578 bytes of text; at most 20000 and 1048576 are allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := typed.ByField(typed.Policies, c.field).New(parsed(t, c.input))
			if diff := cmp.Diff([]string{c.want}, lines(problems)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What was wrong before does not stand in the way of another change, and a wrong change changes nothing.
func TestOnlyNewProblemsAreTold(t *testing.T) {
	k := typed.ByField(typed.Policies, "propagationPolicy")
	o := parsed(t, `{metadata: {name: a}, spec: {placement: {clusterAffinity: {}, clusterAffinities: [{affinityName: x}]}}}`)
	if got := k.Lay(o, map[string]any{"priority": int64(3)}); len(got) > 0 {
		t.Error(got)
	}
	got := k.Lay(o, parsed(t, `{suspension: {dispatching: true, dispatchingOnClusters: [b]}}`))
	if len(got) != 1 {
		t.Error(got)
	}
	if got := k.Names(parsed(t, `{name: b}`), "shop", "a"); len(got) != 1 || strings.Join(got[0].Field, ".") != "propagationPolicy.name" {
		t.Error(got)
	}
}

func TestPathsOfKarmadaNameTheInput(t *testing.T) {
	input := parsed(t, `{labels: [{key: a, value: "1"}, {key: "b.example/c", value: "!"}], resourceSelectors: [{labelSelector: {matchLabels: [{key: q, value: "1"}]}}]}`)
	for path, want := range map[string]string{
		"spec.placement.spreadConstraints.0.minGroups":                         "placement.spreadConstraints.0.minGroups",
		"spec.placement.spreadConstraints":                                     "placement.spreadConstraints",
		"spec.placement.replicaScheduling.replicaSchedulingType":               "placement.replicaScheduling.type",
		"spec.placement.replicaScheduling.weightPreference.staticWeightList.2": "placement.replicaScheduling.weightPreference.staticWeights.2",
		"spec.placement.clusterAffinities.1.overflowAffinities.0.affinityName": "placement.clusterAffinities.1.overflowAffinities.0.affinityName",
		"spec.suspension.suspension":                                           "suspension",
		"spec.suspension.dispatchingOnClusters":                                "suspension.dispatchingOnClusters",
		"spec.suspension.dispatchingOnClusters.clusterNames.3":                 "suspension.dispatchingOnClusters.3",
		"spec.resourceSelectors.0.labelSelector.matchLabels.q":                 "resourceSelectors.0.labelSelector.matchLabels.0.value",
		"metadata.labels.b|example/c":                                          "labels.1.value",
		"metadata.labels":                                                      "labels",
		"metadata.name":                                                        "name",
		"spec.somethingNew.below":                                              "",
		"metadata.resourceVersion":                                             "",
		"spec.placement.somethingNew":                                          "placement",
		"spec":                                                                 "",
	} {
		t.Run(path, func(t *testing.T) {
			var keys []string
			for key := range strings.SplitSeq(path, ".") {
				keys = append(keys, strings.ReplaceAll(key, "|", "."))
			}
			got := typed.ByField(typed.Policies, "propagationPolicy").Where(input, keys)
			if joined := strings.TrimPrefix(strings.TrimPrefix(strings.Join(got, "."), "propagationPolicy"), "."); joined != want {
				t.Errorf("is %q, want %q", joined, want)
			}
		})
	}
}
