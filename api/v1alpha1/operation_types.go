package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Operation is a change that takes longer than a request: a person asked for it, and the controllers work on it, step by step, as that
// person. Whoever may write Operations in the host cluster acts as anybody; only Kairship's API server may.
//
// Nothing in it is secret: what is goes into a Secret of Kairship's own namespace that the Operation owns.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=kop,categories=kairship
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Kind",type=string,JSONPath=".spec.kind"
// +kubebuilder:printcolumn:name="Instance",type=string,JSONPath=".spec.instance"
// +kubebuilder:printcolumn:name="Cluster",type=string,JSONPath=".spec.cluster"
// +kubebuilder:printcolumn:name="Actor",type=string,JSONPath=".spec.actor.name"
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=".status.state"
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=".status.message",priority=10
// +kubebuilder:printcolumn:name="Finished",type=date,JSONPath=".status.finishedAt"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
type Operation struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec OperationSpec `json:"spec"`
	// +optional
	Status OperationStatus `json:"status,omitempty"`
}

// OperationSpec is what a person asked for. Nothing of it can be changed but cancel, and that only to true.
//
// +kubebuilder:validation:XValidation:rule="(self.kind in ['CreateInstance', 'AttachInstance']) == has(self.createInstance)",message="spec.createInstance is required when spec.kind is CreateInstance or AttachInstance, and only then"
// +kubebuilder:validation:XValidation:rule="(self.kind == 'DeleteInstance') == has(self.deleteInstance)",message="spec.deleteInstance is required when spec.kind is DeleteInstance, and only then"
// +kubebuilder:validation:XValidation:rule="(self.kind == 'JoinCluster') == has(self.joinCluster)",message="spec.joinCluster is required when spec.kind is JoinCluster, and only then"
// +kubebuilder:validation:XValidation:rule="(self.kind == 'UnjoinCluster') == has(self.unjoinCluster)",message="spec.unjoinCluster is required when spec.kind is UnjoinCluster, and only then"
// +kubebuilder:validation:XValidation:rule="(self.kind == 'PromoteResource') == has(self.promoteResource)",message="spec.promoteResource is required when spec.kind is PromoteResource, and only then"
// +kubebuilder:validation:XValidation:rule="has(self.cluster) == has(oldSelf.cluster) && has(self.object) == has(oldSelf.object) && has(self.requestID) == has(oldSelf.requestID) && has(self.ttl) == has(oldSelf.ttl) && has(self.instanceUID) == has(oldSelf.instanceUID) && has(self.karmadaUID) == has(oldSelf.karmadaUID)",message="spec cannot be changed, but for cancel"
// +kubebuilder:validation:XValidation:rule="!(has(oldSelf.cancel) && oldSelf.cancel) || (has(self.cancel) && self.cancel)",message="spec.cancel cannot be taken back"
type OperationSpec struct {
	// Kind says what is to be done.
	//
	// +required
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.kind cannot be changed"
	Kind OperationKind `json:"kind"`
	// Instance that it is about, which need not exist yet, or any more.
	//
	// +required
	// +kubebuilder:validation:MaxLength=48
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.instance cannot be changed"
	Instance string `json:"instance"`
	// InstanceUID is that of the Instance that was meant, and KarmadaUID that of the namespace kube-system of its Karmada, as both were when the
	// person asked; empty while it was not known, and where the Instance is made. Nothing is done with another one of that name.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.instanceUID cannot be changed"
	InstanceUID string `json:"instanceUID,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.karmadaUID cannot be changed"
	KarmadaUID string `json:"karmadaUID,omitempty"`
	// Cluster is the member that it is about.
	//
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.cluster cannot be changed"
	Cluster string `json:"cluster,omitempty"`
	// Object is the object that it is about, when it is about one of the instance or of a member.
	//
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.object cannot be changed"
	Object *OperationObject `json:"object,omitempty"`
	// Actor is the person who asked. All is done with their rights, which are looked up again at each step.
	//
	// +required
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.actor cannot be changed"
	Actor OperationActor `json:"actor"`
	// RequestID is the id of the request by which they asked, as the audit log has it.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.requestID cannot be changed"
	RequestID string `json:"requestID,omitempty"`
	// Cancel asks for it to be cancelled. It cannot be taken back.
	//
	// +optional
	Cancel bool `json:"cancel,omitempty"`
	// TTL is how long it is kept once it has ended; by default as long as the controller manager's option says.
	//
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.ttl cannot be changed"
	TTL *metav1.Duration `json:"ttl,omitempty"`

	// CreateInstance is the input of CreateInstance and AttachInstance.
	//
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.createInstance cannot be changed"
	CreateInstance *CreateInstanceInput `json:"createInstance,omitempty"`
	// DeleteInstance is the input of DeleteInstance.
	//
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.deleteInstance cannot be changed"
	DeleteInstance *DeleteInstanceInput `json:"deleteInstance,omitempty"`
	// JoinCluster is the input of JoinCluster.
	//
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.joinCluster cannot be changed"
	JoinCluster *JoinClusterInput `json:"joinCluster,omitempty"`
	// UnjoinCluster is the input of UnjoinCluster.
	//
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.unjoinCluster cannot be changed"
	UnjoinCluster *UnjoinClusterInput `json:"unjoinCluster,omitempty"`
	// PromoteResource is the input of PromoteResource.
	//
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.promoteResource cannot be changed"
	PromoteResource *PromoteResourceInput `json:"promoteResource,omitempty"`
}

// OperationKind says what an Operation does.
//
// +kubebuilder:validation:Enum=CreateInstance;AttachInstance;DeleteInstance;JoinCluster;UnjoinCluster;PromoteResource
type OperationKind string

// The kinds of an Operation.
const (
	// OperationCreateInstance installs a control plane.
	OperationCreateInstance OperationKind = "CreateInstance"
	// OperationAttachInstance attaches a control plane that somebody else runs.
	OperationAttachInstance OperationKind = "AttachInstance"
	// OperationDeleteInstance removes an instance, and the control plane as its deletion policy says.
	OperationDeleteInstance OperationKind = "DeleteInstance"
	// OperationJoinCluster joins a member cluster.
	OperationJoinCluster OperationKind = "JoinCluster"
	// OperationUnjoinCluster removes a member cluster.
	OperationUnjoinCluster OperationKind = "UnjoinCluster"
	// OperationPromoteResource takes a resource of a member into the federation.
	OperationPromoteResource OperationKind = "PromoteResource"
)

// OperationActor is a person as Kairship knows them.
type OperationActor struct {
	// Name with its origin: kairship:oidc:NAME or kairship:host:NAME.
	//
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule="!self.startsWith('system:')",message="spec.actor.name must not begin with 'system:'"
	Name string `json:"name"`
	// Groups that they had when they asked, with their origin.
	//
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=1024
	// +kubebuilder:validation:items:MaxLength=512
	Groups []string `json:"groups,omitempty"`
}

// OperationObject is an object of an instance, or of the member that spec.cluster names.
type OperationObject struct {
	// +required
	// +kubebuilder:validation:MaxLength=317
	APIVersion string `json:"apiVersion"`
	// +required
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`
	// +required
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// UID of the object that was meant; empty for any of that name.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=128
	UID string `json:"uid,omitempty"`
}

