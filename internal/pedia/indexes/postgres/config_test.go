package postgres

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const secret = `s3cr et'\x`

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "storage.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAStorageConfigurationOfClusterpediaIsRead(t *testing.T) {
	for name, test := range map[string]struct {
		file        string
		environment map[string]string
		host        string
		port        uint16
		user        string
		database    string
		password    string
	}{
		"as the playground writes it": {
			file: "type: postgres\nhost: 127.0.0.1\nport: \"21006\"\nuser: kairship\npassword: abc\ndatabase: clusterpedia\nsslMode: disable\nlog:\n  level: Error\n",
			host: "127.0.0.1", port: 21006, user: "kairship", database: "clusterpedia", password: "abc"},
		"with a port that is a number": {
			file: "type: postgres\nhost: db\nport: 5433\nuser: u\npassword: abc\ndatabase: d\nsslMode: disable\n",
			host: "db", port: 5433, user: "u", database: "d", password: "abc"},
		"with the password in the environment, as Clusterpedia's own deployment has it": {
			file: "type: postgres\nhost: db\nport: 5432\nuser: u\ndatabase: d\nsslMode: disable\n", environment: map[string]string{"DB_PASSWORD": secret},
			host: "db", port: 5432, user: "u", database: "d", password: secret},
		"with the environment before the file": {
			file: "type: sqlite\ndsn: /tmp/x\n", environment: map[string]string{"DB_TYPE": "postgres", "DB_DSN": "host=other user=v dbname=e sslmode=disable", "DB_PASSWORD": secret},
			host: "other", port: 5432, user: "v", database: "e", password: secret},
		"with a password full of special characters": {
			file: "type: postgres\nhost: db\nuser: u\npassword: \"s3cr et'\\\\x\"\ndatabase: d\nsslMode: disable\n",
			host: "db", port: 5432, user: "u", database: "d", password: secret},
		"with a URL": {
			file: "type: postgres\ndsn: postgres://u:abc@db:99/d?sslmode=disable\n",
			host: "db", port: 99, user: "u", database: "d", password: "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			for name, value := range test.environment {
				t.Setenv(name, value)
			}
			got, err := FromFile(write(t, test.file))
			if err != nil {
				t.Fatal(err)
			}
			if got.Host != test.host || got.Port != test.port || got.User != test.user || got.Database != test.database || got.Password != test.password {
				t.Errorf("got %s:%d, user %s, database %s, password as wanted: %t", got.Host, got.Port, got.User, got.Database, got.Password == test.password)
			}
			if got.TLSConfig != nil {
				t.Error("sslMode was ignored")
			}
		})
	}
}

func TestWhatIsNotPostgreSQLIsRefusedByItsName(t *testing.T) {
	for name, test := range map[string]struct{ file, dsn, want string }{
		"MySQL":                  {file: "type: mysql\nhost: db\npassword: s3cr\n", want: `"mysql"`},
		"SQLite":                 {file: "type: sqlite\ndsn: /var/lib/x.db\n", want: `"sqlite"`},
		"nothing":                {file: "{}\n", want: `""`},
		"no database":            {file: "type: postgres\nhost: db\npassword: s3cr\n", want: "names no database"},
		"a string for MySQL":     {dsn: "mysql://u:s3cr@db/d", want: `"mysql"`},
		"a list of something":    {file: "- s3cr\n", want: "not YAML in Clusterpedia's form"},
		"a string of no form":    {dsn: "u:s3cr@tcp(db)/d", want: "not in PostgreSQL's form"},
		"a URL that is mistyped": {dsn: "postgres://u:s3cr et@db:x/d", want: "not in PostgreSQL's form"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			if test.dsn != "" {
				_, err = FromDSN(test.dsn, "")
			} else {
				_, err = FromFile(write(t, test.file))
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "s3cr") {
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
}
