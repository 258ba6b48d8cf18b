package model

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// NamespacePhase is how far a namespace is in its life.
type NamespacePhase string

// The phases of a namespace.
const (
	NamespaceActive       NamespacePhase = "ACTIVE"
	NamespaceTerminating  NamespacePhase = "TERMINATING"
	NamespacePhaseUnknown NamespacePhase = "UNKNOWN"
)

// Namespace is a namespace of a control plane or of a member.
type Namespace struct {
	Object

	Phase NamespacePhase
	// Conditions is sorted by type; mostly what keeps it from going away.
	Conditions []Condition
}

// NamespaceCounts is how much is in a namespace.
type NamespaceCounts struct {
	// Workloads counts the five kinds.
	Workloads int
	// Policies counts PropagationPolicies and OverridePolicies.
	Policies int
}

// NamespaceFilter says which namespaces. Empty lists match everything.
type NamespaceFilter struct {
	NameContains  *string
	LabelSelector *string
	Names         []string
}

// Validate says which field of the filter can match nothing because it is malformed.
func (f *NamespaceFilter) Validate() error {
	if f == nil {
		return nil
	}
	if err := validNamePart(f.NameContains); err != nil {
		return err
	}
	return validSelector(f.LabelSelector)
}

// validNamePart refuses what no name of a Kubernetes object contains; nil is all right.
func validNamePart(s *string) error {
	if s == nil {
		return nil
	}
	if n := len(*s); n > maxNameLength {
		return BadInput("nameContains", "has %d characters, at most %d are allowed", n, maxNameLength)
	}
	if i := strings.IndexFunc(*s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.'
	}); i >= 0 {
		return BadInput("nameContains", "holds %q; lower-case letters, digits, '-' and '.' are allowed", fmt.Sprintf("%.1s", (*s)[i:]))
	}
	return nil
}

// validSelector refuses what is no Kubernetes label selector; nil is all right.
func validSelector(s *string) error {
	if s == nil {
		return nil
	}
	if _, err := labels.Parse(*s); err != nil {
		return BadInput("labelSelector", "%v", err)
	}
	return nil
}

// NamespaceOrderField is what namespaces can be ordered by.
type NamespaceOrderField string

// What namespaces can be ordered by.
const (
	NamespacesByName     NamespaceOrderField = "NAME"
	NamespacesByCreation NamespaceOrderField = "CREATED_AT"
)

// NamespaceOrder says in which order namespaces are listed.
type NamespaceOrder struct {
	Field     NamespaceOrderField
	Direction OrderDirection
}

// NamespaceConnection is a page of namespaces.
type NamespaceConnection = Connection[*Namespace]

// NamespaceEdge is a row of a page of namespaces.
type NamespaceEdge = Edge[*Namespace]
