package plan

import (
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/process"
)

// How soon Karmada notices that a member is gone or back. The defaults (30 and
// 40 seconds) suit networks; here the next process is a millisecond away.
const (
	statusFrequency  = 10 * time.Second
	failureThreshold = 10 * time.Second
	successThreshold = 5 * time.Second
	monitorGrace     = 30 * time.Second
)

// karmadaGates turns off graded resource models, which know processors and memory only: a workload that asks for a GPU
// would fit nowhere. Without them the scheduler counts what the nodes offer. Preemption among policies is what previews tell.
const karmadaGates = "Failover=true,CustomizedClusterResourceModeling=false,PropagationPolicyPreemption=true"

// karmada is the control plane of an instance. What elects a leader in real ones does here, too: its Lease shows others
// whether a program is alive.
func (p Plan) karmada(i fleet.Instance) []process.Spec {
	n := i.Name
	return []process.Spec{
		// As in Karmada's own installation: there are no pods here that these
		// two would serve.
		p.apiServer(n, "", append(p.aggregation(n), flag("disable-admission-plugins", "StorageObjectInUseProtection,ServiceAccount"))...),
		p.controllerManager(n, n+"-kube-controller-manager", karmadaControllers, true),
		p.webhook(n),
		p.aggregated(n),
		p.karmadaControllerManager(n),
		p.karmadaScheduler(n),
	}
}

func (p Plan) webhook(n string) process.Spec {
	name := n + "-webhook"
	port, metrics, health := p.Ports.Webhook(n), p.Ports.WebhookMetrics(n), p.Ports.WebhookHealth(n)
	s := p.spec(name, n, process.TierController, p.Binaries["karmada-webhook"],
		flag("kubeconfig", p.Dir.Kubeconfig(name)),
		flag("bind-address", "127.0.0.1"),
		flag("secure-port", port),
		flag("cert-dir", p.Dir.PKI()+"/"+n),
		flag("tls-cert-file-name", "server.crt"),
		flag("tls-private-key-file-name", "server.key"),
		flag("metrics-bind-address", loopback(metrics)),
		flag("health-probe-bind-address", loopback(health)),
		flag("allow-no-execute-taint-policy", true),
	)
	s.Ports = []int{port, metrics, health}
	s.Ready = p.page(n, port, "/readyz/")
	s.Metrics = plain(metrics, "/metrics")
	return s
}

func (p Plan) aggregated(n string) process.Spec {
	name, port := n+"-aggregated-apiserver", p.Ports.Aggregated(n)
	config, server := p.Dir.Kubeconfig(name), p.pair(n, "server")
	s := p.spec(name, n, process.TierAggregated, p.Binaries["karmada-aggregated-apiserver"],
		flag("kubeconfig", config),
		flag("authentication-kubeconfig", config),
		flag("authorization-kubeconfig", config),
		flag("etcd-servers", p.etcdServer("")),
		flag("etcd-prefix", "/"+n+"-aggregated"),
		flag("tls-cert-file", server.Cert),
		flag("tls-private-key-file", server.Key),
		flag("bind-address", "127.0.0.1"),
		flag("secure-port", port),
		flag("audit-log-path", "/dev/null"),
	)
	s.Ports = []int{port}
	s.Ready = p.page(n, port, "/readyz")
	s.Metrics = p.page(n, port, "/metrics")
	return s
}

