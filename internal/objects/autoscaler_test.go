package objects

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

func decodeAutoscaler(t *testing.T, gvk schema.GroupVersionKind, fields string) *model.Autoscaler {
	t.Helper()
	a, err := DecodeAutoscaler("asia", "", gvk, []byte(`{"metadata":{"namespace":"shop","name":"search"},`+fields+`}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := (model.Ref{Instance: "asia", GVK: gvk, Namespace: "shop", Name: "search"}); a.Ref != want {
		t.Errorf("ref %v, want %v", a.Ref, want)
	}
	a.Object = model.Object{} // what all objects have is tested elsewhere
	return a
}

func TestDecodeFederatedHPA(t *testing.T) {
	got := decodeAutoscaler(t, FederatedHPA, `
		"spec":{"minReplicas":2,"maxReplicas":12,"behavior":{"scaleDown":{"selectPolicy":"Min","stabilizationWindowSeconds":60,"tolerance":"100m","policies":[{"type":"Pods","value":1,"periodSeconds":30}]}},"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"search"},"metrics":[
			{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":70}}},
			{"type":"ContainerResource","containerResource":{"name":"memory","container":"web","target":{"type":"AverageValue","averageValue":"1500Mi"}}},
			{"type":"Pods","pods":{"metric":{"name":"requests"},"target":{"type":"AverageValue","averageValue":"1500m"}}},
			{"type":"Object","object":{"metric":{"name":"rps"},"describedObject":{"apiVersion":"networking.k8s.io/v1","kind":"Ingress","name":"main"},"target":{"type":"Value","value":2000}}},
			{"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"q":"b"}}},"target":{"type":"Value","value":"30"}}},
			{"type":"Tomorrow"}]},
		"status":{"currentReplicas":4,"desiredReplicas":6,"lastScaleTime":"2025-06-01T12:00:08Z",
			"conditions":[{"type":"ScalingActive","status":"True"},{"type":"AbleToScale","status":"True","reason":"ReadyForNewScale"}],
			"currentMetrics":[{"type":""},
				{"type":"Pods","pods":{"metric":{"name":"requests"},"current":{"averageValue":"900m"}}},
				{"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":55,"averageValue":"137m"}}},
				{"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"q":"a"}}},"current":{"value":"99"}}},
				{"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"q":"b"}}},"current":{"value":"12"}}},
				{"type":"Object","object":{"metric":{"name":"rps"},"describedObject":{"apiVersion":"networking.k8s.io/v1","kind":"Ingress","name":"other"},"current":{"value":"1"}}}]}`)
	value := func(kind model.AutoscalerValueType, n float64, text string) model.AutoscalerMetricValue {
		return model.AutoscalerMetricValue{Type: kind, Number: n, Quantity: text}
	}
	want := &model.Autoscaler{
		Target:      model.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: ptr("shop"), Name: "search"},
		MinReplicas: ptr(int32(2)), MaxReplicas: ptr(int32(12)), CurrentReplicas: ptr(int32(4)), DesiredReplicas: ptr(int32(6)),
		Metrics: []model.AutoscalerMetric{
			{Type: model.MetricResource, Name: "cpu", Target: value(model.ValueUtilization, 70, "70%"), Current: ptr(value(model.ValueUtilization, 55, "55%"))},
			{Type: model.MetricContainerResource, Name: "memory", Container: ptr("web"), Target: value(model.ValueAverage, 1500<<20, "1500Mi")},
			{Type: model.MetricPods, Name: "requests", Target: value(model.ValueAverage, 1.5, "1500m"), Current: ptr(value(model.ValueAverage, 0.9, "900m"))},
			{Type: model.MetricObject, Name: "rps", Target: value(model.ValuePlain, 2000, "2k"),
				Object: &model.ObjectReference{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "main"}},
			{Type: model.MetricExternal, Name: "queue", Selector: &model.LabelSelector{MatchLabels: []model.KeyValue{{Key: "q", Value: "b"}}, MatchExpressions: []model.SelectorRequirement{}},
				Target: value(model.ValuePlain, 30, "30"), Current: ptr(value(model.ValuePlain, 12, "12"))},
			{Type: model.MetricUnknown, Target: model.AutoscalerMetricValue{Type: model.ValuePlain}},
		},
		Schedules: []model.AutoscalerSchedule{},
		Behavior: &model.AutoscalerBehavior{ScaleDown: &model.AutoscalerScalingRules{StabilizationWindowSeconds: ptr(int32(60)), SelectPolicy: ptr(model.SelectMin),
			Tolerance: ptr("100m"), Policies: []model.AutoscalerScalingPolicy{{Type: model.ScalePods, Value: 1, PeriodSeconds: 30}}}},
		Conditions: []model.Condition{{Type: "AbleToScale", Status: model.FactTrue, Reason: "ReadyForNewScale"},
			{Type: "ScalingActive", Status: model.FactTrue}},
		LastScaledAt: at(8),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("autoscaler (-want +got):\n%s", diff)
	}
}

func TestAutoscalerReplicas(t *testing.T) {
	const unable = `{"type":"ScalingActive","status":"False","reason":"FailedGetResourceMetric"}`
	cases := []struct {
		name, status     string
		current, desired *int32
	}{
		{"one that has not looked knows nothing", `"desiredReplicas":0`, nil, nil},
		{"one that cannot have its metrics does not ask for zero", `"currentReplicas":4,"desiredReplicas":0,"conditions":[` + unable + `]`, ptr(int32(4)), nil},
		{"one that lost its metrics stays with what it asked for", `"currentReplicas":4,"desiredReplicas":5,"conditions":[` + unable + `]`, ptr(int32(4)), ptr(int32(5))},
		{"one that is switched off by zero replicas asks for zero",
			`"conditions":[{"type":"ScalingActive","status":"False","reason":"ScalingDisabled"}]`, ptr(int32(0)), ptr(int32(0))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := decodeAutoscaler(t, HorizontalPodAutoscaler, `"spec":{"maxReplicas":5},"status":{`+c.status+`}`)
			if diff := cmp.Diff([]*int32{c.current, c.desired, ptr(int32(1))}, []*int32{a.CurrentReplicas, a.DesiredReplicas, a.MinReplicas}); diff != "" {
				t.Errorf("current, desired, fewest (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeCronFederatedHPA(t *testing.T) {
	got := decodeAutoscaler(t, CronFederatedHPA, `
		"spec":{"scaleTargetRef":{"apiVersion":"autoscaling.karmada.io/v1alpha1","kind":"FederatedHPA","name":"search"},"rules":[
			{"name":"morning","schedule":"0 7 * * *","timeZone":"Asia/Tokyo","targetMinReplicas":5,"targetMaxReplicas":20,"suspend":false},
			{"name":"night","schedule":"0 22 * * *","targetReplicas":1,"successfulHistoryLimit":0,"failedHistoryLimit":9},
			{"name":"never","schedule":"0 0 1 1 *","targetReplicas":9,"suspend":true}]},
		"status":{"executionHistories":[
			{"ruleName":"never","nextExecutionTime":"2026-01-01T00:00:00Z"},
			{"ruleName":"morning","nextExecutionTime":"2025-06-01T12:01:00Z",
				"successfulExecutions":[{"executionTime":"2025-06-01T12:00:03Z"},{"executionTime":"2025-06-01T12:00:01Z"}],
				"failedExecutions":[{"executionTime":"2025-06-01T12:00:02Z","message":"no such FederatedHPA"}]},
			{"ruleName":"night","failedExecutions":[{"executionTime":"2025-06-01T12:00:09Z","message":"refused"}]}]}`)
	want := &model.Autoscaler{
		Target:  model.ObjectReference{APIVersion: "autoscaling.karmada.io/v1alpha1", Kind: "FederatedHPA", Namespace: ptr("shop"), Name: "search"},
		Metrics: []model.AutoscalerMetric{}, Conditions: []model.Condition{},
		Schedules: []model.AutoscalerSchedule{
			{Name: "morning", Schedule: "0 7 * * *", TimeZone: ptr("Asia/Tokyo"), TargetMinReplicas: ptr(int32(5)), TargetMaxReplicas: ptr(int32(20)),
				LastRun: at(3), NextRun: at(60), Result: ptr(model.RunSucceeded), SuccessfulHistoryLimit: 3, FailedHistoryLimit: 3},
			{Name: "night", Schedule: "0 22 * * *", TargetReplicas: ptr(int32(1)), LastRun: at(9), Result: ptr(model.RunFailed), Message: "refused", FailedHistoryLimit: 9},
			{Name: "never", Schedule: "0 0 1 1 *", TargetReplicas: ptr(int32(9)), Suspended: true, SuccessfulHistoryLimit: 3, FailedHistoryLimit: 3},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("autoscaler (-want +got):\n%s", diff)
	}
}
