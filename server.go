// Kairship is one place to see and steer many Karmada control planes.
//
// Usage:
//
//	kairship apiserver            the GraphQL API and the UI
//	kairship controller-manager   the controllers
//	kairship console-runner       the shells of consoles, in a process without rights of its own
//
// `kairship --help` lists every option; each can also be given by environment or file.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/kairship-io/kairship/cmd"
	"github.com/kairship-io/kairship/internal/console/runner"
)

func main() {
	runner.Main() // where this is the beginning of a session of the console
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cmd.Run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
