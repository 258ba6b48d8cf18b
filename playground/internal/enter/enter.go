// Package enter runs a program in a file system of its own (process.Root). A mount namespace can only be set up from
// within, so this program starts itself there, sets it up, and executes the other in its place.
//
// It must not know what the program is, nor why it is to see what it sees.
package enter

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// verb is the hidden command under which this program is started inside.
const verb = "enter"

// nothing stands for no program: only the file system is made.
const nothing = "-"

// Main must be the first thing that a program does whose processes call Command.
// It returns unless the program was started by that.
func Main() {
	if len(os.Args) < 4 || os.Args[1] != verb {
		return
	}
	var r process.Root
	err := json.Unmarshal([]byte(os.Args[2]), &r)
	if err == nil {
		err = become(r, os.Args[3], os.Args[4:])
	}
	fmt.Fprintf(os.Stderr, "starting %s in a file system of its own: %v\n", os.Args[3], err)
	os.Exit(127)
}

// Check returns why no such file system can be made here; nil when one can.
func Check(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "kairship-enter-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(dir) }() // empty, and in the folder of temporary files
	cmd, err := Command(process.Root{Dir: dir}, nothing, nil)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	defer context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	return nil
}
