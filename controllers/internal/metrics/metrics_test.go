package metrics

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// count is how many series there are.
func count(c prometheus.Collector) int {
	series := make(chan prometheus.Metric, 10)
	c.Collect(series)
	return len(series)
}

func TestForgetLeavesNothingOfAnInstance(t *testing.T) {
	s := Of("metrics_test")
	applied, writes, kinds := s.Gauge("applied", "h", "instance", "in_force"), s.Counter("writes_total", "h", "instance"), s.Counter("kinds_total", "h", "kind")
	for _, name := range []string{"asia", "europe"} {
		applied.WithLabelValues(name, "true").Set(1)
		applied.WithLabelValues(name, "false").Set(2)
		writes.WithLabelValues(name).Inc()
	}
	kinds.WithLabelValues("asia").Inc()
	s.Forget("asia")
	if a, w, k := count(applied), count(writes), count(kinds); a != 2 || w != 1 || k != 1 {
		t.Errorf("%d, %d and %d series are left, want 2, 1 and 1", a, w, k)
	}
}
