package actions

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Access is who has which role, and changes it.
type Access interface {
	// Roles are the names of the roles that can be given.
	Roles() []string
	// AccessBinding is one that somebody may see; nil when there is none.
	AccessBinding(p auth.Principal, s rbac.Scope, name string) *model.AccessBinding
	// Given is how many roles on an instance somebody has given.
	Given(by, instance string) int
	// OtherOwners reports whether somebody is an owner when a binding is gone.
	OtherOwners(without string) bool
	// Create and Delete write to the host cluster as Kairship.
	Create(ctx context.Context, b *v1alpha1.AccessBinding, dryRun bool) (*model.AccessBinding, error)
	Delete(ctx context.Context, checked *model.AccessBinding, dryRun bool) error
}

const (
	// maxSubject is the longest name of a subject, in bytes.
	maxSubject = 253
	// maxNamespaces is the most namespaces that a role can be limited to.
	maxNamespaces = 256
	// maxGiven is how many roles on an instance somebody may have given who is no owner: every one of them is known to the
	// control plane and its members, whose lists have an end.
	maxGiven = 200
)

// GrantAccess gives a person or a group a role.
type GrantAccess struct {
	Subject model.AccessSubject
	Role    string
	// Instance is empty for all.
	Instance string
	// Namespaces are empty for all.
	Namespaces []string
	DryRun     bool
}

// Verb names the action.
func (a *GrantAccess) Verb() string { return "grantAccess" }

// Target returns the binding that is to be.
func (a *GrantAccess) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{Instance: a.Instance, GVK: v1alpha1.AccessBindingKind, Name: a.name()}, Field: "instance", DryRun: a.DryRun}, nil
}

// Allowed is for those who have all rights where the role is to hold, so that nobody gives more than they have.
func (a *GrantAccess) Allowed(call *Call) error {
	if call.Scope.Grants(a.Instance, a.Namespaces) {
		return nil
	}
	return errNotYours(a.Instance, "give")
}

// errNotYours says who may change roles on an instance.
func errNotYours(instance, verb string) error {
	if instance == "" {
		return &model.Error{Code: model.CodeForbidden, Message: "only owners may " + verb + " a role on all instances"}
	}
	return &model.Error{Code: model.CodeForbidden, Instance: instance,
		Message: fmt.Sprintf("only those with the role Admin on instance %q may %s roles there, and only where they are Admin themselves: in all of it, or in their namespaces", instance, verb)}
}

// Do returns the binding. One that is the same is a CONFLICT.
func (a *GrantAccess) Do(ctx context.Context, call *Call) (*model.AccessBinding, []model.UserError, error) {
	if err := a.check(call); err != nil {
		return nil, nil, err
	}
	if !call.Scope.All() && call.Access.Given(call.Viewer.Name, a.Instance) >= maxGiven {
		return nil, nil, &model.Error{Code: model.CodeLimitExceeded, Instance: a.Instance,
			Message: fmt.Sprintf("you have given %d roles on instance %q already; take some, give one to a group, or ask an owner", maxGiven, a.Instance)}
	}
	call.Entry.Note(fmt.Sprintf("%s to %s %s, namespaces %q", a.Role, strings.ToLower(string(a.Subject.Kind)), a.Subject.Name, a.sorted()))
	kind := v1alpha1.SubjectUser
	if a.Subject.Kind == model.SubjectGroup {
		kind = v1alpha1.SubjectGroup
	}
	b := &v1alpha1.AccessBinding{
		ObjectMeta: metav1.ObjectMeta{Name: a.name(), Annotations: map[string]string{rbac.AnnotationGrantedBy: call.Viewer.Name},
			Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship}},
		Spec: v1alpha1.AccessBindingSpec{
			Subject: v1alpha1.AccessSubject{Kind: kind, Name: a.Subject.Name}, Role: v1alpha1.AccessRole(a.Role),
			Scope: v1alpha1.AccessScope{Instance: a.Instance, Namespaces: a.sorted()},
		},
	}
	out, err := call.Access.Create(ctx, b, a.DryRun)
	if e := (*model.Error)(nil); errors.As(err, &e) && e.Code == model.CodeConflict {
		if e.Retryable {
			return nil, []model.UserError{{Code: string(model.CodeConflict), Field: []string{"input", "subject"},
				Message: fmt.Sprintf("%s had the role %s there, by access binding %q, and %s", a.Subject.Name, a.Role, a.name(), e.Message)}}, nil
		}
		return nil, []model.UserError{{Code: string(model.CodeConflict), Field: []string{"input", "subject"},
			Message: fmt.Sprintf("%s has the role %s there already, by access binding %q", a.Subject.Name, a.Role, a.name())}}, nil
	}
	return out, nil, err
}

// hasOrigin reports whether a name has an origin that people can come from.
func hasOrigin(name string) bool {
	return slices.ContainsFunc([]auth.Origin{auth.OriginOIDC, auth.OriginHost}, func(o auth.Origin) bool {
		return strings.HasPrefix(name, fmt.Sprintf("kairship:%s:", o))
	})
}

// check names the field that is wrong.
func (a *GrantAccess) check(call *Call) error {
	if call.Access == nil {
		return errNoAccess
	}
	name := a.Subject.Name
	switch {
	case name == "" || len(name) > maxSubject:
		return model.BadInput("subject", "name: has %d bytes; 1 to %d are allowed", len(name), maxSubject)
	case auth.CheckGroups([]string{name}) != nil || !hasOrigin(name):
		return model.BadInput("subject", "name: %q does not say its origin: write kairship:oidc:NAME or kairship:host:NAME", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return model.BadInput("subject", "name: %q holds a control character, which the name of nobody does", name)
	case (v1alpha1.AccessSubject{Name: name}).Padded():
		return model.BadInput("subject", "name: %q begins or ends with white space", name)
	}
	if roles := call.Access.Roles(); !slices.Contains(roles, a.Role) {
		return model.BadInput("role", "%.100q is no role; there are %s (Admin on all instances makes an owner)", a.Role, strings.Join(roles, ", "))
	}
	if len(a.Namespaces) > maxNamespaces {
		return model.BadInput("namespaces", "are %d; at most %d are allowed", len(a.Namespaces), maxNamespaces)
	}
	for _, n := range a.Namespaces {
		if len(validation.IsDNS1123Label(n)) > 0 {
			return model.BadInput("namespaces", "%.*q is not the name of a namespace", validation.DNS1123LabelMaxLength+1, n)
		}
	}
	return nil
}

func (a *GrantAccess) sorted() []string {
	return slices.Compact(slices.Sorted(slices.Values(a.Namespaces)))
}

// name is the same for what gives the same role to the same subject in the same place, so that nobody gets it twice.
func (a *GrantAccess) name() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", a.Subject.Kind, a.Subject.Name, a.Role, a.Instance, a.sorted()))
	return "grant-" + strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:15]))
}

var errNoAccess = &model.Error{Code: model.CodeUnavailable, Message: "this server does not change who has which role"}

// Kept is the binding.
func (a *GrantAccess) Kept(b *model.AccessBinding) any { return b }

// Again returns the binding as it was made.
func (a *GrantAccess) Again(_ context.Context, _ *Call, kept []byte) (b *model.AccessBinding, err error) {
	err = json.Unmarshal(kept, &b)
	return b, err
}
