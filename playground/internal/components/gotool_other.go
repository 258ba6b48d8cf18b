//go:build !linux

package components

import "syscall"

// endWithParent does nothing: only Linux can tell a process that its parent
// died. There, a build whose parent was killed runs to its end.
func endWithParent(*syscall.SysProcAttr) (release func()) { return func() {} }