// CreateInstanceInput is the Instance that is to be. Of an attached one, the Operation owns a Secret of its own name in Kairship's
// namespace that holds the kubeconfig until the Instance has it.
type CreateInstanceInput struct {
	// Instance is its labels and its spec, as JSON: {"labels": …, "spec": …}. It is checked when the Instance is made.
	//
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=65536
	Instance string `json:"instance"`
}

// DeleteInstanceInput says which Instance is meant, and how sure the person is.
type DeleteInstanceInput struct {
	// UID of the Instance that was meant; empty for any of that name.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=128
	UID string `json:"uid,omitempty"`
	// Force deletes the control plane although clusters are joined.
	//
	// +optional
	Force bool `json:"force,omitempty"`
}

// JoinClusterInput says how a member cluster is joined. The Operation owns a Secret of its own name in Kairship's namespace that holds, until
// it has ended, the kubeconfig of the member for mode Push and the token of its registration for mode Pull.
type JoinClusterInput struct {
	// Mode is who reaches whom: Push, Karmada the member; Pull, an agent in the member Karmada.
	//
	// +required
	// +kubebuilder:validation:Enum=Push;Pull
	Mode string `json:"mode"`
	// Provider, Region and Zones say where the cluster is.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Provider string `json:"provider,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Region string `json:"region,omitempty"`
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MaxLength=63
	Zones []string `json:"zones,omitempty"`
	// Labels and Taints of the Cluster, for mode Push.
	//
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	Labels map[string]string `json:"labels,omitempty"`
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Taints []ClusterTaint `json:"taints,omitempty"`
	// TokenLifetime is how long the token of a registration may be used, for mode Pull; an hour by default, a day at most.
	//
	// +optional
	TokenLifetime *metav1.Duration `json:"tokenLifetime,omitempty"`
}

