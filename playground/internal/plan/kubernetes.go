package plan

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/process"
)

// What the controller manager of each kind of cluster runs. The host runs only Karmadas, whose pods the kubelet
// connects itself; Karmada's own list is that of its installation; a member has all that a workload needs, and nothing
// for volumes, routes or clouds.
var (
	hostControllers = []string{
		"namespace-controller", "garbage-collector-controller",
		"serviceaccount-controller", "serviceaccount-token-controller",
		"root-ca-certificate-publisher-controller", "clusterrole-aggregation-controller",
		"deployment-controller", "replicaset-controller", "statefulset-controller", "disruption-controller",
	}
	karmadaControllers = []string{
		"namespace-controller", "garbage-collector-controller", "serviceaccount-token-controller",
		"ttl-after-finished-controller", "bootstrap-signer-controller", "token-cleaner-controller",
		"certificatesigningrequest-cleaner-controller", "certificatesigningrequest-signing-controller",
		"clusterrole-aggregation-controller",
	}
	memberControllers = []string{
		"deployment-controller", "replicaset-controller", "statefulset-controller", "daemonset-controller",
		"job-controller", "cronjob-controller", "ttl-after-finished-controller",
		"namespace-controller", "garbage-collector-controller", "pod-garbage-collector-controller",
		"serviceaccount-controller", "serviceaccount-token-controller",
		"root-ca-certificate-publisher-controller", "clusterrole-aggregation-controller",
		"endpoints-controller", "endpointslice-controller",
		"node-lifecycle-controller", "taint-eviction-controller",
		"disruption-controller", "resourcequota-controller", "persistentvolumeclaim-protection-controller",
		"horizontal-pod-autoscaler-controller",
	}
)

// kubernetes is a cluster without nodes: the host.
func (p Plan) kubernetes(cluster string) []process.Spec {
	return []process.Spec{
		p.apiServer(cluster, "", p.aggregation(cluster)...),
		p.controllerManager(cluster, cluster+"-controller-manager", hostControllers, false),
	}
}

func (p Plan) member(i fleet.Instance, m fleet.Member) []process.Spec {
	specs := p.cluster(m)
	if m.SyncMode == fleet.Pull {
		specs = append(specs, p.agent(i, m))
	}
	return specs
}

// cluster is a member without what joins it.
func (p Plan) cluster(m fleet.Member) []process.Spec {
	var specs []process.Spec
	etcd := ""
	if m.OwnEtcd {
		etcd = m.Name
		specs = append(specs, p.etcd(m.Name))
	}
	return append(specs,
		p.apiServer(m.Name, etcd),
		p.controllerManager(m.Name, m.Name+"-controller-manager", memberControllers, false),
		p.scheduler(m.Name),
		p.kwok(m),
	)
}

func (p Plan) apiServer(cluster, etcd string, extra ...string) process.Spec {
	name, port := cluster+"-apiserver", p.Ports.APIServer(cluster)
	server, ca := p.pair(cluster, "server"), p.ca(cluster)
	args := []string{
		flag("etcd-servers", p.etcdServer(etcd)),
		flag("etcd-prefix", "/"+cluster),
		flag("bind-address", "127.0.0.1"),
		flag("advertise-address", "127.0.0.1"),
		flag("secure-port", port),
		flag("tls-cert-file", server.Cert),
		flag("tls-private-key-file", server.Key),
		flag("client-ca-file", ca.Cert),
		flag("authorization-mode", "Node,RBAC"),
		flag("allow-privileged", true),
		flag("enable-bootstrap-token-auth", true),
		flag("service-account-issuer", "https://kubernetes.default.svc.cluster.local"),
		flag("service-account-key-file", filepath.Join(p.Dir.PKI(), cluster, "sa.pub")),
		flag("service-account-signing-key-file", filepath.Join(p.Dir.PKI(), cluster, "sa.key")),
		flag("service-cluster-ip-range", "10.96.0.0/16"),
		// There is one API server, on loopback: nothing to reconcile.
		flag("endpoint-reconciler-type", "none"),
		// The names of kwok's nodes do not resolve.
		flag("kubelet-preferred-address-types", "InternalIP"),
		flag("profiling", false),
		flag("event-ttl", time.Hour),
		flag("etcd-count-metric-poll-period", time.Duration(0)),
		flag("audit-policy-file", p.Dir.Config(auditPolicyFile)),
		flag("audit-log-path", p.Dir.Audit(name)),
		flag("audit-log-maxsize", 50),
		flag("audit-log-maxbackup", 2),
	}
	s := p.spec(name, cluster, process.TierAPIServer, p.Binaries["kube-apiserver"], append(args, extra...)...)
	s.Config = digest(auditPolicy)
	s.Ports = []int{port}
	s.Ready = p.page(cluster, port, "/readyz")
	s.Metrics = p.page(cluster, port, "/metrics")
	// By default it waits a minute for watches to end, which nobody ends. All its state is in etcd.
	s.StopGrace = process.Duration(2 * time.Second)
	return s
}

