package pedia_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/database/databasetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/internal/testing/storetest"
)

func TestMain(m *testing.M) { databasetest.Main(m) }

func open(t *testing.T, dsn string) *pedia.Database {
	t.Helper()
	db, err := pedia.OpenDatabase(pedia.DatabaseOptions{DSN: dsn, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// labeled is rows by their label.
func labeled(t *testing.T, selector string) sql.Condition {
	t.Helper()
	s, err := labels.Parse(selector)
	if err != nil {
		t.Fatal(err)
	}
	return sql.Labels(s)
}

// The stand-in evaluates the Go form of conditions: what PostgreSQL answers is that, with the pack's statements and without.
func TestTheDatabaseAnswersAsTheStandInDoes(t *testing.T) {
	rows := fleet(t)
	for i := range 30 { // what is looked up by the probe, and pages that end between kinds
		rows = append(rows, pediatest.Row{Kind: "Namespace", Row: sql.Row{Cluster: "kairship.a", GVR: spaces,
			Raw: fmt.Appendf(nil, `{"metadata":{"name":"ns-%d","uid":"n%d","creationTimestamp":"2026-01-01T00:00:01Z","annotations":{"shadow.clusterpedia.io/cluster-name":"kairship.a"}}}`, i, i)}})
	}
	owner := storetest.Owner(t)
	storetest.Fill(t, owner, rows)
	standin, _ := standIn(t, rows)
	direct := pedia.NewClient(open(t, storetest.Reader(t, owner)))
	if err := direct.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	wheres := [][]sql.Condition{
		nil, {labeled(t, "odd=true,app!=a-b")}, {labeled(t, "app,!nothing,odd notin (true),app notin (a,ab)")}, {labeled(t, "!app")}, {labeled(t, "odd!=true,app!=a")}, {sql.Names("a", "ab")}, {sql.NameContains("a-")}, {sql.NameContains("a")}, {sql.Namespaces("shop")}, {sql.Namespaces("shop", "other")},
		{sql.Not(sql.Names("a"))}, {sql.Any(sql.Names("a"), labeled(t, "app in (ab,a0)"))}, {sql.UIDs("kairship.adeploymentsa")}, {sql.NameContains("nothing-like-it")},
	}
	scopes := []rbac.Scope{everything(), roleIn(t, v1alpha1.RoleViewer, in("a", "shop"))}
	random := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for _, scope := range scopes {
		for _, where := range wheres {
			for _, pack := range []pedia.Fact{pedia.Yes, pedia.No} {
				direct.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pack})
				standin.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pack})
				for range 4 {
					q := sql.Query{Scope: scope, GVRs: one(statefulSets, deployments), Clusters: []string{"kairship.a", "kairship.a-b"}, Where: where,
						Order: []sql.Order{sql.ByName, sql.ByCreated}[random.IntN(2)], Descending: random.IntN(2) == 0, Limit: 1 + random.IntN(12), Count: random.IntN(2) == 0}
					if random.IntN(3) == 0 {
						q.GVRs, q.Clusters = q.GVRs[:1], q.Clusters[:1]
					}
					q.MetadataOnly = random.IntN(2) == 0
					for range 40 { // all pages
						want, wantErr := pedia.Fetch(t.Context(), standin, q, decodeKey)
						got, err := pedia.Fetch(t.Context(), direct, q, decodeKey)
						if diff := cmp.Diff(want, got); diff != "" || err != nil || wantErr != nil {
							t.Fatalf("%+v: %v, %v: -stand-in +database:\n%s", q, wantErr, err, diff)
						}
						compared++
						if !got.Full || len(got.Positions) == 0 {
							break
						}
						q.After = &got.Positions[len(got.Positions)-1]
					}
					q.After = nil
					n, err := pedia.Count(t.Context(), direct, q)
					if want, _ := pedia.Count(t.Context(), standin, q); err != nil || cmp.Diff(want, n) != "" {
						t.Fatalf("%+v: %v rows, %v; want %v", q, n, err, want)
					}
					groups := sql.Query{Scope: scope, Limit: 1 + random.IntN(4), Groups: []sql.Group{
						{GVR: deployments, Cluster: "kairship.a", Where: where}, {GVR: statefulSets, Cluster: "kairship.a-b"}, {GVR: deployments, Cluster: "kairship.a"}}}
					want, _ := pedia.FetchGroups(t.Context(), standin, groups, decodeKey)
					got, err := pedia.FetchGroups(t.Context(), direct, groups, decodeKey)
					if diff := cmp.Diff(want, got); diff != "" || err != nil {
						t.Fatalf("%+v: %v: -stand-in +database:\n%s", groups, err, diff)
					}
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d pages were compared", compared)
	}
	keys := []sql.Key{{Cluster: "kairship.a", Namespace: "shop", Name: "a", GVR: deployments}, {Cluster: "kairship.a-b", Namespace: "shop", Name: "ab", GVR: statefulSets},
		{Cluster: "kairship.a", Namespace: "shop", Name: "gone", GVR: deployments}, {Cluster: "kairship.a", Name: "ns-3", GVR: spaces}}
	want, _ := pedia.FetchKeys(t.Context(), standin, sql.Query{Scope: everything()}, keys, decodeKey)
	got, err := pedia.FetchKeys(t.Context(), direct, sql.Query{Scope: everything()}, keys, decodeKey)
	if diff := cmp.Diff(want, got); diff != "" || err != nil || len(got) != 3 {
		t.Errorf("keys: %v: -stand-in +database:\n%s", err, diff)
	}
}

// The namespace of objects of none is one like others: a page over it and another has the rows of both.
func TestObjectsOfNoNamespaceAreFoundBesideThoseOfOne(t *testing.T) {
	rows := fleet(t)
	for i := range 3 {
		rows = append(rows, pediatest.Row{Kind: "Namespace", Row: sql.Row{Cluster: "kairship.a", GVR: spaces,
			Raw: fmt.Appendf(nil, `{"metadata":{"name":"a%d","uid":"n%d","creationTimestamp":"2026-01-01T00:00:01Z","annotations":{"shadow.clusterpedia.io/cluster-name":"kairship.a"}}}`, i, i)}})
	}
	owner := storetest.Owner(t)
	storetest.Fill(t, owner, rows)
	c := pedia.NewClient(open(t, storetest.Reader(t, owner)))
	for name, tc := range map[string]struct {
		where []sql.Condition
		shop  int // rows of that namespace
	}{
		"that of none alone":      {[]sql.Condition{sql.Namespaces("")}, 0},
		"that of none and one":    {[]sql.Condition{sql.Namespaces("", "shop")}, 5},
		"by a part of their name": {[]sql.Condition{sql.Namespaces("", "shop"), sql.NameContains("a")}, 5},
	} {
		for _, pack := range []pedia.Fact{pedia.Yes, pedia.No} {
			for _, order := range []sql.Order{sql.ByName, sql.ByCreated} {
				t.Run(fmt.Sprint(name, " ", order, " pack ", pack), func(t *testing.T) {
					c.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pack})
					list, err := pedia.Fetch(t.Context(), c, sql.Query{Scope: everything(), GVRs: one(spaces, deployments), Clusters: []string{"kairship.a"},
						Where: tc.where, Order: order, Limit: 50}, decodeKey)
					if err != nil {
						t.Fatal(err)
					}
					found := map[string]int{}
					for _, row := range list.Rows {
						found[row.Namespace]++
					}
					want := map[string]int{"": 3}
					if tc.shop > 0 {
						want["shop"] = tc.shop
					}
					if diff := cmp.Diff(want, found); diff != "" {
						t.Errorf("rows by namespace (-want +got):\n%s", diff)
					}
				})
			}
		}
	}
}

