package door

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
)

// secrets are the forms in which secrets get into texts that are logged: errors of libraries quote what
// they were given. What stands in groups stays.
var secrets = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(\b(?:bearer|basic|negotiate)\s+)[A-Za-z0-9._~+/=-]{4,}`),
	regexp.MustCompile(`(?i)(\b(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key)"?\s*[:=]\s*)[^\r\n]+`),
	// As a parameter of an address, a field of JSON, or a setting of a connection.
	regexp.MustCompile(`(?i)(\b[a-z0-9_-]*(?:token|password|passwd|secret|assertion|code_verifier|client_secret|api_?key)"?\s*[:=]\s*"?)[^\s"&,;}]+`),
	regexp.MustCompile(`(?i)([?&](?:code|state|session|sig|signature|key)=)[^\s"&]+`),
	regexp.MustCompile(`([a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s/@]+(@)`),
	regexp.MustCompile(`()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?`),
	regexp.MustCompile(`(?s)(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`),
}

// redacted stands where a secret was.
const redacted = "[redacted]"

func redact(s string) string {
	for _, form := range secrets {
		s = form.ReplaceAllString(s, "${1}"+redacted+"${2}")
	}
	return s
}

// redacting keeps secrets out of a log.
type redacting struct{ slog.Handler }

// Redact returns a handler that keeps out of h what looks like a secret in messages and values: tokens,
// cookies, passwords in addresses, private keys. It is the net below the rule not to log them.
func Redact(h slog.Handler) slog.Handler {
	if _, already := h.(redacting); already {
		return h
	}
	return redacting{h}
}

func (h redacting) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, redact(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(redactAttr(a))
		return true
	})
	return h.Handler.Handle(ctx, out)
}

func (h redacting) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		out[i] = redactAttr(a)
	}
	return redacting{h.Handler.WithAttrs(out)}
}

func (h redacting) WithGroup(name string) slog.Handler { return redacting{h.Handler.WithGroup(name)} }

// secretKeys are the names of values that are not logged whatever they look like.
var secretKeys = regexp.MustCompile(`(?i)^(?:authorization|cookie|set-?cookie|variables|.*(?:token|password|secret))$`)

func redactAttr(a slog.Attr) slog.Attr {
	if secretKeys.MatchString(a.Key) {
		return slog.String(a.Key, redacted)
	}
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, redact(v.String()))
	case slog.KindGroup:
		group := v.Group()
		out := make([]any, len(group))
		for i, inner := range group {
			out[i] = redactAttr(inner)
		}
		return slog.Group(a.Key, out...)
	case slog.KindAny:
		return slog.String(a.Key, redact(fmt.Sprint(v.Any())))
	default:
		return a
	}
}
