package components

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// module is the module whose checkout holds playground/components.
const module = "github.com/kairship-io/kairship"

// DefaultCacheDir is ${XDG_CACHE_HOME:-~/.cache}/kairship.
func DefaultCacheDir() (string, error) {
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "kairship"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for the cache: neither XDG_CACHE_HOME nor a home folder is known: %w", err)
	}
	return filepath.Join(home, ".cache", "kairship"), nil
}

// withDefaults fills in what the caller left out.
func (o Options) withDefaults() (Options, error) {
	if o.Dir == "" {
		dir, err := findDir()
		if err != nil {
			return o, err
		}
		o.Dir = dir
	}
	if o.CacheDir == "" {
		dir, err := DefaultCacheDir()
		if err != nil {
			return o, err
		}
		o.CacheDir = dir
	}
	var err error
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return o, fmt.Errorf("resolve the components folder: %w", err)
	}
	if o.CacheDir, err = filepath.Abs(o.CacheDir); err != nil {
		return o, fmt.Errorf("resolve the cache folder: %w", err)
	}
	return o, nil
}

// findDir looks for the checkout from the working directory, then from the
// program (bin/playground lies in it).
func findDir() (string, error) {
	var starts []string
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}
	if exe, err := os.Executable(); err == nil {
		if target, err := filepath.EvalSymlinks(exe); err == nil {
			exe = target
		}
		starts = append(starts, filepath.Dir(exe))
	}
	for _, start := range starts {
		for dir := start; ; dir = filepath.Dir(dir) {
			if isCheckout(dir) {
				return filepath.Join(dir, "playground", "components"), nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", errors.New("find the component modules: run this inside a checkout of " + module)
}

func isCheckout(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == "module "+module {
			return true
		}
	}
	return false
}
