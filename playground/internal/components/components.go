// Package components builds the programs a fleet is made of (etcd, Kubernetes,
// Karmada, Clusterpedia, kwok, Prometheus) from source and keeps them in a cache outside
// the checkout, so that a second checkout starts in seconds.
//
// It knows how to get a binary and where the files of an upstream module lie.
// It must not know how a program is started, with which flags or in what order.
package components

import (
	"context"
	"io"
)

// Options say what to provide and where to keep it. The zero value provides
// the default set from the checkout around the working directory.
type Options struct {
	// Dir is the folder that holds one go.mod per component
	// (playground/components). Empty: found by walking up from the working
	// directory and from the running program.
	Dir string
	// CacheDir receives the binaries. Empty: DefaultCacheDir.
	CacheDir string
	// Progress receives lines for people: what is being built, how far it is and how long it took. Nil: no output.
	Progress io.Writer
	// Names are the binaries wanted. Empty: Default.
	Names []string
}

// Ensure returns the absolute path of every binary asked for, by name. What the
// cache lacks is built first; what it has is not touched. It is safe to call
// from two processes at once: the second waits for the first.
func Ensure(ctx context.Context, o Options) (map[string]string, error) {
	return ensure(ctx, o)
}

// ModuleDir returns the folder of a component's upstream module in the module
// cache ("karmada", "clusterpedia", "kwok", …), for the manifests that the
// module ships. It is read-only.
func ModuleDir(ctx context.Context, o Options, component string) (string, error) {
	return moduleDir(ctx, o, component)
}
