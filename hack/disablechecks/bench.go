package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// bench builds test binaries and runs them, in a folder of its own.
type bench struct {
	settings
	work  string
	began time.Time
	said  io.Writer
}

// try runs the test of every row without its check, after it has passed with it.
func (b *bench) try(ctx context.Context, rows []row) ([]verdict, error) {
	out := make([]verdict, len(rows))
	var standing []int
	for i, r := range rows {
		if _, err := alone(r); err != nil {
			out[i].problem = "is not there any more: " + err.Error()
			continue
		}
		standing = append(standing, i)
	}
	b.progress("building the tests of %d checks", len(standing))
	shared, rest, binaries, err := b.buildTogether(ctx, rows, standing)
	if err != nil {
		return nil, err
	}
	sound, took, err := b.prove(ctx, rows, shared, binaries)
	if err != nil {
		return nil, err
	}
	b.progress("ran %d tests with every check in place; %d checks to disable", len(sound), len(shared)+len(rest))
	var done atomic.Int32
	err = b.each(ctx, shared, func(ctx context.Context, i int) {
		r := rows[i]
		if why := sound[r.key()]; why != "" {
			out[i].problem = why
			return
		}
		out[i] = b.without(ctx, r, binaries[r.Package], strconv.Itoa(i), took[r.key()])
		b.progress("%d of %d: %s: %s", done.Add(1), len(rows), r.Name, out[i].say(r))
	})
	if err != nil {
		return nil, err
	}
	// The compiler uses every core by itself.
	for _, i := range rest {
		if out[i], err = b.tryAlone(ctx, i, rows[i]); err != nil {
			return nil, err
		}
		b.progress("%d of %d: %s: %s", done.Add(1), len(rows), rows[i].Name, out[i].say(rows[i]))
	}
	return out, nil
}

// progress says how far it is.
func (b *bench) progress(format string, args ...any) {
	fmt.Fprintf(b.said, "%4.0f s  "+format+"\n", append([]any{time.Since(b.began).Seconds()}, args...)...)
}

func (r row) key() string { return r.Package + " " + r.Test }

// blamed finds the row that the compiler complains of.
var blamed = regexp.MustCompile(`disabled-check-(\d+)\.go:`)

// buildTogether builds the test binaries in which every row can be chosen. Rows that do not compile there are
// left out and returned as the rest, with those that no function holds.
func (b *bench) buildTogether(ctx context.Context, rows []row, want []int) (shared, rest []int, binaries map[string]string, err error) {
	shared = want
	for attempt := 0; len(shared) > 0; attempt++ {
		sources, outside, err := together(rows, shared)
		if err != nil {
			return nil, nil, nil, err
		}
		rest, shared = append(rest, outside...), without(shared, outside)
		list, err := sources.write(filepath.Join(b.work, "together-"+strconv.Itoa(attempt)))
		if err != nil {
			return nil, nil, nil, err
		}
		packages := map[string]bool{}
		for _, i := range shared {
			packages[rows[i].Package] = true
		}
		binaries, err = b.build(ctx, list, slices.Sorted(maps.Keys(packages)))
		var broken *buildError
		if !errors.As(err, &broken) {
			return shared, rest, binaries, err
		}
		var culprits []int
		for _, m := range blamed.FindAllStringSubmatch(broken.output, -1) {
			if i, err := strconv.Atoi(m[1]); err == nil {
				culprits = append(culprits, i)
			}
		}
		if len(culprits) == 0 {
			return nil, nil, nil, fmt.Errorf("building the tests: %w", err)
		}
		slices.Sort(culprits)
		culprits = slices.Compact(culprits)
		rest, shared = append(rest, culprits...), without(shared, culprits)
	}
	return shared, rest, binaries, nil
}

func without(all, some []int) []int {
	return slices.DeleteFunc(slices.Clone(all), func(i int) bool { return slices.Contains(some, i) })
}

// buildError is a build that the compiler refused.
type buildError struct{ output string }

func (e *buildError) Error() string { return strings.TrimSpace(e.output) }

// build makes the test binaries of packages and returns where they are. The go command wants those that it writes
// into one folder to have different names.
func (b *bench) build(ctx context.Context, overlay string, packages []string) (map[string]string, error) {
	out := map[string]string{}
	for round := 0; len(packages) > 0; round++ {
		dir := filepath.Join(filepath.Dir(overlay), "bin-"+strconv.Itoa(round))
		var now, later []string
		taken := map[string]bool{}
		for _, p := range packages {
			base := path.Base(p)
			if taken[base] {
				later = append(later, p)
				continue
			}
			taken[base] = true
			now = append(now, "./"+p)
			out[p] = filepath.Join(dir, base+".test")
		}
		args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", dir + string(filepath.Separator)}, now...)
		if raw, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, &buildError{string(raw)}
		}
		packages = later
	}
	return out, nil
}

