package launch

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/demo"
	"github.com/kairship-io/kairship/playground/internal/bootstrap"
	"github.com/kairship-io/kairship/playground/internal/components"
	"github.com/kairship-io/kairship/playground/internal/control"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/graph"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/operator"
	"github.com/kairship-io/kairship/playground/internal/plan"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/report"
)

// Launch is everything a fleet needs to come up.
type Launch struct {
	Plan   plan.Plan
	Client *control.Client
	// Karmada and Clusterpedia are the folders of their Go modules, which ship
	// their resource types; Types is the folder of Kairship's API.
	Karmada      string
	Clusterpedia string
	Types        string
	// PrepareDatabase makes the database when there is none yet.
	PrepareDatabase func(context.Context) error
	// Answers returns when Kairship answers a query.
	Answers func(context.Context) error
	// Demo reports whether to deploy the demo workloads.
	Demo bool
}

// Tasks returns the steps that start the fleet, with what each waits for. A process has a task of its own name.
func (l Launch) Tasks() []graph.Task {
	b := newBuilder(l)
	b.stores()
	b.process("oidc")
	b.host()
	b.process("prometheus", "host-apiserver") // it looks there for pods; nothing waits for it
	if l.Demo {
		b.bindings()
	}
	if l.Plan.Managed {
		b.operator()
	}
	var attached []string
	for _, i := range l.Plan.Fleet.Instances {
		b.instance(i)
		for _, m := range i.Members {
			b.member(i, m)
		}
		b.together(i)
		if !i.Managed {
			attached = append(attached, proxiesOf(i.Name))
		}
	}
	for _, m := range l.Plan.Fleet.Further {
		b.further(m)
		attached = append(attached, nodesOf(m.Name)) // what has joined answers before it is read
	}
	b.readStore(attached)
	b.registration(attached)
	if l.Plan.Kairship != "" {
		b.product()
	}
	return b.tasks
}

// Quiet says which tasks get no line of their own: processes, whose clusters do.
func Quiet(p plan.Plan) func(string) bool {
	loud := map[string]bool{"etcd": true, "postgres": true, "oidc": true, "prometheus": true, "clusterpedia-apiserver": true, "clusterpedia-synchro": true,
		"kairship-apiserver": true, "kairship-controller-manager": true, "karmada-operator": true}
	quiet := map[string]bool{}
	for _, s := range p.Specs() {
		quiet[s.Name] = !loud[s.Name] && s.Tier != process.TierAPIServer
	}
	return func(task string) bool { return quiet[task] || strings.HasPrefix(task, "(") }
}

// The names of steps. Those in parentheses are not shown.
const (
	stepDatabase   = "(database files)"
	stepHost       = "host has Kairship's and Clusterpedia's types"
	stepBindings   = "host says who may do what"
	stepEtcdSecret = "(the credential of etcd)"
	stepTypes      = "(the operator's cache of Karmada's types)"
	stepKubelet    = "(the host's kubelet)"
	stepLease      = "(the synchro manager's lease)"
	stepKnown      = "(managed instances that the read store knows)"
	stepInstance   = "instances are registered with Kairship"
	stepStore      = "the read store has Kairship's indexes and reader"
	stepSynced     = "the read store is filled from every cluster"
	stepAnswers    = "Kairship answers queries"
)

func apiOf(i string) string      { return "(" + i + ": Karmada's types)" }
func askedOf(i string) string    { return "(" + i + " is asked for)" }
func runsOf(i string) string     { return i + " is running" }
func leasesOf(i string) string   { return "(" + i + ": leases)" }
func clustersOf(i string) string { return i + " serves Karmada's API" }
func webhooksOf(i string) string { return "(" + i + ": webhooks)" }
func readyOf(i string) string    { return i + "'s clusters are ready" }
func proxiesOf(i string) string  { return i + "'s clusters answer through their proxies" }
func demoOf(i string) string     { return i + " has the demo workloads" }
func nodesOf(m string) string    { return "(" + m + ": nodes)" }
func joinOf(m string) string     { return m + " has joined" }

type builder struct {
	l       Launch
	watch   *watch
	specs   map[string]process.Spec
	clients map[string]*kube.Client
	tasks   []graph.Task
}

