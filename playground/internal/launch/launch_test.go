package launch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/graph"
	"github.com/kairship-io/kairship/playground/internal/plan"
	"github.com/kairship-io/kairship/playground/internal/state"
)

func tasks(t *testing.T, kairship string) (plan.Plan, map[string]graph.Task) {
	t.Helper()
	ports, err := fleet.NewPorts(fleet.Demo(), 21000, 8080, 8443)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := state.At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := plan.Plan{Fleet: fleet.Demo(), Ports: ports, Dir: dir, Kairship: kairship}
	nothing := func(context.Context) error { return nil }
	list := Launch{Plan: p, PrepareDatabase: nothing, Answers: nothing, Demo: true}.Tasks()
	if err := graph.Check(list); err != nil {
		t.Fatal(err)
	}
	byName := map[string]graph.Task{}
	for _, task := range list {
		byName[task.Name] = task
	}
	return p, byName
}

func TestEveryPlannedProcessIsStarted(t *testing.T) {
	for _, kairship := range []string{"", "/bin/kairship"} {
		p, byName := tasks(t, kairship)
		for _, s := range p.Specs() {
			if _, ok := byName[s.Name]; !ok {
				t.Errorf("nobody starts %s", s.Name)
			}
		}
	}
}

func TestNothingStartsBeforeWhatItStandsOn(t *testing.T) {
	_, byName := tasks(t, "/bin/kairship")
	var waits func(task, other string) bool
	waits = func(task, other string) bool {
		return slices.ContainsFunc(byName[task].After, func(dep string) bool { return dep == other || waits(dep, other) })
	}
	for name, order := range map[string][2]string{
		"an API server has its store":                               {"asia-apiserver", "etcd"},
		"a member with its own store has it":                        {"hangzhou-apiserver", "hangzhou-etcd"},
		"tables are made by one program at a time":                  {"clusterpedia-synchro", "clusterpedia-apiserver"},
		"the database is there":                                     {"clusterpedia-apiserver", "postgres"},
		"Karmada's scheduler finds the types it watches":            {"asia-scheduler", clustersOf("asia")},
		"an agent finds the API it registers with":                  {"tokyo-agent", clustersOf("asia")},
		"webhooks are asked only once they answer":                  {webhooksOf("asia"), "asia-webhook"},
		"workloads meet policies that are checked":                  {demoOf("asia"), webhooksOf("asia")},
		"workloads meet clusters whose room is known":               {demoOf("asia"), readyOf("asia")},
		"the read store meets members that answer":                  {"clusterpedia-synchro", proxiesOf("asia")},
		"Kairship meets instances whose members answer":             {stepInstance, proxiesOf("europe")},
		"Kairship's controllers find their types":                   {"kairship-controller-manager", stepHost},
		"the query is asked when the read store fills":              {stepAnswers, "clusterpedia-synchro"},
		"a pull member joins only with namespaces for its agent":    {readyOf("asia"), "tokyo-agent"},
		"a push member joins with tokens that its controllers made": {joinOf("hangzhou"), "hangzhou-controller-manager"},
	} {
		if !waits(order[0], order[1]) {
			t.Errorf("%s: %q does not wait for %q", name, order[0], order[1])
		}
	}
}

func TestInstancesAreRegisteredWithoutKairshipToo(t *testing.T) {
	_, byName := tasks(t, "")
	if _, ok := byName[stepInstance]; !ok {
		t.Error("whoever runs Kairship by hand would find no instances")
	}
	if _, ok := byName[stepAnswers]; ok {
		t.Error("up would wait for an answer of a Kairship that does not run")
	}
}

func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("one\ntwo\n"+strings.Repeat("x", 300)+"\nfour\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := "  two\n  " + strings.Repeat("x", 240) + "…\n  four"
	if diff := cmp.Diff(want, Tail(path, 3)); diff != "" {
		t.Errorf("tail (-want +got):\n%s", diff)
	}
}
