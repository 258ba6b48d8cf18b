package components

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/apicopy"
)

// builder is one run of Ensure.
type builder struct {
	Options
	run goTool
	out *report
	// free returns the bytes left on the file system of a path, and which it is.
	free func(path string) (bytes int64, filesystem string, err error)
	// prepare writes the edited API module.
	prepare func(src, dst string) error
}

// job is one component with what is still to be built of it.
type job struct {
	component
	// dir holds the component's go.mod.
	dir string
	// home is the component's folder in the cache, for this key.
	home     string
	settings goSettings
	missing  []program
}

func (j job) binary(p program) string { return filepath.Join(j.home, "bin", p.name) }

func newBuilder(o Options) (*builder, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	return &builder{Options: o, run: runGo, out: newReport(o.Progress), free: freeSpace, prepare: apicopy.Prepare}, nil
}

func ensure(ctx context.Context, o Options) (map[string]string, error) {
	b, err := newBuilder(o)
	if err != nil {
		return nil, err
	}
	return b.ensure(ctx)
}

func (b *builder) ensure(ctx context.Context) (map[string]string, error) {
	list, err := wanted(b.Names)
	if err != nil {
		return nil, err
	}
	jobs, err := b.plan(ctx, list)
	if err != nil {
		return nil, err
	}
	if len(incomplete(jobs)) > 0 {
		if jobs, err = b.build(ctx, list); err != nil {
			return nil, err
		}
	}
	paths := make(map[string]string)
	for _, j := range jobs {
		for _, p := range j.programs {
			paths[p.name] = j.binary(p)
		}
	}
	return paths, nil
}

// plan finds out where each component's binaries belong and which are missing.
func (b *builder) plan(ctx context.Context, list []component) ([]job, error) {
	jobs := make([]job, 0, len(list))
	for _, c := range list {
		j := job{component: c, dir: filepath.Join(b.Dir, c.name)}
		var err error
		// Per component: a go.mod may ask for another toolchain than its neighbour.
		if j.settings, err = b.run.settings(ctx, j.dir); err != nil {
			return nil, err
		}
		key, err := cacheKey(j)
		if err != nil {
			return nil, err
		}
		j.home = filepath.Join(b.CacheDir, "components", c.name, c.version+"-"+key)
		for _, p := range c.programs {
			if info, err := os.Stat(j.binary(p)); err != nil || !info.Mode().IsRegular() {
				j.missing = append(j.missing, p)
			}
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// cacheKey changes with everything that the binaries depend on.
func cacheKey(j job) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, j.module, j.version, j.settings.GOVERSION, j.settings.GOOS, j.settings.GOARCH)
	fmt.Fprintln(h, strings.Join(j.buildFlags(), "\n"))
	if j.apiCopy {
		fmt.Fprintln(h, apicopy.Module, apicopy.Version, apicopy.Revision)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(j.dir, name))
		if err != nil {
			return "", fmt.Errorf("read the modules of %s: %w", j.name, err)
		}
		h.Write(text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6]), nil
}

func incomplete(jobs []job) []job {
	var out []job
	for _, j := range jobs {
		if len(j.missing) > 0 {
			out = append(out, j)
		}
	}
	return out
}

// build makes what is missing, alone in this cache.
func (b *builder) build(ctx context.Context, list []component) ([]job, error) {
	unlock, err := lock(ctx, filepath.Join(b.CacheDir, "components", "lock"), func(holder string) {
		b.out.line("Another build is running (%s); waiting for it.", holder)
	})
	if err != nil {
		return nil, err
	}
	defer unlock()

	// Another process may have built it all while it held the lock.
	jobs, err := b.plan(ctx, list)
	if err != nil {
		return nil, err
	}
	todo := incomplete(jobs)
	if len(todo) == 0 {
		return jobs, nil
	}
	if err := b.preflight(ctx, todo); err != nil {
		return nil, err
	}
	programs, expected := 0, time.Duration(0)
	for _, j := range todo {
		programs += len(j.missing)
		expected += j.expected()
	}
	b.out.line("Building %s of %s from source into %s: up to %s, once per version.",
		count(programs, "program"), count(len(todo), "component"), b.CacheDir, about(expected))
	started := time.Now()
	for i, j := range todo {
		if err := b.buildComponent(ctx, j, fmt.Sprintf("[%d/%d] %s", i+1, len(todo), j.title())); err != nil {
			return nil, err
		}
	}
	b.out.line("Built %s in %s.", count(programs, "program"), about(time.Since(started)))
	return jobs, nil
}

// expected estimates how long a cold build takes here, from the time on two cores.
func (j job) expected() time.Duration {
	share := float64(len(j.missing)) / float64(len(j.programs))
	return time.Duration(float64(j.cold) * share * 2 / float64(runtime.NumCPU()))
}

// remaining estimates how long compiling that many packages, and linking, takes here.
func (j job) remaining(packages int) time.Duration {
	share := min(1, float64(packages)/float64(j.packages))
	compile := time.Duration(float64(j.cold) * share * 2 / float64(runtime.NumCPU()))
	return compile + time.Duration(len(j.missing))*3*time.Second
}

// preflight fails early, and names the cause, where the build would fail late and unclearly.
func (b *builder) preflight(ctx context.Context, todo []job) error {
	proxy := todo[0].settings.GOPROXY
	if first, _, _ := strings.Cut(proxy, ","); first == "direct" {
		if _, err := exec.LookPath("git"); err != nil {
			return errors.New("git is not on PATH: GOPROXY=" + proxy + " fetches modules with it. Install git, or name a module proxy in GOPROXY")
		}
	}
	return b.checkDisk(ctx, todo)
}
