package resolvers_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// What is asked for in one query beside other things is what is asked for alone: no two fields share a read that
// differ in anything that the read depends on. Queries are made of the schema, so that a new field and a new
// argument are asked for without a word.

// Queries of each run: from seeds that are always the same, and from one of its own.
const (
	fixedQueries = 160
	freshQueries = 80
)

func TestFieldsBesideEachOtherAnswerAsEachAlone(t *testing.T) {
	world := wholeWorld(t)
	walk := schematest.Load(t, arguments("asia"), entries("asia"))
	fresh := schematest.Seed(t)
	var asked, alone, withData int
	var mu sync.Mutex
	run := func(t *testing.T, seed uint64, queries int) {
		t.Helper()
		known := &cursors{all: map[string][]string{}}
		u := newUpstreamsOf(t, world)
		u.store.remember = map[string][]byte{}
		u.wait = briefly
		for i := range queries {
			a := &asker{Schema: walk, Rand: rand.New(rand.NewPCG(seed, uint64(i))), arguments: arguments("asia"), cursors: known, left: 16} //nolint:gosec // the same again for the same seed
			q := a.query()
			if !compareAlone(t, u, q, known) {
				t.Errorf("seed %d, query %d", seed, i)
			}
			mu.Lock()
			asked++
			alone += len(q.chains())
			mu.Unlock()
			if t.Failed() {
				return
			}
		}
		mu.Lock()
		withData += len(known.all)
		mu.Unlock()
	}
	const workers = 4
	share := 1
	if raceDetector {
		share = 5
	}
	t.Run("seeds", func(t *testing.T) {
		for seed := range uint64(workers) {
			t.Run(fmt.Sprint("that stays ", seed), func(t *testing.T) { t.Parallel(); run(t, seed, fixedQueries/workers/share) })
		}
		t.Run(fmt.Sprint("of this run ", fresh), func(t *testing.T) { t.Parallel(); run(t, fresh, freshQueries/share) })
	})
	t.Logf("%d queries of %d seeds answered as %d asked alone; %s=%d asks those of the fresh seed again", asked, workers+1, alone, schematest.SeedVariable, fresh)
	if !t.Failed() && (asked < (fixedQueries+freshQueries)/share-workers || alone < 3*asked || withData < max(1, 10/share/2)) {
		t.Errorf("%d queries, %d alone, %d lists with rows: the walk has lost its way", asked, alone, withData)
	}
}

// compareAlone holds a query against what each of its leaves is alone.
func compareAlone(t *testing.T, u *upstreams, q *selection, known *cursors) bool {
	t.Helper()
	together := u.ask(t, q.String(), nil)
	known.remember(q, together.Data)
	var data any = map[string]any{"__typename": "Query"}
	errs := map[string]bool{}
	for _, c := range q.chains() {
		got := u.ask(t, c.String(), nil)
		maps.Copy(errs, places(got.Errors))
		var ok bool
		if data, ok = merged(data, got.Data); !ok {
			t.Errorf("one answer contradicts those of others about the same objects: %s\nin %s", c, q)
			return false
		}
	}
	diff := gocmp.Diff(data, together.Data) + gocmp.Diff(errs, places(together.Errors))
	if diff != "" {
		t.Errorf("%s\n-each alone +together:\n%s", q, diff)
	}
	return diff == ""
}

// Every argument of every field, on its own, makes a field another one.
func TestNoArgumentIsForgotten(t *testing.T) {
	world := wholeWorld(t)
	walk := schematest.Load(t, arguments("asia"), entries("asia"))
	var mu sync.Mutex
	variants, queries, different := 0, 0, 0
	t.Run("types", func(t *testing.T) {
		for i, typeName := range walk.Types() {
			if raceDetector && i%4 != 0 {
				continue
			}
			t.Run(typeName, func(t *testing.T) {
				t.Parallel()
				u := newUpstreamsOf(t, world)
				u.store.remember = map[string][]byte{}
				u.wait = briefly
				a := &asker{Schema: walk, arguments: arguments("asia")}
				for _, f := range walk.Fields(typeName) {
					calls := a.variants(typeName, f)
					if !a.complete(typeName, f) || len(calls) == 1 {
						continue
					}
					for _, entry := range walk.Entries(typeName) {
						n := compareVariants(t, u, entry, calls, a.shown(f))
						mu.Lock()
						queries, variants, different = queries+1, variants+len(calls), different+n
						mu.Unlock()
					}
				}
			})
		}
	})
	t.Logf("%d queries with %d variants of their fields, %d of which have an answer of their own", queries, variants, different)
	if !raceDetector && (queries < 130 || variants < 900 || different < 350) {
		t.Error("the walk has lost its way")
	}
}

// shown is as little of a field as tells its rows apart.
func (a *asker) shown(f *ast.FieldDefinition) string {
	d := a.Schema.Schema.Types[f.Type.Name()]
	if a.IsLeaf(f) {
		return ""
	}
	if a.IsConnection(f) {
		return "{totalCount nodes" + a.shown(d.Fields.ForName("nodes")) + "}"
	}
	fields := "__typename"
	for _, name := range []string{"id", "name"} {
		if named := d.Fields.ForName(name); named != nil && a.IsLeaf(named) {
			fields += " " + name
		}
	}
	return "{" + fields + "}"
}

// compareVariants asks for variants of a field in one query and each in its own. It counts those whose answer is not
// that of the first.
func compareVariants(t *testing.T, u *upstreams, entry schematest.Path, calls []string, shown string) (different int) {
	t.Helper()
	var together []string
	for i, call := range calls {
		together = append(together, fmt.Sprintf("v%d: %s%s", i, call, shown))
	}
	got := u.ask(t, entry.Query(strings.Join(together, " ")), nil)
	objects := entry.Objects(got.Data)
	var first []any
	for i, call := range calls {
		alone := u.ask(t, entry.Query(call+shown), nil)
		name, _, _ := strings.Cut(call, "(")
		var want, have []any
		for _, o := range entry.Objects(alone.Data) {
			want = append(want, o[name])
		}
		for _, o := range objects {
			have = append(have, o[fmt.Sprint("v", i)])
		}
		if diff := gocmp.Diff(want, have); diff != "" {
			t.Errorf("%s%s beside its variants in %s\n-alone +beside:\n%s", call, shown, entry, diff)
		}
		if i == 0 {
			first = want
		} else if !reflect.DeepEqual(first, want) {
			different++
		}
	}
	return different
}

func TestKindsOfOneListDoNotAnswerForAnother(t *testing.T) {
	u := newUpstreams(t)
	got := u.ask(t, `{instance(name:"asia"){clusters{nodes{a: workloads(filter:{kinds:[DEPLOYMENT]}){nodes{name}} b: workloads(filter:{kinds:[DAEMON_SET]}){nodes{name}}}}}}`, nil)
	members := schematest.Path{`instance`, `clusters`, `nodes`}.Objects(got.Data)
	if len(members) != 2 || len(got.Errors) > 0 {
		t.Fatalf("%d members, %v", len(members), got.Errors)
	}
	for _, m := range members {
		a, b := fmt.Sprint(m["a"]), fmt.Sprint(m["b"])
		if !strings.Contains(a, "cart") || strings.Contains(b, "cart") {
			t.Errorf("Deployments are %s, DaemonSets %s", a, b)
		}
	}
}

// briefly is how long loaders gather where it does not matter what is asked together.
const briefly = 200 * time.Microsecond
