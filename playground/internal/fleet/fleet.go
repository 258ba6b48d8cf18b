// Package fleet says what the playground consists of: instances, members, their
// nodes, and the numbers of their ports. It is data; it must not know how any of
// it is started.
package fleet

import "slices"

// Host is the name of the cluster that holds Kairship's and Clusterpedia's own
// objects.
const Host = "host"

// Fleet is every cluster of the playground but the host.
type Fleet struct {
	Instances []Instance
	// Further are members that were asked for one by one, and that the playground joins to nothing.
	Further []Further
}

// Instance is one Karmada control plane.
type Instance struct {
	Name        string
	DisplayName string
	// Managed instances are made by Kairship, through Karmada's operator. The others are made by the playground, and
	// attached to Kairship.
	Managed bool
	Members []Member
}

// SyncMode is how Karmada reaches a member.
type SyncMode string

// The sync modes of Karmada.
const (
	Push SyncMode = "Push"
	Pull SyncMode = "Pull"
)

// Member is one cluster of an instance.
type Member struct {
	Name     string
	SyncMode SyncMode
	Provider string
	Region   string
	Zones    []string
	Pools    []NodePool
	// OwnEtcd keeps a fault drill on this member from affecting others.
	OwnEtcd bool
	// Crashes makes the pods labelled with CrashLabel crash in a loop here.
	Crashes bool
}

// NodePool is a number of equal nodes in one zone.
type NodePool struct {
	Name   string
	Zone   string
	Count  int
	CPU    string
	Memory string
	// GPUs a node has; 0 for none.
	GPUs int
}

// CrashLabel marks pods that crash in members with Crashes and run elsewhere.
const CrashLabel = "playground.kairship.io/crash"

// GPU is the resource that the GPU nodes offer.
const GPU = "nvidia.com/gpu"

// Demo is the fleet that `up` starts where Karmada's operator can run.
func Demo() Fleet {
	return Fleet{Instances: []Instance{
		{Name: "asia", DisplayName: "Asia Pacific", Members: []Member{
			{
				Name: "hangzhou", SyncMode: Push, OwnEtcd: true,
				Provider: "alibaba", Region: "cn-hangzhou", Zones: []string{"cn-hangzhou-h", "cn-hangzhou-i", "cn-hangzhou-j"},
				Pools: []NodePool{
					{Name: "general-h", Zone: "cn-hangzhou-h", Count: 2, CPU: "64", Memory: "256Gi"},
					{Name: "general-i", Zone: "cn-hangzhou-i", Count: 2, CPU: "64", Memory: "256Gi"},
					{Name: "gpu-j", Zone: "cn-hangzhou-j", Count: 1, CPU: "32", Memory: "128Gi", GPUs: 4},
				},
			},
			{
				Name: "singapore", SyncMode: Push, Crashes: true,
				Provider: "aws", Region: "ap-southeast-1", Zones: []string{"ap-southeast-1a", "ap-southeast-1b"},
				Pools: []NodePool{
					{Name: "general-a", Zone: "ap-southeast-1a", Count: 2, CPU: "16", Memory: "64Gi"},
					{Name: "gpu-b", Zone: "ap-southeast-1b", Count: 1, CPU: "16", Memory: "64Gi", GPUs: 2},
				},
			},
			{
				Name: "tokyo", SyncMode: Pull,
				Provider: "gcp", Region: "asia-northeast1", Zones: []string{"asia-northeast1-a", "asia-northeast1-b"},
				Pools: []NodePool{
					{Name: "small-a", Zone: "asia-northeast1-a", Count: 1, CPU: "8", Memory: "32Gi"},
					{Name: "small-b", Zone: "asia-northeast1-b", Count: 1, CPU: "8", Memory: "32Gi"},
				},
			},
		}},
		{Name: "europe", DisplayName: "Europe", Managed: true, Members: []Member{
			{
				Name: "frankfurt", SyncMode: Push,
				Provider: "aws", Region: "eu-central-1", Zones: []string{"eu-central-1a", "eu-central-1b", "eu-central-1c"},
				Pools: []NodePool{
					{Name: "general-a", Zone: "eu-central-1a", Count: 1, CPU: "32", Memory: "128Gi"},
					{Name: "general-b", Zone: "eu-central-1b", Count: 1, CPU: "32", Memory: "128Gi"},
					{Name: "general-c", Zone: "eu-central-1c", Count: 1, CPU: "32", Memory: "128Gi"},
				},
			},
		}},
	}}
}

// Attached is the same fleet with no instance managed.
func (f Fleet) Attached() Fleet {
	all := slices.Clone(f.Instances)
	for i := range all {
		all[i].Managed = false
	}
	return Fleet{Instances: all, Further: f.Further}
}

// Members of all instances, in order.
func (f Fleet) Members() []Member {
	var all []Member
	for _, i := range f.Instances {
		all = append(all, i.Members...)
	}
	return all
}

// Clusters names every API server of the fleet: the host, the instances, the
// members.
func (f Fleet) Clusters() []string {
	names := []string{Host}
	for _, i := range f.Instances {
		names = append(names, i.Name)
	}
	for _, m := range f.Members() {
		names = append(names, m.Name)
	}
	for _, m := range f.Further {
		names = append(names, m.Name)
	}
	return names
}

// Instance returns the instance of a name.
func (f Fleet) Instance(name string) (Instance, bool) {
	for _, i := range f.Instances {
		if i.Name == name {
			return i, true
		}
	}
	return Instance{}, false
}
