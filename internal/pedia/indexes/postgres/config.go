// Package postgres creates and removes the indexes of package indexes in Clusterpedia's PostgreSQL, and reports their
// state.
package postgres

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/dsn"
)

// applicationName is the name of the sessions in pg_stat_activity.
const applicationName = "kairship store"

// storage is the part of Clusterpedia's storage configuration that locates the database.
type storage struct {
	Type     string              `json:"type"`
	DSN      string              `json:"dsn"`
	Host     string              `json:"host"`
	Port     *intstr.IntOrString `json:"port"`
	User     string              `json:"user"`
	Password string              `json:"password"`
	Database string              `json:"database"`

	SSLMode         string `json:"sslMode"`
	SSLCertFile     string `json:"sslCertFile"`
	SSLKeyFile      string `json:"sslKeyFile"`
	SSLRootCertFile string `json:"sslRootCertFile"`

	Params map[string]string `json:"params"`
}

// FromFile reads Clusterpedia's own storage configuration. As in Clusterpedia the environment takes precedence over the
// file: DB_TYPE, DB_DSN, DB_HOST, DB_PORT, DB_USER, DB_PASSWORD and DB_DATABASE. No error contains the password.
func FromFile(path string) (*pgx.ConnConfig, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the storage configuration: %w", err)
	}
	var s storage
	if err := yaml.Unmarshal(raw, &s); err != nil {
		// The parser's error may quote the file.
		return nil, fmt.Errorf("the storage configuration %s is not YAML in Clusterpedia's form", path)
	}
	port := ""
	if s.Port != nil {
		port = s.Port.String()
	}
	environment := map[string]*string{"DB_TYPE": &s.Type, "DB_DSN": &s.DSN, "DB_HOST": &s.Host, "DB_PORT": &port,
		"DB_USER": &s.User, "DB_PASSWORD": &s.Password, "DB_DATABASE": &s.Database}
	for name, field := range environment {
		*field = cmp.Or(os.Getenv(name), *field)
	}
	if s.Type != "postgres" {
		return nil, fmt.Errorf("the storage configuration %s is of type %q: Kairship makes indexes in PostgreSQL (type postgres) only", path, s.Type)
	}
	if s.DSN != "" {
		return FromDSN(s.DSN, s.Password)
	}
	if s.Database == "" {
		return nil, fmt.Errorf("the storage configuration %s names no database", path)
	}
	words := [][2]string{{"host", s.Host}, {"port", port}, {"user", s.User}, {"password", s.Password}, {"dbname", s.Database},
		{"sslmode", s.SSLMode}, {"sslcert", s.SSLCertFile}, {"sslkey", s.SSLKeyFile}, {"sslrootcert", s.SSLRootCertFile}}
	for name, value := range s.Params {
		words = append(words, [2]string{name, value})
	}
	var settings []string
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	for _, w := range words {
		if w[1] != "" {
			settings = append(settings, w[0]+"='"+quote.Replace(w[1])+"'")
		}
	}
	return FromDSN(strings.Join(settings, " "), "")
}

// FromDSN parses a connection string: a URL (postgres://…) or key=value pairs (host=… dbname=…). A non-empty password
// is used when the string has none. No error contains either.
func FromDSN(text, password string) (*pgx.ConnConfig, error) {
	parsed, err := dsn.Parse(text, password)
	if err != nil {
		return nil, err
	}
	config := parsed.ConnConfig
	// Each statement is sent once: preparing it would gain nothing.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = applicationName
	}
	return config, nil
}