func (b *builder) process(name string, after ...string) {
	s, ok := b.specs[name]
	if !ok {
		panic("no process is planned under the name " + name)
	}
	b.tasks = append(b.tasks, graph.Task{Name: name, After: after, Run: func(ctx context.Context) error {
		return b.watch.start(ctx, s)
	}})
}

func (b *builder) step(name string, run func(context.Context) error, after ...string) {
	b.tasks = append(b.tasks, graph.Task{Name: name, After: after, Run: run})
}

// on runs a step with clients of API servers, by the names of their kubeconfigs.
func (b *builder) on(run func(context.Context, ...*kube.Client) error, kubeconfigs ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		var clients []*kube.Client
		for _, name := range kubeconfigs {
			c, err := kube.Connect(b.l.Plan.Dir.Kubeconfig(name))
			if err != nil {
				return err
			}
			clients = append(clients, c)
		}
		return run(ctx, clients...)
	}
}

func (b *builder) stores() {
	b.process("etcd")
	b.step(stepDatabase, func(ctx context.Context) error {
		// Never touch the files of a server that runs.
		if s, _, err := b.watch.status(ctx, "postgres"); err != nil || s.PID != 0 {
			return err
		}
		return b.l.PrepareDatabase(ctx)
	})
	b.process("postgres", stepDatabase)
}

func (b *builder) host() {
	b.process("host-apiserver", "etcd")
	b.process("host-controller-manager", "host-apiserver")
	b.step(stepHost, b.on(func(ctx context.Context, c ...*kube.Client) error {
		if err := bootstrap.Host(ctx, c[0], filepath.Join(b.l.Types, "admission"), filepath.Join(b.l.Clusterpedia, "kustomize/crds"), filepath.Join(b.l.Karmada, "operator/config/crds"), filepath.Join(b.l.Types, "crds")); err != nil {
			return err
		}
		return bootstrap.GlobalManagement(ctx, c[0], b.l.Plan.GlobalManagementKey())
	}, fleet.Host), "host-apiserver")
}

// bindings gives the demo's people their roles. The instances need not be there yet.
func (b *builder) bindings() {
	b.step(stepBindings, b.on(func(ctx context.Context, c ...*kube.Client) error {
		ranks, err := demo.Objects(fleet.Host)
		if err != nil {
			return fmt.Errorf("the demo of the host: %w", err)
		}
		return bootstrap.Content(ctx, c[0], ranks)
	}, fleet.Host), stepHost)
}

// operator starts what makes Karmadas of the objects that ask for one. It must not look at pods before the kubelet has:
// their status is from before the start.
func (b *builder) operator() {
	p := b.l.Plan
	b.step(stepTypes, func(context.Context) error {
		return operator.Cache(b.l.Karmada, p.OperatorData(), components.Version("karmada-operator"))
	})
	b.step(stepKubelet, func(ctx context.Context) error {
		return b.l.Client.Kubelet(ctx, p.Kubelet())
	}, "host-apiserver")
	b.process("karmada-operator", stepKubelet, stepTypes, stepHost, "host-controller-manager")
	b.step(stepEtcdSecret, b.on(func(ctx context.Context, c ...*kube.Client) error {
		ca, pair := p.EtcdCredential()
		return bootstrap.EtcdCredential(ctx, c[0], ca, pair)
	}, fleet.Host), stepHost)
}

func (b *builder) instance(i fleet.Instance) {
	n := i.Name
	if i.Managed {
		b.managed(i)
		return
	}
	ports := bootstrap.KarmadaPorts{Webhook: b.l.Plan.Ports.Webhook(n), Aggregated: b.l.Plan.Ports.Aggregated(n)}
	api := n + "-apiserver"
	b.process(api, "etcd")
	b.step(leasesOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		for _, lease := range plan.Leases(n) {
			if err := b.freeLease(ctx, c[0], lease); err != nil {
				return err
			}
		}
		return nil
	}, n), api)
	b.process(n+"-kube-controller-manager", leasesOf(n))
	b.step(apiOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		return bootstrap.KarmadaAPI(ctx, c[0], b.l.Karmada, ports)
	}, n), api)
	b.process(n+"-aggregated-apiserver", api)
	b.process(n+"-webhook", apiOf(n))
	b.step(webhooksOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		return bootstrap.KarmadaWebhooks(ctx, c[0], b.l.Karmada, ports)
	}, n), n+"-webhook")
	b.step(clustersOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		return bootstrap.KarmadaClusters(ctx, c[0], ports)
	}, n), n+"-aggregated-apiserver", apiOf(n))
	// Both exit when the types they watch do not exist yet.
	b.process(n+"-controller-manager", clustersOf(n), leasesOf(n))
	b.process(n+"-scheduler", clustersOf(n), leasesOf(n))
}

