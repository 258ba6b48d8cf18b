package e2e

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// exchanged is the whole answer to a request to Kairship: its head and its body.
func exchanged(t *testing.T, method, path, body string, header map[string]string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := httputil.DumpResponse(res, true)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// auditOf is the last events of the audit, as GraphQL tells them.
func auditOf(t *testing.T) string {
	t.Helper()
	out := ask(t, `{auditEvents(first: 200){nodes{principal userAgent action kind namespace name outcome code message requestId}}}`, nil)
	if len(out.Errors) > 0 {
		t.Fatalf("errors: %+v", out.Errors)
	}
	return string(out.Data)
}

// What people send that is secret, good or refused, is in no log of the fleet's Kairship, in none of its metrics,
// in no audit event and in no answer to anybody. cmd has the same test without a fleet, with traces
// and with servers that repeat what they are sent.
func TestNoSecretIsInLogsMetricsAuditOrAnswers(t *testing.T) {
	whole(t)
	const mark = "c4n4ry-e2e-"
	secret := func(value, more string) string {
		return "apiVersion: v1\nkind: Namespace\nmetadata: {name: e2e-canary}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: canary, namespace: e2e-canary" +
			more + "}\nstringData: {password: " + value + "}\ndata: {other: " + base64.StdEncoding.EncodeToString([]byte(value)) + "}\n"
	}
	removeNamespace(t, "e2e-canary")
	leaveNothing(t, "e2e-canary")
	var answers strings.Builder
	owner := map[string]string{"Authorization": "Bearer " + token}
	send := func(method, path, body string, header map[string]string) {
		answers.WriteString(exchanged(t, method, path, body, header))
	}
	apply := func(manifests string) {
		body, err := json.Marshal(map[string]any{"query": applyMutation, "variables": map[string]any{"in": map[string]any{"instance": "asia", "manifests": manifests}}})
		if err != nil {
			t.Fatal(err)
		}
		send(http.MethodPost, "/graphql", string(body), owner)
	}
	apply(secret(mark+"applied", ""))
	apply(secret(mark+"refused", ", labels: {'not valid': x}"))
	apply(secret(mark+"no-base64", "") + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: two, namespace: e2e-canary}\ndata: {a: '" + mark + "no-base64!'}\n")
	apply("kind: Secret\nstringData: {a: " + mark + "malformed\n  - b: [")
	query := `{"query":"{instances{nodes{name}}}"}`
	send(http.MethodPost, "/graphql", query, map[string]string{"Authorization": "Bearer " + mark + "bearer"})
	send(http.MethodPost, "/graphql", query, map[string]string{"Cookie": "kairship_session=" + mark + "cookie"})
	send(http.MethodPost, "/graphql", `{"query":"`+mark+`body`, owner)
	send(http.MethodPost, "/graphql", `{"query":"query($id:ID!){node(id:$id){id}}","variables":{"id":"`+mark+`variable"}}`, owner)
	send(http.MethodGet, "/graphql?query={viewer{name}}&access_token="+mark+"query&password="+mark+"query", "", owner)
	send(http.MethodGet, "/auth/callback?code="+mark+"code&state="+mark+"state", "", nil)
	send(http.MethodPost, "/hooks/global-management", "{}", map[string]string{"X-Kairship-Signature": "sha256=" + mark + "signature"})
	send(http.MethodPut, "/instances/asia/api/v1/namespaces/e2e-canary/secrets/canary", `{"kind":"Secret","stringData":{"a":"`+mark+`proxied"}`, owner)

	// Kairship's own credentials at the instances, whatever else happened.
	kept := []string{mark, base64.StdEncoding.EncodeToString([]byte(mark))[:12], token}
	metrics := exchanged(t, http.MethodGet, "/metrics", "", owner)
	if !strings.Contains(metrics, "kairship_http_requests_total") {
		t.Fatalf("metrics: %.200s", metrics)
	}
	// A line is in the file a moment after its answer.
	log := ""
	eventually(t, 10*time.Second, func() error {
		raw, err := os.ReadFile(filepath.Join(stateDir(), "logs", "kairship-apiserver.log"))
		log = string(raw)
		if err == nil && !strings.Contains(log, "/hooks/global-management") {
			return io.ErrUnexpectedEOF
		}
		return err
	})
	controllers, err := os.ReadFile(filepath.Join(stateDir(), "logs", "kairship-controller-manager.log"))
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"log": log, "controllers' log": string(controllers), "metrics": metrics, "audit": auditOf(t), "answers": answers.String()} {
		for _, secret := range kept {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("the %s hold a secret: …%s", where, text[max(0, at-300):min(len(text), at+40)])
			}
		}
	}
}
