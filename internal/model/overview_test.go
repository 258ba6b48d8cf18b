package model

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInstancesAddUpToAnOverview(t *testing.T) {
	early, late := time.Unix(100, 0), time.Unix(200, 0)
	counted := func(name string, at time.Time) *Instance {
		return &Instance{Name: name, State: InstanceRunning, Statistics: &InstanceStatistics{
			Clusters: ReadyCount{3, 2}, Nodes: ReadyCount{10, 9}, AsOf: at,
			CPU:       CPUSummary{Allocatable: CPUAmount{Cores: 1.5, Quantity: "1500m"}, Allocated: CPUAmount{Cores: 0.25, Quantity: "250m"}},
			Memory:    MemorySummary{Allocatable: MemoryAmount{Bytes: 1 << 30, Quantity: "1Gi"}},
			Workloads: []WorkloadCount{{Kind: "Deployment", Total: 5, Ready: 4}},
			Policies:  []PolicyCount{{Kind: "PropagationPolicy", Total: 2}},
		}}
	}
	asia, europe := counted("asia", late), counted("europe", early)
	europe.Components = []Component{{Name: "Scheduler", State: ComponentNotReady}}
	young := &Instance{Name: "young", State: InstanceInstalling}
	got := NewOverview([]*Instance{asia, europe, young}, []*Cluster{{State: ClusterOffline}, {State: ClusterReady}, {State: ClusterReady}})
	want := &Overview{
		Instances:     []InstanceStateCount{{InstanceRunning, 2}, {InstanceInstalling, 1}},
		Clusters:      ReadyCount{6, 4},
		ClusterStates: []ClusterStateCount{{ClusterReady, 2}, {ClusterOffline, 1}},
		Nodes:         ReadyCount{20, 18},
		CPU:           CPUSummary{Allocatable: CPUAmount{3, "3"}, Allocated: CPUAmount{0.5, "500m"}},
		Memory:        MemorySummary{Allocatable: MemoryAmount{2 << 30, "2Gi"}, Allocated: MemoryAmount{0, "0"}},
		Workloads:     []WorkloadCount{{Kind: "Deployment", Total: 10, Ready: 8}},
		Policies:      []PolicyCount{{Kind: "PropagationPolicy", Total: 4}},
		AsOf:          &early,
		Uncounted:     []*Instance{young},
		Troubled:      []*Instance{europe, young},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAnOverviewOfNothingIsZeroAndNotEmpty(t *testing.T) {
	got := NewOverview(nil, nil)
	if got.CPU.Allocatable.Quantity != "0" || got.Workloads == nil || got.Instances == nil || got.AsOf != nil {
		t.Errorf("got %+v", got)
	}
}
