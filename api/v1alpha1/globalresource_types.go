package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// GlobalResource is what the platform's global management sees of an instance: that it is there, what
// it is called, and which roles people can be bound to on it. Kairship keeps one for every Instance.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=gres,categories=kairship
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Kind",type=string,JSONPath=".spec.kind"
// +kubebuilder:printcolumn:name="Resource",type=string,JSONPath=".spec.name"
// +kubebuilder:printcolumn:name="Display name",type=string,JSONPath=".spec.displayName"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
type GlobalResource struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec GlobalResourceSpec `json:"spec"`
	// +optional
	Status GlobalResourceStatus `json:"status,omitempty"`
}

// GlobalResourceSpec is what Kairship tells global management.
type GlobalResourceSpec struct {
	// Kind of the resource; Instance for those that Kairship keeps. It cannot be changed.
	//
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.kind cannot be changed"
	Kind string `json:"kind"`
	// Name of the resource. It cannot be changed.
	//
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.name cannot be changed"
	Name string `json:"name"`
	// DisplayName is the name that people see.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=128
	DisplayName string `json:"displayName,omitempty"`
	// Roles that people can be bound to on the resource.
	//
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	Roles []GlobalRole `json:"roles,omitempty"`
}

// GlobalRole is a role that people can be bound to.
type GlobalRole struct {
	// Name of the role, as an AccessBinding gives it.
	//
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`
	// Description says what the role allows.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description,omitempty"`
	// Namespaced says whether the role can be limited to namespaces.
	//
	// +optional
	Namespaced bool `json:"namespaced,omitempty"`
}

// GlobalResourceStatus is what global management answers.
type GlobalResourceStatus struct {
	// Conditions are set by global management. The condition Registered, where there is one, becomes
	// that of the Instance.
	//
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// GlobalResourceList is a list of GlobalResources.
//
// +kubebuilder:object:root=true
type GlobalResourceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []GlobalResource `json:"items"`
}