// Groups that are shown as one list are read no further than the list goes: whatever is left out is beyond its first rows.
func TestGroupsOfAListAreReadAsFarAsTheListGoes(t *testing.T) {
	owner := storetest.Owner(t)
	rows := fleet(t)
	for _, r := range fleet(t) { // what is hidden from who sees one namespace
		r.Raw = bytes.ReplaceAll(bytes.ReplaceAll(r.Raw, []byte(`"shop"`), []byte(`"pay"`)), []byte(`"uid":"`), []byte(`"uid":"pay`))
		rows = append(rows, r)
	}
	storetest.Fill(t, owner, rows)
	c := pedia.NewClient(open(t, storetest.Reader(t, owner)))
	// The rows of a list, of which some are in two groups, in its order.
	merged := func(q sql.Query, groups []pedia.List[sql.Key], list int) []sql.Position {
		q.GVRs = one(deployments, statefulSets)
		var out []sql.Position
		for i := range groups {
			if i/3 == list {
				out = append(out, groups[i].Positions...)
			}
		}
		slices.SortFunc(out, q.Compare)
		out = slices.Compact(out)
		return out[:min(len(out), q.Limit)]
	}
	asked, saved := 0, 0
	for _, facts := range []pedia.Features{{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pedia.Yes}, {Gate: pedia.GateOpen, ByBytes: pedia.No, Pack: pedia.No}} {
		c.Assume(facts)
		for _, scope := range []rbac.Scope{everything(), roleIn(t, v1alpha1.RoleViewer, in("a", "shop"))} {
			for _, order := range []sql.Order{sql.ByName, sql.ByCreated} {
				for _, descending := range []bool{false, true} {
					for limit := range 5 {
						odd := []sql.Condition{labeled(t, "odd=true")}
						q := sql.Query{Scope: scope, Order: order, Descending: descending, Limit: limit + 1, Groups: []sql.Group{
							{GVR: deployments, Cluster: "kairship.a"}, {GVR: statefulSets, Cluster: "kairship.a"}, {GVR: deployments, Cluster: "kairship.a-b"},
							{GVR: deployments, Cluster: "kairship.a", Where: odd}, {GVR: statefulSets, Cluster: "kairship.a-b", Where: odd}, {GVR: deployments, Cluster: "kairship.a", Where: odd},
						}}
						apart, err := pedia.FetchGroups(t.Context(), c, q, decodeKey)
						if err != nil {
							t.Fatal(err)
						}
						for i := range q.Groups {
							q.Groups[i].List = 1 + i/3
						}
						together, err := pedia.FetchGroups(t.Context(), c, q, decodeKey)
						if err != nil {
							t.Fatal(err)
						}
						for _, list := range together {
							for _, key := range list.Rows {
								if !sql.Visible(scope, key) {
									t.Fatalf("%v is handed out to who sees the namespace shop", key)
								}
							}
						}
						for list := range 2 {
							if diff := cmp.Diff(merged(q, apart, list), merged(q, together, list)); diff != "" {
								t.Fatalf("%+v %s descending %t limit %d, list %d (-apart +together):\n%s", facts, order, descending, q.Limit, list, diff)
							}
						}
						for i := range q.Groups {
							asked, saved = asked+len(apart[i].Rows), saved+len(apart[i].Rows)-len(together[i].Rows)
						}
					}
				}
			}
		}
	}
	if saved < asked/8 {
		t.Errorf("%d rows of %d were not handed out, as if the groups were lists of their own", saved, asked)
	}
}

