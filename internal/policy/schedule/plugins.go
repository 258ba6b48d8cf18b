package schedule

import (
	"context"
	"fmt"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/apienablement"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/clusteraffinity"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/clustereviction"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/clusterlocality"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/spreadconstraint"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/tainttoleration"
)

// The plugins that Karmada's scheduler runs by default. They are called directly: its framework measures them in a
// goroutine that never ends.
var (
	filters = []framework.FilterPlugin{
		&apienablement.APIEnablement{}, &tainttoleration.TaintToleration{}, &clusteraffinity.ClusterAffinity{},
		&spreadconstraint.SpreadConstraint{}, &clustereviction.ClusterEviction{},
	}
	scorers = []framework.ScorePlugin{&clusteraffinity.ClusterAffinity{}, &clusterlocality.ClusterLocality{}}
)

// filtered is why a cluster is left out; nil when it is not.
func filtered(ctx context.Context, spec *workv1alpha2.ResourceBindingSpec, status *workv1alpha2.ResourceBindingStatus, c *clusterv1alpha1.Cluster) *framework.Result {
	for _, f := range filters {
		if result := f.Filter(ctx, spec, status, c); !result.IsSuccess() {
			return result
		}
	}
	return nil
}

// scored is the clusters with the sum of their scores.
func scored(ctx context.Context, spec *workv1alpha2.ResourceBindingSpec, clusters []*clusterv1alpha1.Cluster) (framework.ClusterScoreList, error) {
	sum := make(framework.ClusterScoreList, len(clusters))
	for i, c := range clusters {
		sum[i].Cluster = c
	}
	for _, s := range scorers {
		list := make(framework.ClusterScoreList, len(clusters))
		for i, c := range clusters {
			score, result := s.Score(ctx, spec, c)
			if !result.IsSuccess() {
				return nil, fmt.Errorf("failed to prioritize clusters: %w", result.AsError())
			}
			list[i] = framework.ClusterScore{Cluster: c, Score: score}
		}
		if more := s.ScoreExtensions(); more != nil {
			if result := more.NormalizeScore(ctx, list); !result.IsSuccess() {
				return nil, fmt.Errorf("failed to prioritize clusters: %w", result.AsError())
			}
		}
		for i := range list {
			sum[i].Score += list[i].Score
		}
	}
	return sum, nil
}
