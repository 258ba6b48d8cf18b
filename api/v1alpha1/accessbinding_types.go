package v1alpha1

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AccessBinding gives a person or a group a role on one instance or on all, in some of their namespaces
// or in all.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=abind,categories=kairship
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Subject",type=string,JSONPath=".spec.subject.name"
// +kubebuilder:printcolumn:name="Role",type=string,JSONPath=".spec.role"
// +kubebuilder:printcolumn:name="Instance",type=string,JSONPath=".spec.scope.instance"
// +kubebuilder:printcolumn:name="Namespaces",type=string,JSONPath=".spec.scope.namespaces"
// +kubebuilder:printcolumn:name="Applied",type=string,JSONPath=".status.conditions[?(@.type == 'Applied')].status"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
type AccessBinding struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec AccessBindingSpec `json:"spec"`
	// +optional
	Status AccessBindingStatus `json:"status,omitempty"`
}

// AccessBindingSpec says who may do what, and where.
type AccessBindingSpec struct {
	// Subject is who.
	//
	// +required
	Subject AccessSubject `json:"subject"`
	// Role is what they may do: Admin, Editor or Viewer, or the name of a ClusterRole of the host
	// cluster that is labelled kairship.io/role=true.
	//
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self in ['Admin', 'Editor', 'Viewer'] || self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="spec.role must be Admin, Editor, Viewer, or the name of a ClusterRole labelled kairship.io/role=true: lower case letters, digits and '-'"
	Role AccessRole `json:"role"`
	// Scope is where; by default everywhere.
	//
	// +optional
	Scope AccessScope `json:"scope,omitempty"`
}

// AccessRole names a role.
type AccessRole string

// The roles that every instance has.
const (
	// RoleAdmin may do everything in its scope.
	RoleAdmin AccessRole = "Admin"
	// RoleEditor may change everything in its scope but permissions and member clusters.
	RoleEditor AccessRole = "Editor"
	// RoleViewer may read everything in its scope but Secrets.
	RoleViewer AccessRole = "Viewer"
)

// AccessSubject is a person or a group.
//
// +kubebuilder:validation:XValidation:rule="!self.name.startsWith('system:')",message="spec.subject.name must not begin with 'system:': such names are Kubernetes' own"
// +kubebuilder:validation:XValidation:rule="self.name.trim() == self.name && (!self.name.matches('^kairship:(oidc|host):') || self.name.substring(14).trim() == self.name.substring(14))",message="spec.subject.name must not begin or end with white space, nor may what follows its origin: two names that look the same would be two people"
type AccessSubject struct {
	// Kind is User or Group.
	//
	// +required
	// +kubebuilder:validation:Enum=User;Group
	Kind string `json:"kind"`
	// Name with its origin, as Kairship knows people: kairship:oidc:NAME or kairship:host:NAME.
	//
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// Padded says whether the name, or what of it follows its origin, begins or ends with white space. Headers lose
// it on their way, so that such a name would become somebody else's.
func (s AccessSubject) Padded() bool {
	rest := s.Name
	if of, ours := strings.CutPrefix(s.Name, "kairship:"); ours {
		_, rest, _ = strings.Cut(of, ":")
	}
	return strings.TrimSpace(s.Name) != s.Name || strings.TrimSpace(rest) != rest
}

// The kinds of a subject.
const (
	SubjectUser  = "User"
	SubjectGroup = "Group"
)

// AccessScope is where a role holds.
type AccessScope struct {
	// Instance that it holds on; empty for all.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=48
	// +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$`
	Instance string `json:"instance,omitempty"`
	// Namespaces that it is limited to; empty for no limit.
	//
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=256
	// +kubebuilder:validation:items:MaxLength=63
	// +kubebuilder:validation:items:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Namespaces []string `json:"namespaces,omitempty"`
}

// AccessBindingStatus says where a binding is in force.
type AccessBindingStatus struct {
	// ObservedGeneration is the generation that the status is about.
	//
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Conditions: Applied is True when the binding is in force in every instance of its scope.
	//
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// Instances of its scope, each with whether it is in force there.
	//
	// +optional
	// +listType=map
	// +listMapKey=name
	Instances []AccessApplication `json:"instances,omitempty"`
}

// AccessApplication is whether a binding is in force in one instance.
type AccessApplication struct {
	// Name of the instance.
	//
	// +required
	Name string `json:"name"`
	// Applied says whether it is in force in the Karmada, which then takes it to the members: of them this
	// says nothing.
	//
	// +required
	Applied bool `json:"applied"`
	// Message says why not, or what is left out, such as a namespace that is not there yet.
	//
	// +optional
	Message string `json:"message,omitempty"`
}

// AccessBindingList is a list of AccessBindings.
//
// +kubebuilder:object:root=true
type AccessBindingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []AccessBinding `json:"items"`
}
