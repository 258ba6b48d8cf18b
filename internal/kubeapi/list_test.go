package kubeapi_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
)

// names is NAMESPACE/NAME of each row.
func names(rows []kubeapi.Row) []string {
	out := []string{}
	for _, r := range rows {
		out = append(out, r.Namespace+"/"+r.Name)
	}
	return out
}

func list(t *testing.T, r *kubeapi.Reader, q kubeapi.Query) *kubeapi.Page {
	t.Helper()
	q.Who, q.Instance = as(ada), "asia"
	page, err := r.List(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// walk reads a list to its end by the cursors of its pages.
func walk(t *testing.T, r *kubeapi.Reader, q kubeapi.Query) (all []kubeapi.Row, pages int) {
	t.Helper()
	for {
		page := list(t, r, q)
		if len(page.Rows) > q.Limit {
			t.Fatalf("a page of %d rows, want at most %d", len(page.Rows), q.Limit)
		}
		all, pages = append(all, page.Rows...), pages+1
		if q.After = page.Next; q.After == "" {
			return all, pages
		}
		if pages > 100 {
			t.Fatal("the list does not end")
		}
	}
}

func TestAListIsReadPageByPage(t *testing.T) {
	r, _ := start(t, 10*time.Second)
	namespace(t, "page-a", "a1", "a2", "a3", "a4", "a5")
	namespace(t, "page-b", "b1", "b2", "web-1", "web-2")
	namespace(t, "page-c")
	namespace(t, "page-d", "d1")
	in := []string{"page-d", "page-a", "page-c", "page-b", "page-a"}
	all := []string{"page-a/a1", "page-a/a2", "page-a/a3", "page-a/a4", "page-a/a5", "page-b/b1", "page-b/b2", "page-b/web-1", "page-b/web-2", "page-d/d1"}
	for _, c := range []struct {
		name  string
		query kubeapi.Query
		want  []string
	}{
		{"of one namespace", kubeapi.Query{Namespaces: []string{"page-a"}}, all[:5]},
		{"of several, by name, each once", kubeapi.Query{Namespaces: in}, all},
		{"of a member", kubeapi.Query{Namespaces: in, Cluster: "tokyo"}, all},
		{"of an empty namespace", kubeapi.Query{Namespaces: []string{"page-c"}}, []string{}},
		{"with labels", kubeapi.Query{Namespaces: in, LabelSelector: "tier in (web)"}, []string{"page-a/a1", "page-a/a3", "page-a/a5", "page-b/b1", "page-b/web-1", "page-d/d1"}},
		{"with a part of the name", kubeapi.Query{Namespaces: in, NameContains: "eb-"}, []string{"page-b/web-1", "page-b/web-2"}},
		{"with both", kubeapi.Query{Namespaces: in, NameContains: "1", LabelSelector: "tier=web"}, []string{"page-a/a1", "page-b/b1", "page-b/web-1", "page-d/d1"}},
		{"with a part of no name", kubeapi.Query{Namespaces: in, NameContains: "nothing"}, []string{}},
		{"over all namespaces", kubeapi.Query{NameContains: "web-"}, []string{"page-b/web-1", "page-b/web-2"}},
	} {
		c.query.GVK = configMap
		want := c.want
		for _, limit := range []int{1, 2, 3, 4, 50} {
			t.Run(fmt.Sprintf("%s, %d at a time", c.name, limit), func(t *testing.T) {
				q := c.query
				q.Limit = limit
				rows, _ := walk(t, r, q)
				if len(q.Namespaces) > 0 {
					// Every namespace has one that Kubernetes puts there.
					rows = without(rows, "kube-root-ca.crt")
				}
				if diff := cmp.Diff(want, names(rows)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
	t.Run("goes on after any row", func(t *testing.T) {
		for _, limit := range []int{1, 3, 50} {
			rows, _ := walk(t, r, kubeapi.Query{GVK: configMap, Namespaces: in, Limit: limit})
			for i, row := range rows {
				rest, _ := walk(t, r, kubeapi.Query{GVK: configMap, Namespaces: in, Limit: limit, After: row.Cursor})
				if diff := cmp.Diff(names(rows[i+1:]), names(rest)); diff != "" {
					t.Errorf("%d at a time, after %s: -want +got:\n%s", limit, row.Name, diff)
				}
			}
		}
	})
}

func without(rows []kubeapi.Row, name string) []kubeapi.Row {
	out := []kubeapi.Row{}
	for _, r := range rows {
		if r.Name != name {
			out = append(out, r)
		}
	}
	return out
}

func TestAPageOfAListIsOneRequestWhereNothingIsLeftOut(t *testing.T) {
	r, d := start(t, 10*time.Second)
	namespace(t, "page-e", "e1", "e2", "e3", "e4", "e5")
	q := kubeapi.Query{GVK: configMap, Namespaces: []string{"page-e"}, Limit: 2}
	q.After = list(t, r, q).Next
	d.seen("")
	page := list(t, r, q)
	seen := d.seen("/configmaps")
	if len(seen) != 1 || seen[0].query.Get("limit") != "2" || seen[0].path != "/api/v1/namespaces/page-e/configmaps" {
		t.Errorf("requests %v", seen)
	}
	if page.Rows[1].Cursor != page.Next {
		t.Error("the last row's cursor is not where the next page begins")
	}
}

func TestAServerThatKeepsNoOrderAndNoLimitIsReadToItsEnd(t *testing.T) {
	r, d := start(t, 10*time.Second)
	if _, err := r.Kind(t.Context(), everything, "asia", "", configMap); err != nil {
		t.Fatal(err)
	}
	d.answer(only("/configmaps", func(w http.ResponseWriter, _ *http.Request) {
		item := `{"metadata":{"namespace":%q,"name":%q}}`
		fmt.Fprintf(w, `{"items":[`+item+`,`+item+`,`+item+`,`+item+`]}`, "n", "d", "n", "a", "m", "z", "n", "b")
	}))
	for _, limit := range []int{1, 2, 3, 4, 9} {
		rows, _ := walk(t, r, kubeapi.Query{GVK: configMap, Limit: limit})
		if diff := cmp.Diff([]string{"m/z", "n/a", "n/b", "n/d"}, names(rows)); diff != "" {
			t.Errorf("%d at a time: -want +got:\n%s", limit, diff)
		}
	}
}

func TestAPageLooksAtABoundedNumberOfObjects(t *testing.T) {
	r, d := start(t, 10*time.Second)
	if _, err := r.Kind(t.Context(), everything, "asia", "", configMap); err != nil {
		t.Fatal(err)
	}
	// A list that never ends, and holds nothing that is looked for.
	d.answer(only("/configmaps", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"metadata":{"continue":"more"},"items":[{"metadata":{"namespace":"n","name":"other"}}]}`)
	}))
	d.seen("")
	page := list(t, r, kubeapi.Query{GVK: configMap, NameContains: "web", Limit: 5})
	if n := len(d.seen("/configmaps")); n != 10 {
		t.Errorf("%d requests, want 10", n)
	}
	if len(page.Rows) != 0 || page.Next == "" {
		t.Errorf("rows %v, next %q: want none, and more to follow", page.Rows, page.Next)
	}
}

func TestAListThatCannotBeReadSaysWhy(t *testing.T) {
	r, d := start(t, 10*time.Second)
	namespace(t, "page-f", "f1", "f2")
	next := list(t, r, kubeapi.Query{GVK: configMap, Namespaces: []string{"page-f"}, Limit: 1}).Next
	encoded := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for _, c := range []struct {
		name    string
		query   kubeapi.Query
		code    model.Code
		message string
	}{
		{"a selector that is none", kubeapi.Query{GVK: configMap, LabelSelector: "a in"}, model.CodeBadUserInput, "labelSelector"},
		{"a namespace that is none", kubeapi.Query{GVK: configMap, Namespaces: []string{"a/b"}}, model.CodeBadUserInput, "namespaces"},
		{"an empty namespace", kubeapi.Query{GVK: configMap, Namespaces: []string{""}}, model.CodeBadUserInput, "namespaces"},
		{"a namespace of a kind without", kubeapi.Query{GVK: clusterRole, Namespaces: []string{"page-f"}}, model.CodeBadUserInput, "namespaces"},
		{"a kind that cannot be listed", kubeapi.Query{GVK: schema.GroupVersionKind{Group: "authorization.k8s.io", Version: "v1", Kind: "SubjectAccessReview"}}, model.CodeBadUserInput, "kind"},
		{"a cursor that is none", kubeapi.Query{GVK: configMap, After: "%"}, model.CodeBadUserInput, "after"},
		{"a cursor that holds something else", kubeapi.Query{GVK: configMap, After: encoded("[1]")}, model.CodeBadUserInput, "after"},
		{"a cursor that is too long", kubeapi.Query{GVK: configMap, After: strings.Repeat("A", 9000)}, model.CodeBadUserInput, "after"},
		{"a cursor of another list", kubeapi.Query{GVK: configMap, After: next}, model.CodeBadUserInput, "after"},
		{"a token of somebody's own making", kubeapi.Query{GVK: configMap, After: encoded(`{"c":"../../secrets"}`)}, model.CodeBadUserInput, "continue"},
		{"a cluster that is not there", kubeapi.Query{GVK: configMap, Cluster: "osaka"}, model.CodeNotFound, "osaka"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.query.Who, c.query.Instance, c.query.Limit = as(ada), "asia", 5
			_, err := r.List(t.Context(), c.query)
			if code(err) != c.code || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("a cursor that is too old", func(t *testing.T) {
		d.answer(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("continue") == "" {
				return false
			}
			status(410, metav1.StatusReasonExpired, "The provided continue parameter is too old")(w, r)
			return true
		})
		defer d.answer(nil)
		_, err := r.List(t.Context(), kubeapi.Query{Who: as(ada), Instance: "asia", GVK: configMap, Namespaces: []string{"page-f"}, Limit: 1, After: next})
		if code(err) != model.CodeBadUserInput || !strings.Contains(err.Error(), "cursor expired") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("what somebody may not see", func(t *testing.T) {
		q := kubeapi.Query{Who: as(cora), Instance: "asia", GVK: configMap, Limit: 5}
		if _, err := r.List(t.Context(), q); code(err) != model.CodeForbidden {
			t.Errorf("over all namespaces: %v", err)
		}
		q.Namespaces = []string{"hers"}
		if _, err := r.List(t.Context(), q); err != nil {
			t.Errorf("in hers: %v", err)
		}
		q.Who.Scope = kubeapi.Who{}.Scope
		if _, err := r.List(t.Context(), q); code(err) != model.CodeForbidden {
			t.Errorf("without a scope: %v", err)
		}
	})
}

func TestAListOfMetadataHasNothingElse(t *testing.T) {
	r, _ := start(t, 10*time.Second)
	namespace(t, "page-meta", "m1", "m2")
	q := kubeapi.Query{GVK: configMap, Namespaces: []string{"page-meta"}, Limit: 10}
	for _, alone := range []bool{false, true} {
		q.MetadataOnly = alone
		page := list(t, r, q)
		if diff := cmp.Diff([]string{"page-meta/m1", "page-meta/m2"}, names(page.Rows)); diff != "" {
			t.Error(diff)
		}
		for _, row := range page.Rows {
			if raw := string(row.Raw); strings.Contains(raw, `"data"`) == alone || !strings.Contains(raw, `"uid"`) {
				t.Errorf("metadata alone: %t: %s", alone, raw)
			}
		}
	}
}
