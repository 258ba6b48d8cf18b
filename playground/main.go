// Command playground runs a real fleet on one machine, without containers: a host
// cluster, two Karmada instances with four members, Clusterpedia on PostgreSQL,
// and Kairship itself, all as supervised processes on loopback.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/kairship-io/kairship/playground/internal/control"
	"github.com/kairship-io/kairship/playground/internal/enter"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/plan"
	"github.com/kairship-io/kairship/playground/internal/state"
)

type cli struct {
	Dir       string `help:"Folder of the fleet's state. By default .playground in the repository." env:"KAIRSHIP_PLAYGROUND_DIR" placeholder:"PATH"`
	PortBase  int    `help:"First of the ${range} ports that the fleet may take. By default that of the fleet's last start, at first ${base}; it stays as long as the fleet's data." env:"KAIRSHIP_PORT_BASE" placeholder:"PORT"`
	HTTPPort  int    `name:"http-port" help:"Port of Kairship's HTTP door. By default that of the last start, at first 8080." env:"KAIRSHIP_HTTP_PORT" placeholder:"PORT"`
	HTTPSPort int    `name:"https-port" help:"Port of Kairship's HTTPS door. By default that of the last start, at first 8443." env:"KAIRSHIP_HTTPS_PORT" placeholder:"PORT"`

	Up         upCmd         `cmd:"" help:"Start the fleet, or repair what is missing in one that runs."`
	Down       downCmd       `cmd:"" help:"Stop the fleet. Its data stays."`
	Status     statusCmd     `cmd:"" help:"Show every component, cluster and sync. Fails when one is not healthy."`
	Logs       logsCmd       `cmd:"" help:"Show the log of a component."`
	Metrics    metricsCmd    `cmd:"" help:"Print the Prometheus page of a component."`
	Stop       stopCmd       `cmd:"" help:"Stop a component, or a cluster with all its processes."`
	Start      startCmd      `cmd:"" help:"Start what was stopped, and wait until it is ready."`
	Pause      pauseCmd      `cmd:"" help:"Freeze a component or a cluster, as if its machine hung."`
	Resume     resumeCmd     `cmd:"" help:"Thaw what was paused."`
	Member     memberCmd     `cmd:"" help:"Start a further member that is joined to nothing, and print the path of its kubeconfig."`
	Agent      agentCmd      `cmd:"" help:"Register a further member in pull mode, and run its agent."`
	Seed       seedCmd       `cmd:"" help:"Fill an instance with many workloads."`
	Kubeconfig kubeconfigCmd `cmd:"" help:"Print the path of a kubeconfig: host, an instance, a member, or clusterpedia."`
	Token      tokenCmd      `cmd:"" help:"Print a bearer token: of an administrator, or of a person."`
	Components componentsCmd `cmd:"" help:"Build binaries where they are missing and print the folders that hold them."`
	Reset      resetCmd      `cmd:"" help:"Stop the fleet and delete its data. Built components stay."`

	Supervise superviseCmd `cmd:"" hidden:"" help:"Own the processes of a fleet (started by up)."`
}

func main() { os.Exit(run()) }

func run() int {
	enter.Main()
	var c cli
	k := kong.Parse(&c,
		kong.Name("playground"),
		kong.Description("A real fleet on one machine: Karmada instances and members, Clusterpedia, Kairship."),
		kong.UsageOnError(),
		kong.Vars{"base": fmt.Sprint(fleet.DefaultPortBase), "range": fmt.Sprint(fleet.PortRange)},
	)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e, err := c.environment(ctx)
	if err == nil {
		err = k.Run(e)
	}
	var quiet *silent
	switch {
	case errors.As(err, &quiet):
		return 1
	case err != nil:
		fmt.Fprintln(os.Stderr, "playground:", err)
		return 1
	}
	return 0
}

// silent is a failure whose message has been shown.
type silent struct{ error }

// environment is what every command works with.
type environment struct {
	ctx    context.Context
	cli    *cli
	dir    state.Dir
	client *control.Client
	fleet  fleet.Fleet
}

func (c *cli) environment(ctx context.Context) (*environment, error) {
	path := c.Dir
	if path == "" {
		root, err := repository()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(root, ".playground")
	}
	dir, err := state.At(path)
	if err != nil {
		return nil, err
	}
	f := fleet.Demo()
	if r, err := dir.Load(); err == nil {
		f.Further = r.Further
	}
	return &environment{ctx: ctx, cli: c, dir: dir, client: control.NewClient(dir.Socket()), fleet: f}, nil
}

// repository finds the checkout: around the working folder, or around the
// program.
func repository() (string, error) {
	var starts []string
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}
	if exe, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(exe))
	}
	for _, dir := range starts {
		for ; ; dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "playground", "components")); err == nil {
				return dir, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", errors.New("this is not inside a checkout of Kairship; change into one, or set KAIRSHIP_PLAYGROUND_DIR")
}

// record returns how the fleet is, or is to be, laid out: what the command line
// or the environment says, else what the last start did, else the defaults. Once
// the fleet has data, its port base stays: certificates, kubeconfigs, webhooks,
// Cluster objects and all that Karmada's operator made hold addresses of it.
// Kairship's own ports are in nothing that is kept, so they may change.
func (e *environment) record() (state.Record, error) {
	r, err := e.dir.Load()
	if err == nil && e.cli.PortBase != 0 && e.cli.PortBase != r.PortBase && e.begun() {
		return r, fmt.Errorf("the fleet in %s has its ports from %d on, not from %d (KAIRSHIP_PORT_BASE), and cannot be moved: its certificates and objects hold their addresses.\n"+
			"Start it where it was, with KAIRSHIP_PORT_BASE=%d or without it; or begin another one: in a folder of its own (KAIRSHIP_PLAYGROUND_DIR), or here after `KAIRSHIP_PORT_BASE=%d playground reset`, which deletes its data",
			e.dir.Root(), r.PortBase, e.cli.PortBase, r.PortBase, r.PortBase)
	}
	if errors.Is(err, state.ErrNoRecord) {
		r = state.Record{PortBase: fleet.DefaultPortBase, HTTPPort: 8080, HTTPSPort: 8443}
	} else if err != nil {
		return r, err
	}
	for _, o := range []struct {
		given int
		to    *int
	}{{e.cli.PortBase, &r.PortBase}, {e.cli.HTTPPort, &r.HTTPPort}, {e.cli.HTTPSPort, &r.HTTPSPort}} {
		if o.given != 0 {
			*o.to = o.given
		}
	}
	return r, nil
}

// begun reports whether the fleet has data: whether its etcd was ever started.
func (e *environment) begun() bool {
	_, err := os.Stat(e.dir.Data("etcd"))
	return err == nil
}

func (e *environment) plan(r state.Record) (plan.Plan, error) {
	ports, err := fleet.NewPorts(e.fleet, r.PortBase, r.HTTPPort, r.HTTPSPort)
	return plan.Plan{Fleet: e.fleet, Ports: ports, Dir: e.dir, GOGC: os.Getenv("GOGC")}, err
}
