package plan

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/playground/internal/process"
)

func TestAManagedInstanceIsNotThePlaygroundsToRun(t *testing.T) {
	p := managedPlan(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range p.Specs() {
		if s.Group == "europe" {
			names = append(names, s.Name)
		}
	}
	if len(names) > 0 {
		t.Errorf("planned are %v", names)
	}
	if slices.Contains(p.Kubelet().Reserved, "europe") || !slices.Contains(p.Kubelet().Reserved, "asia") {
		t.Errorf("its pods cannot have its name: reserved are %v", p.Kubelet().Reserved)
	}
	if _, err := os.Stat(p.Dir.Kubeconfig("europe")); err == nil {
		t.Error("a kubeconfig was written that opens nothing")
	}
	controllers := find(t, p, "kairship-controller-manager")
	if !slices.Contains(controllers.Args, "--managed-defaults="+p.Dir.Config(managedFile)) {
		t.Errorf("the controllers are started with %v", controllers.Args)
	}
}

func TestWhereNothingCanBeManagedNothingSpeaksOfIt(t *testing.T) {
	p := demoPlan(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Specs() {
		if s.Root != nil || strings.Contains(strings.Join(s.Args, " "), "managed") {
			t.Errorf("%s: %v", s.Name, s.Args)
		}
	}
}

func TestTheDefaultsAreReadAsTheyWereMeant(t *testing.T) {
	p := managedPlan(t)
	b, err := p.managedDefaults()
	if err != nil {
		t.Fatal(err)
	}
	var m v1alpha1.ManagedInstance
	if err := yaml.UnmarshalStrict(b, &m); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"http://127.0.0.1:21000"}, m.Etcd.External.Endpoints); diff != "" {
		t.Errorf("etcd (-want +got):\n%s", diff)
	}
	if n := len(m.APIServer.CertSANs); n == 0 || n > 32 {
		t.Errorf("%d names for the certificate: allowed are 1 to 32", n)
	}
	// An attached scheduler and a managed one place alike.
	attached := find(t, p, "asia-scheduler").Args
	var gates []string
	for name, on := range m.Components.Scheduler.FeatureGates {
		gates = append(gates, flag(name, on)[len("--"):])
	}
	slices.Sort(gates)
	want := strings.Split(karmadaGates, ",")
	slices.Sort(want)
	if diff := cmp.Diff(want, gates); diff != "" || !slices.Contains(attached, "--feature-gates="+karmadaGates) {
		t.Errorf("feature gates (-want +got):\n%s\nand of the attached one: %v", diff, attached)
	}
}

func TestEveryImageOfAManagedInstanceIsThere(t *testing.T) {
	have := map[string]string{}
	for _, i := range managedPlan(t).Kubelet().Programs {
		have[i.Image] = strings.Join(i.Tags, " ")
		if i.Path == "" {
			t.Errorf("nothing runs for %s", i.Image)
		}
		if i.Tier == process.TierProduct {
			t.Errorf("%s would end before those who use it", i.Image)
		}
	}
	want := map[string]string{
		"kube-apiserver": "v1.35 1.35", "kube-controller-manager": "v1.35 1.35", "etcd": "v3.6 3.6",
		"karmada-aggregated-apiserver": "v1.18.2", "karmada-controller-manager": "v1.18.2", "karmada-scheduler": "v1.18.2",
		"karmada-webhook": "v1.18.2", "karmada-metrics-adapter": "v1.18.2", "karmada-descheduler": "v1.18.2", "karmada-search": "v1.18.2",
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("images and tags (-want +got):\n%s", diff)
	}
}
