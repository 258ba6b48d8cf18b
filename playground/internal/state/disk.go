package state

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// A fresh fleet takes some 500 MB (etcd and PostgreSQL reserve their logs); the rest is for growth.
const neededSpace = 2 << 30

// CheckSpace returns an error when the disk of the state folder is too full for a fleet.
func (d Dir) CheckSpace() error {
	// The folder need not exist yet: its nearest ancestor is on the same disk.
	path := d.root
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			break
		}
		path = filepath.Dir(path)
	}
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return fmt.Errorf("asking for the free space of %s: %w", path, err)
	}
	free := s.Bavail * uint64(s.Bsize)
	if free < neededSpace {
		return fmt.Errorf("too little disk for a fleet at %s: %.1f GB are free, %.1f GB are needed; free some, or set KAIRSHIP_PLAYGROUND_DIR to a folder on another disk",
			d.root, float64(free)/1e9, float64(neededSpace)/1e9)
	}
	return nil
}
