package database

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/kairship-io/kairship/internal/database/databasetest"
	"github.com/kairship-io/kairship/internal/model"
)

func TestMain(m *testing.M) { databasetest.Main(m) }

// open opens a database without making its tables.
func open(t *testing.T, dsn string) *DB {
	t.Helper()
	l, err := Open(Options{DSN: dsn, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// fresh is a database with empty tables.
func fresh(t *testing.T) *DB {
	t.Helper()
	l := open(t, databasetest.Database(t))
	if _, err := l.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

// exec runs a statement behind the database's back.
func exec(t *testing.T, l *DB, statement string, args ...any) {
	t.Helper()
	if _, err := l.pool.Exec(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func count(t *testing.T, l *DB, table string) (n int) {
	t.Helper()
	if err := l.pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// code is the code of an error; empty for none.
func code(err error) model.Code {
	var known *model.Error
	if !errors.As(err, &known) {
		return ""
	}
	return known.Code
}

// together runs something several times at once.
func together(n int, do func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// said keeps what is logged.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *said) logger() *slog.Logger { return slog.New(slog.NewTextHandler(s, nil)) }

func TestConnectionStringsThatAreNoneAreRefusedWithoutTheirPassword(t *testing.T) {
	for name, test := range map[string]struct{ dsn, want string }{
		"nothing":                {"", "not in PostgreSQL's form"},
		"another database":       {"mysql://u:s3cr@db/d", `"mysql"`},
		"a string of no form":    {"u:s3cr@tcp(db)/d", "not in PostgreSQL's form"},
		"a URL that is mistyped": {"postgres://u:s3cr et@db:x/d", "not in PostgreSQL's form"},
		"a setting of no sense":  {"postgres://u:s3cr@db/d?pool_max_conns=many", "not in PostgreSQL's form"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(Options{DSN: test.dsn})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cr") {
				t.Errorf("got %v, want %s and no password", err, test.want)
			}
		})
	}
}

func TestAPasswordFillsInForOneThatIsMissing(t *testing.T) {
	for dsn, want := range map[string]string{"host=db user=u": "given", "host=db user=u password=own": "own"} {
		l, err := Open(Options{DSN: dsn, Password: "given"})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.pool.Config().ConnConfig.Password; got != want {
			t.Errorf("%s: the password is %q", dsn, got)
		}
		l.Close()
	}
}

func TestNothingHangsAndEverythingHasACodeWhenNobodyAnswers(t *testing.T) {
	l := open(t, "postgres://u:s3cr@127.0.0.1:1/d?sslmode=disable")
	for name, err := range everyCall(t.Context(), l) {
		if got := code(err); got != model.CodeUnavailable {
			t.Errorf("%s: got %q: %v", name, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "s3cr") {
			t.Errorf("%s: the error tells the password: %v", name, err)
		}
	}
}

func TestWithoutTablesEverythingIsUnavailableAndMayBeTriedAgain(t *testing.T) {
	l := open(t, databasetest.Database(t))
	for name, err := range everyCall(t.Context(), l) {
		var known *model.Error
		if name == "Ping" || name == "Version" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.As(err, &known) || known.Code != model.CodeUnavailable || !known.Retryable || !strings.Contains(known.Message, "not there yet") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	l := fresh(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range everyCall(ctx, l) {
		if got := code(err); got != model.CodeTimeout {
			t.Errorf("%s: got %q: %v", name, got, err)
		}
	}
}
