package access

import (
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

var (
	appliedGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "access", Name: "applied",
		Help: "1 when the permissions inside an instance are as they have to be, else 0.",
	}, []string{"instance"})
	bindingsGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "access", Name: "bindings",
		Help: "AccessBindings whose scope an instance is in, by whether they are in force there.",
	}, []string{"instance", "in_force"})
	writesCounter = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "kairship", Subsystem: "access", Name: "writes_total",
		Help: "Writes of permissions to instances, by verb.",
	}, []string{"instance", "verb"})
)

func init() {
	metrics.Registry.MustRegister(appliedGauge, bindingsGauge, writesCounter)
}

// forget drops the series of an instance that is no more.
func forget(instance string) {
	of := prometheus.Labels{"instance": instance}
	appliedGauge.DeletePartialMatch(of)
	bindingsGauge.DeletePartialMatch(of)
	writesCounter.DeletePartialMatch(of)
}
