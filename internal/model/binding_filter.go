package model

// ResourceBindingFilter selects bindings. Empty lists match everything.
type ResourceBindingFilter struct {
	Namespaces   []string
	Kinds        []string
	NameContains *string
	Clusters     []string
}
