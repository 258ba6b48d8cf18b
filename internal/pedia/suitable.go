package pedia

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// form is the columns of Clusterpedia's table that statements name, by the types that they have in it.
var form = map[string][]string{
	"bigint":                   {"id"},
	"jsonb":                    {"object"},
	"timestamp with time zone": {"created_at"},
	"character varying":        {"group", "version", "resource", "kind", "cluster", "namespace", "name", "owner_uid", "uid"},
}

// suitable reports whether statements can be run in a session: see Database.Check.
func suitable(ctx context.Context, from querier) error {
	rows, err := from.Query(ctx, `SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute
		WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`, indexes.Table)
	if err != nil {
		return failureOf(err)
	}
	types := map[string]string{}
	var column, columnType string
	if _, err := pgx.ForEachRow(rows, []any{&column, &columnType}, func() error {
		types[column] = columnType
		return nil
	}); err != nil {
		return failureOf(err)
	}
	if len(types) == 0 {
		return fmt.Errorf("%w: the database has no table %s that the role sees: it has to be Clusterpedia's, and `kairship store grant` gives the right to read it", ErrUnsuitable, indexes.Table)
	}
	var wrong []string
	for want, columns := range form {
		for _, c := range columns {
			switch got := types[c]; {
			case got == "":
				wrong = append(wrong, fmt.Sprintf("%s is missing", c))
			case got != want && (got != "text" || want != "character varying"):
				wrong = append(wrong, fmt.Sprintf("%s is %s instead of %s", c, got, want))
			}
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("%w: the table %s is not as Clusterpedia 0.9 makes it (%s): use that version, or leave out --store-dsn", ErrUnsuitable, indexes.Table, strings.Join(wrong, ", "))
	}
	var role string
	var may []string
	var reads bool
	err = from.QueryRow(ctx, `SELECT current_user::text, has_table_privilege($1, 'SELECT'),
		array(SELECT p FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) p WHERE has_table_privilege($1, p))`, indexes.Table).Scan(&role, &reads, &may)
	switch {
	case err != nil:
		return failureOf(err)
	case len(may) > 0:
		return fmt.Errorf("%w: the role %q may also %s: read with one that `kairship store grant` makes", ErrUnsuitable, role, strings.Join(may, ", "))
	case !reads:
		return fmt.Errorf("%w: the role %q may not read the table %s: `kairship store grant` gives the right", ErrUnsuitable, role, indexes.Table)
	}
	return nil
}
