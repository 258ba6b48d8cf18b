// Package v1alpha1 holds Kairship's own API, group kairship.io: what people write down about their
// Karmada instances, and what the controllers found out about them. It knows no client and no
// controller.
//
// The CustomResourceDefinitions in crds/ and the deep copies are generated from these types.
//
// +kubebuilder:object:generate=true
// +groupName=kairship.io
package v1alpha1

//go:generate go run -modfile=../../hack/tools/go.mod sigs.k8s.io/controller-tools/cmd/controller-gen object crd paths=. output:crd:dir=crds
