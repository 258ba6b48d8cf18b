package loaders

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var batchSize = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name:    "kairship_loader_batch_size",
	Help:    "Lookups that were gathered and made at once, by loader: objects, groups (first rows of several groups), refs (several objects).",
	Buckets: []float64{1, 2, 5, 10, 25, 50, 100, 250, 500},
}, []string{"loader"})

// batched counts a batch.
func batched(loader string, size int) { batchSize.WithLabelValues(loader).Observe(float64(size)) }
