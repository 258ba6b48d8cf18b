package revision

import (
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

var (
	pendingGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "revision", Name: "pending",
		Help: "Workloads of an instance whose template still has to be looked at.",
	}, []string{"instance"})
	writesCounter = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "kairship", Subsystem: "revision", Name: "writes_total",
		Help: "Writes of revisions to instances, by verb.",
	}, []string{"instance", "verb"})
)

func init() {
	metrics.Registry.MustRegister(pendingGauge, writesCounter)
}

// forget drops the series of an instance that is no more.
func forget(instance string) {
	pendingGauge.DeleteLabelValues(instance)
	writesCounter.DeletePartialMatch(prometheus.Labels{"instance": instance})
}
