// Package progress shows a person at a terminal, or the reader of a log, how far the fleet is. It knows nothing of what
// the tasks do.
package progress

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Reporter writes a line for each finished step and, on a terminal, keeps a last
// line that says what is being waited for.
type Reporter struct {
	out      io.Writer
	terminal bool
	began    time.Time
	// quiet says which tasks are not worth a line of their own.
	quiet func(task string) bool

	mu      sync.Mutex
	pending []string
	done    int
	total   int
	stop    chan struct{}
}

// New returns a reporter on a file, which may be a terminal.
func New(out *os.File, total int, quiet func(task string) bool) *Reporter {
	r := &Reporter{out: out, terminal: isTerminal(out), began: time.Now(), quiet: quiet, total: total, stop: make(chan struct{})}
	if r.terminal {
		go r.tick()
	}
	return r
}

func isTerminal(f *os.File) bool {
	i, err := f.Stat()
	return err == nil && i.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" && os.Getenv("TERM") != ""
}

// Elapsed is the time since the reporter was made.
func (r *Reporter) Elapsed() time.Duration { return time.Since(r.began) }

// Say writes a line.
func (r *Reporter) Say(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.erase()
	fmt.Fprintf(r.out, "%6.1fs  %s\n", r.Elapsed().Seconds(), fmt.Sprintf(format, args...))
	r.draw()
}

// Started notes that a task runs now.
func (r *Reporter) Started(task string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending = append(r.pending, task)
	r.erase()
	r.draw()
}

// Finished notes that a task is done, or failed.
func (r *Reporter) Finished(task string, _ time.Duration, err error) {
	r.mu.Lock()
	r.pending = slices.DeleteFunc(r.pending, func(p string) bool { return p == task })
	r.done++
	r.mu.Unlock()
	if err == nil && !r.quiet(task) {
		r.Say("%s", task)
	}
}

// Close ends the last line.
func (r *Reporter) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.stop:
		return
	default:
	}
	r.erase()
	close(r.stop)
}

func (r *Reporter) tick() {
	for {
		select {
		case <-r.stop:
			return
		case <-time.After(500 * time.Millisecond):
			r.mu.Lock()
			r.erase()
			r.draw()
			r.mu.Unlock()
		}
	}
}

func (r *Reporter) erase() {
	if r.terminal {
		fmt.Fprint(r.out, "\r\x1b[K")
	}
}

func (r *Reporter) draw() {
	select {
	case <-r.stop:
		return
	default:
	}
	if !r.terminal || len(r.pending) == 0 {
		return
	}
	waiting := strings.Join(r.pending, ", ")
	if len(waiting) > 60 {
		waiting = waiting[:57] + "…"
	}
	fmt.Fprintf(r.out, "%6.1fs  [%d/%d] %s", r.Elapsed().Seconds(), r.done, r.total, waiting)
}
