package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/kairship-io/kairship/bench/controllers/standin"
	"github.com/kairship-io/kairship/cmd"
)

// This program is the controller manager, too, when it is told so.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "controller-manager" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		code := cmd.Run(ctx, os.Args[1:])
		stop()
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// A stand-in that has fallen behind what controllers ask of a Karmada makes every measurement wait in vain.
func TestAnInstanceOfTheMeasurementBecomesReady(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a host cluster; not in a hurry")
	}
	o := options{kairship: os.Args[0], content: standin.Content{Clusters: 1, Workloads: 1}}
	f, err := startFleet(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.stop(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := f.attach(t.Context(), o.content, 1); err != nil {
		t.Fatal(err)
	}
	if err := f.untilReady(t.Context(), o.content, 2*time.Minute); err != nil {
		t.Error(err)
	}
}
