package resolvers_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/resolvers"
)

// Kinds that are not held are named: what there is of them goes with the namespace, too.
func TestTheDeletionOfANamespaceNamesKindsThatAreNotHeld(t *testing.T) {
	u := newUpstreams(t)
	id := model.Ref{Instance: "asia", Name: "shop", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}}.ID()
	query := fmt.Sprintf(`{previewDeletion(ids:[%q]){items{goes{kind count} findings{code message}}}}`, id)
	for _, tc := range []struct {
		name  string
		fails func(upstreamCall) bool
		named bool
	}{
		{"all are held", nil, false},
		{"one is not", func(c upstreamCall) bool { return c.upstream == readSync && c.what[0] == "configmaps" }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := u.ask(t, query, tc.fails)
			said := fmt.Sprint(got.Data)
			if len(got.Errors) > 0 || !strings.Contains(said, "kind:Deployment") {
				t.Fatalf("%s %v", said, got.Errors)
			}
			if named := strings.Contains(said, "not counted here: ConfigMap."); named != tc.named || strings.Contains(said, "kind:ConfigMap") == tc.named {
				t.Errorf("ConfigMaps are named as not counted: %t, want %t: %s", named, tc.named, said)
			}
		})
	}
}

// upstreamsWith are upstreams that hold only these objects, in asia.
func upstreamsWith(t *testing.T, objects ...string) *upstreams {
	t.Helper()
	var rows []pediatest.Row
	if len(objects) > 0 {
		rows = documents(t, pediacluster.OfInstance("asia"), strings.Join(objects, "\n---\n"))
	}
	return newUpstreamsOf(t, rows)
}

// policyWith is a PropagationPolicy of shop with some of a spec, as a manifest; with an id it is as Karmada keeps it.
func policyWith(name, id, selector, spec string) string {
	labels := ""
	if id != "" {
		labels = ", labels: {propagationpolicy.karmada.io/permanent-id: " + id + "}"
	}
	if spec != "" {
		spec = ", " + spec
	}
	return "{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: " + name + labels + "}, spec: {resourceSelectors: [" + selector + "]" + spec + "}}"
}

// webClaimed is a Deployment that a policy of shop claims; without a name, none does.
func webClaimed(policy, id string) string {
	meta := ""
	if policy != "" {
		meta = ", labels: {propagationpolicy.karmada.io/permanent-id: " + id + "}, annotations: {propagationpolicy.karmada.io/namespace: shop, propagationpolicy.karmada.io/name: " + policy + "}"
	}
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: web" + meta + "}, spec: {replicas: 2, template: {metadata: {labels: {app: web}}}}}"
}

const (
	webByName = "{apiVersion: apps/v1, kind: Deployment, name: web}"
	allByKind = "{apiVersion: apps/v1, kind: Deployment}"
	oneThere  = "placement: {clusterAffinity: {clusterNames: [member-00]}}"
	webBound  = `{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding, metadata: {namespace: shop, name: web-deployment},
  spec: {replicas: 2, SPEC clusters: [{name: member-00, replicas: 2}], resource: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web, uid: Deployment/web}}}`
)

// previewing is a query for a preview of a propagation policy.
func previewing(input string) string {
	return `{previewPropagationPolicy(input:{instance:"asia" ` + input + `}){policy{kind namespace name} findings{code} rows{totalCount nodes{object{kind name} change rule by{name} before{clusterName replicas} after{clusterName replicas} findings{code} dependents{object{kind name} before{clusterName} after{clusterName} alsoIn}}}}}`
}

func idOfPolicy(name string) string {
	return model.Ref{Instance: "asia", Namespace: "shop", Name: name, GVK: model.PolicyPropagation.GVK()}.ID()
}

