package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/pki"
	"github.com/kairship-io/kairship/playground/internal/state"
	"github.com/kairship-io/kairship/playground/oidc"
)

// identity is the credential of a program or person for a cluster: a client certificate in a kubeconfig of its own, so
// that audit logs distinguish them.
type identity struct {
	cluster string
	// file names the kubeconfig; cert the certificate.
	file, cert string
	user       string
	// server is the address, when it is not the cluster's API server.
	server string
}

// masters is the group of all identities: the playground is about what Kairship
// may do for people, not about what Kubernetes' own programs may do.
const masters = "system:masters"

func (p Plan) identities() []identity {
	host := fleet.Host
	ids := []identity{
		{cluster: host, file: host, cert: "admin", user: "system:admin"},
		{cluster: host, file: host + "-controller-manager", cert: "kube-controller-manager", user: "system:kube-controller-manager"},
		{cluster: host, file: "clusterpedia-apiserver", cert: "clusterpedia-apiserver", user: "clusterpedia-apiserver"},
		{cluster: host, file: "clusterpedia-synchro", cert: "clusterpedia-synchro", user: "clusterpedia-synchro"},
		{cluster: host, file: "clusterpedia", cert: "admin", user: "system:admin", server: "https://" + loopback(p.Ports.Clusterpedia())},
		{cluster: host, file: "kairship-" + host, cert: "kairship", user: "kairship"},
		{cluster: host, file: "kairship-clusterpedia", cert: "kairship", user: "kairship", server: "https://" + loopback(p.Ports.Clusterpedia())},
	}
	if p.Managed {
		ids = append(ids,
			identity{cluster: host, file: "kubelet", cert: "kubelet", user: "system:node:processes"},
			identity{cluster: host, file: "karmada-operator", cert: "karmada-operator", user: "karmada-operator"},
			identity{cluster: host, file: prometheusKubeconfig, cert: "prometheus", user: "prometheus"},
		)
	}
	for _, i := range p.Fleet.Instances {
		n := i.Name
		if !i.Managed {
			ids = append(ids, p.karmadaIdentities(n)...)
		}
		for _, m := range i.Members {
			ids = append(ids, memberIdentities(n, m)...)
		}
	}
	for _, m := range p.Fleet.Further {
		ids = append(ids, furtherIdentities(m)...)
	}
	return ids
}

func (p Plan) karmadaIdentities(n string) []identity {
	return []identity{
		{cluster: n, file: n, cert: "admin", user: "system:admin"},
		// What the Instance object's Secret holds.
		{cluster: n, file: "kairship-" + n, cert: "kairship", user: "kairship"},
		{cluster: n, file: n + "-kube-controller-manager", cert: "kube-controller-manager", user: "system:kube-controller-manager"},
		{cluster: n, file: n + "-webhook", cert: "karmada-webhook", user: "karmada-webhook"},
		{cluster: n, file: n + "-aggregated-apiserver", cert: "karmada-aggregated-apiserver", user: "karmada-aggregated-apiserver"},
		{cluster: n, file: n + "-controller-manager", cert: "karmada-controller-manager", user: "karmada-controller-manager"},
		{cluster: n, file: n + "-scheduler", cert: "karmada-scheduler", user: "karmada-scheduler"},
	}
}

func memberIdentities(n string, m fleet.Member) []identity {
	ids := []identity{
		{cluster: m.Name, file: m.Name, cert: "admin", user: "system:admin"},
		{cluster: m.Name, file: m.Name + "-controller-manager", cert: "kube-controller-manager", user: "system:kube-controller-manager"},
		{cluster: m.Name, file: m.Name + "-scheduler", cert: "kube-scheduler", user: "system:kube-scheduler"},
		{cluster: m.Name, file: m.Name + "-kwok", cert: "kwok", user: "kwok"},
	}
	if m.SyncMode == fleet.Pull {
		agent := "karmada-agent-" + m.Name
		ids = append(ids,
			identity{cluster: m.Name, file: m.Name + "-agent", cert: agent, user: agent},
			identity{cluster: n, file: n + "-" + m.Name + "-agent", cert: agent, user: agent},
		)
	}
	return ids
}

