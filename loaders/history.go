package loaders

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/prometheus"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders/batch"
)

// mostMetricPoints is how many points of metrics one operation may ask for: those of 200 clusters at 120 points each. They
// are 11 MB in an answer.
const mostMetricPoints = 200_000

// MetricsAsked is what span of time metrics are asked for, and with what step in seconds; nil for one that fits.
type MetricsAsked struct {
	Range model.MetricsRange
	Step  *int32
}

// InstanceMetrics are the metrics of all members of an instance together.
func (k *Loaders) InstanceMetrics(ctx context.Context, i *model.Instance, asked MetricsAsked) (*model.Metrics, error) {
	w, err := k.window(asked, 1)
	if err != nil {
		return nil, err
	}
	values, err := k.source.Prometheus.Total(ctx, k.scope, i.Name, w)
	return metricsOf(w, values, err, "its members")
}

// ClusterMetrics are the metrics of a member.
func (k *Loaders) ClusterMetrics(ctx context.Context, c *model.Cluster, asked MetricsAsked) (*model.Metrics, error) {
	return clusterMetrics.Of(ctx, k, k.Batch(c), asked, c)
}

// clusterMetrics asks once for all members of an instance.
var clusterMetrics = &edge[MetricsAsked, *model.Cluster, *model.Metrics]{
	From: batch.Members[*model.Cluster],
	Read: func(ctx context.Context, k *Loaders, asked MetricsAsked, clusters []*model.Cluster) (map[*model.Cluster]*model.Metrics, error) {
		w, err := k.window(asked, len(clusters))
		if err != nil {
			return nil, err
		}
		of := map[string][]*model.Cluster{}
		for _, c := range clusters {
			of[c.InstanceName] = append(of[c.InstanceName], c)
		}
		out := make(map[*model.Cluster]*model.Metrics, len(clusters))
		var mu sync.Mutex
		g, ctx := errgroup.WithContext(ctx)
		for instance, members := range of {
			g.Go(panics.Guard(func() error {
				names := make([]string, len(members))
				for i, c := range members {
					names[i] = c.Name
				}
				found, failed := k.source.Prometheus.Of(ctx, k.scope, instance, names, w)
				mu.Lock()
				defer mu.Unlock()
				for _, c := range members {
					m, err := metricsOf(w, found[c.Name], failed, "cluster "+c.Name)
					if err != nil {
						return err
					}
					out[c] = m
				}
				return nil
			}))
		}
		return out, g.Wait()
	},
}

// window is the window that is asked for, of so many clusters. It is refused where the operation asks for more than it may.
func (k *Loaders) window(asked MetricsAsked, clusters int) (prometheus.Window, error) {
	w, err := prometheus.WindowOf(asked.Range, asked.Step, time.Now())
	if err != nil {
		return w, err
	}
	if all := k.points.Add(int64(clusters * w.Points * len(model.MetricNames))); all > mostMetricPoints {
		return w, &model.Error{Code: model.CodeLimitExceeded, Limit: &model.ErrorLimit{Name: "metric-points", Allowed: mostMetricPoints},
			Message: fmt.Sprintf("step: %d points of metrics in one operation, of %d clusters here, are more than %d; ask for a longer step or fewer clusters", all, clusters, mostMetricPoints)}
	}
	return w, nil
}

// metricsOf is what is shown of values, or of why there are none: charts that are missing are said in their place, and fail
// nothing beside them.
func metricsOf(w prometheus.Window, values prometheus.Values, err error, whose string) (*model.Metrics, error) {
	m := &model.Metrics{Step: int(w.Step / time.Second), Available: err == nil, Series: w.Series(values)}
	var told *model.Error
	switch {
	case errors.As(err, &told):
		m.Message = &told.Message
	case err != nil:
		return nil, err
	case len(m.Series) == 0:
		message := fmt.Sprintf("Prometheus has nothing about %s in this range. Have it scrape karmada-controller-manager and, for members in pull mode, karmada-agent; "+
			"where it is one for all instances, with the label of --prometheus-instance-label.", whose)
		m.Message = &message
	}
	return m, nil
}
