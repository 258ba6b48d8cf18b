package redact

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// shortestHidden is the shortest value that is hidden: shorter ones occur in many words.
const shortestHidden = 4

// Values are known secrets, in all the forms in which they may be written. The zero value has none.
type Values struct{ forms []string }

// NewValues makes Values from secrets. Those of less than four bytes are left out: they occur in many words.
func NewValues(secrets []string) Values {
	var out []string
	add := func(value string) {
		if len(value) >= shortestHidden {
			out = append(out, value)
		}
	}
	for _, value := range secrets {
		if len(value) < shortestHidden {
			continue
		}
		add(value)
		add(strings.Trim(strconv.Quote(value), `"`))
		if quoted, err := json.Marshal(value); err == nil {
			add(strings.Trim(string(quoted), `"`))
		}
		encoded := base64.StdEncoding.EncodeToString([]byte(value))
		add(encoded)
		add(strings.TrimRight(encoded, "="))
		add(base64.RawURLEncoding.EncodeToString([]byte(value)))
		// A message may contain one line of several.
		for line := range strings.Lines(value) {
			add(strings.TrimSpace(line))
		}
	}
	slices.Sort(out)
	return Values{slices.Compact(out)}
}

// Hide removes the values from a text: all of them, where they overlap.
func (v Values) Hide(text string) string {
	type span struct{ from, to int }
	var hidden []span
	for _, form := range v.forms {
		for from := 0; ; from++ {
			at := strings.Index(text[from:], form)
			if at < 0 {
				break
			}
			from += at
			hidden = append(hidden, span{from, from + len(form)})
		}
	}
	if len(hidden) == 0 {
		return text
	}
	slices.SortFunc(hidden, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	end := 0
	for i, h := range hidden {
		if i == 0 || h.from >= end {
			out.WriteString(text[end:h.from])
			out.WriteString(Mark)
		}
		end = max(end, h.to)
	}
	out.WriteString(text[end:])
	return out.String()
}
