// Package control is the protocol between the playground's commands and its supervisor: HTTP over a unix socket in the
// state folder.
//
// It must not know what the processes are; it carries specs and statuses.
package control

import (
	"time"

	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

// Protocol changes when a supervisor and a command of different builds would
// misunderstand each other.
const Protocol = 2

// Fleet is what the supervisor reports of itself and its processes.
type Fleet struct {
	Protocol  int                 `json:"protocol"`
	PID       int                 `json:"pid"`
	StartedAt time.Time           `json:"startedAt"`
	Orphans   []string            `json:"orphans,omitempty"` // ended when it started
	Processes []supervisor.Status `json:"processes"`
}

// names is the body of stop, start, pause and resume.
type names struct {
	Names []string `json:"names"`
}

type failure struct {
	Error string `json:"error"`
}
