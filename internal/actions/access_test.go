package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// roles are who has which role, and what was to be changed of that.
type roles struct {
	*rbac.Authorizer
	done []string
}

func (r *roles) Create(_ context.Context, b *v1alpha1.AccessBinding, _ bool) (*model.AccessBinding, error) {
	r.done = append(r.done, "give "+b.Spec.Subject.Name+" "+string(b.Spec.Role)+" in "+b.Spec.Scope.Instance+" "+strings.Join(b.Spec.Scope.Namespaces, ","))
	return r.ModelOf(b), nil
}

func (r *roles) Delete(_ context.Context, b *model.AccessBinding, _ bool) error {
	r.done = append(r.done, "take "+b.Name)
	return nil
}

func bound(name, subject string, role v1alpha1.AccessRole, instance string, namespaces ...string) v1alpha1.AccessBinding {
	return v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:" + subject}, Role: role, Scope: v1alpha1.AccessScope{Instance: instance, Namespaces: namespaces}}}
}

func rolesOf() *roles {
	outside := bound("outside", "vera", v1alpha1.RoleViewer, "asia")
	outside.Labels = map[string]string{v1alpha1.LabelGlobalManagement: "ghippo"}
	a := rbac.NewAuthorizer(nil)
	a.SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{
		bound("olgas", "olga", v1alpha1.RoleAdmin, ""), bound("adas", "ada", v1alpha1.RoleAdmin, "asia"), bound("nicks", "nick", v1alpha1.RoleAdmin, "asia", "shop"),
		bound("eds", "ed", v1alpha1.RoleEditor, "asia"), outside,
	}, nil))
	return &roles{Authorizer: a}
}

// of is somebody's context.
func of(t *testing.T, r *roles, who string) context.Context {
	t.Helper()
	return r.NewContext(request.NewContext(t.Context(), request.Info{ID: "r-1"}), auth.NewPrincipal(auth.OriginOIDC, who, nil))
}

// said is what an action is answered: codes with their fields, or what was done.
func said(r *roles, problems []model.UserError, err error) string {
	e := (*model.Error)(nil)
	if errors.As(err, &e) {
		return string(e.Code)
	}
	for _, p := range problems {
		return p.Code + " " + strings.Join(p.Field, ".")
	}
	return strings.Join(r.done, "; ")
}

func TestNobodyGivesMoreThanTheyHave(t *testing.T) {
	const forbidden = "FORBIDDEN"
	for _, tc := range []struct {
		who, subject, role, instance string
		namespaces                   []string
		want                         string
	}{
		{"olga", "kairship:oidc:bob", "Admin", "", nil, "give kairship:oidc:bob Admin in  "},
		{"ada", "kairship:oidc:bob", "Admin", "asia", nil, "give kairship:oidc:bob Admin in asia "},
		{"ada", "kairship:oidc:bob", "Viewer", "", nil, forbidden},
		{"nick", "kairship:oidc:bob", "Editor", "asia", []string{"shop"}, "give kairship:oidc:bob Editor in asia shop"},
		{"nick", "kairship:oidc:bob", "Viewer", "asia", nil, forbidden},
		{"nick", "kairship:oidc:bob", "Viewer", "asia", []string{"shop", "pay"}, forbidden},
		{"ed", "kairship:oidc:bob", "Viewer", "asia", []string{"shop"}, forbidden},
		{"ada", "kairship:oidc:bob", "Viewer", "europe", nil, "NOT_FOUND input.instance"},
		{"ada", "bob", "Viewer", "asia", nil, "BAD_USER_INPUT input.subject"},
		{"ada", "system:masters", "Viewer", "asia", nil, "BAD_USER_INPUT input.subject"},
		{"ada", "kairship:other:bob", "Viewer", "asia", nil, "BAD_USER_INPUT input.subject"},
		{"ada", "kairship:oidc:bob\nann", "Viewer", "asia", nil, "BAD_USER_INPUT input.subject"},
		{"ada", "kairship:oidc: bob", "Viewer", "asia", nil, "BAD_USER_INPUT input.subject"},
		{"ada", "kairship:oidc:" + strings.Repeat("b", 300), "Viewer", "asia", nil, "BAD_USER_INPUT input.subject"},
		{"ada", "kairship:oidc:bob", "cluster-admin", "asia", nil, "BAD_USER_INPUT input.role"},
		{"ada", "kairship:oidc:bob", "Viewer", "asia", []string{""}, "BAD_USER_INPUT input.namespaces"},
		{"ada", "kairship:oidc:bob", "Viewer", "asia", make([]string, 300), "BAD_USER_INPUT input.namespaces"},
	} {
		_, r := start(t)
		access := rolesOf()
		r.Access = access
		_, problems, err := Run(of(t, access, tc.who), r, &GrantAccess{Subject: model.AccessSubject{Kind: model.SubjectUser, Name: tc.subject}, Role: tc.role, Instance: tc.instance, Namespaces: tc.namespaces}, nil)
		if got := said(access, problems, err); got != tc.want {
			t.Errorf("%s gives %.30q %s in %.3q of %q: %q, want %q", tc.who, tc.subject, tc.role, tc.namespaces, tc.instance, got, tc.want)
		}
	}
}