// What a form says is previewed as what would be written: a new policy, or the one that is there with what the form says differently.
func TestTypedPoliciesArePreviewedAsTheyWouldBeWritten(t *testing.T) {
	u := upstreamsWith(t, webClaimed("p", "p1"), strings.Replace(webBound, "SPEC", "", 1), policyWith("p", "p1", allByKind, "priority: 3, "+oneThere))
	id := `id:"` + idOfPolicy("p") + `" `
	moved := policyWith("p", "p1", allByKind, "priority: 3, placement: {clusterAffinity: {clusterNames: [member-01]}}")
	typedMove := `placement:{clusterAffinity:{clusterNames:["member-01"]}}`
	for _, tc := range []struct{ name, manifest, typed, want string }{
		{"a new one", policyWith("new", "", webByName, oneThere), `policy:{namespace:"shop" name:"new" resourceSelectors:[{apiVersion:"apps/v1" kind:"Deployment" name:"web"}] placement:{clusterAffinity:{clusterNames:["member-00"]}}}`, "change:UNCHANGED"},
		{"a new one of the cluster", "{apiVersion: policy.karmada.io/v1alpha1, kind: ClusterPropagationPolicy, metadata: {name: new}, spec: {resourceSelectors: [" + allByKind + "], placement: {}}}",
			`policy:{name:"new" resourceSelectors:[{apiVersion:"apps/v1" kind:"Deployment"}] placement:{}}`, "kind:ClusterPropagationPolicy"},
		{"an edit by id changes what it says, and nothing else", moved, id + "policy:{" + typedMove + "}", "change:MOVED"},
		{"an edit by name", moved, `policy:{namespace:"shop" name:"p" ` + typedMove + "}", "change:MOVED"},
		{"an edit takes away what is null", policyWith("p", "p1", allByKind, "placement: {}"), id + "policy:{priority:null placement:{clusterAffinity:null}}", "clusterName:member-01"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			whole := u.ask(t, previewing("manifest:"+strconv.Quote(tc.manifest)), nil)
			form := u.ask(t, previewing(tc.typed), nil)
			if len(whole.Errors)+len(form.Errors) > 0 || fmt.Sprint(whole.Data) != fmt.Sprint(form.Data) || !strings.Contains(fmt.Sprint(form.Data), tc.want) {
				t.Errorf("by the form %v %v\nby the manifest %v %v\nwant %s", form.Data, form.Errors, whole.Data, whole.Errors, tc.want)
			}
		})
	}
	t.Run("a variable that is not given takes nothing away", func(t *testing.T) {
		form := u.ask(t, "query($p: PlacementInput)"+previewing(id+"policy:{placement:$p}"), nil)
		if len(form.Errors) > 0 || !strings.Contains(fmt.Sprint(form.Data), "change:UNCHANGED") {
			t.Errorf("%v %v", form.Data, form.Errors)
		}
	})
	t.Run("an override", func(t *testing.T) {
		ask := func(input string) told {
			return u.ask(t, `{previewOverridePolicy(input:{instance:"asia" `+input+`}){policy{kind name} rows{nodes{object{name} clusters{clusterName changes{path to} policies{name}}}}}}`, nil)
		}
		whole := ask(`manifest:"{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy, metadata: {namespace: shop, name: o}, spec: {overrideRules: [{overriders: {labelsOverrider: [{operator: add, value: {a: b}}]}}]}}"`)
		form := ask(`policy:{namespace:"shop" name:"o" overrideRules:[{overriders:{labelsOverrider:[{operator:ADD value:[{key:"a" value:"b"}]}]}}]}`)
		if len(whole.Errors)+len(form.Errors) > 0 || fmt.Sprint(whole.Data) != fmt.Sprint(form.Data) || !strings.Contains(fmt.Sprint(form.Data), "to:b") && !strings.Contains(fmt.Sprint(form.Data), `"a":"b"`) {
			t.Errorf("by the form %v %v\nby the manifest %v %v", form.Data, form.Errors, whole.Data, whole.Errors)
		}
	})
}

// What is wrong with what is previewed names its field.
func TestWrongPreviewsNameTheirField(t *testing.T) {
	u := upstreamsWith(t, policyWith("p", "p1", allByKind, ""))
	manifest := "manifest:" + strconv.Quote(policyWith("p", "", allByKind, "placement: {}"))
	there := `id:"` + idOfPolicy("p") + `" `
	for _, tc := range []struct{ name, input, want string }{
		{"nothing", "", "manifest: is missing"},
		{"both", manifest + " policy:{name:\"a\"}", "policy: is given beside manifest"},
		{"a manifest of what is deleted", there + manifest + " delete:true", "delete: is given beside manifest"},
		{"a form of what is deleted", there + `policy:{priority:1} delete:true`, "delete: is given beside policy"},
		{"a deletion without an id", "delete:true", "id: is missing"},
		{"no name", `policy:{namespace:"shop"}`, "policy.name: is missing"},
		{"another name than that of the id", there + `policy:{name:"q"}`, `policy.name: is "q"`},
		{"another namespace than that of the id", there + `policy:{namespace:"q"}`, `policy.namespace: is "q"`},
		{"what Kairship checks itself", there + `policy:{placement:{spreadConstraints:[{minGroups:3 maxGroups:2}]}}`, "policy.placement.spreadConstraints[0].minGroups: is 3"},
		{"two ways to choose clusters", `policy:{namespace:"shop" name:"n" placement:{clusterAffinity:{} clusterAffinities:[{affinityName:"a"}]}}`, "policy.placement.clusterAffinities: stands beside"},
		{"the id of something else", `id:"` + (model.Ref{Instance: "asia", Namespace: "shop", Name: "p", GVK: model.PolicyOverride.GVK()}).ID() + `" policy:{}`, "id: is not that of a policy of this sort"},
		{"an id of another instance", `id:"` + (model.Ref{Instance: "europe", Namespace: "shop", Name: "p", GVK: model.PolicyPropagation.GVK()}).ID() + `" policy:{}`, "id: is of a policy in instance"},
		{"an id of nothing", `id:"` + idOfPolicy("none") + `" policy:{}`, "id: there is no such policy"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := u.ask(t, previewing(tc.input), nil)
			if len(got.Errors) != 1 || !strings.Contains(got.Errors[0].Message, tc.want) || got.Errors[0].Extensions.Code != model.CodeBadUserInput && got.Errors[0].Extensions.Code != model.CodeNotFound {
				t.Errorf("got %v %v, want %s", got.Data, got.Errors, tc.want)
			}
		})
	}
}

