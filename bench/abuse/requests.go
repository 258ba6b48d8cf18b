// Package abuse attacks a Kairship in the ways that are tried on every GraphQL server. The end-to-end tests check how
// it refuses them, the lab measures what others notice.
package abuse

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Target is what is attacked, and by whom.
type Target struct {
	// Address is http://host:port.
	Address string
	// Token is the attacker's.
	Token string
}

// Refusal is how something was refused.
type Refusal struct {
	// Status is the HTTP status, or the close code of a WebSocket; 0 for an operation on a WebSocket.
	Status int
	Code   string
	// Name of the limit, or of the rule when it is none.
	Name string
}

func limit(status int, name string) Refusal { return Refusal{status, "LIMIT_EXCEEDED", name} }
func rule(status int, name string) Refusal  { return Refusal{status, "BAD_USER_INPUT", name} }

// Request is an attack by one excessive request.
type Request struct {
	Name string
	// Want is the expected refusal, unless the attacker has become too fast.
	Want Refusal

	method, query, kind, body string
}

// Requests returns the attacks of this form.
func Requests() []Request {
	post := func(name, query string, want Refusal) Request {
		return Request{name, want, http.MethodPost, "", "application/json", operation(query)}
	}
	var aliases strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&aliases, "a%d:name ", i)
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	_ = parts.WriteField("operations", operation("mutation{__typename}")) // a buffer cannot fail
	_ = parts.WriteField("map", "{}")
	_ = parts.Close()
	mutation := url.Values{"query": {"mutation{__typename}"}}.Encode()
	return []Request{
		post("10 MB body", "{__typename}"+strings.Repeat(" ", 10<<20), limit(http.StatusRequestEntityTooLarge, "body")),
		post("50,000 directives", "{__typename "+strings.Repeat("@skip(if:false) ", 50_000)+"}", limit(http.StatusOK, "directives")),
		post("1,000 aliases", "{instances{nodes{"+aliases.String()+"}}}", limit(http.StatusOK, "aliases")),
		post("depth 100", "{workloads{nodes{"+strings.Repeat("instance{workloads{nodes{", 33)+"name"+strings.Repeat("}}}", 33)+"}}}", limit(http.StatusOK, "depth")),
		post("introspection bomb", "{__schema{types{fields{type"+strings.Repeat("{fields{type", 12)+"{name}"+strings.Repeat("}}", 12)+"}}}}", limit(http.StatusOK, "depth")),
		post("fragment cycles", "{...a} fragment a on Query{...b} fragment b on Query{...c} fragment c on Query{...a}", rule(http.StatusOK, "NoFragmentCycles")),
		post("500 field duplicates", "{instances{nodes{"+strings.Repeat("name ", 500)+"}}}", limit(http.StatusOK, "repeats")),
		{"batch array", rule(http.StatusBadRequest, "batch"), http.MethodPost, "", "application/json",
			"[" + strings.Repeat(operation("{__typename}")+",", 99) + operation("{__typename}") + "]"},
		{"mutation by form", rule(http.StatusUnsupportedMediaType, "mediaType"), http.MethodPost, "", "application/x-www-form-urlencoded", mutation},
		{"mutation by multipart", rule(http.StatusUnsupportedMediaType, "mediaType"), http.MethodPost, "", parts.FormDataContentType(), form.String()},
		{"mutation by GET", rule(http.StatusMethodNotAllowed, "mutationByGet"), http.MethodGet, "?" + mutation, "", ""},
	}
}

func operation(query string) string { return string(object("query", query)) }

// object is a JSON object with one field.
func object(name, value string) json.RawMessage {
	quoted, _ := jsontext.AppendQuote(nil, value) // fails only for invalid UTF-8
	return fmt.Appendf(nil, `{"%s":%s}`, name, quoted)
}

// Send attacks once. It returns an error when the answer refuses nothing.
func (r Request) Send(ctx context.Context, client *http.Client, to Target) (Refusal, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, to.Address+"/graphql"+r.query, strings.NewReader(r.body))
	if err != nil {
		return Refusal{}, fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+to.Token)
	if r.kind != "" {
		req.Header.Set("Content-Type", r.kind)
	}
	resp, err := client.Do(req)
	if err != nil {
		return Refusal{}, fmt.Errorf("sending %s: %w", r.Name, err)
	}
	defer resp.Body.Close()
	return refusalOf(resp)
}

// refusalOf reads the refusal in an answer.
func refusalOf(resp *http.Response) (Refusal, error) {
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return Refusal{}, fmt.Errorf("reading an answer: %w", err)
	}
	var answer struct{ Errors failures }
	if err := json.Unmarshal(raw, &answer); err != nil || len(answer.Errors) == 0 {
		return Refusal{}, fmt.Errorf("the answer %d refuses nothing: %.300s", resp.StatusCode, raw)
	}
	return answer.Errors.refusal(resp.StatusCode), nil
}

// failures are the errors of an answer.
type failures []struct {
	Extensions struct{ Code, Limit, Rule string }
}

func (f failures) refusal(status int) Refusal {
	e := f[0].Extensions
	if e.Limit != "" {
		return Refusal{status, e.Code, e.Limit}
	}
	return Refusal{status, e.Code, e.Rule}
}
