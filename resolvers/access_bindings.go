package resolvers

import (
	"context"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders"
)

func (r *Resolver) accessBindingPage(ctx context.Context, f *model.AccessBindingFilter, p model.Page) (*model.AccessBindingConnection, error) {
	rows := r.Bindings.AccessBindings(rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx))
	if f != nil {
		rows = slices.DeleteFunc(rows, func(b *model.AccessBinding) bool { return !matchesBinding(f, b) })
	}
	return loaders.PageOf("access bindings", "", rows, p, loaders.Sorted[*model.AccessBinding]{Name: func(b *model.AccessBinding) string { return b.Name }})
}

func matchesBinding(f *model.AccessBindingFilter, b *model.AccessBinding) bool {
	return (b.Instance == nil || in(f.Instances, *b.Instance)) && in(f.SubjectKinds, b.Subject.Kind) && in(f.Roles, b.Role) && in(f.Sources, b.Source) &&
		(f.SubjectContains == nil || strings.Contains(strings.ToLower(b.Subject.Name), strings.ToLower(*f.SubjectContains)))
}

// peoplePage is who has a role on an instance, as far as the viewer may see.
func (r *Resolver) peoplePage(ctx context.Context, instance string, p model.Page) (*model.PersonConnection, error) {
	known := map[model.AccessSubject]*model.Person{}
	var rows []*model.Person
	for _, b := range r.Bindings.AccessBindings(rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx)) {
		if b.Instance != nil && *b.Instance != instance {
			continue
		}
		person := known[b.Subject]
		if person == nil {
			person = &model.Person{Subject: b.Subject}
			known[b.Subject] = person
			rows = append(rows, person)
		}
		person.Bindings = append(person.Bindings, b)
	}
	// USER comes before GROUP: a person is who asks.
	return loaders.PageOf("people", instance, rows, p, loaders.Sorted[*model.Person]{Name: func(p *model.Person) string {
		if p.Subject.Kind == model.SubjectUser {
			return "0" + p.Subject.Name
		}
		return "1" + p.Subject.Name
	}})
}
