package registry

import (
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

var (
	registeredGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "registry", Name: "registered",
		Help: "1 when global management knows an instance, else 0.",
	}, []string{"instance"})
	writesCounter = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "kairship", Subsystem: "registry", Name: "writes_total",
		Help: "Writes to the host cluster, by kind and verb.",
	}, []string{"kind", "verb"})
	servedGauge = prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "registry", Name: "kind_served",
		Help: "1 when the host cluster serves the kind that global management is told by, else 0.",
	})
)

func init() {
	metrics.Registry.MustRegister(registeredGauge, writesCounter, servedGauge)
}

// forget drops the series of an instance that is no more.
func forget(instance string) { registeredGauge.DeleteLabelValues(instance) }
