package model

// NodeState sums up the state of a node in one word.
type NodeState string

// The states of a node.
const (
	NodeReady    NodeState = "READY"
	NodeNotReady NodeState = "NOT_READY"
	NodeUnknown  NodeState = "UNKNOWN"
)

// NodeAddressType is a kind of address of a node.
type NodeAddressType string

// The kinds of addresses of a node.
const (
	AddressHostname     NodeAddressType = "HOSTNAME"
	AddressInternalIP   NodeAddressType = "INTERNAL_IP"
	AddressExternalIP   NodeAddressType = "EXTERNAL_IP"
	AddressInternalDNS  NodeAddressType = "INTERNAL_DNS"
	AddressExternalDNS  NodeAddressType = "EXTERNAL_DNS"
	AddressOfOtherKinds NodeAddressType = "OTHER"
)

// NodeAddress is one address of a node.
type NodeAddress struct {
	Type    NodeAddressType
	Address string
}

// ClusterNode is a node of a member cluster. What it has not reported is nil.
type ClusterNode struct {
	Object

	// State is from the Ready condition alone.
	State        NodeState
	StateMessage string
	// Schedulable says that it is ready and not cordoned.
	Schedulable bool
	// Roles is sorted; never nil.
	Roles            []string
	KubeletVersion   *string
	OSImage          *string
	KernelVersion    *string
	Architecture     *string
	ContainerRuntime *string
	Addresses        []NodeAddress
	Taints           []Taint
	Capacity         *ResourceAmounts
	Allocatable      *ResourceAmounts
	// Conditions is sorted by type.
	Conditions []Condition
}

// ClusterNodeConnection is a page of nodes.
type ClusterNodeConnection = Connection[*ClusterNode]

// ClusterNodeEdge is a row of a page of nodes.
type ClusterNodeEdge = Edge[*ClusterNode]
