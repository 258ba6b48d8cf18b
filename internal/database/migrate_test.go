package database

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/database/databasetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func TestManyReplicasMakeTheTablesOnce(t *testing.T) {
	dsn := databasetest.Database(t)
	out := &said{}
	together(8, func(int) {
		l, err := Open(Options{DSN: dsn, Logger: out.logger()})
		if err != nil {
			t.Error(err)
			return
		}
		defer l.Close()
		v, err := l.Migrate(t.Context())
		if err != nil || v.Current != v.Latest || v.Latest < 1 {
			t.Errorf("got %+v, %v", v, err)
		}
	})
	l := open(t, dsn)
	v, err := l.Version(t.Context())
	if err != nil || v.Current != v.Latest {
		t.Errorf("got %+v, %v", v, err)
	}
	if n := strings.Count(out.String(), "migrating the database"); n != int(v.Latest) {
		t.Errorf("%d migrations were run: %s", n, out)
	}
	// Once more: nothing happens.
	if again, err := l.Migrate(t.Context()); err != nil || again != v {
		t.Errorf("got %+v, %v", again, err)
	}
	for name, err := range everyCall(t.Context(), l) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestANewDatabaseIsOfNoVersion(t *testing.T) {
	v, err := open(t, databasetest.Database(t)).Version(t.Context())
	if err != nil || v.Current != 0 || v.Latest < 1 {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestWhatANewerVersionMadeIsLeftAsItIs(t *testing.T) {
	l := fresh(t)
	exec(t, l, "UPDATE kairship.schema_version SET version = 1000")
	v, err := l.Migrate(t.Context())
	if err != nil || v.Current != 1000 || v.Latest >= 1000 {
		t.Errorf("got %+v, %v", v, err)
	}
	if err := l.Revoke(t.Context(), Ended{ID: "a", ExpiresAt: time.Now()}); err != nil {
		t.Errorf("it is of no use: %v", err)
	}
}

func TestEveryMigrationCanBeTakenBack(t *testing.T) {
	l := fresh(t)
	conn, err := pgx.Connect(t.Context(), l.pool.Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	m, err := newMigrator(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.MigrateTo(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if v, err := l.Migrate(t.Context()); err != nil || v.Current != v.Latest {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestARoleOfTheSchemasNameDoesNotHideTheTablesOfOthers(t *testing.T) {
	server := databasetest.Start(t)
	config, err := pgx.ParseConfig(server.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	database := config.Database
	server.Exec(t, database, "CREATE ROLE kairship LOGIN SUPERUSER")
	server.Exec(t, database, "CREATE TABLE public.resources (id int)")
	l := open(t, server.DSN("kairship", database))
	if _, err := l.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "a database of its own") {
		t.Errorf("got %v", err)
	}
	server.Exec(t, database, "DROP TABLE public.resources")
	if v, err := l.Migrate(t.Context()); err != nil || v.Current != v.Latest {
		t.Errorf("alone: %+v, %v", v, err)
	}
}

func TestARoleWithoutRightsIsToldWhatToDo(t *testing.T) {
	server := databasetest.Start(t)
	dsn := server.Database(t)
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	database := config.Database
	server.Exec(t, database, `CREATE ROLE "weak role" LOGIN`)
	server.Exec(t, database, `REVOKE ALL ON SCHEMA public FROM PUBLIC`)
	weak := open(t, server.DSN(`'weak role'`, database))

	refused := func(what string) {
		t.Helper()
		_, err := weak.Migrate(t.Context())
		var known *model.Error
		if !errors.As(err, &known) || known.Code != model.CodeUnavailable || known.Retryable {
			t.Errorf("%s: got %#v", what, err)
		}
		for _, want := range []string{`"weak role"`, `CREATE SCHEMA kairship AUTHORIZATION "weak role"`, database} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v does not say %s", what, err, want)
			}
		}
	}
	refused("no schema")
	server.Exec(t, database, "CREATE SCHEMA kairship")
	refused("a schema of somebody else's")
	server.Exec(t, database, `GRANT USAGE ON SCHEMA kairship TO "weak role"`)
	refused("a schema that it may only use")
	server.Exec(t, database, "DROP SCHEMA kairship")
	server.Exec(t, database, `CREATE SCHEMA kairship AUTHORIZATION "weak role"`)
	if v, err := weak.Migrate(t.Context()); err != nil || v.Current != v.Latest {
		t.Fatalf("its own schema: got %+v, %v", v, err)
	}

	// Where an administrator makes the tables, rights to their rows are enough.
	server.Exec(t, database, `CREATE ROLE weaker LOGIN; GRANT USAGE ON SCHEMA kairship TO weaker;
		GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA kairship TO weaker`)
	weaker := open(t, server.DSN("weaker", database))
	if v, err := weaker.Migrate(t.Context()); err != nil || v.Current != v.Latest {
		t.Errorf("rights to rows: got %+v, %v", v, err)
	}
	for name, err := range everyCall(t.Context(), weaker) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	server.Exec(t, database, "REVOKE ALL ON ALL TABLES IN SCHEMA kairship FROM weaker")
	if err := weaker.Revoke(t.Context(), Ended{ID: "b", ExpiresAt: time.Now()}); code(err) != model.CodeUnavailable || !strings.Contains(err.Error(), "lacks rights") {
		t.Errorf("got %v", err)
	}
}

func TestPrepareWaitsForTheDatabase(t *testing.T) {
	server := databasetest.Start(t)
	dsn := server.Database(t)
	server.Stop(t)
	out := &said{}
	l, err := Open(Options{DSN: dsn, Logger: out.logger()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ended := make(chan error, 1)
	go func() { ended <- l.Prepare(t.Context()) }()
	testenv.Eventually(t, func() string {
		if strings.Contains(out.String(), "the database is not ready") {
			return ""
		}
		return "it does not say what it waits for"
	})
	server.Start(t)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "the database is ready") {
		t.Error(out.String())
	}

	server.Stop(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Prepare(ctx); err == nil {
		t.Error("it did not end with its context")
	}
}
