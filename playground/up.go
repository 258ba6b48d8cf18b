package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/components"
	"github.com/kairship-io/kairship/playground/internal/control"
	"github.com/kairship-io/kairship/playground/internal/database"
	"github.com/kairship-io/kairship/playground/internal/enter"
	"github.com/kairship-io/kairship/playground/internal/graph"
	"github.com/kairship-io/kairship/playground/internal/launch"
	"github.com/kairship-io/kairship/playground/internal/plan"
	"github.com/kairship-io/kairship/playground/internal/postgres"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/progress"
	"github.com/kairship-io/kairship/playground/internal/state"
	"github.com/kairship-io/kairship/playground/kubelet"
	"github.com/kairship-io/kairship/playground/oidc"
)

type upCmd struct {
	Kairship        string        `help:"Kairship's binary. By default the one beside this program, when there is one." type:"existingfile" placeholder:"PATH"`
	WithoutKairship bool          `help:"Run the fleet without Kairship's own processes."`
	WithoutDemo     bool          `help:"Leave the demo workloads out."`
	ThroughAPI      bool          `help:"Let Kairship read the read store through Clusterpedia's API alone, as it does where the store's database is not PostgreSQL or must not be read."`
	Timeout         time.Duration `help:"Give up when the fleet is not ready after this time; building components does not count." default:"5m"`
}

// Run brings the fleet up. It may be repeated: what runs as it should is left
// alone.
func (u *upCmd) Run(e *environment) error {
	began := time.Now()
	if u.Kairship != "" && u.WithoutKairship {
		return errors.New("--kairship and --without-kairship exclude each other")
	}
	if err := e.dir.CheckSpace(); err != nil {
		return err
	}
	if err := e.dir.Make(); err != nil {
		return err
	}
	lock, err := e.dir.Lock("up")
	if errors.Is(err, state.ErrLocked) {
		return fmt.Errorf("another `playground up`, `down` or `reset` is at work in %s", e.dir.Root())
	} else if err != nil {
		return err
	}
	defer lock.Release()

	running, err := e.client.Fleet(e.ctx)
	isUp := err == nil
	if err != nil && !errors.Is(err, control.ErrNotRunning) {
		return err
	}
	record, err := e.settle(isUp, running)
	if err != nil {
		return err
	}
	l, err := u.launch(e, &record)
	if err != nil {
		return err
	}
	if err := e.dir.Save(record); err != nil {
		return err
	}
	built := time.Since(began)
	if err := l.Plan.Prepare(); err != nil {
		return err
	}
	if !isUp {
		orphans, err := e.sweep(e.ctx)
		if err != nil {
			return err
		}
		if len(orphans) > 0 {
			fmt.Printf("Ended what an earlier fleet left behind: %s.\n", strings.Join(orphans, ", "))
		}
	}
	if err := checkPorts(l.Plan.Specs(), running, e.begun()); err != nil {
		return err
	}
	if !isUp {
		if err := process.CheckWatches(watchesNeeded); err != nil {
			fmt.Fprintln(os.Stderr, "playground: warning:", err)
		}
		if running, err = e.spawn(); err != nil {
			return err
		}
	}
	if err := u.converge(e, l, running); err != nil {
		return e.failed(err, !isUp)
	}
	e.summary(l.Plan, built, time.Since(began))
	return nil
}

// watchesNeeded is how many inotify instances a fleet was seen to use.
const watchesNeeded = 55

// settle decides the ports, and refuses to move a fleet that runs.
func (e *environment) settle(isUp bool, running control.Fleet) (state.Record, error) {
	record, err := e.record()
	if err != nil || !isUp {
		return record, err
	}
	if running.Protocol != control.Protocol {
		return record, errors.New("the fleet was started by another version of this program; run `playground down` first")
	}
	was, err := e.dir.Load()
	if err != nil {
		return record, err
	}
	if was.HTTPPort != record.HTTPPort || was.HTTPSPort != record.HTTPSPort {
		return record, fmt.Errorf("the fleet runs with Kairship at ports %d and %d; for %d and %d (KAIRSHIP_HTTP_PORT, KAIRSHIP_HTTPS_PORT) run `playground down` first",
			was.HTTPPort, was.HTTPSPort, record.HTTPPort, record.HTTPSPort)
	}
	return record, nil
}

