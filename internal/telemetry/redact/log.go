package redact

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// redacting keeps secrets out of a log.
type redacting struct{ slog.Handler }

// Logs returns a handler that removes what looks like a secret from messages and values before they reach h: tokens,
// cookies, passwords in addresses, private keys.
func Logs(h slog.Handler) slog.Handler {
	if _, already := h.(redacting); already {
		return h
	}
	return redacting{h}
}

func (h redacting) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, Text(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(attr(a))
		return true
	})
	return h.Handler.Handle(ctx, out)
}

func (h redacting) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		out[i] = attr(a)
	}
	return redacting{h.Handler.WithAttrs(out)}
}

func (h redacting) WithGroup(name string) slog.Handler { return redacting{h.Handler.WithGroup(name)} }

// secretKey reports whether values of this name are never logged, whatever they look like.
func secretKey(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "authorization", "cookie", "setcookie", "set-cookie", "variables":
		return true
	}
	return strings.HasSuffix(name, "token") || strings.HasSuffix(name, "password") || strings.HasSuffix(name, "secret")
}

func attr(a slog.Attr) slog.Attr {
	if secretKey(a.Key) {
		return slog.String(a.Key, Mark)
	}
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, Text(v.String()))
	case slog.KindGroup:
		group := v.Group()
		out := make([]any, len(group))
		for i, inner := range group {
			out[i] = attr(inner)
		}
		return slog.Group(a.Key, out...)
	case slog.KindAny:
		return slog.String(a.Key, Text(fmt.Sprint(v.Any())))
	default:
		return a
	}
}
