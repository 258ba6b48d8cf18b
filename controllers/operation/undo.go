package operation

import (
	"context"
	"errors"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
)

// undoPatience is how long what is to be undone in one place waits for the other one. There is as much time again until it is said what stays.
const undoPatience = undoDeadline / 2

// own is a Karmada that is reached with Kairship's own credential, whoever acts.
type own struct{ *Karmada }

// As returns a configuration that impersonates nobody.
func (k own) As(auth.Principal) (*rest.Config, error) {
	config := k.Config()
	config.Timeout = callTimeout
	return config, nil
}

// reach is the operation's Karmada as the actor reaches it; as Kairship does, while what was made is undone.
func (r *Run) reach(ctx context.Context) (karmada.Connection, error) {
	k, err := r.Karmada(ctx)
	switch {
	case err != nil:
		return nil, err
	case r.undoing:
		return own{k}, nil
	}
	return k, nil
}

// impatient reports that undoing has gone on for so long that nothing waits for anything else any more.
func (r *Run) impatient() bool {
	is := find(&r.Operation.Status, undoName)
	return is != nil && is.StartedAt != nil && r.Clock.Since(is.StartedAt.Time) > undoPatience
}

// part is how far undoing is in one place: an outcome, or an error that is tried again.
type part struct {
	Outcome
	err error
}

// partOf makes one of what a function returns. What was made in a Karmada that cannot be reached any more stays.
func partOf(o Outcome, err error) part {
	if lost(err) {
		return part{Outcome: Fail("what was made in its Karmada could not be removed: %s", err)}
	}
	return part{o, err}
}

// pending reports that it is to be tried again.
func (p part) pending() bool { return p.err != nil || p.result == waits }

// together sums up what is undone in several places.
func together(parts ...part) (Outcome, error) {
	out := Done()
	var errs []error
	for _, p := range parts {
		errs = append(errs, p.err)
		out.message = joined(out.message, p.message)
		switch {
		case p.result == waits:
			out.result, out.after = waits, max(out.after, p.after)
		case p.result == failed && out.result == done:
			out.result = failed
		}
	}
	return out, errors.Join(errs...)
}