// launch gathers what the fleet is made of, building what is not there yet.
func (u *upCmd) launch(e *environment, record *state.Record) (*launch.Launch, error) {
	p, err := e.plan(*record)
	if err != nil {
		return nil, err
	}
	if !u.WithoutKairship {
		p.Kairship = u.Kairship
		if p.Kairship == "" {
			p.Kairship = sibling("kairship")
		}
	}
	record.Kairship = p.Kairship != ""
	p.ThroughAPI = u.ThroughAPI
	u.chooseConsole(e, &p)

	options := components.Options{Progress: os.Stderr, Names: components.Default()}
	if err := u.choose(e, &p, record); err != nil {
		return nil, err
	}
	if p.Managed {
		options.Names = append(options.Names, components.Managed()...)
	}
	if p.Binaries, err = components.Ensure(e.ctx, options); err != nil {
		return nil, err
	}
	karmada, err := components.ModuleDir(e.ctx, options, "karmada")
	if err != nil {
		return nil, err
	}
	clusterpedia, err := components.ModuleDir(e.ctx, options, "clusterpedia")
	if err != nil {
		return nil, err
	}
	cache, err := components.DefaultCacheDir()
	if err != nil {
		return nil, err
	}
	if p.OIDC, err = oidc.Install(e.ctx, cache, os.Stderr); err != nil {
		return nil, err
	}
	cluster, err := e.database(record)
	if err != nil {
		return nil, err
	}
	password, err := database.Password(cluster.PasswordFile)
	if err != nil {
		return nil, err
	}
	p.Database = plan.Database{Program: cluster.Server.Program("postgres"), Dir: cluster.Dir, Password: password}
	if u := cluster.Server.User; u != nil {
		p.Database.User = &process.User{UID: u.UID, GID: u.GID}
	}

	root, err := repository()
	if err != nil {
		return nil, err
	}
	return &launch.Launch{
		Plan: p, Client: e.client, Karmada: karmada, Clusterpedia: clusterpedia,
		Types:           filepath.Join(root, "api", "v1alpha1"),
		PrepareDatabase: cluster.Prepare,
		Answers:         func(ctx context.Context) error { return e.answers(ctx, p) },
		Demo:            !u.WithoutDemo,
	}, nil
}

// choose decides whether Karmada's operator runs, and whether it makes instances of the fleet. Once their data exists,
// that stays.
func (u *upCmd) choose(e *environment, p *plan.Plan, record *state.Record) error {
	_, err := e.dir.Load()
	first := errors.Is(err, state.ErrNoRecord)
	refused := kubelet.Permitted(e.ctx, p.Kubelet().Addresses)
	p.Managed = refused == nil
	p.Lifecycle = p.Managed && p.Kairship != "" && has(e.ctx, p.Kairship, "controller-manager", "--managed-defaults")
	var why string
	switch {
	case record.Managed && refused != nil:
		return fmt.Errorf("this fleet has instances that Karmada's operator made, which cannot run here: %w\n"+
			"Start it as it was started before, or delete its data with `playground reset`", refused)
	case record.Managed:
		return nil
	case refused != nil:
		why = refused.Error()
	case !first:
		why = "this fleet was begun that way; `playground reset` and `up` begin another"
	case p.Kairship == "":
		why = "Kairship is not part of the fleet"
	case !p.Lifecycle:
		why = "this Kairship makes none"
	default:
		record.Managed = true
		return nil
	}
	p.Fleet = p.Fleet.Attached()
	fmt.Fprintf(os.Stderr, "All instances are attached, none is managed: %s.\n", why)
	return nil
}

// chooseConsole decides whether there are consoles: whether their shells see nothing of the fleet's files, and are nobody
// whom others are.
func (u *upCmd) chooseConsole(e *environment, p *plan.Plan) {
	why := errors.New("it does not run as root")
	if os.Geteuid() == 0 {
		why = enter.Check(e.ctx)
	}
	switch {
	case p.Kairship == "" || !has(e.ctx, p.Kairship, "console-runner", "--token-file"):
	case why != nil:
		fmt.Fprintf(os.Stderr, "There are no consoles, since the playground could not keep their shells from the fleet's credentials: %v.\n", why)
	default:
		p.Console = true
	}
}

// has asks Kairship's binary whether a command has an option.
func has(ctx context.Context, program, command, option string) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	help, err := exec.CommandContext(ctx, program, command, "--help").CombinedOutput()
	return err == nil && strings.Contains(string(help), option)
}

