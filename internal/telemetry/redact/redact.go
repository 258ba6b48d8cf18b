// Package redact removes secrets from texts that others wrote, such as errors of libraries and API servers, which quote
// their input, before they are logged or stored. It is a safeguard behind the rule not to write secrets down, and
// recognises them by their form, by the name of their field, and by known values.
package redact

import (
	"regexp"
	"slices"
	"strings"
)

// Mark replaces a secret.
const Mark = "[redacted]"

const (
	// maxText bounds how much of a text is searched; the rest is dropped.
	maxText = 16 << 10
	// shortestOpaque is the minimum length of a token that is recognised only by its characters.
	shortestOpaque = 32
)

// Secrets by their form alone.
var (
	// pem is a key or a certificate, also with escaped line breaks, also without its end.
	pem = regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]+-----.*?(-----END [A-Z0-9 ]+-----|$)`)
	// encodedPEM is the same in base64, as kubeconfigs have it: "-----BEGIN ".
	encodedPEM = regexp.MustCompile(`LS0tLS1CRUdJTi[A-Za-z0-9+/_-]*={0,2}`)
	// jwt is a signed or encrypted token, or the beginning of one: "eyJ" is `{"` in base64.
	jwt = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*){0,4}`)
	// bootstrapToken is the token for joining clusters.
	bootstrapToken = regexp.MustCompile(`\b[a-z0-9]{6}\.[a-z0-9]{16}\b`)
	// userInfo is a name and password in a URL.
	userInfo = regexp.MustCompile(`://[^\s/@"']+@`)
	// bearer is a token as in a header.
	bearer = regexp.MustCompile(`(?i)\b(bearer|basic|negotiate)(\s+|%20)([^\s"'\\,;]+)`)
	// opaque may be a token: long, with letters of both cases and digits, which opaqueToken checks.
	opaque = regexp.MustCompile(`[A-Za-z0-9+/_-]{32,}={0,2}`)
)

// Secrets by the name of their field, in YAML, in JSON, also quoted once more, and in query strings.
const secretField = `[\w.-]*(?:token|password|passwd|passphrase|secret|api[_-]?key|private[_-]?key|access[_-]?key|client-key(?:-data)?|` +
	`client-certificate-data|certificate-authority-data|credentials?|authorization|cookie|assertion|code_verifier)`

// secretWords are words of which every secretField contains one.
var secretWords = []string{"token", "pass", "secret", "key", "data", "credential", "authorization", "cookie", "assertion", "code_verifier"}

var (
	// header is an HTTP header: the whole line is its value.
	header = regexp.MustCompile(`(?i)(\b(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-kairship-signature)"?\s*[:=]\s*)[^\r\n]+`)
	// parameter is a query parameter whose name alone does not show that it is secret.
	parameter = regexp.MustCompile(`(?i)([?&](?:code|state|session|sig|signature|key)=)[^\s"&]+`)
	// secretLine is a field at the beginning of a line without quotes: the whole line is its value.
	secretLine = regexp.MustCompile(`(?im)^([\s{-]*\\*["']?` + secretField + `\\*["']?\s*:\s*)[^\s"'\\].*$`)
	// secretValue is a field anywhere: its value ends with its quotes, or at a blank.
	secretValue = regexp.MustCompile(`(?is)(` + secretField + `\\*["']?\s*[:=]\s*)(\\+".*?(?:\\+"|$)|"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|[^\s,;&}\]"'\\]+)`)
	// secretData is where the values of a Secret begin, in JSON, in YAML, as Go prints them, and in the path of a field
	// that an API server rejects. What follows may be anything, so none of it is kept.
	secretData = regexp.MustCompile(`(?i)\b(?:string)?data\\*["']?(?:\s*:\s*(?:\\*["'{]|map\[|\||\n|\r|$)|\[|:map)`)
	// ofSecret shows that a text is about a Secret; then a weaker match (dataOfSecret) counts as its data.
	ofSecret     = regexp.MustCompile(`(?i)\bkind\\*["']?\s*[:=]\s*\\*["']?Secret\b`)
	dataOfSecret = regexp.MustCompile(`(?i)\b(?:string)?data\b\\*["']?\s*[:=.\[{(]`)
)

// Text removes the secrets from a text, and cuts off a very long one.
func Text(text string) string { return sentence(text, false) }

// AboutSecret is Text for texts known to be about a Secret: any sentence may quote its data.
func AboutSecret(text string) string { return sentence(text, true) }

func sentence(text string, aboutSecret bool) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	// Most log texts are short and have no fields: skip the searches for fields.
	fields := strings.ContainsAny(text, ":=[")
	if fields {
		aboutSecret = aboutSecret || ofSecret.MatchString(text)
		text = cut(text, secretData)
	}
	if aboutSecret {
		text = cut(text, dataOfSecret)
	}
	if fields {
		text = header.ReplaceAllString(text, "${1}"+Mark)
	}
	text = Tokens(text)
	if fields {
		text = redactFields(text)
	}
	if len(text) < shortestOpaque {
		return text
	}
	return opaque.ReplaceAllStringFunc(text, func(found string) string {
		if opaqueToken(found) {
			return Mark
		}
		return found
	})
}

// redactFields removes secrets by the name of their field.
func redactFields(text string) string {
	text = parameter.ReplaceAllString(text, "${1}"+Mark)
	if lower := strings.ToLower(text); !slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(lower, word) }) {
		return text // true for nearly all texts: searching for a field takes long
	}
	text = secretLine.ReplaceAllString(text, "${1}"+Mark)
	return secretValue.ReplaceAllStringFunc(text, func(found string) string {
		part := secretValue.FindStringSubmatch(found)
		name, value := part[1], part[2]
		if strings.HasPrefix(Mark, value) || value == "map[" {
			return found
		}
		quote := value[:len(value)-len(strings.TrimLeft(value, `\`))]
		if value = value[len(quote):]; value[0] == '"' || value[0] == '\'' {
			quote += value[:1]
		} else {
			quote = ""
		}
		return name + quote + Mark + quote
	})
}

// cut cuts off a text where a match begins.
func cut(text string, something *regexp.Regexp) string {
	if at := something.FindStringIndex(text); len(at) > 0 {
		return text[:at[0]] + Mark
	}
	return text
}

// Tokens removes secrets by their form alone: for names, which have no fields.
func Tokens(text string) string {
	text = pem.ReplaceAllString(text, Mark)
	text = encodedPEM.ReplaceAllString(text, Mark)
	text = jwt.ReplaceAllString(text, Mark)
	text = bootstrapToken.ReplaceAllString(text, Mark)
	text = userInfo.ReplaceAllString(text, "://"+Mark+"@")
	if !strings.ContainsAny(text, " \t\r\n%") {
		return text // one word: it has no scheme with a token
	}
	return bearer.ReplaceAllStringFunc(text, func(found string) string {
		part := bearer.FindStringSubmatch(found)
		switch strings.ToLower(strings.TrimRight(part[3], ".:")) {
		case "token", "tokens", "auth", "authentication", Mark:
			return found // a sentence about one
		}
		return part[1] + part[2] + Mark
	})
}

func opaqueToken(text string) bool {
	return strings.ContainsAny(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz") &&
		strings.ContainsAny(text, "0123456789")
}
