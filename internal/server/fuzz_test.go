package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
)

// FuzzRequests holds that a body is either taken as it was meant or refused, and that refusing repeats
// nothing of it.
func FuzzRequests(f *testing.F) {
	for _, seed := range []string{
		`{"query":"{who}"}`, `{"query":"{who}","variables":{"a":12345678901234567890},"operationName":null}`, `{"documentId":"sha256:x"}`,
		`{"query":"é\ud800"}`, `{"query":"a","query":"b"}`, `[{"query":"{who}"}]`, `{"query":"{who}"} x`, `null`, `{`, `{"query":`, "\xff", `{"variables":{}}`,
		`{"extensions":{"persistedQuery":{"sha256Hash":"x"}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		params := &graphql.RawParams{}
		status, refusal := readParams(raw, params)
		if refusal != nil {
			if status < 400 || status > 499 || len(refusal.Message) > 200 {
				t.Errorf("refused with %d: %s", status, refusal.Message)
			}
			return
		}
		if status != http.StatusOK || !json.Valid(raw) {
			t.Fatalf("%q was taken with %d", raw, status)
		}
		var meant struct{ Query string }
		if err := json.Unmarshal(raw, &meant); err == nil && strings.Count(strings.ToLower(string(raw)), "query") == 1 && params.Query != meant.Query {
			t.Errorf("%q was taken as %q", raw, params.Query)
		}
	})
}
