package virtualcluster

import (
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

var (
	membersGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "virtualcluster", Name: "members",
		Help: "Member clusters of an instance, as far as they are known.",
	}, []string{"instance"})
	membersSyncedGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "virtualcluster", Name: "members_synced",
		Help: "Member clusters of an instance that the read store follows.",
	}, []string{"instance"})
	reachableGauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "virtualcluster", Name: "karmada_reachable",
		Help: "1 when the Karmada of an instance answers, else 0.",
	}, []string{"instance"})
	writesCounter = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "kairship", Subsystem: "virtualcluster", Name: "writes_total",
		Help: "Writes to the host cluster, by kind and verb.",
	}, []string{"kind", "verb"})
	rebuildsCounter = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "kairship", Subsystem: "virtualcluster", Name: "rebuilds_total",
		Help: "Virtual clusters removed because their source was replaced by another one of the same name.",
	}, []string{"instance"})
)

func init() {
	metrics.Registry.MustRegister(membersGauge, membersSyncedGauge, reachableGauge, writesCounter, rebuildsCounter)
}

// forget drops the series of an instance that is no more.
func forget(instance string) {
	for _, gauge := range []*prometheus.GaugeVec{membersGauge, membersSyncedGauge, reachableGauge} {
		gauge.DeleteLabelValues(instance)
	}
	rebuildsCounter.DeleteLabelValues(instance)
}
