package upstream_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kairship-io/kairship/internal/upstream"
)

var errGone, errRefused = errors.New("gone"), errors.New("refused")

func TestHedgeTakesTheFirstAnswer(t *testing.T) {
	// after is a call that answers after a time.
	after := func(d time.Duration, out string, err error) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) {
			select {
			case <-time.After(d):
				return out, err
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
	}
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		call, other func(context.Context) (string, error)
		budget      bool
		want        string
		err         error
		took        time.Duration
	}{
		"one that is in time":                 {after(10*ms, "first", nil), after(0, "other", nil), true, "first", nil, 10 * ms},
		"one that is late":                    {after(time.Second, "first", nil), after(10*ms, "other", nil), true, "other", nil, 110 * ms},
		"one that is late, but not so late":   {after(150*ms, "first", nil), after(time.Second, "other", nil), true, "first", nil, 150 * ms},
		"one that is late beside many others": {after(time.Second, "first", nil), after(0, "other", nil), false, "first", nil, time.Second},
		"one that is gone":                    {after(10*ms, "", errGone), after(10*ms, "other", nil), false, "other", nil, 20 * ms},
		"one that refuses":                    {after(10*ms, "", errRefused), after(10*ms, "other", nil), true, "", errRefused, 10 * ms},
		"both gone":                           {after(10*ms, "", errGone), after(10*ms, "", errRefused), true, "", errGone, 20 * ms},
		"late, and the other gone":            {after(time.Second, "first", nil), after(0, "", errGone), true, "first", nil, time.Second},
		"late and gone, with the other":       {after(time.Second, "", errGone), after(0, "", errRefused), true, "", errGone, time.Second},
		"one that panics":                     {func(context.Context) (string, error) { panic("too bad") }, after(0, "other", nil), true, "", nil, 0}, //nolint:forbidigo // what is tested
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := upstream.Hedging{After: 100 * ms, Late: func() bool { return c.budget }, Helps: func(err error) bool { return errors.Is(err, errGone) }}
				began := time.Now()
				got, err := upstream.Hedge(t.Context(), h, c.call, c.other)
				if got != c.want || c.err != nil && !errors.Is(err, c.err) || c.want == "" && err == nil || time.Since(began) != c.took {
					t.Errorf("%q, %v after %s; want %q, %v after %s", got, err, time.Since(began), c.want, c.err, c.took)
				}
			})
		})
	}
}

// Who leaves is not answered by the other call.
func TestHedgeEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		others := 0
		time.AfterFunc(10*time.Millisecond, cancel)
		_, err := upstream.Hedge(ctx, upstream.Hedging{After: time.Second, Late: func() bool { return true }, Helps: func(error) bool { return true }},
			func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() },
			func(context.Context) (int, error) { others++; return 0, nil })
		if !errors.Is(err, context.Canceled) || others > 0 {
			t.Errorf("%v, the other was called %d times", err, others)
		}
	})
}
