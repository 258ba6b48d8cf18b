package redact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const canary = "c4n4ry-s3cr3t"

func TestSecretsAreTakenOutOfTexts(t *testing.T) {
	const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl"
	for _, tc := range []struct{ text, want string }{
		{"Get: Authorization: Bearer " + canary, "Get: Authorization: [redacted]"},
		{"sent Bearer " + canary + " to it", "sent Bearer [redacted] to it"},
		{"map[Cookie: session=" + canary + "; x=" + canary, "map[Cookie: [redacted]"},
		{"Set-Cookie: session=" + canary + "; HttpOnly\nnext", "Set-Cookie: [redacted]\nnext"},
		{`Get "https://idp/cb?code=` + canary + `&state=` + canary + `": EOF`, `Get "https://idp/cb?code=[redacted]&state=[redacted]": EOF`},
		{`Get "wss://a/graphql?access_token=` + canary + `": EOF`, `Get "wss://a/graphql?access_token=[redacted]": EOF`},
		{`{"id_token":"` + canary + `","n":1}`, `{"id_token":"[redacted]","n":1}`},
		{"host=db user=k password=" + canary + " dbname=k", "host=db user=k password=[redacted] dbname=k"},
		{"dial postgres://kairship:" + canary + "@db:5432/k", "dial postgres://[redacted]@db:5432/k"},
		{"token " + jwt + " is old", "token [redacted] is old"},
		{"-----BEGIN EC PRIVATE KEY-----\n" + canary + "\n-----END EC PRIVATE KEY-----\nafter", "[redacted]\nafter"},
		{"Get \"https://10.0.0.1:6443/api\": EOF", "Get \"https://10.0.0.1:6443/api\": EOF"},
		{"instance asia: dial tcp 10.0.0.1:6443: connection refused", "instance asia: dial tcp 10.0.0.1:6443: connection refused"},
		{`applying apps/v1 Deployment "token-server": conflict`, `applying apps/v1 Deployment "token-server": conflict`},
	} {
		if got := Text(tc.text); got != tc.want {
			t.Errorf("%q became %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestSecretsAreKeptOutOfLogs(t *testing.T) {
	b := &bytes.Buffer{}
	log := slog.New(Logs(Logs(slog.NewJSONHandler(b, nil)))).With("token", canary).WithGroup("g").With("url", "https://x/?token="+canary)
	log.Info("with Bearer "+canary, "error", fmt.Errorf("asking: %w", errors.New("Cookie: "+canary)), "variables", map[string]any{"x": canary},
		slog.Group("inner", "password", canary, "n", 7), "header", map[string][]string{"Authorization": {"Bearer " + canary}})
	if got := b.String(); strings.Contains(got, canary) || strings.Count(got, "[redacted]") < 7 || !strings.Contains(got, `"n":7`) {
		t.Errorf("log: %s", got)
	}
}

func TestWhatIsRedactedStaysAsItIs(t *testing.T) {
	for _, text := range []string{
		"Authorization: Bearer " + canary, "password=" + canary + " dbname=k", `{"token":"` + canary + `"}`, `"{\"token\":\"` + canary + `\"}"`,
		"postgres://u:" + canary + "@db/k", "cannot parse:\nkind: Secret\nstringData:\n  db: " + canary, "X-Kairship-Signature: sha256=" + canary,
		"token: two words " + canary, "GET /x?code=" + canary + "&client_assertion=" + canary, AboutSecret("illegal data: " + canary),
	} {
		once := Text(text)
		if strings.Contains(once, canary) || !strings.Contains(once, Mark) {
			t.Errorf("%q became %q", text, once)
		}
		if again := Text(once); again != once {
			t.Errorf("%q became %q", once, again)
		}
	}
}

// discarding takes every line and writes none.
type discarding struct{ slog.Handler }

func (discarding) Enabled(context.Context, slog.Level) bool { return true }

func BenchmarkLogs(b *testing.B) {
	log := slog.New(Logs(discarding{slog.DiscardHandler}))
	for b.Loop() {
		log.Info("request", "requestId", "f3a9c1d2e4b5a697", "method", "POST", "path", "/graphql", "status", 200, "bytes", 15721,
			"remote", "10.244.3.17:53122", "principal", "kairship:oidc:ada@example.com", "operation", "query Workloads", "outcome", "ok")
	}
}
