package seed

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
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

func TestTogetherDoesEverythingOnce(t *testing.T) {
	var done [100]atomic.Int32
	err := together(t.Context(), len(done), func(_ context.Context, n int) error { done[n].Add(1); return nil })
	if err != nil {
		t.Fatal(err)
	}
	for n := range done {
		if got := done[n].Load(); got != 1 {
			t.Errorf("thing %d was done %d times", n, got)
		}
	}
}

func TestTogetherStopsAtAFailureAndSaysWhich(t *testing.T) {
	var calls atomic.Int32
	cause := errors.New("quota exceeded")
	err := together(t.Context(), 10000, func(_ context.Context, n int) error {
		if calls.Add(1) == 5 {
			return cause
		}
		return nil
	})
	if !errors.Is(err, cause) {
		t.Errorf("error %v, want %v", err, cause)
	}
	if calls.Load() == 10000 {
		t.Error("everything was done although something failed")
	}
}

func TestTogetherSaysWhenItWasCutOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := together(ctx, 3, func(context.Context, int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}
