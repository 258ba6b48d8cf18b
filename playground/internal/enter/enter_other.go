//go:build !linux

package enter

import (
	"errors"
	"os/exec"

	"github.com/kairship-io/kairship/playground/internal/process"
)

var errUnable = errors.New("this operating system has no mount namespaces")

// Command is the program with its arguments, to be run in the file system.
func Command(process.Root, string, []string) (*exec.Cmd, error) { return nil, errUnable }

func become(process.Root, string, []string) error { return errUnable }
