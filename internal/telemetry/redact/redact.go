// Package redact takes secrets out of texts that others wrote: of errors of libraries and API servers, which
// quote what they were given, before they are logged or kept. It is the net below the rule not to write
// secrets down, and knows them by their form, by the name of their field, and by what it is told.
package redact

import (
	"regexp"
	"slices"
	"strings"
)

// Mark stands where a secret was.
const Mark = "[redacted]"

const (
	// maxText bounds how much of a text is looked through; the rest is dropped.
	maxText = 16 << 10
	// shortestOpaque is how long a token is at least that is found by nothing but its letters.
	shortestOpaque = 32
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
	`client-certificate-data|certificate-authority-data|credentials?|authorization|cookie|assertion|code_verifier)`

// secretWords are such that every secretField has one of them.
var secretWords = []string{"token", "pass", "secret", "key", "data", "credential", "authorization", "cookie", "assertion", "code_verifier"}

var (
	// header is one of HTTP: all of the line is its value.
	header = regexp.MustCompile(`(?i)(\b(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-kairship-signature)"?\s*[:=]\s*)[^\r\n]+`)
	// parameter is one of an address whose name alone does not say that it is secret.
	parameter = regexp.MustCompile(`(?i)([?&](?:code|state|session|sig|signature|key)=)[^\s"&]+`)
	// secretLine is a field at the beginning of a line without quotes: all of the line is its value.
	secretLine = regexp.MustCompile(`(?im)^([\s{-]*\\*["']?` + secretField + `\\*["']?\s*:\s*)[^\s"'\\].*$`)
	// secretValue is a field anywhere: its value ends where its quotes do, or at a blank.
	secretValue = regexp.MustCompile(`(?is)(` + secretField + `\\*["']?\s*[:=]\s*)(\\+".*?(?:\\+"|$)|"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|[^\s,;&}\]"'\\]+)`)
	// secretData is where the values of a Secret begin, in JSON, in YAML, as Go prints them, and in the path of
	// a field that an API server objects to. What follows may hold anything, so that nothing of it is kept.
	secretData = regexp.MustCompile(`(?i)\b(?:string)?data\\*["']?(?:\s*:\s*(?:\\*["'{]|map\[|\||\n|\r|$)|\[|:map)`)
	// ofSecret says that a text is about a Secret; then less is enough to call something its data.
	ofSecret     = regexp.MustCompile(`(?i)\bkind\\*["']?\s*[:=]\s*\\*["']?Secret\b`)
	dataOfSecret = regexp.MustCompile(`(?i)\b(?:string)?data\b\\*["']?\s*[:=.\[{(]`)
)

// Text takes the secrets out of a text, and cuts a very long one.
func Text(text string) string { return sentence(text, false) }

// AboutSecret is Text for what is known to be said about a Secret: any sentence may quote its data.
func AboutSecret(text string) string { return sentence(text, true) }

func sentence(text string, aboutSecret bool) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	// Most of what is logged is short and has no fields: it is not looked through a dozen times.
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

// redactFields takes out what is secret by the name of its field.
func redactFields(text string) string {
	text = parameter.ReplaceAllString(text, "${1}"+Mark)
	if lower := strings.ToLower(text); !slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(lower, word) }) {
		return text // as nearly all texts: looking for a field takes long
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

// cut ends a text where something begins.
func cut(text string, something *regexp.Regexp) string {
	if at := something.FindStringIndex(text); len(at) > 0 {
		return text[:at[0]] + Mark
	}
	return text
}

// Tokens takes out what is secret by its form alone: for names, whose parts are no fields.
func Tokens(text string) string {
	text = pem.ReplaceAllString(text, Mark)
	text = encodedPEM.ReplaceAllString(text, Mark)
	text = jwt.ReplaceAllString(text, Mark)
	text = bootstrapToken.ReplaceAllString(text, Mark)
	text = userInfo.ReplaceAllString(text, "://"+Mark+"@")
	if !strings.ContainsAny(text, " \t\r\n%") {
		return text // one word: no scheme and its token
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
