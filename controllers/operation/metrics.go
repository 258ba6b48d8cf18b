package operation

import "github.com/kairship-io/kairship/controllers/internal/metrics"

var (
	series = metrics.Of(Name)

	endedCounter = series.Counter("ended_total", "Operations that ended, by kind and state.", "kind", "state")
	triesCounter = series.Counter("tries_total", "Tries of steps, by kind, step and outcome: done, waits, failed or error.", "kind", "step", "outcome")
	stepSeconds  = series.Histogram("step_seconds", "How long steps took that succeeded, from their beginning.",
		[]float64{.1, .5, 1, 5, 15, 60, 300, 900, 3600}, "kind", "step")
)
