package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of the types in this package.
var GroupVersion = schema.GroupVersion{Group: "kairship.io", Version: "v1alpha1"}

// Where the kinds that Kairship cannot work without are served.
var (
	InstanceResource      = GroupVersion.WithResource("instances")
	AccessBindingResource = GroupVersion.WithResource("accessbindings")
	OperationResource     = GroupVersion.WithResource("operations")
)

// The kinds of this group.
var (
	InstanceKind       = GroupVersion.WithKind("Instance")
	GlobalResourceKind = GroupVersion.WithKind("GlobalResource")
	AccessBindingKind  = GroupVersion.WithKind("AccessBinding")
	OperationKindGVK   = GroupVersion.WithKind("Operation")
)

// AddToScheme registers the types with a scheme.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&Instance{}, &InstanceList{},
		&GlobalResource{}, &GlobalResourceList{},
		&AccessBinding{}, &AccessBindingList{},
		&Operation{}, &OperationList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
