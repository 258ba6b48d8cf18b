package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// bodyTimeout is how long a client may take to send its request, except for uploads through the proxy; between
	// parts it may pause for at most Limits.ReadTime.
	bodyTimeout = 15 * time.Second
	// answerTimeout is how long a client may take to read a response, beyond the time allowed for making it.
	answerTimeout = 30 * time.Second
)

// headerIdempotencyKey is the header with which a client names a request, so that it is executed only once.
const headerIdempotencyKey = "Idempotency-Key"

// nonSimple is the headers that a foreign page cannot send without a preflight: a GET needs one, so that a link is
// never a query. Authorization is one of them.
var nonSimple = []string{"Authorization", headerCSRF, "Apollo-Require-Preflight", "GraphQL-Preflight"}

func (d *Server) serveGraphQL(w http.ResponseWriter, r *http.Request) {
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		d.serveWebSocket(w, r)
		return
	}
	if r.Method != http.MethodPost && r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET, POST")
		d.refuse(w, r, http.StatusMethodNotAllowed, brokenRule("method", "use POST, or GET for queries"))
		return
	}
	media := negotiate(r.Header.Values("Accept"))
	if media == "" {
		d.refuse(w, r, http.StatusNotAcceptable, clientError(model.CodeBadUserInput,
			fmt.Sprintf("Accept: answers are %s, %s or %s", mediaGraphQL, mediaJSON, mediaEvents)))
		return
	}
	r, in, ok := d.admit(w, r, d.credentialOf(r), d.refuseKnown)
	if !ok {
		return
	}
	if err := idempotency.CheckKeys(r.Header.Values(headerIdempotencyKey)); err != nil {
		d.refuse(w, r, http.StatusBadRequest, d.presentCause(r.Context(), err))
		return
	}
	params, status, refusal := d.read(w, r)
	if refusal != nil {
		d.refuse(w, r, status, refusal)
		return
	}
	if media == mediaEvents {
		d.stream(w, r, in, params)
		return
	}
	d.answer(w, r, media, params)
}

// read reads the parameters of a request.
func (d *Server) read(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, *gqlerror.Error) {
	began := graphql.Now()
	params := &graphql.RawParams{Headers: r.Header}
	var status int
	var err *gqlerror.Error
	if r.Method == http.MethodGet {
		status, err = d.readURL(r, params)
	} else {
		status, err = d.readBody(w, r, params)
	}
	params.ReadTime = graphql.TraceTiming{Start: began, End: graphql.Now()}
	return params, status, err
}

func (d *Server) readURL(r *http.Request, params *graphql.RawParams) (int, *gqlerror.Error) {
	safe := false
	for _, h := range nonSimple {
		safe = safe || r.Header.Get(h) != ""
	}
	if !safe {
		return http.StatusBadRequest, brokenRule("csrf", "a GET needs one of the headers %s", strings.Join(nonSimple, ", "))
	}
	if len(r.URL.RawQuery) > d.limits.Body {
		return http.StatusRequestURITooLong, limitExceeded("body", d.limits.Body, len(r.URL.RawQuery), "the request has %d bytes; at most %d are allowed", len(r.URL.RawQuery), d.limits.Body)
	}
	values := r.URL.Query()
	fields := map[string]json.RawMessage{}
	for _, name := range []string{"query", "operationName", "documentId"} {
		if values.Has(name) {
			fields[name], _ = jsontext.AppendQuote(nil, values.Get(name)) // invalid UTF-8 is mangled
		}
	}
	for _, name := range []string{"variables", "extensions"} {
		if v := values.Get(name); v != "" {
			fields[name] = json.RawMessage(v)
		}
	}
	return readFields(fields, params)
}

func (d *Server) readBody(w http.ResponseWriter, r *http.Request, params *graphql.RawParams) (int, *gqlerror.Error) {
	if !isJSON(r.Header.Get("Content-Type")) {
		w.Header().Set("Accept-Post", mediaJSON)
		return http.StatusUnsupportedMediaType, brokenRule("mediaType", "Content-Type: a request is "+mediaJSON+" in UTF-8")
	}
	if r.ContentLength > int64(d.limits.Body) {
		if r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close") // the rest will not be read
		}
		return http.StatusRequestEntityTooLarge, limitExceeded("body", d.limits.Body, int(min(r.ContentLength, many)), "the request has %d bytes; at most %d are allowed", r.ContentLength, d.limits.Body)
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(d.limits.Body)))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge, limitExceeded("body", d.limits.Body, 0, "the request has more than %d bytes", d.limits.Body)
	case err != nil:
		return http.StatusBadRequest, clientError(model.CodeBadUserInput, "the request could not be read to its end")
	}
	return readParams(raw, params)
}

// readParams reads the parameters in a body or a message.
func readParams(raw []byte, params *graphql.RawParams) (int, *gqlerror.Error) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) > 0 && raw[0] == '[' {
		return http.StatusBadRequest, brokenRule("batch", "batches are not supported: send one operation a request")
	}
	fields, err := split(raw)
	if err != nil {
		// The decoder's message would repeat the client's input.
		return http.StatusBadRequest, clientError(model.CodeBadUserInput, "the request is not a JSON object")
	}
	return readFields(fields, params)
}

// split splits a JSON object into its fields in one pass: documents may be long.
func split(raw []byte) (map[string]json.RawMessage, error) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if begin, err := decoder.ReadToken(); err != nil || begin.Kind() != '{' {
		return nil, errors.Join(errors.New("no object"), err)
	}
	fields := map[string]json.RawMessage{}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String() // the next token overwrites this one
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		fields[key] = json.RawMessage(value.Clone())
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the object")
	}
	return fields, nil
}

