// Package plan turns a fleet into processes: which programs run, with which
// flags, on which ports, with which credentials.
//
// It is pure but for Prepare, which writes the files that the flags name. It
// must not start anything, nor know what is inside the clusters.
package plan

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/pki"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/state"
	"github.com/kairship-io/kairship/playground/oidc"
)

// Names that Kairship and its tests rely on.
const (
	SystemNamespace       = "kairship-system"
	AdminNamespace        = "kairship-admins"
	AdminServiceAccount   = "admin"
	ClusterpediaNamespace = "clusterpedia-system"
	TokenAudience         = "kairship"
	AdminGroup            = "kairship:host:system:serviceaccounts:" + AdminNamespace
)

// Plan is a fleet with all its choices made.
type Plan struct {
	Fleet fleet.Fleet
	Ports fleet.Ports
	Dir   state.Dir
	// GOGC is that of the programs; empty for 200.
	GOGC string
	// Binaries are the programs, by name.
	Binaries map[string]string
	Database Database
	// OIDC is the installed OpenID Connect provider.
	OIDC oidc.Program
	// Kairship is the path of Kairship's binary; empty to run without it.
	Kairship string
	// ThroughAPI says that Kairship does not read the read store's database itself.
	ThroughAPI bool
	// Console reports whether Kairship has consoles: whether their shells can be kept apart from the fleet's files.
	Console bool
	// Managed reports whether Karmada's operator can run here: whether pods can.
	Managed bool
	// Lifecycle reports whether Kairship makes instances of its own with it.
	Lifecycle bool
}

// Database is the PostgreSQL that Clusterpedia stores in.
type Database struct {
	// Program is PostgreSQL's server.
	Program string
	Dir     string
	// User runs it; nil for whoever runs the fleet.
	User     *process.User
	Password string
}

// Name and owner of the database that Clusterpedia uses.
const (
	DatabaseName  = "clusterpedia"
	DatabaseOwner = "kairship"
	// DatabaseDatabase is that of Kairship's own tables, the one that always exists. They are in a schema of the
	// owner's name: in Clusterpedia's database Clusterpedia would look for its tables there.
	DatabaseDatabase = "postgres"
)

// Specs are all processes of the plan.
func (p Plan) Specs() []process.Spec {
	specs := []process.Spec{p.etcd(""), p.postgres(), p.oidc(), p.prometheus()}
	specs = append(specs, p.kubernetes(fleet.Host)...)
	for _, i := range p.Fleet.Instances {
		if !i.Managed {
			specs = append(specs, p.karmada(i)...)
		}
		for _, m := range i.Members {
			specs = append(specs, p.member(i, m)...)
		}
	}
	for _, m := range p.Fleet.Further {
		specs = append(specs, p.Further(m)...)
	}
	specs = append(specs, p.clusterpedia()...)
	if p.Managed {
		specs = append(specs, p.operator())
	}
	if p.Kairship != "" {
		specs = append(specs, p.kairship()...)
	}
	return specs
}

// spec fills in what all processes have in common.
func (p Plan) spec(name, group string, tier process.Tier, binary string, args ...string) process.Spec {
	s := process.Spec{
		Name: name, Group: group, Tier: tier, Path: binary, Args: args,
		Dir: p.Dir.Root(), Log: p.Dir.Log(name),
		Env: p.environment(),
	}
	if f, err := process.Fingerprint(binary); err == nil { // a missing one fails at its start, with its name
		s.Binary = f
	}
	return s
}

// environment has programs collect garbage seldom: memory is plentiful on the machines this runs on, processor time is
// not.
func (p Plan) environment() []string { return []string{"GOGC=" + cmp.Or(p.GOGC, "200")} }

func (p Plan) pair(cluster, name string) pki.Pair {
	base := filepath.Join(p.Dir.PKI(), cluster, name)
	return pki.Pair{Cert: base + ".crt", Key: base + ".key"}
}

func (p Plan) ca(cluster string) pki.Pair { return p.pair(cluster, "ca") }

// page is an endpoint that verifies the server and presents the administrator's certificate.
func (p Plan) page(cluster string, port int, path string) *process.Endpoint {
	admin := p.pair(cluster, "admin")
	return &process.Endpoint{
		URL: fmt.Sprintf("https://127.0.0.1:%d%s", port, path),
		CA:  p.ca(cluster).Cert, Cert: admin.Cert, Key: admin.Key,
	}
}

func plain(port int, path string) *process.Endpoint {
	return &process.Endpoint{URL: fmt.Sprintf("http://127.0.0.1:%d%s", port, path)}
}

func loopback(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

func flag[T string | int | bool | time.Duration](name string, v T) string {
	return fmt.Sprintf("--%s=%v", name, v)
}
