package status

import (
	"context"
	"time"

	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/controllers/internal/metrics"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/status/health"
)

var series = metrics.Of(Name)

var (
	phaseGauge          = series.Gauge("phase", "1 for the phase that an instance is in.", "instance", "phase")
	phaseChangesCounter = series.Counter("phase_changes_total", "How often the phase of an instance has changed.", "instance")
	componentGauge      = series.Gauge("component_ready", "1 when a component of an instance is ready, 0 when it is not; absent when nothing tells.", "instance", "component")
	probeSeconds        = series.Histogram("probe_duration_seconds", "How long probes took, over all instances, by what they ask and what they found.",
		[]float64{0.005, 0.02, 0.1, 0.5, 1, 2.5, 5}, "component", "result")
)

var phases = []v1alpha1.InstancePhase{
	v1alpha1.PhaseInstalling, v1alpha1.PhaseRunning, v1alpha1.PhaseDeleting, v1alpha1.PhaseUnavailable, v1alpha1.PhaseUnknown,
}

// timed calls ask with a time limit, and measures how long it took.
func timed(ctx context.Context, now clock.PassiveClock, within time.Duration, component string, ask func(context.Context) health.Saying) health.Saying {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	start := now.Now()
	said := ask(ctx)
	probeSeconds.WithLabelValues(component, said.State.String()).Observe(now.Since(start).Seconds())
	return said
}

// measure publishes the status of an instance.
func measure(instance string, status v1alpha1.InstanceStatus) {
	for _, phase := range phases {
		if phase == status.Phase {
			phaseGauge.WithLabelValues(instance, string(phase)).Set(1)
		} else {
			phaseGauge.DeleteLabelValues(instance, string(phase))
		}
	}
	states := map[string]v1alpha1.ComponentState{}
	for _, c := range status.Components {
		states[c.Name] = c.State
	}
	for _, name := range components {
		switch states[name] {
		case v1alpha1.ComponentReady:
			componentGauge.WithLabelValues(instance, name).Set(1)
		case v1alpha1.ComponentNotReady:
			componentGauge.WithLabelValues(instance, name).Set(0)
		default:
			componentGauge.DeleteLabelValues(instance, name)
		}
	}
}
