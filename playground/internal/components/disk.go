package components

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// footprint is the disk space that a component's cold build takes.
type footprint struct {
	// modules go to GOMODCACHE, objects to GOCACHE, binaries to the cache.
	modules, objects, binaries int64
}

const (
	mega = 1 << 20
	giga = 1 << 30
)

// checkDisk returns an error for each place without space for the build.
func (b *builder) checkDisk(ctx context.Context, todo []job) error {
	type place struct {
		path, setting, holds string
		need                 int64
	}
	settings := todo[0].settings
	places := []place{
		{path: settings.GOMODCACHE, setting: "GOMODCACHE", holds: "modules"},
		{path: settings.GOCACHE, setting: "GOCACHE", holds: "compiled packages"},
		{path: b.CacheDir, setting: "XDG_CACHE_HOME", holds: "binaries"},
	}
	for _, j := range todo {
		if !b.fetched(ctx, j) {
			places[0].need += j.disk.modules
		}
		places[1].need += j.disk.objects
		places[2].need += j.disk.binaries
	}
	need, free, parts := map[string]int64{}, map[string]int64{}, map[string][]string{}
	for _, p := range places {
		bytes, filesystem, err := b.free(p.path)
		if err != nil {
			return fmt.Errorf("see how much disk is free for %s: %w", p.path, err)
		}
		free[filesystem] = bytes
		need[filesystem] += p.need
		parts[filesystem] = append(parts[filesystem], fmt.Sprintf("  %s in %s for %s (%s)", size(p.need), p.path, p.holds, p.setting))
	}
	for filesystem, bytes := range need {
		if bytes > free[filesystem] {
			return fmt.Errorf("too little disk to build the components: %s needed, %s free\n%s\nfree some space, or move these folders with the settings named",
				size(bytes), size(free[filesystem]), strings.Join(parts[filesystem], "\n"))
		}
	}
	return nil
}

// fetched reports whether a component's module is in the module cache, and so,
// very likely, those it needs.
func (b *builder) fetched(ctx context.Context, j job) bool {
	var stdout strings.Builder
	err := b.run(ctx, j.dir, &stdout, io.Discard, "list", "-m", "-f", "{{.Dir}}", j.module)
	return err == nil && strings.TrimSpace(stdout.String()) != ""
}

// freeSpace returns the free bytes of the file system that path is on, or will be on.
func freeSpace(path string) (bytes int64, filesystem string, err error) {
	for {
		info, err := os.Stat(path)
		if err == nil {
			stat, ok := info.Sys().(*syscall.Stat_t)
			if !ok {
				return 0, "", fmt.Errorf("%s has no device number", path)
			}
			var vfs syscall.Statfs_t
			if err := syscall.Statfs(path, &vfs); err != nil {
				return 0, "", fmt.Errorf("ask the file system of %s: %w", path, err)
			}
			//nolint:unconvert // Bsize is of another type on other systems
			return int64(vfs.Bavail) * int64(vfs.Bsize), fmt.Sprint(stat.Dev), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			return 0, "", err
		}
		path = filepath.Dir(path)
	}
}

func size(bytes int64) string {
	if bytes >= giga {
		return fmt.Sprintf("%.1f GB", float64(bytes)/giga)
	}
	return fmt.Sprintf("%d MB", bytes/mega)
}
