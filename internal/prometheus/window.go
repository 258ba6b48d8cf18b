package prometheus

import (
	"fmt"
	"math"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// MaxRange is the longest span of time that is asked for.
	MaxRange = 31 * 24 * time.Hour
	// MaxPoints is the most points of one series.
	MaxPoints = 1000
	// usualPoints is about how many points a series has when nobody says.
	usualPoints = 120
	// leastStep is the least time between points when nobody says: Karmada is seldom scraped more often.
	leastStep = 15 * time.Second
	// ahead is how far the clock of a client may be ahead of ours.
	ahead = time.Minute
)

// Window is the points in time that values are asked for: at multiples of the step since 1970, so that everybody who asks
// for about the same asks for the same.
type Window struct {
	Start  time.Time
	Step   time.Duration
	Points int
}

// WindowOf is the window in a range. step is in seconds; nil for one that gives about 120 points. Errors are BAD_USER_INPUT.
func WindowOf(r model.MetricsRange, step *int32, now time.Time) (Window, error) {
	to := now
	if r.To != nil {
		to = *r.To
	}
	length := to.Sub(r.From)
	switch {
	case to.After(now.Add(ahead)):
		return Window{}, model.BadInput("range.to", "is %s, which is to come; it must be at most a minute ahead of the server's clock, %s", stamp(to), stamp(now))
	case r.From.Unix() < 0:
		return Window{}, model.BadInput("range.from", "is %s; it must be in 1970 or later", stamp(r.From))
	case length <= 0 && r.To == nil:
		return Window{}, model.BadInput("range.from", "is %s, which is to come; it must be before now, %s", stamp(r.From), stamp(now))
	case length <= 0:
		return Window{}, model.BadInput("range.from", "is %s; it must be before range.to, %s", stamp(r.From), stamp(to))
	case length < time.Second:
		return Window{}, model.BadInput("range", "is %s long; it must be at least a second", length)
	case length > MaxRange:
		return Window{}, model.BadInput("range", "is %.1f days long; it may be at most %d", length.Hours()/24, int(MaxRange.Hours()/24))
	}
	each, err := stepOf(step, length)
	if err != nil {
		return Window{}, err
	}
	w := Window{Start: time.Unix(0, 0).UTC().Add(roundUp(r.From.Sub(time.Unix(0, 0)), each)), Step: each}
	w.Points = int(to.Sub(w.Start)/each) + 1
	return w, nil
}

func stepOf(step *int32, length time.Duration) (time.Duration, error) {
	if step == nil {
		return min(roundUp(length/usualPoints, leastStep), length.Truncate(time.Second)), nil
	}
	each := time.Duration(*step) * time.Second
	// Points at both ends.
	least := int(math.Ceil(length.Seconds() / (MaxPoints - 1)))
	switch {
	case *step < 1:
		return 0, model.BadInput("step", "is %d; it must be at least 1 second", *step)
	case each > length:
		return 0, model.BadInput("step", "is %d seconds, and range only %d; it must not be longer", *step, int(length.Seconds()))
	case int(*step) < least:
		return 0, model.BadInput("step", "is %d seconds, which makes more than %d points of this range; it must be at least %d", *step, MaxPoints, least)
	}
	return each, nil
}

// roundUp is the first multiple of step at d or after it, and at least one.
func roundUp(d, step time.Duration) time.Duration { return max(d-1, 0).Truncate(step) + step }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (w Window) end() time.Time { return w.at(w.Points - 1) }

func (w Window) at(point int) time.Time { return w.Start.Add(time.Duration(point) * w.Step) }

// index is the point at a moment, in seconds since 1970; false when there is none.
func (w Window) index(seconds float64) (int, bool) {
	i := math.Round((seconds - float64(w.Start.Unix())) / w.Step.Seconds())
	if math.IsNaN(i) || i < 0 || i >= float64(w.Points) {
		return 0, false
	}
	return int(i), true
}

// gaps is no value at any point.
func (w Window) gaps() []float64 {
	out := make([]float64, w.Points)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

func (w Window) String() string {
	return fmt.Sprintf("%d+%d*%d", w.Start.Unix(), w.Points, w.Step/time.Second)
}

// Series are values as the series of the graph, in the order of model.MetricNames.
func (w Window) Series(values Values) []model.MetricSeries {
	out := []model.MetricSeries{}
	for _, name := range model.MetricNames {
		known := values[name]
		if known == nil {
			continue
		}
		s := model.MetricSeries{Metric: name, Points: make([]model.MetricPoint, w.Points)}
		for i := range s.Points {
			s.Points[i].At = w.at(i)
			if !math.IsNaN(known[i]) {
				s.Points[i].Value = &known[i]
			}
		}
		out = append(out, s)
	}
	return out
}
