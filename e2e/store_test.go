package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
	"github.com/kairship-io/kairship/internal/pedia/indexes/postgres"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

// someRows fills the table: Deployments with labels, claims and owners, and events.
const someRows = `INSERT INTO resources ("group", version, resource, kind, cluster, namespace, name, owner_uid, uid, resource_version, object, created_at, synced_at)
SELECT CASE i % 2 WHEN 0 THEN 'apps' ELSE '' END, 'v1', CASE WHEN i % 10 = 1 THEN 'resourcebindings' WHEN i % 2 = 0 THEN 'deployments' ELSE 'events' END, 'Kind', 'kairship.c' || i % 7,
	'ns' || (ARRAY['', '-', '.'])[i % 3 + 1] || i % 10, 'name' || (ARRAY['', '-', '.'])[i % 3 + 1] || i, CASE WHEN i % 4 = 0 THEN 'owner' || i % 100 ELSE '' END, 'uid' || i, '1',
	jsonb_build_object('metadata', jsonb_build_object('creationTimestamp', '2026-01-01T00:00:00Z', 'labels', jsonb_build_object('app', 'app' || i % 100,
		'propagationpolicy.karmada.io/permanent-id', 'p' || i % 50, 'clusterpropagationpolicy.karmada.io/permanent-id', 'c' || i % 50,
		'resourcebinding.karmada.io/permanent-id', 'b' || i, 'clusterresourcebinding.karmada.io/permanent-id', 'd' || i)),
		'involvedObject', jsonb_build_object('uid', 'about' || i % 500), 'lastTimestamp', to_char(timestamp '2026-01-01' + i * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
	timestamptz '2026-01-01' + i * interval '1 minute', now()
FROM generate_series(1, 20000) i`

