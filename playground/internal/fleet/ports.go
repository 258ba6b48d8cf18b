package fleet

import "fmt"

// DefaultPortBase is the first port of a fleet.
const DefaultPortBase = 21000

// PortRange is how many ports from the base a fleet may take.
const PortRange = 200

// Offsets from the base. They are fixed, so that a kubeconfig of yesterday still
// points at the same API server.
const (
	offEtcd           = 0 // client, then peer
	offPostgres       = 6
	offClusterpedia   = 7
	offSynchroMetrics = 8
	offKairshipCM     = 9  // metrics, then health
	offOperator       = 11 // metrics, then health
	offOIDC           = 13
	offKairshipAPI    = 14 // telemetry
	offPrometheus     = 15
	offHost           = 20 // a cluster's block
	offInstances      = 40 // a block each
	offMembers        = 100

	instanceBlock = 20
	memberBlock   = 10

	maxInstances = (offMembers - offInstances) / instanceBlock
	maxMembers   = (PortRange - offMembers) / memberBlock
)

// Ports assigns a port to everything that listens.
type Ports struct {
	base   int
	fleet  Fleet
	HTTP   int // Kairship's servers, independent of the base
	HTTPS  int
	blocks map[string]int
}

// NewPorts lays out the ports of a fleet.
func NewPorts(f Fleet, base, http, https int) (Ports, error) {
	p := Ports{base: base, fleet: f, HTTP: http, HTTPS: https, blocks: map[string]int{Host: offHost}}
	if base < 1024 || base+PortRange > 65536 {
		return p, fmt.Errorf("port base (KAIRSHIP_PORT_BASE) is %d: allowed are 1024 to %d", base, 65536-PortRange)
	}
	for name, port := range map[string]int{"KAIRSHIP_HTTP_PORT": http, "KAIRSHIP_HTTPS_PORT": https} {
		if port < 1 || port > 65535 {
			return p, fmt.Errorf("%s is %d: allowed are 1 to 65535", name, port)
		}
		if port >= base && port < base+PortRange {
			return p, fmt.Errorf("%s is %d, which lies in the fleet's own range %d to %d", name, port, base, base+PortRange-1)
		}
	}
	if http == https {
		return p, fmt.Errorf("KAIRSHIP_HTTP_PORT and KAIRSHIP_HTTPS_PORT are both %d", http)
	}
	if len(f.Instances) > maxInstances || len(f.Members()) > maxMembers {
		return p, fmt.Errorf("a fleet has room for %d instances and %d members", maxInstances, maxMembers)
	}
	for n, i := range f.Instances {
		p.blocks[i.Name] = offInstances + n*instanceBlock
	}
	for n, m := range f.Members() {
		p.blocks[m.Name] = offMembers + n*memberBlock
	}
	for _, m := range f.Further {
		if m.Place < len(f.Members()) || m.Place >= maxMembers {
			return p, fmt.Errorf("member %q has place %d of the fleet's ports: allowed are %d to %d", m.Name, m.Place, len(f.Members()), maxMembers-1)
		}
		p.blocks[m.Name] = offMembers + m.Place*memberBlock
	}
	return p, nil
}

func (p Ports) in(cluster string, offset int) int { return p.base + p.blocks[cluster] + offset }

// The ports of a fleet's single programs.
func (p Ports) Base() int           { return p.base }
func (p Ports) Postgres() int       { return p.base + offPostgres }
func (p Ports) Clusterpedia() int   { return p.base + offClusterpedia }
func (p Ports) SynchroMetrics() int { return p.base + offSynchroMetrics }
func (p Ports) KairshipMetrics() int {
	return p.base + offKairshipCM
}
func (p Ports) KairshipHealth() int { return p.base + offKairshipCM + 1 }
func (p Ports) KairshipTelemetry() int {
	return p.base + offKairshipAPI
}
func (p Ports) OperatorMetrics() int { return p.base + offOperator }
func (p Ports) OperatorHealth() int  { return p.base + offOperator + 1 }
func (p Ports) OIDC() int            { return p.base + offOIDC }
func (p Ports) Prometheus() int      { return p.base + offPrometheus }

// Etcd returns the client and peer ports of an etcd: that of a member which has
// its own, or the shared one.
func (p Ports) Etcd(member string) (client, peer int) {
	if member == "" {
		return p.base + offEtcd, p.base + offEtcd + 1
	}
	return p.in(member, 6), p.in(member, 7)
}

// The ports of any cluster, the host and the instances included.
func (p Ports) APIServer(cluster string) int         { return p.in(cluster, 0) }
func (p Ports) ControllerManager(cluster string) int { return p.in(cluster, 1) }

// The ports of a member.
func (p Ports) Scheduler(member string) int    { return p.in(member, 2) }
func (p Ports) Kwok(member string) int         { return p.in(member, 3) }
func (p Ports) AgentMetrics(member string) int { return p.in(member, 4) }
func (p Ports) AgentHealth(member string) int  { return p.in(member, 5) }

// The ports of an instance.
func (p Ports) Webhook(instance string) int          { return p.in(instance, 2) }
func (p Ports) WebhookMetrics(instance string) int   { return p.in(instance, 3) }
func (p Ports) WebhookHealth(instance string) int    { return p.in(instance, 4) }
func (p Ports) Aggregated(instance string) int       { return p.in(instance, 5) }
func (p Ports) KarmadaMetrics(instance string) int   { return p.in(instance, 6) }
func (p Ports) KarmadaHealth(instance string) int    { return p.in(instance, 7) }
func (p Ports) SchedulerMetrics(instance string) int { return p.in(instance, 8) }
func (p Ports) SchedulerHealth(instance string) int  { return p.in(instance, 9) }

// Server is the address of a cluster's API server.
func (p Ports) Server(cluster string) string {
	return fmt.Sprintf("https://127.0.0.1:%d", p.APIServer(cluster))
}
