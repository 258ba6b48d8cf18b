package operation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/text"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// undoName is the step that removes what was made.
const undoName = "Undo"

// separator stands between the name of a step and that of one within it.
const separator = ": "

// maxSteps is how many steps a status has at most.
const maxSteps = 64

// plain is a message as people may see it: without secrets, and bounded.
func plain(message string) string { return text.Status(redact.Text(message)) }

// find returns a step of a status by its name; nil when there is none.
func find(s *v1alpha1.OperationStatus, name string) *v1alpha1.Step {
	for i := range s.Steps {
		if s.Steps[i].Name == name {
			return &s.Steps[i]
		}
	}
	return nil
}

// prepare fills a status with the steps that there will be.
func prepare(s *v1alpha1.OperationStatus, steps []Step) {
	if s.State == "" {
		s.State = v1alpha1.OperationPending
	}
	for _, step := range steps {
		if find(s, step.Name) == nil {
			s.Steps = append(s.Steps, v1alpha1.Step{Name: step.Name, State: v1alpha1.StepPending})
		}
	}
}

// current is the first step that has not succeeded; nil when all have.
func current(s *v1alpha1.OperationStatus, steps []Step) *Step {
	for i := range steps {
		if is := find(s, steps[i].Name); is == nil || is.State != v1alpha1.StepSucceeded {
			return &steps[i]
		}
	}
	return nil
}

// begin notes that a step is under way.
func begin(s *v1alpha1.OperationStatus, name string, now time.Time) {
	at := metav1.NewTime(now).Rfc3339Copy()
	s.State = v1alpha1.OperationRunning
	if s.StartedAt == nil {
		s.StartedAt = &at
	}
	is := find(s, name)
	if is == nil {
		s.Steps = append(s.Steps, v1alpha1.Step{Name: name})
		is = &s.Steps[len(s.Steps)-1]
	}
	if is.StartedAt == nil {
		is.StartedAt = &at
	}
	is.State = v1alpha1.StepRunning
}

// overdue says how long a step may take, when it has taken longer; else 0.
func overdue(s *v1alpha1.OperationStatus, name string, deadline time.Duration, now time.Time) time.Duration {
	if deadline == 0 {
		deadline = DefaultDeadline
	}
	if is := find(s, name); is != nil && is.StartedAt != nil && now.Sub(is.StartedAt.Time) > deadline {
		return deadline
	}
	return 0
}

// note writes the outcome of a step into a status, but for what follows from it.
func note(s *v1alpha1.OperationStatus, name string, o Outcome, now time.Time) {
	is := find(s, name)
	if is == nil {
		return
	}
	is.Message = plain(o.message)
	switch at := metav1.NewTime(now).Rfc3339Copy(); o.result {
	case done:
		is.State, is.FinishedAt = v1alpha1.StepSucceeded, &at
	case failed:
		is.State = v1alpha1.StepFailed
	case waits:
		is.State = v1alpha1.StepRunning
	}
	if s.Message = is.Message; o.result == done {
		s.Message = ""
	}
	nest(s, name, o.within)
}

// nest puts the steps that are part of another one behind it.
func nest(s *v1alpha1.OperationStatus, name string, within []v1alpha1.Step) {
	if len(within) == 0 {
		return
	}
	s.Steps = slices.DeleteFunc(s.Steps, func(x v1alpha1.Step) bool { return strings.HasPrefix(x.Name, name+separator) })
	at := slices.IndexFunc(s.Steps, func(x v1alpha1.Step) bool { return x.Name == name }) + 1
	var put []v1alpha1.Step
	for _, w := range within[:min(len(within), maxSteps-len(s.Steps))] {
		w.Name, w.Message = name+separator+w.Name, plain(w.Message)
		put = append(put, w)
	}
	s.Steps = slices.Insert(s.Steps, at, put...)
}

// end notes how an operation is to end once what was made is undone.
func end(s *v1alpha1.OperationStatus, state v1alpha1.OperationState, message string) {
	s.Ending, s.Message, s.Cancellable = state, plain(message), false
}

// finish ends an operation for good. Steps that were under way say so.
func finish(s *v1alpha1.OperationStatus, state v1alpha1.OperationState, message string, now time.Time) {
	at := metav1.NewTime(now).Rfc3339Copy()
	s.State, s.Ending, s.Message, s.Cancellable, s.FinishedAt = state, "", plain(message), false, &at
	for i := range s.Steps {
		if is := &s.Steps[i]; is.State == v1alpha1.StepRunning && state != v1alpha1.OperationSucceeded {
			is.State = v1alpha1.StepFailed
		}
	}
}

// joined is two sentences of which either may be missing.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return fmt.Sprintf("%s; %s", a, b)
}
