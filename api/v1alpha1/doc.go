// Package v1alpha1 holds Kairship's own API, group kairship.io: what people write down about their
// Karmada instances, and what the controllers found out about them. It knows no client and no
// controller.
//
// The CustomResourceDefinitions in crds/ and the deep copies are generated from these types by `make generate`.
//
// +kubebuilder:object:generate=true
// +groupName=kairship.io
package v1alpha1
