package components

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/apicopy"
)

// buildComponent builds a component's missing programs. They appear in the cache whole or not at all: a killed build
// leaves a temporary folder, which the next one removes, and Go's own build cache, from which it continues.
func (b *builder) buildComponent(ctx context.Context, j job, title string) (err error) {
	logPath := filepath.Join(b.CacheDir, "logs", j.name+".log")
	for _, dir := range []string{filepath.Join(j.home, "bin"), filepath.Dir(logPath)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("build %s: %w", j.title(), err)
		}
	}
	log, err := os.Create(logPath)
	if err != nil {
		return fmt.Errorf("build %s: %w", j.title(), err)
	}
	defer func() { err = errors.Join(err, log.Close()) }()

	step := b.out.step(title, j.expected())
	defer step.stop()
	flags := j.buildFlags()
	if j.apiCopy {
		step.phase("preparing its API module")
		modfile, err := b.prepareAPI(ctx, j, log)
		if err != nil {
			return err
		}
		flags = append(flags, "-modfile="+modfile)
	}
	packages := make([]string, 0, len(j.missing))
	for _, p := range j.missing {
		packages = append(packages, j.importPath(p))
	}

	step.phase("fetching modules")
	var stale bytes.Buffer
	args := append(append([]string{"list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, flags...), packages...)
	if err := b.run(ctx, j.dir, io.MultiWriter(&stale, log), io.MultiWriter(log, step.downloads()), args...); err != nil {
		return b.failed(ctx, "fetch the modules of "+j.title(), logPath, err)
	}

	tmp, err := b.tempDir(j)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	packagesLeft := len(strings.Fields(stale.String()))
	step.compile(packagesLeft, j.remaining(packagesLeft))
	args = append(append([]string{"build", "-v", "-o", tmp + string(filepath.Separator)}, flags...), packages...)
	if err := b.run(ctx, j.dir, log, io.MultiWriter(log, step.packages()), args...); err != nil {
		return b.failed(ctx, "compile "+j.title(), logPath, err)
	}
	for _, p := range j.missing {
		if err := os.Rename(filepath.Join(tmp, built(j.importPath(p))), j.binary(p)); err != nil {
			return fmt.Errorf("keep %s: %w", p.name, err)
		}
	}
	step.done(j.missing)
	return nil
}

// tempDir makes the folder a build writes to, in the cache so that renaming is
// atomic, and removes those that killed builds left.
func (b *builder) tempDir(j job) (string, error) {
	const prefix = "building-"
	old, err := filepath.Glob(filepath.Join(j.home, prefix+"*"))
	if err == nil {
		for _, dir := range old {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	if err != nil {
		return "", fmt.Errorf("remove what an earlier build of %s left: %w", j.title(), err)
	}
	tmp, err := os.MkdirTemp(j.home, prefix)
	if err != nil {
		return "", fmt.Errorf("build %s: %w", j.title(), err)
	}
	return tmp, nil
}

// prepareAPI makes the edited API module and a go.mod that uses it, and returns
// the path of the latter. The committed go.mod stays as it is: go takes the
// other one through -modfile.
func (b *builder) prepareAPI(ctx context.Context, j job, log io.Writer) (string, error) {
	api, mods := filepath.Join(j.home, "api"), filepath.Join(j.home, "mod")
	modfile := filepath.Join(mods, "go.mod")
	fail := func(err error) (string, error) {
		return "", fmt.Errorf("prepare the API module of %s: %w", j.title(), err)
	}
	if _, err := os.Stat(api); errors.Is(err, fs.ErrNotExist) {
		src, err := b.download(ctx, j.dir, apicopy.Module, log)
		if err != nil {
			return fail(err)
		}
		next := api + ".new"
		if err := os.RemoveAll(next); err != nil {
			return fail(err)
		}
		if err := b.prepare(src, next); err != nil {
			return fail(err)
		}
		if err := os.Rename(next, api); err != nil {
			return fail(err)
		}
	}
	if err := os.MkdirAll(mods, 0o755); err != nil {
		return fail(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(j.dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(mods, name), text, 0o644)
		}
		if err != nil {
			return fail(err)
		}
	}
	var stderr bytes.Buffer
	if err := b.run(ctx, j.dir, log, &stderr, "mod", "edit", "-replace="+apicopy.Module+"="+api, modfile); err != nil {
		return fail(fmt.Errorf("%w%s", err, said(stderr.String())))
	}
	return modfile, nil
}

// failed turns a failed go command into an error that says what and where.
func (b *builder) failed(ctx context.Context, what, logPath string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: stopped; the next run goes on from here: %w", what, ctx.Err())
	}
	text, readErr := os.ReadFile(logPath)
	if readErr != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	hint := ""
	switch log := string(text); {
	case strings.Contains(log, "no space left on device"):
		hint = "\nThe disk is full: free some space, or put GOCACHE, GOMODCACHE and XDG_CACHE_HOME on a larger one."
	case strings.Contains(log, `"git": executable file not found`):
		hint = "\ngit is not on PATH: install git, or name a module proxy in GOPROXY."
	case strings.Contains(log, "dial tcp") || strings.Contains(log, "no such host"):
		hint = "\nThe module proxy cannot be reached: check the network and GOPROXY."
	}
	return fmt.Errorf("%s: %w; the whole log is %s\n%s%s", what, err, logPath, lastLines(string(text), 10), hint)
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return "  " + strings.Join(lines[max(0, len(lines)-n):], "\n  ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// about rounds a duration for people.
func about(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%ds", int(d.Round(time.Second)/time.Second))
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%dm%02ds", int(d/time.Minute), int(d%time.Minute/time.Second))
}
