package operation

import (
	"context"
	"fmt"
	"time"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// Kind is one kind of operation. A new one is a file with a Kind, and a line in Kinds.
type Kind struct {
	Name v1alpha1.OperationKind
	// Allowed says why the actor may not do it, or may not any more; nil when they may. It is asked before each step, with the roles of
	// that moment.
	Allowed func(r *Run) error
	// Steps are what has to be done, in order. They depend on the spec alone: a successor of this process makes the same ones.
	Steps func(o *v1alpha1.Operation) []Step
	// Undo removes what was made, after a failure or when it is cancelled; nil when there is nothing that could be. It is repeated until
	// its outcome is Done, or Failed with what stays.
	Undo func(ctx context.Context, r *Run) (Outcome, error)
}

// Step is one step of an operation.
type Step struct {
	// Name as people see it, such as "Install".
	Name string
	// Deadline is how long it may take from its beginning; DefaultDeadline when 0.
	Deadline time.Duration
	// Cancellable says that the operation can be cancelled until this step is done.
	Cancellable bool
	// Follows says that the step only watches what goes on by itself and cannot be stopped: no right is needed for it.
	Follows bool
	// Do does it. It is called again after each wait, error and restart, also when it was done already but nobody remembers: so it looks
	// first, and what it makes is announced by Run.Make before. An error is told to people and tried again.
	Do func(ctx context.Context, r *Run) (Outcome, error)
}

// DefaultDeadline is how long a step may take that does not say.
const DefaultDeadline = 5 * time.Minute

// Outcome is what became of one try of a step.
type Outcome struct {
	result  result
	message string
	after   time.Duration
	within  []v1alpha1.Step
}

type result int

const (
	done result = iota + 1
	waits
	failed
)

// Done ends a step.
func Done() Outcome { return Outcome{result: done} }

// DoneWith ends a step with something that people should know.
func DoneWith(message string) Outcome { return Outcome{result: done, message: message} }

// Wait tries a step again later: after a time, or when the operation's Instance changes.
func Wait(message string, after time.Duration) Outcome {
	return Outcome{result: waits, message: message, after: max(after, minWait)}
}

// Fail ends the operation, for good: what was made is undone.
func Fail(format string, args ...any) Outcome {
	return Outcome{result: failed, message: fmt.Sprintf(format, args...)}
}

// Within adds steps that are part of this one, such as those of the lifecycle controller: people see them below it.
func (o Outcome) Within(steps []v1alpha1.Step) Outcome {
	o.within = steps
	return o
}

// minWait bounds how often a waiting step is tried.
const minWait = 500 * time.Millisecond
