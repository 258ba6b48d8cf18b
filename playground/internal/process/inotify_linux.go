package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// CheckWatches returns an error when this user has too few inotify instances left. By them programs notice that a file
// changed; editors and other fleets use them too, and Linux allows a user only 128 by default.
func CheckWatches(needed int) error {
	limit, known := watchLimit()
	if used := watches(); known && limit-used < needed {
		return fmt.Errorf("of the %d inotify instances that this user may have %d are taken, and the fleet wants %d: some of its programs may fail with \"too many open files\"; allow more with `sysctl -w fs.inotify.max_user_instances=1024`",
			limit, used, needed)
	}
	return nil
}

func watchLimit() (limit int, known bool) {
	b, err := os.ReadFile("/proc/sys/fs/inotify/max_user_instances")
	if err != nil {
		return 0, false
	}
	limit, err = strconv.Atoi(strings.TrimSpace(string(b)))
	return limit, err == nil
}

// watches counts the inotify instances of the processes that this user may look
// at: its own, which are the ones that count.
func watches() int {
	fds, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return 0
	}
	n := 0
	for _, fd := range fds {
		if target, err := os.Readlink(fd); err == nil && target == "anon_inode:inotify" {
			n++
		}
	}
	return n
}
