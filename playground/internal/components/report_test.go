package components

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAStepSaysHowFarItIs(t *testing.T) {
	const expected = 5 * time.Minute
	tests := []struct {
		name    string
		elapsed time.Duration
		do      func(s *step)
		want    string
	}{
		{
			name: "at its start",
			do:   func(s *step) { s.phase("fetching modules") },
			want: "[1/2] kubernetes v1.35.3: fetching modules, 0s (about 5m00s left)",
		},
		{
			name:    "while it fetches, with the number of modules",
			elapsed: 3 * time.Second,
			do: func(s *step) {
				s.phase("fetching modules")
				_, _ = io.WriteString(s.downloads(), "go: downloading a v1\ngo: downloading b v1\nsomething else\n")
			},
			want: "[1/2] kubernetes v1.35.3: fetching modules (2), 3s (about 4m57s left)",
		},
		{
			name:    "while it compiles, with the number of packages",
			elapsed: 75 * time.Second,
			do: func(s *step) {
				s.compile(2000, 0)
				_, _ = io.WriteString(s.packages(), "a/b\nc/d\n# c/d\nc/d/e.go:1: a warning\n")
			},
			want: "[1/2] kubernetes v1.35.3: compiling 2 of 2000 packages, 1m15s (about 3m45s left)",
		},
		{
			name:    "when most is compiled already, with what is left",
			elapsed: 10 * time.Second,
			do:      func(s *step) { s.compile(2, 30*time.Second) },
			want:    "[1/2] kubernetes v1.35.3: compiling 0 of 2 packages, 10s (about 30s left)",
		},
		{
			name:    "on a slower machine, going by the pace so far",
			elapsed: 10 * time.Minute,
			do: func(s *step) {
				s.compile(4, time.Minute)
				s.at.compiling = 0
				_, _ = io.WriteString(s.packages(), "a/b\nc/d\n")
			},
			want: "[1/2] kubernetes v1.35.3: compiling 2 of 4 packages, 10m00s (about 10m00s left)",
		},
		{
			name:    "when all packages are compiled",
			elapsed: time.Minute,
			do: func(s *step) {
				s.compile(1, 0)
				_, _ = io.WriteString(s.packages(), "a/b\n")
			},
			want: "[1/2] kubernetes v1.35.3: linking, 1m00s (about 4m00s left)",
		},
		{
			name:    "without a guess when it takes longer than expected",
			elapsed: 6 * time.Minute,
			do:      func(s *step) { s.phase("fetching modules") },
			want:    "[1/2] kubernetes v1.35.3: fetching modules, 6m00s",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			now := time.Unix(0, 0)
			r := newReport(io.Discard)
			r.now = func() time.Time { return now }
			s := r.step("[1/2] kubernetes v1.35.3", expected)
			defer s.stop()
			now = now.Add(tc.elapsed)
			tc.do(s)
			if diff := cmp.Diff(tc.want, s.describe()); diff != "" {
				t.Errorf("state (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAFinishedStepNamesWhatItBuilt(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	r := newReport(&out)
	r.now = func() time.Time { return now }
	s := r.step("[1/1] etcd v3.6.6", time.Minute)
	now = now.Add(46 * time.Second)
	s.done([]program{{name: "etcd"}})
	s.stop() // as deferred; it must not matter
	if diff := cmp.Diff("[1/1] etcd v3.6.6: built etcd in 46s\n", out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

func TestATerminalSeesOneLineRewritten(t *testing.T) {
	var out bytes.Buffer
	r := newReport(&out)
	r.terminal = true
	r.update("one")
	r.update("two")
	r.line("done %d%%", 100)
	if diff := cmp.Diff("\r\x1b[Kone\r\x1b[Ktwo\r\x1b[Kdone 100%\n", out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

func TestLinesAreHandedOnWhole(t *testing.T) {
	var got []string
	w := &lineWriter{each: func(line string) { got = append(got, line) }}
	for _, part := range []string{"on", "e\ntwo\n\nth", "ree\nrest"} {
		if n, err := io.WriteString(w, part); n != len(part) || err != nil {
			t.Fatalf("Write(%q) = %d, %v", part, n, err)
		}
	}
	if diff := cmp.Diff([]string{"one", "two", "", "three"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestTheLastLinesOfALogAreIndented(t *testing.T) {
	if diff := cmp.Diff("  b\n  c", lastLines("a\nb\nc\n", 2)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if got := lastLines("", 2); strings.TrimSpace(got) != "" {
		t.Errorf("the end of an empty log is %q", got)
	}
}