// taking is a Deployment that names what is there, what is not, and a Secret; with what Karmada has of it and of them.
const taking = `
{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: web, labels: {propagationpolicy.karmada.io/permanent-id: p1},
    annotations: {propagationpolicy.karmada.io/namespace: shop, propagationpolicy.karmada.io/name: p}},
  spec: {replicas: 2, template: {metadata: {labels: {app: web}}, spec: {serviceAccountName: robot, volumes: [{name: a, configMap: {name: settings}}, {name: b, secret: {secretName: keys}},
    {name: c, configMap: {name: missing}}, {name: d, persistentVolumeClaim: {claimName: disk}}]}}}}
---
{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding, metadata: {namespace: shop, name: web-deployment,
    annotations: {resourcebinding.karmada.io/dependencies: '[{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"settings"},{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"old"}]'}},
  spec: {replicas: 2, propagateDeps: true, clusters: [{name: member-00, replicas: 2}], resource: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web, uid: Deployment/web}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: settings}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: old}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {namespace: shop, name: robot}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {namespace: shop, name: disk}}
---
{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding, metadata: {namespace: shop, name: settings-configmap},
  spec: {requiredBy: [{namespace: shop, name: web-deployment, clusters: [{name: member-00}]}, {namespace: shop, name: api-deployment, clusters: [{name: member-02}]}],
    resource: {apiVersion: v1, kind: ConfigMap, namespace: shop, name: settings, uid: ConfigMap/settings}}}
---
{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding, metadata: {namespace: shop, name: old-configmap},
  spec: {requiredBy: [{namespace: shop, name: web-deployment, clusters: [{name: member-00}]}], resource: {apiVersion: v1, kind: ConfigMap, namespace: shop, name: old, uid: ConfigMap/old}}}
---
{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding, metadata: {namespace: shop, name: disk-persistentvolumeclaim},
  spec: {clusters: [{name: member-01}], resource: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: shop, name: disk, uid: PersistentVolumeClaim/disk}}}`

// dependentsOf is what a preview says that goes along: KIND NAME BEFORE>AFTER (ALSO IN).
func dependentsOf(t *testing.T, u *upstreams, input string) string {
	t.Helper()
	got := u.ask(t, `{previewPropagationPolicy(input:{instance:"asia" `+input+`}){rows{nodes{dependents{object{kind name} before{clusterName} after{clusterName} alsoIn}}}}}`, nil)
	if len(got.Errors) > 0 {
		t.Fatalf("%v", got.Errors)
	}
	var out []string
	preview := got.Data.(map[string]any)["previewPropagationPolicy"].(map[string]any)
	for _, row := range preview["rows"].(map[string]any)["nodes"].([]any) {
		for _, one := range row.(map[string]any)["dependents"].([]any) {
			d := one.(map[string]any)
			in := func(field string) string {
				names := []string{}
				for _, c := range d[field].([]any) {
					if m, ok := c.(map[string]any); ok {
						c = m["clusterName"]
					}
					names = append(names, c.(string))
				}
				return strings.Join(names, " ")
			}
			o := d["object"].(map[string]any)
			out = append(out, fmt.Sprintf("%s %s %s>%s (%s)", o["kind"], o["name"], in("before"), in("after"), in("alsoIn")))
		}
	}
	return strings.Join(out, "\n")
}

