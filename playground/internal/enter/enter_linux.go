package enter

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// Command is the program with its arguments, to be run in the file system.
func Command(r process.Root, program string, args []string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("describing the file system: %w", err)
	}
	cmd := exec.Command(self, append([]string{verb, string(b), program}, args...)...)
	// Unsharing makes all mounts private, too.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Unshareflags: syscall.CLONE_NEWNS}
	return cmd, nil
}

// become sets up the file system and executes the program in place of this one. It returns only when that fails.
func become(r process.Root, program string, args []string) error {
	if err := syscall.Mount("kairship-playground", r.Dir, "tmpfs", syscall.MS_NOSUID, "mode=755"); err != nil {
		return fmt.Errorf("mounting a file system in memory on %s: %w", r.Dir, err)
	}
	inside := "/bin/" + filepath.Base(program)
	mounts := append([]process.Mount{{Source: "/proc", Target: "/proc"}, {Source: "/dev", Target: "/dev"}}, r.Mounts...)
	if program != nothing {
		mounts = append(mounts, process.Mount{Source: program, Target: inside, ReadOnly: true})
	}
	for _, path := range []string{"/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/ssl/certs", "/usr/share/zoneinfo"} {
		if _, err := os.Stat(path); err == nil {
			mounts = append(mounts, process.Mount{Source: path, Target: path, ReadOnly: true})
		}
	}
	// A mount point comes before those inside it.
	slices.SortStableFunc(mounts, func(a, b process.Mount) int { return cmp.Compare(len(a.Target), len(b.Target)) })
	for _, m := range mounts {
		if err := bind(m.Source, filepath.Join(r.Dir, m.Target)); err != nil {
			return err
		}
	}
	// Only now, because some mounts are inside others.
	for _, m := range mounts {
		if !m.ReadOnly {
			continue
		}
		at := filepath.Join(r.Dir, m.Target)
		if err := syscall.Mount("", at, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("protecting %s: %w", m.Target, err)
		}
	}
	if err := os.Mkdir(filepath.Join(r.Dir, "tmp"), 0o777|fs.ModeSticky); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making /tmp: %w", err)
	}
	if err := syscall.Chroot(r.Dir); err != nil {
		return fmt.Errorf("entering %s: %w", r.Dir, err)
	}
	if err := os.Chdir("/"); err != nil {
		return fmt.Errorf("entering %s: %w", r.Dir, err)
	}
	if err := os.Setenv("TMPDIR", "/tmp"); err != nil {
		return fmt.Errorf("entering %s: %w", r.Dir, err)
	}
	if program == nothing {
		os.Exit(0)
	}
	return syscall.Exec(inside, append([]string{inside}, args...), os.Environ())
}

func bind(source, target string) error {
	i, err := os.Stat(source)
	if err != nil {
		return fmt.Errorf("mounting: %w", err)
	}
	if i.IsDir() {
		err = os.MkdirAll(target, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		err = touch(target)
	}
	if err != nil {
		return fmt.Errorf("mounting %s: %w", source, err)
	}
	if err := syscall.Mount(source, target, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return fmt.Errorf("mounting %s: %w", source, err)
	}
	return nil
}

func touch(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}
