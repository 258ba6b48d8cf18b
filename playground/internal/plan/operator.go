package plan

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/kairship-io/kairship/playground/internal/components"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/kubelet"
)

// Where programs in a file system of their own find what they share.
const (
	operatorConfig = "/etc/karmada-operator/kubeconfig"
	operatorData   = "/var/lib/karmada" // its own choice, which cannot be changed
	auditConfig    = "/etc/kubernetes/audit-policy.yaml"
	auditFolder    = "/var/log/kubernetes"
)

// operator makes Karmadas of the Karmada objects in the host.
func (p Plan) operator() process.Spec {
	const name = "karmada-operator"
	metrics, health := p.Ports.OperatorMetrics(), p.Ports.OperatorHealth()
	s := p.spec(name, name, process.TierProduct, p.Binaries[name],
		flag("kubeconfig", operatorConfig),
		// There is only one.
		flag("leader-elect", false),
		flag("metrics-bind-address", loopback(metrics)),
		flag("health-probe-bind-address", loopback(health)),
	)
	s.Root = &process.Root{Dir: p.Dir.Data(name + "/root"), Mounts: []process.Mount{
		{Source: p.Dir.Kubeconfig(name), Target: operatorConfig, ReadOnly: true},
		{Source: p.OperatorData(), Target: operatorData},
		{Source: p.Dir.Config(servicesFile), Target: "/etc/hosts", ReadOnly: true},
	}}
	s.Ports = []int{metrics, health}
	s.Ready = plain(health, "/healthz")
	s.Metrics = plain(metrics, "/metrics")
	return s
}

// OperatorData is the folder that the operator keeps its files in.
func (p Plan) OperatorData() string { return p.Dir.Data("karmada-operator/lib") }

// servicesFile names the host's Services as /etc/hosts does. The kubelet fills it.
const servicesFile = "hosts"

// Kubelet says how the host's pods are run.
func (p Plan) Kubelet() kubelet.Config {
	c := kubelet.Config{
		Kubeconfig:  p.Dir.Kubeconfig("kubelet"),
		Node:        "processes",
		Dir:         p.Dir.Data("pods"),
		Logs:        filepath.Dir(p.Dir.Log("x")),
		Kubeconfigs: filepath.Dir(p.Dir.Kubeconfig("x")),
		Hosts:       p.Dir.Config(servicesFile),
		Addresses:   kubelet.AddressesFor(p.Ports.Base()),
		Programs:    p.images(),
	}
	for _, s := range p.Specs() {
		if s.Group != "" {
			c.Reserved = append(c.Reserved, s.Group)
		}
	}
	c.Reserved = append(c.Reserved, fleet.Host)
	return c
}

// images are the programs that pods can run, and how each has to behave on a machine that it shares with others.
func (p Plan) images() []kubelet.Program {
	controller := func(image string, defaults map[string]string) kubelet.Program {
		return kubelet.Program{
			Image: image, Tier: process.TierController, Defaults: defaults,
			Metrics: &kubelet.Page{Scheme: "http", Port: 8080, Path: "/metrics"},
		}
	}
	aggregated := func(image string) kubelet.Program {
		return kubelet.Program{
			Image: image, Tier: process.TierAggregated,
			Defaults: map[string]string{"bind-address": "$(POD_IP)"},
			Health:   &kubelet.Page{Scheme: "https", Port: 443, Path: "/readyz"},
			Metrics:  &kubelet.Page{Scheme: "https", Port: 443, Path: "/metrics", Admin: true, ServerName: "localhost"},
			Grace:    process.Duration(2 * time.Second),
		}
	}
	adapter := aggregated("karmada-metrics-adapter")
	adapter.Metrics = &kubelet.Page{Scheme: "http", Port: 8080, Path: "/metrics"}
	all := []kubelet.Program{
		{
			Image: "kube-apiserver", Tier: process.TierAPIServer,
			Defaults: map[string]string{
				"bind-address": "$(POD_IP)", "advertise-address": "$(POD_IP)", "endpoint-reconciler-type": "none",
				"profiling": "false", "etcd-count-metric-poll-period": "0",
				"audit-policy-file": auditConfig, "audit-log-path": auditFolder + "/$(NAME).log",
				"audit-log-maxsize": "50", "audit-log-maxbackup": "2",
			},
			Mounts: []process.Mount{
				{Source: p.Dir.Config(auditPolicyFile), Target: auditConfig, ReadOnly: true},
				{Source: filepath.Dir(p.Dir.Audit("x")), Target: auditFolder},
			},
			// See apiServer.
			Grace:   process.Duration(2 * time.Second),
			Metrics: &kubelet.Page{Scheme: "https", Port: 5443, Path: "/metrics", Admin: true, ServerName: "localhost"},
		},
		{
			Image: "kube-controller-manager", Tier: process.TierController,
			Defaults: map[string]string{"bind-address": "$(POD_IP)", "profiling": "false"},
			Metrics:  &kubelet.Page{Scheme: "https", Port: 10257, Path: "/metrics", Admin: true},
		},
		{
			Image: "etcd", Tier: process.TierStore,
			// It must advertise the address that others use.
			Defaults: map[string]string{"initial-advertise-peer-urls": "http://$(POD_IP):2380"},
			Flags:    map[string]string{"log-level": "warn"},
			Metrics:  &kubelet.Page{Scheme: "http", Port: 2381, Path: "/metrics"},
		},
		aggregated("karmada-aggregated-apiserver"),
		aggregated("karmada-search"),
		adapter,
		controller("karmada-controller-manager", map[string]string{"metrics-bind-address": "$(POD_IP):8080", "health-probe-bind-address": "$(POD_IP):10357"}),
		controller("karmada-scheduler", map[string]string{"metrics-bind-address": "$(POD_IP):8080", "health-probe-bind-address": "$(POD_IP):10351"}),
		controller("karmada-descheduler", map[string]string{"metrics-bind-address": "$(POD_IP):8080", "health-probe-bind-address": "$(POD_IP):10358"}),
		controller("karmada-webhook", map[string]string{
			"bind-address": "$(POD_IP)", "metrics-bind-address": "$(POD_IP):8080", "health-probe-bind-address": "$(POD_IP):8000",
		}),
	}
	for i := range all {
		name := all[i].Image
		all[i].Path, all[i].Env = p.Binaries[name], p.environment()
		if f, err := process.Fingerprint(all[i].Path); err == nil { // a missing one fails at its start, with its name
			all[i].Binary = f
		}
		all[i].Tags = tags(components.Version(name))
	}
	return all
}

// tags returns the prefixes of tags that a program of a version is used for. For Kubernetes and etcd any patch release
// of the minor version will do: the operator asks for the newest one at the time of its own release.
func tags(version string) []string {
	var major, minor int
	if _, err := fmt.Sscanf(version, "v%d.%d.", &major, &minor); err != nil || version == components.Version("karmada-operator") {
		return []string{version}
	}
	return []string{fmt.Sprintf("v%d.%d", major, minor), fmt.Sprintf("%d.%d", major, minor)}
}
