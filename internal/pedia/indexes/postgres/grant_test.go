package postgres

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/database/databasetest"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

func TestMain(m *testing.M) { databasetest.Main(m) }

func granted(t *testing.T) *pgx.ConnConfig {
	t.Helper()
	dsn := databasetest.Database(t)
	databasetest.Exec(t, dsn, pediatest.Table)
	config, err := FromDSN(dsn, "")
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func TestAVerifierIsWhatPostgreSQLMakesOfThePassword(t *testing.T) {
	config := granted(t)
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	const password = `p4ss' word"\`
	if _, err := conn.Exec(t.Context(), "SET password_encryption = 'scram-sha-256'; DROP ROLE IF EXISTS verified; CREATE ROLE verified PASSWORD '"+strings.ReplaceAll(password, "'", "''")+"'"); err != nil {
		t.Fatal(err)
	}
	var want string
	if err := conn.QueryRow(t.Context(), "SELECT rolpassword FROM pg_authid WHERE rolname = 'verified'").Scan(&want); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(want, ":")
	encoded, _, _ := strings.Cut(rest, "$")
	salt, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := scram(password, salt); err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func TestARoleIsMadeChangedAndRemoved(t *testing.T) {
	config := granted(t)
	role := `reader of "` + config.Database + `"`
	var said bytes.Buffer
	o := Options{Out: &said}
	dry := Options{Out: &said, DryRun: true}
	if err := Grant(t.Context(), config, role, "one", dry); err != nil {
		t.Fatal(err)
	}
	if there(t, config, role) || !strings.Contains(said.String(), "GRANT SELECT ON TABLE resources") || strings.Contains(said.String(), "SCRAM") {
		t.Errorf("a dry run said %s; the role is there: %t", said.String(), there(t, config, role))
	}
	for _, password := range []string{"one", "two"} {
		said.Reset()
		if err := Grant(t.Context(), config, role, password, o); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(said.String(), password) || strings.Contains(said.String(), "SCRAM") {
			t.Errorf("it says the password: %s", said.String())
		}
	}
	if !there(t, config, role) {
		t.Error("no role was made")
	}
	for range 2 {
		if err := Ungrant(t.Context(), config, role, o); err != nil {
			t.Fatal(err)
		}
	}
	if there(t, config, role) || !strings.Contains(said.String(), "nothing to do") {
		t.Errorf("the role stays: %s", said.String())
	}
}

// The role reads the table where it is.
func TestATableOfAnotherSchemaIsFound(t *testing.T) {
	dsn := databasetest.Database(t)
	databasetest.Exec(t, dsn, "CREATE SCHEMA postgres AUTHORIZATION postgres; SET search_path = postgres; "+pediatest.Table)
	config, err := FromDSN(dsn, "")
	if err != nil {
		t.Fatal(err)
	}
	role := "elsewhere_" + config.Database
	if err := Grant(t.Context(), config, role, "p", Options{}); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), strings.Replace(dsn, "user=postgres", "user="+role, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "SELECT count(*) FROM resources"); err != nil {
		t.Error(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := Ungrant(t.Context(), config, role, Options{}); err != nil {
		t.Error(err)
	}
}

func there(t *testing.T, config *pgx.ConnConfig, role string) (found bool) {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if err := conn.QueryRow(t.Context(), "SELECT count(*) > 0 FROM pg_roles WHERE rolname = $1", role).Scan(&found); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestRolesOfOthersAndImpossibleOnesAreLeftAlone(t *testing.T) {
	config := granted(t)
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	somebody := "somebody_" + config.Database
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+somebody); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ role, password, want string }{
		"a role of somebody else":       {somebody, "p", "was not made by this command"},
		"the role that it signs in as":  {config.User, "p", "signs in with"},
		"a name that is too long":       {strings.Repeat("r", 64), "p", "1 to 63 bytes"},
		"no name":                       {"", "p", "1 to 63 bytes"},
		"a name of PostgreSQL's own":    {"pg_reader", "p", "begins with pg_"},
		"no password":                   {"reader", "", "the password is empty"},
		"a password beyond ASCII":       {"reader", "pässword", "printable ASCII"},
		"a password with a line's end":  {"reader", "a\nb", "printable ASCII"},
		"a name with a zero byte in it": {"a\x00b", "p", "1 to 63 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Grant(t.Context(), config, c.role, c.password, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	if err := Ungrant(t.Context(), config, somebody, Options{}); err == nil || !there(t, config, somebody) {
		t.Errorf("somebody else's role: %v", err)
	}
	hostile := `x" LOGIN; DROP TABLE resources; --` + config.Database[:8]
	if err := Grant(t.Context(), config, hostile, "p", Options{}); err != nil || !there(t, config, hostile) {
		t.Errorf("a name full of signs: %v", err)
	}
	if err := Ungrant(t.Context(), config, hostile, Options{}); err != nil {
		t.Error(err)
	}
}