// inserting is a tracer that has something done before the rows of a statement are counted.
type inserting struct{ insert func() }

func (i *inserting) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if strings.Contains(q.SQL, "count(") {
		i.insert()
	}
	return ctx
}

func (*inserting) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// What is written between the two statements of a page is in neither its rows nor its total.
func TestRowsAndTheirTotalAreOfTheSameMoment(t *testing.T) {
	owner := storetest.Owner(t)
	storetest.Fill(t, owner, fleet(t))
	db := open(t, storetest.Reader(t, owner))
	later, inserted := fleet(t)[:1], 0
	later[0].Raw = bytes.ReplaceAll(bytes.ReplaceAll(later[0].Raw, []byte(`"name":"a"`), []byte(`"name":"later"`)), []byte(`"uid":"`), []byte(`"uid":"later`))
	if err := pedia.Trace(db, &inserting{func() {
		inserted++
		storetest.Fill(t, owner, later)
	}}); err != nil {
		t.Fatal(err)
	}
	c := pedia.NewClient(db)
	c.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pedia.Yes})
	list, err := pedia.Fetch(t.Context(), c, sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Limit: 50, Count: true}, decodeKey)
	if err != nil || inserted != 1 || list.Total == nil || *list.Total != len(list.Rows) || len(list.Rows) != 5 {
		t.Errorf("%d rows inserted in between: %d rows of %v, %v", inserted, len(list.Rows), list.Total, err)
	}
}

