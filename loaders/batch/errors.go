package batch

import (
	"errors"
	"fmt"

	"github.com/kairship-io/kairship/internal/model"
)

// errUnread is the error of a read that did not come to its end.
var errUnread error = &model.Error{Code: model.CodeInternal, Message: "a read did not end"}

// Reported is the error of a field that is null because of a failed read, when another field of the answer has its error
// already.
type Reported struct{ Err error }

func (r *Reported) Error() string { return r.Err.Error() }

// Unwrap is the error that was reported.
func (r *Reported) Unwrap() error { return r.Err }

// PartialError is the error that comes beside a result: what it lacks, and why.
type PartialError struct{ Err error }

func (p *PartialError) Error() string { return p.Err.Error() }

// Unwrap is why.
func (p *PartialError) Unwrap() error { return p.Err }

// Lacking is err as one that leaves the result; nil for none.
func Lacking(err error) error {
	if err == nil {
		return nil
	}
	return &PartialError{err}
}

// Failed says that there is no result.
func Failed(err error) bool { return err != nil && !errors.As(err, new(*PartialError)) }

// Each is the errors of some of those for whom something was read together.
type Each[P comparable] map[P]error

func (e Each[P]) Error() string {
	for _, err := range e {
		return fmt.Sprintf("%d failed: %v", len(e), err)
	}
	return "none failed"
}

// Add notes an error; nil is none.
func (e Each[P]) Add(p P, err error) {
	if err != nil && e[p] == nil {
		e[p] = err
	}
}

// Any is e as an error; nil when nobody has one.
func (e Each[P]) Any() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

// ErrorOf is the part of an error that concerns one of those for whom something was read.
func ErrorOf[P comparable](err error, self P) error {
	var some Each[P]
	if errors.As(err, &some) {
		return some[self]
	}
	return err
}

// same says whether two errors say the same: that a kind is not held is found anew for each object.
func same(a, b error) bool {
	x, y := (*model.Error)(nil), (*model.Error)(nil)
	if errors.Is(a, b) || !errors.As(a, &x) || !errors.As(b, &y) {
		return errors.Is(a, b)
	}
	return x.Code == y.Code && x.Message == y.Message && x.Instance == y.Instance && x.Cluster == y.Cluster
}
