package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// sample is the metrics of a process at one moment.
type sample map[string]*dto.MetricFamily

func readSample(r io.Reader) (sample, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(r)
	if err != nil {
		return nil, fmt.Errorf("reading metrics: %w", err)
	}
	return families, nil
}

// labels of a series.
type labels map[string]string

func labelsOf(m *dto.Metric) labels {
	out := labels{}
	for _, pair := range m.GetLabel() {
		out[pair.GetName()] = pair.GetValue()
	}
	return out
}

// sum adds up a counter or gauge over all series that which accepts; nil accepts all.
func (s sample) sum(name string, which func(labels) bool) float64 {
	total := 0.0
	for _, m := range s[name].GetMetric() {
		if which == nil || which(labelsOf(m)) {
			total += m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
		}
	}
	return total
}

// series counts the series by their name.
func (s sample) series() map[string]float64 {
	out := map[string]float64{}
	for name, family := range s {
		out[name] = float64(len(family.GetMetric()))
	}
	return out
}

// histogram holds how often something took how long.
type histogram struct {
	bounds []float64
	// counts are cumulative: each is for durations up to its bound.
	counts []float64
	count  float64
	total  float64
}

// durations returns a histogram for each value of a label.
func (s sample) durations(name, label string) map[string]histogram {
	out := map[string]histogram{}
	for _, m := range s[name].GetMetric() {
		h := histogram{count: float64(m.GetHistogram().GetSampleCount()), total: m.GetHistogram().GetSampleSum()}
		for _, b := range m.GetHistogram().GetBucket() {
			h.bounds = append(h.bounds, b.GetUpperBound())
			h.counts = append(h.counts, float64(b.GetCumulativeCount()))
		}
		out[labelsOf(m)[label]] = h
	}
	return out
}

// since returns what was added to a histogram.
func (h histogram) since(before histogram) histogram {
	out := histogram{bounds: h.bounds, counts: slices.Clone(h.counts), count: h.count - before.count, total: h.total - before.total}
	for i := range before.counts {
		out.counts[i] -= before.counts[i]
	}
	return out
}

// quantile returns the upper bound of the bucket that holds it: nothing finer is known. It is NaN without observations.
func (h histogram) quantile(q float64) float64 {
	if h.count == 0 {
		return math.NaN()
	}
	for i, n := range h.counts {
		if n >= q*h.count {
			return h.bounds[i]
		}
	}
	return math.Inf(1)
}

// reconciles is how many passes all controllers have made.
func (s sample) reconciles() float64 { return s.sum("controller_runtime_reconcile_total", nil) }

// failures is how many of them ended in an error.
func (s sample) failures() float64 { return s.sum("controller_runtime_reconcile_errors_total", nil) }

// waiting is how many instances wait in a queue.
func (s sample) waiting() float64 { return s.sum("workqueue_depth", nil) }

const (
	resident   = "process_resident_memory_bytes"
	cpuSeconds = "process_cpu_seconds_total"
	goroutines = "go_goroutines"
	// liveHeap is what the last garbage collection left.
	liveHeap    = "go_gc_heap_live_bytes"
	collections = "go_gc_cycles_total_gc_cycles_total"
)

// hostWrites counts the writes that an API server has answered, by what was written. Leases are left out: by them the
// leader and the API server themselves show that they are alive.
func hostWrites(s sample) map[string]float64 {
	out := map[string]float64{}
	for _, m := range s["apiserver_request_total"].GetMetric() {
		l := labelsOf(m)
		if !slices.Contains([]string{"POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"}, l["verb"]) || l["resource"] == "leases" {
			continue
		}
		what := l["resource"]
		if l["subresource"] != "" {
			what += "/" + l["subresource"]
		}
		out[what] += m.GetCounter().GetValue()
	}
	return out
}

// grown returns how much was added to each number.
func grown(after, before map[string]float64) map[string]float64 {
	out := maps.Clone(after)
	maps.DeleteFunc(out, func(name string, n float64) bool { return n <= before[name] })
	for name := range out {
		out[name] -= before[name]
	}
	return out
}

// total adds them up.
func total(numbers map[string]float64) float64 {
	sum := 0.0
	for _, n := range numbers {
		sum += n
	}
	return sum
}

// highWater reads VmHWM from the status that Linux gives of a process.
func highWater(status string) float64 {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			if err == nil {
				return kib * (1 << 10)
			}
		}
	}
	return 0
}