// What a statement selects is trusted; whether the caller may see it is looked at again, on each row.
func TestARowBeyondTheScopeIsNotHandedOutWhateverTheDatabaseSays(t *testing.T) {
	owner := storetest.Owner(t)
	storetest.Fill(t, owner, []pediatest.Row{{Kind: "Deployment", Row: sql.Row{GVR: deployments, Cluster: "kairship.a",
		Raw: []byte(`{"kind":"Deployment","metadata":{"namespace":"shop","name":"cart","uid":"u"}}`)}}})
	c := pedia.NewClient(open(t, storetest.Reader(t, owner)))
	q := sql.Query{Scope: roleIn(t, v1alpha1.RoleViewer, in("a", "shop")), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Limit: 5}
	if list, err := pedia.Fetch(t.Context(), c, q, decodeKey); err != nil || len(list.Rows) != 1 {
		t.Fatalf("the row that may be seen: %+v, %v", list, err)
	}
	elsewhere := func(r sql.Row) (sql.Key, sql.Key, error) {
		row, key, err := decodeKey(r)
		key.Namespace = "payments"
		return row, key, err
	}
	if list, err := pedia.Fetch(t.Context(), c, q, elsewhere); err == nil {
		t.Errorf("a row of another namespace was handed out: %+v", list)
	}
}

// A cluster that is named twice is not counted twice.
func TestACountIsOfEachClusterOnce(t *testing.T) {
	rows := fleet(t)
	owner := storetest.Owner(t)
	storetest.Fill(t, owner, rows)
	c := pedia.NewClient(open(t, storetest.Reader(t, owner)))
	c.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pedia.Yes})
	q := sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a", "kairship.a-b", "kairship.a"}, Limit: 3, Count: true}
	list, err := pedia.Fetch(t.Context(), c, q, decodeKey)
	n, counted := pedia.Count(t.Context(), c, q)
	if err != nil || counted != nil || *list.Total != 10 || *n != 10 {
		t.Errorf("%+v and %v, %v, %v; want 10 rows in all", list, n, err, counted)
	}
}

