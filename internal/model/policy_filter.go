package model

// PolicyFilter selects policies. Empty lists match everything.
type PolicyFilter struct {
	Kinds []PolicyKind
	// Namespaces leaves out the cluster-wide kinds when it is not empty.
	Namespaces   []string
	NameContains *string
	// LabelSelector is a Kubernetes selector.
	LabelSelector *string
	// Selects is evaluated by policy.CanSelect.
	Selects *PolicySelectsInput
}

// PolicySelectsInput describes an object that a policy can select; a nil field matches anything.
type PolicySelectsInput struct {
	APIVersion *string
	Kind       *string
	// Namespace is "" for cluster-scoped objects.
	Namespace *string
	Name      *string
}

// PolicyOrderField is what policies can be ordered by.
type PolicyOrderField string

// What policies can be ordered by.
const (
	PoliciesByName     PolicyOrderField = "NAME"
	PoliciesByCreation PolicyOrderField = "CREATED_AT"
)

// PolicyOrder is the order in which policies are listed.
type PolicyOrder struct {
	Field     PolicyOrderField
	Direction OrderDirection
}

// PolicyConnection is a page of policies.
type PolicyConnection = Connection[Policy]

// PolicyEdge is a row of a page of policies.
type PolicyEdge = Edge[Policy]
