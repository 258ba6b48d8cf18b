package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// limitExceeded refuses a request by a limit. found is 0 where counting stopped at the limit.
func limitExceeded(limit string, allowed, found int, format string, args ...any) *gqlerror.Error {
	e := clientError(model.CodeLimitExceeded, fmt.Sprintf(format, args...)+" (limit "+limit+")")
	e.Extensions["limit"], e.Extensions["allowed"] = limit, allowed
	if found > 0 && found < many {
		e.Extensions["found"] = found
	}
	return e
}

// brokenRule refuses a request by a rule that is no limit.
func brokenRule(rule, format string, args ...any) *gqlerror.Error {
	e := clientError(model.CodeBadUserInput, fmt.Sprintf(format, args...)+" (rule "+rule+")")
	e.Extensions["rule"] = rule
	return e
}

func badDocument(at *ast.Position, format string, args ...any) *gqlerror.Error {
	e := clientError(model.CodeBadUserInput, fmt.Sprintf(format, args...))
	if at != nil {
		e.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}
	return e
}

// clientError is an error as the client sees it.
func clientError(code model.Code, message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": string(code)}}
}

// clientErrorOf is a domain error as the client sees it: everything except its cause.
func clientErrorOf(e *model.Error) *gqlerror.Error {
	out := clientError(e.Code, e.Message)
	if e.Instance != "" {
		out.Extensions["instance"] = e.Instance
	}
	if e.Cluster != "" {
		out.Extensions["cluster"] = e.Cluster
	}
	if len(e.Field) > 0 {
		out.Extensions["field"] = e.Field
	}
	if l := e.Limit; l != nil {
		out.Extensions["limit"], out.Extensions["allowed"] = l.Name, l.Allowed
		if l.RetryAfter > 0 {
			out.Extensions["retryAfter"] = l.RetryAfter
		}
	}
	out.Extensions["retryable"] = e.Retryable
	return out
}

// recovered converts a resolver's panic to an error for the presenter.
func recovered(_ context.Context, value any) error { return panics.New(value) }

// present converts any error to what the client may see of it. It is the only place that does.
func (d *Server) present(ctx context.Context, err error) *gqlerror.Error {
	var wrapped *gqlerror.Error
	var where gqlerror.Error
	if errors.As(err, &wrapped) {
		where.Path, where.Locations = wrapped.Path, wrapped.Locations
		if wrapped.Err == nil {
			if _, ok := wrapped.Extensions["code"]; ok {
				return d.presentDocument(ctx, wrapped)
			}
		}
	} else if graphql.HasOperationContext(ctx) {
		where.Path = graphql.GetPath(ctx)
	}
	if field := argumentOf(ctx, where.Path); field != nil {
		out := d.presentArgument(ctx, field, err)
		out.Path, out.Locations = graphql.GetFieldContext(ctx).Path(), where.Locations
		return out
	}
	out := d.presentCause(ctx, err)
	out.Path, out.Locations = where.Path, where.Locations
	return out
}

// argumentOf is the path of the value that could not be read, from the argument down; nil when the error is not about
// an argument. Until a field's arguments have been read it has none, and its resolver has not run.
func argumentOf(ctx context.Context, at ast.Path) []string {
	if !graphql.HasOperationContext(ctx) {
		return nil
	}
	of := graphql.GetFieldContext(ctx)
	if of == nil || of.Args != nil || of.Field.Field == nil || of.Field.Definition == nil || len(of.Field.Definition.Arguments) == 0 {
		return nil
	}
	return placeOf(at[min(len(of.Path()), len(at)):])
}

// presentArgument is for a value that does not have its type: unmarshalers' messages are about the user's input.
func (d *Server) presentArgument(ctx context.Context, field []string, err error) *gqlerror.Error {
	var panicked *panics.Error
	if errors.As(err, &panicked) {
		return d.presentCause(ctx, err)
	}
	var known *model.Error
	var wrapped *gqlerror.Error
	message := err.Error()
	switch {
	case errors.As(err, &known):
		message = known.Message
	case errors.As(err, &wrapped):
		message = wrapped.Message
	}
	if len(field) > 0 {
		message = strings.Join(field, ".") + ": " + message
	}
	out := clientError(model.CodeBadUserInput, clip(message, 300))
	out.Extensions["field"], out.Extensions["retryable"] = field, false
	return out
}

func (d *Server) presentCause(ctx context.Context, err error) *gqlerror.Error {
	var known *model.Error
	var number *graphql.IntegerError
	var panicked *panics.Error
	log := d.cfg.Logger.With("requestId", requestID(ctx), "principal", principalName(ctx))
	switch {
	case errors.As(err, &panicked):
		// Many fields, and requests, may have waited for the call that panicked.
		switch first, fresh := panicked.Note(requestID(ctx)); {
		case first:
			log.ErrorContext(ctx, "a resolver panicked", "panic", fmt.Sprint(panicked.Value), "stack", string(panicked.Stack))
		case fresh:
			log.ErrorContext(ctx, "a resolver waited for one that panicked; the stack is in the log above", "panic", fmt.Sprint(panicked.Value))
		}
		return internal(ctx)
	case errors.As(err, &known) && known.Code == model.CodeInternal:
		log.ErrorContext(ctx, "internal error", "error", err)
		return internal(ctx)
	case errors.As(err, &known):
		if known.Err != nil {
			log.Log(ctx, levelOf(known.Code), "request failed", "code", known.Code, "error", err)
		}
		return clientErrorOf(known)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		log.WarnContext(ctx, "request timed out", "error", err)
		out := clientError(model.CodeTimeout, fmt.Sprintf("this took longer than the %s a request may take (limit time)", d.limits.Time))
		out.Extensions["retryable"], out.Extensions["limit"] = true, "time"
		return out
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return clientError(model.CodeTimeout, "the request was given up")
	case errors.As(err, &number):
		return clientError(model.CodeBadUserInput, number.Message)
	}
	log.ErrorContext(ctx, "internal error", "error", err)
	return internal(ctx)
}

// levelOf is the level at which an error is logged: higher for outages than for refusals.
func levelOf(c model.Code) slog.Level {
	switch c {
	case model.CodeUnavailable, model.CodeTimeout, model.CodeStale:
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

// presentDocument is for errors about the document itself: they have a code, of the executor's or of this package's.
func (d *Server) presentDocument(ctx context.Context, e *gqlerror.Error) *gqlerror.Error {
	switch e.Extensions["code"] {
	case errcode.ParseFailed, errcode.ValidationFailed:
		message := e.Message
		if !d.introspects(ctx) {
			message, _, _ = strings.Cut(message, " Did you mean ") // names of the schema
		}
		out := clientError(model.CodeBadUserInput, clip(message, 300))
		out.Path, out.Locations = e.Path, e.Locations
		if e.Rule != "" {
			out.Extensions["rule"] = e.Rule
		}
		return out
	}
	return e
}

func internal(ctx context.Context) *gqlerror.Error {
	e := clientError(model.CodeInternal, "internal error; the server's log tells more under the request id")
	e.Extensions["requestId"] = requestID(ctx)
	return e
}

// clip shortens text that may repeat the client's input.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	runes := []rune(s[:n])
	return string(runes[:len(runes)-1]) + "…"
}

func newRequestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