// What a policy takes along is told with where it was and will be because of that, and only if it is there.
func TestAPreviewTellsWhatGoesAlong(t *testing.T) {
	in := func(deps, member string) string {
		return "manifest:" + strconv.Quote(policyWith("p", "", webByName, "propagateDeps: "+deps+", placement: {clusterAffinity: {clusterNames: ["+member+"]}}"))
	}
	there := []string{taking, policyWith("p", "p1", webByName, "propagateDeps: true, "+oneThere)}
	viewer := v1alpha1.AccessBinding{Spec: v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:mary"},
		Role: v1alpha1.RoleViewer, Scope: v1alpha1.AccessScope{Instance: "asia"}}}
	workloads := viewer
	workloads.Spec.Role = "lister"
	only := rbacv1.ClusterRole{ObjectMeta: lister.ObjectMeta, Rules: []rbacv1.PolicyRule{listing("apps", "deployments"), listing("work.karmada.io", "resourcebindings"),
		listing("policy.karmada.io", "propagationpolicies", "clusterpropagationpolicies")}}
	const (
		claim   = "PersistentVolumeClaim disk "
		account = "ServiceAccount robot "
	)
	for _, tc := range []struct {
		name, input, want string
		as                *v1alpha1.AccessBinding
	}{
		{"where the object moves it moves", in("true", "member-01"), "ConfigMap old member-00> ()\nConfigMap settings member-00>member-01 (member-02)\n" + claim + ">member-01 (member-01)\nSecret keys >member-01 ()\n" + account + ">member-01 ()", nil},
		{"without propagateDeps it goes", in("false", "member-00"), "ConfigMap old member-00> ()\nConfigMap settings member-00> (member-02)", nil},
		{"the policy is deleted, and all stays", `delete:true id:"` + idOfPolicy("p") + `"`, "ConfigMap old member-00> ()\nConfigMap settings member-00>member-00 (member-02)\n" + claim + ">member-00 (member-01)\nSecret keys >member-00 ()\n" + account + ">member-00 ()", nil},
		{"a viewer is told of no Secret", in("true", "member-01"), "ConfigMap old member-00> ()\nConfigMap settings member-00>member-01 (member-02)\n" + claim + ">member-01 (member-01)\n" + account + ">member-01 ()", &viewer},
		{"who sees nothing of it is told nothing", in("true", "member-01"), "", &workloads},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := upstreamsWith(t, there...)
			if tc.as != nil {
				u.identify = holder(only, *tc.as)
			}
			if got := dependentsOf(t, u, tc.input); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
			said := fmt.Sprint(u.ask(t, previewing(tc.input), nil).Data)
			if tc.as != nil && !strings.Contains(said, string(model.PreviewScope)) {
				t.Errorf("nothing says that there may be more: %s", said)
			}
		})
	}
	t.Run("one request for all rows, and one list of Secrets", func(t *testing.T) {
		asked := func(deployments int) (stored, lists int) {
			objects := there[:1:1]
			for i := range deployments {
				objects = append(objects, strings.NewReplacer("name: web", fmt.Sprintf("name: web%d", i), "secretName: keys", fmt.Sprintf("secretName: keys%d", i),
					"name: settings", fmt.Sprintf("name: settings%d", i)).Replace(strings.Split(taking, "\n---\n")[0]))
			}
			u := upstreamsWith(t, append(objects, there[1])...)
			before := u.store.count()
			dependentsOf(t, u, strings.Replace(in("true", "member-01"), "name: web", "namespace: shop", 1))
			for id := range u.calls {
				if strings.Contains(id, "list of Secret") {
					lists += len(u.calls[id])
				}
			}
			return u.store.count() - before, lists
		}
		few, one := asked(1)
		many, still := asked(40)
		if few != many || one != 1 || still != 1 {
			t.Errorf("%d requests and %d lists for 2 rows, %d and %d for 41", few, one, many, still)
		}
	})
	t.Run("what cannot be read is null, and an error", func(t *testing.T) {
		u := upstreamsWith(t, there...)
		got := u.ask(t, previewing(in("true", "member-01")), func(c upstreamCall) bool { return c.upstream == apiServers })
		if said := fmt.Sprint(got.Data); len(got.Errors) != 1 || got.Errors[0].Extensions.Code != model.CodeUnavailable || !strings.Contains(said, "dependents:<nil>") {
			t.Errorf("%s %v", said, got.Errors)
		}
	})
}

