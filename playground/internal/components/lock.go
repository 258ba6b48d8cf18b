package components

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// lock takes the file lock at path and returns the function that releases it. The kernel also releases it when this
// process is killed. While another process has it, waiting is called once with that process.
func lock(ctx context.Context, path string, waiting func(holder string)) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("lock the cache: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock the cache: %w", err)
	}
	retry := time.NewTicker(200 * time.Millisecond)
	defer retry.Stop()
	for told := false; ; {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		if !told {
			told = true
			waiting(holder(path))
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for the build that holds %s: %w", path, ctx.Err()), f.Close())
		case <-retry.C:
		}
	}
	// For the message of a process that waits; the lock does not depend on it.
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	}
	return func() { _ = f.Close() }, nil
}

func holder(path string) string {
	text, err := os.ReadFile(path)
	if pid := strings.TrimSpace(string(text)); err == nil && pid != "" {
		return "process " + pid
	}
	return "another process"
}
