package plan

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/playground/internal/fleet"
)

func withFurther(t *testing.T, agent *fleet.Agent) (Plan, fleet.Further) {
	t.Helper()
	p := demoPlan(t)
	f, m, err := p.Fleet.Add("osaka")
	if err != nil {
		t.Fatal(err)
	}
	m.Agent = agent
	f.Further[0] = m
	p.Fleet = f
	if p.Ports, err = fleet.NewPorts(f, 21000, 8080, 8443); err != nil {
		t.Fatal(err)
	}
	return p, m
}

func TestAFurtherMemberRunsWhatAMemberDoesAndSharesNoPort(t *testing.T) {
	p, m := withFurther(t, &fleet.Agent{Cluster: "kansai", Region: "jp"})
	var got []string
	for _, s := range p.Further(m) {
		got = append(got, s.Name)
	}
	want := []string{"osaka-etcd", "osaka-apiserver", "osaka-controller-manager", "osaka-scheduler", "osaka-kwok", "osaka-agent"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("processes (-want +got):\n%s", diff)
	}
	holder := map[int]string{}
	for _, s := range p.Specs() {
		for _, port := range s.Ports {
			if other, taken := holder[port]; taken {
				t.Errorf("port %d is of %s and of %s", port, other, s.Name)
			}
			holder[port] = s.Name
		}
	}
	agent := strings.Join(find(t, p, "osaka-agent").Args, " ")
	for _, option := range []string{"--cluster-name=kansai", "--cluster-region=jp", "--karmada-kubeconfig=" + p.RegisteredKubeconfig("osaka")} {
		if !strings.Contains(agent, option) {
			t.Errorf("the agent has no %s: %s", option, agent)
		}
	}
}

func TestNothingOfAFurtherMemberStays(t *testing.T) {
	p, m := withFurther(t, nil)
	if err := p.PrepareFurther(m); err != nil {
		t.Fatal(err)
	}
	for _, path := range p.FurtherFiles(m) {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	var left []string
	for _, dir := range []string{"config", "kubeconfig", "pki", "data", "logs", "audit"} {
		entries, err := os.ReadDir(p.Dir.Root() + "/" + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.Contains(e.Name(), "osaka") {
				left = append(left, dir+"/"+e.Name())
			}
		}
	}
	if len(left) > 0 {
		t.Errorf("these stay: %q", left)
	}
}
