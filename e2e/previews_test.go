package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	previewManifestsQuery = `query($in: PreviewManifestsInput!) { previewManifests(input: $in) { documents { index kind namespace name change
		changes { path from to } error { code message field } claimedBy { kind namespace name } rule requiredBy { kind name } after { clusterName replicas } findings { code } } findings { code } } }`
	previewOverrideQuery = `query($in: PreviewOverridePolicyInput!) { previewOverridePolicy(input: $in) { findings { code }
		rows(first: 50) { totalCount nodes { object { kind namespace name } clusters { clusterName changes { path from to } policies { name } problem } } } } }`
	previewDeletionQuery = `query($ids: [ID!]!) { previewDeletion(ids: $ids) { items { kind namespace name goes { object { kind name } kind clusterName count reason }
		stays { object { kind name } kind clusterName count reason } refusals { code message } findings { code } } findings { code } } }`
)

type previewedManifests struct {
	PreviewManifests struct {
		Documents []struct {
			Kind, Name, Change string
			Changes            []struct{ Path, From, To string }
			Error              *struct{ Code, Message string }
			ClaimedBy          *struct{ Name string }
			Rule               *string
			RequiredBy         []struct{ Kind, Name string }
			After              []struct {
				ClusterName string
				Replicas    int
			}
			Findings []struct{ Code string }
		}
	}
}

