package scalar_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/model/scalar"
)

func TestATimeIsReadAsItIsWritten(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-01-31T12:00:00Z":           time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC),
		"2026-01-31T12:00:00.123456789Z": time.Date(2026, 1, 31, 12, 0, 0, 123456789, time.UTC),
		"2026-01-31T12:00:00+02:00":      time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC),
	} {
		if got, err := scalar.UnmarshalTime(text); err != nil || !got.Equal(want) {
			t.Errorf("%s is read as %v: %v", text, got, err)
		}
	}
}

func TestATimeIsWrittenAsItIs(t *testing.T) {
	for want, at := range map[string]time.Time{
		`"2026-01-31T12:00:00Z"`:           time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC),
		`"2026-01-31T12:00:00.123456789Z"`: time.Date(2026, 1, 31, 12, 0, 0, 123456789, time.UTC),
		`null`:                             {},
	} {
		var out strings.Builder
		if scalar.MarshalTime(at).MarshalGQL(&out); out.String() != want {
			t.Errorf("%v is written as %s, want %s", at, out.String(), want)
		}
	}
}

func TestWhatIsNoTimeIsBadInput(t *testing.T) {
	for _, v := range []any{"", "yesterday", "2026-01-31", "2026-01-31 12:00:00", "2026-02-30T12:00:00Z", "2026-01-31T12:00:00", " 2026-01-31T12:00:00Z",
		json.Number("5"), int64(5), true, nil, map[string]any{}, []any{}, strings.Repeat("é", 1000)} {
		_, err := scalar.UnmarshalTime(v)
		var e *model.Error
		if !errors.As(err, &e) || e.Code != model.CodeBadUserInput || !strings.Contains(e.Message, "is not a time") || len(e.Message) > 200 {
			t.Errorf("%.60v: %v", v, err)
		}
	}
}