// managed is an instance that Kairship makes. It is made once: without Kairship, what it made before keeps running.
func (b *builder) managed(i fleet.Instance) {
	n, p := i.Name, b.l.Plan
	after := []string{"karmada-operator"}
	if p.Kairship != "" {
		after = append(after, runsOf(n))
		b.step(askedOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
			return bootstrap.ManagedInstance(ctx, c[0], i)
		}, fleet.Host), stepEtcdSecret)
		b.step(runsOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
			return bootstrap.InstanceRunning(ctx, c[0], n, p.Dir.Kubeconfig("kairship-"+n))
		}, fleet.Host), askedOf(n), "kairship-controller-manager", "karmada-operator")
	}
	b.step(clustersOf(n), func(ctx context.Context) error {
		return bootstrap.Serves(ctx, p.Dir.Kubeconfig(n))
	}, after...)
}

func (b *builder) cluster(m fleet.Member) {
	n, etcd := m.Name, "etcd"
	if m.OwnEtcd {
		etcd = n + "-etcd"
		b.process(etcd)
	}
	api := n + "-apiserver"
	b.process(api, etcd)
	b.process(n+"-controller-manager", api)
	b.process(n+"-scheduler", api)
	b.process(n+"-kwok", api)
	b.step(nodesOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		return bootstrap.Nodes(ctx, c[0], m, b.l.Plan.Ports.Kwok(m.Name))
	}, n), api)
}

func (b *builder) member(i fleet.Instance, m fleet.Member) {
	b.cluster(m)
	n := m.Name
	if m.SyncMode == fleet.Pull {
		b.step(joinOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
			return bootstrap.PullNamespaces(ctx, c[0])
		}, n), n+"-controller-manager", clustersOf(i.Name))
		b.process(n+"-agent", joinOf(n))
		return
	}
	b.step(joinOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		return bootstrap.Join(ctx, c[0], c[1], m)
	}, i.Name, n), n+"-controller-manager", clustersOf(i.Name))
}

// together adds what needs an instance and its members.
func (b *builder) together(i fleet.Instance) {
	n := i.Name
	after, checked := []string{n + "-controller-manager"}, []string{webhooksOf(n), n + "-scheduler", n + "-kube-controller-manager"}
	if i.Managed { // the operator has done all of this
		after, checked = []string{clustersOf(n)}, nil
	}
	for _, m := range i.Members {
		after = append(after, joinOf(m.Name), m.Name+"-kwok", m.Name+"-scheduler", nodesOf(m.Name))
		if m.SyncMode == fleet.Pull {
			after = append(after, m.Name+"-agent")
		}
	}
	b.step(readyOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		return bootstrap.ClustersReady(ctx, c[0], i.Members)
	}, n), after...)
	// With Kairship's credential.
	b.step(proxiesOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		return bootstrap.ProxiesReady(ctx, c[0], i.Members)
	}, "kairship-"+n), readyOf(n))
	if !b.l.Demo {
		return
	}
	// Members first: they have types that workloads are made of.
	var names []string
	for _, m := range i.Members {
		names = append(names, m.Name)
	}
	names = append(names, n)
	b.step(demoOf(n), b.on(func(ctx context.Context, c ...*kube.Client) error {
		for k, name := range names {
			ranks, err := demo.Objects(name)
			if err != nil {
				return fmt.Errorf("the demo of %s: %w", name, err)
			}
			if err := bootstrap.Content(ctx, c[k], ranks); err != nil {
				return err
			}
		}
		return nil
	}, names...), append(checked, readyOf(n))...)
}

