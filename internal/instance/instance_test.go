package instance

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

func TestAnInstanceIsWhatItsControllersSayOfIt(t *testing.T) {
	began, ended := metav1.NewTime(since), metav1.NewTime(now)
	amounts := func(allocatable, allocated string) v1alpha1.ResourceAmounts {
		return v1alpha1.ResourceAmounts{Allocatable: resource.MustParse(allocatable), Allocated: resource.MustParse(allocated)}
	}
	seconds := int32(300)
	got := instanceModel(&v1alpha1.Instance{
		ObjectMeta: metav1.ObjectMeta{Name: "europe", CreationTimestamp: began},
		Spec: v1alpha1.InstanceSpec{
			Source: v1alpha1.InstanceManaged, DisplayName: "Europe", Description: "Production",
			Settings: &v1alpha1.InstanceSettings{
				Failover:       &v1alpha1.FailoverSettings{Enabled: true, FailureThresholdSeconds: &seconds},
				Descheduler:    &v1alpha1.DeschedulerSettings{IntervalSeconds: &seconds},
				MetricsAdapter: &v1alpha1.MetricsAdapterSettings{Enabled: true}, RevisionHistoryLimit: new(int32(5)),
			},
		},
		Status: v1alpha1.InstanceStatus{
			KarmadaVersion: "v1.18.2", KubernetesVersion: "v1.35.3",
			Components: []v1alpha1.ComponentStatus{
				{Name: "Webhook", State: v1alpha1.ComponentUnknown},
				{Name: "Scheduler", State: v1alpha1.ComponentNotReady, Message: "its lease has expired", Since: &began},
				{Name: "APIServer", State: v1alpha1.ComponentReady, Since: &began},
			},
			Steps: []v1alpha1.Step{
				{Name: "prepare", State: v1alpha1.StepSucceeded, StartedAt: &began, FinishedAt: &ended},
				{Name: "install", State: v1alpha1.StepRunning, Message: "waits for etcd", StartedAt: &ended},
				{Name: "apply", State: v1alpha1.StepPending},
			},
			Statistics: &v1alpha1.InstanceStatistics{
				Clusters: v1alpha1.ReadyCount{Total: 2, Ready: 1}, Nodes: v1alpha1.ReadyCount{Total: 5, Ready: 4},
				CPU: amounts("40", "1500m"), Memory: amounts("64Gi", "1Gi"),
				Workloads: map[string]v1alpha1.ReadyCount{"Rollout": {Total: 1}, "CronJob": {Total: 1, Ready: 1}, "Deployment": {Total: 9, Ready: 7}},
				Policies:  map[string]int32{"PropagationPolicy": 3, "ClusterOverridePolicy": 1},
				AsOf:      ended,
			},
			Conditions: []metav1.Condition{{Type: "Ready", Status: "False", Reason: "LeaseExpired", Message: "no scheduler", LastTransitionTime: began}},
		},
	})
	text := func(s string) *string { return &s }
	cpu := func(cores float64, quantity string) model.CPUAmount {
		return model.CPUAmount{Cores: cores, Quantity: quantity}
	}
	memory := func(bytes float64, quantity string) model.MemoryAmount {
		return model.MemoryAmount{Bytes: bytes, Quantity: quantity}
	}
	want := &model.Instance{
		Name: "europe", DisplayName: text("Europe"), Description: text("Production"), Labels: []model.KeyValue{}, CreatedAt: since,
		Source: model.InstanceManaged, DeletionPolicy: model.DeletionCascade,
		Conditions:     []model.Condition{{Type: "Ready", Status: model.FactFalse, Reason: "LeaseExpired", Message: "no scheduler", Since: &since}},
		KarmadaVersion: text("v1.18.2"), KubernetesVersion: text("v1.35.3"),
		Components: []model.Component{
			{Name: "APIServer", State: model.ComponentReady, Since: &since},
			{Name: "Scheduler", State: model.ComponentNotReady, Message: "its lease has expired", Since: &since},
			{Name: "Webhook", State: model.ComponentUnknown},
		},
		Steps: []model.InstanceStep{
			{Name: "prepare", State: model.StepSucceeded, StartedAt: &since, FinishedAt: &now},
			{Name: "install", State: model.StepRunning, Message: "waits for etcd", StartedAt: &now},
			{Name: "apply", State: model.StepPending},
		},
		Statistics: &model.InstanceStatistics{
			Clusters: model.ReadyCount{Total: 2, Ready: 1}, Nodes: model.ReadyCount{Total: 5, Ready: 4},
			CPU:       model.CPUSummary{Allocatable: cpu(40, "40"), Allocated: cpu(1.5, "1500m")},
			Memory:    model.MemorySummary{Allocatable: memory(64<<30, "64Gi"), Allocated: memory(1<<30, "1Gi")},
			Workloads: []model.WorkloadCount{{Kind: "CronJob", Total: 1, Ready: 1}, {Kind: "Deployment", Total: 9, Ready: 7}, {Kind: "Rollout", Total: 1}},
			Policies:  []model.PolicyCount{{Kind: "ClusterOverridePolicy", Total: 1}, {Kind: "PropagationPolicy", Total: 3}},
			AsOf:      now,
		},
		Settings: model.InstanceSettings{
			Failover:       &model.FailoverSettings{Enabled: true, FailureThresholdSeconds: &seconds},
			Descheduler:    &model.DeschedulerSettings{IntervalSeconds: &seconds},
			MetricsAdapter: &model.MetricsAdapterSettings{Enabled: true}, RevisionHistoryLimit: new(int32(5)),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAnInstanceThatNobodyLookedAtYetHasNothingToTell(t *testing.T) {
	got := instanceModel(&v1alpha1.Instance{
		ObjectMeta: metav1.ObjectMeta{Name: "asia", CreationTimestamp: metav1.NewTime(since)},
		Spec:       v1alpha1.InstanceSpec{Source: v1alpha1.InstanceAttached},
	})
	want := &model.Instance{
		Name: "asia", Labels: []model.KeyValue{}, CreatedAt: since.In(time.UTC), Source: model.InstanceAttached, DeletionPolicy: model.DeletionOrphan,
		Conditions: []model.Condition{}, Components: []model.Component{}, Steps: []model.InstanceStep{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
