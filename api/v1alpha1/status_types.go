package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// InstanceStatus is what the controllers found out about an instance. Each of them writes its own part,
// by server-side apply.
type InstanceStatus struct {
	// Phase is the one word that sums the instance up.
	//
	// +optional
	Phase InstancePhase `json:"phase,omitempty"`
	// ObservedGeneration is the generation that Phase and the condition Ready are about.
	//
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Conditions, one for each thing that can be well or not.
	//
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// KarmadaVersion is the version of Karmada, where it can be known: a Karmada that somebody else
	// installed does not tell it.
	//
	// +optional
	KarmadaVersion string `json:"karmadaVersion,omitempty"`
	// KubernetesVersion is the version that the Karmada API server says it is.
	//
	// +optional
	KubernetesVersion string `json:"kubernetesVersion,omitempty"`
	// Components of the control plane, as they do.
	//
	// +optional
	// +listType=map
	// +listMapKey=name
	Components []ComponentStatus `json:"components,omitempty"`
	// KubeconfigSecretRef names the Secret, in Kairship's own namespace, with the kubeconfig of a managed
	// instance.
	//
	// +optional
	KubeconfigSecretRef *SecretReference `json:"kubeconfigSecretRef,omitempty"`
	// Steps are how far the installation or the removal of a managed instance is.
	//
	// +optional
	// +listType=map
	// +listMapKey=name
	Steps []Step `json:"steps,omitempty"`
	// Statistics count what the instance has.
	//
	// +optional
	Statistics *InstanceStatistics `json:"statistics,omitempty"`
	// VirtualCluster is how the instance stands in the read store.
	//
	// +optional
	VirtualCluster *VirtualClusterStatus `json:"virtualCluster,omitempty"`
}

// InstancePhase is the one word that sums an instance up.
//
// +kubebuilder:validation:Enum=Installing;Running;Deleting;Unavailable;Unknown
type InstancePhase string

// The phases of an Instance.
const (
	// PhaseInstalling: a managed instance is being installed, or its installation has failed.
	PhaseInstalling InstancePhase = "Installing"
	// PhaseRunning: the Karmada API server answers. Single components may fail; the conditions tell.
	PhaseRunning InstancePhase = "Running"
	// PhaseDeleting: the Instance is being removed.
	PhaseDeleting InstancePhase = "Deleting"
	// PhaseUnavailable: the Karmada API server does not answer, or refuses Kairship's credential.
	PhaseUnavailable InstancePhase = "Unavailable"
	// PhaseUnknown: there is no credential by which it could be asked, or it was not asked yet.
	PhaseUnknown InstancePhase = "Unknown"
)

// ComponentStatus is how one component of a control plane does.
type ComponentStatus struct {
	// Name of the component, such as Scheduler.
	//
	// +required
	Name string `json:"name"`
	// State of the component.
	//
	// +required
	State ComponentState `json:"state"`
	// Message says why, in words for people.
	//
	// +optional
	Message string `json:"message,omitempty"`
	// Since is when State became what it is.
	//
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
}

// ComponentState is how a component does.
//
// +kubebuilder:validation:Enum=Ready;NotReady;Unknown
type ComponentState string

// The states of a component.
const (
	ComponentReady    ComponentState = "Ready"
	ComponentNotReady ComponentState = "NotReady"
	// ComponentUnknown: nothing in reach tells, such as while the API server does not answer.
	ComponentUnknown ComponentState = "Unknown"
)

// Step is one step of an installation or a removal.
type Step struct {
	// Name of the step.
	//
	// +required
	Name string `json:"name"`
	// State of the step.
	//
	// +required
	State StepState `json:"state"`
	// Message says what it waits for, or why it failed.
	//
	// +optional
	Message string `json:"message,omitempty"`
	// StartedAt is when the step began.
	//
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// FinishedAt is when the step succeeded.
	//
	// +optional
	FinishedAt *metav1.Time `json:"finishedAt,omitempty"`
}

// StepState is how far a step is.
//
// +kubebuilder:validation:Enum=Pending;Running;Succeeded;Failed
type StepState string

// The states of a step. A failed one is tried again.
const (
	StepPending   StepState = "Pending"
	StepRunning   StepState = "Running"
	StepSucceeded StepState = "Succeeded"
	StepFailed    StepState = "Failed"
)

// InstanceStatistics count what an instance has, over all of its members. While the control plane does
// not answer, they stay as they were.
type InstanceStatistics struct {
	// Clusters joined; ready are those whose condition Ready is True.
	//
	// +required
	Clusters ReadyCount `json:"clusters"`
	// Nodes of all members, as Karmada reports them. A member that does not answer counts with what it
	// reported last, here and below.
	//
	// +required
	Nodes ReadyCount `json:"nodes"`
	// CPU of all members, in cores.
	//
	// +required
	CPU ResourceAmounts `json:"cpu"`
	// Memory of all members, in bytes.
	//
	// +required
	Memory ResourceAmounts `json:"memory"`
	// Workloads in the control plane by kind, such as Deployment, in all namespaces. Ready are those whose
	// every desired replica is ready and of the latest revision, as Karmada sums them up over the
	// members, and so those that are scaled to zero; daemon sets, when that is so and they run
	// anywhere; jobs, when they have completed; cron jobs, when they are not suspended. One that is
	// being deleted is not ready. A kind that Kairship may not read is left out.
	//
	// +optional
	Workloads map[string]ReadyCount `json:"workloads,omitempty"`
	// Policies in the control plane by kind, such as PropagationPolicy. A kind that Kairship may not read,
	// or that the control plane does not have, is left out.
	//
	// +optional
	Policies map[string]int32 `json:"policies,omitempty"`
	// AsOf is when something last changed in these numbers.
	//
	// +required
	AsOf metav1.Time `json:"asOf"`
}

// ReadyCount is how many there are, and how many of them are ready.
type ReadyCount struct {
	// +required
	Total int32 `json:"total"`
	// +required
	Ready int32 `json:"ready"`
}

// ResourceAmounts is how much of a resource there is.
type ResourceAmounts struct {
	// Allocatable to pods.
	//
	// +required
	Allocatable resource.Quantity `json:"allocatable"`
	// Allocated is what the pods that are scheduled request.
	//
	// +required
	Allocated resource.Quantity `json:"allocated"`
}

// VirtualClusterStatus is how an instance stands in the read store.
type VirtualClusterStatus struct {
	// Name of the instance's PediaCluster. Those of its members are named <name>.<member>.
	//
	// +required
	Name string `json:"name"`
	// Shards are the synchro managers that follow the instance and its members. Empty where there is one
	// without a name.
	//
	// +optional
	// +listType=atomic
	Shards []string `json:"shards,omitempty"`
	// Members is how many members the instance has. Absent as long as that is not known.
	//
	// +optional
	Members *int32 `json:"members,omitempty"`
	// MembersSynced is how many of them the read store follows.
	//
	// +optional
	MembersSynced *int32 `json:"membersSynced,omitempty"`
}
