package console

import "github.com/prometheus/client_golang/prometheus"

type metrics struct {
	open  prometheus.Gauge
	ended *prometheus.CounterVec
}

// How a console ended, in the metrics.
const (
	endRefused = "refused" // it was never opened
	endShell   = "shell"   // the shell ended, or the runner ended it: its time was over, or nobody used it
	endClient  = "client"  // the client left
	endLost    = "lost"    // the right to it was lost
	endServer  = "server"  // the server shut down
	endRunner  = "runner"  // the runner has gone
)

func newMetrics(r prometheus.Registerer) *metrics {
	const ns, sub = "kairship", "console"
	m := &metrics{
		open: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub, Name: "sessions", Help: "Consoles that are open."}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "ended_total",
			Help: "Consoles that ended, by 'how': 'shell' (it ended, or its time was over), 'client' (who left), 'lost' (the right to it), 'server' (which shut down), 'runner' (which has gone), 'refused' (never opened)."},
			[]string{"how"}),
	}
	if r != nil {
		r.MustRegister(m.open, m.ended)
	}
	return m
}
