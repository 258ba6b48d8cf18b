package database

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
)

// deployment is what is asked for: asia's Deployment shop/web.
var deployment = model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web"}

func TestPoliciesAreFoundByWhatTheySelectedWhenTheyWereWritten(t *testing.T) {
	l := fresh(t)
	text := func(s string) *string { return &s }
	selector := model.ResourceSelector{APIVersion: "apps/v1", Kind: "Deployment"}
	with := func(change func(*model.ResourceSelector)) []model.ResourceSelector {
		out := selector
		change(&out)
		return []model.ResourceSelector{{APIVersion: "v1", Kind: "ConfigMap", Name: text("web")}, out}
	}
	named := func(name string) []model.ResourceSelector {
		return with(func(s *model.ResourceSelector) { s.Name = text(name) })
	}
	inNamespace := func(name string) []model.ResourceSelector {
		return with(func(s *model.ResourceSelector) { s.Namespace = text(name) })
	}
	labelled := with(func(s *model.ResourceSelector) {
		s.LabelSelector = &model.LabelSelector{MatchLabels: []model.KeyValue{{Key: "a", Value: "b"}}}
	})
	var events []audit.Event
	wrote := func(namespace, name string, selects []model.ResourceSelector, change ...func(*audit.Event)) {
		e := audit.Event{ID: uuid.NewString(), At: at(len(events)), Selects: selects,
			Object: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: "OverridePolicy"}, Namespace: namespace, Name: name}}
		for _, c := range change {
			c(&e)
		}
		events = append(events, e)
	}
	wrote("shop", "by-name", named("web"))
	wrote("shop", "of-another-name", named("api"))
	wrote("shop", "by-kind", []model.ResourceSelector{selector})
	wrote("shop", "of-another-kind", []model.ResourceSelector{{APIVersion: "apps/v1", Kind: "StatefulSet"}})
	wrote("shop", "of-another-version", []model.ResourceSelector{{APIVersion: "apps/v1beta1", Kind: "Deployment"}})
	wrote("shop", "of-everything", []model.ResourceSelector{})
	wrote("shop", "unknown", nil)
	wrote("shop", "by-labels", labelled)
	wrote("vault", "of-another-namespace", named("web"))
	wrote("shop", "of-another-instance", named("web"), func(e *audit.Event) { e.Object.Instance = "europe" })
	wrote("shop", "of-a-member", named("web"), func(e *audit.Event) { e.Object.Cluster = "tokyo" })
	wrote("", "cluster-wide", inNamespace("shop"))
	wrote("", "cluster-wide-elsewhere", inNamespace("vault"))
	wrote("shop", "by-name", named("web"))
	wrote("shop", "by-kind", named("web")) // another selection of the same policy
	if err := l.AppendAudit(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*audit.SelectionQuery)
		want   []string
	}{
		"all":                                {func(*audit.SelectionQuery) {}, []string{"by-kind 2", "by-name 2", "cluster-wide 2", "by-labels 2", "of-everything 0", "by-kind 1"}},
		"those of the namespace":             {func(q *audit.SelectionQuery) { q.Namespaces = []string{"shop"} }, []string{"by-kind 2", "by-name 2", "by-labels 2", "of-everything 0", "by-kind 1"}},
		"those since a moment":               {func(q *audit.SelectionQuery) { q.Since = at(11) }, []string{"by-kind 2", "by-name 2", "cluster-wide 2"}},
		"some":                               {func(q *audit.SelectionQuery) { q.Limit = 1 }, []string{"by-kind 2"}},
		"of the latest writes alone":         {func(q *audit.SelectionQuery) { q.Scan = 2 }, []string{"by-kind 2", "by-name 2", "cluster-wide 2"}},
		"those of no namespace":              {func(q *audit.SelectionQuery) { q.Namespaces = nil }, nil},
		"of a hostile name, all but by name": {func(q *audit.SelectionQuery) { q.Object.Name = "' OR true --" }, []string{"cluster-wide 2", "by-labels 2", "of-everything 0", "by-kind 1"}},
	} {
		q := audit.SelectionQuery{Object: deployment, Namespaces: []string{"shop", ""}, Scan: 100, Limit: 100}
		c.change(&q)
		found, err := l.AuditSelections(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range found {
			if s.Policy.Instance != "asia" || s.Policy.GVK.GroupVersion().String() != "policy.karmada.io/v1alpha1" || s.Selects == nil {
				t.Errorf("%s: %+v", name, s)
			}
			got = append(got, fmt.Sprint(s.Policy.Name, " ", len(s.Selects)))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatPoliciesSelectedIsReadFromTheirWritesAlone(t *testing.T) {
	l := fresh(t)
	// One write in a hundred is of a policy.
	exec(t, l, `INSERT INTO kairship.audit_events SELECT gen_random_uuid(), now() - i * interval '1 second', 'p', '{}', '', '', 'scale', 'GRAPHQL',
		'asia', '', 'apps', 'v1', 'Deployment', CASE WHEN i % 2 = 0 THEN 'shop' ELSE 'vault' END, 'name', '', '', false, 'SUCCEEDED', '', '', '', 0, NULL,
		CASE WHEN i % 100 = 0 THEN '[]'::jsonb END FROM generate_series(1, 40000) i`)
	exec(t, l, "VACUUM ANALYZE kairship.audit_events")
	rows, err := l.pool.Query(t.Context(), "EXPLAIN (ANALYZE, COSTS off, TIMING off) "+auditSelections, "asia", []string{"shop", ""}, time.Unix(0, 0), 100, "apps/v1", "Deployment", "shop", "web", 10)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	plan := strings.Join(lines, "\n")
	if strings.Contains(plan, "Seq Scan") || !strings.Contains(plan, "audit_events_policies") || strings.Contains(plan, "Rows Removed by Filter") {
		t.Errorf("it reads more than the latest writes of policies:\n%s", plan)
	}
}
