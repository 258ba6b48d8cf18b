package server

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The media types of responses.
const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"
	mediaEvents  = "text/event-stream"
)

// negotiate chooses the media type of the response by the Accept header; empty when none is acceptable. Clients without
// one are old ones: they get application/json.
func negotiate(accept []string) string {
	header := strings.Join(accept, ",")
	if strings.TrimSpace(header) == "" {
		return mediaJSON
	}
	best, bestQuality := "", 0.0
	for part := range strings.SplitSeq(header, ",") {
		kind, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil {
			continue
		}
		quality := 1.0
		if q, ok := params["q"]; ok {
			if quality, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
			continue
		}
		offer := kind
		switch kind {
		case mediaGraphQL, mediaJSON, mediaEvents:
		case "*/*", "application/*":
			offer = mediaJSON
		default:
			continue
		}
		if quality > bestQuality {
			best, bestQuality = offer, quality
		}
	}
	return best
}

// isJSON reports whether a request's Content-Type is application/json in UTF-8.
func isJSON(contentType string) bool {
	kind, parameters, err := mime.ParseMediaType(contentType)
	return err == nil && kind == mediaJSON && (parameters["charset"] == "" || strings.EqualFold(parameters["charset"], "utf-8"))
}

// mediaOf is the media type for a refusal, never empty.
func mediaOf(r *http.Request) string {
	if m := negotiate(r.Header.Values("Accept")); m == mediaGraphQL {
		return m
	}
	return mediaJSON
}

// failure is a response without data: a request that was refused before it ran has no such key.
type failure struct {
	Errors gqlerror.List `json:"errors"`
}

// encode writes a response. Its data is JSON already and may be large: it is not parsed again.
func encode(res *graphql.Response) ([]byte, error) {
	out := []byte("{")
	for _, part := range []struct {
		key   string
		value any
		empty bool
	}{{"errors", res.Errors, len(res.Errors) == 0}, {"extensions", res.Extensions, len(res.Extensions) == 0}} {
		if part.empty {
			continue
		}
		raw, err := json.Marshal(part.value)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", part.key, err)
		}
		out = append(append(append(append(out, '"'), part.key...), `":`...), raw...)
		out = append(out, ',')
	}
	data := []byte(res.Data)
	if len(data) == 0 {
		data = []byte("null")
	}
	return append(append(append(slices.Grow(out, len(data)+8), `"data":`...), data...), '}'), nil
}

func writeFailure(w http.ResponseWriter, media string, status int, errs gqlerror.List) {
	raw, err := json.Marshal(&failure{Errors: errs})
	writeResponse(w, media, status, raw, err)
}

func writeResponse(w http.ResponseWriter, media string, status int, raw []byte, err error) {
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"errors":[{"message":"internal error","extensions":{"code":"INTERNAL"}}]}`)
	}
	h := w.Header()
	h.Set("Content-Type", media+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}