// Only what nobody filters, and of which the viewer may see all, is estimated, and only where counting takes long.
func TestAnEstimateIsOfLongListsThatNobodyFilters(t *testing.T) {
	owner := storetest.Owner(t)
	databasetest.Exec(t, owner, `INSERT INTO resources ("group", version, resource, kind, cluster, namespace, name, owner_uid, uid, resource_version, object, created_at, synced_at)
		SELECT CASE WHEN i % 4 = 0 THEN '' ELSE 'apps' END, 'v1', CASE i % 4 WHEN 0 THEN 'pods' WHEN 1 THEN 'statefulsets' ELSE 'deployments' END, 'Kind', CASE WHEN i % 10 = 0 THEN 'kairship.b' ELSE 'kairship.a' END,
			'shop', 'row-' || i, '', 'u' || i, '1', '{"metadata":{}}', now(), now() FROM generate_series(1, 60000) i`)
	// By single columns nobody knows that pods are of another group, and that one cluster has no StatefulSets.
	databasetest.Exec(t, owner, "ANALYZE resources")
	direct := pedia.NewClient(open(t, storetest.Reader(t, owner)))
	direct.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pedia.Yes})
	for _, tc := range []struct {
		name  string
		query sql.Query
		exact bool
		want  int
	}{
		{"a long list", sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}}, false, 27_000},
		{"several kinds in several clusters", sql.Query{Scope: everything(), GVRs: one(deployments, statefulSets), Clusters: []string{"kairship.a", "kairship.b"}}, false, 45_000},
		{"a short list", sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.b"}}, true, 3_000},
		{"a list of nothing", sql.Query{Scope: everything(), GVRs: one(spaces), Clusters: []string{"kairship.a"}}, true, 0},
		{"a filtered list", sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []sql.Condition{sql.NameContains("row-1")}}, true, -1},
		{"a part", sql.Query{Scope: roleIn(t, v1alpha1.RoleViewer, in("a", "shop")), GVRs: one(deployments), Clusters: []string{"kairship.a"}}, true, 27_000},
		{"what may not be seen", sql.Query{Scope: roleIn(t, v1alpha1.RoleViewer, in("a", "payments")), GVRs: one(deployments), Clusters: []string{"kairship.a"}}, true, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, exact, err := pedia.Estimate(t.Context(), direct, tc.query)
			if err != nil || exact != tc.exact {
				t.Fatalf("exact %v, %v; want %v", exact, err, tc.exact)
			}
			counted, err := pedia.Count(t.Context(), direct, tc.query)
			if err != nil || tc.want >= 0 && *counted != tc.want {
				t.Fatalf("%d rows are counted, %v; want %d", *counted, err, tc.want)
			}
			if off := float64(*got)/float64(max(*counted, 1)) - 1; exact && *got != *counted || !exact && max(off, -off) > .1 {
				t.Errorf("%d of %d rows: a tenth off at most, and none where it is exact", *got, *counted)
			}
		})
	}
}

// One person has a share of the connections, and a statement that takes too long says nothing of the database.
func TestOnePersonsLoadLeavesConnectionsToOthers(t *testing.T) {
	owner := storetest.Owner(t)
	storetest.Fill(t, owner, fleet(t))
	db, err := pedia.OpenDatabase(pedia.DatabaseOptions{DSN: storetest.Reader(t, owner), Timeout: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	c := pedia.NewClient(db)
	c.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pedia.Yes})
	lock, err := pgx.Connect(t.Context(), owner)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close(context.WithoutCancel(t.Context())) }()
	if _, err := lock.Exec(t.Context(), "BEGIN; LOCK TABLE resources IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	authorizer := rbac.NewAuthorizer([]string{"g"})
	read := func(name string, i int) error {
		ctx := authorizer.NewContext(t.Context(), auth.Principal{Name: name, Groups: []string{"g"}})
		_, err := pedia.Fetch(ctx, c, sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Limit: 1 + i}, decodeKey)
		return err
	}
	var all sync.WaitGroup
	var busy atomic.Int32
	const reads = 30
	for i := range reads {
		all.Go(func() {
			if err := read("ann", i); err != nil && strings.Contains(err.Error(), "too much is asked") {
				busy.Add(1)
			}
		})
	}
	all.Wait()
	if n := busy.Load(); n != reads-pedia.Share {
		t.Errorf("%d of one person's %d reads at once were refused, want all but %d", n, reads, pedia.Share)
	}
	if _, err := lock.Exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := read("bob", 0); err != nil {
		t.Errorf("somebody else: %v", err)
	}
}

