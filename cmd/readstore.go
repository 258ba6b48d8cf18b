package cmd

import (
	"errors"
	"fmt"
	"time"

	"github.com/kairship-io/kairship/internal/pedia"
)

// ReadStore configures how the read store is read beside Clusterpedia's API.
type ReadStore struct {
	DSN          string `name:"dsn" help:"Clusterpedia's PostgreSQL, to read it directly: postgres://USER@HOST/DATABASE?sslmode=verify-full, of a role that may only read (kairship store grant). Clusterpedia's API is read where it does not answer. Empty: the API alone." placeholder:"DSN"`
	PasswordFile string `help:"File with the password, where the connection string has none." type:"existingfile" placeholder:"FILE"`
}

func (r *ReadStore) validate() error {
	if r.DSN == "" && r.PasswordFile != "" {
		return errors.New("--store-password-file needs --store-dsn")
	}
	return nil
}

// open opens the database; nil when there is none.
func (r *ReadStore) open(timeout time.Duration) (*pedia.Database, error) {
	if r.DSN == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	password, err := secretOf(r.PasswordFile)
	if err != nil {
		return nil, fmt.Errorf("--store-password-file: %w", err)
	}
	opened, err := pedia.OpenDatabase(pedia.DatabaseOptions{DSN: r.DSN, Password: password, Timeout: timeout})
	if err != nil {
		return nil, fmt.Errorf("--store-dsn: %w", err)
	}
	return opened, nil
}
