package virtualcluster

import "github.com/kairship-io/kairship/controllers/internal/metrics"

var series = metrics.Of(Name)

var (
	membersGauge       = series.Gauge("members", "Member clusters of an instance, as far as they are known.", "instance")
	membersSyncedGauge = series.Gauge("members_synced", "Member clusters of an instance that the read store follows.", "instance")
	reachableGauge     = series.Gauge("karmada_reachable", "1 when the Karmada of an instance answers, else 0.", "instance")
	writesCounter      = series.Counter("writes_total", "Writes to the host cluster, by kind and verb.", "kind", "verb")
	rebuildsCounter    = series.Counter("rebuilds_total", "Virtual clusters removed because their source was replaced by another one of the same name.", "instance")
)
