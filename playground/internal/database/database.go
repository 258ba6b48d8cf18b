// Package database prepares the folder in which PostgreSQL keeps the read store: its place, its owner, and the database
// in it.
//
// It must not know how the server is started afterwards, nor what is stored.
package database

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/kairship-io/kairship/playground/internal/postgres"
	"github.com/kairship-io/kairship/playground/internal/state"
)

// Cluster is what PostgreSQL calls a folder of databases.
type Cluster struct {
	Server postgres.Installation
	Dir    string
	Owner  string
	Name   string
	// PasswordFile holds the owner's password.
	PasswordFile string
}

// Place returns where the data may lie: the preferred folder when the user can
// reach it, else one beside the system's own temporary data (a home of root's is
// closed to everybody else).
func Place(preferred, fallback string, u *postgres.User) string {
	if u == nil || reachable(filepath.Dir(preferred), u) {
		return preferred
	}
	return fallback
}

// reachable reports whether the user may pass every folder on the way. A folder that
// does not exist yet will be made passable.
func reachable(dir string, u *postgres.User) bool {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		i, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false
		}
		st, ok := i.Sys().(*syscall.Stat_t)
		if !ok {
			return false
		}
		var need fs.FileMode = 0o001
		switch {
		case st.Uid == u.UID:
			need = 0o100
		case st.Gid == u.GID:
			need = 0o010
		}
		if i.Mode()&need == 0 {
			return false
		}
	}
	return true
}

// Password returns the password in a file, made up when there is none yet.
func Password(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(b)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading the database password: %w", err)
	}
	random := make([]byte, 16)
	rand.Read(random) // never fails
	p := hex.EncodeToString(random)
	return p, state.WriteFile(path, []byte(p+"\n"), 0o600)
}

// ready marks a folder whose database is complete, with a digest of the password
// it was made with: a fleet whose state was deleted by hand has another one.
const ready = "kairship-ready"

func (c Cluster) mark() (string, error) {
	password, err := os.ReadFile(c.PasswordFile)
	if err != nil {
		return "", fmt.Errorf("reading the database password: %w", err)
	}
	sum := sha256.Sum256(password)
	return hex.EncodeToString(sum[:]), nil
}

// Prepare makes the database when it is not there yet. One that an earlier,
// interrupted attempt left half made is made again.
func (c Cluster) Prepare(ctx context.Context) error {
	mark, err := c.mark()
	if err != nil {
		return err
	}
	if b, err := os.ReadFile(filepath.Join(c.Dir, ready)); err == nil && string(b) == mark {
		return nil
	}
	if err := os.RemoveAll(c.Dir); err != nil {
		return fmt.Errorf("clearing a half-made database: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(c.Dir), 0o755); err != nil {
		return fmt.Errorf("making the database folder: %w", err)
	}
	if err := os.Mkdir(c.Dir, 0o700); err != nil {
		return fmt.Errorf("making the database folder: %w", err)
	}
	if c.Server.User != nil {
		if err := os.Chown(c.Dir, int(c.Server.User.UID), int(c.Server.User.GID)); err != nil {
			return fmt.Errorf("giving the database folder to its user: %w", err)
		}
	}
	passwordFile, err := c.lendPassword()
	if err != nil {
		return err
	}
	defer os.Remove(passwordFile)
	err = c.run(ctx, nil, "initdb", "-D", c.Dir, "-U", c.Owner, "--pwfile="+passwordFile,
		"-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	if err != nil {
		return err
	}
	// Bytes, not a language, decide the order of names: Kairship merges sorted
	// pages of several tables, and Go compares bytes.
	create := fmt.Sprintf("CREATE DATABASE %s OWNER %s TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';\n", c.Name, c.Owner)
	if err := c.run(ctx, strings.NewReader(create), "postgres", "--single", "-D", c.Dir, "-c", "fsync=off", "postgres"); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.Dir, ready), []byte(mark), 0o600)
}

// lendPassword copies the password to where the server's user can read it.
func (c Cluster) lendPassword() (string, error) {
	password, err := os.ReadFile(c.PasswordFile)
	if err != nil {
		return "", fmt.Errorf("reading the database password: %w", err)
	}
	path := c.Dir + ".password"
	if err := state.WriteFile(path, password, 0o600); err != nil {
		return "", err
	}
	if c.Server.User != nil {
		if err := os.Chown(path, int(c.Server.User.UID), int(c.Server.User.GID)); err != nil {
			return "", fmt.Errorf("lending the password to the database's user: %w", err)
		}
	}
	return path, nil
}

func (c Cluster) run(ctx context.Context, in io.Reader, program string, args ...string) error {
	cmd := c.Server.Command(ctx, program, args...)
	cmd.Stdin = in
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("preparing the database with %s: %w: %s", program, err, bytes.TrimSpace(out))
	}
	// postgres --single reports a failed statement only in words.
	if program == "postgres" && (bytes.Contains(out, []byte("ERROR:")) || bytes.Contains(out, []byte("FATAL:"))) {
		return fmt.Errorf("preparing the database with %s: %s", program, bytes.TrimSpace(out))
	}
	return nil
}
