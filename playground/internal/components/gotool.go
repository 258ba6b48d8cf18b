package components

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// goTool runs the go command. Tests put a stand-in in its place.
type goTool func(ctx context.Context, dir string, stdout, stderr io.Writer, args ...string) error

// leftOut are settings of the caller's shell that would change what is built for this machine; everything else
// (proxies, caches) is kept.
var leftOut = []string{"GOFLAGS", "GOWORK", "GOOS", "GOARCH", "GOEXPERIMENT", "GO111MODULE", "CGO_ENABLED"}

func goEnviron(environ []string) []string {
	env := slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(leftOut, name)
	})
	// -mod=readonly: a build never edits the committed go.mod and go.sum.
	return append(env, "GOFLAGS=-mod=readonly", "GOWORK=off", "CGO_ENABLED=0")
}

// runGo is the real one. When ctx ends, go and the compilers it started are asked to stop, and are killed when they do
// not. Where the system supports it, go is also asked when this process is killed.
func runGo(ctx context.Context, dir string, stdout, stderr io.Writer, args ...string) error {
	path, err := exec.LookPath("go")
	if err != nil {
		return errors.New("go is not on PATH: install Go 1.26 or later from https://go.dev/dl")
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.Env = append(goEnviron(os.Environ()), "PWD="+dir)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	defer endWithParent(cmd.SysProcAttr)()
	// On an interrupt go removes its temporary folders, on termination it does not.
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = 3 * time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			// What ignored the request must not outlive this process.
			if cmd.Process != nil {
				_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			}
			return ctx.Err()
		}
		return err
	}
	return nil
}

// goSettings are the parts of `go env` that matter here.
type goSettings struct {
	GOVERSION, GOOS, GOARCH, GOPROXY, GOCACHE, GOMODCACHE string
}

func (run goTool) settings(ctx context.Context, dir string) (goSettings, error) {
	var s goSettings
	var stdout, stderr bytes.Buffer
	err := run(ctx, dir, &stdout, &stderr, "env", "-json", "GOVERSION", "GOOS", "GOARCH", "GOPROXY", "GOCACHE", "GOMODCACHE")
	if err != nil {
		return s, fmt.Errorf("ask go for its settings in %s: %w%s", dir, err, said(stderr.String()))
	}
	if err := json.Unmarshal(stdout.Bytes(), &s); err != nil {
		return s, fmt.Errorf("read go's settings: %w", err)
	}
	return s, nil
}

// said appends what a program printed to an error, when it printed anything.
func said(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	return ": " + text
}
