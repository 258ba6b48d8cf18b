package model

// NamespacePhase is the phase of a namespace's life.
type NamespacePhase string

// The phases of a namespace.
const (
	NamespaceActive       NamespacePhase = "ACTIVE"
	NamespaceTerminating  NamespacePhase = "TERMINATING"
	NamespacePhaseUnknown NamespacePhase = "UNKNOWN"
)

// Namespace is a namespace of a control plane or of a member.
type Namespace struct {
	Object

	Phase NamespacePhase
	// Conditions is sorted by type; mostly what prevents its deletion.
	Conditions []Condition
}

// NamespaceCounts counts the objects in a namespace.
type NamespaceCounts struct {
	// Workloads counts the five kinds of workload.
	Workloads int
	// Policies counts PropagationPolicies and OverridePolicies.
	Policies int
}

// NamespaceFilter selects namespaces. Empty lists match everything.
type NamespaceFilter struct {
	NameContains  *string
	LabelSelector *string
	Names         []string
}

// NamespaceOrderField is what namespaces can be ordered by.
type NamespaceOrderField string

// What namespaces can be ordered by.
const (
	NamespacesByName     NamespaceOrderField = "NAME"
	NamespacesByCreation NamespaceOrderField = "CREATED_AT"
)

// NamespaceOrder says in which order namespaces are listed.
type NamespaceOrder struct {
	Field     NamespaceOrderField
	Direction OrderDirection
}

// NamespaceConnection is a page of namespaces.
type NamespaceConnection = Connection[*Namespace]

// NamespaceEdge is a row of a page of namespaces.
type NamespaceEdge = Edge[*Namespace]
