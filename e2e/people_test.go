package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// idTokenOf is the ID token of one of the playground's people, from its OpenID Connect provider.
func idTokenOf(t *testing.T, person string) string {
	t.Helper()
	return strings.TrimSpace(fleetDo(t, "token", person))
}

// surroundings is what somebody sees of the fleet.
type surroundings struct {
	Viewer    struct{ Name string }
	Instances struct {
		Nodes []struct {
			Name       string
			Statistics *struct{ Clusters struct{ Total int } }
			Namespaces struct {
				TotalCount int
				Nodes      []struct{ Name string }
			}
			Workloads struct {
				TotalCount int
				Nodes      []struct{ Namespace, Name string }
			}
		}
	}
}

const surroundingsQuery = `{viewer{name} instances{nodes{name statistics{clusters{total}} namespaces(first:200){totalCount nodes{name}} workloads(first:200){totalCount nodes{namespace name}}}}}`

func (s *surroundings) namespaces(instance string) []string {
	var out []string
	for _, i := range s.Instances.Nodes {
		if i.Name == instance {
			for _, n := range i.Namespaces.Nodes {
				out = append(out, n.Name)
			}
		}
	}
	slices.Sort(out)
	return out
}

func seenBy(t *testing.T, bearer string) (s surroundings) {
	t.Helper()
	out := askAs(t, bearer, surroundingsQuery, nil)
	if len(out.Errors) > 0 {
		t.Fatalf("errors: %+v", out.Errors)
	}
	if err := json.Unmarshal(out.Data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPeopleSeeWhatTheirRolesShow(t *testing.T) {
	whole(t)
	for _, c := range []struct {
		person string
		sees   map[string][]string // namespaces by instance; nil for all
		counts bool
	}{
		{"owner", map[string][]string{"asia": nil, "europe": nil}, true},
		{"editor", map[string][]string{"asia": {"payments", "shop"}}, false},
		{"viewer", map[string][]string{"europe": nil}, true},
	} {
		t.Run(c.person, func(t *testing.T) {
			bearer := idTokenOf(t, c.person)
			var all, got surroundings
			// What other tests made may leave the read store between the two answers.
			eventually(t, time.Minute, func() error {
				all, got = seenBy(t, token), seenBy(t, bearer)
				for in, namespaces := range c.sees {
					if diff := cmp.Diff(all.namespaces(in), got.namespaces(in)); namespaces == nil && diff != "" {
						return fmt.Errorf("%s: namespaces -administrator +%s:\n%s", in, c.person, diff)
					}
				}
				return nil
			})
			if want := "kairship:oidc:" + c.person; got.Viewer.Name != want {
				t.Errorf("it is %q, want %q", got.Viewer.Name, want)
			}
			if len(got.Instances.Nodes) != len(c.sees) {
				t.Errorf("%d instances, want %d", len(got.Instances.Nodes), len(c.sees))
			}
			for i, in := range got.Instances.Nodes {
				namespaces, sees := c.sees[in.Name]
				if !sees {
					t.Fatalf("instance %q is seen", in.Name)
				}
				if namespaces == nil {
					namespaces = all.namespaces(in.Name)
				}
				if diff := cmp.Diff(namespaces, got.namespaces(in.Name)); diff != "" || in.Namespaces.TotalCount != len(namespaces) {
					t.Errorf("%s: %d namespaces, -want +got:\n%s", in.Name, in.Namespaces.TotalCount, diff)
				}
				if (in.Statistics != nil) != c.counts {
					t.Errorf("%s: what is counted over all namespaces: %v", in.Name, in.Statistics)
				}
				if in.Workloads.TotalCount != len(in.Workloads.Nodes) || len(in.Workloads.Nodes) == 0 {
					t.Errorf("%s: %d workloads of %d", in.Name, len(in.Workloads.Nodes), in.Workloads.TotalCount)
				}
				for _, w := range got.Instances.Nodes[i].Workloads.Nodes {
					if !slices.Contains(namespaces, w.Namespace) {
						t.Errorf("%s: %s/%s is seen", in.Name, w.Namespace, w.Name)
					}
				}
			}
		})
	}
	t.Run("stranger", func(t *testing.T) {
		out := askAs(t, idTokenOf(t, "stranger"), surroundingsQuery, nil)
		if len(out.Errors) != 1 || out.Errors[0].Extensions.Code != "FORBIDDEN" || len(out.Data) > 0 && string(out.Data) != "null" {
			t.Errorf("got %s, %+v", out.Data, out.Errors)
		}
	})
}

func TestPeopleAreToldWhatTheyMayDo(t *testing.T) {
	whole(t)
	type access struct {
		All, Scale, Elsewhere, Nodes bool
		Secrets                      []string
		Roles                        []struct{ Name string }
	}
	const query = `query($i: String!){instance(name:$i){access{all roles{name} scale:may(verb:PATCH,group:"apps",resource:"deployments",namespace:"shop")
		elsewhere:may(verb:PATCH,group:"apps",resource:"deployments",namespace:"platform") nodes:may(verb:LIST,resource:"nodes") secrets:namespaces(verb:GET,resource:"secrets")}}}`
	for _, c := range []struct {
		person, instance string
		want             access
	}{
		{"owner", "asia", access{All: true, Scale: true, Elsewhere: true, Nodes: true, Roles: []struct{ Name string }{{"Owner"}}}},
		{"editor", "asia", access{Scale: true, Secrets: []string{"payments", "shop"}, Roles: []struct{ Name string }{{"Editor"}}}},
		{"viewer", "europe", access{Nodes: true, Secrets: []string{}, Roles: []struct{ Name string }{{"Viewer"}}}},
	} {
		var data struct{ Instance struct{ Access access } }
		out := askAs(t, idTokenOf(t, c.person), query, map[string]any{"i": c.instance})
		if err := json.Unmarshal(out.Data, &data); err != nil || len(out.Errors) > 0 {
			t.Fatalf("%s: %v %+v", c.person, err, out.Errors)
		}
		if diff := cmp.Diff(c.want, data.Instance.Access); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.person, diff)
		}
	}
}

