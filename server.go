// Kairship is one place to see and steer many Karmada control planes.
//
// Usage:
//
//	kairship apiserver            the GraphQL API and the UI
//	kairship controller-manager   the controllers
//
// `kairship --help` lists every option; each can also be given by environment or file.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/kairship-io/kairship/cmd"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cmd.Run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
