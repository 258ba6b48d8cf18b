package model

import "time"

// OperationKind says what an operation does.
type OperationKind string

// The kinds of operations.
const (
	OperationCreateInstance  OperationKind = "CREATE_INSTANCE"
	OperationAttachInstance  OperationKind = "ATTACH_INSTANCE"
	OperationDeleteInstance  OperationKind = "DELETE_INSTANCE"
	OperationJoinCluster     OperationKind = "JOIN_CLUSTER"
	OperationUnjoinCluster   OperationKind = "UNJOIN_CLUSTER"
	OperationPromoteResource OperationKind = "PROMOTE_RESOURCE"
)

// OperationState sums an operation up.
type OperationState string

// The states of an operation. The last three are for good.
const (
	OperationPending   OperationState = "PENDING"
	OperationRunning   OperationState = "RUNNING"
	OperationSucceeded OperationState = "SUCCEEDED"
	OperationFailed    OperationState = "FAILED"
	OperationCancelled OperationState = "CANCELLED"
)

// Ended reports whether a state is for good.
func (s OperationState) Ended() bool {
	return s == OperationSucceeded || s == OperationFailed || s == OperationCancelled
}

// OperationStep is one step of an operation.
type OperationStep struct {
	Name      string
	State     StepState
	Message   string
	StartedAt *time.Time
	EndedAt   *time.Time
}

// OperationObject is the object that an operation is about.
type OperationObject struct {
	APIVersion string
	Kind       string
	Namespace  *string
	Name       string
}

// Operation is a change that takes longer than a request.
type Operation struct {
	// Name and UID are those of the Operation in the host cluster.
	Name  string
	UID   string
	Kind  OperationKind
	State OperationState
	// Steps are in their order; never nil.
	Steps   []OperationStep
	Message string
	// InstanceName is the instance that it is about, which may not be there yet, or any more.
	InstanceName string
	// ClusterName and Object are nil when it is not about one.
	ClusterName *string
	Object      *OperationObject
	// Actor is who asked for it.
	Actor      string
	CreatedAt  time.Time
	FinishedAt *time.Time
	// Cancellable says that it could be cancelled now, CancelRequested that somebody asked for that.
	Cancellable     bool
	CancelRequested bool
}

// IsNode marks the type as a GraphQL Node.
func (*Operation) IsNode() {}

// ID is the global id of the operation.
func (o *Operation) ID() string { return encodeID(idOperation, o.Name) }

// OperationFilter selects operations. Empty fields select all.
type OperationFilter struct {
	Instances []string
	Kinds     []OperationKind
	States    []OperationState
	// Mine selects those that the viewer asked for.
	Mine *bool
}

// OperationConnection is a page of operations.
type OperationConnection = Connection[*Operation]

// OperationEdge is a row of it.
type OperationEdge = Edge[*Operation]
