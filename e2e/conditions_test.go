package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

// TestConditionsMeanTheSameInSQLAndInGo reads the fleet's own store by conditions, and tries the same ones on all that it
// holds.
func TestConditionsMeanTheSameInSQLAndInGo(t *testing.T) {
	host := config(t, "clusterpedia").Host
	bySQL := collatedClient(t, host)
	features := waitForFeatures(t, bySQL)
	if features.Gate != pedia.GateOpen {
		t.Fatalf("the store is told to be %+v", features)
	}
	// The statements differ with the index pack, which the planner may do without.
	unpacked, packed := features, features
	unpacked.Pack, packed.Pack = pedia.No, pedia.Yes

	gvr := func(group, version, resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
	}
	pods, deployments := gvr("", "v1", "pods"), gvr("apps", "v1", "deployments")
	bindings, services := gvr("work.karmada.io", "v1alpha2", "resourcebindings"), gvr("", "v1", "services")
	templates := []string{"kairship.asia", "kairship.europe"}
	members := []string{"kairship.asia.hangzhou", "kairship.asia.singapore", "kairship.asia.tokyo", "kairship.europe.frankfurt"}
	selector := func(text string) sql.Condition {
		s, err := labels.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return sql.Labels(s)
	}
	batch := func(resource string) schema.GroupVersionResource { return gvr("batch", "v1", resource) }
	names := map[schema.GroupVersionResource]string{services: "Service", deployments: "Deployment", bindings: "ResourceBinding", pods: "Pod",
		gvr("apps", "v1", "replicasets"): "ReplicaSet", batch("jobs"): "Job", batch("cronjobs"): "CronJob"}
	owning := []schema.GroupVersionResource{deployments, gvr("apps", "v1", "replicasets"), batch("jobs"), batch("cronjobs")}
	// inGo is all that the store holds now of some kinds, and of what pods belong to, to try conditions on.
	inGo := func(kinds []schema.GroupVersionResource, clusters []string) *pediatest.Standin {
		if slices.Contains(kinds, pods) {
			kinds = append(slices.Clone(owning), pods)
		}
		rows := allRows(t, bySQL.Client, kinds, names, clusters)
		return &pediatest.Standin{Rows: func(sql.Query) []pediatest.Row { return rows }}
	}
	someWorkloads := allPages(t, bySQL.Client, sql.Query{Scope: collatedScope(), GVRs: []schema.GroupVersionResource{deployments}, Clusters: members, Limit: 200})
	owners := []sql.Key{}
	for i := 0; i < len(someWorkloads); i += 7 {
		owners = append(owners, someWorkloads[i].Key)
	}
	for _, q := range []struct {
		name     string
		kinds    []schema.GroupVersionResource
		clusters []string
		where    sql.Condition
	}{
		{"no condition", []schema.GroupVersionResource{services, deployments}, templates, sql.All()},
		{"namespaces", []schema.GroupVersionResource{services, deployments}, templates, sql.Namespaces("shop", "payments", "none")},
		{"names", []schema.GroupVersionResource{services, deployments}, templates, sql.Names("cart", "gateway")},
		{"a part of a name", []schema.GroupVersionResource{services, deployments}, templates, sql.NameContains("ar")},
		{"a longer part of a name", []schema.GroupVersionResource{services, deployments}, templates, sql.NameContains("cart")},
		{"a part of a name with signs", []schema.GroupVersionResource{services, deployments}, templates, sql.NameContains(`'%_\`)},
		{"a label that is", []schema.GroupVersionResource{deployments}, templates, selector("app=gateway")},
		{"a label that is not", []schema.GroupVersionResource{services, deployments}, templates, selector("app!=gateway")},
		{"a label that is one of", []schema.GroupVersionResource{services, deployments}, templates, selector("app in (gateway,cart)")},
		{"a label that is none of", []schema.GroupVersionResource{services, deployments}, templates, selector("app notin (gateway,cart)")},
		{"a label that is there", []schema.GroupVersionResource{services, deployments}, templates, selector("app")},
		{"a label that is not there", []schema.GroupVersionResource{services, deployments}, templates, selector("!app")},
		{"labels of a selector", []schema.GroupVersionResource{pods}, members, sql.LabelsContain(map[string]string{"app": "gateway"})},
		{"no labels to select by", []schema.GroupVersionResource{pods}, members[:1], sql.LabelsContain(nil)},
		{"a field", []schema.GroupVersionResource{bindings}, templates, sql.Field([]string{"spec", "resource", "kind"}, "Deployment")},
		{"a number in a field", []schema.GroupVersionResource{bindings}, templates, sql.Field([]string{"spec", "replicas"}, "1", "2")},
		{"an element of a list", []schema.GroupVersionResource{bindings}, templates, sql.FieldContains([]string{"spec", "clusters"}, []any{map[string]string{"name": "tokyo"}})},
		{"a set within labels", []schema.GroupVersionResource{services}, templates, sql.FieldContainedIn([]string{"spec", "selector"}, map[string]string{"app": "gateway", "b": "c"})},
		{"not", []schema.GroupVersionResource{deployments}, templates, sql.Not(sql.Names("cart", "gateway"))},
		{"not a field that is not there", []schema.GroupVersionResource{deployments}, templates, sql.Not(sql.Field([]string{"spec", "nothing"}, "x"))},
		{"any", []schema.GroupVersionResource{deployments}, templates, sql.Any(sql.Names("cart"), sql.Namespaces("payments"))},
		{"none of any", []schema.GroupVersionResource{deployments}, templates, sql.Any()},
		{"owners by way of others", []schema.GroupVersionResource{pods}, members, sql.OwnedByObjects(owners...)},
		{"owners in one cluster", []schema.GroupVersionResource{pods}, members[:1], sql.OwnedByObjects(owners...)},
	} {
		t.Run(q.name, func(t *testing.T) {
			query := sql.Query{Scope: collatedScope(), GVRs: q.kinds, Clusters: q.clusters, Where: []sql.Condition{q.where}, Limit: 200}
			for _, f := range []pedia.Features{unpacked, packed} {
				bySQL.Assume(f)
				eventually(t, 30*time.Second, func() error { // the fleet does not stand still
					want := inGo(q.kinds, q.clusters).Positions(query)
					if diff := cmp.Diff(want, allPages(t, bySQL.Client, query), cmpopts.EquateEmpty()); diff != "" {
						return fmt.Errorf("index pack %s: -in Go +asked:\n%.2000s", f.Pack, diff)
					}
					return nil
				})
				if gate := bySQL.Gate(); gate != pedia.GateOpen {
					t.Errorf("index pack %s: an answer was taken for that of a closed gate", f.Pack)
				}
			}
		})
	}
	t.Run("groups", func(t *testing.T) {
		query := sql.Query{Scope: collatedScope(), Limit: 3}
		for i, owner := range owners {
			query.Groups = append(query.Groups, sql.Group{GVR: pods, Cluster: owner.Cluster, Where: []sql.Condition{sql.OwnedByObjects(owner)}},
				sql.Group{GVR: pods, Cluster: owner.Cluster, Where: []sql.Condition{sql.LabelsContain(map[string]string{"app": owner.Name})}},
				sql.Group{GVR: deployments, Cluster: templates[i%2]})
		}
		for _, f := range []pedia.Features{unpacked, packed} {
			bySQL.Assume(f)
			eventually(t, 30*time.Second, func() error {
				held := inGo([]schema.GroupVersionResource{pods}, slices.Concat(members, templates))
				got, err := pedia.FetchGroups(t.Context(), bySQL.Client, query, decodePlace)
				if err != nil {
					return err
				}
				for i, g := range query.Groups {
					alone := query
					alone.Groups = []sql.Group{g}
					// Without what came along.
					want := slices.DeleteFunc(held.Positions(alone), func(p sql.Position) bool { return p.GVR != g.GVR })
					if diff := cmp.Diff(want, got[i].Positions, cmpopts.EquateEmpty()); diff != "" {
						return fmt.Errorf("index pack %s, group %d: -in Go +asked:\n%s", f.Pack, i, diff)
					}
				}
				return nil
			})
		}
	})
}

// allRows is all that a store holds of some kinds in some clusters.
func allRows(t *testing.T, c *pedia.Client, kinds []schema.GroupVersionResource, names map[schema.GroupVersionResource]string, clusters []string) []pediatest.Row {
	t.Helper()
	var out []pediatest.Row
	for _, gvr := range kinds {
		q := sql.Query{Scope: collatedScope(), GVRs: []schema.GroupVersionResource{gvr}, Clusters: clusters, Limit: 200}
		for full := true; full; {
			list, err := pedia.Fetch(t.Context(), c, q, func(r sql.Row) (pediatest.Row, sql.Key, error) {
				_, key, err := decodePlace(r)
				return pediatest.Row{Kind: names[gvr], Row: r}, key, err
			})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, list.Rows...)
			if full = list.Full; full {
				q.After = &list.Positions[len(list.Positions)-1]
			}
		}
	}
	return out
}