// aggregation lets an API server aggregate others. Members have none to aggregate, and each file named here is watched
// by an inotify instance, of which Linux allows a user 128.
func (p Plan) aggregation(cluster string) []string {
	proxy := p.pair(cluster, "front-proxy-client")
	return []string{
		flag("requestheader-client-ca-file", p.ca(cluster).Cert),
		flag("requestheader-allowed-names", "front-proxy-client"),
		flag("requestheader-extra-headers-prefix", "X-Remote-Extra-"),
		flag("requestheader-group-headers", "X-Remote-Group"),
		flag("requestheader-username-headers", "X-Remote-User"),
		flag("proxy-client-cert-file", proxy.Cert),
		flag("proxy-client-key-file", proxy.Key),
	}
}

func (p Plan) controllerManager(cluster, name string, controllers []string, elect bool) process.Spec {
	port := p.Ports.ControllerManager(cluster)
	config, ca, server := p.Dir.Kubeconfig(name), p.ca(cluster), p.pair(cluster, "server")
	s := p.spec(name, cluster, process.TierController, p.Binaries["kube-controller-manager"],
		flag("kubeconfig", config),
		flag("authentication-kubeconfig", config),
		flag("authorization-kubeconfig", config),
		flag("bind-address", "127.0.0.1"),
		flag("secure-port", port),
		flag("tls-cert-file", server.Cert),
		flag("tls-private-key-file", server.Key),
		flag("leader-elect", elect),
		flag("use-service-account-credentials", false),
		flag("cluster-name", cluster),
		// Only agents request certificates, and only for clients.
		flag("cluster-signing-kube-apiserver-client-cert-file", ca.Cert),
		flag("cluster-signing-kube-apiserver-client-key-file", ca.Key),
		flag("root-ca-file", ca.Cert),
		flag("service-account-private-key-file", filepath.Join(p.Dir.PKI(), cluster, "sa.key")),
		flag("controllers", strings.Join(controllers, ",")),
		// Node leases are renewed seldom (see kwok), so a node may be silent for long.
		flag("node-monitor-period", 15*time.Second),
		flag("node-monitor-grace-period", 2*nodeLease),
		flag("profiling", false),
	)
	s.Ports = []int{port}
	s.Ready = p.page(cluster, port, "/healthz")
	s.Metrics = p.page(cluster, port, "/metrics")
	return s
}

func (p Plan) scheduler(cluster string) process.Spec {
	name, port := cluster+"-scheduler", p.Ports.Scheduler(cluster)
	config, server := p.Dir.Kubeconfig(name), p.pair(cluster, "server")
	s := p.spec(name, cluster, process.TierController, p.Binaries["kube-scheduler"],
		flag("kubeconfig", config),
		flag("authentication-kubeconfig", config),
		flag("authorization-kubeconfig", config),
		flag("bind-address", "127.0.0.1"),
		flag("secure-port", port),
		flag("tls-cert-file", server.Cert),
		flag("tls-private-key-file", server.Key),
		flag("leader-elect", false),
		flag("profiling", false),
	)
	s.Ports = []int{port}
	s.Ready = p.page(cluster, port, "/healthz")
	s.Metrics = p.page(cluster, port, "/metrics")
	return s
}

// nodeLease is how long a node counts as alive after its last sign; kwok renews
// at a quarter of it. Renewing the 13 nodes of the demo every ten seconds would
// be most of what an idle fleet does.
const nodeLease = 160 * time.Second

func (p Plan) kwok(m fleet.Member) process.Spec {
	name, port := m.Name+"-kwok", p.Ports.Kwok(m.Name)
	s := p.spec(name, m.Name, process.TierController, p.Binaries["kwok"],
		flag("kubeconfig", p.Dir.Kubeconfig(name)),
		flag("config", p.Dir.Config(kwokFile(m))),
		flag("manage-all-nodes", true),
		flag("node-ip", "127.0.0.1"),
		flag("cidr", fmt.Sprintf("10.%d.0.0/16", 100+(port-p.Ports.Base())/10)),
		flag("node-lease-duration-seconds", int(nodeLease.Seconds())),
		flag("server-address", loopback(port)),
	)
	s.Config = digest(p.kwokConfig(m))
	s.Ports = []int{port}
	s.Ready = plain(port, "/healthz")
	s.Metrics = plain(port, "/metrics")
	return s
}
