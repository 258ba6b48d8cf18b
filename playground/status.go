package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/kairship-io/kairship/playground/internal/report"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

type statusCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run shows the fleet, and fails when something is not healthy, so that a script
// can ask.
func (c statusCmd) Run(e *environment) error {
	f, err := e.client.Fleet(e.ctx)
	if err != nil {
		return err
	}
	r := report.Gather(e.ctx, e.fleet, e.dir.Kubeconfig)
	r.Components = f.Processes
	problems := r.Problems()
	if c.JSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		if err := enc.Encode(struct {
			Healthy  bool     `json:"healthy"`
			Problems []string `json:"problems"`
			report.Report
		}{len(problems) == 0, append([]string{}, problems...), r}); err != nil {
			return err
		}
	} else {
		show(r)
		if len(problems) == 0 {
			fmt.Println("\nAll is healthy.")
		} else {
			fmt.Printf("\nNot healthy:\n  %s\n", strings.Join(problems, "\n  "))
		}
	}
	if len(problems) > 0 {
		return &silent{errors.New("not healthy")}
	}
	return nil
}

func show(r report.Report) {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	defer func() { _ = w.Flush() }() // a closed terminal wants no more
	var memory int64
	fmt.Fprintln(w, "COMPONENT\tSTATE\tPID\tRESTARTS\tSINCE\tMEMORY")
	for _, s := range r.Components {
		memory += s.Memory
		pid := "-"
		if s.PID != 0 {
			pid = fmt.Sprint(s.PID)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\n", s.Spec.Name, stateOf(s), pid, s.Restarts, ago(s.Since), mebi(s.Memory))
	}
	fmt.Fprintf(w, "%d components\t\t\t\t\t%s\n", len(r.Components), mebi(memory))
	fmt.Fprintln(w, "\nINSTANCE\tCLUSTER\tMODE\tREADY\tNODES\t")
	for _, c := range r.Clusters {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t\n", c.Instance, c.Name, c.SyncMode, c.Ready, c.Nodes)
	}
	if len(r.Sync) == 0 {
		return
	}
	fmt.Fprintln(w, "\nREAD STORE\tHEALTHY\tSYNC\tRESOURCES\t\t")
	for _, s := range r.Sync {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d of %d syncing\t\t\n", s.Name, s.Healthy, s.Running, s.Syncing, s.Resources)
	}
}

func stateOf(s supervisor.Status) string {
	if s.State == supervisor.BackOff && s.Message != "" {
		return string(s.State) + " (" + s.Message + ")"
	}
	return string(s.State)
}

func ago(t time.Time) string {
	d := time.Since(t).Round(time.Second)
	if d >= time.Hour {
		d = d.Round(time.Minute)
		return strings.TrimSuffix(d.String(), "0s")
	}
	return d.String()
}

func mebi(b int64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%d MiB", b>>20)
}
