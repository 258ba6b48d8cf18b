package model

// ResourceBindingFilter says which bindings. Empty lists match everything.
type ResourceBindingFilter struct {
	Namespaces   []string
	Kinds        []string
	NameContains *string
	Clusters     []string
}