func (p *previewedManifests) String() string {
	var out []string
	for _, d := range p.PreviewManifests.Documents {
		line := d.Kind + " " + d.Name + " " + d.Change
		if d.Error != nil {
			line += " " + d.Error.Code
		}
		if d.ClaimedBy != nil {
			line += " by " + d.ClaimedBy.Name + ":"
		}
		for _, c := range d.After {
			line += fmt.Sprintf(" %s=%d", c.ClusterName, c.Replicas)
		}
		for _, f := range d.Findings {
			line += " " + f.Code
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// What is tried together is judged together: the policies among the documents claim the objects among them. Nothing is written.
func TestManifestsArePreviewedAndNothingIsWritten(t *testing.T) {
	whole(t)
	began := time.Now()
	for _, tc := range []struct{ name, manifests, want string }{
		{"a workload with its policy and its namespace", `
apiVersion: v1
kind: Namespace
metadata: {name: e2e-previewed}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {namespace: e2e-previewed, name: web}
spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}], placement: {clusterAffinity: {clusterNames: [hangzhou, tokyo]}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: e2e-previewed, name: web}, spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: 'web:1'}]}}}}
`, "Namespace e2e-previewed CREATED\nPropagationPolicy web CREATED NAMESPACE_NEW\nDeployment web CREATED by web: hangzhou=3 tokyo=3 NAMESPACE_NEW"},
		{"what Karmada would refuse", `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: e2e-refused}, spec: {replicas: -1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: 'web:1'}]}}}}`,
			"Deployment e2e-refused REFUSED BAD_USER_INPUT"},
		{"a policy that Karmada's webhook would refuse", `{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: e2e-refused}, spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap}], placement: {clusterAffinity: {}, clusterAffinities: [{affinityName: a}]}}}`,
			"PropagationPolicy e2e-refused REFUSED"},
		{"equal clusters that the UID tells apart", `
{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: e2e-tie}, spec: {replicas: 4, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: 'web:1'}]}}}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: e2e-tie}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: e2e-tie}], placement: {replicaScheduling: {}}}}
`, "Deployment e2e-tie CREATED by e2e-tie: hangzhou=2 singapore=1 tokyo=1 UNDETERMINED\nPropagationPolicy e2e-tie CREATED"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data := into[previewedManifests](t, previewManifestsQuery, map[string]any{"in": map[string]any{"instance": "asia", "manifests": tc.manifests}})
			if got := data.String(); !strings.HasPrefix(got, tc.want) {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
	t.Run("a document that goes along with another one says so", func(t *testing.T) {
		data := into[previewedManifests](t, previewManifestsQuery, map[string]any{"in": map[string]any{"instance": "asia", "manifests": `
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: e2e-along}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: e2e-along}, spec: {propagateDeps: true, resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: e2e-along}], placement: {clusterAffinity: {clusterNames: [tokyo]}}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: e2e-along}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: 'web:1', envFrom: [{configMapRef: {name: e2e-along}}]}]}}}}`}})
		if d := data.PreviewManifests.Documents[0]; data.String() != "ConfigMap e2e-along CREATED tokyo=0 DEPENDENTS_FOLLOW\nPropagationPolicy e2e-along CREATED\nDeployment e2e-along CREATED by e2e-along: tokyo=2" ||
			d.Rule != nil || len(d.RequiredBy) != 1 || d.RequiredBy[0].Name != "e2e-along" {
			t.Errorf("%s\n%+v", &data, d)
		}
	})
	t.Run("a value of a Secret", func(t *testing.T) {
		out := ask(t, previewManifestsQuery, map[string]any{"in": map[string]any{"instance": "asia", "manifests": `{apiVersion: v1, kind: Secret, metadata: {namespace: shop, name: e2e-secret}, stringData: {p: e2e-hunter2}}`}})
		if !strings.Contains(string(out.Data), "CREATED") || strings.Contains(string(out.Data), "hunter2") {
			t.Errorf("%s %v", out.Data, out.Errors)
		}
	})
	t.Run("somebody who may only read is refused each document by Karmada", func(t *testing.T) {
		out := askAs(t, idTokenOf(t, "viewer"), previewManifestsQuery, map[string]any{"in": map[string]any{"instance": "europe", "manifests": `
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: e2e-viewer}, data: {a: e2e-hunter2}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: checkout-config}, data: {a: e2e-hunter2}}
---
{apiVersion: v1, kind: Secret, metadata: {namespace: shop, name: e2e-viewer}, stringData: {a: e2e-hunter2}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: e2e-viewer}, spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap}], placement: {}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: e2e-viewer}}`}})
		var data previewedManifests
		if err := json.Unmarshal(out.Data, &data); err != nil || len(out.Errors) > 0 {
			t.Fatalf("%s %v %v", out.Data, out.Errors, err)
		}
		if n := len(data.PreviewManifests.Documents); n != 5 {
			t.Errorf("%d documents", n)
		}
		for _, d := range data.PreviewManifests.Documents {
			if d.Change != "REFUSED" || d.Error == nil || d.Error.Code != "FORBIDDEN" || len(d.Changes)+len(d.After) > 0 || d.ClaimedBy != nil {
				t.Errorf("%+v %+v", d, d.Error)
			}
		}
		if strings.Contains(string(out.Data), "hunter2") {
			t.Errorf("%s", out.Data)
		}
	})
	// An editor's own dry runs are told apart from what others do meanwhile by their name in the audit log.
	editor := idTokenOf(t, "editor")
	tried := askAs(t, editor, previewManifestsQuery, map[string]any{"in": map[string]any{"instance": "asia", "manifests": `{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: e2e-editor}, data: {a: b}}`}})
	if !strings.Contains(string(tried.Data), "CREATED") {
		t.Errorf("an Editor: %s %v", tried.Data, tried.Errors)
	}
	askAs(t, editor, previewQuery, map[string]any{"in": map[string]any{"instance": "asia", "manifest": `{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: e2e-editor}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]}}`}})
	type entry struct {
		auditEntry
		ImpersonatedUser struct{ Username string }
	}
	eventually(t, 10*time.Second, func() error {
		dry := 0
		for e := range auditLines[entry](t, "asia", began, `"stage":"ResponseComplete"`, `"impersonatedUser":{"username":"kairship:oidc:editor`) {
			if !e.isWrite() {
				continue
			}
			if !e.isDryRun() {
				t.Errorf("a preview wrote: %s %s", e.Verb, e.RequestURI)
			}
			dry++
		}
		if dry == 0 {
			return fmt.Errorf("no dry run of the editor is in the audit log")
		}
		return nil
	})
}

func TestOverridesArePreviewedWhereTheyReach(t *testing.T) {
	whole(t)
	type previewed struct {
		PreviewOverridePolicy struct {
			Rows struct {
				TotalCount int
				Nodes      []struct {
					Object   struct{ Kind, Name string }
					Clusters []struct {
						ClusterName string
						Changes     []struct{ Path, From, To string }
						Policies    []struct{ Name string }
						Problem     *string
					}
				}
			}
		}
	}
	manifest := `{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy, metadata: {namespace: shop, name: zz-e2e-preview}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: storefront}],
		overrideRules: [{targetCluster: {clusterNames: [singapore]}, overriders: {labelsOverrider: [{operator: add, value: {e2e: preview}}], imageOverrider: [{component: Registry, operator: replace, value: e2e.example}]}}]}}`
	data := into[previewed](t, previewOverrideQuery, map[string]any{"in": map[string]any{"instance": "asia", "manifest": manifest}})
	rows := data.PreviewOverridePolicy.Rows
	if rows.TotalCount != 1 || len(rows.Nodes) != 1 || len(rows.Nodes[0].Clusters) < 2 {
		t.Fatalf("%+v", data)
	}
	for _, c := range rows.Nodes[0].Clusters {
		text := fmt.Sprint(c.Changes)
		if changed := strings.Contains(text, "e2e.example"); changed != (c.ClusterName == "singapore") || c.Problem != nil || !changed && len(c.Changes) > 0 {
			t.Errorf("%+v", c)
		}
		if last := len(c.Policies) - 1; c.ClusterName == "singapore" && (last < 1 || c.Policies[last].Name != "zz-e2e-preview") {
			t.Errorf("it comes after those of the demo: %+v", c.Policies)
		}
	}
	// The deletion of one of the demo's takes back what it changed.
	id := model.Ref{Instance: "asia", GVK: model.PolicyOverride.GVK(), Namespace: "shop", Name: "storefront-registry"}.ID()
	data = into[previewed](t, previewOverrideQuery, map[string]any{"in": map[string]any{"instance": "asia", "id": id, "delete": true}})
	changes := 0
	for _, row := range data.PreviewOverridePolicy.Rows.Nodes {
		for _, c := range row.Clusters {
			changes += len(c.Changes)
		}
	}
	if changes == 0 {
		t.Errorf("%+v", data)
	}
}

func TestDeletionsArePreviewed(t *testing.T) {
	whole(t)
	type item struct {
		Kind, Name  string
		Goes, Stays []struct {
			Object      *struct{ Kind, Name string }
			Kind        string
			ClusterName *string
			Count       int
			Reason      string
		}
		Refusals []struct{ Code, Message string }
	}
	ref := func(group, version, kind, namespace, name string) string {
		r := model.Ref{Instance: "asia", Namespace: namespace, Name: name}
		r.GVK.Group, r.GVK.Version, r.GVK.Kind = group, version, kind
		return r.ID()
	}
	ids := []string{ref("apps", "v1", "Deployment", "shop", "storefront"), ref("", "v1", "Namespace", "", "shop"), model.ClusterID("asia", "tokyo"), model.InstanceID("asia"),
		ref(model.PolicyGroup, model.PolicyVersion, "PropagationPolicy", "shop", "cart")}
	out := ask(t, previewDeletionQuery, map[string]any{"ids": ids})
	var data struct{ PreviewDeletion struct{ Items []item } }
	if err := json.Unmarshal(out.Data, &data); err != nil || len(data.PreviewDeletion.Items) != len(ids) {
		t.Fatalf("%s %v %v", out.Data, out.Errors, err)
	}
	items := data.PreviewDeletion.Items
	if text := fmt.Sprintf("%+v", items[0].Goes); !strings.Contains(text, "Kind:ResourceBinding") || !strings.Contains(text, "Kind:Work") {
		t.Errorf("with a Deployment goes %s", text)
	}
	members := 0
	for _, g := range items[0].Goes {
		if g.ClusterName != nil && g.Kind == "Deployment" {
			members++
		}
	}
	if members < 2 {
		t.Errorf("with a Deployment it goes in %d members", members)
	}
	in := map[string]bool{}
	for _, g := range items[1].Goes {
		if g.ClusterName != nil && g.Count > 0 {
			in[*g.ClusterName] = true
		}
	}
	if len(items[1].Goes) < 4 || !in["hangzhou"] || !in["singapore"] || !in["tokyo"] {
		t.Errorf("with a namespace goes %+v", items[1].Goes)
	}
	if len(items[2].Goes) == 0 || len(items[2].Stays) == 0 {
		t.Errorf("with a cluster: %+v", items[2])
	}
	if len(items[3].Refusals) > 0 || len(items[3].Goes) > 0 || len(items[3].Stays) < 4 {
		t.Errorf("an instance that is attached is let go, with its members: %+v", items[3])
	}
	if len(items[4].Goes) > 0 || len(items[4].Stays) == 0 {
		t.Errorf("with a policy: %+v", items[4])
	}
	hidden := ask(t, previewDeletionQuery, map[string]any{"ids": []string{ref("apps", "v1", "Deployment", "shop", "e2e-none")}})
	if len(hidden.Errors) != 1 || hidden.Errors[0].Extensions.Code != "NOT_FOUND" {
		t.Errorf("what is not there: %s %v", hidden.Data, hidden.Errors)
	}
}

// What would refuse a deletion is told with the code that the mutation gives.
func TestRefusedDeletionsArePreviewed(t *testing.T) {
	whole(t)
	const namespace = "e2e-refused"
	removeNamespace(t, namespace)
	leaveNothing(t, namespace)
	if got := apply(t, map[string]any{"manifests": `
{apiVersion: v1, kind: Namespace, metadata: {name: e2e-refused, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: keep, namespace: e2e-refused}}`}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	id := func(kind, namespace, name string) string {
		return model.Ref{Instance: "asia", GVK: verbKinds[kind], Namespace: namespace, Name: name}.ID()
	}
	protect := func(on bool) {
		if got := mutated(t, token, "protectResource", map[string]any{"id": id("configmaps", namespace, "keep"), "protected": on}); len(got) > 0 {
			t.Fatal(got)
		}
	}
	protect(true)
	defer protect(false)
	for _, tc := range []struct {
		name, id, verb string
		input          map[string]any
	}{
		{"a protected object", id("configmaps", namespace, "keep"), "deleteResource", map[string]any{}},
		{"a namespace that holds a protected object", id("namespaces", "", namespace), "deleteNamespace", map[string]any{"cascade": true}},
		{"a namespace of Karmada", id("namespaces", "", "karmada-system"), "deleteNamespace", map[string]any{"cascade": true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.input["id"], tc.input["dryRun"] = tc.id, true
			refused := mutated(t, token, tc.verb, tc.input)
			if len(refused) != 1 {
				t.Fatalf("the mutation answers %v", refused)
			}
			code, _, _ := strings.Cut(refused[0], " ")
			eventually(t, 20*time.Second, func() error { // the read store has it soon
				data, err := read[struct {
					PreviewDeletion struct {
						Items []struct {
							Refusals []struct{ Code, Message string }
						}
					}
				}](t, previewDeletionQuery, map[string]any{"ids": []string{tc.id}})
				if err != nil {
					return err
				}
				if r := data.PreviewDeletion.Items[0].Refusals; len(r) != 1 || r[0].Code != code || r[0].Message == "" {
					return fmt.Errorf("previewed %+v; the mutation answers %s", r, code)
				}
				return nil
			})
		})
	}
}

// A preview of a policy tells what the write itself would be refused for, by asking for it in a dry run: what is computed alone would be shown of a
// policy that nobody can make.
func TestAPreviewOfAPolicyTellsWhatRefusesIt(t *testing.T) {
	whole(t)
	const query = `query($in: PreviewPropagationPolicyInput!) { preview: previewPropagationPolicy(input: $in) { rows(first: 1) { nodes { change } } refusals { code message field } } }`
	const overriding = `query($in: PreviewOverridePolicyInput!) { preview: previewOverridePolicy(input: $in) { refusals { code message field } } }`
	selectors := []map[string]any{{"apiVersion": "v1", "kind": "ConfigMap", "name": "e2e-none"}}
	typed := func(name string, placement map[string]any) map[string]any {
		return map[string]any{"policy": map[string]any{"namespace": "shop", "name": name, "resourceSelectors": selectors, "placement": placement}}
	}
	cart := model.Ref{Instance: "asia", Namespace: "shop", Name: "cart", GVK: model.PolicyPropagation.GVK()}.ID()
	for _, tc := range []struct {
		name, as, query string
		input           map[string]any
		code, field     string
	}{
		{"a good one", token, query, typed("e2e-good", map[string]any{}), "", ""},
		{"a name that is none", token, query, typed("E2E_bad", map[string]any{}), "BAD_USER_INPUT", "input.policy.name"},
		{"a manifest that the webhook refuses", token, query, map[string]any{"manifest": `{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: e2e-bad}, spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap}], placement: {clusterAffinity: {}, clusterAffinities: [{affinityName: a}]}}}`}, "BAD_USER_INPUT", "input.manifest"},
		{"an edit of what is there", token, query, map[string]any{"id": cart, "policy": map[string]any{"priority": 3}}, "", ""},
		{"a deletion", token, query, map[string]any{"id": cart, "delete": true}, "", ""},
		{"who may not write there", idTokenOf(t, "editor"), query, map[string]any{"manifest": `{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: default, name: a}, spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]}}`}, "FORBIDDEN", ""},
		{"a namespace that is not there", token, query, map[string]any{"manifest": `{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: e2e-none, name: a}, spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]}}`}, "NOT_FOUND", "input.manifest"},
		{"an override", token, overriding, map[string]any{"policy": map[string]any{"namespace": "shop", "name": "Bad_one", "overrideRules": []map[string]any{{"overriders": map[string]any{"labelsOverrider": []map[string]any{{"operator": "ADD", "value": []map[string]any{{"key": "a", "value": "b"}}}}}}}}}, "BAD_USER_INPUT", "input.policy.name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.input["instance"] = "asia"
			out := askAs(t, tc.as, tc.query, map[string]any{"in": tc.input})
			var data struct {
				Preview struct {
					Refusals []struct {
						Code, Message string
						Field         []string
					}
				}
			}
			if err := json.Unmarshal(out.Data, &data); err != nil || len(out.Errors) > 0 {
				t.Fatalf("%s %v %v", out.Data, out.Errors, err)
			}
			switch r := data.Preview.Refusals; {
			case tc.code == "" && len(r) > 0, tc.code != "" && len(r) == 0:
				t.Errorf("refused for %+v, want %s", r, tc.code)
			case tc.code != "" && (r[0].Code != tc.code || strings.Join(r[0].Field, ".") != tc.field || r[0].Message == ""):
				t.Errorf("refused for %+v, want %s of %s", r, tc.code, tc.field)
			}
		})
	}
}
