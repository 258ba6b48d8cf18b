package plan

import (
	"fmt"
	"path/filepath"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/pki"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/state"
)

// Further are the processes of a member that the playground joins to nothing.
func (p Plan) Further(m fleet.Further) []process.Spec {
	specs := p.cluster(m.Member())
	if m.Agent != nil {
		specs = append(specs, p.agentOf(m.Name, p.RegisteredKubeconfig(m.Name), *m.Agent))
	}
	return specs
}

// RegisteredKubeconfig is the file with which the agent of a further member reaches Karmada: what its registration made.
func (p Plan) RegisteredKubeconfig(member string) string {
	return p.Dir.Kubeconfig(member + "-registered")
}

func furtherIdentities(m fleet.Further) []identity {
	ids := memberIdentities("", fleet.Member{Name: m.Name, SyncMode: fleet.Push})
	return append(ids, identity{cluster: m.Name, file: m.Name + "-agent", cert: "karmada-agent-" + m.Name, user: "karmada-agent-" + m.Name})
}

// PrepareFurther writes the files that the processes of a further member name.
func (p Plan) PrepareFurther(m fleet.Further) error {
	a, err := p.authority(m.Name)
	if err != nil {
		return err
	}
	for _, id := range furtherIdentities(m) {
		if err := p.issue(a, id); err != nil {
			return err
		}
	}
	return p.configure(map[string]string{auditPolicyFile: auditPolicy, podLogFile: podLog, kwokFile(m.Member()): p.kwokConfig(m.Member())})
}

// FurtherFiles are the files and folders that a further member alone has.
func (p Plan) FurtherFiles(m fleet.Further) []string {
	files := []string{
		filepath.Join(p.Dir.PKI(), m.Name), p.Dir.Config(kwokFile(m.Member())), p.RegisteredKubeconfig(m.Name),
		p.Dir.Audit(m.Name + "-apiserver"), p.Dir.Data(m.Name + "-etcd"),
	}
	for _, id := range furtherIdentities(m) {
		files = append(files, p.Dir.Kubeconfig(id.file))
	}
	m.Agent = &fleet.Agent{} // its log, too, where one ran once
	for _, s := range p.Further(m) {
		files = append(files, s.Log)
	}
	return files
}

// authority opens the certificate authority of a cluster, with what its API server needs.
func (p Plan) authority(cluster string) (*pki.Authority, error) {
	a, err := pki.Open(filepath.Join(p.Dir.PKI(), cluster), cluster)
	if err != nil {
		return nil, err
	}
	if _, err := a.ServiceAccounts(); err != nil {
		return nil, err
	}
	if _, err := a.Issue("server", pki.Subject{User: cluster + "-server", Hosts: p.hosts(cluster)}); err != nil {
		return nil, err
	}
	if _, err := a.Issue("front-proxy-client", pki.Subject{User: "front-proxy-client"}); err != nil {
		return nil, err
	}
	return a, nil
}

// issue writes the certificate and the kubeconfig of an identity.
func (p Plan) issue(a *pki.Authority, id identity) error {
	pair, err := a.Issue(id.cert, pki.Subject{User: id.user, Groups: []string{masters}})
	if err != nil {
		return err
	}
	server := id.server
	if server == "" {
		server = p.Ports.Server(id.cluster)
	}
	return pki.WriteKubeconfig(p.Dir.Kubeconfig(id.file), id.cluster, server, a.CA().Cert, pair)
}

// configure writes configuration files that are not as they are to be.
func (p Plan) configure(files map[string]string) error {
	for name, content := range files {
		if same(p.Dir.Config(name), content) {
			continue
		}
		if err := state.WriteFile(p.Dir.Config(name), []byte(content), 0o600); err != nil {
			return fmt.Errorf("configuring: %w", err)
		}
	}
	return nil
}
