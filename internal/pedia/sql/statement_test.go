package sql

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

var (
	statefulSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}
	jobs         = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	packed       = Dialect{ByBytes: true, Pack: true}
)

func one(gvr ...schema.GroupVersionResource) []schema.GroupVersionResource { return gvr }

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

// everything is the scope of an administrator.
func everything() rbac.Scope {
	return rbac.NewAuthorizer([]string{"g"}).Scope(auth.Principal{Name: "a", Groups: []string{"g"}})
}

func TestAPageOfOneKindInOneClusterIsThePlainRequest(t *testing.T) {
	asia := []string{"kairship.asia"}
	for _, c := range []struct {
		name   string
		query  Query
		where  string
		params []any
	}{
		{"a first page needs no statement", Query{}, "", nil},
		{
			"a cursor and a name reach SQL as parameters",
			Query{After: &Position{Key: Key{"kairship.asia", "shop", "x' OR '1'='1", deployments}}, Where: []Condition{NameContains("5%")}},
			"(namespace, name) >= (?::text, ?::text) AND (name || '' LIKE ?::text)",
			[]any{"shop", "x' OR '1'='1\u0001", `%5\%%`},
		},
		{
			"one namespace leaves the order of the index",
			Query{Where: []Condition{Namespaces("shop")}},
			"(namespace = ?::text)", []any{"shop"},
		},
		{
			"downwards",
			Query{Descending: true, After: &Position{Key: Key{"kairship.asia", "shop", "x", deployments}}},
			"(namespace, name) < (?::text, ?::text)", []any{"shop", "x"},
		},
		{
			"by time of creation",
			Query{Order: ByCreated, After: &Position{Key: Key{"kairship.asia", "shop", "x", deployments}, At: "2026-01-01T00:00:00Z"}},
			"(created_at, namespace, name) >= (?::text::timestamptz, ?::text, ?::text)", []any{"2026-01-01T00:00:00Z", "shop", "x\u0001"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.query.GVRs, c.query.Clusters, c.query.Limit = one(deployments), asia, 5
			s, err := c.query.Page(Dialect{ByBytes: true})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.where, s.Where); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(c.params, s.Params); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Whatever a user says is nowhere in a statement, and as many parameters as placeholders are sent.
func TestNoValueOfAUserIsInAStatement(t *testing.T) {
	const evil = `evil'); DROP TABLE resources; --?`
	selector, err := labels.Parse("app in (a,b),!gone,tier notin (evil),there,n>5")
	if err != nil {
		t.Fatal(err)
	}
	conditions := []Condition{
		Namespaces(evil), Namespaces(evil, "b"), Names(evil), Names(), Keys(Key{Cluster: evil, Namespace: evil, Name: evil}), NameContains(evil),
		Labels(selector), Labels(labels.Nothing()), LabelIn(evil, evil), LabelIn("propagationpolicy.karmada.io/permanent-id", evil),
		LabelsContain(map[string]string{evil: evil}), OwnedBy(evil), UIDs(evil), Involving(evil), Field([]string{evil, evil}, evil),
		FieldContainedIn([]string{"spec", "selector"}, map[string]string{evil: evil}), FieldContains([]string{evil}, evil),
		OwnedByObjects(Key{evil, evil, evil, deployments}), Binding(FieldContains([]string{"spec"}, evil)), Not(Names(evil)), Any(Names(evil), UIDs(evil)), All(Names(evil)), Unhealthy(), Unhealthy(evil), OfResource(evil), OfResource(evil, "b"),
	}
	after := &Position{Key: Key{evil, evil, evil, deployments}, At: "2026-01-01T00:00:00Z"}
	check := func(t *testing.T, s *Statement, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if text := s.Where + s.OrderBy; strings.Contains(text, "evil") || strings.Count(text, "?") != len(s.Params) {
			t.Errorf("%d parameters for %s", len(s.Params), text)
		}
	}
	for i, c := range conditions {
		t.Run(fmt.Sprintf("%T %d", c, i), func(t *testing.T) {
			for _, order := range []Order{ByName, ByCreated, ByLastSeen} {
				for _, clusters := range [][]string{{evil}, {evil, "kairship.b"}} {
					for _, d := range []Dialect{{}, {ByBytes: true}, packed} {
						q := Query{GVRs: one(deployments, jobs), Clusters: clusters, Where: []Condition{c}, Order: order, After: after, Limit: 5}
						s, err := q.Page(d)
						check(t, s, err)
						q.GVRs = one(deployments)
						s, err = q.Page(d)
						check(t, s, err)
						q.Groups = []Group{{deployments, evil, []Condition{c}, 0}, {jobs, evil, nil, 0}, {deployments, evil, []Condition{c}, 1}, {jobs, evil, []Condition{c}, 1}}
						s, err = q.FirstRows(d)
						check(t, s, err)
					}
				}
			}
		})
	}
	s, err := Query{}.Keys([]Key{{evil, evil, evil, deployments}})
	check(t, s, err)
}

// The labels of an object are decompressed each time they are taken out of it: a selector that no index serves takes them once,
// however many requirements it has.
func TestASelectorTakesTheLabelsOfARowOnce(t *testing.T) {
	var text []string
	for i := range 100 {
		text = append(text, fmt.Sprintf("!a%d,b%d!=x,c%d notin (x,y),d%d,e%d>5", i, i, i, i, i))
	}
	selector, err := labels.Parse(strings.Join(text, ","))
	if err != nil {
		t.Fatal(err)
	}
	q := Query{GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []Condition{Labels(selector)}, Limit: 1}
	s, err := q.Page(packed)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(s.Where, "'labels'"); n != 1 {
		t.Errorf("they are taken %d times", n)
	}
}

func TestAZeroByteIsBadInput(t *testing.T) {
	for name, c := range map[string]Condition{"a text": NameContains("a\x00b"), "a list": Names("a", "a\x00b"), "a set": LabelsContain(map[string]string{"a": "\x00"})} {
		t.Run(name, func(t *testing.T) {
			q := Query{GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []Condition{c}, Limit: 1}
			_, err := q.Page(packed)
			var e *model.Error
			if !errors.As(err, &e) || e.Code != model.CodeBadUserInput {
				t.Errorf("error %v, want BAD_USER_INPUT", err)
			}
		})
	}
}

func TestACursorOfNoSenseIsBadInput(t *testing.T) {
	for name, after := range map[string]Position{
		"a time that is none": {Key: Key{Cluster: "a", Name: "a"}, At: "now()"},
		"a zero byte":         {Key: Key{Cluster: "a", Name: "a\x00"}, At: "2026-01-01T00:00:00Z"},
		"no UTF-8":            {Key: Key{Cluster: "a", Name: "a\xff"}, At: "2026-01-01T00:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			q := Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"a"}, Order: ByCreated, After: &after, Limit: 1}
			var e *model.Error
			if err := q.Check(); !errors.As(err, &e) || e.Code != model.CodeBadUserInput {
				t.Errorf("error %v, want BAD_USER_INPUT", err)
			}
		})
	}
}

// The bounds of partitions and the order in Go have to agree: each row is beyond the cursor by both or by
// neither.
func TestTheBoundsOfStripsAgreeWithTheOrder(t *testing.T) {
	var rows []Position
	for _, cluster := range []string{"a", "a-b", "b"} {
		for _, namespace := range []string{"", "n", "n-1"} {
			for _, name := range []string{"x", "x-", "x.y", "x0", "y"} {
				for _, gvr := range one(statefulSets, deployments, jobs) {
					for _, at := range []string{"2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"} {
						rows = append(rows, Position{Key{cluster, namespace, name, gvr}, at})
					}
				}
			}
		}
	}
	for _, order := range []Order{ByName, ByCreated, ByLastSeen} {
		for _, descending := range []bool{false, true} {
			for _, after := range rows {
				q := Query{GVRs: one(statefulSets, deployments, jobs), Clusters: []string{"a", "a-b", "b"}, Order: order, Descending: descending, After: &after}
				partitions, kinds := q.partitions(nil), q.kinds()
				for _, row := range rows {
					if got, want := beyondBounds(&q, partitions, kinds, row), q.Beyond(row); got != want {
						t.Fatalf("order %s, descending %v, after %v: %v is beyond by the partitions %v, by the order %v", order, descending, after, row, got, want)
					}
				}
			}
		}
	}
}

// beyondBounds does what the statement does.
func beyondBounds(q *Query, partitions []pagePartition, kinds []kind, row Position) bool {
	i := slices.IndexFunc(partitions, func(o pagePartition) bool { return o.Cluster == row.Cluster })
	if i < 0 {
		return false
	}
	b := partitions[i].bound
	if b.Tie {
		b.Name += kinds[q.rank(row.GVR)].Tie
	}
	c := slices.Compare([]string{row.At, row.Namespace, row.Name}, []string{b.At, b.Namespace, b.Name})
	if !q.byTime() {
		c = slices.Compare([]string{row.Namespace, row.Name}, []string{b.Namespace, b.Name})
	}
	if q.Descending {
		return c < 0
	}
	return c >= 0
}
