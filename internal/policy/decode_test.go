package policy_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

// decode reads a policy from YAML; the namespace is "shop" for kinds that have one, unless it says otherwise.
func decode(t *testing.T, kind model.PolicyKind, text string) *model.PolicyBody {
	t.Helper()
	var doc map[string]any
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	meta, ok := doc["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{"name": "policy"}
		doc["metadata"] = meta
	}
	if _, has := meta["namespace"]; kind.Namespaced() && !has {
		meta["namespace"] = "shop"
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Decode(kind, "asia", raw)
	if err != nil {
		t.Fatal(err)
	}
	return p.Body
}

// filler gives every field of a value something of its own, so that nothing can be lost unseen.
type filler struct {
	t      *testing.T
	tokens []string
}

func (f *filler) token() string {
	s := fmt.Sprintf("v%dv", 1000+len(f.tokens))
	f.tokens = append(f.tokens, s)
	return s
}

func (f *filler) fill(v reflect.Value) {
	if v.Type() == reflect.TypeFor[apiextensionsv1.JSON]() {
		v.Set(reflect.ValueOf(apiextensionsv1.JSON{Raw: []byte(`"` + f.token() + `"`)}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.token())
	case reflect.Int, reflect.Int32, reflect.Int64:
		n := int64(500000 + len(f.tokens))
		f.tokens = append(f.tokens, fmt.Sprint(n))
		v.SetInt(n)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		f.fill(value)
		key := reflect.New(v.Type().Key()).Elem()
		f.fill(key)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	default:
		f.t.Fatalf("a field of kind %s", v.Kind())
	}
}

func TestNothingOfASpecIsLost(t *testing.T) {
	bothForms := func(s *policyv1alpha1.OverrideSpec) (rules, deprecated policyv1alpha1.OverrideSpec) {
		rules, deprecated = *s, *s
		rules.TargetCluster, rules.Overriders = nil, policyv1alpha1.Overriders{} //nolint:staticcheck // on purpose
		deprecated.OverrideRules = nil
		return rules, deprecated
	}
	f := &filler{t: t}
	var propagation policyv1alpha1.PropagationSpec
	f.fill(reflect.ValueOf(&propagation).Elem())
	g := &filler{t: t}
	var override policyv1alpha1.OverrideSpec
	g.fill(reflect.ValueOf(&override).Elem())
	rules, deprecated := bothForms(&override)

	var told strings.Builder
	read := func(kind model.PolicyKind, spec any) *model.PolicyBody {
		raw, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": "p"}, "spec": spec})
		if err != nil {
			t.Fatal(err)
		}
		p, err := policy.Decode(kind, "asia", raw)
		if err != nil {
			t.Fatal(err)
		}
		p.Body.Raw = nil
		if err := json.NewEncoder(&told).Encode(p.Body); err != nil {
			t.Fatal(err)
		}
		return p.Body
	}
	b := read(model.PolicyClusterPropagation, propagation)
	read(model.PolicyClusterOverride, rules)
	read(model.PolicyClusterOverride, deprecated)
	have := strings.ToLower(told.String())
	for _, token := range append(f.tokens, g.tokens...) {
		if !strings.Contains(have, token) {
			t.Errorf("the value %s is lost; specs:\n%+v\n%+v", token, propagation, override)
			break
		}
	}
	s := b.Propagation
	if !s.Association || !s.PropagateDeps || !s.PreserveResourcesOnDeletion || !s.Suspension.Dispatching {
		t.Errorf("a boolean is lost: %+v", s)
	}
}

func TestValuesAreWrittenAsTheGraphDoes(t *testing.T) {
	b := decode(t, model.PolicyPropagation, `
metadata: {name: web, uid: u1, resourceVersion: "7", creationTimestamp: "2026-01-02T03:04:05Z", labels: {b: "2", a: "1"},
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}}
spec:
  resourceSelectors:
  - {apiVersion: apps/v1, kind: Deployment, namespace: shop, labelSelector: {matchExpressions: [{key: a, operator: DoesNotExist}]}}
  conflictResolution: Overwrite
  preemption: Always
  activationPreference: Lazy
  failover: {application: {decisionConditions: {tolerationSeconds: 60}, purgeMode: Graciously}}
  schedulePriority: {priorityClassSource: KubePriorityClass, priorityClassName: high}
  placement:
    clusterTolerations: [{key: k, operator: Exists, effect: NoExecute}, {key: l, value: v}]
    spreadConstraints: [{spreadByField: region, maxGroups: 3}, {}]
    clusterAffinity: {fieldSelector: {matchExpressions: [{key: zone, operator: NotIn, values: [z]}]}}
    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: {dynamicWeight: AvailableReplicas}}`)
	pointer := func(s string) *string { return &s }
	effect, region, cluster, maxGroups := model.TaintNoExecute, model.SpreadRegion, model.SpreadCluster, 3
	purge, divide, weight := model.PurgeGraciously, model.DivideWeighted, model.DynamicAvailableReplicas
	seconds := int32(60)
	want := &model.PropagationSpec{
		ResourceSelectors: []model.ResourceSelector{{APIVersion: "apps/v1", Kind: "Deployment", Namespace: pointer("shop"),
			LabelSelector: &model.LabelSelector{MatchLabels: []model.KeyValue{},
				MatchExpressions: []model.SelectorRequirement{{Key: "a", Operator: model.OperatorDoesNotExist, Values: []string{}}}}}},
		Preemption: model.PreemptAlways, ConflictResolution: model.ConflictOverwrite, ActivationPreference: model.ActivationLazy,
		SchedulerName: "default-scheduler", DependentOverrides: []string{},
		Failover: &model.FailoverBehavior{Application: &model.ApplicationFailover{
			DecisionConditions: model.FailoverDecisionConditions{TolerationSeconds: &seconds}, PurgeMode: &purge}},
		SchedulePriority: &model.SchedulePriority{PriorityClassSource: model.PriorityKube, PriorityClassName: "high"},
		Placement: model.Placement{
			ClusterTolerations: []model.Toleration{
				{Key: pointer("k"), Operator: model.TolerationExists, Effect: &effect},
				{Key: pointer("l"), Operator: model.TolerationEqual, Value: pointer("v")},
			},
			SpreadConstraints: []model.SpreadConstraint{{SpreadByField: &region, MaxGroups: &maxGroups, MinGroups: 1}, {SpreadByField: &cluster, MinGroups: 1}},
			ClusterAffinities: []model.ClusterAffinityTerm{},
			ClusterAffinity: &model.ClusterAffinity{ClusterNames: []string{}, Exclude: []string{}, FieldSelector: &model.FieldSelector{
				MatchExpressions: []model.SelectorRequirement{{Key: "zone", Operator: model.OperatorNotIn, Values: []string{"z"}}}}},
			ReplicaScheduling: &model.ReplicaScheduling{Type: model.ReplicasDivided, DivisionPreference: &divide,
				WeightPreference: &model.WeightPreference{DynamicWeight: &weight, StaticWeights: []model.StaticWeight{}}},
		},
	}
	if diff := cmp.Diff(want, b.Propagation); diff != "" {
		t.Error(diff)
	}
	if b.Ref.Namespace != "shop" || b.Ref.Name != "web" || b.UID != "u1" || b.ResourceVersion != "7" || b.CreatedAt.Year() != 2026 {
		t.Errorf("metadata is %+v", b.Object)
	}
	if diff := cmp.Diff([]model.KeyValue{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}, b.Labels); diff != "" || len(b.Annotations) != 0 {
		t.Error(diff, b.Annotations)
	}
}

func TestAnEmptyPolicyHasKarmadasDefaults(t *testing.T) {
	s := decode(t, model.PolicyPropagation, `{spec: {}}`).Propagation
	if s.Preemption != model.PreemptNever || s.ConflictResolution != model.ConflictAbort || s.ActivationPreference != model.ActivationImmediate ||
		s.SchedulerName != "default-scheduler" || s.Priority != 0 || s.Suspension != nil || s.Failover != nil || s.Placement.ReplicaScheduling != nil {
		t.Errorf("defaults are %+v", s)
	}
}

func TestPlaintextValuesAreJSONText(t *testing.T) {
	o := decode(t, model.PolicyOverride, `
spec:
  overrideRules:
  - overriders:
      plaintext:
      - {path: /a, operator: add, value: {b: [1, "x"]}}
      - {path: /c, operator: remove}
      - {path: /d, operator: replace, value: blue}`).Override
	var got []string
	for _, p := range o.OverrideRules[0].Overriders.Plaintext {
		if p.Value == nil {
			got = append(got, string(p.Operator)+" nothing")
			continue
		}
		got = append(got, string(p.Operator)+" "+*p.Value)
	}
	if diff := cmp.Diff([]string{`ADD {"b":[1,"x"]}`, "REMOVE nothing", `REPLACE "blue"`}, got); diff != "" {
		t.Error(diff)
	}
	if o.Overriders != nil {
		t.Error("the deprecated form is said beside the rules")
	}
}

func TestWhatIsNoPolicyIsRefused(t *testing.T) {
	for _, raw := range []string{`{`, `[]`, `{"spec":{"priority":"high"}}`} {
		if _, err := policy.Decode(model.PolicyPropagation, "asia", []byte(raw)); err == nil {
			t.Errorf("%s is taken for a policy", raw)
		}
	}
}
