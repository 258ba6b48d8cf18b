package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/playground/internal/control"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/state"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

func statuses(names ...string) []supervisor.Status {
	var all []supervisor.Status
	for _, n := range names {
		group, _, _ := strings.Cut(n, "-")
		if group == n {
			group = ""
		}
		all = append(all, supervisor.Status{Spec: process.Spec{Name: n, Group: group}})
	}
	return all
}

func TestMatch(t *testing.T) {
	all := statuses("asia-apiserver", "asia-scheduler", "etcd", "hangzhou-apiserver", "hangzhou-etcd")
	tests := map[string]struct {
		name string
		want []string
		err  string
	}{
		"a component is itself":               {name: "asia-apiserver", want: []string{"asia-apiserver"}},
		"a cluster is all its processes":      {name: "hangzhou", want: []string{"hangzhou-apiserver", "hangzhou-etcd"}},
		"a component without a group":         {name: "etcd", want: []string{"etcd"}},
		"an unknown name lists what there is": {name: "tokyo", err: "and all of: asia, hangzhou"},
		"no name is no group":                 {name: "", err: `nothing is called ""`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found, err := match(all, tt.name)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, namesOf(found)); diff != "" {
				t.Errorf("processes (-want +got):\n%s", diff)
			}
		})
	}
}

func setUp(t *testing.T, c cli) *environment {
	t.Helper()
	dir, err := state.At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := dir.Make(); err != nil {
		t.Fatal(err)
	}
	return &environment{ctx: t.Context(), cli: &c, dir: dir, fleet: fleet.Demo()}
}

func TestWhereAFleetIsLaidOut(t *testing.T) {
	last := state.Record{PortBase: 25000, HTTPPort: 9080, HTTPSPort: 9443}
	tests := map[string]struct {
		cli  cli
		last *state.Record
		want state.Record
	}{
		"at first by default": {want: state.Record{PortBase: 21000, HTTPPort: 8080, HTTPSPort: 8443}},
		"then where it was":   {last: &last, want: last},
		"unless something else is said": {cli: cli{PortBase: 26000, HTTPSPort: 1443}, last: &last,
			want: state.Record{PortBase: 26000, HTTPPort: 9080, HTTPSPort: 1443}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := setUp(t, tt.cli)
			if tt.last != nil {
				if err := e.dir.Save(*tt.last); err != nil {
					t.Fatal(err)
				}
			}
			got, err := e.record()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAFleetWithDataStaysAtItsPorts(t *testing.T) {
	was := state.Record{PortBase: 31000, HTTPPort: 18080, HTTPSPort: 18443}
	tests := map[string]struct {
		cli     cli
		begun   bool
		refused bool
	}{
		"another base is refused":                        {cli: cli{PortBase: 26000}, begun: true, refused: true},
		"so is the default one, when it is asked for":    {cli: cli{PortBase: fleet.DefaultPortBase}, begun: true, refused: true},
		"the same base is none":                          {cli: cli{PortBase: 31000}, begun: true},
		"without one it is that of before":               {begun: true},
		"Kairship's own ports may be others":             {cli: cli{HTTPPort: 9080, HTTPSPort: 9443}, begun: true},
		"where a start failed before there was any data": {cli: cli{PortBase: 26000}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := setUp(t, tt.cli)
			if err := e.dir.Save(was); err != nil {
				t.Fatal(err)
			}
			if tt.begun {
				if err := os.MkdirAll(e.dir.Data("etcd"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			_, err := e.settle(false, control.Fleet{})
			if !tt.refused {
				if err != nil {
					t.Errorf("it was refused: %v", err)
				}
				return
			}
			if err == nil {
				t.Fatal("it was not refused")
			}
			for _, part := range []string{"from 31000 on", fmt.Sprintf("not from %d", tt.cli.PortBase), "KAIRSHIP_PORT_BASE=31000", "KAIRSHIP_PLAYGROUND_DIR", "playground reset"} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the message does not say %q: %v", part, err)
				}
			}
		})
	}
}

func TestUpRefusesAnotherPortBaseBeforeItBuildsAnything(t *testing.T) {
	e := setUp(t, cli{PortBase: 26000})
	e.client = control.NewClient(e.dir.Socket())
	if err := e.dir.Save(state.Record{PortBase: 31000, HTTPPort: 18080, HTTPSPort: 18443}); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(e.dir.Data("etcd"), 0o700); err != nil {
		t.Fatal(err)
	}
	// One that is not refused begins to build, until then.
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	e.ctx = ctx
	err := (&upCmd{Timeout: time.Minute}).Run(e)
	if err == nil || !strings.Contains(err.Error(), "cannot be moved") {
		t.Errorf("error %v, want a refusal", err)
	}
	if now, err := e.dir.Load(); err != nil || now.PortBase != 31000 {
		t.Errorf("the record is %+v, %v: it was overwritten", now, err)
	}
}

func TestAFleetThatRunsKeepsKairshipWhereItIs(t *testing.T) {
	e := setUp(t, cli{HTTPPort: 9080})
	if err := e.dir.Save(state.Record{PortBase: 21000, HTTPPort: 8080, HTTPSPort: 8443}); err != nil {
		t.Fatal(err)
	}
	_, err := e.settle(true, control.Fleet{Protocol: control.Protocol})
	if err == nil || !strings.Contains(err.Error(), "at ports 8080 and 8443; for 9080 and 8443") || !strings.Contains(err.Error(), "playground down") {
		t.Errorf("error %v, want where it is and what to do", err)
	}
	if _, err := e.settle(false, control.Fleet{}); err != nil {
		t.Errorf("of one that is down: %v", err)
	}
}

func TestAnOldSupervisorIsNotTalkedTo(t *testing.T) {
	e := setUp(t, cli{})
	if _, err := e.settle(true, control.Fleet{Protocol: control.Protocol - 1}); err == nil {
		t.Error("a supervisor of another protocol was accepted")
	}
}

func TestPortsOfWhatRunsAreNotCheckedAgain(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	specs := []process.Spec{{Name: "etcd", Ports: []int{l.Addr().(*net.TCPAddr).Port}}}

	running := control.Fleet{Processes: []supervisor.Status{{Spec: specs[0], PID: os.Getpid()}}}
	if err := checkPorts(specs, running, false); err != nil {
		t.Errorf("of a process that runs: %v", err)
	}
	err = checkPorts(specs, control.Fleet{}, false)
	if err == nil || !strings.Contains(err.Error(), "KAIRSHIP_PORT_BASE") || !strings.Contains(err.Error(), fmt.Sprint(specs[0].Ports[0])) {
		t.Errorf("error %v, want the port and how to choose others", err)
	}
	if err = checkPorts(specs, control.Fleet{}, true); err == nil || strings.Contains(err.Error(), "KAIRSHIP_PORT_BASE") {
		t.Errorf("error %v, want no advice to choose another base for a fleet that has data", err)
	}
}

func TestResetDeletesOnlyWhatTheFleetMade(t *testing.T) {
	e := setUp(t, cli{})
	mine := e.dir.Root() + "/notes.txt"
	if err := os.WriteFile(mine, []byte("keep"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := e.clear(state.Record{DatabaseDir: "/etc"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a file of somebody's is gone: %v", err)
	}
	if _, err := os.Stat("/etc/hosts"); err != nil {
		t.Errorf("a folder that is not the fleet's was deleted: %v", err)
	}
	if _, err := os.Stat(e.dir.Log("x")[:len(e.dir.Log("x"))-len("/x.log")]); !os.IsNotExist(err) {
		t.Errorf("the logs are still there (%v)", err)
	}
}
