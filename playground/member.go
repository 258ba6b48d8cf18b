package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/components"
	"github.com/kairship-io/kairship/playground/internal/control"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/graph"
	"github.com/kairship-io/kairship/playground/internal/launch"
	"github.com/kairship-io/kairship/playground/internal/plan"
	"github.com/kairship-io/kairship/playground/internal/progress"
)

// clusterBinaries are the programs of a member.
var clusterBinaries = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"}

type memberCmd struct {
	Name    string        `arg:"" help:"Its name in the playground; it may join under another one."`
	Remove  bool          `help:"Take it away, with its data. Whatever it has joined loses it as it would lose a burnt data centre."`
	Timeout time.Duration `help:"Give up when it is not ready after this time; building components does not count." default:"3m"`
}

// Run starts a member, or what is missing of it, and prints the path of a kubeconfig with which it can be joined.
func (c memberCmd) Run(e *environment) error {
	if _, err := e.client.Fleet(e.ctx); err != nil {
		return err
	}
	release, err := e.alone()
	if err != nil {
		return err
	}
	defer release()
	if c.Remove {
		return e.removeFurther(c.Name)
	}
	f, m, err := e.fleet.Add(c.Name)
	if err != nil {
		return err
	}
	p, err := e.changeFurther(f, clusterBinaries)
	if err != nil {
		return err
	}
	if err := e.startFurther(p, m, c.Timeout); err != nil {
		return err
	}
	fmt.Println(e.dir.Kubeconfig(m.Name))
	return nil
}

// changeFurther makes a plan of another set of further members, and remembers it: what is started is known from then on, so that it can
// be removed whatever happens.
func (e *environment) changeFurther(f fleet.Fleet, binaries []string) (plan.Plan, error) {
	record, err := e.record()
	if err != nil {
		return plan.Plan{}, err
	}
	if !record.Managed {
		f = f.Attached()
	}
	e.fleet, record.Further = f, f.Further
	p, err := e.plan(record)
	if err != nil {
		return p, err
	}
	if len(binaries) > 0 {
		if p.Binaries, err = components.Ensure(e.ctx, components.Options{Names: binaries, Progress: os.Stderr}); err != nil {
			return p, err
		}
	}
	return p, e.dir.Save(record)
}

// startFurther starts a further member in a fleet that runs, and waits until its API server answers and its nodes are there.
func (e *environment) startFurther(p plan.Plan, m fleet.Further, timeout time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(e.ctx, timeout, fmt.Errorf("not ready after %s", timeout))
	defer cancel()
	running, err := e.client.Fleet(ctx)
	if err != nil {
		return err
	}
	if err := p.PrepareFurther(m); err != nil {
		return err
	}
	if err := checkPorts(p.Further(m), running, true); err != nil {
		return err
	}
	tasks := launch.Launch{Plan: p, Client: e.client}.Further(m)
	r := progress.New(os.Stderr, len(tasks), launch.Quiet(p))
	defer r.Close()
	if err := graph.Run(ctx, tasks, r); err != nil {
		return fmt.Errorf("%s did not come up; `playground logs NAME` has what its programs say, and the same command goes on: %w", m.Name, err)
	}
	return nil
}

// removeFurther stops a further member, and deletes all that it had.
func (e *environment) removeFurther(name string) error {
	i := slices.IndexFunc(e.fleet.Further, func(m fleet.Further) bool { return m.Name == name })
	if i < 0 {
		return errNotFurther(e.fleet, name)
	}
	m := e.fleet.Further[i]
	f, err := e.client.Fleet(e.ctx)
	if err != nil {
		return err
	}
	if err := e.forget(f, func(group, _ string) bool { return group == name }); err != nil {
		return err
	}
	record, err := e.record()
	if err != nil {
		return err
	}
	p, err := e.plan(record)
	if err != nil {
		return err
	}
	for _, path := range p.FurtherFiles(m) {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("deleting the data of %s: %w", name, err)
		}
	}
	without, _ := e.fleet.Remove(name)
	if _, err := e.changeFurther(without, nil); err != nil {
		return err
	}
	fmt.Printf("%s and its data are gone.\n", name)
	return nil
}

// forget stops processes, the upper tiers first, and drops them.
func (e *environment) forget(f control.Fleet, which func(group, name string) bool) error {
	var names []string
	for _, s := range f.Processes {
		if which(s.Spec.Group, s.Spec.Name) {
			names = append(names, s.Spec.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	if err := e.client.Stop(e.ctx, names); err != nil {
		return err
	}
	for _, name := range names {
		if err := e.client.Forget(e.ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func errNotFurther(f fleet.Fleet, name string) error {
	if len(f.Further) == 0 {
		return fmt.Errorf("%q is no further member, and there are none; `playground member NAME` starts one", name)
	}
	var names []string
	for _, m := range f.Further {
		names = append(names, m.Name)
	}
	return fmt.Errorf("%q is no further member; there are %s", name, strings.Join(names, ", "))
}

var errNoCommand = errors.New("--command is empty: give it what joinCluster(mode: PULL) returned as `command`, or --remove to end the agent")