// fleetStore is where the fleet's read store is.
func fleetStore(t *testing.T) *pgx.ConnConfig {
	t.Helper()
	path, err := playground("kubeconfig", "host")
	if err != nil {
		t.Fatal(err)
	}
	config, err := postgres.FromFile(filepath.Join(filepath.Dir(filepath.Dir(strings.TrimSpace(path))), "config", "clusterpedia-storage.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// scratchStore makes a database like Clusterpedia's on the fleet's server, in an order of its own.
func scratchStore(t *testing.T, order string) *pgx.ConnConfig {
	t.Helper()
	config := fleetStore(t)
	server := session(t, config)
	name := "scratch_" + strings.ToLower(rand.Text()[:10])
	mustExec(t, server, "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING 'UTF8' "+order)
	t.Cleanup(func() {
		if _, err := server.Exec(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("dropping %s: %v", name, err)
		}
	})
	config = config.Copy()
	config.Database = name
	conn := session(t, config)
	mustExec(t, conn, pediatest.Table)
	mustExec(t, conn, someRows)
	return config
}

const bytesOrder = "LC_COLLATE 'C' LC_CTYPE 'C'"

func session(t *testing.T, config *pgx.ConnConfig) *pgx.Conn {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func mustExec(t *testing.T, conn *pgx.Conn, statements string) {
	t.Helper()
	for statement := range strings.SplitSeq(statements, ";\n") {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func optimize(t *testing.T, config *pgx.ConnConfig) string {
	t.Helper()
	var out bytes.Buffer
	if err := postgres.Optimize(t.Context(), config, postgres.Options{Out: &out}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

// states is the indexes of the pack by state.
func states(t *testing.T, config *pgx.ConnConfig) map[postgres.State][]indexes.Name {
	t.Helper()
	status, err := postgres.Read(t.Context(), config, false)
	if err != nil {
		t.Fatal(err)
	}
	out := map[postgres.State][]indexes.Name{}
	for _, i := range status.Indexes {
		out[i.State] = append(out[i.State], i.Name)
	}
	return out
}

// inventory is everything in the database that the command could have made, by name.
func inventory(t *testing.T, config *pgx.ConnConfig) map[string]string {
	t.Helper()
	rows, err := session(t, config).Query(t.Context(), `SELECT 'index ' || c.relname, i.indexrelid::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'resources'::regclass
		UNION ALL SELECT 'extension ' || extname, oid::text FROM pg_extension
		UNION ALL SELECT 'statistics ' || stxname, oid::text FROM pg_statistic_ext
		UNION ALL SELECT 'setting ' || split_part(w, '=', 1), split_part(w, '=', 2) FROM pg_db_role_setting s, unnest(s.setconfig) w WHERE s.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Name, ID string }])
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range pairs {
		out[p.Name] = p.ID
	}
	return out
}

func TestTheReadStoreOfTheFleetHasTheIndexPack(t *testing.T) {
	status, err := postgres.Read(t.Context(), fleetStore(t), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range status.Indexes {
		want := postgres.Ready
		if i.OtherOrderOnly {
			want = postgres.NotNeeded
		}
		if i.State != want {
			t.Errorf("%s is %s, want %s", i.Name, i.State, want)
		}
	}
	for _, s := range status.Settings {
		if s.Value == "" {
			t.Errorf("%s is not set", s.Name)
		}
	}
}

func TestTheStoreCommandTellsWhatIsThereAndNotThePassword(t *testing.T) {
	config := fleetStore(t)
	path, err := playground("kubeconfig", "host")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(filepath.Dir(strings.TrimSpace(path))), "config", "clusterpedia-storage.yaml")
	for name, args := range map[string][]string{
		"status":      {"store", "status", "--storage-config=" + file},
		"a dry run":   {"store", "optimize", "--dry-run", "--revert", "--storage-config=" + file},
		"a wrong DSN": {"store", "status", "--dsn=postgres://kairship:" + config.Password + "@127.0.0.1:1/clusterpedia?connect_timeout=1"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := kairshipCommand(t, args...)
			if strings.Contains(out, config.Password) {
				t.Error("the output holds the password")
			}
			if (err != nil) != (name == "a wrong DSN") {
				t.Errorf("%v: %s", err, out)
			}
			if name == "status" && !strings.Contains(out, string(indexes.NameSearch)) {
				t.Errorf("the output names no index: %s", out)
			}
		})
	}
	if missing := states(t, config)[postgres.Missing]; len(missing) > 0 {
		t.Errorf("the dry run removed %v", missing)
	}
}

func TestOptimizeMakesWhatIsMissingAndNothingTwice(t *testing.T) {
	config := scratchStore(t, bytesOrder)
	mustExec(t, session(t, config), "CREATE INDEX an_administrators_own ON resources (kind);\nALTER DATABASE "+config.Database+" SET random_page_cost = '2'")
	before := inventory(t, config)

	if err := postgres.Optimize(t.Context(), config, postgres.Options{DryRun: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, inventory(t, config)); diff != "" {
		t.Fatalf("a dry run changed something (-before +after):\n%s", diff)
	}

	optimize(t, config)
	got := states(t, config)
	if len(got[postgres.Ready]) != len(indexes.Pack())-1 || len(got[postgres.NotNeeded]) != 1 {
		t.Fatalf("after the first run: %v", got)
	}
	made := inventory(t, config)
	if made["setting random_page_cost"] != "2" || made["setting jit"] != "off" {
		t.Errorf("settings are %v: an administrator's own has to stay, the other to be set", made)
	}
	if out := optimize(t, config); !strings.Contains(out, "nothing to do") {
		t.Errorf("the second run said: %s", out)
	}
	if diff := cmp.Diff(made, inventory(t, config)); diff != "" {
		t.Errorf("the second run changed something (-before +after):\n%s", diff)
	}

	if err := postgres.Revert(t.Context(), config, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, inventory(t, config)); diff != "" {
		t.Errorf("reverting left or took something (-before +after):\n%s", diff)
	}
	var out bytes.Buffer
	if err := postgres.Revert(t.Context(), config, postgres.Options{Out: &out}); err != nil || !strings.Contains(out.String(), "nothing to do") {
		t.Errorf("reverting again: %v, %s", err, out.String())
	}
}

func TestWhatAnInterruptionLeftIsMadeAnew(t *testing.T) {
	config := scratchStore(t, bytesOrder)
	// An index is not done before every transaction that writes to the table is.
	writer := session(t, config)
	mustExec(t, writer, "BEGIN;\nUPDATE resources SET synced_at = now() WHERE id = 1")
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- postgres.Optimize(ctx, config, postgres.Options{}) }()
	one := func(state postgres.State) {
		t.Helper()
		eventually(t, 30*time.Second, func() error {
			if got := states(t, config); len(got[state]) != 1 {
				return fmt.Errorf("one is to be %s: %v", state, got)
			}
			return nil
		})
	}
	one(postgres.Building)
	interrupt()
	if err := <-ended; err == nil {
		t.Fatal("the interrupted run says that it has done all")
	}
	mustExec(t, writer, "ROLLBACK")
	one(postgres.Broken)

	// One that another version defined otherwise, and one that is complete and has no mark.
	mustExec(t, session(t, config), `CREATE INDEX kairship_uid ON resources (uid);
COMMENT ON INDEX kairship_uid IS 'made by kairship store optimize of another day';
CREATE INDEX kairship_owner ON resources (owner_uid)`)
	if got := states(t, config)[postgres.Outdated]; len(got) != 2 {
		t.Errorf("outdated are %v", got)
	}
	optimize(t, config)
	if got := states(t, config); len(got[postgres.Ready]) != len(indexes.Pack())-1 {
		t.Errorf("after the next run: %v", got)
	}
}

func TestTwoRunsAtOnceDoNotMeet(t *testing.T) {
	config := scratchStore(t, bytesOrder)
	const runs = 3
	ended := make(chan error, runs)
	for range runs {
		go func() { ended <- postgres.Optimize(t.Context(), config, postgres.Options{}) }()
	}
	for range runs {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if got := states(t, config); len(got[postgres.Ready]) != len(indexes.Pack())-1 {
		t.Errorf("after both: %v", got)
	}
}

func TestADatabaseThatIsNotClusterpediasIsLeftAlone(t *testing.T) {
	config := scratchStore(t, bytesOrder)
	mustExec(t, session(t, config), "DROP TABLE resources;\nCREATE TABLE resources (id int, name text)")
	for name, do := range map[string]func(context.Context, *pgx.ConnConfig, postgres.Options) error{"Optimize": postgres.Optimize, "Revert": postgres.Revert} {
		if err := do(t.Context(), config, postgres.Options{}); err == nil || !strings.Contains(err.Error(), "no table resources as Clusterpedia makes it") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryIndexOfThePackServesTheQueriesItIsFor(t *testing.T) {
	kind := `"group" = 'apps' AND version = 'v1' AND resource = 'deployments' AND cluster = 'kairship.c1'`
	events := `"group" = '' AND version = 'v1' AND resource = 'events' AND cluster = 'kairship.c1' AND ` + indexes.IsEvent
	rest := func(byBytes bool) string {
		if byBytes {
			return "namespace, name"
		}
		return indexes.ByteNamespace + ", " + indexes.ByteName
	}
	queries := func(byBytes bool) map[indexes.Name]string {
		q := map[indexes.Name]string{
			indexes.Created:               kind + ` AND (created_at, ` + rest(byBytes) + `) > ('2026-01-02', 'a', 'b') ORDER BY created_at, ` + rest(byBytes) + ` LIMIT 50`,
			indexes.LabelIndex:            `(` + indexes.Labels + `) @> '{"app":"app7"}'`,
			indexes.NameSearch:            `name LIKE '%me-77%'`,
			indexes.Owner:                 indexes.HasOwner + ` AND owner_uid = ANY(ARRAY(SELECT jsonb_array_elements_text('["owner4","owner8"]')))`,
			indexes.UID:                   `uid = 'uid77'`,
			indexes.Policy:                indexes.PolicyID + ` = 'p7' AND ` + kind + ` ORDER BY ` + rest(byBytes) + ` LIMIT 50`,
			indexes.ClusterPolicy:         indexes.ClusterPolicyID + ` = 'c7' AND ` + kind + ` ORDER BY ` + rest(byBytes) + ` LIMIT 50`,
			indexes.Binding:               indexes.BindingID + ` = 'b7' AND resource = 'works' AND cluster = 'kairship.c1'`,
			indexes.ClusterBinding:        indexes.ClusterBindingID + ` = 'd7' AND resource = 'works' AND cluster = 'kairship.c1'`,
			indexes.Unhealthy:             indexes.IsUnhealthy + ` AND cluster = 'kairship.c1'`,
			indexes.Idle:                  indexes.IsIdle + ` AND cluster = 'kairship.c1' AND resource = 'jobs'`,
			indexes.EventsOfObject:        indexes.IsEvent + ` AND ` + indexes.EventObject + ` = 'about7'`,
			indexes.EventsByTime:          events + ` ORDER BY ` + indexes.Order(indexes.EventSeen+" desc") + ", " + strings.ReplaceAll(rest(byBytes), ",", " DESC,") + ` DESC LIMIT 50`,
			indexes.EventsOfNamespaceTime: events + ` AND namespace = 'ns1' ORDER BY ` + indexes.EventSeen + ` DESC, ` + strings.SplitAfter(rest(byBytes), ", ")[1] + ` DESC LIMIT 50`,
		}
		if !byBytes {
			q[indexes.ByteOrder] = kind + ` AND ` + indexes.ByteCluster + ` = 'kairship.c1' AND (` + rest(false) + `) >= ('a', 'b') ORDER BY ` + rest(false) + ` LIMIT 50`
		}
		return q
	}
	for name, order := range orders(t) {
		t.Run(name, func(t *testing.T) {
			config := scratchStore(t, order)
			optimize(t, config)
			conn := session(t, config)
			// Few rows are read faster without an index, and sorted; that is not the question here.
			mustExec(t, conn, "SET enable_seqscan = off;\nSET enable_sort = off;\nVACUUM ANALYZE resources")
			byBytes := order == bytesOrder
			for _, index := range indexes.Pack() {
				query, ok := queries(byBytes)[index.Name]
				if !ok {
					if !index.OtherOrderOnly {
						t.Errorf("%s has no query", index.Name)
					}
					continue
				}
				rows, err := conn.Query(t.Context(), "EXPLAIN SELECT object FROM resources WHERE "+query)
				if err != nil {
					t.Fatalf("%s: %v", query, err)
				}
				plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
				if err != nil {
					t.Fatal(err)
				}
				text := strings.Join(plan, "\n")
				if !strings.Contains(text, string(index.Name)+" ") || strings.Contains(query, "ORDER BY") && strings.Contains(text, "Sort") {
					t.Errorf("%s does not serve %s:\n%s", index.Name, query, text)
				}
			}
		})
	}
}

// TestTheFirstRowsOfManyPoliciesAreFoundByTheirIndex: what each of many policies claims is read in the order of the page and
// ended after its first rows, however many objects other policies claim.
func TestTheFirstRowsOfManyPoliciesAreFoundByTheirIndex(t *testing.T) {
	config := scratchStore(t, bytesOrder)
	optimize(t, config)
	conn := session(t, config)
	q := sql.Query{Limit: 6}
	for i := range 50 {
		q.Groups = append(q.Groups, sql.Group{GVR: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, Cluster: "kairship.c1",
			Where: []sql.Condition{sql.LabelIn("propagationpolicy.karmada.io/permanent-id", fmt.Sprint("p", i))}})
	}
	statement, err := q.FirstRows(sql.Dialect{ByBytes: true, Pack: true})
	if err != nil {
		t.Fatal(err)
	}
	text, params, err := statement.Select()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "EXPLAIN "+text, params...)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(plan, "\n"); !strings.Contains(text, string(indexes.Policy)+" ") || strings.Contains(text, "Sort") {
		t.Errorf("the rows are read otherwise than by %s, in its order:\n%s", indexes.Policy, text)
	}
}

// orders are the order by bytes and, where this PostgreSQL has one, that of a language.
func orders(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"by bytes": bytesOrder}
	conn := session(t, fleetStore(t))
	var version int
	var icu, libc bool
	err := conn.QueryRow(t.Context(), `SELECT current_setting('server_version_num')::int, EXISTS (SELECT 1 FROM pg_collation WHERE collprovider = 'i'),
		EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'en_US.utf8')`).Scan(&version, &icu, &libc)
	if err != nil {
		t.Fatal(err)
	}
	const firstWithICU = 150000
	switch {
	case icu && version >= firstWithICU:
		out["of a language"] = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'"
	case libc:
		out["of a language"] = "LOCALE 'en_US.utf8'"
	default:
		t.Log("this PostgreSQL knows no order of a language")
	}
	return out
}

// kairshipCommand runs the product's own command.
func kairshipCommand(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "../bin/kairship", args...)
	cmd.Env = os.Environ()
	out, err := cmd.CombinedOutput()
	return string(out), err
}
