package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/indexes/postgres"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
)

// A store of its own, in a database that orders texts as people do: pages must lose nothing there, with the index pack and
// without.

// The order is en-US as the C library of Linux has it: ICU's own en-US has names in the same order as bytes,
// unless punctuation is told to be shifted.
const collationDatabase = "kairship_e2e_collation"

var (
	collatedDeployments  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	collatedStatefulSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}
	collatedKinds        = []schema.GroupVersionResource{collatedStatefulSets, collatedDeployments}
	collatedClusters     = []string{"kairship.a-b", "kairship.ab", "kairship.a.c"}
	collatedNamespaces   = []string{"shop", "shop-1", "shop1", "shops"}
	// In the order of the database `-` and `.` weigh next to nothing.
	collatedNames = []string{"a", "a-b", "a-c", "a.b", "a1", "a-1", "a10", "a2", "ab", "ab-c", "abc", "a--b", "0", "z", "0-z"}
)

func TestPagesLoseNothingInADatabaseWithAnotherOrder(t *testing.T) {
	storage := collatedStore(t)
	rows := collatedRows()
	withGate := collatedServer(t, storage, true)
	t.Run("with SQL conditions", func(t *testing.T) {
		if f := waitForFeatures(t, withGate); f.Gate != pedia.GateOpen || f.ByBytes != pedia.No || f.Pack != pedia.No {
			t.Fatalf("the store is told to be %+v", f)
		}
		pageThrough(t, withGate, rows)
	})
	config, err := postgres.FromFile(storage)
	if err != nil {
		t.Fatal(err)
	}
	if err := postgres.Optimize(t.Context(), config, postgres.Options{Out: io.Discard}); err != nil {
		t.Fatal(err)
	}
	t.Run("with SQL conditions and the index pack", func(t *testing.T) {
		optimized := collatedClient(t, withGate.host)
		if f := waitForFeatures(t, optimized); f.Pack != pedia.Yes || f.ByBytes != pedia.No {
			t.Fatalf("the store is told to be %+v", f)
		}
		pageThrough(t, optimized, rows)
	})
	t.Run("without SQL conditions nothing is read", func(t *testing.T) {
		without := collatedServer(t, storage, false)
		if f := waitForFeatures(t, without); f.Gate != pedia.GateClosed {
			t.Fatalf("the store is told to be %+v", f)
		}
		q := sql.Query{Scope: collatedScope(), GVRs: collatedKinds, Clusters: collatedClusters, Limit: 1}
		var e *model.Error
		if _, err := pedia.Fetch(t.Context(), without.Client, q, decodePlace); !errors.As(err, &e) || e.Code != model.CodeUnavailable ||
			!strings.Contains(e.Message, "AllowParameterizedSQLQuery=true") {
			t.Errorf("error %v, want UNAVAILABLE that says what to do", err)
		}
	})
}

// collated is a client of a store of its own.
type collated struct {
	*pedia.Client
	host string
}

func collatedScope() rbac.Scope {
	return rbac.NewAuthorizer([]string{"g"}).Scope(auth.Principal{Name: "a", Groups: []string{"g"}})
}

