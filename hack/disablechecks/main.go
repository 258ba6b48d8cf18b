// Command disablechecks takes the checks of a table out of the program, one at a time, and shows that a test
// notices each. It prints the table of docs/security.md.
//
// The rows come from hack/disable-checks.sh, six fields each, every field ended by a NUL byte: the check's name,
// its file, what stands there, what stands there without the check, the package of the test, and the test.
//
// To take few minutes and not hours, all tests are built once: each function that holds a check gets, behind an
// environment variable, a second body without it (overlay.go), and one test binary a package runs once for each
// row. What is not in a function, or does not compile beside the others, is built by itself.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// row is one check and the test that has to notice when it is missing.
type row struct {
	Name, File, From, To string
	Package, Test        string
}

func main() { os.Exit(command()) }

// command is the program, and its exit code.
func command() int {
	pattern := flag.String("only", ".", "regular expression of the names of the checks to try")
	parallel := flag.Int("parallel", 2*runtime.NumCPU(), "how many tests run at a time: without its check, a test mostly waits for what does not happen")
	timeout := flag.Duration("timeout", 150*time.Second, "how much longer than three times as long as usual a test may take without its check; what hangs then has been noticed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := run(ctx, os.Stdin, os.Stdout, settings{only: *pattern, parallel: *parallel, timeout: *timeout})
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "disablechecks:", err)
		return 2
	case !ok:
		return 1
	}
	return 0
}

type settings struct {
	only     string
	parallel int
	timeout  time.Duration
}

// run tries the rows that it reads, in the module of the working directory, and says whether all were noticed.
func run(ctx context.Context, in io.Reader, out io.Writer, s settings) (bool, error) {
	only, err := regexp.Compile(s.only)
	if err != nil {
		return false, fmt.Errorf("the pattern of names: %w", err)
	}
	rows, err := read(in, only)
	if err != nil {
		return false, err
	}
	if len(rows) == 0 {
		return false, fmt.Errorf("no check has a name that matches %q", s.only)
	}
	work, err := os.MkdirTemp("", "disablechecks-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	b := bench{settings: s, work: work, began: time.Now(), said: os.Stderr}
	verdicts, err := b.try(ctx, rows)
	if err != nil {
		return false, err
	}
	fmt.Fprint(out, "| check | where | what notices |\n| --- | --- | --- |\n")
	missed := 0
	for i, v := range verdicts {
		if !v.noticed {
			missed++
		}
		fmt.Fprintf(out, "| %s | `%s` | %s |\n", rows[i].Name, rows[i].File, v.say(rows[i]))
	}
	fmt.Fprintf(os.Stderr, "%d checks, %d of them not shown to be noticed, in %s\n", len(rows), missed, time.Since(b.began).Round(time.Second))
	return missed == 0, nil
}

// read returns the rows whose names match.
func read(in io.Reader, only *regexp.Regexp) ([]row, error) {
	fields := bufio.NewScanner(in)
	fields.Buffer(nil, 1<<20)
	fields.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		for i, c := range data {
			if c == 0 {
				return i + 1, data[:i], nil
			}
		}
		if atEOF && len(data) > 0 {
			return 0, nil, errors.New("the last field does not end with a NUL byte")
		}
		return 0, nil, nil
	})
	var all []string
	for fields.Scan() {
		all = append(all, fields.Text())
	}
	if err := fields.Err(); err != nil {
		return nil, fmt.Errorf("reading the checks: %w", err)
	}
	if len(all)%6 != 0 {
		return nil, fmt.Errorf("reading the checks: %d fields, want six a check", len(all))
	}
	var rows []row
	for ; len(all) > 0; all = all[6:] {
		r := row{Name: all[0], File: all[1], From: all[2], To: all[3], Package: strings.TrimPrefix(all[4], "./"), Test: all[5]}
		if only.MatchString(r.Name) {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// verdict is what came of one row.
type verdict struct {
	noticed bool
	// problem says why the row shows nothing; empty when the test passed without the check.
	problem string
}

func (v verdict) say(r row) string {
	switch {
	case v.noticed:
		return fmt.Sprintf("%#q %s", r.Package, strings.ReplaceAll(r.Test, "_", " "))
	case v.problem != "":
		return "**" + strings.Join(strings.Fields(v.problem), " ") + "**"
	default:
		return "**NOT NOTICED**"
	}
}
