package text_test

import (
	"strings"
	"testing"

	"github.com/kairship-io/kairship/controllers/internal/text"
)

func TestShortening(t *testing.T) {
	for name, tt := range map[string]struct{ got, want string }{
		"a short event":             {text.Event("it is\nso"), "it is\nso"},
		"an event that fits":        {text.Event(strings.Repeat("ü", 900)), strings.Repeat("ü", 900)},
		"a long event":              {text.Event(strings.Repeat("ü", 901)), strings.Repeat("ü", 900) + "…"},
		"a long condition":          {text.Status(strings.Repeat("a", 3000)), strings.Repeat("a", 2048) + "…"},
		"lines of another program":  {text.Sentence(" it\n  failed\t"), "it failed"},
		"a page of another program": {text.Sentence(strings.Repeat("a", 300)), strings.Repeat("a", 200) + "…"},
		"some names":                {text.Enumerate([]string{"a", "b", "c", "d", "e"}), "a, b, c, d, e"},
		"many names":                {text.Enumerate([]string{"a", "b", "c", "d", "e", "f", "g"}), "a, b, c, d, e and 2 more"},
		"no names":                  {text.Enumerate(nil), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", name, tt.got, tt.want)
		}
	}
}
