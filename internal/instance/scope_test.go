package instance

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// mary is seen by her instances with the group by which she has a role there, not with the other one.
var mary = auth.NewPrincipal("oidc", "mary", []string{"book-club", "europeans"})

// scopes of mary's: all of europe by a group, or a namespace of asia by her name.
func scopes(t *testing.T) (europe, shop rbac.Scope) {
	t.Helper()
	of := func(kind, name, instance string, namespaces ...string) rbac.Scope {
		a := rbac.NewAuthorizer(nil)
		a.SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{{Spec: v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: kind, Name: name},
			Role: v1alpha1.RoleViewer, Scope: v1alpha1.AccessScope{Instance: instance, Namespaces: namespaces}}}}, nil))
		return a.Scope(mary)
	}
	return of(v1alpha1.SubjectGroup, "kairship:oidc:europeans", "europe"), of(v1alpha1.SubjectUser, mary.Name, "asia", "shop")
}

func TestAnInstanceIsForThoseWhoMaySeeItAndItsNumbersForThoseWhoMaySeeAllOfIt(t *testing.T) {
	f := &Fleet{cfg: Config{Clock: testclock.NewFakePassiveClock(now)}, instances: map[string]*entry{}}
	for _, name := range []string{"asia", "europe"} {
		f.instances[name] = &entry{object: &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: v1alpha1.InstanceStatus{
			Statistics: &v1alpha1.InstanceStatistics{Clusters: v1alpha1.ReadyCount{Total: 3}}}}}
	}
	europe, shop := scopes(t)
	for name, c := range map[string]struct {
		scope rbac.Scope
		// sees is the instances, and whether their numbers are told.
		sees map[string]bool
		// otherwise is the error about any other.
		otherwise model.Code
	}{
		"everything":  {rbac.NewAuthorizer([]string{"kairship:oidc:book-club"}).Scope(mary), map[string]bool{"asia": true, "europe": true}, model.CodeNotFound},
		"an instance": {europe, map[string]bool{"europe": true}, model.CodeNotFound},
		"a namespace": {shop, map[string]bool{"asia": false}, model.CodeNotFound},
		"nothing":     {rbac.Scope{}, map[string]bool{}, model.CodeForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			listed, named := map[string]bool{}, map[string]bool{}
			for _, i := range f.Instances(c.scope) {
				listed[i.Name] = i.Statistics != nil
			}
			for _, name := range []string{"asia", "europe", "mars"} {
				i, err := f.Instance(c.scope, name)
				if err == nil {
					named[name] = i.Statistics != nil
					continue
				}
				if e := (*model.Error)(nil); !errors.As(err, &e) || e.Code != c.otherwise {
					t.Errorf("%s: %v", name, err)
				}
				if _, other := f.Connection(c.scope, name); other == nil || other.Error() != err.Error() {
					t.Errorf("a connection to %s: %v", name, other)
				}
			}
			if diff := cmp.Diff(c.sees, listed); diff != "" {
				t.Errorf("in the list (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.sees, named); diff != "" {
				t.Errorf("by name (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAReadIsMadeByThoseWhoMaySeeTheInstanceAndByTheGroupsThatAreBoundThere(t *testing.T) {
	europe, shop := scopes(t)
	for name, c := range map[string]struct {
		scope    rbac.Scope
		instance string
		groups   []string
		code     model.Code
	}{
		"by a group":               {europe, "europe", []string{"kairship:oidc:europeans"}, ""},
		"by name":                  {shop, "asia", nil, ""},
		"elsewhere":                {shop, "europe", nil, model.CodeForbidden},
		"elsewhere than a group's": {europe, "asia", nil, model.CodeForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			for _, cluster := range []string{"", "tokyo"} {
				cfg, err := follower(t, c.instance, health{}).Reader(t.Context(), c.scope, mary, cluster)
				if e := (*model.Error)(nil); c.code != "" {
					if !errors.As(err, &e) || e.Code != c.code {
						t.Errorf("of %q: %v", cluster, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(rest.ImpersonationConfig{UserName: mary.Name, Groups: c.groups}, cfg.Impersonate); diff != "" {
					t.Errorf("of %q (-want +got):\n%s", cluster, diff)
				}
			}
		})
	}
}
