// Package health turns what is seen, look by look, into what is said: one failure is none, a recovery
// has to last, and what is looked at for the first time is believed at once. It knows neither clients nor
// clocks; whoever looks says when it was.
package health

import "time"

// State is how something does.
type State int

// The states of what is looked at.
const (
	// Unknown: nothing in reach tells, or nobody has looked yet.
	Unknown State = iota
	// Well: it does what it is for.
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

// Saying is what is said of something: how it does, and why.
type Saying struct {
	State   State
	Reason  string
	Message string
}

// memory is how long a fall is remembered: what falls again within it has to be well for longer.
const memory = 2 * time.Minute

// Rule is how many looks it takes to believe something new.
type Rule struct {
	// Looks in a row that differ from what is said, until it is no longer said. One is not enough: a
	// single request fails for many reasons.
	Looks int
	// Recovery is how long something ill has to be well without interruption.
	Recovery time.Duration
	// Relapse takes the place of Recovery for what had fallen before within two minutes.
	Relapse time.Duration
}

// Track follows one thing.
type Track struct {
	rule Rule
	said Saying
	// differing counts the looks in a row that differed from what is said.
	differing int
	// last is what the last look found.
	last Saying
	// wellFrom is when something ill began to be well; zero while it is not.
	wellFrom time.Time
	// fell is when it last became ill; relapsed says that it had fallen shortly before.
	fell     time.Time
	relapsed bool
}

// NewTrack begins with what was said before, so that neither a restart nor a new leader changes it on a
// single look. The zero Saying is that of something new.
func NewTrack(rule Rule, before Saying) Track {
	return Track{rule: rule, said: before, last: before}
}

// Said is what is to be said now.
func (t *Track) Said() Saying { return t.said }

// Observe takes in what a look found at a time.
func (t *Track) Observe(at time.Time, found Saying) {
	repeated := found == t.last
	t.last = found
	if found.State == t.said.State {
		t.differing, t.wellFrom = 0, time.Time{}
		// The words change with the second look as well: causes that alternate are not told in turns.
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

// Forget makes it unknown: what was known does not tell any more. The next look is believed at once.
func (t *Track) Forget(why Saying) {
	why.State = Unknown
	t.said, t.last, t.differing, t.wellFrom = why, why, 0, time.Time{}
}

// Cadence is how often to look.
type Cadence struct {
	// Calm is the pause while all is well, Alert while something differs from what is said or is ill.
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
