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

// tasks are those of a fleet without managed instances.
func tasks(t *testing.T, kairship string) (plan.Plan, map[string]graph.Task) {
	t.Helper()
	return tasksOf(t, plan.Plan{Fleet: fleet.Demo().Attached(), Kairship: kairship})
}

func managed(t *testing.T, kairship string) (plan.Plan, map[string]graph.Task) {
	t.Helper()
	return tasksOf(t, plan.Plan{Fleet: fleet.Demo(), Kairship: kairship, Managed: true, Lifecycle: kairship != ""})
}

func tasksOf(t *testing.T, p plan.Plan) (plan.Plan, map[string]graph.Task) {
	t.Helper()
	ports, err := fleet.NewPorts(fleet.Demo(), 21000, 8080, 8443)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := state.At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p.Ports, p.Dir = ports, dir
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
		for _, of := range []func(*testing.T, string) (plan.Plan, map[string]graph.Task){tasks, managed} {
			p, byName := of(t, kairship)
			for _, s := range p.Specs() {
				if _, ok := byName[s.Name]; !ok {
					t.Errorf("nobody starts %s", s.Name)
				}
			}
		}
	}
}

func TestNothingStartsBeforeWhatItStandsOn(t *testing.T) {
	_, byName := tasks(t, "/bin/kairship")
	inOrder(t, byName, map[string][2]string{
		"an API server has its store":                                            {"asia-apiserver", "etcd"},
		"a member with its own store has it":                                     {"hangzhou-apiserver", "hangzhou-etcd"},
		"tables are made by one program at a time":                               {"clusterpedia-synchro", "clusterpedia-apiserver"},
		"the database is there":                                                  {"clusterpedia-apiserver", "postgres"},
		"Karmada's scheduler finds the types it watches":                         {"asia-scheduler", clustersOf("asia")},
		"an agent finds the API it registers with":                               {"tokyo-agent", clustersOf("asia")},
		"webhooks are asked only once they answer":                               {webhooksOf("asia"), "asia-webhook"},
		"workloads meet policies that are checked":                               {demoOf("asia"), webhooksOf("asia")},
		"workloads meet clusters whose room is known":                            {demoOf("asia"), readyOf("asia")},
		"the read store meets members that answer":                               {"clusterpedia-synchro", proxiesOf("asia")},
		"Kairship meets instances whose members answer":                          {stepInstance, proxiesOf("europe")},
		"people can sign in once Kairship is there":                              {"kairship-apiserver", "oidc"},
		"roles are given once their type is there":                               {stepBindings, stepHost},
		"Kairship's controllers find their types":                                {"kairship-controller-manager", stepHost},
		"the query is asked when the read store fills":                           {stepAnswers, "clusterpedia-synchro"},
		"Kairship's indexes meet the table that they are on":                     {stepStore, "clusterpedia-apiserver"},
		"Kairship finds its indexes when it first looks":                         {"kairship-apiserver", stepStore},
		"a pull member joins only with namespaces for its agent":                 {readyOf("asia"), "tokyo-agent"},
		"a push member joins with tokens that its controllers made":              {joinOf("hangzhou"), "hangzhou-controller-manager"},
		"a leader need not wait until the lease of one that is gone has run out": {"asia-scheduler", leasesOf("asia")},
	})
}

func TestAManagedInstanceIsMadeBeforeItIsUsed(t *testing.T) {
	_, byName := managed(t, "/bin/kairship")
	inOrder(t, byName, map[string][2]string{
		"Kairship asks the operator only when that runs":              {runsOf("europe"), "karmada-operator"},
		"the operator sees no status of an earlier life":              {"karmada-operator", stepKubelet},
		"the operator finds Karmada's types":                          {"karmada-operator", stepTypes},
		"Kairship finds the credential of etcd":                       {"kairship-controller-manager", stepEtcdSecret},
		"members join what runs":                                      {joinOf("frankfurt"), runsOf("europe")},
		"the read store meets attached members that answer":           {"clusterpedia-synchro", proxiesOf("asia")},
		"and those of managed ones that it knows from before":         {"clusterpedia-synchro", stepKnown},
		"Kairship's API meets instances whose members answer":         {"kairship-apiserver", proxiesOf("europe")},
		"workloads meet clusters whose room is known":                 {demoOf("europe"), readyOf("europe")},
		"the query is asked when all instances are there":             {stepAnswers, proxiesOf("europe")},
		"attached instances are registered when their members answer": {stepInstance, proxiesOf("asia")},
	})
	if slices.Contains(byName["kairship-controller-manager"].After, stepInstance) {
		t.Error("who makes europe waits until asia is ready")
	}
}

func TestAManagedInstanceGoesOnWithoutKairship(t *testing.T) {
	_, byName := managed(t, "")
	if _, ok := byName[runsOf("europe")]; ok {
		t.Error("up would wait for a Kairship that does not run")
	}
	inOrder(t, byName, map[string][2]string{"members meet an API that answers": {joinOf("frankfurt"), clustersOf("europe")}})
}

func inOrder(t *testing.T, byName map[string]graph.Task, orders map[string][2]string) {
	t.Helper()
	var waits func(task, other string) bool
	waits = func(task, other string) bool {
		return slices.ContainsFunc(byName[task].After, func(dep string) bool { return dep == other || waits(dep, other) })
	}
	for name, order := range orders {
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
	if _, ok := byName[stepStore]; ok {
		t.Error("up would run a Kairship that is not part of the fleet")
	}
}

func TestTheReadStoreIsPreparedByKairshipsOwnCommands(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "kairship")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$@\" >>"+folder+"/said\necho the reason >&2\n[ -e "+folder+"/works ]\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, byName := tasks(t, script)
	if err := byName[stepStore].Run(t.Context()); err == nil || !strings.Contains(err.Error(), "the reason") {
		t.Errorf("a failed command gave %v, which does not hold what it said", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "works"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := byName[stepStore].Run(t.Context()); err != nil {
		t.Error(err)
	}
	said, err := os.ReadFile(filepath.Join(folder, "said"))
	store := " --storage-config=" + p.Dir.Config("clusterpedia-storage.yaml")
	optimize := "store optimize" + store + "\n"
	// Once when it failed, then both.
	want := optimize + optimize + "store grant" + store + " --role=kairship_reader --password-file=" + p.Dir.Config("store-reader-password") + "\n"
	if err != nil || string(said) != want {
		t.Errorf("it was called with %q, %v; want %q", said, err, want)
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
