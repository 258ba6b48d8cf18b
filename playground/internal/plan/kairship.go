package plan

import (
	"fmt"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/oidc"
)

// databasePasswordFile is the configuration file with the password of Kairship's own tables.
const databasePasswordFile = "database-password" //nolint:gosec // a name

// storeReader is the role that reads the read store, readerPasswordFile the file with its password.
const (
	storeReader        = "kairship_reader"
	readerPasswordFile = "store-reader-password" //nolint:gosec // a name
)

// readerPassword is another one than the owner's, and the same in each run.
func (p Plan) readerPassword() string { return digest(storeReader + p.Database.Password) }

// kairship is the product itself: its API server and its controllers.
func (p Plan) kairship() []process.Spec {
	const group = "kairship"
	server := p.pair(group, "server")
	host := p.Dir.Kubeconfig("kairship-" + fleet.Host)
	database := []string{
		flag("database-dsn", fmt.Sprintf("host=127.0.0.1 port=%d user=%s dbname=%s sslmode=disable", p.Ports.Postgres(), DatabaseOwner, DatabaseDatabase)),
		flag("database-password-file", p.Dir.Config(databasePasswordFile)),
	}
	api := p.spec("kairship-apiserver", group, process.TierProduct, p.Kairship, "apiserver",
		flag("host-kubeconfig", host),
		flag("clusterpedia-kubeconfig", p.Dir.Kubeconfig("kairship-clusterpedia")),
		flag("namespace", SystemNamespace),
		flag("admin-groups", AdminGroup),
		flag("token-audience", TokenAudience),
		flag("instance-networks", "127.0.0.0/8"),
		flag("oidc-issuer", p.OIDCIssuer()),
		flag("oidc-audiences", oidc.Client),
		flag("oidc-name", "the playground"),
		flag("oidc-client-secret-file", p.OIDCClientSecret()),
		flag("oidc-ca-file", p.OIDCAuthority()),
		flag("public-url", p.PublicURL()),
		flag("kubeconfig-url", p.addresses()[1]),
		flag("prometheus-url", "http://"+loopback(p.Ports.Prometheus())),
		flag("kubeconfig-ca-file", p.ca(group).Cert),
		database[0], database[1],
		flag("global-management-secret", GlobalManagementSecret),
		flag("http-address", loopback(p.Ports.HTTP)),
		flag("https-address", loopback(p.Ports.HTTPS)),
		flag("tls-cert-file", server.Cert),
		flag("tls-private-key-file", server.Key),
		flag("telemetry-address", loopback(p.Ports.KairshipTelemetry())),
	)
	if !p.ThroughAPI {
		api.Args = append(api.Args,
			flag("store-dsn", fmt.Sprintf("host=127.0.0.1 port=%d user=%s dbname=%s sslmode=disable", p.Ports.Postgres(), storeReader, DatabaseName)),
			flag("store-password-file", p.Dir.Config(readerPasswordFile)))
	}
	if p.Console {
		api.Args = append(api.Args, p.consoleFlags()...)
	}
	api.Ports = []int{p.Ports.HTTP, p.Ports.HTTPS, p.Ports.KairshipTelemetry()}
	api.Ready = plain(p.Ports.HTTP, "/readyz")
	api.Metrics = plain(p.Ports.KairshipTelemetry(), "/metrics")

	metrics, health := p.Ports.KairshipMetrics(), p.Ports.KairshipHealth()
	controllers := p.spec("kairship-controller-manager", group, process.TierProduct, p.Kairship, "controller-manager",
		flag("host-kubeconfig", host),
		flag("namespace", SystemNamespace),
		flag("clusterpedia-namespace", ClusterpediaNamespace),
		flag("admin-groups", AdminGroup),
		flag("instance-networks", "127.0.0.0/8"),
		flag("metrics-address", loopback(metrics)),
		flag("health-address", loopback(health)),
		flag("leader-elect", true),
		database[0], database[1],
	)
	if p.Lifecycle {
		controllers.Args = append(controllers.Args, flag("managed-defaults", p.Dir.Config(managedFile)))
		if d, err := p.managedDefaults(); err == nil { // Prepare reports what is wrong
			controllers.Config = digest(string(d))
		}
	}
	controllers.Ports = []int{metrics, health}
	controllers.Ready = plain(health, "/readyz")
	controllers.Metrics = plain(metrics, "/metrics")
	if d, err := process.Digest(p.Kairship); err == nil { // a missing one fails at its start, with its name
		api.Binary, controllers.Binary = d, d
	}
	specs := []process.Spec{api, controllers}
	if p.Console {
		runner := p.console()
		runner.Binary = api.Binary
		specs = append(specs, runner)
	}
	return specs
}

// PrepareStore is the commands that make what Kairship needs in the read store, once Clusterpedia has made its table: its
// indexes, and the role that the API server reads with. They may be repeated.
func (p Plan) PrepareStore() [][]string {
	store := flag("storage-config", p.Dir.Config(storageFile))
	return [][]string{
		{p.Kairship, "store", "optimize", store},
		{p.Kairship, "store", "grant", store, flag("role", storeReader), flag("password-file", p.Dir.Config(readerPasswordFile))},
	}
}
