package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// unprivileged is who runs PostgreSQL when this process is root; nil when it is
// not.
func unprivileged() (*User, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	var errs []error
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(errUID, errGID); err != nil {
			errs = append(errs, fmt.Errorf("user %s: %w", name, err))
			continue
		}
		return &User{Name: name, UID: uint32(uid), GID: uint32(gid)}, nil
	}
	return nil, fmt.Errorf("PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as: %w", errors.Join(errs...))
}

// closedTo returns the first folder on the way to path that the user cannot
// enter, and "" when there is none. What does not exist yet is not closed.
func (u User) closedTo(path string) string {
	closed := ""
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && !u.mayEnter(info) {
			closed = dir
		}
		if dir == filepath.Dir(dir) {
			return closed
		}
	}
}

func (u User) mayEnter(info os.FileInfo) bool {
	mode := info.Mode().Perm()
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && stat.Uid == u.UID:
		return mode&0o100 != 0
	case ok && stat.Gid == u.GID:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}

// installRoot is where PostgreSQL is installed: in the cache, or, when its user
// cannot enter that (root's home is closed to others), in the system's cache.
func (f finder) installRoot() (string, error) {
	root := filepath.Join(f.cacheDir, "postgres")
	if f.user == nil || f.user.closedTo(root) == "" {
		return root, nil
	}
	const shared = "/var/cache/kairship/postgres"
	if closed := f.user.closedTo(shared); closed != "" {
		return "", fmt.Errorf("install PostgreSQL: user %s, who has to run it because root may not, can enter neither %s nor %s; set XDG_CACHE_HOME to a folder that all may enter, or run this as another user than root", f.user.Name, f.user.closedTo(root), closed)
	}
	return shared, nil
}