// While it is not known what the database does, pages and totals are those of the API.
func TestADatabaseThatWasNeverThereIsNoNumberThatIsMissing(t *testing.T) {
	rows := fleet(t)
	standin := &pediatest.Standin{Rows: func(sql.Query) []pediatest.Row { return rows }}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := standin.Answer(r)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(api.Close)
	db, err := pedia.OpenDatabase(pedia.DatabaseOptions{DSN: "host=127.0.0.1 port=1 user=u dbname=d sslmode=disable", Timeout: 1300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	c, err := standin.Client(&rest.Config{Host: api.URL}, 1300*time.Millisecond, db)
	if err != nil {
		t.Fatal(err)
	}
	pedia.Forget(c)
	if err := c.Check(t.Context()); err != nil {
		t.Errorf("a database that does not answer ends the server: %v", err)
	}
	q := sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Limit: 3, Count: true}
	list, err := pedia.Fetch(t.Context(), c, q, decodeKey)
	n, counted := pedia.Count(t.Context(), c, q)
	if err != nil || counted != nil || list.Total == nil || *list.Total != 5 || n == nil || *n != 5 {
		t.Errorf("%+v and %v, %v, %v; want 5 rows in all", list, n, err, counted)
	}
}

func TestBlanksBetweenValuesAreLeftOut(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a": [1, 2.5, "b: c, \\"], "d\"e ": {}, "f": null}`: `{"a":[1,2.5,"b: c, \\"],"d\"e ":{},"f":null}`,
		`{}`: `{}`, ``: ``, `"a b`: `"a b`, `"a\`: `"a\`,
	} {
		if got := string(pedia.Unspaced([]byte(raw))); got != want {
			t.Errorf("%s becomes %s, want %s", raw, got, want)
		}
	}
}

func TestTheDatabaseIsFoundOut(t *testing.T) {
	rows := []pediatest.Row{{Kind: "Namespace", Row: sql.Row{Cluster: "kairship.a", GVR: spaces, Raw: []byte(`{"metadata":{"name":"shop"}}`)}}}
	owner := storetest.Owner(t)
	c := pedia.NewClient(open(t, storetest.Reader(t, owner)))
	if f := pedia.Traits(t.Context(), c); f.Gate != pedia.GateUnknown {
		t.Errorf("an empty store is told to be %+v", f)
	}
	storetest.Fill(t, owner, rows)
	if f := pedia.Refresh(t.Context(), c); f.Gate != pedia.GateOpen || f.ByBytes != pedia.Yes || f.Pack != pedia.Yes {
		t.Errorf("a store with the pack is told to be %+v", f)
	}
	databasetest.Exec(t, owner, "DROP INDEX kairship_labels")
	if f := pedia.Refresh(t.Context(), c); f.Pack != pedia.No || len(f.Missing) != 1 || f.Missing[0] != "kairship_labels" {
		t.Errorf("a store without an index is told to be %+v", f)
	}
}

func TestADatabaseThatIsNotToBeReadIsRefused(t *testing.T) {
	owner := storetest.Owner(t)
	reader := storetest.Reader(t, owner)
	empty := databasetest.Database(t)
	for name, c := range map[string]struct{ dsn, before, after, want string }{
		"a role that may write":          {dsn: owner, want: `may also INSERT, UPDATE, DELETE, TRUNCATE: read with one that`},
		"a database of something else":   {dsn: empty, want: "has no table resources"},
		"a table of another version":     {dsn: reader, before: "ALTER TABLE resources RENAME COLUMN owner_uid TO owner", after: "ALTER TABLE resources RENAME COLUMN owner TO owner_uid", want: "owner_uid is missing"},
		"a column of another type":       {dsn: reader, before: "ALTER TABLE resources ADD COLUMN kept jsonb; ALTER TABLE resources ALTER COLUMN kind TYPE bytea USING NULL", after: "ALTER TABLE resources ALTER COLUMN kind TYPE varchar USING NULL", want: "kind is bytea instead of character varying"},
		"a role that may not read it":    {dsn: reader, before: "REVOKE SELECT ON resources FROM PUBLIC, " + userOf(t, reader), after: "GRANT SELECT ON resources TO " + userOf(t, reader), want: "may not read the table"},
		"a role that there is not":       {dsn: strings.Replace(owner, "user=postgres", "user=nobody", 1), want: "PostgreSQL refuses the connection"},
		"a database that there is not":   {dsn: strings.Replace(owner, "dbname=", "dbname=no_", 1), want: "PostgreSQL refuses the connection"},
		"a role that may write by group": {dsn: reader, before: "GRANT pg_write_all_data TO " + userOf(t, reader), after: "REVOKE pg_write_all_data FROM " + userOf(t, reader), want: "may also INSERT"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.before != "" {
				databasetest.Exec(t, owner, c.before)
				defer databasetest.Exec(t, owner, c.after)
			}
			db := open(t, c.dsn)
			err := db.Check(t.Context())
			if !errors.Is(err, pedia.ErrUnsuitable) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			client := pedia.NewClient(db)
			if err := client.Check(t.Context()); !errors.Is(err, pedia.ErrUnsuitable) {
				t.Errorf("a client of it: %v", err)
			}
			_, err = pedia.Fetch(t.Context(), client, sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Limit: 1}, decodeKey)
			if e := (*model.Error)(nil); !errors.As(err, &e) || e.Code != model.CodeUnavailable {
				t.Errorf("a read of it: %v", err)
			}
		})
	}
	if err := open(t, reader).Check(t.Context()); err != nil {
		t.Errorf("what was put back is refused: %v", err)
	}
}

func userOf(t *testing.T, dsn string) string {
	t.Helper()
	c, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return c.User
}

func TestTheReaderCannotWrite(t *testing.T) {
	owner := storetest.Owner(t)
	conn, err := pgx.Connect(t.Context(), storetest.Reader(t, owner))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	for _, statement := range []string{"DELETE FROM resources", "UPDATE resources SET name = ''", "INSERT INTO resources DEFAULT VALUES", "TRUNCATE resources", "CREATE TABLE mine (a int)",
		"CREATE ROLE other", "SELECT pg_read_file('/etc/hostname')", "SELECT * FROM pg_authid"} {
		if _, err := conn.Exec(t.Context(), "SET default_transaction_read_only = off; "+statement); err == nil {
			t.Errorf("it may %s", statement)
		}
	}
	if _, err := conn.Exec(t.Context(), "SELECT count(*) FROM resources"); err != nil {
		t.Error(err)
	}
}

// What is asked of a source that does not answer is read from the other one, and what the first refuses for its content is
// not asked again.
func TestOneSourceStandsInForTheOther(t *testing.T) {
	rows := append(fleet(t), pediatest.Row{Kind: "Namespace", Row: sql.Row{Cluster: "kairship.a", GVR: spaces, Raw: []byte(`{"metadata":{"name":"shop"}}`)}})
	server := databasetest.Start(t)
	owner := server.Database(t)
	databasetest.Exec(t, owner, pediatest.Table)
	storetest.Fill(t, owner, rows)
	var frozen atomic.Bool
	standin := &pediatest.Standin{Rows: func(sql.Query) []pediatest.Row { return rows }}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if frozen.Load() {
			<-r.Context().Done() // no longer than its caller waits
			return
		}
		body, err := standin.Answer(r)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(api.Close)
	db, err := pedia.OpenDatabase(pedia.DatabaseOptions{DSN: storetest.Reader(t, owner), Timeout: 1300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	c, err := standin.Client(&rest.Config{Host: api.URL}, 1300*time.Millisecond, db)
	if err != nil {
		t.Fatal(err)
	}
	q := sql.Query{Scope: everything(), GVRs: one(statefulSets, deployments), Clusters: []string{"kairship.a", "kairship.a-b"}, Limit: 5, Count: true}
	want, err := pedia.Fetch(t.Context(), c, q, decodeKey)
	if err != nil || len(want.Rows) != 5 {
		t.Fatalf("%+v, %v", want, err)
	}
	same := func(what string) {
		t.Helper()
		for range 3 {
			got, err := pedia.Fetch(t.Context(), c, q, decodeKey)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Fatalf("%s: %v:\n%s", what, err, diff)
			}
		}
	}
	frozen.Store(true)
	same("an API that does not answer")
	frozen.Store(false)
	server.Stop(t)
	same("a database that is gone")
	server.Start(t)
	same("a database that is back")
}