// A document goes along with others: with those among the documents that name it, and with those that Karmada knows.
func TestADocumentGoesAlongWithWhatDependsOnIt(t *testing.T) {
	const (
		asked   = `"template":{"metadata":{},"spec":{"volumes":[{"configMap":{"name":"settings"}},{"configMap":{"name":"alone"}}]}}`
		forThem = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"namespace":"shop","name":"NAME","uid":"ConfigMap/NAME"}}`
	)
	u := upstreamsWith(t, `
{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding, metadata: {namespace: shop, name: shared-configmap},
  spec: {requiredBy: [{namespace: shop, name: api-deployment, clusters: [{name: member-00}]}], resource: {apiVersion: v1, kind: ConfigMap, namespace: shop, name: shared, uid: ConfigMap/shared}}}`)
	document := func(index int, outcome model.ApplyOutcome, kind, name, raw string) model.TriedDocument {
		d := model.TriedDocument{Ref: model.Ref{Instance: "asia", Namespace: "shop", Name: name, GVK: kinds[kind]}, After: []byte(strings.ReplaceAll(raw, "NAME", name))}
		d.Index, d.Outcome = index, outcome
		return d
	}
	tried := []model.TriedDocument{
		document(0, model.OutcomeCreated, "ConfigMap", "settings", forThem),
		document(1, model.OutcomeCreated, "ConfigMap", "other", forThem),
		document(2, model.OutcomeConfigured, "ConfigMap", "shared", forThem),
		document(3, model.OutcomeCreated, "PropagationPolicy", "p", `{"metadata":{"namespace":"shop","name":"p"},"spec":{"propagateDeps":true,"resourceSelectors":[{"apiVersion":"apps/v1","kind":"Deployment"}],"placement":{"clusterAffinity":{"clusterNames":["member-01"]}}}}`),
		document(4, model.OutcomeCreated, "Deployment", "web", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop","name":"web"},"spec":{"replicas":1,`+asked+`}}`),
	}
	ctx := loaders.Source{Fleet: u, Store: u.store.client(), KubeAPI: u}.NewContext(u.identify(t.Context()))
	got, err := loaders.From(ctx).ManifestsPreview(ctx, "asia", tried)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, d := range got.Documents {
		line := tried[d.Index].Ref.Name + ":"
		for _, c := range d.After {
			line += " " + c.ClusterName
		}
		for _, by := range d.RequiredBy {
			line += " with " + by.Name()
		}
		if d.Rule != nil {
			line += " " + string(*d.Rule)
		}
		for _, f := range d.Findings {
			line += " " + string(f.Code)
		}
		said = append(said, line)
	}
	if text, want := strings.Join(said, "\n"), "settings: member-01 with web DEPENDENTS_FOLLOW\nother: NO_OTHER_POLICY\nshared: member-00 DEPENDENTS_FOLLOW\np:\nweb: member-01 ONLY_MATCH"; text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// What would refuse a deletion is told beforehand, with the code of the mutation.
func TestAPreviewTellsWhatRefusesADeletion(t *testing.T) {
	const protected = "labels: {resourcetemplate.karmada.io/deletion-protected: Always}"
	u := upstreamsWith(t, strings.ReplaceAll(`
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: kept, PROTECTED}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: free, labels: {resourcetemplate.karmada.io/deletion-protected: Never}}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: kept, PROTECTED}, spec: {resourceSelectors: []}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: empty, PROTECTED}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: free}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: default}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: karmada-es-member-00}}`, "PROTECTED", protected))
	core := func(kind, namespace, name string) string {
		return model.Ref{Instance: "asia", Namespace: namespace, Name: name, GVK: schema.GroupVersionKind{Version: "v1", Kind: kind}}.ID()
	}
	for _, tc := range []struct {
		name, id, want string
		change         func()
	}{
		{"a protected object", core("ConfigMap", "shop", "kept"), "BAD_USER_INPUT it is protected", nil},
		{"an object whose protection is off", core("ConfigMap", "shop", "free"), "", nil},
		{"a protected policy", idOfPolicy("kept"), "BAD_USER_INPUT it is protected", nil},
		{"a protected namespace", core("Namespace", "", "empty"), "BAD_USER_INPUT it is protected", nil},
		{"a namespace that holds protected objects", core("Namespace", "", "shop"), "BAD_USER_INPUT 2 objects in it are protected", nil},
		{"a namespace that holds nothing", core("Namespace", "", "free"), "", nil},
		{"the namespace default", core("Namespace", "", "default"), "BAD_USER_INPUT the control plane itself needs", nil},
		{"a namespace of Kubernetes", core("Namespace", "", "kube-system"), "BAD_USER_INPUT the control plane itself needs", nil},
		{"a namespace of Karmada", core("Namespace", "", "karmada-es-member-00"), "BAD_USER_INPUT the control plane itself needs", nil},
		{"an instance with members that is let go", model.InstanceID("asia"), "", nil},
		{"a control plane with members that goes", model.InstanceID("asia"), "CONFLICT 2 clusters are joined: member-00, member-01", func() {
			u.known["asia"].Source, u.known["asia"].DeletionPolicy = model.InstanceManaged, model.DeletionCascade
		}},
		{"a member that answers", model.ClusterID("asia", "member-00"), "", nil},
		{"a control plane without members", model.InstanceID("asia"), "", func() { u.clusters = 0 }},
		{"a member that does not answer", model.ClusterID("asia", "member-00"), "BAD_USER_INPUT the cluster does not answer", func() { u.down = map[string]bool{"asia": true} }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.change != nil {
				tc.change()
			}
			got := u.ask(t, fmt.Sprintf(`{previewDeletion(ids:[%q]){items{refusals{code message}}}}`, tc.id), nil)
			if len(got.Errors) > 0 {
				t.Fatal(got.Errors)
			}
			var said []string
			for _, one := range got.Data.(map[string]any)["previewDeletion"].(map[string]any)["items"].([]any)[0].(map[string]any)["refusals"].([]any) {
				r := one.(map[string]any)
				said = append(said, fmt.Sprintf("%s %s", r["code"], r["message"]))
			}
			if text := strings.Join(said, "\n"); len(said) > 1 || !strings.HasPrefix(text, tc.want) || tc.want == "" && text != "" {
				t.Errorf("got %q, want %q", text, tc.want)
			}
		})
	}
}

