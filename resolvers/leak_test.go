package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/karmada-io/karmada/pkg/util/names"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// Nothing that a person may not see makes a difference to what they are told: for every field of every type
// they get the same answer, errors and counts included, as in a world in which what is hidden from them is not
// there. The fields are those of the schema, so that a new one cannot escape.

// vault is what a second namespace holds, beside all that the first one does, and what of the first one points
// there.
const vault = `
{apiVersion: v1, kind: Event, metadata: {namespace: shop, name: about-vault}, type: Warning, reason: R, message: M, lastTimestamp: "2026-01-02T00:00:00Z",
  involvedObject: {apiVersion: apps/v1, kind: Deployment, namespace: vault, name: hidden-cart, uid: Deployment/hidden-cart}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {namespace: shop, name: child, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: hidden-cart, uid: Deployment/hidden-cart, controller: true}]},
  spec: {replicas: 1, serviceName: hidden-cart, template: {metadata: {labels: {app: hidden-cart}}}}}
`

// forged is an object whose owner claims that Karmada put it there from a namespace that is not theirs.
const forged = `
{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: forged, labels: {app: forged},
    annotations: {work.karmada.io/name: WORK, work.karmada.io/namespace: karmada-es-MEMBER, resourcetemplate.karmada.io/uid: Deployment/hidden-cart}},
  spec: {replicas: 1, template: {metadata: {labels: {app: forged}}}}}
`

// wholeWorld is the world, with a second namespace in every place.
func wholeWorld(tb testing.TB) []pediatest.Row {
	tb.Helper()
	out := world(tb)
	seen := map[string]bool{}
	add := func(cluster, text string) {
		for _, r := range documents(tb, cluster, text) {
			if key := r.Cluster + r.Kind + string(r.Raw); !seen[key] {
				seen[key] = true
				out = append(out, r)
			}
		}
	}
	inVault := func(text string, replace ...string) string {
		// Cluster-wide objects of the world are there already.
		var docs []string
		for _, doc := range strings.Split(text, "\n---\n") {
			if strings.Contains(doc, "namespace: shop") || strings.Contains(doc, "kind: Namespace,") || strings.Contains(doc, "kind: Work,") {
				docs = append(docs, doc)
			}
		}
		text = strings.NewReplacer(replace...).Replace(strings.Join(docs, "\n---\n"))
		return strings.NewReplacer("shop", "vault", "p1", "v1id", "everywhere", "hidden-policy", "image,", "hidden-override,").Replace(text)
	}
	for _, instance := range []string{"asia", "europe"} {
		host := pediacluster.OfInstance(instance)
		add(host, inVault(controlPlane))
		add(host, vault)
		for _, app := range []string{"hidden-cart", "hidden-till"} {
			work := names.GenerateWorkName("Deployment", app, "vault")
			add(host, inVault(perApp, "APP", app))
			for _, member := range []string{"member-00", "member-01"} {
				add(host, inVault(perWork, "APP", app, "MEMBER", member, "WORK", work))
				add(pediacluster.OfMember(instance, member), inVault(perMember, "APP", app, "MEMBER", member, "WORK", work))
				if app == "hidden-cart" {
					add(pediacluster.OfMember(instance, member), strings.NewReplacer("MEMBER", member, "WORK", work).Replace(forged))
				}
			}
		}
	}
	return out
}

// onlooker is somebody who may see a part of the world.
type onlooker struct {
	name     string
	bindings []v1alpha1.AccessBinding
	// sees says which rows are for them, by their place.
	sees func(place) bool
}

// place is where a row stands.
type place struct{ instance, member, kind, namespace, name string }

func placeOf(tb testing.TB, r pediatest.Row) place {
	tb.Helper()
	var o struct {
		Metadata struct{ Namespace, Name string }
	}
	if err := json.Unmarshal(r.Raw, &o); err != nil {
		tb.Fatal(err)
	}
	instance, member, _ := pediacluster.Parse(r.Cluster)
	return place{instance, member, r.Kind, o.Metadata.Namespace, o.Metadata.Name}
}

