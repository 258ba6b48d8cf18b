package main

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const exposition = `# TYPE controller_runtime_reconcile_total counter
controller_runtime_reconcile_total{controller="a",result="success"} 3
controller_runtime_reconcile_total{controller="b",result="success"} 4
# TYPE controller_runtime_reconcile_time_seconds histogram
controller_runtime_reconcile_time_seconds_bucket{controller="a",le="0.005"} 90
controller_runtime_reconcile_time_seconds_bucket{controller="a",le="0.01"} 98
controller_runtime_reconcile_time_seconds_bucket{controller="a",le="+Inf"} 100
controller_runtime_reconcile_time_seconds_sum{controller="a"} 1.5
controller_runtime_reconcile_time_seconds_count{controller="a"} 100
# TYPE apiserver_request_total counter
apiserver_request_total{verb="GET",resource="instances",subresource=""} 7
apiserver_request_total{verb="APPLY",resource="instances",subresource="status"} 2
apiserver_request_total{verb="PUT",resource="leases",subresource=""} 9
`

func read(t *testing.T, text string) sample {
	t.Helper()
	s, err := readSample(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASampleIsSummedUp(t *testing.T) {
	s := read(t, exposition)
	if got := s.reconciles(); got != 7 {
		t.Errorf("%v passes, want 7", got)
	}
	if diff := cmp.Diff(map[string]float64{"instances/status": 2}, hostWrites(s)); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
	if got := total(s.series()); got != 6 {
		t.Errorf("%v series, want 6", got)
	}
}

func TestAQuantileIsThatOfWhatCameSince(t *testing.T) {
	h := read(t, exposition).durations("controller_runtime_reconcile_time_seconds", "controller")["a"]
	for name, tt := range map[string]struct {
		before   histogram
		quantile float64
		want     float64
	}{
		"the fast half":                     {quantile: .5, want: 0.005},
		"just inside a bucket":              {quantile: .9, want: 0.005},
		"the next bucket":                   {quantile: .95, want: 0.01},
		"beyond the last bound":             {quantile: .99, want: math.Inf(1)},
		"without those that had come first": {before: histogram{counts: []float64{90, 90, 90}, count: 90}, quantile: .5, want: 0.01},
		"nothing came":                      {before: h, quantile: .5, want: math.NaN()},
	} {
		t.Run(name, func(t *testing.T) {
			if got := h.since(tt.before).quantile(tt.quantile); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestGrowthIsJudgedByWhatAnInstanceCosts(t *testing.T) {
	rows := func(none, half, full float64) []measured {
		return []measured{{resident: none, cpu: 1}, {instances: 100, resident: half, cpu: 2}, {instances: 200, resident: full, cpu: 3}}
	}
	for name, tt := range map[string]struct {
		rows []measured
		want string
	}{
		"in proportion":           {rows: rows(50, 150, 250)},
		"a little more":           {rows: rows(50, 150, 300)},
		"with the square":         {rows: rows(50, 150, 450), want: "memory grew 2.00 times"},
		"nothing to compare with": {rows: rows(50, 150, 450)[:2]},
	} {
		t.Run(name, func(t *testing.T) {
			err := judge(tt.rows, 1.3)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestWhatStaysOfDetachedInstancesIsFound(t *testing.T) {
	before := footprint{goroutines: 300, heap: 10 * mebibyte, watches: 15}
	for name, tt := range map[string]struct {
		after footprint
		want  string
	}{
		"nothing":        {after: footprint{goroutines: 302, heap: 10.2 * mebibyte, watches: 15}},
		"a watch":        {after: footprint{goroutines: 300, heap: 10 * mebibyte, watches: 16}, want: "15 watches were open and 16 are"},
		"a connection":   {after: footprint{goroutines: 300, heap: 10 * mebibyte, watches: 15, connections: 1}, want: "0 connections were open and 1 are"},
		"goroutines":     {after: footprint{goroutines: 350, heap: 10 * mebibyte, watches: 15}, want: "300 goroutines and there are 350"},
		"what they held": {after: footprint{goroutines: 300, heap: 14 * mebibyte, watches: 15}, want: "grown by 4.0 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			err := left(before, tt.after, 50)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestSizesHaveToGrow(t *testing.T) {
	if got, err := readSizes("25,50"); err != nil || !cmp.Equal(got, []int{25, 50}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, text := range []string{"", "0", "50,25", "25,25", "many"} {
		if got, err := readSizes(text); err == nil {
			t.Errorf("%q was taken for %v", text, got)
		}
	}
}
