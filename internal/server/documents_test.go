package server

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
)

func TestTrustedDocuments(t *testing.T) {
	const known, other = "query Who{who}", "{echo(text:\"x\")}"
	hash := hashOf(known)
	by := func(hash string) string {
		return fmt.Sprintf(`{"extensions":{"persistedQuery":{"version":1,"sha256Hash":%q}}}`, hash)
	}
	for _, tc := range []struct {
		name, method, path, body string
		trusted                  bool
		code, rule               string
	}{
		{"by hash", "POST", "/graphql", by(hash), false, "", ""},
		{"by hash, trusted only", "POST", "/graphql", by(hash), true, "", ""},
		{"by hash in capitals", "POST", "/graphql", by(strings.ToUpper(hash)), true, "", ""},
		{"by id", "POST", "/graphql", `{"documentId":"sha256:` + hash + `"}`, true, "", ""},
		{"by id without prefix", "POST", "/graphql", `{"documentId":"` + hash + `"}`, true, "", ""},
		{"by id with GET", "GET", "/graphql?" + url.Values{"documentId": {"sha256:" + hash}}.Encode(), "", true, "", ""},
		{"by hash with GET", "GET", "/graphql?" + url.Values{"extensions": {`{"persistedQuery":{"sha256Hash":"` + hash + `"}}`}}.Encode(), "", true, "", ""},
		{"the document itself is as good as its hash", "POST", "/graphql", `{"query":"` + known + `"}`, true, "", ""},
		{"document and hash", "POST", "/graphql", `{"query":"` + known + `","documentId":"` + hash + `"}`, true, "", ""},
		{"document and another's hash", "POST", "/graphql", `{"query":"{who}","documentId":"` + hash + `"}`, true, "BAD_USER_INPUT", "documentHash"},
		{"document and another's hash, all may run", "POST", "/graphql", `{"query":"{who}","documentId":"` + hash + `"}`, false, "BAD_USER_INPUT", "documentHash"},
		{"another document", "POST", "/graphql", `{"query":"{who}"}`, true, "FORBIDDEN", "trustedDocuments"},
		{"another document that is not even valid", "POST", "/graphql", `{"query":"}{"}`, true, "FORBIDDEN", "trustedDocuments"},
		{"another document, all may run", "POST", "/graphql", `{"query":"{who}"}`, false, "", ""},
		{"the schema", "POST", "/graphql", `{"query":"{__schema{queryType{name}}}"}`, true, "FORBIDDEN", "trustedDocuments"},
		{"an unknown hash, trusted only", "POST", "/graphql", by(hashOf("x")), true, "FORBIDDEN", "trustedDocuments"},
		{"an unknown hash", "POST", "/graphql", by(hashOf("x")), false, "PERSISTED_QUERY_NOT_FOUND", ""},
		{"an unknown id", "POST", "/graphql", `{"documentId":"x"}`, false, "PERSISTED_QUERY_NOT_FOUND", ""},
		{"an id that is no string", "POST", "/graphql", `{"documentId":7}`, false, "BAD_USER_INPUT", ""},
		{"a hash that is no string", "POST", "/graphql", `{"extensions":{"persistedQuery":{"sha256Hash":7}}}`, false, "BAD_USER_INPUT", ""},
		{"neither document nor hash", "POST", "/graphql", `{"extensions":{"persistedQuery":{}}}`, true, "BAD_USER_INPUT", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			documents, err := NewDocuments(known, other)
			if err != nil {
				t.Fatal(err)
			}
			f := newFixture(t, func(c *Config) { c.Documents, c.TrustedDocuments = documents, tc.trusted })
			a := f.do(tc.method, tc.path, tc.body)
			rule := ""
			if len(a.Errors) > 0 {
				rule, _ = a.Errors[0].Extensions["rule"].(string)
			}
			if a.code() != tc.code || rule != tc.rule {
				t.Fatalf("%q by rule %q, want %q by %q: %s", a.code(), rule, tc.code, tc.rule, a.raw)
			}
			if tc.code == "" && a.Data["who"] != "ann" {
				t.Errorf("data: %s", a.raw)
			}
			if tc.rule != "" && !strings.Contains(a.Errors[0].Message, "(rule "+tc.rule+")") {
				t.Errorf("the message does not name the rule: %s", a.Errors[0].Message)
			}
		})
	}
}