// ofShop says whether a row is for whoever has a role in namespace shop. A Work is for those who see what it
// carries.
func ofShop(p place) bool {
	switch p.kind {
	case "Namespace":
		return p.name == "shop"
	case "Work":
		return !strings.HasPrefix(p.name, "hidden-")
	}
	return p.namespace == "shop"
}

func onlookers() []onlooker {
	bound := func(role v1alpha1.AccessRole, instance string, namespaces ...string) v1alpha1.AccessBinding {
		return v1alpha1.AccessBinding{Spec: v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:mary"},
			Role: role, Scope: v1alpha1.AccessScope{Instance: instance, Namespaces: namespaces}}}
	}
	return []onlooker{
		{"an editor of a namespace", []v1alpha1.AccessBinding{bound(v1alpha1.RoleEditor, "asia", "shop")}, func(p place) bool { return p.instance == "asia" && ofShop(p) }},
		{"a viewer of a namespace everywhere", []v1alpha1.AccessBinding{bound(v1alpha1.RoleViewer, "", "shop")}, ofShop},
		{"a viewer of an instance", []v1alpha1.AccessBinding{bound(v1alpha1.RoleViewer, "europe")}, func(p place) bool { return p.instance == "europe" }},
		{"a viewer here and an editor of a part there", []v1alpha1.AccessBinding{bound(v1alpha1.RoleViewer, "europe"), bound(v1alpha1.RoleEditor, "asia", "shop")},
			func(p place) bool { return p.instance == "europe" || ofShop(p) }},
		{"a viewer here and a lister of Deployments there", []v1alpha1.AccessBinding{bound(v1alpha1.RoleViewer, "europe"), bound("lister", "asia")}, func(p place) bool {
			return p.instance == "europe" || p.instance == "asia" && (p.kind == "Deployment" || p.kind == "Work")
		}},
		{"a lister of Deployments", []v1alpha1.AccessBinding{bound("lister", "asia")}, func(p place) bool {
			return p.instance == "asia" && (p.kind == "Deployment" || p.kind == "Work")
		}},
		{"a stranger", nil, func(place) bool { return false }},
	}
}

// lister is a role of the operators.
var lister = rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "lister", Labels: map[string]string{v1alpha1.LabelRole: "true"}},
	Rules: []rbacv1.PolicyRule{{Verbs: []string{"get", "list"}, APIGroups: []string{"apps"}, Resources: []string{"deployments"}}}}

func (o *onlooker) identify(ctx context.Context) context.Context {
	return holder(lister, o.bindings...)(ctx)
}

// holder is mary, with some roles, of which one is the operators'.
func holder(custom rbacv1.ClusterRole, bindings ...v1alpha1.AccessBinding) func(context.Context) context.Context {
	a := rbac.NewAuthorizer(nil)
	a.SetBindings(rbac.NewBindings(bindings, []rbacv1.ClusterRole{custom}))
	return func(ctx context.Context) context.Context {
		return a.NewContext(ctx, auth.NewPrincipal("oidc", "mary", nil))
	}
}

