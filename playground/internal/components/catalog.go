package components

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// component is one upstream project: a go.mod under playground/components and
// the programs built with it.
type component struct {
	name    string
	module  string
	version string
	// programs maps the name of a binary to its main package within the module.
	programs []program
	// stamps are the string variables set at link time, as path=value.
	stamps []string
	// cold is how long building the default programs took with empty caches on two cores. It is used for the estimate
	// only.
	cold time.Duration
	// packages is how many packages that build compiled.
	packages int
	// disk is what it took on disk.
	disk footprint
	// tags are the build's, separated by commas.
	tags string
	// apiCopy says that the module needs the prepared API module beside it.
	apiCopy bool
}

type program struct {
	name string
	// pkg is the main package, relative to the module.
	pkg string
	// onDemand marks what the default fleet does not run.
	onDemand bool
	// managed marks what runs only where Karmada's operator does.
	managed bool
}

// catalog is in build order: what starts first is built first.
var catalog = []component{
	{
		name: "etcd", module: "go.etcd.io/etcd/server/v3", version: "v3.6.6",
		cold: 45 * time.Second, packages: 564, disk: megabytes(350, 350, 30),
		programs: []program{{name: "etcd"}},
	},
	{
		name: "kubernetes", module: "k8s.io/kubernetes", version: "v1.35.3",
		cold: 5 * time.Minute, packages: 2320, disk: megabytes(550, 2900, 330),
		stamps: kubernetesStamps("v1.35.3", "v1.35.3"),
		programs: []program{
			{name: "kube-apiserver", pkg: "cmd/kube-apiserver"},
			{name: "kube-controller-manager", pkg: "cmd/kube-controller-manager"},
			{name: "kube-scheduler", pkg: "cmd/kube-scheduler"},
			{name: "kubectl", pkg: "cmd/kubectl"},
		},
	},
	{
		name: "karmada", module: "github.com/karmada-io/karmada", version: "v1.18.2",
		cold: 4 * time.Minute, packages: 1492, disk: megabytes(300, 1900, 390),
		stamps: append(kubernetesStamps("v1.35.3", "v1.18.2"),
			"github.com/karmada-io/karmada/pkg/version.gitVersion=v1.18.2"),
		programs: []program{
			{name: "karmada-controller-manager", pkg: "cmd/controller-manager"},
			{name: "karmada-scheduler", pkg: "cmd/scheduler"},
			{name: "karmada-webhook", pkg: "cmd/webhook"},
			{name: "karmada-aggregated-apiserver", pkg: "cmd/aggregated-apiserver"},
			{name: "karmada-agent", pkg: "cmd/agent"},
			{name: "karmadactl", pkg: "cmd/karmadactl"},
			{name: "karmada-search", pkg: "cmd/karmada-search", onDemand: true, managed: true},
			{name: "karmada-metrics-adapter", pkg: "cmd/metrics-adapter", onDemand: true, managed: true},
			{name: "karmada-descheduler", pkg: "cmd/descheduler", onDemand: true, managed: true},
			{name: "karmada-scheduler-estimator", pkg: "cmd/scheduler-estimator", onDemand: true},
			{name: "karmada-operator", pkg: "operator/cmd/operator", onDemand: true, managed: true},
		},
	},
	{
		name: "clusterpedia", module: "github.com/clusterpedia-io/clusterpedia", version: "v0.9.1",
		cold: 3 * time.Minute, packages: 1266, disk: megabytes(420, 1400, 155),
		apiCopy: true,
		// It serves the version of the Kubernetes libraries it was built with.
		stamps: append(kubernetesStamps("v1.31.2", "v0.9.1"),
			"github.com/clusterpedia-io/clusterpedia/pkg/version.gitVersion=v0.9.1"),
		programs: []program{
			{name: "clusterpedia-apiserver", pkg: "cmd/apiserver"},
			{name: "clusterpedia-clustersynchro-manager", pkg: "cmd/clustersynchro-manager"},
		},
	},
	{
		name: "kwok", module: "sigs.k8s.io/kwok", version: "v0.8.0",
		cold: 90 * time.Second, packages: 687, disk: megabytes(300, 700, 65),
		stamps:   []string{"sigs.k8s.io/kwok/pkg/consts.Version=v0.8.0"},
		programs: []program{{name: "kwok", pkg: "cmd/kwok"}},
	},
	{
		name: "prometheus", module: "github.com/prometheus/prometheus", version: "v0.316.0",
		cold: 4 * time.Minute, packages: 1275, disk: megabytes(1150, 1250, 75),
		// Of the places to look for targets, Kubernetes alone: the others are the SDKs of thirty clouds.
		tags:     "remove_all_sd,enable_kubernetes_sd",
		stamps:   []string{"github.com/prometheus/common/version.Version=3.16.0"},
		programs: []program{{name: "prometheus", pkg: "cmd/prometheus"}},
	},
}