func TestDocumentsKnownInAdvanceAreReadyAndStay(t *testing.T) {
	const known = "query Who{who}"
	documents, err := NewDocuments(known, "{thisFieldIsNotThere}", "{who "+strings.Repeat("who ", 60)+"}")
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(c *Config) { c.Documents = documents })
	for _, why := range []string{"thisFieldIsNotThere", "61 root fields"} {
		if !strings.Contains(f.log.String(), why) {
			t.Errorf("the log does not say why a document cannot run: no %q in\n%s", why, f.log.String())
		}
	}
	ask := func(query string) {
		t.Helper()
		if a := f.do("POST", "/graphql", fmt.Sprintf(`{"query":%q}`, query)); a.code() != "" {
			t.Fatal(a.raw)
		}
	}
	count := func(result string) float64 {
		var m dto.Metric
		if err := f.metrics.documents.WithLabelValues(result).Write(&m); err != nil {
			t.Fatal(err)
		}
		return m.GetCounter().GetValue()
	}
	ask(known)
	if count("hit") != 1 || count("miss") != 0 {
		t.Errorf("the first request by a known document: %v hits, %v misses; want it to be ready", count("hit"), count("miss"))
	}
	for i := range cachedDocuments + 1 {
		ask(fmt.Sprintf("query Q%d{who}", i))
	}
	before := count("hit")
	ask(known)
	if count("hit") != before+1 {
		t.Error("other documents drove out the one that is known in advance")
	}
}

func TestTrustedDocumentsOnASocketAndInAStream(t *testing.T) {
	documents, err := NewDocuments("query Who{who}")
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(c *Config) { c.Documents, c.TrustedDocuments = documents, true })
	c := f.admitted().send(`{"id":"1","type":"subscribe","payload":{"documentId":"sha256:` + hashOf("query Who{who}") + `"}}`)
	c.want(`{"id":"1","type":"next","payload":{"data":{"who":"ann"}}}`, `{"id":"1","type":"complete"}`)
	for _, payload := range []string{`{"query":"subscription{ticks}"}`, `{"documentId":"x"}`} {
		c.send(`{"id":"1","type":"subscribe","payload":` + payload + `}`)
		if got := c.next(); !strings.HasPrefix(got, `{"id":"1","type":"error"`) || !strings.Contains(got, `"rule":"trustedDocuments"`) {
			t.Errorf("%s: %s", payload, got)
		}
	}
	if a := f.do("POST", "/graphql", `{"query":"subscription{ticks}"}`, "Accept", mediaEvents); !strings.Contains(a.raw, `"rule":"trustedDocuments"`) {
		t.Errorf("a stream: %d %s", a.status, a.raw)
	}
}

func TestReadDocuments(t *testing.T) {
	for _, tc := range []struct {
		name, raw string
		want      int
		wrong     string
	}{
		{"a manifest", `{"sha256:` + hashOf("{who}") + `":"{who}","` + hashOf("{echo}") + `":"{echo}"}`, 2, ""},
		{"a list", ` ["{who}","{echo}","{who}"]`, 2, ""},
		{"an empty manifest", `{}`, 0, ""},
		{"a hash of something else", `{"` + hashOf("{who}") + `":"{echo}"}`, 0, "has another SHA-256"},
		{"another hash function", `{"da39a3ee5e6b4b0d3255bfef95601890afd80709":"{who}"}`, 0, "has another SHA-256"},
		{"a document that does not parse", `["{"]`, 0, "does not parse"},
		{"values that are no strings", `{"x":{}}`, 0, "neither an object"},
		{"a list of something else", `[1]`, 0, "no list of documents"},
		{"no JSON", `query`, 0, "neither an object"},
		{"too much", `["` + strings.Repeat("x", maxDocumentsFile) + `"]`, 0, "more than"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "documents.json")
			if err := os.WriteFile(file, []byte(tc.raw), 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := ReadDocuments(nil, file)
			if tc.wrong == "" {
				if err != nil || d.Len() != tc.want {
					t.Errorf("%d documents and %v, want %d", d.Len(), err, tc.want)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.wrong) || !strings.Contains(err.Error(), file) {
				t.Errorf("error %v, want %q of the file", err, tc.wrong)
			}
		})
	}
	if _, err := ReadDocuments(nil, filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a file that is not there is read")
	}
}