// Who lacks the rights to a deletion is told so beforehand, too.
func TestAPreviewTellsWhoMayNotDelete(t *testing.T) {
	for who, tc := range map[string]struct {
		role                         v1alpha1.AccessRole
		namespace                    string
		workload, namespaced, member bool
	}{
		"a viewer":                 {v1alpha1.RoleViewer, "", false, false, false},
		"an editor":                {v1alpha1.RoleEditor, "", true, false, false},
		"an editor of a namespace": {v1alpha1.RoleEditor, "shop", true, false, false},
		"an administrator":         {v1alpha1.RoleAdmin, "", true, true, true},
	} {
		t.Run(who, func(t *testing.T) {
			u := upstreamsWith(t, webClaimed("", ""), "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}")
			binding := v1alpha1.AccessBinding{Spec: v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:mary"},
				Role: tc.role, Scope: v1alpha1.AccessScope{Instance: "asia"}}}
			if tc.namespace != "" {
				binding.Spec.Scope.Namespaces = []string{tc.namespace}
			}
			u.identify = holder(lister, binding)
			for id, may := range map[string]bool{
				model.Ref{Instance: "asia", Namespace: "shop", Name: "web", GVK: kinds["Deployment"]}.ID():                     tc.workload,
				model.Ref{Instance: "asia", Name: "shop", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}}.ID(): tc.namespaced,
				model.ClusterID("asia", "member-00"): tc.member,
				model.InstanceID("asia"):             tc.member,
			} {
				got := u.ask(t, fmt.Sprintf(`{previewDeletion(ids:[%q]){items{kind refusals{code message}}}}`, id), nil)
				said := fmt.Sprint(got.Data)
				if len(got.Errors) > 0 && strings.Contains(said, "items:[]") || strings.Contains(said, "code:FORBIDDEN") == may {
					t.Errorf("may %t, and is told %s %v", may, said, got.Errors)
				}
			}
		})
	}
}

// What another policy has elsewhere goes from where it is; what it has there, and what it is about, stays.
func TestTheDeletionOfAPolicyThatAnotherReplaces(t *testing.T) {
	for member, want := range map[string]string{"member-00": "", "member-01": "member-00 PropagationPolicy \"next\" claims it then, and has it elsewhere"} {
		u := upstreamsWith(t, webClaimed("p", "p1"), strings.Replace(webBound, "SPEC", "", 1), policyWith("p", "p1", webByName, oneThere),
			policyWith("next", "p2", allByKind, "placement: {clusterAffinity: {clusterNames: ["+member+"]}}"))
		got := u.ask(t, fmt.Sprintf(`{previewDeletion(ids:[%q]){items{goes{object{kind} clusterName reason} stays{object{kind} reason}}}}`, idOfPolicy("p")), nil)
		if len(got.Errors) > 0 {
			t.Fatal(got.Errors)
		}
		item := got.Data.(map[string]any)["previewDeletion"].(map[string]any)["items"].([]any)[0].(map[string]any)
		said := ""
		for _, one := range item["goes"].([]any) {
			e := one.(map[string]any)
			said += fmt.Sprintf("%s %s", e["clusterName"], e["reason"])
		}
		if said != want || !strings.Contains(fmt.Sprint(item["stays"]), `PropagationPolicy "next" claims it then: `) {
			t.Errorf("placed in %s: goes %q, want %q; stays %v", member, said, want, item["stays"])
		}
	}
}

