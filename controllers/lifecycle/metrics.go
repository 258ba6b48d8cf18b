package lifecycle

import (
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

var (
	installedGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "lifecycle", Name: "installed",
		Help: "1 when a managed instance is installed as its spec says, else 0.",
	}, []string{"instance"})
	heldBackGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "lifecycle", Name: "deletion_held_back",
		Help: "1 while the deletion of an instance waits for a person, else 0.",
	}, []string{"instance"})
	wipedCounter = prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: "kairship", Subsystem: "lifecycle", Name: "etcd_keys_removed_total",
		Help: "Keys of removed instances that were deleted from etcds that others use as well.",
	})
	writesCounter = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "kairship", Subsystem: "lifecycle", Name: "writes_total",
		Help: "Writes to the host cluster and to Karmadas, by kind and verb.",
	}, []string{"kind", "verb"})
)

func init() {
	metrics.Registry.MustRegister(installedGauge, heldBackGauge, wipedCounter, writesCounter)
}

func wrote(kind, verb string) { writesCounter.WithLabelValues(kind, verb).Inc() }

// forget drops the series of an instance that is no more.
func forget(instance string) {
	installedGauge.DeleteLabelValues(instance)
	heldBackGauge.DeleteLabelValues(instance)
}
