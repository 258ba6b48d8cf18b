package components

import (
	"context"
	"errors"
)

func ensure(context.Context, Options) (map[string]string, error) {
	return nil, errors.New("components are not built yet")
}

func moduleDir(context.Context, Options, string) (string, error) {
	return "", errors.New("components are not built yet")
}

// DefaultCacheDir is ${XDG_CACHE_HOME:-~/.cache}/kairship.
func DefaultCacheDir() (string, error) { return "", errors.New("not yet") }

// Default names the binaries that the playground's fleet runs.
func Default() []string { return nil }

// All names every binary that can be built.
func All() []string { return nil }
