package pedia_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

var (
	secrets = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	spaces  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

// roleIn is the scope of somebody who has a role in each of some places.
func roleIn(t *testing.T, role v1alpha1.AccessRole, places ...v1alpha1.AccessScope) rbac.Scope {
	t.Helper()
	var bindings []v1alpha1.AccessBinding
	for _, place := range places {
		bindings = append(bindings, bound(role, place))
	}
	return scopeOf(bindings...)
}

func bound(role v1alpha1.AccessRole, place v1alpha1.AccessScope) v1alpha1.AccessBinding {
	return v1alpha1.AccessBinding{Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:mary"}, Role: role, Scope: place}}
}

func scopeOf(bindings ...v1alpha1.AccessBinding) rbac.Scope {
	a := rbac.NewAuthorizer(nil)
	a.SetBindings(rbac.NewBindings(bindings, nil))
	return a.Scope(auth.NewPrincipal("oidc", "mary", nil))
}

func in(instance string, namespaces ...string) v1alpha1.AccessScope {
	return v1alpha1.AccessScope{Instance: instance, Namespaces: namespaces}
}

// kingdom is rows of three kinds in three instances and a member.
func kingdom() []pediatest.Row {
	var out []pediatest.Row
	for _, cluster := range []string{"kairship.a", "kairship.a.m", "kairship.a-b", "kairship.c"} {
		for _, namespace := range []string{"pay", "shop", "shop-2"} {
			out = append(out, pediatest.Row{Row: sql.Row{Cluster: cluster, GVR: spaces, Raw: []byte(row(cluster, "", namespace))}, Kind: "Namespace"})
			for _, name := range []string{"api", "web"} {
				out = append(out,
					pediatest.Row{Row: sql.Row{Cluster: cluster, GVR: deployments, Raw: []byte(row(cluster, namespace, name))}, Kind: "Deployment"},
					pediatest.Row{Row: sql.Row{Cluster: cluster, GVR: secrets, Raw: []byte(row(cluster, namespace, name))}, Kind: "Secret"})
			}
		}
	}
	return out
}

// What a scope may see is the same by pages, counts, keys and groups.
func TestNobodyReadsWhatTheirRolesDoNotShow(t *testing.T) {
	clusters := []string{"kairship.a", "kairship.a.m", "kairship.a-b", "kairship.c", "someone.else"}
	open, _ := standIn(t, kingdom())
	for name, c := range map[string]struct {
		scope rbac.Scope
		// sees is the places that are seen, of deployments.
		sees []string
	}{
		"all of one instance": {roleIn(t, v1alpha1.RoleViewer, in("a")), []string{"a pay", "a shop", "a shop-2", "a.m pay", "a.m shop", "a.m shop-2"}},
		"a namespace of one":  {roleIn(t, v1alpha1.RoleViewer, in("a", "shop")), []string{"a shop", "a.m shop"}},
		"namespaces of two":   {roleIn(t, v1alpha1.RoleViewer, in("a", "shop"), in("a-b", "pay", "shop-2")), []string{"a shop", "a-b pay", "a-b shop-2", "a.m shop"}},
		"one and a part":      {roleIn(t, v1alpha1.RoleViewer, in("c"), in("a", "pay")), []string{"a pay", "a.m pay", "c pay", "c shop", "c shop-2"}},
		"a namespace of all":  {roleIn(t, v1alpha1.RoleViewer, in("", "pay")), []string{"a pay", "a-b pay", "a.m pay", "c pay"}},
		"twice the same":      {roleIn(t, v1alpha1.RoleViewer, in("a", "pay"), in("a", "pay")), []string{"a pay", "a.m pay"}},
		"a part and all":      {roleIn(t, v1alpha1.RoleViewer, in("a", "pay"), in("a")), []string{"a pay", "a shop", "a shop-2", "a.m pay", "a.m shop", "a.m shop-2"}},
		"no such instance":    {roleIn(t, v1alpha1.RoleViewer, in("z")), nil},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, gvrs := range map[string][]schema.GroupVersionResource{"one kind": one(deployments), "with what is hidden": one(deployments, secrets)} {
				q := sql.Query{Scope: c.scope, GVRs: gvrs, Clusters: clusters[:4], Limit: 100}
				list, err := pedia.Fetch(t.Context(), open, q, decodeKey)
				if c.sees == nil {
					if e := (*model.Error)(nil); !errors.As(err, &e) || e.Code != model.CodeForbidden {
						t.Errorf("%s: error %v", kind, err)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", kind, err)
				}
				if diff := cmp.Diff(c.sees, placesOf(list.Positions)); diff != "" {
					t.Errorf("%s: -want +got:\n%s", kind, diff)
				}
			}
			if c.sees == nil {
				return
			}
			n, err := pedia.Count(t.Context(), open, sql.Query{Scope: c.scope, GVRs: one(deployments, secrets), Clusters: clusters[:4]})
			if err != nil || n == nil || *n != 2*len(c.sees) {
				t.Errorf("count %v, %v, want %d", n, err, 2*len(c.sees))
			}
			var keys []sql.Key
			var groups []sql.Group
			for _, r := range kingdom() {
				_, k, _ := decodeKey(r.Row)
				k.Cluster, k.GVR = r.Cluster, r.GVR
				if k.GVR != spaces {
					keys = append(keys, k)
					groups = append(groups, sql.Group{GVR: k.GVR, Cluster: k.Cluster, Where: []sql.Condition{sql.Namespaces(k.Namespace)}})
				}
			}
			found, err := pedia.FetchKeys(t.Context(), open, sql.Query{Scope: c.scope}, keys, decodeKey)
			if err != nil || len(found) != 2*len(c.sees) {
				t.Errorf("%d keys, %v, want %d", len(found), err, 2*len(c.sees))
			}
			lists, err := pedia.FetchGroups(t.Context(), open, sql.Query{Scope: c.scope, Groups: groups, Limit: 9}, decodeKey)
			if err != nil || len(lists) != len(groups) {
				t.Fatalf("%d lists: %v", len(lists), err)
			}
			for i, list := range lists {
				for _, p := range list.Positions {
					if !slices.Contains(c.sees, placeOf(p)) || p.GVR != groups[i].GVR || p.Cluster != groups[i].Cluster || p.GVR == secrets {
						t.Errorf("group %v has %v", groups[i], p)
					}
				}
			}
			named, err := pedia.Fetch(t.Context(), open, sql.Query{Scope: c.scope, GVRs: one(spaces), Clusters: clusters[:4], Limit: 100}, decodeKey)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range named.Positions {
				got = append(got, fmt.Sprint(p.Cluster[len(pediacluster.Prefix):], " ", p.Name))
			}
			if diff := cmp.Diff(c.sees, got); diff != "" {
				t.Errorf("namespaces: -want +got:\n%s", diff)
			}
		})
	}
}

// A kind that is shown in one instance is not shown, counted or told of in another one where it is hidden.
func TestAKindThatIsShownElsewhereIsHidden(t *testing.T) {
	open, _ := standIn(t, kingdom())
	q := sql.Query{Scope: scopeOf(bound(v1alpha1.RoleViewer, in("a")), bound(v1alpha1.RoleAdmin, in("c"))), // Secrets are for Admins
		GVRs: one(deployments, secrets), Clusters: []string{"kairship.a", "kairship.c"}, Limit: 100, Count: true}
	const want = 6 + 6 + 6
	list, err := pedia.Fetch(t.Context(), open, q, decodeKey)
	if err != nil || len(list.Rows) != want || *list.Total != want {
		t.Fatalf("%+v, %v; want %d rows in all", list, err, want)
	}
	for _, p := range list.Positions {
		if p.Cluster == "kairship.a" && p.GVR == secrets {
			t.Errorf("a Secret was shown: %v", p)
		}
	}
	if n, err := pedia.Count(t.Context(), open, q); err != nil || *n != want {
		t.Errorf("%v are counted, %v; want %d", n, err, want)
	}
	if n, exact, err := pedia.Estimate(t.Context(), open, q); err != nil || !exact || *n != want {
		t.Errorf("%v are estimated, exactly %v, %v; want %d exactly", n, exact, err, want)
	}
}

func TestAFilterCannotReachBeyondARole(t *testing.T) {
	open, _ := standIn(t, kingdom())
	for name, where := range map[string]sql.Condition{
		"another namespace": sql.Namespaces("shop-2"), "either of two": sql.Any(sql.Namespaces("shop-2"), sql.Names("api")), "not mine": sql.Not(sql.Namespaces("shop")),
	} {
		for _, scope := range []rbac.Scope{roleIn(t, v1alpha1.RoleEditor, in("a", "shop")), roleIn(t, v1alpha1.RoleEditor, in("a", "shop"), in("c", "pay"))} {
			q := sql.Query{Scope: scope, GVRs: one(deployments), Clusters: []string{"kairship.a", "kairship.c"}, Where: []sql.Condition{where}, Limit: 100}
			list, err := pedia.Fetch(t.Context(), open, q, decodeKey)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list.Positions {
				if place := placeOf(p); place != "a shop" && place != "c pay" {
					t.Errorf("%s: %v", name, p)
				}
			}
		}
	}
}

func placeOf(p sql.Position) string {
	return fmt.Sprint(p.Cluster[len(pediacluster.Prefix):], " ", p.Namespace)
}

// placesOf is each place once, in order.
func placesOf(positions []sql.Position) []string {
	var out []string
	for _, p := range positions {
		out = append(out, placeOf(p))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
