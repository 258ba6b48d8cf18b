package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

func TestProblems(t *testing.T) {
	component := func(s supervisor.State, message string) supervisor.Status {
		return supervisor.Status{Spec: process.Spec{Name: "etcd"}, State: s, Message: message}
	}
	tests := map[string]struct {
		report Report
		want   []string
	}{
		"a fleet that is well has none": {
			report: Report{
				Components: []supervisor.Status{component(supervisor.Running, "")},
				Clusters:   []Cluster{{Instance: "asia", Name: "tokyo", Ready: "True"}},
				Sync:       []Sync{{Name: "kairship.asia", Healthy: "True", Running: "True"}},
			},
		},
		"a component that starts is not well yet": {
			report: Report{Components: []supervisor.Status{component(supervisor.Starting, "connection refused")}},
			want:   []string{"etcd is Starting: connection refused"},
		},
		"a component that was stopped needs no reason": {
			report: Report{Components: []supervisor.Status{component(supervisor.Stopped, "")}},
			want:   []string{"etcd is Stopped"},
		},
		"a cluster that nobody knows of is not ready": {
			report: Report{Clusters: []Cluster{{Instance: "asia", Name: "tokyo", Ready: "Unknown", Message: "has not joined"}}},
			want:   []string{"cluster tokyo of asia is not ready: has not joined"},
		},
		"a sync that stopped is named": {
			report: Report{Sync: []Sync{{Name: "kairship.asia", Healthy: "True", Running: "False", Message: "paused"}}},
			want:   []string{"the read store's kairship.asia is not in sync: paused"},
		},
		"an API server that does not answer is named": {
			report: Report{Unanswered: []string{"asia: refused"}},
			want:   []string{"no answer from asia: refused"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.report.Problems()); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSyncCountsWhatIsSyncing(t *testing.T) {
	condition := func(status string) map[string]any { return map[string]any{"version": "v1", "status": status} }
	o := kube.Object(map[string]any{
		"apiVersion": "cluster.clusterpedia.io/v1alpha2", "kind": "PediaCluster",
		"metadata": map[string]any{"name": "kairship.asia"},
		"status": map[string]any{
			"conditions": []any{map[string]any{"type": "ClusterHealthy", "status": "True"}},
			"syncResources": []any{map[string]any{"resources": []any{
				map[string]any{"name": "pods", "syncConditions": []any{condition("Syncing")}},
				map[string]any{"name": "jobs", "syncConditions": []any{condition("Syncing"), condition("Stop")}},
			}}},
		},
	})
	want := Sync{Name: "kairship.asia", Healthy: "True", Running: "Unknown", Resources: 3, Syncing: 2}
	if diff := cmp.Diff(want, sync(o)); diff != "" {
		t.Errorf("sync (-want +got):\n%s", diff)
	}
}
