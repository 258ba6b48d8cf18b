package audit

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// redacted stands where a secret was.
const redacted = "<redacted>"

const (
	// maxRedacted bounds how much of a message is looked through; the rest is dropped. Far more than is kept.
	maxRedacted = 16 << 10
	// shortestHidden is the shortest value that Hide hides: a shorter one is in many words.
	shortestHidden = 4
)

// What is secret by its form alone.
var (
	// pem is a key or a certificate, also with its line ends escaped, also without its end.
	pem = regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]+-----.*?(-----END [A-Z0-9 ]+-----|$)`)
	// encodedPEM is the same in base64, as kubeconfigs have it: "-----BEGIN ".
	encodedPEM = regexp.MustCompile(`LS0tLS1CRUdJTi[A-Za-z0-9+/_-]*={0,2}`)
	// jwt is a signed or encrypted token, or the beginning of one: "eyJ" is `{"` in base64.
	jwt = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*){0,4}`)
	// bootstrapToken is what clusters are joined with.
	bootstrapToken = regexp.MustCompile(`\b[a-z0-9]{6}\.[a-z0-9]{16}\b`)
	// userInfo is a name and password in a URL.
	userInfo = regexp.MustCompile(`://[^\s/@"']+@`)
	// bearer is a token as a header carries it.
	bearer = regexp.MustCompile(`(?i)\b(bearer|basic|negotiate)(\s+|%20)([^\s"'\\,;]+)`)
	// opaque may be a token: long, and of letters of both cases and digits, which opaqueToken checks.
	opaque = regexp.MustCompile(`[A-Za-z0-9+/_-]{32,}={0,2}`)
)

// What is secret by the name of its field, in YAML, in JSON, also quoted once more, and in query strings.
const secretField = `[\w.-]*(?:token|password|passwd|passphrase|secret|api[_-]?key|private[_-]?key|access[_-]?key|client-key(?:-data)?|` +
	`client-certificate-data|certificate-authority-data|credentials?|authorization|cookie)`

var (
	// secretLine is a field at the beginning of a line: all of the line is its value.
	secretLine = regexp.MustCompile(`(?im)^([\s{-]*\\*["']?` + secretField + `\\*["']?\s*:\s*)[^\s].*$`)
	// secretValue is a field anywhere: its value ends where its quotes do, or at a blank.
	secretValue = regexp.MustCompile(`(?is)(` + secretField + `\\*["']?\s*[:=]\s*)(\\+".*?(?:\\+"|$)|"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|[^\s,;&}\]"'\\]+)`)
	// secretData is where the values of a Secret begin, in JSON, in YAML, as Go prints them, and in the path of
	// a field that an API server objects to. What follows may hold anything, so that nothing of it is kept.
	secretData = regexp.MustCompile(`(?i)\b(?:string)?data\\*["']?(?:\s*:\s*(?:\\*["'{]|map\[|\||\n|\r|$)|\[|:map)`)
	// ofSecret says that a text is about a Secret; then less is enough to call something its data.
	ofSecret     = regexp.MustCompile(`(?i)\bkind\\*["']?\s*[:=]\s*\\*["']?Secret\b`)
	dataOfSecret = regexp.MustCompile(`(?i)\b(?:string)?data\b\\*["']?\s*[:=.\[{(]`)
)

// redact takes the secrets out of a message; ofSecrets says that it is about Secrets. hidden is what must not
// be in it whatever it looks like.
func redact(text string, ofSecrets bool, hidden []string) string {
	text = hide(text, hidden)
	if len(text) > maxRedacted {
		text = text[:maxRedacted]
	}
	sensitive := ofSecrets || ofSecret.MatchString(text)
	text = cut(text, secretData)
	if sensitive {
		text = cut(text, dataOfSecret)
	}
	text = redactTokens(text)
	text = secretLine.ReplaceAllString(text, "${1}"+redacted)
	text = secretValue.ReplaceAllStringFunc(text, func(found string) string {
		part := secretValue.FindStringSubmatch(found)
		if strings.HasPrefix(part[2], redacted) || part[2] == "map[" {
			return found
		}
		return part[1] + redacted
	})
	return opaque.ReplaceAllStringFunc(text, func(found string) string {
		if opaqueToken(found) {
			return redacted
		}
		return found
	})
}

// cut ends a text where something begins.
func cut(text string, something *regexp.Regexp) string {
	if at := something.FindStringIndex(text); len(at) > 0 {
		return text[:at[0]] + redacted
	}
	return text
}

// redactTokens takes out what is secret by its form.
func redactTokens(text string) string {
	text = pem.ReplaceAllString(text, redacted)
	text = encodedPEM.ReplaceAllString(text, redacted)
	text = jwt.ReplaceAllString(text, redacted)
	text = bootstrapToken.ReplaceAllString(text, redacted)
	text = userInfo.ReplaceAllString(text, "://"+redacted+"@")
	return bearer.ReplaceAllStringFunc(text, func(found string) string {
		part := bearer.FindStringSubmatch(found)
		switch strings.ToLower(strings.TrimRight(part[3], ".:")) {
		case "token", "tokens", "auth", "authentication", redacted:
			return found // a sentence about one
		}
		return part[1] + part[2] + redacted
	})
}

func opaqueToken(text string) bool {
	return strings.ContainsAny(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz") &&
		strings.ContainsAny(text, "0123456789")
}

// hide replaces values, the longest first: one may be part of another.
func hide(text string, values []string) string {
	for _, value := range values {
		text = strings.ReplaceAll(text, value, redacted)
	}
	return text
}

// forms are the ways in which values may be written in a message, the longest first.
func forms(values []string) []string {
	var out []string
	add := func(value string) {
		if len(value) >= shortestHidden {
			out = append(out, value)
		}
	}
	for _, value := range values {
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
		// A message may hold one line of several.
		for line := range strings.Lines(value) {
			add(strings.TrimSpace(line))
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(out)
}

// SecretValues gives the values of every Secret within a JSON document, as they are written there and decoded,
// wherever in it they are: in a list, in a Work, in an annotation that repeats the object. They are for
// Entry.Hide. Nil for what is not JSON.
func SecretValues(document []byte) []string {
	var value any
	if json.Unmarshal(document, &value) != nil {
		return nil
	}
	return secretValues(value, nil)
}

func secretValues(value any, out []string) []string {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			out = secretValues(item, out)
		}
	case map[string]any:
		if v["kind"] == "Secret" {
			for _, field := range []string{"data", "stringData"} {
				data, ok := v[field].(map[string]any)
				if !ok {
					continue
				}
				for _, item := range data {
					text, ok := item.(string)
					if !ok {
						continue
					}
					out = append(out, text)
					if decoded, err := base64.StdEncoding.DecodeString(text); err == nil && field == "data" {
						out = append(out, string(decoded))
					}
				}
			}
		}
		for _, item := range v {
			out = secretValues(item, out)
		}
	case string:
		// kubectl's annotation with the whole object.
		if strings.HasPrefix(v, "{") && strings.Contains(v, "Secret") {
			out = append(out, SecretValues([]byte(v))...)
		}
	}
	return out
}