// ClusterTaint is a taint of a Cluster.
type ClusterTaint struct {
	// +required
	// +kubebuilder:validation:MaxLength=317
	Key string `json:"key"`
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Value string `json:"value,omitempty"`
	// +required
	// +kubebuilder:validation:Enum=NoSchedule;PreferNoSchedule;NoExecute
	Effect string `json:"effect"`
}

// UnjoinClusterInput says how a member cluster is removed.
type UnjoinClusterInput struct {
	// UID of the Cluster that was meant; empty for any of that name.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=128
	UID string `json:"uid,omitempty"`
	// Force removes a cluster that does not answer; what Karmada put there stays.
	//
	// +optional
	Force bool `json:"force,omitempty"`
}

// PromoteResourceInput says how spec.object, in the member spec.cluster, becomes part of the federation.
type PromoteResourceInput struct {
	// Dependencies are taken along: ConfigMaps, Secrets, claims, accounts and Services.
	//
	// +optional
	Dependencies bool `json:"dependencies,omitempty"`
	// Preserve leaves the objects in their cluster when they are deleted in the federation later.
	//
	// +optional
	Preserve bool `json:"preserve,omitempty"`
}

// OperationStatus is how far an Operation is.
type OperationStatus struct {
	// State sums it up.
	//
	// +optional
	State OperationState `json:"state,omitempty"`
	// Ending is what the state will be once what was made has been undone.
	//
	// +optional
	Ending OperationState `json:"ending,omitempty"`
	// Message says in words for people how it ended, or what it waits for. Never a secret.
	//
	// +optional
	Message string `json:"message,omitempty"`
	// Cancellable says whether it could be cancelled now.
	//
	// +optional
	Cancellable bool `json:"cancellable,omitempty"`
	// Steps in their order, each name once.
	//
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Steps []Step `json:"steps,omitempty"`
	// Made is what was made so far: each entry is written before the object is, so that no crash leaves one that nobody knows.
	//
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=256
	Made []MadeObject `json:"made,omitempty"`
	// Found is what steps found out and later ones need. Never a secret.
	//
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	Found map[string]string `json:"found,omitempty"`
	// StartedAt is when its first step began.
	//
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// FinishedAt is when it ended, however.
	//
	// +optional
	FinishedAt *metav1.Time `json:"finishedAt,omitempty"`
}

// OperationState sums an Operation up.
//
// +kubebuilder:validation:Enum=Pending;Running;Succeeded;Failed;Cancelled
type OperationState string

// The states of an Operation. The last three are for good.
const (
	OperationPending   OperationState = "Pending"
	OperationRunning   OperationState = "Running"
	OperationSucceeded OperationState = "Succeeded"
	OperationFailed    OperationState = "Failed"
	OperationCancelled OperationState = "Cancelled"
)

// Ended reports whether a state is for good.
func (s OperationState) Ended() bool {
	return s == OperationSucceeded || s == OperationFailed || s == OperationCancelled
}

// MadeObject is an object that an Operation made, or was about to make.
type MadeObject struct {
	// Where it is: "host" for the host cluster, "instance" for the control plane, else the name of a member as "cluster/NAME".
	//
	// +required
	// +kubebuilder:validation:MaxLength=300
	Where string `json:"where"`
	// +required
	// +kubebuilder:validation:MaxLength=317
	APIVersion string `json:"apiVersion"`
	// +required
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`
	// +required
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// UID of the object once it is known.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=128
	UID string `json:"uid,omitempty"`
}

// The values of MadeObject.Where, but for members.
const (
	MadeInHost     = "host"
	MadeInInstance = "instance"
	MadeInCluster  = "cluster/" // and the name of the member
)

// OperationList is a list of Operations.
//
// +kubebuilder:object:root=true
type OperationList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Operation `json:"items"`
}

// The keys of OperationStatus.Found by which it is said that another instance holds the cluster that is to join: the instance, and the cluster's name
// there. They are told to those who may know of that instance; messages do not name it.
const (
	FoundHolder = "holder"
	FoundHeldAs = "heldAs"
)
