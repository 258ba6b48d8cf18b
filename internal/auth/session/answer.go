package session

import (
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// pagePolicy lets a page do nothing: it has neither scripts nor styles.
const pagePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// private keeps an answer out of caches, and addresses with a code out of the next host's logs.
func private(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

func writePage(w http.ResponseWriter, status int, head, title, body string) {
	private(w)
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte("<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">" +
		head + "<title>" + title + " · Kairship</title></head>\n<body><main><h1>" + title + "</h1>\n" + body + "</main></body>\n</html>\n"))
}

// land shows a page that forwards by itself. A redirect would belong to the navigation that began at the provider, on
// which browsers send no SameSite=Strict cookie: the person would arrive signed out.
func (s *Sessions) land(w http.ResponseWriter, path string) {
	to := html.EscapeString(path)
	writePage(w, http.StatusOK, `<meta http-equiv="refresh" content="0;url=`+to+`">`, "You are signed in", `<p><a href="`+to+`">Go on</a></p>`)
}

// failure is an error as JSON.
type failure struct {
	Code      model.Code `json:"code"`
	Message   string     `json:"message"`
	Field     []string   `json:"field,omitempty"`
	Retryable bool       `json:"retryable,omitempty"`
}

// fail answers with an error: a page for a person, JSON for a program.
func (s *Sessions) fail(w http.ResponseWriter, r *http.Request, err error) {
	var e *model.Error
	if !errors.As(err, &e) {
		e = &model.Error{Code: model.CodeInternal, Message: "internal error", Err: err}
	}
	status := http.StatusInternalServerError
	switch e.Code {
	case model.CodeBadUserInput:
		status = http.StatusBadRequest
	case model.CodeUnauthenticated, model.CodeForbidden, model.CodeLimitExceeded:
		status = http.StatusForbidden // not 401: it would ask for a bearer token
	case model.CodeNotFound:
		status = http.StatusNotFound
	case model.CodeUnavailable, model.CodeTimeout:
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "2")
	default:
	}
	s.cfg.Logger.Warn("a sign-in or sign-out failed", "path", r.URL.Path, "code", string(e.Code), "error", e.Error())
	if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
		writePage(w, status, "", "Signing in did not work", "<p>"+html.EscapeString(e.Message)+"</p>\n"+
			`<p><a href="`+PathSignIn+`">Sign in again</a> · <a href="/">Start page</a></p>`)
		return
	}
	writeJSON(w, status, failure{Code: e.Code, Message: e.Message, Field: e.Field, Retryable: e.Retryable})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	private(w)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) //nolint:errchkjson // a client that left is no matter
}
