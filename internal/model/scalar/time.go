// Package scalar reads and writes the scalars that gqlgen parses more leniently than the schema specifies.
package scalar

import (
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/internal/model"
)

// MarshalTime writes a time; null for the zero time.
func MarshalTime(t time.Time) graphql.Marshaler { return graphql.MarshalTime(t) }

// UnmarshalTime accepts RFC 3339 only: neither the empty string as the zero time, nor a time without a zone as UTC.
func UnmarshalTime(v any) (time.Time, error) {
	text, ok := v.(string)
	if !ok {
		return time.Time{}, notATime(fmt.Sprint(v))
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, notATime(fmt.Sprintf("%q", text))
	}
	return t, nil
}

func notATime(what string) error {
	const most = 60
	if runes := []rune(what); len(runes) > most {
		what = string(runes[:most]) + "…"
	}
	return &model.Error{Code: model.CodeBadUserInput, Message: what + ` is not a time; expected RFC 3339, such as "2026-01-31T12:00:00Z"`}
}
