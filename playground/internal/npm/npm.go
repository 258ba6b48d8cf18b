// Package npm installs what a lock file names. It must not know what that is for.
package npm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// installTimeout bounds one installation; a slow network needs minutes for 60 MB.
const installTimeout = 10 * time.Minute

// ErrMissing means that npm is not on PATH.
var ErrMissing = errors.New("npm is not on PATH")

// CI fetches into dir what dir's package-lock.json names. The packages' own scripts do not run.
func CI(ctx context.Context, dir string) error {
	program, err := exec.LookPath("npm")
	if err != nil {
		return ErrMissing
	}
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "ci", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	text, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("npm ci: %w", ctx.Err())
	case strings.Contains(string(text), "ENOSPC"):
		return fmt.Errorf("npm ci: the disk of %s is full", dir)
	default:
		return fmt.Errorf("npm ci: %w: %s", err, tail(string(text)))
	}
}

// tail is the end of a program's output, which says what went wrong.
func tail(text string) string {
	const most = 600
	text = strings.TrimSpace(text)
	if len(text) > most {
		text = "… " + text[len(text)-most:]
	}
	return text
}
