package batch

import (
	"errors"
	"fmt"

	"github.com/kairship-io/kairship/internal/model"
)

// errUnread is the error of a read that did not finish.
var errUnread error = &model.Error{Code: model.CodeInternal, Message: "a read did not end"}

// Reported is the error of a field that is null because of a failed read whose error another field of the answer has
// reported.
type Reported struct{ Err error }

func (r *Reported) Error() string { return r.Err.Error() }

// Unwrap is the error that was reported.
func (r *Reported) Unwrap() error { return r.Err }

// PartialError is an error beside a result: what is missing from it, and why.
type PartialError struct{ Err error }

func (p *PartialError) Error() string { return p.Err.Error() }

// Unwrap is the reason.
func (p *PartialError) Unwrap() error { return p.Err }

// Lacking marks err as one that keeps the result; nil for none.
func Lacking(err error) error {
	if err == nil {
		return nil
	}
	return &PartialError{err}
}

// Failed reports whether there is no result.
func Failed(err error) bool { return err != nil && !errors.As(err, new(*PartialError)) }

// Each is the errors of individual parents that something was read together for.
type Each[P comparable] map[P]error

func (e Each[P]) Error() string {
	for _, err := range e {
		return fmt.Sprintf("%d failed: %v", len(e), err)
	}
	return "none failed"
}

// Add adds an error; nil is none.
func (e Each[P]) Add(p P, err error) {
	if err != nil && e[p] == nil {
		e[p] = err
	}
}

// Any is e as an error; nil when it is empty.
func (e Each[P]) Any() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

// ErrorOf is the part of an error that concerns one parent.
func ErrorOf[P comparable](err error, self P) error {
	var some Each[P]
	if errors.As(err, &some) {
		return some[self]
	}
	return err
}

// same reports whether two errors are equal in content: that a kind is not held is found anew for each object.
func same(a, b error) bool {
	x, y := (*model.Error)(nil), (*model.Error)(nil)
	if errors.Is(a, b) || !errors.As(a, &x) || !errors.As(b, &y) {
		return errors.Is(a, b)
	}
	return x.Code == y.Code && x.Message == y.Message && x.Instance == y.Instance && x.Cluster == y.Cluster
}
