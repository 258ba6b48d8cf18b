package health

import "time"

const (
	// slack is how late a renewal may be beyond the Lease's own duration.
	slack = 2 * time.Second
	// skew is how far apart the clocks of two machines may be when they have to be compared.
	skew = time.Minute
	// takeover is how long after the Lease's duration a candidate that had to start first may take it: it waits for the
	// whole duration, however long ago the last renewal was.
	takeover = 5 * time.Second
)

// Record is the content of a Lease.
type Record struct {
	Holder string
	// Renewed is by the holder's clock.
	Renewed time.Time
	// Duration after which it has expired unless it is renewed.
	Duration time.Duration
}

func (r Record) equal(o Record) bool {
	return r.Holder == o.Holder && r.Renewed.Equal(o.Renewed) && r.Duration == o.Duration
}

// Lease judges by whether a Lease keeps being renewed. Its holder's clock is compared with ours at the first look only:
// from then on what counts is that the Lease changes, and how far its holder's clock advanced meanwhile.
type Lease struct {
	record Record
	looked time.Time
	// renewed is not before the last renewal, by our clock.
	renewed time.Time
	// unsure says that it has not changed since the first look, which was inconclusive, or since it was forgiven.
	unsure bool
	// forgiven says that it could not be renewed for a while, and that the next look starts anew.
	forgiven bool
}

// Look judges the content of the Lease at a time. It returns Unknown as long as that proves nothing.
func (l *Lease) Look(at time.Time, r Record) State {
	defer func() { l.record, l.looked, l.forgiven = r, at, false }()
	switch {
	case r.Holder == "" && (!l.forgiven || l.looked.IsZero()):
		l.unsure = false
		return Ill
	case l.looked.IsZero():
		return l.first(at, r)
	case l.forgiven:
		// The change may date from before.
		l.renewed, l.unsure = at.Add(takeover), true
		return Unknown
	case !r.equal(l.record):
		l.renewed, l.unsure = l.renewal(at, r), false
		return Well
	case at.Sub(l.renewed) > r.Duration+slack:
		l.unsure = false
		return Ill
	case l.unsure:
		return Unknown
	default:
		return Well
	}
}

// first judges without a former look. It is conclusive when the clocks agree, or when no difference of clocks explains
// the age.
func (l *Lease) first(at time.Time, r Record) State {
	l.renewed = at
	age := at.Sub(r.Renewed)
	switch {
	case age > r.Duration+skew:
		l.renewed = at.Add(-age)
		return Ill
	case age > r.Duration+slack || age < -slack:
		l.unsure = true
		return Unknown
	default:
		return Well
	}
}

// renewal dates a renewal that was found at a time: as long after the one before as the holder's clock advanced. That
// is more exact than the time of the look, which is returned when that clock was set, or is another holder's.
func (l *Lease) renewal(at time.Time, r Record) time.Time {
	if r.Holder != l.record.Holder {
		return at
	}
	dated := l.renewed.Add(r.Renewed.Sub(l.record.Renewed))
	if dated.After(at) || dated.Before(l.looked.Add(-slack)) {
		return at
	}
	return dated
}

// Forgive has to be called when the Lease could not be renewed although its holder may be well, as while the API server
// was down: it allows time for a takeover.
func (l *Lease) Forgive() { l.forgiven = true }

// Unsure reports whether only another look can decide.
func (l *Lease) Unsure() bool { return l.unsure }

// Expires is when the Lease will have expired unless it is renewed; zero before the first look.
func (l *Lease) Expires() time.Time {
	if l.looked.IsZero() || l.record.Holder == "" {
		return time.Time{}
	}
	return l.renewed.Add(l.record.Duration + slack)
}
