package server

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServerAudits asks the server what graphql-http asks of every server.
func TestServerAudits(t *testing.T) {
	web := filepath.Join("..", "..", "web")
	if _, err := os.Stat(filepath.Join(web, "node_modules", "graphql-http")); err != nil {
		t.Fatalf("the audits are graphql-http, which `make web/node_modules/.installed` installs: %v", err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("the audits need Node.js 20 or newer: install it (%v)", err)
	}
	f := newFixture(t, func(c *Config) { c.Schema = realSchema() })
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, node, filepath.Join("audits", "server.mjs"))
	command.Dir = web
	command.Env = append(os.Environ(), "KAIRSHIP_URL="+f.server.URL, "KAIRSHIP_TOKEN=admin")
	out, err := command.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Errorf("the audits fail: %v", err)
	}
	if !strings.Contains(string(out), " audits: ") {
		t.Error("the audits did not come to their end")
	}
}