func TestWhatIsHiddenMakesNoDifference(t *testing.T) {
	whole, seed := wholeWorld(t), schematest.Seed(t)
	for _, who := range onlookers() {
		t.Run(who.name, func(t *testing.T) {
			t.Parallel()
			var seen []pediatest.Row
			var hidden []place
			for _, r := range whole {
				if p := placeOf(t, r); who.sees(p) {
					seen = append(seen, r)
				} else {
					hidden = append(hidden, p)
				}
			}
			full, bare := newUpstreamsOf(t, whole), newUpstreamsOf(t, seen)
			full.identify, bare.identify = who.identify, who.identify
			full.wait, bare.wait = time.Millisecond, time.Millisecond
			random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // the same again for the same seed
			// With the race detector a part is asked for, another one in each run.
			leftOut := func() bool { return raceDetector && random.IntN(4) > 0 }
			asked, answered := 0, 0
			same := func(query string) bool {
				asked++
				a, b := full.ask(t, query, nil), bare.ask(t, query, nil)
				if a.Data != nil {
					answered++
				}
				a.calls, b.calls = nil, nil
				return cmp.Equal(a, b, cmp.AllowUnexported(told{}), sortedErrors)
			}
			for _, instance := range []string{"asia", "europe"} {
				walk := schematest.Load(t, arguments(instance), entries(instance))
				for _, typeName := range walk.Types() {
					if leftOut() {
						continue
					}
					for _, entry := range walk.Entries(typeName) {
						var selections []string
						for _, f := range walk.Fields(typeName) {
							if selection, ok := walk.Select(typeName, f); ok {
								selections = append(selections, selection)
							}
						}
						if same(entry.Query(strings.Join(selections, " "))) {
							continue
						}
						for _, selection := range selections {
							if query := entry.Query(selection); !same(query) {
								a, b := full.ask(t, query, nil), bare.ask(t, query, nil)
								t.Errorf("%s\n-without what is hidden +with it:\n%s", query, cmp.Diff([]any{b.Data, b.Errors}, []any{a.Data, a.Errors}))
							}
						}
					}
				}
			}
			// By name, one by one.
			for _, p := range hidden {
				if leftOut() {
					continue
				}
				for _, query := range byName(p) {
					if !same(query) {
						t.Errorf("%+v is told apart from what is not there: %s\n%+v", p, query, full.ask(t, query, nil))
					}
				}
			}
			t.Logf("%d questions, %d with data, %d rows hidden of %d; %s=%d asks the same again", asked, answered, len(hidden), len(whole), schematest.SeedVariable, seed)
			least := 450
			if raceDetector {
				least = 50
			}
			if answered < least || len(hidden) < 50 {
				t.Error("the walk has lost its way")
			}
		})
	}
}

// sortedErrors compares errors whatever their order, and whichever row of a page told them: fields are resolved at
// the same time, and one failed request is one error, at the row that asked first.
var sortedErrors = cmp.Transformer("sorted", func(errs []toldError) []string {
	var out []string
	for _, e := range errs {
		var fields []any
		for _, step := range e.Path {
			if _, index := step.(float64); !index {
				fields = append(fields, step)
			}
		}
		out = append(out, fmt.Sprint(fields, e.Extensions.Code, e.Message))
	}
	slices.Sort(out)
	return out
})

// byName asks for an object in every way that there is.
func byName(p place) []string {
	gvk := kinds[p.kind]
	ref := model.Ref{Instance: p.instance, Cluster: p.member, GVK: gvk, Namespace: p.namespace, Name: p.name}
	at := fmt.Sprintf("instance(name: %q)", p.instance)
	if p.member != "" {
		at += fmt.Sprintf("{cluster(name: %q)", p.member)
	}
	out := []string{
		fmt.Sprintf("{node(id: %q){id __typename}}", ref.ID()),
		fmt.Sprintf("{nodes(ids: [%q]){id __typename}}", ref.ID()),
		fmt.Sprintf("{%s{resource(apiVersion: %q, kind: %q, namespace: %q, name: %q){id}}}%s", at, gvk.GroupVersion().String(), gvk.Kind, p.namespace, p.name, strings.Repeat("}", strings.Count(at, "{"))),
	}
	if p.member == "" {
		out = append(out, fmt.Sprintf("{search(text: %q){totalCount nodes{id}}}", p.name))
	}
	return out
}

// kinds are those of the world.
var kinds = map[string]schema.GroupVersionKind{}

func init() {
	for _, kind := range []string{"policy.karmada.io/v1alpha1 ClusterOverridePolicy", "policy.karmada.io/v1alpha1 ClusterPropagationPolicy", "policy.karmada.io/v1alpha1 OverridePolicy",
		"policy.karmada.io/v1alpha1 PropagationPolicy", "work.karmada.io/v1alpha2 ResourceBinding", "work.karmada.io/v1alpha1 Work", "autoscaling.karmada.io/v1alpha1 CronFederatedHPA",
		"autoscaling.karmada.io/v1alpha1 FederatedHPA", "v1 ConfigMap", "v1 Event", "v1 Namespace", "v1 Node", "v1 Pod", "v1 Service", "apps/v1 ControllerRevision",
		"apps/v1 DaemonSet", "apps/v1 Deployment", "apps/v1 ReplicaSet", "apps/v1 StatefulSet", "batch/v1 CronJob", "batch/v1 Job"} {
		apiVersion, name, _ := strings.Cut(kind, " ")
		kinds[name] = schema.FromAPIVersionAndKind(apiVersion, name)
	}
}