func megabytes(modules, objects, binaries int64) footprint {
	return footprint{modules: modules * mega, objects: objects * mega, binaries: binaries * mega}
}

// kubernetesStamps says which Kubernetes a program serves, and as which version
// its client introduces itself.
func kubernetesStamps(serves, client string) []string {
	parts := strings.SplitN(strings.TrimPrefix(serves, "v"), ".", 3)
	return []string{
		"k8s.io/component-base/version.gitVersion=" + serves,
		"k8s.io/component-base/version.gitMajor=" + parts[0],
		"k8s.io/component-base/version.gitMinor=" + parts[1],
		"k8s.io/client-go/pkg/version.gitVersion=" + client,
	}
}

// Default names the binaries that the playground's fleet runs.
func Default() []string { return names(func(p program) bool { return !p.onDemand }) }

// Managed names what a fleet runs in which an operator makes Karmadas.
func Managed() []string { return names(func(p program) bool { return p.managed }) }

// Version returns the version of the component that a binary belongs to; empty for an unknown one.
func Version(binary string) string {
	for _, c := range catalog {
		for _, p := range c.programs {
			if p.name == binary {
				return c.version
			}
		}
	}
	return ""
}

// All names every binary that can be built.
func All() []string { return names(func(program) bool { return true }) }

func names(include func(program) bool) []string {
	var out []string
	for _, c := range catalog {
		for _, p := range c.programs {
			if include(p) {
				out = append(out, p.name)
			}
		}
	}
	return out
}

// wanted groups the names by component, in build order.
func wanted(names []string) ([]component, error) {
	if len(names) == 0 {
		names = Default()
	}
	known := All()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no component binary %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	var out []component
	for _, c := range catalog {
		c.programs = slices.DeleteFunc(slices.Clone(c.programs), func(p program) bool {
			return !slices.Contains(names, p.name)
		})
		if len(c.programs) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

func findComponent(name string) (component, error) {
	known := make([]string, 0, len(catalog))
	for _, c := range catalog {
		if c.name == name {
			return c, nil
		}
		known = append(known, c.name)
	}
	return component{}, fmt.Errorf("there is no component %q; there are %s", name, strings.Join(known, ", "))
}

// title names the component for people.
func (c component) title() string { return c.name + " " + c.version }

func (c component) importPath(p program) string { return path.Join(c.module, p.pkg) }

// buildFlags decide what the binaries are like; they are part of the cache key.
func (c component) buildFlags() []string {
	ldflags := []string{"-s", "-w"}
	for _, stamp := range c.stamps {
		ldflags = append(ldflags, "-X", stamp)
	}
	flags := []string{"-trimpath", "-buildvcs=false", "-ldflags=" + strings.Join(ldflags, " ")}
	if c.tags != "" {
		flags = append(flags, "-tags="+c.tags)
	}
	return flags
}

var majorVersion = regexp.MustCompile(`^v[2-9][0-9]*$`)

// built is the file name that `go build -o folder/` gives a main package.
func built(importPath string) string {
	dir, base := path.Split(importPath)
	if majorVersion.MatchString(base) {
		return path.Base(dir)
	}
	return base
}
