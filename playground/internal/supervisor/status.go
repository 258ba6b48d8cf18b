package supervisor

import (
	"time"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// State is what a supervised process is doing.
type State string

// The states of a process.
const (
	Starting  State = "Starting"  // runs, has not answered its probe yet
	Running   State = "Running"   // runs and answers
	Unhealthy State = "Unhealthy" // runs, answered once, does not answer any more
	BackOff   State = "BackOff"   // ended by itself; is started again after a pause
	Stopping  State = "Stopping"
	Stopped   State = "Stopped" // on demand
	Paused    State = "Paused"  // on demand: frozen, as if the machine hung
)

// Healthy reports whether a process in this state does its work.
func (s State) Healthy() bool { return s == Running }

// Status is a process as the supervisor sees it.
type Status struct {
	Spec     process.Spec `json:"spec"`
	Hash     string       `json:"hash"`
	State    State        `json:"state"`
	PID      int          `json:"pid,omitempty"`
	Restarts int          `json:"restarts"`
	// Since is when it entered the state.
	Since time.Time `json:"since"`
	// Began is when the process that runs was started; zero when none runs.
	Began time.Time `json:"began,omitzero"`
	// Exit is how the process before it ended, when it did.
	Exit *Exit `json:"exit,omitempty"`
	// Memory is what it holds, in bytes.
	Memory int64 `json:"memory,omitempty"`
	// Message says why it is in this state: how it ended, what the probe said.
	Message string `json:"message,omitempty"`
}

// Exit is how a process ended.
type Exit struct {
	// Code is that of a shell: 128 and the number of the signal that killed it.
	Code  int       `json:"code"`
	Began time.Time `json:"began"`
	Ended time.Time `json:"ended"`
}
