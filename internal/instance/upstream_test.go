package instance

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

func TestWhatIsProxiedIsAskedAsThePersonByTheGroupsThatAreBoundThere(t *testing.T) {
	f := &Fleet{cfg: Config{Clock: testclock.NewFakePassiveClock(now)}, instances: map[string]*entry{}}
	for _, name := range []string{"asia", "europe"} {
		f.instances[name] = &entry{object: &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}}, conn: follower(t, name, health{})}
	}
	europe, shop := scopes(t)
	owner := rbac.NewAuthorizer([]string{"kairship:oidc:book-club"}).Scope(mary)
	for name, c := range map[string]struct {
		scope rbac.Scope
		// in is the instances that may be asked, each by these groups.
		in map[string][]string
	}{
		"everything":  {owner, map[string][]string{"asia": {"kairship:oidc:book-club"}, "europe": {"kairship:oidc:book-club"}}},
		"an instance": {europe, map[string][]string{"europe": {"kairship:oidc:europeans"}}},
		"a namespace": {shop, map[string][]string{"asia": nil}},
		"nothing":     {rbac.Scope{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			holders, err := f.Holders(t.Context(), c.scope, "tokyo")
			if err != nil {
				t.Error(err)
			}
			for _, instance := range []string{"asia", "europe"} {
				groups, seen := c.in[instance]
				if slices.Contains(holders, instance) != seen {
					t.Errorf("the instances that have tokyo are %q", holders)
				}
				for _, cluster := range []string{"", "tokyo"} {
					cfg, err := f.Upstream(t.Context(), c.scope, mary, instance, cluster)
					if e := (*model.Error)(nil); !seen {
						if !errors.As(err, &e) || e.Code != model.CodeNotFound && e.Code != model.CodeForbidden {
							t.Errorf("%q of %s: %v", cluster, instance, err)
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(rest.ImpersonationConfig{UserName: mary.Name, Groups: groups}, cfg.Impersonate, cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("%q of %s (-want +got):\n%s", cluster, instance, diff)
					}
				}
			}
		})
	}
}
