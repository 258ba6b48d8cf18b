package components

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// report tells people how far a build is. On a terminal the current state is
// one line that is rewritten; elsewhere it is repeated now and then.
type report struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	every    time.Duration
	now      func() time.Time
}

func newReport(out io.Writer) *report {
	r := &report{out: out, every: 15 * time.Second, now: time.Now}
	if f, ok := out.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			r.terminal, r.every = true, time.Second
		}
	}
	return r
}

func (r *report) line(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A failure to report must not fail the build.
	_, _ = fmt.Fprintf(r.out, r.clear()+format+"\n", args...)
}

func (r *report) update(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	end := "\n"
	if r.terminal {
		end = ""
	}
	_, _ = io.WriteString(r.out, r.clear()+text+end)
}

func (r *report) clear() string {
	if r.terminal {
		return "\r\x1b[K"
	}
	return ""
}

// step is one component's build, reported until stop.
type step struct {
	*report
	title    string
	started  time.Time
	quit     chan struct{}
	finished sync.WaitGroup
	once     sync.Once

	at struct {
		sync.Mutex
		phase       string
		done, total int
		// compiling is when the compilation began, counted from the start.
		compiling time.Duration
		expected  time.Duration
	}
}

func (r *report) step(title string, expected time.Duration) *step {
	s := &step{report: r, title: title, started: r.now(), quit: make(chan struct{})}
	s.at.expected = expected
	s.finished.Go(func() {
		tick := time.NewTicker(r.every)
		defer tick.Stop()
		for {
			select {
			case <-s.quit:
				return
			case <-tick.C:
				r.update(s.describe())
			}
		}
	})
	return s
}

// stop ends the reporting; nothing is written after it returns.
func (s *step) stop() {
	s.once.Do(func() { close(s.quit) })
	s.finished.Wait()
}

func (s *step) phase(text string) {
	s.at.Lock()
	s.at.phase, s.at.done, s.at.total = text, 0, 0
	s.at.Unlock()
	s.update(s.describe())
}

// compile notes that packages are compiled from now on, and how long that should take when it is known better than
// before.
func (s *step) compile(packages int, expected time.Duration) {
	s.at.Lock()
	s.at.phase, s.at.done, s.at.total = "compiling", 0, packages
	s.at.compiling = s.now().Sub(s.started)
	if expected > 0 {
		s.at.expected = s.at.compiling + expected
	}
	s.at.Unlock()
	s.update(s.describe())
}

func (s *step) describe() string {
	s.at.Lock()
	phase, done, total, left := s.at.phase, s.at.done, s.at.total, s.left()
	s.at.Unlock()
	text := fmt.Sprintf("%s: %s", s.title, phase)
	switch {
	case total > 0 && done >= total:
		text = s.title + ": linking"
	case total > 0:
		text += fmt.Sprintf(" %d of %d packages", done, total)
	case done > 0:
		text += fmt.Sprintf(" (%d)", done)
	}
	text += ", " + about(s.now().Sub(s.started))
	if left > 0 {
		text += " (about " + about(left) + " left)"
	}
	return text
}

// left estimates the remaining time: as it was elsewhere, or, on a machine that turns out slower, at the pace so far.
// It needs the lock.
func (s *step) left() time.Duration {
	elapsed := s.now().Sub(s.started)
	left := s.at.expected - elapsed
	// Packages differ; a few of them do not show the pace.
	if s.at.done*20 >= s.at.total && s.at.done > 0 {
		pace := (elapsed - s.at.compiling) / time.Duration(s.at.done)
		left = max(left, pace*time.Duration(s.at.total-s.at.done))
	}
	return left
}

func (s *step) done(programs []program) {
	s.stop()
	built := make([]string, 0, len(programs))
	for _, p := range programs {
		built = append(built, p.name)
	}
	s.line("%s: built %s in %s", s.title, strings.Join(built, ", "), about(s.now().Sub(s.started)))
}

// downloads counts the modules that go says it fetches.
func (s *step) downloads() io.Writer {
	return &lineWriter{each: func(line string) {
		if strings.HasPrefix(line, "go: downloading ") {
			s.advance()
		}
	}}
}

// packages counts those that `go build -v` says it compiled.
func (s *step) packages() io.Writer {
	return &lineWriter{each: func(line string) {
		if line != "" && !strings.ContainsAny(line, " \t") {
			s.advance()
		}
	}}
}

func (s *step) advance() {
	s.at.Lock()
	s.at.done++
	s.at.Unlock()
}

// lineWriter passes on whole lines.
type lineWriter struct {
	rest []byte
	each func(string)
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for {
		line, rest, found := bytes.Cut(w.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		w.each(string(line))
		w.rest = rest
	}
}
