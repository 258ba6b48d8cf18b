package access

import "github.com/kairship-io/kairship/controllers/internal/metrics"

var series = metrics.Of(Name)

var (
	appliedGauge  = series.Gauge("applied", "1 when the permissions inside an instance are as they have to be, else 0.", "instance")
	bindingsGauge = series.Gauge("bindings", "AccessBindings whose scope an instance is in, by whether they are in force there.", "instance", "in_force")
	writesCounter = series.Counter("writes_total", "Writes of permissions to instances, by verb.", "instance", "verb")
)
