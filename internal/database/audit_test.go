package database

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/database/databasetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// at is a moment some seconds into the log of these tests.
func at(seconds int) time.Time {
	return time.Date(2026, 1, 2, 3, 0, 0, 123456000, time.UTC).Add(time.Duration(seconds) * time.Second)
}

func TestAnEventIsReadAsItWasStored(t *testing.T) {
	l := fresh(t)
	name := "it's"
	full := audit.Event{ID: uuid.NewString(), At: at(1), Principal: "kairship:oidc:o'ne", Groups: []string{"a", `b"{},\`}, Remote: "192.0.2.1:5", UserAgent: "curl $1 %s",
		Action: "exec", Via: audit.ViaProxy, Resource: "pods", Subresource: "exec", DryRun: true, Outcome: audit.Refused, Code: "403", Message: "it's \\ \"no\" 😀",
		Selects:   []model.ResourceSelector{{APIVersion: "apps/v1", Kind: "Deployment", Name: &name, LabelSelector: &model.LabelSelector{MatchLabels: []model.KeyValue{{Key: "a", Value: "b"}}}}},
		RequestID: "r-1", Duration: 1500 * time.Microsecond,
		Object: model.Ref{Instance: "asia", Cluster: "hangzhou", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web"}}
	empty := audit.Event{ID: uuid.NewString(), At: at(0), Groups: []string{}}
	everything := audit.Event{ID: uuid.NewString(), At: at(-1), Groups: []string{}, Selects: []model.ResourceSelector{}}
	bare := empty
	bare.Groups = nil
	if err := l.AppendAudit(t.Context(), []audit.Event{bare, full, everything}); err != nil {
		t.Fatal(err)
	}
	// Once more, as after an answer that was lost.
	if err := l.AppendAudit(t.Context(), []audit.Event{full, bare}); err != nil {
		t.Fatal(err)
	}
	got, err := l.AuditPage(t.Context(), audit.Query{Partitions: []audit.Partition{{}}, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]audit.Event{full, empty, everything}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestABatchIsStoredWhollyOrNotAtAllAndARefusalIsToldFromAnOutage(t *testing.T) {
	l := fresh(t)
	good := audit.Event{ID: uuid.NewString(), At: at(0)}
	for name, bad := range map[string]audit.Event{"an id that is none": {ID: "x", At: at(0)}, "a zero byte": {ID: uuid.NewString(), At: at(0), Message: "\x00"}} {
		err := l.AppendAudit(t.Context(), []audit.Event{good, bad})
		var never interface{ Permanent() bool }
		if !errors.As(err, &never) || !never.Permanent() || code(err) != model.CodeInternal {
			t.Errorf("%s: got %v", name, err)
		}
		if n := count(t, l, "kairship.audit_events"); n != 0 {
			t.Errorf("%s: %d events are stored", name, n)
		}
	}
	exec(t, l, "ALTER TABLE kairship.audit_events RENAME TO gone")
	err := l.AppendAudit(t.Context(), []audit.Event{good})
	var never interface{ Permanent() bool }
	if errors.As(err, &never) && never.Permanent() || code(err) != model.CodeUnavailable {
		t.Errorf("no table: got %v", err)
	}
}

// someEvents are events of many kinds, several of them at the same moment.
func someEvents(random *rand.Rand, n int) []audit.Event {
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	out := make([]audit.Event, n)
	for i := range out {
		id, err := uuid.NewRandomFromReader(rand.NewChaCha8([32]byte{byte(i), byte(i >> 8)}))
		if err != nil {
			id = uuid.New()
		}
		kind := pick("Deployment", "Secret", "")
		out[i] = audit.Event{ID: id.String(), At: at(random.IntN(n / 4)), Groups: []string{}, Principal: pick("ada", "bob", "eve"),
			Action: pick("scaleWorkload", "delete", "exec"), Outcome: audit.Outcome(pick("SUCCEEDED", "FAILED", "REFUSED")),
			Object: model.Ref{Instance: pick("asia", "europe", "asia", ""), Namespace: pick("shop", "web", "ops", ""), Name: pick("cart", "cart-db", "100%", "a_b", "")}}
		if kind == "" {
			out[i].Resource = "pods"
		}
		out[i].Object.GVK.Kind = kind
	}
	return out
}

// visible says by the rule alone whether somebody may see an event.
func visible(v audit.Visible, e audit.Event) bool {
	if v.All {
		return true
	}
	n, ok := v.Instances[e.Object.Instance]
	return ok && e.Object.Instance != "" && (n.All || e.Object.Namespace != "" && slices.Contains(n.Names, e.Object.Namespace))
}

// matches says by the rule alone whether an event is asked for.
func matches(f audit.Filter, e audit.Event) bool {
	of := func(list []string, values ...string) bool {
		return len(list) == 0 || slices.ContainsFunc(values, func(v string) bool { return slices.Contains(list, v) })
	}
	return of(f.Principals, e.Principal) && of(f.Instances, e.Object.Instance) && of(f.Namespaces, e.Object.Namespace) && of(f.Actions, e.Action) &&
		of(f.Kinds, e.Object.GVK.Kind, e.Resource) && (len(f.Outcomes) == 0 || slices.Contains(f.Outcomes, e.Outcome)) &&
		(len(f.Objects) == 0 || slices.ContainsFunc(f.Objects, func(o audit.Object) bool { return o.Is(&e) })) && (f.Since.IsZero() || !e.At.Before(f.Since)) && (f.Until.IsZero() || !e.At.After(f.Until)) && strings.Contains(e.Object.Name, f.NameContains)
}

func TestEverybodySeesTheirOwnPartAndAllOfIt(t *testing.T) {
	l := fresh(t)
	events := someEvents(rand.New(rand.NewPCG(1, 2)), 600)
	if err := l.AppendAudit(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(events, func(a, b audit.Event) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	reader := audit.NewReader(l)
	people := map[string]audit.Visible{
		"an owner":                    {All: true},
		"an administrator":            {Instances: map[string]audit.Namespaces{"asia": {All: true}}},
		"a viewer":                    {Instances: map[string]audit.Namespaces{"asia": {Names: []string{"shop"}}}},
		"a viewer here, an admin too": {Instances: map[string]audit.Namespaces{"asia": {Names: []string{"shop", "web"}}, "europe": {All: true}}},
		"somebody with empty names":   {Instances: map[string]audit.Namespaces{"": {All: true}, "asia": {Names: []string{""}}}},
		"a stranger":                  {},
	}
	filters := map[string]audit.Filter{
		"everything":         {},
		"by principal":       {Principals: []string{"ada", "bob"}},
		"by instance":        {Instances: []string{"asia"}},
		"by namespace":       {Namespaces: []string{"shop", "ops"}},
		"by both":            {Instances: []string{"europe", "asia"}, Namespaces: []string{"web"}},
		"by action":          {Actions: []string{"exec"}},
		"by kind and by URL": {Kinds: []string{"Secret", "pods"}},
		"by outcome":         {Outcomes: []audit.Outcome{audit.Refused, audit.Failed}},
		"by time":            {Since: at(40), Until: at(90)},
		"by part of a name":  {NameContains: "cart"},
		"by a percent sign":  {NameContains: "%"},
		"by an underscore":   {NameContains: "_"},
		"by a quote":         {NameContains: "' OR true --"},
		"by a hostile value": {Principals: []string{"ada') OR (true"}, Namespaces: []string{"shop'; DROP TABLE kairship.audit_events; --"}},
		"by object": {Objects: []audit.Object{
			{Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Namespace: "shop", Name: "cart"}, Resource: "secrets"},
			{Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Namespace: "web", Name: "cart-db"}, Resource: "pods"},
			{Ref: model.Ref{Instance: "europe", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Deployment"}, Name: "a_b"}, Resource: "deployments"}}},
		"by object and outcome": {Outcomes: []audit.Outcome{audit.Succeeded}, Since: at(20), Objects: []audit.Object{
			{Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Namespace: "ops", Name: "cart"}, Resource: "secrets"}}},
		"by nearly all of it": {Principals: []string{"ada"}, Instances: []string{"asia"}, Kinds: []string{"Deployment"}, Since: at(10), NameContains: "c"},
	}
	for who, v := range people {
		for what, f := range filters {
			var want, got []string
			for _, e := range events {
				if visible(v, e) && matches(f, e) {
					want = append(want, e.ID)
				}
			}
			for page := (model.Page{First: 7}); ; {
				c, err := reader.Page(t.Context(), v, f, page)
				if err != nil {
					t.Fatalf("%s, %s: %v", who, what, err)
				}
				for _, e := range c.Nodes() {
					got = append(got, e.ID)
				}
				if !c.PageInfo.HasNextPage {
					break
				}
				page.After = *c.PageInfo.EndCursor
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s: %d events, want %d (-want +got):\n%s", who, what, len(got), len(want), diff)
			}
		}
	}
}

func TestNoValueIsPartOfAStatement(t *testing.T) {
	const hostile = "x'; DROP TABLE kairship.audit_events; --"
	hostiles := []string{hostile}
	for _, strip := range []audit.Partition{{}, {Instance: hostile}, {Instance: hostile, Namespace: hostile},
		{Instance: hostile, Namespace: hostile, Object: audit.Object{Ref: model.Ref{Instance: hostile, Cluster: hostile, GVK: schema.GroupVersionKind{Group: hostile, Kind: hostile}, Namespace: hostile, Name: hostile}, Resource: hostile}}} {
		s := auditStatement(audit.Query{Partitions: []audit.Partition{strip}, Limit: 987654, Before: &audit.Position{At: at(0), ID: hostile}, Filter: audit.Filter{
			Principals: hostiles, Instances: hostiles, Namespaces: hostiles, Actions: hostiles, Kinds: hostiles, Outcomes: []audit.Outcome{hostile},
			Since: at(0), Until: at(0), NameContains: hostile}})
		for _, value := range []string{"DROP", "987654", "2026", "x'"} {
			if strings.Contains(s.text, value) {
				t.Errorf("%q is part of %s", value, s.text)
			}
		}
		for i := range s.args {
			if !strings.Contains(s.text, fmt.Sprintf("$%d", i+1)) {
				t.Errorf("parameter %d has no place in %s", i+1, s.text)
			}
		}
	}
}

func TestAPageReadsNoFurtherThanItIsLong(t *testing.T) {
	l := fresh(t)
	// All but a few events are another instance's.
	exec(t, l, `INSERT INTO kairship.audit_events SELECT gen_random_uuid(), now() - i * interval '1 second', 'p' || i % 100, '{}', '', '', 'scale', 'GRAPHQL',
		CASE WHEN i % 1000 = 0 THEN 'asia' ELSE 'europe' END, '', 'apps', 'v1', 'Deployment', 'n' || i % 50, 'name', '', '', false, 'SUCCEEDED', '', '', '', 0
		FROM generate_series(1, 40000) i`)
	exec(t, l, "VACUUM ANALYZE kairship.audit_events")
	before := &audit.Position{At: time.Now().Add(-time.Hour), ID: uuid.NewString()}
	one := audit.Object{Ref: model.Ref{Instance: "europe", GVK: schema.GroupVersionKind{Group: "apps", Kind: "Deployment"}, Namespace: "n7", Name: "name"}, Resource: "deployments"}
	for name, q := range map[string]audit.Query{
		"of objects":                 {Partitions: []audit.Partition{{Instance: "europe", Namespace: "n7", Object: one}, {Instance: "asia", Namespace: "n7", Object: one}}},
		"of everything":              {Partitions: []audit.Partition{{}}},
		"of an instance":             {Partitions: []audit.Partition{{Instance: "asia"}}},
		"of some namespaces":         {Partitions: []audit.Partition{{Instance: "asia", Namespace: "n0"}, {Instance: "europe", Namespace: "n7"}, {Instance: "asia", Namespace: "n9"}}},
		"of instance and namespaces": {Partitions: []audit.Partition{{Instance: "asia"}, {Instance: "europe", Namespace: "n7"}}},
		"of a principal":             {Partitions: []audit.Partition{{}}, Filter: audit.Filter{Principals: []string{"p7"}}},
		"behind a cursor":            {Partitions: []audit.Partition{{Instance: "europe"}}, Before: before},
	} {
		q.Limit = 51
		s := auditStatement(q)
		rows, err := l.pool.Query(t.Context(), "EXPLAIN (ANALYZE, COSTS off, TIMING off, BUFFERS) "+s.text, s.args...)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		plan := strings.Join(lines, "\n")
		if strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Rows Removed by Filter") && name != "of a principal" {
			t.Errorf("%s reads more than it shows:\n%s", name, plan)
		}
	}
}

func TestOldEventsAreRemovedOldestFirstByOneReplica(t *testing.T) {
	l := fresh(t)
	var events []audit.Event
	for i := range 25 {
		events = append(events, audit.Event{ID: uuid.NewString(), At: at(i)})
	}
	if err := l.AppendAudit(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	last := audit.Position{At: at(9), ID: uuid.Max.String()}
	other := open(t, l.pool.Config().ConnString())
	err := other.alone(t.Context(), pruneLock, func(pgx.Tx) error {
		n, err := l.PruneAudit(t.Context(), last, 100)
		if n != 0 {
			t.Errorf("beside another replica %d were removed", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{4, 4, 2, 0} {
		if n, err := l.PruneAudit(t.Context(), last, 4); err != nil || n != want {
			t.Errorf("removed %d, %v, want %d", n, err, want)
		}
	}
	left, err := l.AuditPage(t.Context(), audit.Query{Partitions: []audit.Partition{{}}, Limit: 100})
	if err != nil || len(left) != 15 || !left[14].At.Equal(at(10)) {
		t.Errorf("%d are left, %v", len(left), err)
	}
	for n, want := range map[int64]time.Time{0: at(24), 14: at(10)} {
		if p, err := l.NthAudit(t.Context(), n); err != nil || p == nil || !p.At.Equal(want) {
			t.Errorf("the %dth is %v, %v", n, p, err)
		}
	}
	if p, err := l.NthAudit(t.Context(), 15); err != nil || p != nil {
		t.Errorf("the 15th is %v, %v", p, err)
	}
	if _, err := l.PruneAudit(t.Context(), last, 0); code(err) != model.CodeBadUserInput {
		t.Errorf("no batch: %v", err)
	}
}

func TestTheKeeperLeavesTheNewest(t *testing.T) {
	l := fresh(t)
	exec(t, l, `INSERT INTO kairship.audit_events SELECT gen_random_uuid(), now() - i * interval '1 day', '', '{}', '', '', '', '', '', '', '', '', '', '', '', '', '', false, '', '', '', '', 0
		FROM generate_series(0, 199) i`)
	keeper := audit.NewKeeper(l, audit.Retention{Batch: 7}, nil)
	if n, err := keeper.Prune(t.Context()); err != nil || n != 110 {
		t.Errorf("by age %d of 200 were removed, %v", n, err)
	}
	keeper = audit.NewKeeper(l, audit.Retention{Batch: 7, Count: 30}, nil)
	if n, err := keeper.Prune(t.Context()); err != nil || n != 60 {
		t.Errorf("by count %d of 90 were removed, %v", n, err)
	}
	var oldest time.Time
	if err := l.pool.QueryRow(t.Context(), "SELECT min(at) FROM kairship.audit_events").Scan(&oldest); err != nil || time.Since(oldest) > 30*24*time.Hour {
		t.Errorf("the oldest is of %s, %v", oldest, err)
	}
}

func TestEventsOutliveAnOutageOfTheDatabase(t *testing.T) {
	server := databasetest.Start(t)
	out := &said{}
	l, err := Open(Options{DSN: server.Database(t), Logger: out.logger()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := audit.NewRecorder(l, audit.RecorderOptions{Logger: out.logger()})
	record := func(n int) {
		for range n {
			r.Record(t.Context(), audit.Event{Principal: "ada", Action: "scaleWorkload", Outcome: audit.Succeeded})
		}
	}
	record(100)
	server.Stop(t)
	record(100)
	testenv.Eventually(t, func() string {
		if strings.Contains(out.String(), "audit events wait") {
			return ""
		}
		return "nobody says that the database is away"
	})
	server.Start(t)
	record(100)
	ctx, cancel := context.WithTimeout(t.Context(), testenv.Timeout)
	defer cancel()
	if err := r.Close(ctx); err != nil {
		t.Error(err)
	}
	if n := count(t, l, "kairship.audit_events"); n != 300 {
		t.Errorf("%d of 300 events are stored", n)
	}
	if n := strings.Count(out.String(), `msg=audit `); n != 300 {
		t.Errorf("%d of 300 events are in the log", n)
	}
}

func TestNoSecretReachesTheDatabaseOrTheLog(t *testing.T) {
	l := fresh(t)
	out := &said{}
	r := audit.NewRecorder(l, audit.RecorderOptions{Logger: out.logger()})
	const canary, token = "canary-in-the-mine-42", "eyJhbGciOiJub25lIn0.eyJjYW5hcnkiOjF9.Y2FuYXJ5"
	manifest := []byte(`{"kind":"Secret","metadata":{"name":"db"},"stringData":{"password":"` + canary + `"}}`)
	r.Around(t.Context(), audit.Event{Principal: "ada", UserAgent: "curl Bearer " + canary, RequestID: token, Object: model.Ref{Name: token}},
		func(_ context.Context, e *audit.Entry) audit.Result {
			e.Hide(audit.SecretValues(manifest)...)
			e.Object(model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Name: "db"},
				audit.Result{Outcome: audit.Failed, Message: `the value "` + canary + `" of db is not allowed`})
			return audit.Result{Outcome: audit.Failed, Message: "upstream said: Authorization: Bearer " + canary + "\n" + string(manifest)}
		})
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var stored string
	if err := l.pool.QueryRow(t.Context(), "SELECT string_agg(e::text, ' ') FROM kairship.audit_events e").Scan(&stored); err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"the database": stored, "the log": out.String()} {
		if strings.Contains(text, "canary") || strings.Contains(text, "eyJ") || strings.Contains(text, "Y2FuYXJ5") {
			t.Errorf("a secret is in %s:\n%s", where, text)
		}
		if !strings.Contains(text, "asia") {
			t.Errorf("the event is not in %s", where)
		}
	}
}
