package health_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/controllers/status/health"
)

var (
	began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	rule  = health.Rule{Looks: 2, Recovery: 3 * time.Second, Relapse: 15 * time.Second}
)

func saying(s health.State) health.Saying {
	return health.Saying{State: s, Reason: s.String(), Message: "so it is"}
}

// spoken writes down what is said after each look: w well, i ill, u unknown. A look is a letter and the
// seconds since the one before; "f" forgets.
func spoken(t *testing.T, track health.Track, story string) string {
	t.Helper()
	at := began
	var out strings.Builder
	for _, look := range strings.Fields(story) {
		var letter rune
		seconds := 3
		if n, err := fmt.Sscanf(look, "%c%d", &letter, &seconds); n == 0 {
			t.Fatal(err)
		}
		at = at.Add(time.Duration(seconds) * time.Second)
		switch letter {
		case 'f':
			track.Forget(health.Saying{Reason: "Forgotten"})
		default:
			track.Observe(at, saying(map[rune]health.State{'w': health.Well, 'i': health.Ill, 'u': health.Unknown}[letter]))
		}
		out.WriteString(map[health.State]string{health.Well: "w", health.Ill: "i", health.Unknown: "u"}[track.Said().State])
	}
	return out.String()
}

func TestWhatIsSeenBecomesWhatIsSaid(t *testing.T) {
	steady := health.Rule{Looks: 2, Recovery: 15 * time.Second, Relapse: 15 * time.Second}
	for name, tt := range map[string]struct {
		rule   health.Rule
		before health.State
		story  string
		want   string
	}{
		"the first look is believed":                                {rule, health.Unknown, "i", "i"},
		"one failure is none":                                       {rule, health.Well, "w i w i w", "wwwww"},
		"two in a row are":                                          {rule, health.Well, "w i i", "wwi"},
		"a new leader does not change its mind on one look":         {rule, health.Well, "i w", "ww"},
		"nor does it believe one recovery":                          {rule, health.Ill, "w1 i1", "ii"},
		"a recovery has to last":                                    {rule, health.Ill, "w w2 w1", "iiw"},
		"without interruption":                                      {steady, health.Ill, "w w5 w5 i3 w3 w10 w5", "iiiiiiw"},
		"what fell shortly before has to be well for longer":        {rule, health.Well, "i i w w i i w w3 w3 w3 w3 w3", "wiiwwiiiiiiw"},
		"but not when that was long ago":                            {rule, health.Well, "i i w w w130 i i w w", "wiiwwwiiw"},
		"that nothing tells any more takes two looks":               {rule, health.Well, "u u", "wu"},
		"even while it is ill":                                      {rule, health.Ill, "u w u u", "iiiu"},
		"a failure and no evidence are two looks that differ":       {rule, health.Well, "u i", "wi"},
		"what was forgotten is unknown, and the next look believed": {rule, health.Well, "i i f w", "wiuw"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, spoken(t, health.NewTrack(tt.rule, saying(tt.before)), tt.story)); diff != "" {
				t.Errorf("said after %q (-want +got):\n%s", tt.story, diff)
			}
		})
	}
}

func TestFiveRestartsInAMinuteAreOneFallAndOneRecovery(t *testing.T) {
	steady := health.Rule{Looks: 2, Recovery: 15 * time.Second, Relapse: 15 * time.Second}
	// However long each outage lasts, and whenever the looks happen to be.
	for outage := time.Second; outage <= 11*time.Second; outage += time.Second / 2 {
		for phase := time.Duration(0); phase < 3*time.Second; phase += time.Second / 4 {
			track := health.NewTrack(steady, saying(health.Well))
			changes, said := 0, health.Well
			for at := phase; at < 3*time.Minute; {
				since := at % (12 * time.Second)
				found := health.Well
				if at < time.Minute && since < outage {
					found = health.Ill
				}
				now := began.Add(at)
				track.Observe(now, saying(found))
				if s := track.Said().State; s != said {
					changes, said = changes+1, s
				}
				at += max(track.Pause(now, health.Cadence{Calm: 10 * time.Second, Alert: 3 * time.Second}), time.Second)
			}
			if changes > 2 || said != health.Well {
				t.Errorf("outages of %s, looks from %s: %d changes, %s in the end", outage, phase, changes, said)
			}
		}
	}
}

func TestWordsThatAlternateAreNotToldInTurns(t *testing.T) {
	track := health.NewTrack(rule, health.Saying{})
	refused, late := health.Saying{State: health.Ill, Reason: "No", Message: "refused"}, health.Saying{State: health.Ill, Reason: "No", Message: "too late"}
	var said []string
	for i, found := range []health.Saying{refused, late, refused, late, late} {
		track.Observe(began.Add(time.Duration(i)*time.Second), found)
		said = append(said, track.Said().Message)
	}
	if diff := cmp.Diff([]string{"refused", "refused", "refused", "refused", "too late"}, said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

func TestLooksAreFrequentWhileSomethingIsAmiss(t *testing.T) {
	cadence := health.Cadence{Calm: 10 * time.Second, Alert: 3 * time.Second}
	for name, tt := range map[string]struct {
		before health.State
		look   health.State
		want   time.Duration
	}{
		"all is well":             {health.Well, health.Well, 10 * time.Second},
		"nothing tells":           {health.Unknown, health.Unknown, 10 * time.Second},
		"one failure":             {health.Well, health.Ill, 3 * time.Second},
		"an outage":               {health.Ill, health.Ill, 3 * time.Second},
		"a recovery has its own":  {health.Ill, health.Well, 3 * time.Second},
		"what can no longer tell": {health.Well, health.Unknown, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			track := health.NewTrack(rule, saying(tt.before))
			track.Observe(began, saying(tt.look))
			if got := track.Pause(began, cadence); got != tt.want {
				t.Errorf("pause: want %s, got %s", tt.want, got)
			}
		})
	}
	track := health.NewTrack(health.Rule{Looks: 2, Recovery: 4 * time.Second}, saying(health.Ill))
	track.Observe(began, saying(health.Well))
	later := began.Add(3 * time.Second)
	track.Observe(later, saying(health.Well))
	if got := track.Pause(later, cadence); got != time.Second {
		t.Errorf("before a recovery is complete: want 1s, got %s", got)
	}
}
