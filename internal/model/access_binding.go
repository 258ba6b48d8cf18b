package model

import "time"

// SubjectKind is a person or a group.
type SubjectKind string

// The kinds of a subject.
const (
	SubjectUser  SubjectKind = "USER"
	SubjectGroup SubjectKind = "GROUP"
)

// AccessSubject is who has a role.
type AccessSubject struct {
	Kind SubjectKind
	// Name is with its origin: kairship:oidc:NAME or kairship:host:NAME.
	Name string
}

// AccessSource is where an access binding comes from.
type AccessSource string

// The sources of access bindings.
const (
	AccessFromKairship         AccessSource = "KAIRSHIP"
	AccessFromGlobalManagement AccessSource = "GLOBAL_MANAGEMENT"
	AccessFromManifest         AccessSource = "MANIFEST"
)

// AccessBinding gives a person or a group a role.
type AccessBinding struct {
	// Name is that of the AccessBinding in the host cluster.
	Name string
	// UID is that of the AccessBinding in the host cluster.
	UID     string
	Subject AccessSubject
	Role    string
	// RoleKind says whether every instance has the role.
	RoleKind RoleKind
	// Instance is nil for all instances.
	Instance *string
	// Namespaces are sorted; empty for all.
	Namespaces []string
	Source     AccessSource
	// SourceName is the source as global management calls it; nil for others.
	SourceName *string
	// GrantedBy is who gave it through Kairship; nil when that is not known.
	GrantedBy  *string
	CreatedAt  time.Time
	Conditions []Condition
}

// RoleKind says where a role comes from.
type RoleKind string

// The kinds of a role.
const (
	RoleBuiltIn RoleKind = "BUILT_IN"
	RoleCustom  RoleKind = "CUSTOM"
	// RoleUnknown is a role that does not exist, or that is refused: it gives no rights.
	RoleUnknown RoleKind = "UNKNOWN"
)

// IsNode marks the type as a GraphQL Node.
func (*AccessBinding) IsNode() {}

// ID is the global id of the binding.
func (b *AccessBinding) ID() string { return encodeID(idAccessBinding, b.Name) }

// AccessBindingFilter selects access bindings. Empty fields select all.
type AccessBindingFilter struct {
	Instances    []string
	SubjectKinds []SubjectKind
	// SubjectContains is part of the name of a subject.
	SubjectContains *string
	Roles           []string
	Sources         []AccessSource
}

// AccessBindingConnection is a page of access bindings.
type AccessBindingConnection = Connection[*AccessBinding]

// AccessBindingEdge is a row of it.
type AccessBindingEdge = Edge[*AccessBinding]

// Person is a person or a group with the roles they have on an instance.
type Person struct {
	Subject AccessSubject
	// Bindings give them the roles, by name.
	Bindings []*AccessBinding
}

// PersonConnection is a page of people.
type PersonConnection = Connection[*Person]

// PersonEdge is a row of it.
type PersonEdge = Edge[*Person]