func readFields(fields map[string]json.RawMessage, params *graphql.RawParams) (int, *gqlerror.Error) {
	wrong := func(name, what string) (int, *gqlerror.Error) {
		e := clientError(model.CodeBadUserInput, name+": "+what)
		e.Extensions["field"] = []string{name}
		return http.StatusBadRequest, e
	}
	var document string
	for _, f := range []struct {
		name, what string
		into       any
	}{
		{"query", "has to be a string", &params.Query},
		{"documentId", "has to be a string", &document},
		{"operationName", "has to be a string or null", &params.OperationName},
		{"variables", "has to be an object or null", &params.Variables},
		{"extensions", "has to be an object or null", &params.Extensions},
	} {
		raw, ok := fields[f.name]
		if !ok {
			continue
		}
		if text, ok := f.into.(*string); ok && raw[0] == '"' {
			unquoted, err := jsontext.AppendUnquote(nil, raw)
			if err != nil {
				return wrong(f.name, f.what)
			}
			*text = string(unquoted)
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		if err := decoder.Decode(f.into); err != nil {
			return wrong(f.name, f.what)
		}
		if _, err := decoder.Token(); err != io.EOF {
			return wrong(f.name, f.what)
		}
	}
	if document != "" {
		nameDocument(params, document)
	}
	if _, named := namedDocument(params); params.Query == "" && !named {
		return wrong("query", "is required")
	}
	return http.StatusOK, nil
}

// answer runs a query or mutation.
func (d *Server) answer(w http.ResponseWriter, r *http.Request, media string, params *graphql.RawParams) {
	ctx, cancel := context.WithTimeout(graphql.StartOperationTrace(r.Context()), d.limits.Time)
	defer cancel()

	op, errs := d.prepare(ctx, params)
	status := http.StatusOK
	switch {
	case errs != nil:
	case op.Operation.Operation == ast.Subscription:
		status = http.StatusBadRequest
		errs = gqlerror.List{clientError(model.CodeBadUserInput, "a subscription needs a WebSocket (graphql-transport-ws) or Accept: "+mediaEvents)}
	case op.Operation.Operation == ast.Mutation && r.Method == http.MethodGet:
		status = http.StatusMethodNotAllowed
		w.Header().Set("Allow", "POST")
		errs = gqlerror.List{mutationByGET()}
	}
	if errs != nil {
		// Clients that accept the newer media type get a meaningful status; older clients expect 200 for every request
		// that was understood.
		if status == http.StatusOK && media == mediaGraphQL {
			status = http.StatusBadRequest
		}
		d.refuse(w, r, statusOf(errs, status), errs...)
		return
	}
	began := time.Now()
	response := d.run(ctx, op)
	d.ended(r.Context(), op, response, began)
	raw, err := encode(response)
	writeResponse(w, media, http.StatusOK, raw, err)
}

// statusOf is the status of a refused operation: status, unless the same operation may be accepted later.
func statusOf(errs gqlerror.List, status int) int {
	if _, later := errs[0].Extensions["retryAfter"]; later {
		return http.StatusTooManyRequests
	}
	return status
}

func mutationByGET() *gqlerror.Error { return brokenRule("mutationByGet", "a mutation needs POST") }

// prepare finds the document, parses, checks and validates it. Its errors are as the client sees them.
func (d *Server) prepare(ctx context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	refusal := d.document(params)
	var op *graphql.OperationContext
	errs := gqlerror.List{refusal}
	if refusal == nil {
		op, errs = d.exec.CreateOperationContext(ctx, params)
		if errs == nil {
			if refusal = checkVariables(d.cfg.Schema.Schema(), op.Operation, params.Variables); refusal == nil {
				return op, nil
			}
			errs = gqlerror.List{refusal}
		}
	}
	shown := errs[:min(len(errs), maxErrors)]
	out := make(gqlerror.List, 0, len(shown)+1)
	for _, e := range shown {
		out = append(out, d.present(ctx, e))
	}
	if n := len(errs) - len(shown); n > 0 {
		out = append(out, clientError(model.CodeBadUserInput, fmt.Sprintf("and %d more errors", n)))
	}
	d.metrics.ended("", "refused", outcome(false, out), 0)
	return nil, out
}

// run runs an operation with a single response.
func (d *Server) run(ctx context.Context, op *graphql.OperationContext) (out *graphql.Response) {
	defer func() {
		if p := recover(); p != nil {
			out = &graphql.Response{Errors: gqlerror.List{d.present(ctx, recovered(ctx, p))}}
		}
	}()
	responses, ctx := d.exec.DispatchOperation(ctx, op)
	if out = responses(ctx); out == nil {
		// The executor returns nothing when the context ended before it began.
		err := context.Cause(ctx)
		if err == nil {
			err = errors.New("the operation gave no answer")
		}
		out = &graphql.Response{Errors: gqlerror.List{d.present(ctx, err)}}
	}
	return out
}

// ended records an operation in log and metrics.
func (d *Server) ended(ctx context.Context, op *graphql.OperationContext, response *graphql.Response, began time.Time) {
	result := outcomeOf(response)
	d.countLimits(response.Errors)
	recordOf(ctx).note(func(r *record) {
		r.operation = clip(string(op.Operation.Operation)+" "+op.Operation.Name, 100)
		r.outcome = result
	})
	d.metrics.ended(op.Operation.Name, string(op.Operation.Operation), result, time.Since(began))
}
