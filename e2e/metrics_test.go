package e2e

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// chart is metrics as the graph has them.
type chart struct {
	Available bool
	Message   *string
	Step      int
	Series    []struct {
		Metric, Unit string
		Points       []struct {
			At    time.Time
			Value *float64
		}
	}
}

// last is the last value of each metric; an error where there is none.
func (c *chart) last() (map[string]float64, error) {
	if !c.Available {
		return nil, fmt.Errorf("not available: %s", *c.Message)
	}
	out := map[string]float64{}
	for _, s := range c.Series {
		p := s.Points[len(s.Points)-1]
		if p.Value == nil {
			return nil, fmt.Errorf("%s has no value at %s", s.Metric, p.At)
		}
		if age := time.Since(p.At); age > 2*time.Duration(c.Step)*time.Second {
			return nil, fmt.Errorf("the last point of %s is of %s ago", s.Metric, age)
		}
		out[s.Metric+" "+s.Unit] = *p.Value
	}
	return out, nil
}

// reported is what a cluster or instance says of itself.
type reported struct {
	Allocatable, Allocated struct {
		CPU    struct{ Cores float64 }
		Memory struct{ Bytes float64 }
		Pods   int
	}
}

// The history of a cluster ends in what it reports, whoever exports it: Karmada's controller manager, a managed one, or the
// agent of a member in pull mode. That of an instance ends in its statistics.
func TestChartsEndInWhatTheClustersReport(t *testing.T) {
	type numbers struct{ Total, Ready int }
	type amount struct {
		Allocatable, Allocated struct{ Cores, Bytes float64 }
	}
	for instance, clusters := range members {
		t.Run(instance, func(t *testing.T) {
			eventually(t, 2*time.Minute, func() error {
				data, err := read[struct {
					Instance struct {
						Metrics    chart
						Statistics *struct {
							Nodes       numbers
							CPU, Memory amount
						}
						Clusters struct {
							Nodes []struct {
								Name      string
								Nodes     numbers
								Resources reported
								Metrics   chart
							}
						}
					}
				}](t, `query($i: String!, $r: MetricsRange!) { instance(name: $i) { metrics(range: $r, step: 15) { ...chart }
					statistics { nodes { total ready } cpu { allocatable { cores } allocated { cores } } memory { allocatable { bytes } allocated { bytes } } }
					clusters { nodes { name nodes { total ready } metrics(range: $r, step: 15) { ...chart }
						resources { allocatable { ...amounts } allocated { ...amounts } } } } } }
					fragment amounts on ResourceAmounts { cpu { cores } memory { bytes } pods }
					fragment chart on Metrics { available message step series { metric unit points { at value } } }`,
					map[string]any{"i": instance, "r": map[string]any{"from": time.Now().Add(-5 * time.Minute).UTC().Format(time.RFC3339)}})
				if err != nil {
					return err
				}
				if n := len(data.Instance.Clusters.Nodes); n != len(clusters) {
					return fmt.Errorf("%d clusters, want %d", n, len(clusters))
				}
				for _, c := range data.Instance.Clusters.Nodes {
					if err := endsIn(&c.Metrics, map[string]float64{
						"CPU_ALLOCATABLE CORES": c.Resources.Allocatable.CPU.Cores, "CPU_ALLOCATED CORES": c.Resources.Allocated.CPU.Cores,
						"MEMORY_ALLOCATABLE BYTES": c.Resources.Allocatable.Memory.Bytes, "MEMORY_ALLOCATED BYTES": c.Resources.Allocated.Memory.Bytes,
						"PODS_ALLOCATABLE COUNT": float64(c.Resources.Allocatable.Pods), "PODS_ALLOCATED COUNT": float64(c.Resources.Allocated.Pods),
						"NODES COUNT": float64(c.Nodes.Total), "NODES_READY COUNT": float64(c.Nodes.Ready),
					}); err != nil {
						return fmt.Errorf("cluster %s: %w", c.Name, err)
					}
				}
				all := data.Instance.Statistics
				if all == nil {
					return fmt.Errorf("instance %s has no statistics yet", instance)
				}
				return endsIn(&data.Instance.Metrics, map[string]float64{
					"CPU_ALLOCATABLE CORES": all.CPU.Allocatable.Cores, "CPU_ALLOCATED CORES": all.CPU.Allocated.Cores,
					"MEMORY_ALLOCATABLE BYTES": all.Memory.Allocatable.Bytes, "MEMORY_ALLOCATED BYTES": all.Memory.Allocated.Bytes,
					"NODES COUNT": float64(all.Nodes.Total), "NODES_READY COUNT": float64(all.Nodes.Ready),
				})
			})
		})
	}
}

// endsIn reports whether a chart has all eight metrics, and ends in these numbers.
func endsIn(c *chart, want map[string]float64) error {
	got, err := c.last()
	if err != nil {
		return err
	}
	if len(got) != 8 {
		return fmt.Errorf("%d metrics, want 8: %v", len(got), got)
	}
	for name, v := range want {
		// Karmada exports an approximation of its quantities.
		if math.Abs(got[name]-v) > 1e-6*math.Max(1, v) {
			return fmt.Errorf("%s ends in %v, want %v", name, got[name], v)
		}
	}
	return nil
}

func TestAStoppedPrometheusBlanksItsChartsAlone(t *testing.T) {
	stop(t, "prometheus")
	eventually(t, time.Minute, func() error {
		data, err := read[struct {
			Instance struct {
				Metrics chart
				Cluster struct {
					Name      string
					Resources *reported
				}
			}
		}](t, `query($r: MetricsRange!) { instance(name: "asia") { metrics(range: $r, step: 1) { available message }
			cluster(name: "hangzhou") { name resources { allocatable { pods } } } } }`,
			map[string]any{"r": map[string]any{"from": time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)}})
		switch m := data.Instance.Metrics; {
		case err != nil:
			return err
		case data.Instance.Cluster.Name != "hangzhou" || data.Instance.Cluster.Resources == nil:
			return fmt.Errorf("the cluster beside it is %+v", data.Instance.Cluster)
		case m.Available || m.Message == nil:
			return fmt.Errorf("its charts are %+v", m)
		case *m.Message != "Prometheus cannot be reached: have --prometheus-url checked.":
			return fmt.Errorf("it says %s", *m.Message)
		}
		return nil
	})
}
