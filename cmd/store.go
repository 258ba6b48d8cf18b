package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes/postgres"
)

// Store holds the commands for the database of the read store.
type Store struct {
	Optimize StoreOptimize `cmd:"" help:"Make the indexes that Kairship's orders and filters need in Clusterpedia's PostgreSQL."`
	Grant    StoreGrant    `cmd:"" help:"Make a role that may only read Clusterpedia's PostgreSQL, for --store-dsn of the API server."`
	Status   StoreStatus   `cmd:"" help:"Show the indexes, sizes and rows of Clusterpedia's PostgreSQL."`
}

// Database is where the database of the read store is.
type Database struct {
	StorageConfig string `help:"Clusterpedia's own storage configuration; the environment variables that Clusterpedia takes in its place (DB_PASSWORD and others) count here too." type:"existingfile" placeholder:"FILE" xor:"database"`
	DSN           string `help:"Connection string instead of it: postgres://USER@HOST/DATABASE. A password is best left to the environment: KAIRSHIP_DSN or PGPASSWORD." placeholder:"STRING" xor:"database"`
}

func (d Database) config() (*pgx.ConnConfig, error) {
	switch {
	case d.StorageConfig != "":
		return postgres.FromFile(d.StorageConfig)
	case d.DSN != "":
		return postgres.FromDSN(d.DSN, "")
	}
	return nil, errors.New("where is the database? Give --storage-config or --dsn")
}

// StoreOptimize makes or removes the indexes.
type StoreOptimize struct {
	Database

	Revert bool `help:"Remove what this command made."`
	DryRun bool `help:"Print the statements and change nothing."`
}

// Run makes the indexes that are missing, one after the other; the store is read and written meanwhile.
func (s *StoreOptimize) Run(ctx context.Context) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	o := postgres.Options{Out: os.Stdout, DryRun: s.DryRun}
	if s.Revert {
		return postgres.Revert(ctx, config, o)
	}
	return postgres.Optimize(ctx, config, o)
}

// StoreGrant makes or removes the role that the API server reads with.
type StoreGrant struct {
	Database

	Role         string `help:"Name of the role." default:"kairship_reader"`
	PasswordFile string `help:"File with the password that the role gets." type:"existingfile" placeholder:"FILE"`
	Revert       bool   `help:"Remove the role."`
	DryRun       bool   `help:"Print the statements and change nothing."`
}

// Run makes the role, or gives one that it made before its password and rights again.
func (s *StoreGrant) Run(ctx context.Context) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	o := postgres.Options{Out: os.Stdout, DryRun: s.DryRun}
	if s.Revert {
		return postgres.Ungrant(ctx, config, s.Role, o)
	}
	if s.PasswordFile == "" {
		return errors.New("which password gets the role? Give --password-file")
	}
	password, err := secretOf(s.PasswordFile)
	if err != nil {
		return fmt.Errorf("--password-file: %w", err)
	}
	return postgres.Grant(ctx, config, s.Role, password, o)
}

// StoreStatus shows the version, indexes, settings and rows of the database.
type StoreStatus struct {
	Database
}

// Run prints the state of the read store's database.
func (s *StoreStatus) Run(ctx context.Context) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	status, err := postgres.Read(ctx, config, true)
	if err != nil {
		return err
	}
	return printStatus(os.Stdout, status)
}

func printStatus(out io.Writer, s *postgres.Status) error {
	order := "by bytes"
	if !s.ByBytes {
		order = "of a language"
	}
	analyzed := ""
	if !s.Analyzed {
		analyzed = "; never analyzed"
	}
	fmt.Fprintf(out, "PostgreSQL %s, collation %s: order %s\ntable %s, indexes %s%s\n", s.Version, s.Collation, order,
		size(s.TableSize), size(s.IndexSize), analyzed)
	if len(s.Unavailable) > 0 {
		fmt.Fprintf(out, "extensions that are not installed beside PostgreSQL: %s\n", strings.Join(s.Unavailable, ", "))
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nINDEX\tSTATE\tSIZE\tSCANS\tSERVES")
	for _, i := range s.Indexes {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\n", i.Name, i.State, size(i.Size), i.Scans, i.Serves)
	}
	fmt.Fprintln(table, "\nSETTING\tVALUE\t\t\tSERVES")
	for _, setting := range s.Settings {
		fmt.Fprintf(table, "%s\t%s\t\t\t%s\n", setting.Name, cmp.Or(setting.Value, "not set"), setting.Serves)
	}
	fmt.Fprintln(table, "\nRESOURCE\tROWS")
	var total int64
	for _, k := range s.Kinds {
		fmt.Fprintf(table, "%s\t%d\n", k.Resource, k.Rows)
		total += k.Rows
	}
	fmt.Fprintf(table, "all\t%d\n", total)
	return table.Flush()
}

// size formats bytes for people.
func size(bytes int64) string {
	const unit = 1024
	switch {
	case bytes == 0:
		return "-"
	case bytes < unit*unit:
		return fmt.Sprintf("%d KiB", (bytes+unit-1)/unit)
	case bytes < unit*unit*unit:
		return fmt.Sprintf("%d MiB", bytes/unit/unit)
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/unit/unit/unit)
}
