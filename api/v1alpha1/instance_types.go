package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Instance is one Karmada control plane: where it is, and what Kairship keeps of it for reading.
//
// Its name becomes part of the names of its virtual clusters, where a dot separates the instance from
// the member; so the name itself has none.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=inst,categories=kairship
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Display name",type=string,JSONPath=".spec.displayName"
// +kubebuilder:printcolumn:name="Source",type=string,JSONPath=".spec.source"
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=".status.phase"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=".status.conditions[?(@.type == 'Ready')].status"
// +kubebuilder:printcolumn:name="Karmada",type=string,JSONPath=".status.karmadaVersion"
// +kubebuilder:printcolumn:name="Clusters",type=integer,JSONPath=".status.statistics.clusters.total"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=".status.conditions[?(@.type == 'Ready')].reason",priority=10
// +kubebuilder:printcolumn:name="Kubernetes",type=string,JSONPath=".status.kubernetesVersion",priority=10
// +kubebuilder:printcolumn:name="Nodes",type=integer,JSONPath=".status.statistics.nodes.total",priority=10
// +kubebuilder:printcolumn:name="Synced",type=integer,JSONPath=".status.virtualCluster.membersSynced",priority=10
// +kubebuilder:printcolumn:name="Read path",type=string,JSONPath=".status.conditions[?(@.type == 'ReadPathSynced')].reason",priority=10
// +kubebuilder:printcolumn:name="Access",type=string,JSONPath=".status.conditions[?(@.type == 'AccessApplied')].reason",priority=10
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() <= 48",message="metadata.name may have at most 48 characters"
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="metadata.name must be a DNS label: lower case letters, digits and '-', no dots"
type Instance struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec InstanceSpec `json:"spec"`
	// +optional
	Status InstanceStatus `json:"status,omitempty"`
}

// InstanceSpec is what a person says about an instance.
//
// +kubebuilder:validation:XValidation:rule="(self.source == 'Attached') == has(self.attached)",message="spec.attached is required when spec.source is Attached, and only then"
// +kubebuilder:validation:XValidation:rule="self.source == 'Managed' || !has(self.managed)",message="spec.managed is allowed only when spec.source is Managed"
// +kubebuilder:validation:XValidation:rule="self.source == 'Managed' || !has(self.deletionPolicy) || self.deletionPolicy == 'Orphan'",message="spec.deletionPolicy must be Orphan when spec.source is Attached: Kairship never deletes a control plane that it did not make"
type InstanceSpec struct {
	// Source says who runs the control plane. It cannot be changed.
	//
	// +required
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.source cannot be changed"
	Source InstanceSource `json:"source"`
	// DisplayName is the name that people see.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=128
	DisplayName string `json:"displayName,omitempty"`
	// Description says what the instance is for.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description,omitempty"`
	// Attached says how to reach a control plane that somebody else runs.
	//
	// +optional
	Attached *AttachedInstance `json:"attached,omitempty"`
	// Managed says what Kairship installs. What is left out is as the platform's operators set it for
	// all managed instances, else as Karmada's own operator has it.
	//
	// +optional
	Managed *ManagedInstance `json:"managed,omitempty"`
	// Settings turn features of Karmada on that need more than one object.
	//
	// +optional
	Settings *InstanceSettings `json:"settings,omitempty"`
	// DeletionPolicy says what becomes of the control plane when the Instance is deleted. By default
	// Cascade for a managed instance; an attached one is always left as it is.
	//
	// +optional
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`
	// Sync changes what is kept in the read store.
	//
	// +optional
	Sync *InstanceSync `json:"sync,omitempty"`
}

// InstanceSource says who runs the control plane of an instance.
//
// +kubebuilder:validation:Enum=Managed;Attached
type InstanceSource string

// The sources of an Instance.
const (
	// InstanceManaged is a control plane that Kairship installs, through the Karmada operator, and removes.
	InstanceManaged InstanceSource = "Managed"
	// InstanceAttached is a control plane that somebody else runs. Kairship never removes anything there
	// but what it made itself.
	InstanceAttached InstanceSource = "Attached"
)

// DeletionPolicy says what becomes of a control plane when its Instance is deleted.
//
// +kubebuilder:validation:Enum=Cascade;Orphan
type DeletionPolicy string

// The deletion policies.
const (
	// DeletionCascade removes the control plane with everything in it.
	DeletionCascade DeletionPolicy = "Cascade"
	// DeletionOrphan leaves the control plane running; only Kairship forgets it.
	DeletionOrphan DeletionPolicy = "Orphan"
)

// Deletion is the policy in force.
func (i *Instance) Deletion() DeletionPolicy {
	switch {
	case i.Spec.Source != InstanceManaged:
		return DeletionOrphan
	case i.Spec.DeletionPolicy == "":
		return DeletionCascade
	default:
		return i.Spec.DeletionPolicy
	}
}

// CredentialSecret names the Secret, in Kairship's own namespace, by which Kairship reaches the control
// plane. It is empty while a managed one has none yet.
func (i *Instance) CredentialSecret() string {
	switch {
	case i.Spec.Attached != nil:
		return i.Spec.Attached.KubeconfigSecretRef.Name
	case i.Status.KubeconfigSecretRef != nil:
		return i.Status.KubeconfigSecretRef.Name
	default:
		return ""
	}
}

// AttachedInstance is how to reach a control plane that somebody else runs.
type AttachedInstance struct {
	// KubeconfigSecretRef names a Secret in Kairship's own namespace whose key "kubeconfig" holds a
	// kubeconfig with an inline certificate authority and an inline client certificate or token.
	//
	// +required
	KubeconfigSecretRef SecretReference `json:"kubeconfigSecretRef"`
}

// KubeconfigKey is the key of a kubeconfig in the Secret that KubeconfigSecretRef names.
const KubeconfigKey = "kubeconfig"

// SecretReference names a Secret in Kairship's own namespace.
type SecretReference struct {
	// Name of the Secret.
	//
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`
}

// InstanceSync is what is kept in the read store, where it differs from the default.
type InstanceSync struct {
	// Kinds of the control plane, in place of the default ones. Namespaces and Karmada's bindings are
	// always kept: without them nothing else can be understood.
	//
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:XValidation:rule="self.all(k, !has(k.group) || k.group != 'cluster.karmada.io')",message="cluster.karmada.io cannot be kept in the read store: Kairship watches clusters itself"
	Kinds []SyncedResources `json:"kinds,omitempty"`
	// MemberKinds of every member cluster, in place of the default ones. Namespaces are always kept.
	//
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	MemberKinds []SyncedResources `json:"memberKinds,omitempty"`
}

// SyncedResources are resources of one API group.
//
// +kubebuilder:validation:XValidation:rule="(has(self.group) && self.group != \"\") || !('secrets' in self.resources)",message="secrets are never kept in the read store"
type SyncedResources struct {
	// Group is the API group; empty for the core group.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^([a-z0-9]([-.a-z0-9]*[a-z0-9])?)?$`
	Group string `json:"group,omitempty"`
	// Versions to keep; without any, those the API server prefers.
	//
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MaxLength=63
	// +kubebuilder:validation:items:Pattern=`^v[0-9a-z]+$`
	Versions []string `json:"versions,omitempty"`
	// Resources are plural names in lower case, such as "deployments". There is no wildcard: a kind
	// that appears later would not be found by one.
	//
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=63
	// +kubebuilder:validation:items:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Resources []string `json:"resources"`
}

// InstanceList is a list of Instances.
//
// +kubebuilder:object:root=true
type InstanceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Instance `json:"items"`
}
