// Package event is the events of global management as values: decoding is strict and names what is wrong, and a
// binding may say only what the AccessBinding's definition allows. It is pure: package globalmanagement checks who
// sent an event, and applies it.
package event

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// Type says what an event changes.
type Type string

// The types of events.
const (
	// BindingUpserted: the bindings are to exist as the event says.
	BindingUpserted Type = "binding.upserted"
	// BindingRemoved: the bindings are to be removed, whatever their namespaces.
	BindingRemoved Type = "binding.removed"
	// SubjectRemoved: people or groups left; all their bindings of the source are to be removed.
	SubjectRemoved Type = "subject.removed"
	// SyncFull: these are all bindings of the source. Its other ones are to be removed.
	SyncFull Type = "sync.full"
)

// Types are all of them.
var Types = []Type{BindingUpserted, BindingRemoved, SubjectRemoved, SyncFull}

// Header is common to all events.
type Header struct {
	// ID identifies the event: sent again, it has the same id.
	ID   string `json:"id"`
	Type Type   `json:"type"`
	// Source names the sender, whose bindings the event is about.
	Source string `json:"source"`
	// Sequence increases by 1 with every event of the source.
	Sequence int64 `json:"sequence"`
}

// Event is one event.
type Event struct {
	Header
	// Bindings of all types but SubjectRemoved.
	Bindings []Binding `json:"bindings,omitempty"`
	// Subjects of SubjectRemoved.
	Subjects []Subject `json:"subjects,omitempty"`
	// ConfirmRemovals lets SyncFull remove most of the existing bindings.
	ConfirmRemovals bool `json:"confirmRemovals,omitempty"`
}

// Set is all bindings of a source, as it returns them when asked.
type Set struct {
	Source string `json:"source"`
	// Sequence is that of the last event whose change the set holds; 0 when there was none yet.
	Sequence int64 `json:"sequence"`
	// Bindings that are to exist.
	Bindings []Binding `json:"bindings"`
	// ConfirmRemovals lets the set remove most of the existing bindings.
	ConfirmRemovals bool `json:"confirmRemovals"`
}

// Subject is a person or a group, as in an AccessBinding.
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

// Scope is where a role applies.
type Scope struct {
	// Instance that it applies to; nil for all.
	Instance *string `json:"instance,omitempty"`
	// Namespaces that it is limited to; nil for no limit. An empty list is refused: it would grant more the less it
	// names.
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

// Spec returns the spec of the AccessBinding.
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
