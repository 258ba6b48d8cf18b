package registry

import "github.com/kairship-io/kairship/controllers/internal/metrics"

var series = metrics.Of(Name)

var (
	registeredGauge = series.Gauge("registered", "1 when global management knows an instance, else 0.", "instance")
	writesCounter   = series.Counter("writes_total", "Writes to the host cluster, by kind and verb.", "kind", "verb")
	servedGauge     = series.Gauge("kind_served", "1 when the host cluster serves the kind that global management is told by, else 0.").WithLabelValues()
)
