package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/control"
	"github.com/kairship-io/kairship/playground/internal/state"
)

type downCmd struct{}

// Run stops the fleet. Ctrl-C does not interrupt it.
func (downCmd) Run(e *environment) error {
	release, err := e.alone()
	if err != nil {
		return err
	}
	defer release()
	return e.down()
}

// alone keeps up, down and reset from working in one folder at once.
func (e *environment) alone() (release func(), err error) {
	if _, err := os.Stat(e.dir.Root()); errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if err := e.dir.Make(); err != nil {
		return nil, err
	}
	lock, err := e.dir.Lock("up")
	if errors.Is(err, state.ErrLocked) {
		return nil, fmt.Errorf("another `playground up`, `down` or `reset` is at work in %s (interrupt it with Ctrl-C)", e.dir.Root())
	}
	if err != nil {
		return nil, err
	}
	return lock.Release, nil
}

func (e *environment) down() error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.ctx), 3*time.Minute)
	defer cancel()
	err := e.shutdown(ctx, func(left int) {
		if left > 0 {
			fmt.Printf("%6.1fs  %d processes left\n", time.Since(began).Seconds(), left)
		}
	})
	if err != nil && !errors.Is(err, control.ErrNotRunning) {
		return err
	}
	orphans, sweepErr := e.sweep(ctx)
	if sweepErr != nil {
		return sweepErr
	}
	switch {
	case len(orphans) > 0:
		fmt.Printf("Ended what a killed supervisor left behind: %s.\n", strings.Join(orphans, ", "))
	case err != nil:
		fmt.Println("No fleet is running here.")
	default:
		fmt.Printf("The fleet is down after %.1f s.\n", time.Since(began).Seconds())
	}
	return nil
}

type resetCmd struct{}

// Run stops the fleet and deletes its data.
func (resetCmd) Run(e *environment) error {
	release, err := e.alone()
	if err != nil {
		return err
	}
	defer release()
	if err := e.down(); err != nil {
		return err
	}
	record, err := e.dir.Load()
	if err != nil && !errors.Is(err, state.ErrNoRecord) {
		return err
	}
	if err := e.clear(record); err != nil {
		return err
	}
	fmt.Printf("%s is empty. Built components stay in the cache.\n", e.dir.Root())
	return nil
}

// clear deletes what the fleet made, and only that: the folder may be one that a
// person chose.
func (e *environment) clear(record state.Record) error {
	for _, p := range []string{"fleet.json", "audit", "config", "data", "kubeconfig", "logs", "pki", "run"} {
		if err := os.RemoveAll(filepath.Join(e.dir.Root(), p)); err != nil {
			return fmt.Errorf("deleting the fleet's data: %w", err)
		}
	}
	if d := record.DatabaseDir; d != "" && filepath.Base(filepath.Dir(d)) == "kairship-playground-"+e.dir.Hash() {
		if err := os.RemoveAll(filepath.Dir(d)); err != nil {
			return fmt.Errorf("deleting the fleet's database: %w", err)
		}
	}
	os.Remove(e.dir.Root()) // stays when somebody keeps other files there
	return nil
}
