package health_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/controllers/status/health"
)

func TestALeaseTellsWhetherItsHolderLives(t *testing.T) {
	// A look says when it was and when the Lease was renewed last, in seconds; the latter by the holder's
	// clock, which is ahead by a number of seconds.
	type look struct {
		at, renewed float64
		holder      string
		forgive     bool
		want        health.State
	}
	const w, i, u = health.Well, health.Ill, health.Unknown
	for name, tt := range map[string]struct {
		ahead float64
		looks []look
	}{
		"one that is renewed":                     {looks: []look{{at: 0, renewed: -1, want: w}, {at: 10, renewed: 9, want: w}, {at: 20, renewed: 19, want: w}}},
		"one that is renewed by a clock far away": {ahead: 7200, looks: []look{{at: 0, renewed: -1, want: u}, {at: 3, renewed: 1, want: w}, {at: 13, renewed: 11, want: w}}},
		"one whose holder died, dated by its last renewal": {looks: []look{
			{at: 0, renewed: 0, want: w}, {at: 10, renewed: 1, want: w}, {at: 17, renewed: 1, want: w}, {at: 18.5, renewed: 1, want: i},
		}},
		"the same by a clock far away": {ahead: -7200, looks: []look{
			{at: 0, renewed: 0, want: i}, {at: 3, renewed: 2, want: w}, {at: 13, renewed: 12, want: w}, {at: 23, renewed: 12, want: w}, {at: 32, renewed: 12, want: i},
		}},
		"one that has long expired":                       {looks: []look{{at: 0, renewed: -3600, want: i}, {at: 3, renewed: -3600, want: i}}},
		"one that has been taken over":                    {looks: []look{{at: 0, renewed: -3600, want: i}, {at: 3, renewed: 2, holder: "b", want: w}}},
		"one that nobody holds":                           {looks: []look{{at: 0, renewed: -1, want: w}, {at: 3, renewed: 2, holder: "-", want: i}, {at: 6, renewed: 5, holder: "b", want: w}}},
		"one that may have expired, or have other clocks": {looks: []look{{at: 0, renewed: -40, want: u}, {at: 10, renewed: -40, want: u}, {at: 18, renewed: -40, want: i}}},
		"a holder whose clock is set back": {looks: []look{
			{at: 0, renewed: 0, want: w}, {at: 10, renewed: -50, want: w}, {at: 20, renewed: -40, want: w}, {at: 23, renewed: -40, want: w}, {at: 26, renewed: -35, want: w},
		}},
		"one that could not be renewed gets its time again": {looks: []look{
			{at: 0, renewed: 0, want: w}, {at: 60, renewed: 0, forgive: true, want: u}, {at: 63, renewed: 0, want: u}, {at: 66, renewed: 65, want: w},
		}},
		"although it was renewed once more before": {looks: []look{
			{at: 0, renewed: 0, want: w}, {at: 60, renewed: 2, forgive: true, want: u}, {at: 63, renewed: 2, want: u}, {at: 66, renewed: 65, want: w}, {at: 69, renewed: 65, want: w},
		}},
		"but no more than that": {looks: []look{
			{at: 0, renewed: 0, want: w}, {at: 60, renewed: 0, forgive: true, want: u}, {at: 78, renewed: 0, want: u}, {at: 83, renewed: 0, want: i},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var lease health.Lease
			var want, got []health.State
			second := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
			for _, l := range tt.looks {
				r := health.Record{Holder: "a", Renewed: began.Add(second(l.renewed + tt.ahead)), Duration: 15 * time.Second}
				switch l.holder {
				case "":
				case "-":
					r.Holder = ""
				default:
					r.Holder = l.holder
				}
				if l.forgive {
					lease.Forgive()
				}
				want, got = append(want, l.want), append(got, lease.Look(began.Add(second(l.at)), r))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestALeaseIsLookedAtWhenItWouldExpire(t *testing.T) {
	var lease health.Lease
	if !lease.Expires().IsZero() {
		t.Error("it expires before anybody has looked")
	}
	r := health.Record{Holder: "a", Renewed: began, Duration: 15 * time.Second}
	lease.Look(began, r)
	if want := began.Add(17 * time.Second); !lease.Expires().Equal(want) {
		t.Errorf("expires: want %s, got %s", want, lease.Expires())
	}
	r.Renewed = began.Add(2 * time.Second)
	lease.Look(began.Add(11*time.Second), r)
	if want := began.Add(19 * time.Second); !lease.Expires().Equal(want) {
		t.Errorf("expires after another renewal: want %s, got %s", want, lease.Expires())
	}
}
