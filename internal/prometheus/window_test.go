package prometheus_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/prometheus"
)

func TestAWindowIsOfMultiplesOfItsStepWithinTheRange(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)
	seconds := func(n int32) *int32 { return &n }
	at := func(hour, minute, second int) time.Time {
		return time.Date(2026, 1, 2, hour, minute, second, 0, time.UTC)
	}
	for _, c := range []struct {
		name string
		from time.Time
		to   *time.Time
		step *int32
		want prometheus.Window
	}{
		{"an hour until now", now.Add(-time.Hour), nil, nil, prometheus.Window{Start: at(2, 4, 30), Step: 30 * time.Second, Points: 120}},
		{"a quarter of an hour", now.Add(-15 * time.Minute), nil, nil, prometheus.Window{Start: at(2, 49, 15), Step: 15 * time.Second, Points: 60}},
		{"ten seconds", now.Add(-10 * time.Second), nil, nil, prometheus.Window{Start: at(3, 4, 0), Step: 10 * time.Second, Points: 1}},
		{"the longest range", now.Add(-prometheus.MaxRange), nil, nil, prometheus.Window{Start: time.Date(2025, 12, 2, 8, 24, 0, 0, time.UTC), Step: 22320 * time.Second, Points: 120}},
		{"a step of one's own", now.Add(-time.Hour), nil, seconds(600), prometheus.Window{Start: at(2, 10, 0), Step: 10 * time.Minute, Points: 6}},
		{"points at both ends", at(1, 0, 0), ptr(at(2, 0, 0)), seconds(1800), prometheus.Window{Start: at(1, 0, 0), Step: 30 * time.Minute, Points: 3}},
		{"the most points", at(1, 0, 0), ptr(at(1, 16, 39)), seconds(1), prometheus.Window{Start: at(1, 0, 0), Step: time.Second, Points: 1000}},
		{"a clock that is ahead", now.Add(-time.Minute), ptr(now.Add(59 * time.Second)), seconds(60), prometheus.Window{Start: at(3, 4, 0), Step: time.Minute, Points: 2}},
		{"another zone", at(1, 0, 0).In(time.FixedZone("", 3600)), ptr(at(2, 0, 0)), seconds(1800), prometheus.Window{Start: at(1, 0, 0), Step: 30 * time.Minute, Points: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := prometheus.WindowOf(model.MetricsRange{From: c.from, To: c.to}, c.step, now)
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%v, -want +got:\n%s", err, diff)
			}
		})
	}
}

func TestARangeThatCannotBeAskedForIsNamed(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	seconds := func(n int32) *int32 { return &n }
	for _, c := range []struct {
		name string
		from time.Time
		to   *time.Time
		step *int32
		want string
	}{
		{"the wrong way round", ago(time.Hour), ptr(ago(2 * time.Hour)), nil, "range.from: is 2026-01-02T02:04:05Z; it must be before range.to, 2026-01-02T01:04:05Z"},
		{"no time at all", ago(time.Hour), ptr(ago(time.Hour)), nil, "range.from: is"},
		{"half a second", ago(time.Second / 2), nil, nil, "range: is 500ms long; it must be at least a second"},
		{"from the future", ago(-time.Hour), nil, nil, "range.from: is 2026-01-02T04:04:05Z, which is to come"},
		{"into the future", ago(time.Hour), ptr(ago(-61 * time.Second)), nil, "range.to: is 2026-01-02T03:05:06Z, which is to come; it must be at most a minute ahead of the server's clock, 2026-01-02T03:04:05Z"},
		{"too long", ago(40 * 24 * time.Hour), nil, nil, "range: is 40.0 days long; it may be at most 31"},
		{"before time", time.Time{}, nil, nil, "range.from: is 0001-01-01T00:00:00Z; it must be in 1970 or later"},
		{"before time throughout", time.Time{}, ptr(time.Time{}.Add(time.Hour)), nil, "range.from: is 0001-01-01T00:00:00Z; it must be in 1970 or later"},
		{"no step", ago(time.Hour), nil, seconds(0), "step: is 0; it must be at least 1 second"},
		{"a step back", ago(time.Hour), nil, seconds(math.MinInt32), "step: is -2147483648; it must be at least 1 second"},
		{"too many points", ago(time.Hour), nil, seconds(3), "step: is 3 seconds, which makes more than 1000 points of this range; it must be at least 4"},
		{"one point too many", ago(1000 * time.Second), nil, seconds(1), "it must be at least 2"},
		{"a step beyond the range", ago(time.Hour), nil, seconds(math.MaxInt32), "step: is 2147483647 seconds, and range only 3600; it must not be longer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := prometheus.WindowOf(model.MetricsRange{From: c.from, To: c.to}, c.step, now)
			var refused *model.Error
			if !errors.As(err, &refused) || refused.Code != model.CodeBadUserInput || !strings.Contains(refused.Message, c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestSeriesHaveTheirPointsInOrderAndGapsAreNull(t *testing.T) {
	one := 1.0
	got := window.Series(prometheus.Values{model.NodesReady: {1, math.NaN(), 1}, model.CPUAllocated: {math.NaN(), math.NaN(), 1}})
	times := []time.Time{start, start.Add(time.Minute), start.Add(2 * time.Minute)}
	want := []model.MetricSeries{
		{Metric: model.CPUAllocated, Points: []model.MetricPoint{{At: times[0]}, {At: times[1]}, {At: times[2], Value: &one}}},
		{Metric: model.NodesReady, Points: []model.MetricPoint{{At: times[0], Value: &one}, {At: times[1]}, {At: times[2], Value: &one}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got[0].Unit() != model.UnitCores || got[1].Unit() != model.UnitCount {
		t.Errorf("units %s, %s", got[0].Unit(), got[1].Unit())
	}
}

func ptr[T any](v T) *T { return &v }
