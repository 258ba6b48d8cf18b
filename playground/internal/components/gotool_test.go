package components

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGoRunsWithoutTheCallersBuildSettings(t *testing.T) {
	got := goEnviron([]string{"HOME=/home/me", "GOFLAGS=-mod=mod", "GOWORK=/x/go.work", "GOOS=plan9", "CGO_ENABLED=1", "GOPROXY=https://proxy.example", "GOCACHE=/big/disk"})
	want := []string{"HOME=/home/me", "GOPROXY=https://proxy.example", "GOCACHE=/big/disk", "GOFLAGS=-mod=readonly", "GOWORK=off", "CGO_ENABLED=0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestAMissingGoIsSaidPlainly(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := runGo(t.Context(), t.TempDir(), io.Discard, io.Discard, "version")
	if err == nil || !strings.Contains(err.Error(), "go is not on PATH: install Go 1.26") {
		t.Errorf("error is %v, want one that says what to install", err)
	}
}

func TestStoppingGoStopsWhatItStarted(t *testing.T) {
	dir := t.TempDir()
	pidFile := filepath.Join(dir, "pid")
	// A go that starts a compiler which ignores the interrupt, as the shell has
	// programs in the background do.
	script := "#!/bin/sh\nsleep 600 &\necho $! >" + pidFile + "\necho started\nwait\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		ended <- runGo(ctx, dir, writerFunc(func(p []byte) (int, error) { stop(); return len(p), nil }), io.Discard, "build")
	}()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that it was cancelled", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(read(t, pidFile)))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the compiler is gone", func() bool { return !runs(pid) })
}

func TestAKilledParentTakesGoWithIt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux can tell a process that its parent died")
	}
	const role = "KAIRSHIP_TEST_PARENT"
	if os.Getenv(role) != "" {
		_ = runGo(t.Context(), t.TempDir(), io.Discard, io.Discard, "build")
		return
	}
	dir := t.TempDir()
	pidFile := filepath.Join(dir, "pid")
	script := "#!/bin/sh\necho $$ >" + pidFile + ".new && mv " + pidFile + ".new " + pidFile + "\nexec sleep 600\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	parent := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	parent.Env = append(os.Environ(), role+"=yes", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	eventually(t, "go has started", func() bool {
		text, err := os.ReadFile(pidFile)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // it was killed, and says so
	eventually(t, "go has ended too", func() bool { return !runs(pid) })
}

// runs says whether a process exists and is not a zombie nobody has reaped.
func runs(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	fields := strings.Fields(string(stat))
	return len(fields) < 3 || fields[2] != "Z"
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.NewTimer(20 * time.Second)
	defer deadline.Stop()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for !ok() {
		select {
		case <-deadline.C:
			t.Fatalf("waited 20 s until %s", what)
		case <-poll.C:
		}
	}
}

func TestTheCheckoutIsFoundFromAnyFolderInIt(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "go.mod"), "module "+module+"\n\ngo 1.26\n")
	write(t, filepath.Join(root, "playground", "components", "etcd", "go.mod"), "module "+module+"/playground/components/etcd\n")
	for _, from := range []string{".", "playground", "playground/components/etcd"} {
		t.Run(from, func(t *testing.T) {
			t.Chdir(filepath.Join(root, from))
			got, err := findDir()
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Join(root, "playground", "components"); got != want {
				t.Errorf("folder is %s, want %s", got, want)
			}
		})
	}
}

func TestTheCacheIsWhereTheUserKeepsCaches(t *testing.T) {
	tests := []struct{ name, xdg, want string }{
		{"by default under the home folder", "", "/home/me/.cache/kairship"},
		{"where XDG_CACHE_HOME says", "/big/cache", "/big/cache/kairship"},
		{"not in a relative XDG_CACHE_HOME, which the standard calls invalid", "cache", "/home/me/.cache/kairship"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("HOME", "/home/me")
			t.Setenv("XDG_CACHE_HOME", tc.xdg)
			got, err := DefaultCacheDir()
			if err != nil {
				t.Fatal(err)
			}
			if got != tc.want {
				t.Errorf("folder is %s, want %s", got, tc.want)
			}
		})
	}
}

func TestEveryProgramOfTheCatalogIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range catalog {
		outputs := map[string]bool{}
		for _, p := range c.programs {
			if seen[p.name] {
				t.Errorf("two programs are called %s", p.name)
			}
			seen[p.name] = true
			if out := built(c.importPath(p)); outputs[out] {
				t.Errorf("two programs of %s are built as %s", c.name, out)
			} else {
				outputs[out] = true
			}
		}
		// The committed modules must be those that the catalog speaks of.
		gomod := read(t, filepath.Join("..", "..", "components", c.name, "go.mod"))
		if !strings.Contains(gomod, "\t"+c.module+" "+c.version+" ") {
			t.Errorf("the go.mod of %s does not require %s %s", c.name, c.module, c.version)
		}
		for _, p := range c.programs {
			if !slices.ContainsFunc(strings.Split(gomod, "\n"), func(line string) bool {
				return strings.TrimSpace(strings.TrimPrefix(line, "tool ")) == c.importPath(p)
			}) {
				t.Errorf("the go.mod of %s has no tool directive for %s", c.name, c.importPath(p))
			}
		}
	}
}

func TestBuiltNamesWhatGoBuildWrites(t *testing.T) {
	for pkg, want := range map[string]string{
		"go.etcd.io/etcd/server/v3":               "server",
		"k8s.io/kubernetes/cmd/kubectl":           "kubectl",
		"example.com/v1":                          "v1",
		"github.com/karmada-io/karmada/cmd/agent": "agent",
	} {
		if got := built(pkg); got != want {
			t.Errorf("built(%s) = %s, want %s", pkg, got, want)
		}
	}
}