// Prepare writes the certificates, kubeconfigs and configuration files that the specs name. Valid ones are left alone.
func (p Plan) Prepare() error {
	authorities := map[string]*pki.Authority{}
	for _, cluster := range append(p.Fleet.Clusters(), "kairship") {
		if i, ok := p.Fleet.Instance(cluster); ok && i.Managed {
			continue // its operator makes its own
		}
		a, err := p.authority(cluster)
		if err != nil {
			return err
		}
		authorities[cluster] = a
	}
	if _, err := authorities[fleet.Host].Issue("clusterpedia", pki.Subject{User: "clusterpedia-server",
		Hosts: []string{"localhost", "127.0.0.1", "clusterpedia-apiserver." + ClusterpediaNamespace + ".svc"}}); err != nil {
		return err
	}
	if _, err := authorities["kairship"].Issue("oidc", pki.Subject{User: "oidc-server", Hosts: []string{"localhost", "127.0.0.1"}}); err != nil {
		return err
	}
	for _, path := range []string{p.OIDCPassword(), p.OIDCClientSecret()} {
		if _, err := oidc.Secret(path); err != nil {
			return err
		}
	}
	for _, id := range p.identities() {
		if err := p.issue(authorities[id.cluster], id); err != nil {
			return err
		}
	}
	configs := map[string]string{auditPolicyFile: auditPolicy, storageFile: p.storage(), databasePasswordFile: p.Database.Password, readerPasswordFile: p.readerPassword(), consoleTokenFile: p.consolePassword(), podLogFile: podLog, prometheusFile: p.scraped()}
	for _, m := range p.Fleet.Members() {
		configs[kwokFile(m)] = p.kwokConfig(m)
	}
	for _, m := range p.Fleet.Further {
		configs[kwokFile(m.Member())] = p.kwokConfig(m.Member())
	}
	if p.Managed {
		defaults, err := p.managedDefaults()
		if err != nil {
			return err
		}
		configs[managedFile] = string(defaults)
	}
	if err := p.configure(configs); err != nil {
		return err
	}
	return errors.Join(p.prepareGlobalManagement(), p.prepareOperator(), p.prepareConsole())
}

// prepareOperator writes what Karmada's operator and the kubelet need.
func (p Plan) prepareOperator() error {
	if !p.Managed {
		return nil
	}
	for _, dir := range []string{p.OperatorData(), p.operator().Root.Dir, p.Kubelet().Dir} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("making a folder for Karmada's operator: %w", err)
		}
	}
	// Only when it is missing: running programs have mounted this very file.
	if _, err := os.Stat(p.Dir.Config(servicesFile)); err == nil {
		return nil
	}
	return state.WriteFile(p.Dir.Config(servicesFile), []byte("127.0.0.1 localhost\n"), 0o644)
}

// hosts are the names under which a cluster's programs are reached.
func (p Plan) hosts(cluster string) []string {
	h := []string{"localhost", "127.0.0.1", "kubernetes.default.svc"}
	if _, ok := p.Fleet.Instance(cluster); ok {
		h = append(h, "karmada-aggregated-apiserver.karmada-system.svc", "karmada-webhook.karmada-system.svc")
	}
	return h
}

// same reports whether a file has that content.
func same(path, content string) bool {
	old, err := os.ReadFile(path)
	return err == nil && string(old) == content
}

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:8])
}

func kwokFile(m fleet.Member) string { return fmt.Sprintf("kwok-%s.yaml", m.Name) }

const auditPolicyFile = "audit-policy.yaml"

// auditPolicy records who did what to which object, without bodies. What the cluster's own programs do all day (leases,
// health, watches) is left out: it would bury the rest.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  nonResourceURLs: ["/healthz*", "/livez*", "/readyz*", "/metrics", "/version", "/openapi/*", "/api", "/api/*", "/apis", "/apis/*"]
- level: None
  resources:
  - {group: coordination.k8s.io, resources: [leases]}
  - {group: "", resources: [events]}
  - {group: events.k8s.io, resources: [events]}
  - {group: authorization.k8s.io}
  - {group: authentication.k8s.io}
- level: None
  users:
  - system:apiserver
  - system:kube-controller-manager
  - system:kube-scheduler
  - kwok
  - prometheus
  - karmada-controller-manager
  - karmada-scheduler
  - karmada-webhook
  - karmada-aggregated-apiserver
  verbs: [get, list, watch]
- level: Metadata
`