func TestSomebodyMayGiveOnlySoManyRoles(t *testing.T) {
	var given []v1alpha1.AccessBinding
	for i := range maxGiven {
		b := bound(fmt.Sprint("b", i), fmt.Sprint("somebody-", i), v1alpha1.RoleViewer, "asia", "shop")
		b.Annotations = map[string]string{rbac.AnnotationGrantedBy: "kairship:oidc:nick"}
		given = append(given, b)
	}
	for who, want := range map[string]string{"nick": "LIMIT_EXCEEDED", "ada": "give kairship:oidc:bob Viewer in asia shop", "olga": "give kairship:oidc:bob Viewer in asia shop"} {
		_, r := start(t)
		access := rolesOf()
		access.SetBindings(rbac.NewBindings(append(given, bound("olgas", "olga", v1alpha1.RoleAdmin, ""), bound("adas", "ada", v1alpha1.RoleAdmin, "asia"), bound("nicks", "nick", v1alpha1.RoleAdmin, "asia", "shop")), nil))
		r.Access = access
		_, problems, err := Run(of(t, access, who), r, &GrantAccess{Subject: model.AccessSubject{Kind: model.SubjectUser, Name: "kairship:oidc:bob"}, Role: "Viewer", Instance: "asia", Namespaces: []string{"shop"}}, nil)
		if got := said(access, problems, err); got != want {
			t.Errorf("%s: %q, want %q", who, got, want)
		}
	}
}

func TestNobodyTakesWhatTheyCouldNotGive(t *testing.T) {
	for _, tc := range []struct{ who, binding, want string }{
		{"olga", "adas", "take adas"}, {"ada", "nicks", "take nicks"}, {"ada", "eds", "take eds"},
		{"nick", "nicks", "take nicks"}, // his own, in his namespace
		{"ed", "eds", "FORBIDDEN"},
		{"nick", "adas", "NOT_FOUND input.id"}, {"ed", "adas", "NOT_FOUND input.id"}, {"olga", "nobodys", "NOT_FOUND input.id"},
		{"ada", "olgas", "FORBIDDEN"},
		{"olga", "olgas", "BAD_USER_INPUT input.id"}, // the last owner's
		{"ada", "outside", "BAD_USER_INPUT input.id"},
	} {
		_, r := start(t)
		access := rolesOf()
		r.Access = access
		_, problems, err := Run(of(t, access, tc.who), r, &RevokeAccess{ID: (&model.AccessBinding{Name: tc.binding}).ID()}, nil)
		if got := said(access, problems, err); got != tc.want {
			t.Errorf("%s takes %s: %q, want %q", tc.who, tc.binding, got, tc.want)
		}
	}
}
