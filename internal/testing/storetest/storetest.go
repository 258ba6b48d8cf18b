// Package storetest gives tests of what reads the read store a PostgreSQL with Clusterpedia's table.
package storetest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/database/databasetest"
	"github.com/kairship-io/kairship/internal/pedia/indexes/postgres"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// Owner is the connection string of the owner of an empty table, with Kairship's indexes. The database is removed after
// the tests of the package.
func Owner(tb testing.TB) string {
	tb.Helper()
	dsn := databasetest.Database(tb)
	databasetest.Exec(tb, dsn, pediatest.Table)
	if err := postgres.Optimize(tb.Context(), config(tb, dsn), postgres.Options{}); err != nil {
		tb.Fatal(err)
	}
	return dsn
}

// Reader makes a role that may only read, and returns its connection string.
func Reader(tb testing.TB, owner string) string {
	tb.Helper()
	c := config(tb, owner)
	role := "reader_of_" + c.Database // roles are those of a server
	if err := postgres.Grant(tb.Context(), c, role, "password", postgres.Options{}); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := postgres.Ungrant(context.WithoutCancel(tb.Context()), c, role, postgres.Options{}); err != nil {
			tb.Error(err)
		}
	})
	return strings.Replace(owner, "user="+c.User, "user="+role, 1)
}

func config(tb testing.TB, dsn string) *pgx.ConnConfig {
	tb.Helper()
	c, err := postgres.FromDSN(dsn, "")
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// Fill writes rows, as Clusterpedia does.
func Fill(tb testing.TB, owner string, rows []pediatest.Row) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), testenv.Timeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config(tb, owner))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, r := range rows {
		var o struct {
			Metadata struct {
				Namespace, Name, UID string
				CreationTimestamp    *string
				OwnerReferences      []struct {
					UID        string
					Controller bool
				}
			}
		}
		if err := json.Unmarshal(r.Raw, &o); err != nil {
			tb.Fatal(err)
		}
		owned := ""
		for _, ref := range o.Metadata.OwnerReferences {
			if ref.Controller {
				owned = ref.UID
			}
		}
		if _, err := conn.Exec(ctx, `INSERT INTO resources ("group", version, resource, kind, cluster, namespace, name, owner_uid, uid, resource_version, object, created_at, synced_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '1', $10::text::jsonb, coalesce($11::text::timestamptz, now()), now())`,
			r.GVR.Group, r.GVR.Version, r.GVR.Resource, r.Kind, r.Cluster, o.Metadata.Namespace, o.Metadata.Name, owned, o.Metadata.UID,
			string(r.Raw), o.Metadata.CreationTimestamp); err != nil {
			tb.Fatal(err)
		}
	}
}
