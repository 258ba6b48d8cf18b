package redact

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestKnownValuesAreTakenOutHoweverTheyAreWritten(t *testing.T) {
	// Its base64 has a +, a / and padding: "+/+/c2VjcmV0cw==".
	const odd = "\xfb\xff\xbfsecrets"
	encoded := base64.StdEncoding.EncodeToString([]byte(odd))
	if !strings.ContainsAny(encoded, "+") || !strings.ContainsAny(encoded, "/") || !strings.HasSuffix(encoded, "=") {
		t.Fatalf("%q shows nothing of the forms of base64", encoded)
	}
	for _, c := range []struct {
		name       string
		secrets    []string
		text, want string
	}{
		{"as it is", []string{"hunter22"}, "with hunter22 in it", "with " + Mark + " in it"},
		{"in base64", []string{odd}, "data: " + encoded + ",", "data: " + Mark + ","},
		{"in base64 without padding", []string{odd}, "data: " + strings.TrimRight(encoded, "=") + ",", "data: " + Mark + ","},
		{"in base64 of URLs", []string{odd}, "data: " + base64.RawURLEncoding.EncodeToString([]byte(odd)) + ",", "data: " + Mark + ","},
		{"quoted", []string{"a\"b\nc-d"}, `value "a\"b\nc-d"`, `value "` + Mark + `"`},
		{"a line of several", []string{"first line\nsecond line"}, "at second line", "at " + Mark},
		{"one that is part of another", []string{"hunter", "hunter22"}, "with hunter22", "with " + Mark},
		{"one in the midst of another", []string{"hunter22", "unter"}, "with hunter22!", "with " + Mark + "!"},
		{"one that begins within another", []string{"hunter22", "22nd-street"}, "with hunter22nd-street!", "with " + Mark + "!"},
		{"one that begins within itself", []string{"abcabc"}, "with abcabcabc!", "with " + Mark + "!"},
		{"one beside another", []string{"hunter22", "swordfish"}, "hunter22swordfish", Mark + Mark},
		{"one that is too short to hide", []string{"abc"}, "abc", "abc"},
		{"none", nil, "hunter22", "hunter22"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := NewValues(c.secrets).Hide(c.text); got != c.want {
				t.Errorf("%q became %q, want %q", c.text, got, c.want)
			}
		})
	}
}
