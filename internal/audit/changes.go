package audit

import (
	"regexp"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// Limits of the changes of an event: what a change is about fits, and ten million events remain affordable.
const (
	maxChanges     = 40
	maxPath        = 512 // bytes of a path
	maxValue       = 256 // bytes of a value
	maxChangeBytes = 8 << 10
)

// changesLeftOut is the path that says how many changes there is no room for.
const changesLeftOut = "…"

// secretPath is a path whose value is a secret by its name.
var secretPath = regexp.MustCompile(`(?i)(token|passw(or)?d|passphrase|secret|api[_-]?key|private[_-]?key|access[_-]?key|credential|authorization|cookie)`)

// secretName is a path that only names a Secret, or says which of its keys is meant.
var secretName = regexp.MustCompile(`(?i)(secretName|secretKeyRef/(name|key|optional)|secretRef/(name|optional)|secret/(name|optional|defaultMode)|imagePullSecrets.*/name|automountServiceAccountToken)$`)

// tidyChanges makes changes fit to be stored: bounded, printable and without secrets.
func tidyChanges(changes []model.FieldChange, hidden redact.Values, aboutSecret bool) []model.FieldChange {
	if len(changes) == 0 {
		return nil
	}
	out, size := make([]model.FieldChange, 0, min(len(changes), maxChanges)), 0
	for i, c := range changes {
		tidied := model.FieldChange{Path: clip(printable(redact.Tokens(hidden.Hide(c.Path))), maxPath)}
		secret := secretPath.MatchString(c.Path) && !secretName.MatchString(c.Path)
		tidied.From, tidied.To = tidyValue(c.From, hidden, secret, aboutSecret), tidyValue(c.To, hidden, secret, aboutSecret)
		size += len(tidied.Path) + length(tidied.From) + length(tidied.To)
		if i == maxChanges || size > maxChangeBytes {
			return append(out, model.FieldChange{Path: changesLeftOut})
		}
		out = append(out, tidied)
	}
	return out
}

func tidyValue(value *string, hidden redact.Values, secret, aboutSecret bool) *string {
	if value == nil {
		return nil
	}
	text := *value
	switch {
	case secret && !strings.HasPrefix(text, "<hidden: "): // the lengths of masked values may stay
		text = redact.Mark
	case aboutSecret:
		text = redact.Tokens(hidden.Hide(text))
	default:
		// Cut before it is searched: values may be long, and of the rest nothing is kept.
		text = redact.Text(hidden.Hide(clip(text, 4*maxValue)))
	}
	text = clip(printable(text), maxValue)
	return &text
}

func length(text *string) int {
	if text == nil {
		return 0
	}
	return len(*text)
}
