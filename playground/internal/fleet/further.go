package fleet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Further is a member that the playground joins to nothing: somebody joins it, to try that.
type Further struct {
	Name string `json:"name"`
	// Place is that of its ports, and stays when others come and go.
	Place int `json:"place"`
	// Agent is the agent that serves it in pull mode; nil when none does.
	Agent *Agent `json:"agent,omitempty"`
}

// Agent is what the registration of a member in pull mode says of its agent.
type Agent struct {
	// Cluster is the name by which the member registers.
	Cluster  string `json:"cluster"`
	Provider string `json:"provider,omitempty"`
	Region   string `json:"region,omitempty"`
	Zones    string `json:"zones,omitempty"`
}

// furtherName is what Karmada allows as the name of a cluster, as short as its files and processes need.
var furtherName = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,30}[a-z0-9])?$`)

// Add makes room for a further member of a name; one that is there stays as it is.
func (f Fleet) Add(name string) (Fleet, Further, error) {
	if i := slices.IndexFunc(f.Further, func(m Further) bool { return m.Name == name }); i >= 0 {
		return f, f.Further[i], nil
	}
	if !furtherName.MatchString(name) {
		return f, Further{}, fmt.Errorf("%q cannot be the name of a member: it has 1 to 32 lower case letters, digits and '-', begins with a letter and ends with no '-'", name)
	}
	// Names of processes are made of those of clusters; what is not a cluster's has one of these.
	others := []string{"clusterpedia", "kairship", "karmada", "etcd", "postgres", "oidc", "supervisor", "kubelet"}
	for _, taken := range append(f.Clusters(), others...) {
		if name == taken || strings.HasPrefix(name, taken+"-") || strings.HasPrefix(taken, name+"-") {
			return f, Further{}, fmt.Errorf("%q cannot be the name of a member: the fleet has %q, and names its processes after it", name, taken)
		}
	}
	for place := len(f.Members()); place < maxMembers; place++ {
		if slices.ContainsFunc(f.Further, func(m Further) bool { return m.Place == place }) {
			continue
		}
		m := Further{Name: name, Place: place}
		f.Further = append(slices.Clone(f.Further), m)
		return f, m, nil
	}
	var names []string
	for _, m := range f.Further {
		names = append(names, m.Name)
	}
	return f, Further{}, fmt.Errorf("the fleet has ports for %d further members, and they are %s; remove one with `playground member NAME --remove`",
		maxMembers-len(f.Members()), strings.Join(names, ", "))
}

// Remove takes a further member away, and reports whether it was there.
func (f Fleet) Remove(name string) (Fleet, bool) {
	n := len(f.Further)
	f.Further = slices.DeleteFunc(slices.Clone(f.Further), func(m Further) bool { return m.Name == name })
	return f, len(f.Further) < n
}

// Member is what the further member consists of.
func (m Further) Member() Member {
	mode := Push
	if m.Agent != nil {
		mode = Pull
	}
	return Member{Name: m.Name, SyncMode: mode, OwnEtcd: true, Pools: []NodePool{{Name: "general", Count: 2, CPU: "16", Memory: "64Gi"}}}
}