// What is about a workload and is left without it is named.
func TestTheDeletionOfAWorkloadNamesWhatIsLeft(t *testing.T) {
	u := upstreamsWith(t, webClaimed("p", "p1"), policyWith("p", "p1", webByName, oneThere), `
{apiVersion: v1, kind: Service, metadata: {namespace: shop, name: front}, spec: {selector: {app: web}}}
---
{apiVersion: v1, kind: Service, metadata: {namespace: shop, name: other}, spec: {selector: {app: other}}}
---
{apiVersion: autoscaling.karmada.io/v1alpha1, kind: FederatedHPA, metadata: {namespace: shop, name: scales}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}`)
	id := model.Ref{Instance: "asia", Namespace: "shop", Name: "web", GVK: kinds["Deployment"]}.ID()
	got := u.ask(t, fmt.Sprintf(`{previewDeletion(ids:[%q]){items{stays{object{kind name}}}}}`, id), nil)
	var said []string
	for _, one := range got.Data.(map[string]any)["previewDeletion"].(map[string]any)["items"].([]any)[0].(map[string]any)["stays"].([]any) {
		o := one.(map[string]any)["object"].(map[string]any)
		said = append(said, fmt.Sprintf("%s %s", o["kind"], o["name"]))
	}
	if text := strings.Join(said, ", "); text != "Service front, FederatedHPA scales, PropagationPolicy p" || len(got.Errors) > 0 {
		t.Errorf("%s %v", text, got.Errors)
	}
}

// foretelling is one preview of a policy, and the findings and rules that it is about.
type foretelling struct {
	objects []string
	// query is the whole query; or the spec of a new policy "p" that selects web by its name.
	query, spec string
	change      func(*upstreams)
	want        []string
}

