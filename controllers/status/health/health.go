// Package health turns single looks into what is reported: one failure does not count, a recovery has to last, and the
// first look is believed at once. It knows neither clients nor clocks; the caller passes the time.
package health

import "time"

// State is the health of something.
type State int

// The states of health.
const (
	// Unknown: nothing in reach shows it, or nobody has looked yet.
	Unknown State = iota
	// Well: it works.
	Well
	// Ill: it does not.
	Ill
)

func (s State) String() string {
	switch s {
	case Well:
		return "Well"
	case Ill:
		return "Ill"
	default:
		return "Unknown"
	}
}

// Saying is what is reported about something: its state, and why.
type Saying struct {
	State   State
	Reason  string
	Message string
}

// memory is how long a failure is remembered: what fails again within it has to be well for longer.
const memory = 2 * time.Minute

// Rule is how much it takes to report something new.
type Rule struct {
	// Looks is how many looks in a row must differ from what is reported to change it. One is not enough: a single
	// request fails for many reasons.
	Looks int
	// Recovery is how long something ill has to be well without interruption.
	Recovery time.Duration
	// Relapse takes the place of Recovery for what had failed before within two minutes.
	Relapse time.Duration
}

// Track follows the health of one thing.
type Track struct {
	rule Rule
	said Saying
	// differing counts the looks in a row that differed from what is reported.
	differing int
	// last is what the last look found.
	last Saying
	// wellFrom is when something ill began to be well; zero while it is not.
	wellFrom time.Time
	// fell is when it last became ill; relapsed says that it had become ill shortly before.
	fell     time.Time
	relapsed bool
}

// NewTrack begins with what was last reported, so that neither a restart nor a new leader changes it on a single look.
// The zero Saying is that of something new.
func NewTrack(rule Rule, before Saying) Track {
	return Track{rule: rule, said: before, last: before}
}

// Said returns what is reported now.
func (t *Track) Said() Saying { return t.said }

// Observe records what a look found at a time.
func (t *Track) Observe(at time.Time, found Saying) {
	repeated := found == t.last
	t.last = found
	if found.State == t.said.State {
		t.differing, t.wellFrom = 0, time.Time{}
		// The message also changes with the second look only: alternating causes are not reported in turns.
		if repeated || t.said.Reason == "" {
			t.said = found
		}
		return
	}
	if t.said.State == Ill && found.State == Well {
		t.recover(at, found)
		return
	}
	t.wellFrom = time.Time{}
	t.differing++
	if t.said.State == Unknown || t.differing >= t.rule.Looks {
		t.say(at, found)
	}
}

func (t *Track) recover(at time.Time, found Saying) {
	t.differing = 0
	if t.wellFrom.IsZero() {
		t.wellFrom = at
	}
	if at.Sub(t.wellFrom) >= t.recovery() {
		t.say(at, found)
	}
}

func (t *Track) recovery() time.Duration {
	if t.relapsed {
		return t.rule.Relapse
	}
	return t.rule.Recovery
}

func (t *Track) say(at time.Time, found Saying) {
	if found.State == Ill {
		t.relapsed = !t.fell.IsZero() && at.Sub(t.fell) < memory
		t.fell = at
	}
	t.said, t.differing, t.wellFrom = found, 0, time.Time{}
}

// Forget makes it unknown: what was known means nothing any more. The next look is believed at once.
func (t *Track) Forget(why Saying) {
	why.State = Unknown
	t.said, t.last, t.differing, t.wellFrom = why, why, 0, time.Time{}
}

// Cadence is how often to look.
type Cadence struct {
	// Calm is the pause while all is well, Alert while something is ill or differs from what is reported.
	Calm, Alert time.Duration
}

// Pause is how long to wait before the next look.
func (t *Track) Pause(at time.Time, c Cadence) time.Duration {
	switch {
	case !t.wellFrom.IsZero():
		// No later than when the recovery is complete.
		return min(c.Alert, max(t.wellFrom.Add(t.recovery()).Sub(at), 0))
	case t.said.State == Ill || t.differing > 0:
		return c.Alert
	default:
		return c.Calm
	}
}
