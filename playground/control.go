package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

type stopCmd struct {
	Name string `arg:"" help:"A component, or a cluster or instance with all its processes."`
}

func (c stopCmd) Run(e *environment) error { return e.command(c.Name, "stopped", e.client.Stop) }

type pauseCmd struct {
	Name string `arg:"" help:"A component, or a cluster or instance with all its processes."`
}

func (c pauseCmd) Run(e *environment) error { return e.command(c.Name, "paused", e.client.Pause) }

type resumeCmd struct {
	Name string `arg:"" help:"A component, or a cluster or instance with all its processes."`
}

func (c resumeCmd) Run(e *environment) error { return e.command(c.Name, "resumed", e.client.Resume) }

func (e *environment) command(name, done string, do func(context.Context, []string) error) error {
	found, err := e.target(name)
	if err != nil {
		return err
	}
	if err := do(e.ctx, namesOf(found)); err != nil {
		return err
	}
	fmt.Printf("%s: %s\n", done, strings.Join(namesOf(found), ", "))
	return nil
}

type startCmd struct {
	Name    string        `arg:"" help:"A component, or a cluster or instance with all its processes."`
	Timeout time.Duration `help:"How long to wait until it is ready." default:"1m"`
}

// Run starts what was stopped and waits until it is ready.
func (c startCmd) Run(e *environment) error {
	if err := e.command(c.Name, "started", e.client.Start); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(e.ctx, c.Timeout, fmt.Errorf("not ready after %s", c.Timeout))
	defer cancel()
	return kube.Wait(ctx, 200*time.Millisecond, c.Name, func(context.Context) (bool, string) {
		found, err := e.target(c.Name)
		if err != nil {
			return false, err.Error()
		}
		for _, s := range found {
			if s.State != supervisor.Running {
				return false, fmt.Sprintf("%s is %s %s", s.Spec.Name, s.State, s.Message)
			}
		}
		return true, ""
	})
}
