package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// maxRole is the length of PostgreSQL's names.
const maxRole = 63

// grantMark is the comment of the roles that Grant made.
const grantMark = "made by kairship store grant"

// Grant makes a role that may sign in with the password and read the table of the read store, and nothing else. For a role
// that is there it sets the password and the rights again, but only for one that Grant made. The password is sent as a
// verifier, so that it is in no log of the server.
func Grant(ctx context.Context, config *pgx.ConnConfig, role, password string, o Options) error {
	if err := checkRole(config, role); err != nil {
		return err
	}
	if password == "" {
		return errors.New("the password is empty")
	}
	salt := make([]byte, scramSalt)
	_, _ = rand.Read(salt) // never fails
	verifier, err := scram(password, salt)
	if err != nil {
		return err
	}
	shown := "(the verifier of the password)"
	if !o.DryRun {
		shown = verifier
	}
	return exclusively(ctx, config, o, func(ctx context.Context, db *database) error {
		made, there, err := db.role(ctx, role)
		if err != nil {
			return err
		}
		name, what := pgx.Identifier{role}.Sanitize(), "making the role "+role
		// Both or none: a role without the comment would be taken for somebody else's.
		statement := "CREATE ROLE " + name + " LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '" + shown + "';" +
			" COMMENT ON ROLE " + name + " IS '" + grantMark + "'"
		switch {
		case there && !made:
			return fmt.Errorf("the role %q is there and was not made by this command: choose another --role", role)
		case there: // only a superuser may name more of a role that is there
			what, statement = "setting the password of the role "+role, "ALTER ROLE "+name+" LOGIN PASSWORD '"+shown+"'"
		}
		if err := db.do(ctx, what, statement); err != nil {
			return err
		}
		base, schema := pgx.Identifier{db.conn.Config().Database}.Sanitize(), db.schema(ctx)
		for _, statement := range []string{
			"GRANT CONNECT ON DATABASE " + base + " TO " + name,
			"GRANT USAGE ON SCHEMA " + schema + " TO " + name,
			"GRANT SELECT ON TABLE " + indexes.Table + " TO " + name,
			"ALTER ROLE " + name + " SET default_transaction_read_only = on",
			// The table is the one in this schema, whatever others the role sees.
			"ALTER ROLE " + name + " IN DATABASE " + base + " SET search_path = " + schema,
		} {
			if err := db.do(ctx, "giving the role the right to read", statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// Ungrant removes a role that Grant made, with its rights.
func Ungrant(ctx context.Context, config *pgx.ConnConfig, role string, o Options) error {
	if err := checkRole(config, role); err != nil {
		return err
	}
	return exclusively(ctx, config, o, func(ctx context.Context, db *database) error {
		made, there, err := db.role(ctx, role)
		switch {
		case err != nil:
			return err
		case !there:
			db.say("nothing to do: there is no role %s", role)
			return nil
		case !made:
			return fmt.Errorf("the role %q was not made by this command: it stays", role)
		}
		name := pgx.Identifier{role}.Sanitize()
		return db.do(ctx, "removing the role "+role, "DROP OWNED BY "+name+"; DROP ROLE "+name)
	})
}

func checkRole(config *pgx.ConnConfig, role string) error {
	switch {
	case role == "" || len(role) > maxRole || strings.ContainsRune(role, 0):
		return fmt.Errorf("the role %.80q has to have 1 to %d bytes", role, maxRole)
	case strings.HasPrefix(role, "pg_"):
		return fmt.Errorf("the role %q begins with pg_, which PostgreSQL keeps for its own", role)
	case role == config.User:
		return fmt.Errorf("the role %q is the one that this command signs in with: choose another --role", role)
	}
	return nil
}

// role reports whether a role is there, and whether Grant made it.
func (db *database) role(ctx context.Context, name string) (made, there bool, err error) {
	err = db.conn.QueryRow(ctx, `SELECT coalesce(shobj_description(oid, 'pg_authid') = $2, false) FROM pg_roles WHERE rolname = $1`, name, grantMark).Scan(&made)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return false, false, nil
	case err != nil:
		return false, false, fmt.Errorf("looking for the role %s: %w", name, err)
	}
	return made, true, nil
}

// schema is the schema of Clusterpedia's table, quoted.
func (db *database) schema(ctx context.Context) string {
	name := "public"
	_ = db.conn.QueryRow(ctx, `SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)`, indexes.Table).Scan(&name)
	return pgx.Identifier{name}.Sanitize()
}

// Parameters of a verifier: what PostgreSQL itself uses.
const (
	scramRounds = 4096
	scramSalt   = 16
)

// scram makes the verifier of a password, as PostgreSQL stores it (RFC 5802, RFC 7677). Passwords of other characters than
// printable ASCII would have to be normalized first.
func scram(password string, salt []byte) (string, error) {
	for _, r := range password {
		if r < ' ' || r > '~' {
			return "", errors.New("the password has characters other than printable ASCII")
		}
	}
	salted, err := pbkdf2.Key(sha256.New, password, salt, scramRounds, sha256.Size)
	if err != nil {
		return "", fmt.Errorf("making the password's verifier: %w", err)
	}
	sign := func(text string) []byte {
		mac := hmac.New(sha256.New, salted)
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
	stored := sha256.Sum256(sign("Client Key"))
	encode := base64.StdEncoding.EncodeToString
	return "SCRAM-SHA-256$" + strconv.Itoa(scramRounds) + ":" + encode(salt) + "$" + encode(stored[:]) + ":" + encode(sign("Server Key")), nil
}
