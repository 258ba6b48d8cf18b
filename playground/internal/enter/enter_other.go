//go:build !linux

package enter

import (
	"os/exec"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// Command is the program with its arguments, to be run in the file system.
func Command(process.Root, string, []string) (*exec.Cmd, error) { return nil, errUnable }

func become(process.Root, string, []string) error { return errUnable }