func (e *environment) database(record *state.Record) (database.Cluster, error) {
	cache, err := components.DefaultCacheDir()
	if err != nil {
		return database.Cluster{}, err
	}
	pg, err := postgres.Find(e.ctx, cache, os.Stderr)
	if err != nil {
		return database.Cluster{}, err
	}
	if record.DatabaseDir == "" {
		record.DatabaseDir = database.Place(e.dir.Data("postgres"), filepath.Join("/var/tmp", "kairship-playground-"+e.dir.Hash(), "postgres"), pg.User)
	}
	return database.Cluster{
		Server: pg, Dir: record.DatabaseDir,
		Owner: plan.DatabaseOwner, Name: plan.DatabaseName, PasswordFile: e.dir.Config("database-password"),
	}, nil
}

// checkPorts looks at the ports of all processes that do not run yet, and says which can be changed: once a fleet has
// begun, only Kairship's.
func checkPorts(specs []process.Spec, running control.Fleet, begun bool) error {
	has := map[string]bool{}
	for _, s := range running.Processes {
		has[s.Spec.Name] = s.PID != 0
	}
	var idle []process.Spec
	for _, s := range specs {
		if !has[s.Name] {
			idle = append(idle, s)
		}
	}
	if err := process.CheckPorts(idle); err != nil {
		if begun {
			return fmt.Errorf("%w\nFree it; Kairship's own can be others with KAIRSHIP_HTTP_PORT and KAIRSHIP_HTTPS_PORT, those of the fleet are in its data", err)
		}
		return fmt.Errorf("%w\nFree it, or choose others with KAIRSHIP_PORT_BASE (the fleet) and KAIRSHIP_HTTP_PORT, KAIRSHIP_HTTPS_PORT (Kairship)", err)
	}
	return nil
}

// converge brings the processes and the content of the API servers to what the
// plan says.
func (u *upCmd) converge(e *environment, l *launch.Launch, running control.Fleet) error {
	ctx, cancel := context.WithTimeoutCause(e.ctx, u.Timeout, fmt.Errorf("not ready after %s", u.Timeout))
	defer cancel()
	planned := map[string]bool{}
	for _, s := range l.Plan.Specs() {
		planned[s.Name] = true
	}
	for _, s := range running.Processes {
		if !planned[s.Spec.Name] && s.Spec.Pod == "" {
			if err := e.client.Forget(ctx, s.Spec.Name); err != nil {
				return err
			}
		}
	}
	tasks := l.Tasks()
	r := progress.New(os.Stdout, len(tasks), launch.Quiet(l.Plan))
	defer r.Close()
	return graph.Run(ctx, tasks, r)
}

// failed explains why a fleet did not come up. After a Ctrl-C everything that this command started is stopped; after a
// failure everything stays, to be looked at.
func (e *environment) failed(err error, ours bool) error {
	if e.ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "playground: the fleet did not come up:", err)
		fmt.Fprintln(os.Stderr, "What runs was left running. See `playground status` and `playground logs NAME`; `playground up` goes on, `playground down` stops it.")
		return &silent{err}
	}
	if !ours {
		return errors.New("interrupted; the fleet, which ran before, goes on")
	}
	fmt.Fprintln(os.Stderr, "\nInterrupted: stopping what was started.")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.ctx), 2*time.Minute)
	defer cancel()
	if err := e.shutdown(ctx, func(int) {}); err != nil {
		return err
	}
	return &silent{err}
}

// summary says how to use what came up.
func (e *environment) summary(p plan.Plan, built, total time.Duration) {
	out := os.Stdout
	fmt.Fprintf(out, "\nThe fleet is up after %.1f s", total.Seconds())
	if built > 5*time.Second {
		fmt.Fprintf(out, " (%.1f s of them to get its components)", built.Seconds())
	}
	fmt.Fprintln(out, ".")
	if p.Kairship != "" {
		fmt.Fprintf(out, "  Kairship     http://127.0.0.1:%d  and  https://127.0.0.1:%d\n", p.Ports.HTTP, p.Ports.HTTPS)
		fmt.Fprintf(out, "               the latter's CA: %s\n", filepath.Join(e.dir.PKI(), "kairship", "ca.crt"))
		fmt.Fprintf(out, "  Sign in      as owner, editor, viewer or stranger with the password in\n               %s\n", p.OIDCPassword())
		fmt.Fprintln(out, "               or with a token: `make -s token USER=editor` prints theirs, `make -s token` an administrator's")
	} else {
		fmt.Fprintln(out, "  Kairship     is not part of it")
	}
	names := append(p.Fleet.Clusters(), "clusterpedia")
	fmt.Fprintf(out, "  kubeconfigs  %s\n               of %s\n", e.dir.Kubeconfig("NAME"), strings.Join(names, ", "))
	fmt.Fprintln(out, "  Look         `bin/playground status`, `bin/playground logs NAME`; stop it with `bin/playground down`")
}
