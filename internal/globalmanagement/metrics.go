package globalmanagement

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

const (
	namespace = "kairship"
	subsystem = "global_management"
	// gaugesGoodFor is how long counts are reused, so that frequent scrapes do not burden the host cluster.
	gaugesGoodFor = 30 * time.Second
)

type metrics struct {
	refusals *prometheus.CounterVec
	events   *prometheus.CounterVec
	bindings *prometheus.CounterVec
	gaps     *prometheus.CounterVec
	pulls    *prometheus.CounterVec
}

func newMetrics(o Options, sources map[string]*source) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem, Name: name, Help: help}, labels)
	}
	m := &metrics{
		refusals: counter("refusals_total", "Requests of global management that were refused, by reason.", "reason"),
		events: counter("events_total", "Events of global management that were signed well, by type and outcome: applied, duplicate, "+
			"ignored (older than the last), or the reason of the refusal.", "source", "type", "outcome"),
		bindings: counter("changes_total", "What became of bindings that global management told of, by outcome.", "source", "outcome"),
		gaps:     counter("gaps_total", "Events of global management before which one was missing.", "source"),
		pulls: counter("pulls_total", "Full sets that were asked for, by outcome: applied, or the reason why nothing was changed.",
			"source", "outcome"),
	}
	for name := range sources {
		m.gaps.WithLabelValues(name)
	}
	if o.Registerer != nil {
		o.Registerer.MustRegister(m.refusals, m.events, m.bindings, m.gaps, m.pulls, newGauges(o))
	}
	return m
}

func (m *metrics) items(source string, items []Item) {
	for _, i := range items {
		m.bindings.WithLabelValues(source, string(i.Outcome)).Inc()
	}
}

// gauges are the same in all replicas: they read the journal and the host cluster.
type gauges struct {
	Options
	age, bindings, behind *prometheus.Desc

	mu    sync.Mutex
	until time.Time
	known map[string]*gauge
}

// gauge is the last known state of a source.
type gauge struct {
	position Position
	asked    bool
	bindings int
	counted  bool
}

func newGauges(o Options) *gauges {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, subsystem, name), help, []string{"source"}, nil)
	}
	g := &gauges{
		Options:  o,
		age:      desc("full_sync_age_seconds", "Seconds since the bindings of a source were last brought in line with all that it knows; +Inf for never."),
		bindings: desc("bindings", "AccessBindings that are there for a source."),
		behind:   desc("behind", "1 when an event of the source was missed and no full sync came since, else 0."),
		known:    map[string]*gauge{},
	}
	for _, name := range o.Sources {
		g.known[name] = &gauge{}
	}
	return g
}

// Describe implements prometheus.Collector.
func (g *gauges) Describe(out chan<- *prometheus.Desc) {
	out <- g.age
	out <- g.bindings
	out <- g.behind
}

// Collect implements prometheus.Collector. Values that cannot be read are published as last known, or not at all.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.Clock.Now()
	if !now.Before(g.until) {
		g.ask()
		g.until = now.Add(gaugesGoodFor)
	}
	for name, is := range g.known {
		if is.asked {
			age, behind := math.Inf(1), 0.0
			if !is.position.FullSync.IsZero() {
				age = now.Sub(is.position.FullSync).Seconds()
			}
			if is.position.Behind {
				behind = 1
			}
			out <- prometheus.MustNewConstMetric(g.age, prometheus.GaugeValue, age, name)
			out <- prometheus.MustNewConstMetric(g.behind, prometheus.GaugeValue, behind, name)
		}
		if is.counted {
			out <- prometheus.MustNewConstMetric(g.bindings, prometheus.GaugeValue, float64(is.bindings), name)
		}
	}
}

func (g *gauges) ask() {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	for name, is := range g.known {
		if p, err := g.Journal.Position(ctx, name); err == nil {
			is.position, is.asked = p, true
		}
	}
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("AccessBindingList"))
	if err := g.Client.List(ctx, list, client.HasLabels{LabelSource}); err != nil {
		return
	}
	for _, is := range g.known {
		is.bindings, is.counted = 0, true
	}
	for i := range list.Items {
		if is := g.known[list.Items[i].Labels[LabelSource]]; is != nil {
			is.bindings++
		}
	}
}

// typeLabel is the type of an event as a label.
func typeLabel(e *event.Event) string {
	if e == nil {
		return "unknown"
	}
	return string(e.Type)
}
