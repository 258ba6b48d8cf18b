// Package kubelet is the one node of a fleet's host cluster. It does what a kubelet and its neighbours do, with
// processes in place of containers: it binds pods to itself, materialises their volumes, runs their programs and
// probes, reports status, and connects Services to pods.
//
// All pods share the machine's network. So each has an address of its own in
// 127.0.0.0/8, its programs are made to listen there and nowhere else, and a file
// system of its own holds an /etc/hosts with the cluster's Services.
//
// It runs pods; it must not know why somebody made them. What it knows of Karmada
// (its operator's labels and Secrets) is in karmada.go alone.
package kubelet

import (
	"context"
	"net/netip"
	"time"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

// Config says where the kubelet works and what it can run. It travels to the
// supervisor as JSON.
type Config struct {
	// Kubeconfig is the file with which it reaches the host cluster.
	Kubeconfig string `json:"kubeconfig"`
	// Node is the name of its Node object.
	Node string `json:"node"`
	// Dir holds the pods' files, a folder each.
	Dir string `json:"dir"`
	// Logs, Kubeconfigs and Audit are the folders of the fleet's logs, of the
	// kubeconfigs that people use, and of audit logs.
	Logs        string `json:"logs"`
	Kubeconfigs string `json:"kubeconfigs"`
	// Hosts is a file in the form of /etc/hosts that names every Service, for
	// programs that are no pods.
	Hosts string `json:"hosts"`
	// Addresses are those of the fleet: the first for load balancers, the rest
	// for Services and pods.
	Addresses Addresses `json:"addresses"`
	// Programs are the images that it has.
	Programs []Program `json:"programs"`
	// Reserved are the names of clusters whose processes are not its own.
	Reserved []string `json:"reserved"`
}

// Program is what runs for an image.
type Program struct {
	// Image is the last part of the repository: "karmada-scheduler". The registry
	// does not matter.
	Image string `json:"image"`
	// Tags are the prefixes of tags that the program answers to.
	Tags []string `json:"tags"`
	// Path is the program; Binary its fingerprint.
	Path   string `json:"path"`
	Binary string `json:"binary,omitempty"`
	// Defaults are flags that are set where the pod does not say otherwise, Flags
	// those that are set in any case. $(POD_IP) in them is the pod's address, and
	// $(NAME) the name of the process.
	Defaults map[string]string `json:"defaults,omitempty"`
	Flags    map[string]string `json:"flags,omitempty"`
	// Mounts are shown to the program beside its volumes.
	Mounts []process.Mount `json:"mounts,omitempty"`
	Env    []string        `json:"env,omitempty"`
	Tier   process.Tier    `json:"tier"`
	// Grace bounds how long it is given to end.
	Grace process.Duration `json:"grace,omitempty"`
	// Health is asked where the pod has no probe to ask.
	Health *Page `json:"health,omitempty"`
	// Metrics is its Prometheus page.
	Metrics *Page `json:"metrics,omitempty"`
}

// Page is a page of a program at its pod's address.
type Page struct {
	Scheme string `json:"scheme"`
	Port   int    `json:"port"`
	Path   string `json:"path"`
	// Admin makes requests as the administrator of the pod's instance; ServerName is the name that the certificate then
	// has to have, empty for a self-signed one.
	Admin      bool   `json:"admin,omitempty"`
	ServerName string `json:"serverName,omitempty"`
}

// Processes runs programs: the fleet's supervisor.
type Processes interface {
	Ensure(ctx context.Context, s process.Spec) error
	Retry(ctx context.Context, name, reason string) error
	Rename(ctx context.Context, name string, s process.Spec) error
	Forget(ctx context.Context, name string) error
	Of(name string) (supervisor.Status, bool)
	Status() []supervisor.Status
	Watch(told func(process.Spec))
}

// Addresses is a block of loopback addresses.
type Addresses struct {
	// First is the first of the block, which is never assigned.
	First netip.Addr `json:"first"`
	// Size is how many there are, LoadBalancers how many of them (the first) are
	// for Services of type LoadBalancer.
	Size          int `json:"size"`
	LoadBalancers int `json:"loadBalancers"`
}

// How a block of addresses is derived from the first port of a fleet: fleets that
// share no port share no address.
const (
	blockSize     = 1 << 14
	blockBase     = 127<<24 | 1<<23 // 127.128.0.0
	portsPerBlock = 200
	loadBalancers = 24
)

// AddressesFor returns the addresses of a fleet whose ports begin at base. Two
// fleets whose bases lie 200 or more apart have no address in common.
func AddressesFor(base int) Addresses {
	n := uint32(blockBase + base/portsPerBlock*blockSize)
	return Addresses{
		First: netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}),
		Size:  blockSize, LoadBalancers: loadBalancers,
	}
}

// Balanced are the addresses of load balancers. A certificate that is made before
// its Service has one may name them all.
func (a Addresses) Balanced() []string {
	var all []string
	addr := a.First
	for range a.LoadBalancers {
		addr = addr.Next()
		all = append(all, addr.String())
	}
	return all
}

const (
	// requestTimeout bounds each request to the host's API server.
	requestTimeout = 15 * time.Second
	// hostIP is what pods report as their node's address.
	hostIP = "127.0.0.1"
)
