package resolvers

import (
	"fmt"
	"slices"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
)

// sorted is the order by a field; by name when there is none.
func sorted[T any, F ~string](name func(T) string, values map[F]func(T) string, field F, direction model.OrderDirection) loaders.Sorted[T] {
	s := loaders.Sorted[T]{Name: name, Value: values[field], Descending: direction == model.Descending}
	if s.Value != nil || s.Descending {
		s.By = fmt.Sprintf(" by %s %s", field, direction)
	}
	return s
}

func instanceOrder(by *model.InstanceOrder) loaders.Sorted[*model.Instance] {
	if by == nil {
		by = &model.InstanceOrder{Field: model.InstancesByName, Direction: model.Ascending}
	}
	counted := func(number func(*model.InstanceStatistics) float64) func(*model.Instance) string {
		return func(i *model.Instance) string {
			if i.Statistics == nil {
				return ""
			}
			return loaders.SortableNumber(number(i.Statistics))
		}
	}
	return sorted(func(i *model.Instance) string { return i.Name }, map[model.InstanceOrderField]func(*model.Instance) string{
		model.InstancesByState:             func(i *model.Instance) string { return place(model.InstanceStates, i.State) },
		model.InstancesByCreation:          func(i *model.Instance) string { return moment(i.CreatedAt) },
		model.InstancesByKarmadaVersion:    func(i *model.Instance) string { return version(i.KarmadaVersion) },
		model.InstancesByKubernetesVersion: func(i *model.Instance) string { return version(i.KubernetesVersion) },
		model.InstancesByClusters:          counted(func(s *model.InstanceStatistics) float64 { return float64(s.Clusters.Total) }),
		model.InstancesByCPU:               counted(func(s *model.InstanceStatistics) float64 { return s.CPU.Allocatable.Cores }),
		model.InstancesByMemory:            counted(func(s *model.InstanceStatistics) float64 { return s.Memory.Allocatable.Bytes }),
	}, by.Field, by.Direction)
}

func clusterOrder(by *model.ClusterOrder) loaders.Sorted[*model.Cluster] {
	if by == nil {
		by = &model.ClusterOrder{Field: model.ClustersByName, Direction: model.Ascending}
	}
	has := func(number func(*model.ResourceSummary) float64) func(*model.Cluster) string {
		return func(c *model.Cluster) string {
			if c.Resources == nil {
				return ""
			}
			return loaders.SortableNumber(number(c.Resources))
		}
	}
	return sorted(func(c *model.Cluster) string { return c.Name }, map[model.ClusterOrderField]func(*model.Cluster) string{
		model.ClustersByState:             func(c *model.Cluster) string { return place(model.ClusterStates, c.State) },
		model.ClustersByCreation:          func(c *model.Cluster) string { return moment(c.CreatedAt) },
		model.ClustersByRegion:            func(c *model.Cluster) string { return text(c.Region) },
		model.ClustersByProvider:          func(c *model.Cluster) string { return text(c.Provider) },
		model.ClustersByKubernetesVersion: func(c *model.Cluster) string { return version(c.KubernetesVersion) },
		model.ClustersByNodes: func(c *model.Cluster) string {
			if c.Nodes == nil {
				return ""
			}
			return loaders.SortableNumber(float64(c.Nodes.Total))
		},
		model.ClustersByCPU:    has(func(r *model.ResourceSummary) float64 { return r.Allocatable.CPU.Cores }),
		model.ClustersByMemory: has(func(r *model.ResourceSummary) float64 { return r.Allocatable.Memory.Bytes }),
	}, by.Field, by.Direction)
}

// place is the position of a state among all, as sortable text.
func place[S comparable](states []S, state S) string {
	return fmt.Sprintf("%02d", slices.Index(states, state))
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000") }

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// version pads the numbers of a version, so that v1.9 comes before v1.35.
func version(s *string) string {
	var out []byte
	digits := 0
	for i := len(text(s)) - 1; i >= 0; i-- {
		c := (*s)[i]
		if c < '0' || c > '9' {
			out = padded(out, &digits)
		} else {
			digits++
		}
		out = append(out, c)
	}
	out = padded(out, &digits)
	slices.Reverse(out)
	return string(out)
}

// padded pads the last number of a reversed text to six digits.
func padded(number []byte, digits *int) []byte {
	for n := *digits; n > 0 && n < 6; n++ {
		number = append(number, '0')
	}
	*digits = 0
	return number
}
