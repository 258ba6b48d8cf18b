package runner

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// A session's processes are begun by this program, started once more as their user: limits and the rest of what is to
// hold for all of them can only be set from within.

// The hidden commands for that.
const (
	verbShell = "console-shell"
	verbEnd   = "console-end"
)

// Limits of each process of a session.
const (
	maxMemory    = 4 << 30  // bytes of addresses
	maxFile      = 64 << 20 // bytes of a file that it writes
	maxOpenFiles = 1024
	// maxProcesses is how many threads a session's user may have: kubectl takes a dozen.
	maxProcesses = 512
)

// Main must be the first thing that a program does that runs a Runner. It returns unless the program was started for a
// session.
func Main() {
	if len(os.Args) != 4 || os.Args[1] != verbShell && os.Args[1] != verbEnd {
		return
	}
	do := end
	if os.Args[1] == verbShell {
		do = func(own int) error { return become(own, os.Args[3]) }
	}
	own, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = do(own)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "console:", err)
		os.Exit(127)
	}
	syscall.Exit(0) // without what a program does at its end: this one has done nothing else
}

// become executes the shell in place of this program. own is the user that the session has for itself; 0 for none.
func become(own int, shell string) error {
	if own != 0 && os.Getuid() != own {
		return fmt.Errorf("this is user %d and not %d", os.Getuid(), own)
	}
	syscall.Umask(0o077)
	limits := map[int]uint64{unix.RLIMIT_AS: maxMemory, unix.RLIMIT_FSIZE: maxFile, unix.RLIMIT_NOFILE: maxOpenFiles, unix.RLIMIT_CORE: 0}
	if own != 0 { // a user that is somebody else's, too, may have any number already
		limits[unix.RLIMIT_NPROC] = maxProcesses
	}
	for what, most := range limits {
		var had syscall.Rlimit
		if err := syscall.Getrlimit(what, &had); err != nil {
			return fmt.Errorf("reading limit %d: %w", what, err)
		}
		most = min(most, had.Max)
		if err := syscall.Setrlimit(what, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("setting limit %d: %w", what, err)
		}
	}
	// What this process was given by whoever started the runner.
	if err := unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("closing files of others: %w", err)
	}
	// It holds for the thread that executes the shell: programs that change the user, as su does, have no effect.
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up further privileges: %w", err)
	}
	return syscall.Exec(shell, []string{shell}, os.Environ())
}

// end ends every process of a session's own user, which runs it. The kernel does it at once, so that none escapes by
// starting others meanwhile.
func end(own int) error {
	if own == 0 || os.Getuid() != own {
		return fmt.Errorf("refusing to end the processes of user %d for %d", os.Getuid(), own)
	}
	if err := syscall.Kill(-1, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("ending the processes of user %d: %w", own, err)
	}
	return nil
}
