package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/bench/controllers/standin"
)

const mebibyte = 1 << 20

// report prints the tables.
func report(w io.Writer, rows []measured, o options) {
	fmt.Fprintf(w, "%d cores; each instance has %d clusters, %d Deployments and as many policies.\n\n", runtime.NumCPU(), o.content.Clusters, o.content.Workloads)

	fmt.Fprintln(w, "| instances | ready after | CPU to attach one | peak memory | memory | live heap | goroutines | watches | connections |")
	fmt.Fprintln(w, "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, r := range rows {
		ready, each, peak := "", "", ""
		if r.added > 0 {
			ready = fmt.Sprintf("%s (+%d)", r.ready.Round(time.Second), r.added)
			each = fmt.Sprintf("%.0f ms", r.attachCPU/float64(r.added)*1000)
			peak = fmt.Sprintf("%.0f MiB", r.peak/mebibyte)
		}
		fmt.Fprintf(w, "| %d | %s | %s | %s | %.0f MiB | %.0f MiB | %.0f | %d | %d |\n",
			r.instances, ready, each, peak, r.resident/mebibyte, r.heap/mebibyte, r.goroutines, r.watches, r.connections)
	}

	fmt.Fprintln(w, "\nAt rest, and one new node in one member:")
	fmt.Fprintln(w, "\n| instances | CPU | passes a minute | writes to the host a minute | probes a second | other requests a minute | new node counted after | it cost |")
	fmt.Fprintln(w, "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
	for _, r := range rows {
		probes := float64(r.requests.Total(standin.Request.Probe)) / r.over.Seconds()
		others := float64(r.requests.Total(func(q standin.Request) bool { return !q.Probe() })) / r.over.Minutes()
		node, cost := "", ""
		if r.added > 0 {
			node = r.change.took.Round(time.Millisecond).String()
			cost = describe(r.change)
		}
		fmt.Fprintf(w, "| %d | %.1f %% | %.0f | %.1f | %.0f | %.1f | %s | %s |\n",
			r.instances, r.cpu*100, r.perMinute, total(r.restWrites)/r.over.Minutes(), probes, others, node, cost)
	}

	last := rows[len(rows)-1]
	fmt.Fprintf(w, "\nPasses while the last %d were attached:\n\n| controller | passes | of each instance | mean | p50 | p99 |\n| --- | ---: | ---: | ---: | ---: | ---: |\n", last.added)
	for _, name := range slices.Sorted(maps.Keys(last.reconciles)) {
		h := last.reconciles[name]
		fmt.Fprintf(w, "| %s | %.0f | %.1f | %.1f ms | %s | %s |\n", name, h.count, h.count/float64(max(last.added, 1)), h.total/h.count*1000, atMost(h.quantile(.5)), atMost(h.quantile(.99)))
	}
	fmt.Fprintf(w, "\nof them failed: %.0f\n", last.failures)
	fmt.Fprintf(w, "writes to the host while the last %d were attached: %s\n", last.added, enumerate(last.hostWrites))
	fmt.Fprintf(w, "writes to the host at rest, at %d: %s\n", last.instances, enumerate(last.restWrites))
	fmt.Fprintf(w, "requests at rest, at %d, in %s: %s\n", last.instances, last.over.Round(time.Second), enumerateRequests(last.requests))
	first := rows[0]
	if n := float64(last.instances); n > 0 {
		fmt.Fprintf(w, "one instance more: %.2f MiB of memory, %.2f MiB of heap, %.1f goroutines, %.1f watches, %.2f %% CPU\n",
			(last.resident-first.resident)/n/mebibyte, (last.heap-first.heap)/n/mebibyte, (last.goroutines-first.goroutines)/n,
			float64(last.watches)/n, (last.cpu-first.cpu)/n*100)
	}
}

func describe(c change) string {
	var parts []string
	parts = append(parts, "host: "+enumerate(c.hostWrites))
	parts = append(parts, "Karmada: "+enumerateRequests(c.requests))
	return strings.Join(parts, "; ")
}

func enumerate(numbers map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		parts = append(parts, fmt.Sprintf("%.0f %s", numbers[name], name))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func enumerateRequests(counts standin.Counts) string {
	numbers := map[string]float64{}
	for request, n := range counts {
		numbers[request.String()] = float64(n)
	}
	return enumerate(numbers)
}

// atMost formats the upper bound of a bucket, in seconds.
func atMost(seconds float64) string {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return "–"
	}
	return fmt.Sprintf("≤ %s", time.Duration(seconds*float64(time.Second)))
}

// judge returns an error when the cost of an instance has grown with their number.
func judge(rows []measured, limit float64) error {
	var failed []string
	for _, what := range []struct {
		name string
		of   func(measured) float64
	}{
		{"memory", func(r measured) float64 { return r.resident }},
		{"CPU at rest", func(r measured) float64 { return r.cpu }},
	} {
		if g := growth(rows, what.of); g > limit {
			failed = append(failed, fmt.Sprintf("%s grew %.2f times as much as in proportion", what.name, g))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("more than %.1f is too much: %s", limit, strings.Join(failed, "; "))
	}
	return nil
}

// growth returns the cost per instance at the last size relative to the size before. One is linear.
func growth(rows []measured, of func(measured) float64) float64 {
	if len(rows) < 3 {
		return 1
	}
	none, half, full := rows[0], rows[len(rows)-2], rows[len(rows)-1]
	return (of(full) - of(none)) / float64(full.instances) / ((of(half) - of(none)) / float64(half.instances))
}
