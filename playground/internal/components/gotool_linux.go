package components

import (
	"runtime"
	"syscall"
)

// endWithParent has the kernel interrupt the process when this one dies. The
// kernel watches the thread that started it, so the caller keeps that thread
// until the process has ended, and then calls what is returned.
func endWithParent(attr *syscall.SysProcAttr) (release func()) {
	runtime.LockOSThread()
	attr.Pdeathsig = syscall.SIGINT
	return runtime.UnlockOSThread
}