// prove runs each test once with all checks in place: one that fails anyway, or does not run, notices nothing.
func (b *bench) prove(ctx context.Context, rows []row, want []int, binaries map[string]string) (why map[string]string, took map[string]time.Duration, err error) {
	first := map[string]int{}
	for _, i := range want {
		if _, ok := first[rows[i].key()]; !ok {
			first[rows[i].key()] = i
		}
	}
	var mu sync.Mutex
	why, took = map[string]string{}, map[string]time.Duration{}
	err = b.each(ctx, slices.Sorted(maps.Values(first)), func(ctx context.Context, i int) {
		began := time.Now()
		said := b.sound(ctx, rows[i], binaries[rows[i].Package])
		mu.Lock()
		defer mu.Unlock()
		why[rows[i].key()], took[rows[i].key()] = said, time.Since(began)
	})
	return why, took, err
}

// skipped finds tests that did not run to their end.
var skipped = regexp.MustCompile(`(?m)^--- SKIP: `)

// slowest is how long a test may take that is to show something, on a machine that has much else to do.
const slowest = 10 * time.Minute

func (b *bench) sound(ctx context.Context, r row, binary string) string {
	output, err := b.test(ctx, r, binary, "", slowest)
	switch {
	case err != nil:
		return fmt.Sprintf("%s fails with the check in place: %s", r.Test, tail(output))
	case strings.Contains(output, "testing: warning: no tests to run"):
		return fmt.Sprintf("%#q has no test %s: mend its row", r.Package, r.Test)
	case skipped.MatchString(output):
		return fmt.Sprintf("%s is skipped: %s", r.Test, tail(output))
	}
	return ""
}

// noticed is what a test prints that fails, or hangs, or takes the process with it.
var noticed = regexp.MustCompile(`(?m)^\s*--- FAIL|^panic: |^fatal error: `)

// without runs the test without the check. It hangs when it takes much longer than it took with it.
func (b *bench) without(ctx context.Context, r row, binary, index string, usual time.Duration) verdict {
	output, err := b.test(ctx, r, binary, index, b.timeout+3*usual)
	switch {
	case err == nil:
		return verdict{}
	case strings.Contains(output, unfinished):
		return verdict{problem: "does not run: " + unfinished}
	case !noticed.MatchString(output):
		return verdict{problem: "does not run: " + tail(output)}
	}
	return verdict{noticed: true}
}

// test runs the test of a row in the folder of its package, as the go command does.
func (b *bench) test(ctx context.Context, r row, binary, index string, limit time.Duration) (string, error) {
	// The binary ends itself; this is for one that cannot.
	ctx, cancel := context.WithTimeout(ctx, limit+30*time.Second)
	defer cancel()
	names := strings.Split(r.Test, "/")
	for i, name := range names {
		names[i] = "^" + name + "$"
	}
	cmd := exec.CommandContext(ctx, binary, "-test.v", "-test.failfast", "-test.count=1",
		"-test.timeout", limit.String(), "-test.run", strings.Join(names, "/"))
	cmd.Dir = filepath.FromSlash(r.Package)
	cmd.Env = append(os.Environ(), switchVariable+"="+index)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	return output.String(), err
}

// tryAlone builds the test of one row with the check taken out of its file.
func (b *bench) tryAlone(ctx context.Context, i int, r row) (verdict, error) {
	sources, err := alone(r)
	if err != nil {
		return verdict{}, err
	}
	dir := filepath.Join(b.work, "alone-"+strconv.Itoa(i))
	defer os.RemoveAll(dir)
	list, err := sources.write(dir)
	if err != nil {
		return verdict{}, err
	}
	whole, err := overlay{}.write(filepath.Join(dir, "whole"))
	if err != nil {
		return verdict{}, err
	}
	var broken *buildError
	with, err := b.build(ctx, whole, []string{r.Package})
	if err != nil {
		return verdict{}, fmt.Errorf("building the test of %q: %w", r.Name, err)
	}
	began := time.Now()
	why := b.sound(ctx, r, with[r.Package])
	usual := time.Since(began)
	if why != "" {
		return verdict{problem: why}, nil
	}
	binaries, err := b.build(ctx, list, []string{r.Package})
	if errors.As(err, &broken) {
		return verdict{problem: "does not run: " + tail(broken.output)}, nil
	}
	if err != nil {
		return verdict{}, err
	}
	return b.without(ctx, r, binaries[r.Package], "", usual), nil
}

// each calls f for every index, so many at a time as are allowed.
func (b *bench) each(ctx context.Context, indices []int, f func(ctx context.Context, i int)) error {
	var all sync.WaitGroup
	places := make(chan struct{}, max(b.parallel, 1))
	for _, i := range indices {
		places <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-places }()
			f(ctx, i)
		})
	}
	all.Wait()
	return ctx.Err()
}

// timedOut is how a test binary begins to say that it was too slow; the stacks that follow say nothing more.
const timedOut = "panic: test timed out"

// tail is the end of what a command said, on one line.
func tail(output string) string {
	if _, after, ok := strings.Cut(output, timedOut); ok {
		line, _, _ := strings.Cut(after, "\n")
		return timedOut + line
	}
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " ")
}
