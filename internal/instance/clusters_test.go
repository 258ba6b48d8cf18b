package instance

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

func TestAClusterIsWhatKarmadaSaysOfIt(t *testing.T) {
	list := func(cpu, memory, pods string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory), corev1.ResourcePods: resource.MustParse(pods)}
	}
	amounts := func(cores float64, cpu string, bytes float64, memory string, pods int) model.ResourceAmounts {
		return model.ResourceAmounts{CPU: model.CPUAmount{Cores: cores, Quantity: cpu}, Memory: model.MemoryAmount{Bytes: bytes, Quantity: memory}, Pods: pods}
	}
	created := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	got := ClusterModel("asia", &clusterv1alpha1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Name: "tokyo", Labels: map[string]string{"tier": "gold"}, CreationTimestamp: metav1.NewTime(created)},
		Spec: clusterv1alpha1.ClusterSpec{
			SyncMode: clusterv1alpha1.Pull, APIEndpoint: "https://tokyo", Provider: "acme", Region: "jp", Zones: []string{"jp-a", "jp-b"},
			Taints: []corev1.Taint{{Key: "maintenance", Effect: corev1.TaintEffectNoSchedule}},
		},
		Status: clusterv1alpha1.ClusterStatus{
			KubernetesVersion: "v1.35.3",
			APIEnablements:    []clusterv1alpha1.APIEnablement{{GroupVersion: "apps/v1", Resources: []clusterv1alpha1.APIResource{{Name: "deployments", Kind: "Deployment"}}}},
			Conditions:        []metav1.Condition{{Type: "Ready", Status: "True", Reason: "ClusterReady", Message: "fine", LastTransitionTime: metav1.NewTime(created)}},
			NodeSummary:       &clusterv1alpha1.NodeSummary{TotalNum: 3, ReadyNum: 2},
			ResourceSummary:   &clusterv1alpha1.ResourceSummary{Allocatable: list("8", "16Gi", "110"), Allocated: list("1500m", "1Gi", "7"), Allocating: list("0", "0", "0")},
		},
	})
	text := func(s string) *string { return &s }
	want := &model.Cluster{
		InstanceName: "asia", Name: "tokyo", Region: text("jp"), Zones: []string{"jp-a", "jp-b"}, Provider: text("acme"),
		Labels: []model.KeyValue{{Key: "tier", Value: "gold"}}, Taints: []model.Taint{{Key: "maintenance", Effect: model.TaintNoSchedule}},
		SyncMode: model.SyncPull, APIEndpoint: text("https://tokyo"), State: model.ClusterReady, Schedulable: false, KubernetesVersion: text("v1.35.3"), CreatedAt: created,
		Conditions:     []model.Condition{{Type: "Ready", Status: model.FactTrue, Reason: "ClusterReady", Message: "fine", Since: &created}},
		APIEnablements: []model.APIEnablement{{GroupVersion: "apps/v1", Kinds: []string{"Deployment"}}},
		Nodes:          &model.NodeSummary{Total: 3, Ready: 2},
		Resources:      &model.ResourceSummary{Allocatable: amounts(8, "8", 16<<30, "16Gi", 110), Allocated: amounts(1.5, "1500m", 1<<30, "1Gi", 7), Allocating: amounts(0, "0", 0, "0", 0)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheStateOfAClusterComesFromItsReadyCondition(t *testing.T) {
	deleted := metav1.Now()
	for _, c := range []struct {
		name       string
		conditions []metav1.Condition
		deleted    *metav1.Time
		want       model.ClusterState
	}{
		{"it has not reported", nil, nil, model.ClusterJoining},
		{"it is ready", []metav1.Condition{{Type: "Ready", Status: "True"}}, nil, model.ClusterReady},
		{"it cannot be reached", []metav1.Condition{{Type: "Ready", Status: "False", Reason: "ClusterNotReachable"}}, nil, model.ClusterOffline},
		{"it is reached and unwell", []metav1.Condition{{Type: "Ready", Status: "False", Reason: "ClusterNotReady"}}, nil, model.ClusterNotReady},
		{"Karmada does not know", []metav1.Condition{{Type: "Ready", Status: "Unknown"}}, nil, model.ClusterUnknown},
		{"another condition says nothing of it", []metav1.Condition{{Type: "CompleteAPIEnablements", Status: "True"}}, nil, model.ClusterJoining},
		{"it is being removed", []metav1.Condition{{Type: "Ready", Status: "True"}}, &deleted, model.ClusterRemoving},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: c.deleted}, Status: clusterv1alpha1.ClusterStatus{Conditions: c.conditions}}
			if got, _ := clusterState(o); got != c.want {
				t.Errorf("state %s, want %s", got, c.want)
			}
		})
	}
}
