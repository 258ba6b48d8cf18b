package pedia_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

// anew is a row whose object was changed.
func anew(t *testing.T, r pediatest.Row, version int, change func(metadata map[string]any)) pediatest.Row {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(r.Raw, &object); err != nil {
		t.Fatal(err)
	}
	metadata, _ := object["metadata"].(map[string]any)
	metadata["resourceVersion"] = strconv.Itoa(version)
	if change != nil {
		change(metadata)
	}
	raw, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	r.Raw = raw
	return r
}

// seen is what is compared of a row.
func seen(r sql.Row) (string, sql.Key, error) {
	var o struct {
		Metadata struct {
			Namespace, Name, ResourceVersion string
			Labels                           map[string]string
		}
	}
	err := json.Unmarshal(r.Raw, &o)
	m := o.Metadata
	return fmt.Sprint(r.Cluster, " ", r.GVR.Resource, " ", m.Name, " ", m.ResourceVersion, " ", m.Labels["odd"]), sql.Key{Namespace: m.Namespace, Name: m.Name}, err
}

// lateStore is a store before some writes, with a log of the writes, and one after them.
func lateStore(t *testing.T) (late, after *pedia.Client, writes *ownwrites.Log, keys []sql.Key) {
	t.Helper()
	writes = ownwrites.New(nil)
	var before, then []pediatest.Row
	for i, r := range fleet(t) {
		_, key, err := seen(r.Row)
		if err != nil {
			t.Fatal(err)
		}
		key.Cluster, key.GVR = r.Cluster, r.GVR
		keys = append(keys, key)
		ref := model.Ref{Instance: r.Cluster[len("kairship."):], GVK: catalog.ByGVR(r.GVR).GVK, Namespace: key.Namespace, Name: key.Name}
		now := func(m map[string]any) { m["creationTimestamp"] = time.Now().UTC().Format(time.RFC3339) }
		switch held := anew(t, r, 10+i, nil); i % 5 {
		case 0: // a label changes: it leaves some lists and enters others
			before = append(before, held)
			changed := anew(t, r, 100+i, func(m map[string]any) { m["labels"] = map[string]string{"app": key.Name, "odd": "true"} })
			then = append(then, changed)
			writes.Wrote("", ref, changed.Raw)
		case 1:
			before = append(before, held)
			uid := fmt.Sprint(r.Cluster, r.GVR.Resource, key.Name)
			writes.Deleted("", ref, uid)
		case 2:
			made := anew(t, r, 100+i, now)
			then = append(then, made)
			writes.Wrote("", ref, made.Raw)
		case 3: // somebody else was later, and the store has that already
			writes.Wrote("", ref, anew(t, r, 5, nil).Raw)
			before, then = append(before, held), append(then, held)
		default:
			before, then = append(before, held), append(then, held)
		}
	}
	late, _ = standIn(t, before)
	after, _ = standIn(t, then)
	late.Remember(writes)
	return late, after, writes, keys
}

func TestWhatWasWrittenIsShownAsIfTheStoreHadIt(t *testing.T) {
	odd, err := labels.Parse("odd=true")
	if err != nil {
		t.Fatal(err)
	}
	late, after, _, keys := lateStore(t)
	for _, order := range []sql.Order{sql.ByName, sql.ByCreated} {
		for _, descending := range []bool{false, true} {
			for _, where := range [][]sql.Condition{nil, {sql.Labels(odd)}, {sql.Names("a", "a.b", "ab")}} {
				for limit := 1; limit < 12; limit++ {
					q := sql.Query{Scope: everything(), GVRs: one(statefulSets, deployments), Clusters: []string{"kairship.a", "kairship.a-b"},
						Order: order, Descending: descending, Where: where, Limit: limit, Count: true}
					t.Run(fmt.Sprint(order, descending, len(where), limit), func(t *testing.T) {
						if diff := cmp.Diff(allPages(t, after, q), allPages(t, late, q)); diff != "" {
							t.Errorf("(-want +got):\n%s", diff)
						}
						if diff := cmp.Diff(firstRows(t, after, q), firstRows(t, late, q)); diff != "" {
							t.Errorf("groups (-want +got):\n%s", diff)
						}
						want, err := pedia.Count(t.Context(), after, q)
						if err != nil {
							t.Fatal(err)
						}
						got, err := pedia.Count(t.Context(), late, q)
						if err != nil {
							t.Fatal(err)
						}
						if *got != *want {
							t.Errorf("%d rows are counted, want %d", *got, *want)
						}
					})
				}
			}
		}
	}
	want, err := pedia.FetchKeys(t.Context(), after, sql.Query{Scope: everything()}, keys, seen)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pedia.FetchKeys(t.Context(), late, sql.Query{Scope: everything()}, keys, seen)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("by key (-want +got):\n%s", diff)
	}
}

// allPages reads a list to its end, page by page.
func allPages(t *testing.T, c *pedia.Client, q sql.Query) (out []string) {
	t.Helper()
	for range 100 {
		list, err := pedia.Fetch(t.Context(), c, q, seen)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint("of ", *list.Total))
		out = append(out, list.Rows...)
		if !list.Full {
			return out
		}
		q.After = &list.Positions[len(list.Positions)-1]
	}
	t.Fatal("the pages do not end")
	return nil
}

// firstRows reads the first rows of each kind in each cluster.
func firstRows(t *testing.T, c *pedia.Client, q sql.Query) (out [][]string) {
	t.Helper()
	q.Count = false
	for _, cluster := range q.Clusters {
		for _, gvr := range q.GVRs {
			q.Groups = append(q.Groups, sql.Group{GVR: gvr, Cluster: cluster})
		}
	}
	q.GVRs, q.Clusters = nil, nil
	lists, err := pedia.FetchGroups(t.Context(), c, q, seen)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lists {
		out = append(out, l.Rows)
	}
	return out
}

func TestWhoHasWrittenNothingCostsNothing(t *testing.T) {
	rows := fleet(t)
	c, requests := standIn(t, rows)
	writes := ownwrites.New(nil)
	c.Remember(writes)
	q := sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Limit: 3}
	allRows := func() int64 {
		before := requests.Load()
		if _, err := pedia.Fetch(t.Context(), c, q, seen); err != nil {
			t.Fatal(err)
		}
		return requests.Load() - before
	}
	ref := model.Ref{Instance: "a", GVK: catalog.ByGVR(deployments).GVK, Namespace: "shop", Name: "a"}
	writes.Wrote("somebody else", ref, []byte(`{"metadata":{"uid":"x","resourceVersion":"900"}}`))
	// What the read store does not hold concerns no query of it.
	writes.Wrote("", model.Ref{Instance: "a", GVK: schema.GroupVersionKind{Group: "cluster.karmada.io", Version: "v1alpha1", Kind: "Cluster"}, Name: "a"},
		[]byte(`{"metadata":{"uid":"y","resourceVersion":"900"}}`))
	if n := allRows(); n != 1 {
		t.Errorf("%d requests of somebody who has written nothing, want 1", n)
	}
	writes.Wrote("", ref, anew(t, rows[0], 0, func(m map[string]any) { m["resourceVersion"] = "1" }).Raw)
	if n := allRows(); n != 2 {
		t.Errorf("%d requests after a write, want 2", n)
	}
}
