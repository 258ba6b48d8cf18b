// Package dsn parses the connection strings of PostgreSQL databases.
package dsn

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Parse parses a connection string: a URL (postgres://…) or key=value pairs (host=… dbname=…), with settings of a pool
// where there are some (pool_max_conns). A non-empty password is used when the string has none. No error contains either.
func Parse(dsn, password string) (*pgxpool.Config, error) {
	if scheme, _, found := strings.Cut(dsn, "://"); found && scheme != "postgres" && scheme != "postgresql" && !strings.ContainsAny(scheme, "= ") {
		return nil, fmt.Errorf("the connection string is for %q: it has to be PostgreSQL", scheme)
	}
	config, err := pgxpool.ParseConfig(dsn)
	if dsn == "" || err != nil {
		// The parser's error quotes the string, and redacts only some passwords.
		return nil, errors.New("the connection string is not in PostgreSQL's form: postgres://USER@HOST/DATABASE or host=HOST user=USER dbname=DATABASE")
	}
	config.ConnConfig.Password = cmp.Or(config.ConnConfig.Password, password)
	return config, nil
}