func (p Plan) karmadaControllerManager(n string) process.Spec {
	name := n + "-controller-manager"
	metrics, health := p.Ports.KarmadaMetrics(n), p.Ports.KarmadaHealth(n)
	s := p.spec(name, n, process.TierController, p.Binaries["karmada-controller-manager"],
		flag("kubeconfig", p.Dir.Kubeconfig(name)),
		flag("leader-elect", true),
		flag("cluster-status-update-frequency", statusFrequency),
		flag("controllers", "*,hpaScaleTargetMarker,deploymentReplicasSyncer"),
		flag("feature-gates", karmadaGates),
		flag("enable-no-execute-taint-eviction", true),
		flag("cluster-failure-threshold", failureThreshold),
		flag("cluster-success-threshold", successThreshold),
		flag("cluster-monitor-grace-period", monitorGrace),
		flag("graceful-eviction-timeout", time.Minute),
		// A demo or a benchmark brings hundreds of objects at once; the default
		// of 40 requests a second is what production wants.
		flag("kube-api-qps", 200), flag("kube-api-burst", 400),
		flag("cluster-api-qps", 200), flag("cluster-api-burst", 400),
		flag("metrics-bind-address", loopback(metrics)),
		flag("health-probe-bind-address", loopback(health)),
	)
	s.Ports = []int{metrics, health}
	s.Ready = plain(health, "/healthz")
	s.Metrics = plain(metrics, "/metrics")
	return s
}

func (p Plan) karmadaScheduler(n string) process.Spec {
	name := n + "-scheduler"
	metrics, health := p.Ports.SchedulerMetrics(n), p.Ports.SchedulerHealth(n)
	s := p.spec(name, n, process.TierController, p.Binaries["karmada-scheduler"],
		flag("kubeconfig", p.Dir.Kubeconfig(name)),
		flag("leader-elect", true),
		flag("feature-gates", karmadaGates),
		flag("kube-api-qps", 200), flag("kube-api-burst", 400),
		flag("metrics-bind-address", loopback(metrics)),
		flag("health-probe-bind-address", loopback(health)),
	)
	s.Ports = []int{metrics, health}
	s.Ready = plain(health, "/healthz")
	s.Metrics = plain(metrics, "/metrics")
	return s
}

// agent joins a member in pull mode and carries Karmada's work to it.
func (p Plan) agent(i fleet.Instance, m fleet.Member) process.Spec {
	return p.agentOf(m.Name, p.Dir.Kubeconfig(i.Name+"-"+m.Name+"-agent"),
		fleet.Agent{Cluster: m.Name, Provider: m.Provider, Region: m.Region, Zones: strings.Join(m.Zones, ",")})
}

// agentOf is the agent of a member, with the kubeconfig by which it reaches Karmada.
func (p Plan) agentOf(member, karmada string, a fleet.Agent) process.Spec {
	name := member + "-agent"
	metrics, health := p.Ports.AgentMetrics(member), p.Ports.AgentHealth(member)
	s := p.spec(name, member, process.TierController, p.Binaries["karmada-agent"],
		flag("kubeconfig", p.Dir.Kubeconfig(name)),
		flag("karmada-kubeconfig", karmada),
		flag("cluster-name", a.Cluster),
		flag("cluster-api-endpoint", p.Ports.Server(member)),
		flag("cluster-provider", a.Provider),
		flag("cluster-region", a.Region),
		flag("cluster-zones", a.Zones),
		flag("feature-gates", karmadaGates),
		flag("leader-elect", false),
		flag("cluster-status-update-frequency", statusFrequency),
		flag("cluster-failure-threshold", failureThreshold),
		flag("cluster-success-threshold", successThreshold),
		flag("kube-api-qps", 200), flag("kube-api-burst", 400),
		flag("cluster-api-qps", 200), flag("cluster-api-burst", 400),
		flag("metrics-bind-address", loopback(metrics)),
		flag("health-probe-bind-address", loopback(health)),
	)
	s.Ports = []int{metrics, health}
	s.Ready = plain(health, "/healthz")
	s.Metrics = plain(metrics, "/metrics")
	return s
}

// Lease is that of a program of which only one may be active.
type Lease struct{ Process, Namespace, Name string }

// Leases are those in the API server of an instance.
func Leases(instance string) []Lease {
	return []Lease{
		{instance + "-kube-controller-manager", "kube-system", "kube-controller-manager"},
		{instance + "-controller-manager", "karmada-system", "karmada-controller-manager"},
		{instance + "-scheduler", "karmada-system", "karmada-scheduler"},
	}
}
