package seed

import (
	"strings"
	"testing"

	"github.com/kairship-io/kairship/playground/internal/kube"
)

func TestCheck(t *testing.T) {
	tests := map[string]struct {
		seed Seed
		want string
	}{
		"an ordinary seed is fine":            {Seed{Namespace: "seed", Workloads: 300, Replicas: 1}, ""},
		"none at all is fine: it deletes":     {Seed{Namespace: "seed"}, ""},
		"less than none is not":               {Seed{Namespace: "seed", Workloads: -1}, "--workloads is -1: allowed are 0 to 5000"},
		"more than the nodes can hold is not": {Seed{Namespace: "seed", Workloads: 5001}, "--workloads is 5001: allowed are 0 to 5000"},
		"a name that no namespace can have":   {Seed{Namespace: "Seed_1"}, `--namespace is "Seed_1"`},
		"too many replicas":                   {Seed{Namespace: "seed", Replicas: 101}, "--replicas is 101: allowed are 0 to 100"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := tt.seed.Check()
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// Pruning compares names.
func TestNamesSortAsTheirNumbersDo(t *testing.T) {
	for n := 1; n <= most; n++ {
		if Name(n-1) >= Name(n) {
			t.Fatalf("%s does not sort before %s", Name(n-1), Name(n))
		}
	}
}

func TestAWorkloadIsHealthyWhenEveryClusterSaysSo(t *testing.T) {
	s := Seed{Clusters: []string{"a", "b"}}
	item := func(applied bool, health string) map[string]any {
		return map[string]any{"applied": applied, "health": health}
	}
	tests := map[string]struct {
		items []any
		want  bool
	}{
		"both are healthy":             {[]any{item(true, "Healthy"), item(true, "Healthy")}, true},
		"one has not reported":         {[]any{item(true, "Healthy")}, false},
		"one is not healthy":           {[]any{item(true, "Healthy"), item(true, "Unhealthy")}, false},
		"one is healthy from the past": {[]any{item(true, "Healthy"), item(false, "Healthy")}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := kube.Object(map[string]any{"apiVersion": "v1", "kind": "Cluster", "status": map[string]any{"aggregatedStatus": tt.items}})
			if got := s.healthy(b); got != tt.want {
				t.Errorf("healthy: %v, want %v", got, tt.want)
			}
		})
	}
}
