// Package event is what global management tells Kairship, as values: decoding is strict and names what is
// wrong, and what a binding may say is what the AccessBinding's definition allows, and no more. It is pure:
// who sent an event, and what becomes of it, is package hooks' business.
package event

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// Type is what an event tells.
type Type string

// The types of events.
const (
	// BindingUpserted: bindings are to be there as the event says.
	BindingUpserted Type = "binding.upserted"
	// BindingRemoved: bindings are to go, whatever their namespaces.
	BindingRemoved Type = "binding.removed"
	// SubjectRemoved: people or groups left, and with them all their bindings of the source.
	SubjectRemoved Type = "subject.removed"
	// SyncFull: these are all bindings of the source. Others that it made are to go.
	SyncFull Type = "sync.full"
)

// Types are all of them.
var Types = []Type{BindingUpserted, BindingRemoved, SubjectRemoved, SyncFull}

// Header is what every event says of itself.
type Header struct {
	// ID tells events apart: the same one sent again has the same id.
	ID   string `json:"id"`
	Type Type   `json:"type"`
	// Source names who says so, and whose bindings the event is about.
	Source string `json:"source"`
	// Sequence is 1 more with every event of the source.
	Sequence int64 `json:"sequence"`
}

// Event is one event.
type Event struct {
	Header
	// Bindings of all types but SubjectRemoved.
	Bindings []Binding `json:"bindings,omitempty"`
	// Subjects of SubjectRemoved.
	Subjects []Subject `json:"subjects,omitempty"`
	// ConfirmRemovals says that SyncFull may remove most of what is there.
	ConfirmRemovals bool `json:"confirmRemovals,omitempty"`
}

// Set is all bindings of a source, as it answers when it is asked.
type Set struct {
	Source string `json:"source"`
	// Sequence is that of the last event whose change the set holds; 0 when there was none yet.
	Sequence int64 `json:"sequence"`
	// Bindings that there are to be.
	Bindings []Binding `json:"bindings"`
	// ConfirmRemovals says that the set may remove most of what is there.
	ConfirmRemovals bool `json:"confirmRemovals"`
}

// Subject is a person or a group, as of an AccessBinding.
type Subject struct {
	// Kind is User or Group.
	Kind string `json:"kind"`
	// Name with its origin: kairship:oidc:NAME or kairship:host:NAME.
	Name string `json:"name"`
}

// Binding gives a subject a role. Subject, role and instance are its identity.
type Binding struct {
	Subject Subject `json:"subject"`
	// Role is Admin, Editor, Viewer, or the name of a role of the operators.
	Role  string `json:"role"`
	Scope Scope  `json:"scope,omitzero"`
}

// Scope is where a role holds.
type Scope struct {
	// Instance that it holds on; nil for all.
	Instance *string `json:"instance,omitempty"`
	// Namespaces that it is limited to; nil for no limit. What is empty is refused: it would give more
	// the less it names.
	Namespaces []string `json:"namespaces,omitempty"`
}

// NamePrefix begins the name of every AccessBinding that the hook makes.
const NamePrefix = "global-management-"

// Name is that of the AccessBinding for a binding of a source: the same for the same subject, role and
// instance, whatever the namespaces.
func (b *Binding) Name(source string) string {
	instance := ""
	if b.Scope.Instance != nil {
		instance = *b.Scope.Instance
	}
	h := sha256.New()
	for _, part := range []string{source, b.Subject.Kind, b.Subject.Name, b.Role, instance} {
		// The lengths keep parts from running into each other.
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return NamePrefix + hex.EncodeToString(h.Sum(nil)[:16])
}

// Spec is that of the AccessBinding.
func (b *Binding) Spec() v1alpha1.AccessBindingSpec {
	spec := v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: b.Subject.Kind, Name: b.Subject.Name},
		Role:    v1alpha1.AccessRole(b.Role),
	}
	if b.Scope.Instance != nil {
		spec.Scope.Instance = *b.Scope.Instance
	}
	if len(b.Scope.Namespaces) > 0 {
		spec.Scope.Namespaces = slices.Clone(b.Scope.Namespaces)
		slices.Sort(spec.Scope.Namespaces)
	}
	return spec
}