func (b *builder) readStore(proxies []string) {
	b.process("clusterpedia-apiserver", "postgres", stepHost)
	// One after the other: on an empty database both would create the tables, and
	// one of them would fail. And not before the members of attached instances
	// answer: a cluster that cannot be reached at first is tried again only after
	// a growing pause. Those of managed ones are registered once they answer; what
	// an earlier run registered of them is waited for.
	b.step(stepLease, b.on(func(ctx context.Context, c ...*kube.Client) error {
		return b.freeLease(ctx, c[0], plan.Lease{
			Process: "clusterpedia-synchro", Namespace: plan.ClusterpediaNamespace, Name: "clusterpedia-clustersynchro-manager",
		})
	}, fleet.Host), stepHost)
	b.step(stepKnown, b.on(b.knownAnswer, fleet.Host), stepHost)
	b.process("clusterpedia-synchro", append([]string{"clusterpedia-apiserver", stepLease, stepKnown}, proxies...)...)
}

// knownAnswer waits until the clusters of managed instances answer that are registered with the read store, from an earlier
// run.
func (b *builder) knownAnswer(ctx context.Context, c ...*kube.Client) error {
	for _, i := range b.l.Plan.Fleet.Instances {
		if !i.Managed {
			continue
		}
		known, err := bootstrap.Registered(ctx, c[0], i.Name)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		karmada, err := kube.Connect(b.l.Plan.Dir.Kubeconfig("kairship-" + i.Name))
		if err != nil {
			return err
		}
		if err := bootstrap.ProxiesReady(ctx, karmada, i.Members); err != nil {
			return err
		}
	}
	return nil
}

// freeLease deletes the lease of a process that is gone: its successor would otherwise wait until it expires.
func (b *builder) freeLease(ctx context.Context, c *kube.Client, l plan.Lease) error {
	s, _, err := b.watch.status(ctx, l.Process)
	if err != nil || s.PID != 0 {
		return err
	}
	return bootstrap.FreeLease(ctx, c, l.Namespace, l.Name)
}

// registration makes the instances known to Kairship, whether the playground or
// its developer runs it.
func (b *builder) registration(proxies []string) {
	dir := b.l.Plan.Dir
	b.step(stepInstance, b.on(func(ctx context.Context, c ...*kube.Client) error {
		return bootstrap.Instances(ctx, c[0], b.l.Plan.Fleet, func(instance string) string {
			return dir.Kubeconfig("kairship-" + instance)
		})
	}, fleet.Host), append([]string{stepHost}, proxies...)...)
}

func (b *builder) product() {
	// Indexes first: Kairship checks once a minute which there are.
	b.step(stepStore, b.prepareStore, "clusterpedia-apiserver")
	ready, members := []string{stepInstance, "host-controller-manager"}, []string{"clusterpedia-apiserver", "oidc", stepInstance, stepStore}
	for _, i := range b.l.Plan.Fleet.Instances {
		if i.Managed { // the controllers make it
			ready = []string{stepHost, stepEtcdSecret, "host-controller-manager"}
			members = append(members, proxiesOf(i.Name))
		}
	}
	b.process("kairship-controller-manager", ready...)
	b.process("kairship-apiserver", members...)
	if b.l.Plan.Console {
		b.process("kairship-console-runner")
	}
	b.step(stepSynced, b.synced, "kairship-controller-manager", "clusterpedia-synchro")
	b.step(stepAnswers, b.l.Answers, "kairship-apiserver", "kairship-controller-manager", "clusterpedia-synchro")
}

// prepareStore makes what Kairship needs in the read store.
func (b *builder) prepareStore(ctx context.Context) error {
	for _, command := range b.l.Plan.PrepareStore() {
		out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(command[:3], " "), err, bytes.TrimSpace(out))
		}
	}
	return nil
}

// synced waits until Kairship has registered every cluster with the read store
// and all of them are read.
func (b *builder) synced(ctx context.Context) error {
	want := len(b.l.Plan.Fleet.Instances) + len(b.l.Plan.Fleet.Members())
	return kube.Wait(ctx, time.Second/4, "the read store", func(ctx context.Context) (bool, string) {
		all, err := report.Syncs(ctx, b.l.Plan.Dir.Kubeconfig(fleet.Host))
		if err != nil {
			return false, err.Error()
		}
		for _, s := range all {
			if !s.Complete() {
				return false, fmt.Sprintf("%s: healthy %s, running %s, %d of %d resources", s.Name, s.Healthy, s.Running, s.Syncing, s.Resources)
			}
		}
		return len(all) >= want, fmt.Sprintf("it has %d of %d clusters", len(all), want)
	})
}
