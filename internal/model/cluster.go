package model

import (
	"math"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
)

// ClusterState sums up the state of a member cluster in one word.
type ClusterState string

// The states of a member cluster.
const (
	ClusterReady    ClusterState = "READY"
	ClusterNotReady ClusterState = "NOT_READY"
	ClusterOffline  ClusterState = "OFFLINE"
	ClusterJoining  ClusterState = "JOINING"
	ClusterRemoving ClusterState = "REMOVING"
	ClusterUnknown  ClusterState = "UNKNOWN"
)

// ClusterStates lists all states, the healthy ones first.
var ClusterStates = []ClusterState{ClusterReady, ClusterJoining, ClusterRemoving, ClusterUnknown, ClusterNotReady, ClusterOffline}

// ClusterSyncMode says how Karmada and a member connect.
type ClusterSyncMode string

// The sync modes.
const (
	SyncPush ClusterSyncMode = "PUSH"
	SyncPull ClusterSyncMode = "PULL"
)

// TaintEffect is what a taint does to workloads that do not tolerate it.
type TaintEffect string

// The effects of a taint.
const (
	TaintNoSchedule       TaintEffect = "NO_SCHEDULE"
	TaintPreferNoSchedule TaintEffect = "PREFER_NO_SCHEDULE"
	TaintNoExecute        TaintEffect = "NO_EXECUTE"
)

// Taint keeps workloads away from a cluster.
type Taint struct {
	Key    string
	Value  string
	Effect TaintEffect
}

// TaintKey names taints: of one effect, or of every one when Effect is nil.
type TaintKey struct {
	Key    string
	Effect *TaintEffect
}

// APIEnablement is the kinds of one group and version that a member serves.
type APIEnablement struct {
	GroupVersion string
	Kinds        []string
}

// NodeSummary counts the nodes of a member.
type NodeSummary struct {
	Total int
	Ready int
}

// CPUAmount is an amount of CPU.
type CPUAmount struct {
	Cores    float64
	Quantity string
}

// MemoryAmount is an amount of memory.
type MemoryAmount struct {
	Bytes    float64
	Quantity string
}

func (a *CPUAmount) add(o CPUAmount) {
	a.Cores += o.Cores
	a.Quantity = resource.NewMilliQuantity(int64(math.Round(a.Cores*1000)), resource.DecimalSI).String()
}

func (a *MemoryAmount) add(o MemoryAmount) {
	a.Bytes += o.Bytes
	a.Quantity = resource.NewQuantity(int64(a.Bytes), resource.BinarySI).String()
}

// ResourceAmounts is CPU, memory and pods.
type ResourceAmounts struct {
	CPU    CPUAmount
	Memory MemoryAmount
	Pods   int
}

// ResourceSummary is what a member has and what is in use.
type ResourceSummary struct {
	Allocatable ResourceAmounts
	Allocated   ResourceAmounts
	Allocating  ResourceAmounts
}

// Cluster is a Kubernetes cluster that an instance federates, as Karmada's Cluster object reports it.
type Cluster struct {
	InstanceName string
	Name         string
	// UID is that of Karmada's Cluster: events tell of it.
	UID               string
	Region            *string
	Zones             []string
	Provider          *string
	Labels            []KeyValue
	Taints            []Taint
	SyncMode          ClusterSyncMode
	APIEndpoint       *string
	State             ClusterState
	StateMessage      string
	Schedulable       bool
	KubernetesVersion *string
	CreatedAt         time.Time
	Conditions        []Condition
	APIEnablements    []APIEnablement
	Nodes             *NodeSummary
	Resources         *ResourceSummary
}

// ID is the global id.
func (c *Cluster) ID() string { return ClusterID(c.InstanceName, c.Name) }

// IsNode marks the type as a GraphQL Node.
func (*Cluster) IsNode() {}

// LabelSet is the cluster's labels as a selector sees them.
func (c *Cluster) LabelSet() labels.Set {
	set := make(labels.Set, len(c.Labels))
	for _, l := range c.Labels {
		set[l.Key] = l.Value
	}
	return set
}

// ClusterFilter selects clusters.
type ClusterFilter struct {
	Names         []string
	States        []ClusterState
	NameContains  *string
	Regions       []string
	Providers     []string
	LabelSelector *string
}

// ClusterConnection is a page of clusters.
type ClusterConnection = Connection[*Cluster]

// ClusterEdge is a row of a page of clusters.
type ClusterEdge = Edge[*Cluster]
