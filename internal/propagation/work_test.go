package propagation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

const cartManifest = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop","name":"cart"}}`

// workOf is the JSON of the Work that brings the Deployment to tokyo.
func workOf(spec, status string) string {
	return `{"metadata":{"namespace":"karmada-es-tokyo","name":"cart-1","uid":"w1","creationTimestamp":"2025-06-01T12:00:00Z",
		"annotations":{"resourcebinding.karmada.io/namespace":"shop","resourcebinding.karmada.io/name":"cart-deployment",
			"policy.karmada.io/applied-overrides":"[]"}},
		"spec":{` + spec + `"workload":{"manifests":[` + cartManifest + `]}},"status":{` + status + `}}`
}

func condOf(kind, status, message string) string {
	return `{"type":"` + kind + `","status":"` + status + `","reason":"R","message":"` + message + `","lastTransitionTime":"2025-06-01T12:00:20Z"}`
}

func TestDecodeWork(t *testing.T) {
	raw := workOf("", `"conditions":[`+condOf("Dispatching", "True", "")+`,`+condOf("Applied", "True", "Manifest has been successfully applied")+`],
		"manifestStatuses":[{"identifier":{"ordinal":0,"version":"v1","kind":"Deployment","name":"cart"},"health":"Unhealthy","status":{"replicas":2}}]`)
	got, err := DecodeWork("asia", []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := &model.Work{
		Object: model.Object{
			Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "work.karmada.io", Version: "v1alpha1", Kind: "Work"},
				Namespace: "karmada-es-tokyo", Name: "cart-1"},
			UID: "w1", CreatedAt: epoch, Labels: []model.KeyValue{}, Raw: []byte(raw),
			Annotations: []model.KeyValue{{Key: appliedOverrides, Value: "[]"}, {Key: ofBinding, Value: "cart-deployment"}, {Key: ofBindingNamespace, Value: "shop"}},
		},
		ClusterName: "tokyo",
		Applied:     model.Fact{Value: model.FactTrue, Reason: ReasonApplied, Since: at(20)},
		Conditions: []model.Condition{
			{Type: "Applied", Status: model.FactTrue, Reason: "R", Message: "Manifest has been successfully applied", Since: at(20)},
			{Type: "Dispatching", Status: model.FactTrue, Reason: "R", Since: at(20)},
		},
		Manifests: []model.WorkManifest{{
			Ref:    model.Ref{Instance: "asia", Cluster: "tokyo", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart"},
			Health: model.Unhealthy, Status: []byte(`{"replicas":2}`), Raw: []byte(cartManifest),
		}},
		BindingRef:       BindingRef("asia", "shop", "cart-deployment"),
		AppliedOverrides: "[]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Work (-want +got):\n%s", diff)
	}
}

func TestAWorkSaysWhetherItIsApplied(t *testing.T) {
	cases := []struct {
		name, spec, conditions string
		want                   model.Fact
	}{
		{"in the words of the member's API server when not", "", condOf("Applied", "False", "refused"), model.Fact{Value: model.FactFalse, Reason: ReasonApplyFailed, Message: "refused", Since: at(20)}},
		{"not at all before it was sent", "", condOf("Dispatching", "True", ""), say(unknown(ReasonNotYetApplied), "it has not been sent to the cluster yet")},
		{"not while it is suspended: the cluster holds what it held", `"suspendDispatching":true,`, condOf("Applied", "True", ""), say(unknown(ReasonDispatchingSuspended), "sending it to the cluster is suspended")},
		{"a failure also while it is suspended", `"suspendDispatching":true,`, condOf("Applied", "False", "refused"), model.Fact{Value: model.FactFalse, Reason: ReasonApplyFailed, Message: "refused", Since: at(20)}},
		{"what Karmada does not know is not known", "", condOf("Applied", "Unknown", "m"), model.Fact{Value: model.FactUnknown, Reason: "R", Message: "m", Since: at(20)}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w, err := DecodeWork("asia", []byte(workOf(c.spec, `"conditions":[`+c.conditions+`]`)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, w.Applied); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeWorkRefuses(t *testing.T) {
	cases := []struct{ name, raw, want string }{
		{"what is not JSON", `[`, `decode Work of instance "asia": `},
		{"an object without a name", `{}`, `metadata.name is empty`},
		{"a manifest of no API version", `{"metadata":{"name":"w"},"spec":{"workload":{"manifests":[{"apiVersion":"a/b/c"}]}}}`, "manifest 0: "},
		{"a manifest that is no object", `{"metadata":{"name":"w"},"spec":{"workload":{"manifests":[7]}}}`, "manifest 0: "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := DecodeWork("asia", []byte(c.raw)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %q", err, c.want)
			}
		})
	}
}

func TestAWorkOutsideOfAClustersNamespaceIsMeantForNone(t *testing.T) {
	w, err := DecodeWork("asia", []byte(`{"metadata":{"name":"w","namespace":"default"}}`))
	if err != nil || w.ClusterName != "" || w.BindingRef.Name != "" {
		t.Errorf("cluster %q, binding %q, error %v", w.ClusterName, w.BindingRef.Name, err)
	}
}