// collatedRows is all rows, in the order of pages.
func collatedRows() []sql.Position {
	var out []sql.Position
	n := 0
	for _, cluster := range collatedClusters {
		for _, namespace := range collatedNamespaces {
			for _, name := range collatedNames {
				for _, gvr := range collatedKinds {
					n++
					at := time.Date(2026, 1, 1, 0, 0, n%7, 0, time.UTC).Format(time.RFC3339)
					out = append(out, sql.Position{Key: sql.Key{Cluster: cluster, Namespace: namespace, Name: name, GVR: gvr}, At: at})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b sql.Position) int { return a.Key.Compare(b.Key) })
	return out
}

// pageThrough reads everything in small pages, in each order, and compares.
func pageThrough(t *testing.T, c collated, rows []sql.Position) {
	t.Helper()
	one := slices.DeleteFunc(slices.Clone(rows), func(p sql.Position) bool {
		return p.Cluster != collatedClusters[0] || p.GVR != collatedDeployments
	})
	for _, order := range []sql.Order{sql.ByName, sql.ByCreated} {
		for _, descending := range []bool{false, true} {
			for _, q := range []struct {
				name string
				sql.Query
				want  []sql.Position
				limit int
			}{
				{"one kind in one cluster", sql.Query{GVRs: []schema.GroupVersionResource{collatedDeployments}, Clusters: collatedClusters[:1]}, one, 7},
				{"two kinds in three clusters", sql.Query{GVRs: collatedKinds, Clusters: collatedClusters}, rows, 31},
			} {
				t.Run(fmt.Sprintf("%s, %s, descending %v", q.name, order, descending), func(t *testing.T) {
					want := slices.Clone(q.want)
					for i := range want {
						if order == sql.ByName {
							want[i].At = ""
						}
					}
					slices.SortStableFunc(want, func(a, b sql.Position) int { return strings.Compare(a.At, b.At) })
					if descending {
						slices.Reverse(want)
					}
					q.Scope, q.Order, q.Descending, q.Limit = collatedScope(), order, descending, q.limit
					if diff := cmp.Diff(want, allPages(t, c.Client, q.Query)); diff != "" {
						t.Errorf("-want +got:\n%s", diff)
					}
				})
			}
		}
	}
}

func allPages(t *testing.T, c *pedia.Client, q sql.Query) []sql.Position {
	t.Helper()
	var out []sql.Position
	for range 1000 {
		list, err := pedia.Fetch(t.Context(), c, q, decodePlace)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, list.Positions...)
		if !list.Full {
			return out
		}
		q.After = &list.Positions[len(list.Positions)-1]
	}
	t.Fatal("the pages do not end")
	return nil
}

func decodePlace(row sql.Row) (struct{}, sql.Key, error) {
	var o struct {
		Metadata struct{ Namespace, Name string }
	}
	err := json.Unmarshal(row.Raw, &o)
	return struct{}{}, sql.Key{Namespace: o.Metadata.Namespace, Name: o.Metadata.Name}, err
}

// collatedStore makes the database and a storage configuration that names it.
func collatedStore(t *testing.T) (storage string) {
	t.Helper()
	original, err := os.ReadFile(filepath.Join(stateDir(), "config", "clusterpedia-storage.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	storage = filepath.Join(t.TempDir(), "storage.yaml")
	if err := os.WriteFile(storage, bytes.Replace(original, []byte("database: clusterpedia"), []byte("database: "+collationDatabase), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	config, err := postgres.FromFile(filepath.Join(stateDir(), "config", "clusterpedia-storage.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	db, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	drop := func() error {
		_, err := db.Exec(context.Background(), "DROP DATABASE IF EXISTS "+collationDatabase+" WITH (FORCE)")
		return err
	}
	if err := drop(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(t.Context(), "CREATE DATABASE "+collationDatabase+" TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US-u-ka-shifted'"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(drop(), db.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return storage
}

// fillCollated writes the rows, once the server has made the table.
func fillCollated(t *testing.T, storage string) {
	t.Helper()
	config, err := postgres.FromFile(storage)
	if err != nil {
		t.Fatal(err)
	}
	db, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	var less bool
	if err := db.QueryRow(t.Context(), `SELECT 'a-c' < 'ab'`).Scan(&less); err != nil || less {
		t.Fatalf("the database orders by bytes, so that nothing is shown by it: %v", err)
	}
	const insert = `INSERT INTO resources ("group", version, resource, kind, cluster, namespace, name, uid, resource_version, object, created_at, synced_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '1', $9, $10, now()) ON CONFLICT DO NOTHING`
	rows := collatedRows()
	rows = append(rows, sql.Position{Key: sql.Key{Cluster: "kairship.ab", Name: "shop", GVR: schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}}, At: "2026-01-01T00:00:00Z"})
	kinds := map[string]string{"deployments": "Deployment", "statefulsets": "StatefulSet", "namespaces": "Namespace"}
	for i, row := range rows {
		at, err := time.Parse(time.RFC3339, row.At)
		if err != nil {
			t.Fatal(err)
		}
		uid := fmt.Sprintf("%036d", i)
		object, err := json.Marshal(map[string]any{"apiVersion": row.GVR.GroupVersion().String(), "kind": kinds[row.GVR.Resource], "metadata": map[string]any{
			"name": row.Name, "namespace": row.Namespace, "uid": uid, "creationTimestamp": row.At,
			"annotations": map[string]string{"shadow.clusterpedia.io/cluster-name": row.Cluster}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(t.Context(), insert, row.GVR.Group, row.GVR.Version, row.GVR.Resource, kinds[row.GVR.Resource],
			row.Cluster, row.Namespace, row.Name, uid, string(object), at); err != nil {
			t.Fatal(err)
		}
	}
}

// collatedServer starts a Clusterpedia on the database and waits until it answers. From its first moment
// it may refuse to answer, but never say that there is nothing.
func collatedServer(t *testing.T, storage string, gate bool) collated {
	t.Helper()
	port := freePort(t)
	args := runningClusterpedia(t)
	replace := map[string]string{"--secure-port": port, "--storage-config": storage,
		"--feature-gates": fmt.Sprintf("AllowParameterizedSQLQuery=%v,ClusterAuthenticationFromSecret=true", gate)}
	for i, arg := range args {
		if value, ok := replace[strings.SplitN(arg, "=", 2)[0]]; ok {
			args[i] = strings.SplitN(arg, "=", 2)[0] + "=" + value
		}
	}
	var logs bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &logs, &logs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("the server said: %s", logs.String()[max(0, logs.Len()-4000):])
		}
	})
	host := "https://127.0.0.1:" + port
	c := collatedClient(t, host)
	filled := !gate
	eventually(t, time.Minute, func() error {
		if !filled {
			config, err := postgres.FromFile(storage)
			if err != nil {
				return err
			}
			if err := tableThere(t, config); err != nil {
				return err
			}
			fillCollated(t, storage)
			filled = true
		}
		list, err := pedia.Fetch(t.Context(), c.Client, sql.Query{Scope: collatedScope(), GVRs: collatedKinds[:1], Clusters: collatedClusters[:1], Limit: 1}, decodePlace)
		var told *model.Error
		if !gate && errors.As(err, &told) && strings.Contains(told.Message, "AllowParameterizedSQLQuery=true") {
			return nil // it has answered, and is known to ignore conditions
		}
		if errors.As(err, &told) && (told.Code == model.CodeUnavailable || told.Code == model.CodeNotSynced || told.Code == model.CodeTimeout) {
			return err
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Rows) == 0 {
			t.Fatal("a store that starts says that there is nothing")
		}
		return nil
	})
	return c
}

func tableThere(t *testing.T, config *pgx.ConnConfig) error {
	t.Helper()
	db, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		return err
	}
	defer db.Close(context.Background())
	_, err = db.Exec(t.Context(), "SELECT 1 FROM resources LIMIT 1")
	return err
}

func collatedClient(t *testing.T, host string) collated {
	t.Helper()
	cfg := rest.CopyConfig(config(t, "clusterpedia"))
	cfg.Host = host
	api, err := pedia.NewAPI(cfg, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return collated{pedia.NewClient(api), host}
}

// waitForFeatures is what a client finds out about its store.
func waitForFeatures(t *testing.T, c collated) pedia.Features {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx, slog.New(slog.DiscardHandler)) }()
	eventually(t, 10*time.Second, func() error {
		if c.Gate() == pedia.GateUnknown {
			return errors.New("not known yet")
		}
		return nil
	})
	return c.Features()
}

// runningClusterpedia is the command line of the fleet's own server.
func runningClusterpedia(t *testing.T) []string {
	t.Helper()
	dir, err := filepath.Abs(stateDir())
	if err != nil {
		t.Fatal(err)
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		raw, err := os.ReadFile(line)
		if err != nil { // it has ended
			continue
		}
		args := strings.Split(strings.TrimRight(string(raw), "\x00"), "\x00")
		if filepath.Base(args[0]) == "clusterpedia-apiserver" && strings.Contains(string(raw), dir+"/") {
			return args
		}
	}
	t.Fatal("the fleet runs no clusterpedia-apiserver")
	return nil
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}
