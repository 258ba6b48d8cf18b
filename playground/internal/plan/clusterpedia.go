package plan

import (
	"fmt"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/process"
)

const storageFile = "clusterpedia-storage.yaml"

// clusterpedia is the read store's API server and the program that fills it.
// Both read the Secrets of PediaClusters from ClusterpediaNamespace.
func (p Plan) clusterpedia() []process.Spec {
	const group = "clusterpedia"
	env := append(p.environment(), "CLUSTERPEDIA_NAMESPACE="+ClusterpediaNamespace)

	port, server := p.Ports.Clusterpedia(), p.pair(fleet.Host, "clusterpedia")
	config := p.Dir.Kubeconfig("clusterpedia-apiserver")
	api := p.spec("clusterpedia-apiserver", group, process.TierAggregated, p.Binaries["clusterpedia-apiserver"],
		flag("kubeconfig", config),
		flag("authentication-kubeconfig", config),
		flag("authorization-kubeconfig", config),
		flag("client-ca-file", p.ca(fleet.Host).Cert),
		flag("tls-cert-file", server.Cert),
		flag("tls-private-key-file", server.Key),
		flag("bind-address", "127.0.0.1"),
		flag("secure-port", port),
		flag("storage-config", p.Dir.Config(storageFile)),
		flag("feature-gates", "AllowParameterizedSQLQuery=true,ClusterAuthenticationFromSecret=true"),
	)
	api.Env, api.Config = env, digest(p.storage())
	api.Ports = []int{port}
	api.Ready = p.page(fleet.Host, port, "/readyz")
	api.Metrics = p.page(fleet.Host, port, "/metrics")

	metrics := p.Ports.SynchroMetrics()
	synchro := p.spec("clusterpedia-synchro", group, process.TierController, p.Binaries["clusterpedia-clustersynchro-manager"],
		flag("kubeconfig", p.Dir.Kubeconfig("clusterpedia-synchro")),
		// Kairship sees by its lease that it is alive. Shorter than the default, because a restart waits until the
		// lease of the process before has expired.
		flag("leader-elect", true),
		flag("leader-elect-lease-duration", "10s"),
		flag("leader-elect-renew-deadline", "6s"),
		flag("leader-elect-retry-period", "2s"),
		flag("worker-number", 5),
		flag("storage-config", p.Dir.Config(storageFile)),
		flag("feature-gates", "ClusterAuthenticationFromSecret=true"),
		flag("metrics-host", "127.0.0.1"),
		flag("metrics-port", metrics),
	)
	synchro.Env, synchro.Config = env, digest(p.storage())
	synchro.Ports = []int{metrics}
	synchro.Ready = plain(metrics, "/metrics")
	synchro.Metrics = plain(metrics, "/metrics")
	return []process.Spec{api, synchro}
}

func (p Plan) storage() string {
	return fmt.Sprintf(`type: postgres
host: 127.0.0.1
port: "%d"
user: %s
password: %s
database: %s
sslMode: disable
connPool:
  maxIdleConns: 20
  maxOpenConns: 60
log:
  stdout: true
  level: Error
`, p.Ports.Postgres(), DatabaseOwner, p.Database.Password, DatabaseName)
}
