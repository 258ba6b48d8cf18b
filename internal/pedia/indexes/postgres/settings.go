package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// settings is the database's own settings, by name.
func (db *database) settings(ctx context.Context) (map[string]string, error) {
	rows, err := db.conn.Query(ctx, `SELECT unnest(s.setconfig) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
		WHERE d.datname = current_database() AND s.setrole = 0`)
	var words []string
	if err == nil {
		words, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, fmt.Errorf("looking at the settings of the database: %w", err)
	}
	settings := map[string]string{}
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		settings[name] = value
	}
	return settings, nil
}

func madeOf(settings map[string]string) []string {
	return strings.FieldsFunc(settings[indexes.MadeSetting], func(r rune) bool { return r == ',' })
}

// settle adds the pack's settings that the database lacks, and returns how many. Where the user has no right to, it
// writes so to Out.
func (db *database) settle(ctx context.Context) (int, error) {
	settings, err := db.settings(ctx)
	if err != nil {
		return 0, err
	}
	made, count := madeOf(settings), 0
	for _, s := range indexes.Settings() {
		if _, there := settings[s.Name]; there {
			continue
		}
		// Record the name first: after an interruption a recorded setting may be missing.
		if !slices.Contains(made, s.Name) {
			made = append(made, s.Name)
			if err = db.set(ctx, indexes.MadeSetting, strings.Join(made, ",")); err != nil {
				break
			}
		}
		if err = db.do(ctx, "setting "+s.Name+" = "+s.Value+" for new sessions: "+s.Serves, db.setting(s.Name, s.Value)); err != nil {
			break
		}
		count++
	}
	if err != nil && ctx.Err() == nil {
		db.say("the database keeps its settings, with which some pages are slower: %v", err)
		return count, nil
	}
	return count, err
}

// unsettle resets the settings that Kairship made and that still have its values.
func (db *database) unsettle(ctx context.Context) (int, error) {
	settings, err := db.settings(ctx)
	if err != nil {
		return 0, err
	}
	made, count := madeOf(settings), 0
	for _, s := range indexes.Settings() {
		if !slices.Contains(made, s.Name) || settings[s.Name] != s.Value {
			continue
		}
		if err := db.do(ctx, "resetting "+s.Name, db.alter()+" RESET "+pgx.Identifier{s.Name}.Sanitize()); err != nil {
			return count, err
		}
		count++
	}
	if len(made) == 0 {
		return count, nil
	}
	return count, db.quietly(ctx, db.alter()+" RESET "+indexes.MadeSetting)
}

func (db *database) alter() string {
	return "ALTER DATABASE " + pgx.Identifier{db.conn.Config().Database}.Sanitize()
}

func (db *database) setting(name, value string) string {
	return db.alter() + " SET " + name + " = '" + value + "'"
}

func (db *database) set(ctx context.Context, name, value string) error {
	return db.quietly(ctx, db.setting(name, value))
}