// Every finding and every rule of the schema comes up where it should: one that nothing can say would be a promise that is not kept.
func TestEveryFindingAndRuleOfAPreviewComesUp(t *testing.T) {
	web, bindingOf := webClaimed("", ""), func(spec string) string { return strings.Replace(webBound, "SPEC", spec, 1) }
	claimed := []string{webClaimed("a", "p1"), policyWith("a", "p1", allByKind, "placement: {}")}
	mine := webClaimed("p", "p1")
	whole := func(manifest string) string { return previewing("manifest:" + strconv.Quote(manifest)) }
	cases := []foretelling{
		{objects: []string{web}, spec: oneThere, want: []string{"ONLY_MATCH"}},
		{objects: []string{web, "{apiVersion: policy.karmada.io/v1alpha1, kind: ClusterPropagationPolicy, metadata: {name: a}, spec: {resourceSelectors: [" + webByName + "]}}"}, spec: oneThere, want: []string{"NAMESPACED_FIRST"}},
		{objects: []string{web, policyWith("a", "", webByName, "")}, spec: "priority: 2", want: []string{"PRIORITY"}},
		{objects: []string{web, policyWith("a", "", allByKind, "")}, spec: oneThere, want: []string{"SELECTOR_PRECISION"}},
		{objects: []string{web, policyWith("z", "", webByName, "")}, spec: oneThere, want: []string{"NAME_ORDER"}},
		{objects: claimed, spec: "priority: 2, preemption: Always", want: []string{"PREEMPTION", "PREEMPTION_GATE"}},
		{objects: claimed, spec: "priority: 2", want: []string{"FIRST_CLAIM_STAYS"}},
		{objects: []string{mine, policyWith("p", "p1", webByName, "")}, query: whole(policyWith("p", "p1", "{apiVersion: apps/v1, kind: Deployment, name: other}", "")), want: []string{"NOT_SELECTED"}},
		{objects: []string{mine, policyWith("p", "p1", webByName, "")}, query: previewing(`delete:true id:"` + idOfPolicy("p") + `"`), want: []string{"NO_OTHER_POLICY", "NOT_SCHEDULED"}},
		{objects: []string{web}, spec: "activationPreference: Lazy", want: []string{"LAZY_ACTIVATION"}},
		{objects: []string{web}, spec: "schedulerName: other", want: []string{"OTHER_SCHEDULER"}},
		{objects: []string{web, bindingOf("suspension: {scheduling: true},")}, spec: oneThere, want: []string{"SCHEDULING_SUSPENDED"}},
		{objects: []string{web}, spec: "suspension: {dispatching: true}", want: []string{"DISPATCHING_SUSPENDED"}},
		{objects: []string{web}, spec: "propagateDeps: true", want: []string{"DEPENDENTS_FOLLOW"}},
		{objects: []string{web}, spec: "dependentOverrides: [none]", want: []string{"WAITS_FOR_OVERRIDES"}},
		{query: whole(policyWith("p", "", "{apiVersion: example.com/v1, kind: Widget}", oneThere)), want: []string{"REPLICAS_UNKNOWN"}},
		{objects: []string{web}, spec: "placement: {replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}}", want: []string{"ROOM_ESTIMATED"}},
		{objects: []string{web}, spec: "placement: {clusterAffinity: {clusterNames: [nowhere]}}", want: []string{"NOT_SCHEDULED"}},
		{objects: []string{web}, spec: "placement: {workloadAffinity: {affinity: {groupByLabelKey: app}}}", want: []string{"WORKLOAD_AFFINITY"}},
		{objects: []string{web}, query: `{previewOverridePolicy(input:{instance:"asia" policy:{namespace:"shop" name:"o" overrideRules:[]}}){findings{code}}}`, want: []string{"INCOMPLETE"}},
		{objects: []string{web}, spec: oneThere, change: func(u *upstreams) { u.stale = true }, want: []string{"STALE"}},
		{objects: []string{web}, spec: oneThere, change: func(u *upstreams) { u.known["asia"].KarmadaVersion = new("v1.17.1") }, want: []string{"OTHER_VERSION"}},
		{objects: []string{web}, spec: oneThere, change: func(u *upstreams) { u.identify = seeing(t, v1alpha1.RoleViewer, nil, "shop").identify }, want: []string{"LIMITED_TO_WHAT_YOU_SEE"}},
	}
	all := graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}).Schema()
	open := map[string]bool{}
	for _, enum := range []string{"PreviewCode", "ClaimRule"} {
		for _, v := range all.Types[enum].EnumValues {
			open[v.Name] = true
		}
	}
	value := regexp.MustCompile(`\b(?:code|rule):([A-Z_]+)`)
	for _, tc := range cases {
		t.Run(strings.Join(tc.want, " and "), func(t *testing.T) {
			u := upstreamsWith(t, tc.objects...)
			if tc.change != nil {
				tc.change(u)
			}
			if tc.query == "" {
				tc.query = whole(policyWith("p", "", webByName, tc.spec))
			}
			got := u.ask(t, tc.query, nil)
			said := map[string]bool{}
			for _, m := range value.FindAllStringSubmatch(fmt.Sprint(got.Data), -1) {
				said[m[1]] = true
			}
			for _, want := range tc.want {
				if !said[want] || len(got.Errors) > 0 {
					t.Errorf("nothing says %s: %v %v", want, got.Data, got.Errors)
				}
				delete(open, want)
			}
		})
	}
	t.Run("of manifests", func(t *testing.T) {
		u := upstreamsWith(t, policyWith("p", "", webByName, "placement: {replicaScheduling: {}}"))
		ctx := loaders.Source{Fleet: u, Store: u.store.client(), KubeAPI: u}.NewContext(u.identify(t.Context()))
		document := model.TriedDocument{Ref: model.Ref{Instance: "asia", Namespace: "shop", Name: "web", GVK: kinds["Deployment"]}, StoodIn: true,
			After: []byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop","name":"web"},"spec":{"replicas":3}}`)}
		document.Outcome = model.OutcomeCreated
		got, err := loaders.From(ctx).ManifestsPreview(ctx, "asia", []model.TriedDocument{document})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range got.Documents[0].Findings {
			delete(open, string(f.Code))
		}
	})
	if left := slices.Sorted(maps.Keys(open)); len(left) > 0 {
		t.Errorf("no preview says %v", left)
	}
}

// What goes to clusters because something else needs it there is deleted in these, too.
func TestTheDeletionOfWhatOthersNeedNamesTheirClusters(t *testing.T) {
	u := upstreamsWith(t, taking)
	id := model.Ref{Instance: "asia", Namespace: "shop", Name: "settings", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}}.ID()
	got := u.ask(t, fmt.Sprintf(`{previewDeletion(ids:[%q]){items{goes{kind clusterName}}}}`, id), nil)
	if len(got.Errors) > 0 {
		t.Fatal(got.Errors)
	}
	var said []string
	for _, one := range got.Data.(map[string]any)["previewDeletion"].(map[string]any)["items"].([]any)[0].(map[string]any)["goes"].([]any) {
		e := one.(map[string]any)
		said = append(said, fmt.Sprintf("%s %v", e["kind"], e["clusterName"]))
	}
	if text, want := strings.Join(said, ", "), "ResourceBinding <nil>, Work <nil>, ConfigMap member-00, Work <nil>, ConfigMap member-02"; text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}