// Karmada itself decides what a person may write.
func TestAnEditorWritesInTheirNamespacesOnly(t *testing.T) {
	whole(t)
	bearer := idTokenOf(t, "editor")
	apply := func(namespace string) []struct {
		Outcome string
		Error   *struct{ Code, Message string }
	} {
		var data struct {
			ApplyManifests struct {
				Documents []struct {
					Outcome string
					Error   *struct{ Code, Message string }
				}
			}
		}
		manifest := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: %s, name: e2e-editor}\ndata: {a: b}\n", namespace)
		out := askAs(t, bearer, `mutation($m: String!) { applyManifests(input: {instance: "asia", manifests: $m, dryRun: true}) { documents { outcome error { code message } } } }`, map[string]any{"m": manifest})
		if len(out.Errors) > 0 {
			t.Fatalf("errors: %+v", out.Errors)
		}
		if err := json.Unmarshal(out.Data, &data); err != nil {
			t.Fatal(err)
		}
		return data.ApplyManifests.Documents
	}
	if got := apply("shop"); len(got) != 1 || got[0].Outcome != "CREATED" {
		t.Errorf("in a namespace of theirs: %+v", got)
	}
	if got := apply("platform"); len(got) != 1 || got[0].Outcome != "FAILED" || got[0].Error == nil || got[0].Error.Code != "FORBIDDEN" || !strings.Contains(got[0].Error.Message, "kairship:oidc:editor") {
		t.Errorf("in another: %+v", got)
	}
}

func TestARightThatIsTakenIsGoneAtOnce(t *testing.T) {
	whole(t)
	bindings := karmada(t, "host").Resource(schema.GroupVersionResource{Group: "kairship.io", Version: "v1alpha1", Resource: "accessbindings"})
	bearer := idTokenOf(t, "stranger")
	create(t, "host", schema.GroupVersionResource{Group: "kairship.io", Version: "v1alpha1", Resource: "accessbindings"}, `
apiVersion: kairship.io/v1alpha1
kind: AccessBinding
metadata: {name: e2e-stranger}
spec:
  subject: {kind: User, name: "kairship:oidc:stranger"}
  role: Viewer
  scope: {instance: asia, namespaces: [shop]}
`)
	code := func() string {
		if out := askAs(t, bearer, `{instance(name:"asia"){workloads(first:1){nodes{name}}}}`, nil); len(out.Errors) > 0 {
			return out.Errors[0].Extensions.Code
		}
		return ""
	}
	eventually(t, 10*time.Second, func() error {
		if got := code(); got != "" {
			return fmt.Errorf("the role is there, and the answer is %s", got)
		}
		return nil
	})
	if err := bindings.Delete(t.Context(), "e2e-stranger", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	took := eventually(t, 5*time.Second, func() error {
		if got := code(); got != "FORBIDDEN" {
			return fmt.Errorf("the role is gone, and the answer is %q", got)
		}
		return nil
	})
	t.Logf("gone after %s", took)
}
