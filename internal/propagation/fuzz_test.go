package propagation

import (
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

// FuzzExplain: whatever stands in a template and in Karmada's notes, reading it does no harm, and what
// was applied comes once for each policy.
func FuzzExplain(f *testing.F) {
	f.Add(overriddenTemplate, `[{"policyName":"a","overriders":{"plaintext":[{"path":"/spec/replicas","operator":"replace","value":1}]}}]`, "")
	f.Add(overriddenTemplate, `[{"policyName":"a","overriders":{"imageOverrider":[{"component":"Tag","operator":"add","value":"x"}]}}]`,
		`[{"policyName":"b","overriders":{"fieldOverrider":[{"fieldPath":"/data/app.yaml","yaml":[{"subPath":"/log","operator":"remove"}]}]}}]`)
	f.Add(`{"metadata":null,"spec":{"template":{"spec":{"containers":[1,{"name":null}]}}}}`, `[{"overriders":{"labelsOverrider":[{"operator":"add","value":{"a":"b"}}]}}]`,
		`[{"overriders":{"argsOverrider":[{"containerName":"","operator":"remove","value":[""]}],"plaintext":[{"path":"/spec/template/spec/containers/-1","operator":"remove"}]}}]`)
	f.Fuzz(func(t *testing.T, template, cluster, own string) {
		w := &model.Work{AppliedClusterOverrides: cluster, AppliedOverrides: own, Manifests: []model.WorkManifest{{Raw: []byte(template)}}}
		w.Manifests[0].Ref.GVK.Kind = "Deployment"
		two := int32(2)
		got, err := Explain([]byte(template), w, &two)
		if err != nil {
			return
		}
		if again, err := Explain([]byte(template), w, &two); err != nil || len(again) != len(got) {
			t.Errorf("the second time %d overrides and error %v, the first time %d", len(again), err, len(got))
		}
		AppliedPolicies(w)
	})
}

// FuzzDecodeBindingAndWork: what an API server sends is decoded or refused, and can be computed with.
func FuzzDecodeBindingAndWork(f *testing.F) {
	f.Add(workOf("", `"conditions":[`+condOf("Applied", "False", "no")+`]`))
	f.Add(`{"metadata":{"name":"b"},"spec":{"resource":{"kind":"ConfigMap"},"clusters":[{"name":"tokyo"}],"requiredBy":[{"clusters":[{"name":"a"},{"name":"a"}]}]},
		"status":{"aggregatedStatus":[{"clusterName":"tokyo","applied":true,"status":{"observedGeneration":"x"}}]}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		w, err := DecodeWork("asia", []byte(raw))
		if err != nil {
			w = nil
		}
		b, err := DecodeBinding("asia", []byte(raw))
		if err != nil {
			return
		}
		o := &model.Object{Ref: b.TemplateRef(), UID: string(b.Resource.UID)}
		in := Input{Object: o, Binding: b, Clusters: ready("tokyo"), Members: map[string]*Member{"tokyo": {Raw: []byte(raw)}}}
		if w != nil {
			in.Works = map[string]*model.Work{"tokyo": w}
		}
		p := Of(in)
		for _, finding := range Diagnose(Diagnosis{Object: o, Propagation: p, Now: epoch, Clusters: in.Clusters}) {
			if stage(finding.Code) < 0 || finding.Remedy == "" {
				t.Errorf("finding %+v", finding)
			}
		}
	})
}
