package revision

import "github.com/kairship-io/kairship/controllers/internal/metrics"

var series = metrics.Of(Name)

var (
	pendingGauge  = series.Gauge("pending", "Workloads of an instance whose template still has to be looked at.", "instance")
	writesCounter = series.Counter("writes_total", "Writes of revisions to instances, by verb.", "instance", "verb")
)
