package audit

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// The canaries: what must be found nowhere.
const (
	canary    = "canary-7f3a-in-the-coal-mine"
	canaryJWT = "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl-canary_signature"
	canaryPEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEcanary0000000000canary\nline-two-canary\n-----END RSA PRIVATE KEY-----"
)

var canaryInBase64 = base64.StdEncoding.EncodeToString([]byte(canary))

func TestSecretsAreTakenOutOfMessages(t *testing.T) {
	encodedPEM := base64.StdEncoding.EncodeToString([]byte(canaryPEM))
	secret := model.Ref{GVK: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Namespace: "shop", Name: "db"}
	for name, test := range map[string]struct {
		message string
		about   model.Ref
		hidden  []string
		// keeps is what has to be left; empty for nothing in particular.
		keeps string
	}{
		"a bearer token":                    {message: "cannot call with Authorization: Bearer " + canary + " today", keeps: "cannot call"},
		"a bearer token in small letters":   {message: "header bearer " + canary + ": refused", keeps: "header bearer"},
		"a basic login":                     {message: `sent "Basic ` + canaryInBase64 + `" upstream`, keeps: "upstream"},
		"a JWT":                             {message: "token " + canaryJWT + " has expired", keeps: "has expired"},
		"a JWT in a path":                   {message: "GET /api/v1/namespaces/" + canaryJWT + "/pods: not found", keeps: "not found"},
		"a JWT without its signature":       {message: "got " + strings.TrimSuffix(canaryJWT, "c2lnbmF0dXJl-canary_signature"), keeps: "got"},
		"an encrypted token":                {message: "got eyJhbGciOiJSU0EtT0FFUCJ9.canaryA.canaryB.canaryC.canaryD", keeps: "got"},
		"a PEM block":                       {message: "parsing key:\n" + canaryPEM + "\nfailed", keeps: "parsing"},
		"a PEM block in one line":           {message: `key "` + strings.ReplaceAll(canaryPEM, "\n", `\n`) + `" is bad`, keeps: "is bad"},
		"a PEM block that was cut":          {message: "key " + canaryPEM[:50], keeps: "key"},
		"a PEM block in base64":             {message: "illegal data in " + encodedPEM + " here", keeps: "here"},
		"user data of a kubeconfig":         {message: "users:\n- name: admin\n  user:\n    client-key-data: " + encodedPEM + "\n    client-certificate-data: " + canaryInBase64 + "\n    token: " + canary, keeps: "name: admin"},
		"a password of a kubeconfig":        {message: "user:\n  username: ada\n  password: two words " + canary + "\n", keeps: "username: ada"},
		"a kubeconfig as JSON":              {message: `{"user":{"token":"` + canary + `","password": "a \"quoted\" ` + canary + `"},"name":"admin"}`, keeps: `"name":"admin"`},
		"a kubeconfig as JSON, once quoted": {message: `error: "{\"user\":{\"token\":\"` + canary + `\"},\"name\":\"admin\"}"`, keeps: `admin`},
		"a token in a query":                {message: "GET /x?access_token=" + canary + "&limit=3: 500", keeps: "limit=3"},
		"a password in a connection string": {message: "connecting: host=db user=u password=" + canary + " dbname=d", keeps: "dbname=d"},
		"a password in a URL":               {message: "postgres://u:" + canary + "@db/d: refused", keeps: "refused"},
		"a cookie":                          {message: "Cookie: session=" + canary, keeps: "Cookie"},
		"a secret of an OIDC client":        {message: `client_secret="` + canary + `"`},
		"a bootstrap token":                 {message: "register with abcdef.canary0123456789", keeps: "register"},
		"a long random string":              {message: "the value Zm9vYmFy0canaryQ29vbGlvRm9vYmFyQmF6UXV4 is odd", keeps: "is odd"},
		"data as JSON":                      {message: `admission webhook denied: {"apiVersion":"v1","data":{"db":"` + canaryInBase64 + `"}}`, keeps: "denied"},
		"data as JSON, once quoted":         {message: `denied: "{\"data\":{\"db\":\"` + canary + `\"}}"`, keeps: "denied"},
		"stringData as YAML":                {message: "cannot parse:\nkind: Secret\nstringData:\n  db: " + canary, keeps: "cannot parse"},
		"data as Go prints it":              {message: `Secret{Data:map[string][]uint8{"db":"` + canary + `"}}`},
		"a field path with a value":         {message: `Secret "db" is invalid: data[.` + canary + `]: Invalid value: "` + canary + `": no`, keeps: "is invalid"},
		"data in a sentence about a Secret": {message: "illegal data: " + canary, about: secret, keeps: "illegal"},
		"data beside the kind":              {message: `{"kind":"Secret","data" :` + canary, keeps: "kind"},
		"a value that was named":            {message: "the value " + canary + " is not allowed", hidden: []string{canary}, keeps: "is not allowed"},
		"a named value in base64":           {message: "the value " + canaryInBase64 + " is not allowed", hidden: []string{canary}, keeps: "is not allowed"},
		"a named value, quoted":             {message: `the value "a\"` + canary + `\n" is not allowed`, hidden: []string{"a\"" + canary + "\n"}, keeps: "is not allowed"},
		"one line of a named value":         {message: "bad line: other-" + canary, hidden: []string{"first\nother-" + canary + "\n"}, keeps: "bad line"},
		"named values, one within another":  {message: "it is xx" + canary + "xx", hidden: []string{canary, "xx" + canary + "xx"}, keeps: "it is"},
		"a token far behind":                {message: strings.Repeat("a ", 400) + "Bearer " + canary, keeps: "a a"},
		"very much text before a named one": {message: strings.Repeat("-----BEGIN X-----x-----END X-----", 2000) + canary, hidden: []string{canary}},
	} {
		t.Run(name, func(t *testing.T) {
			e := tidy(Event{Object: test.about, Message: test.message}, redact.NewValues(test.hidden))
			for _, secret := range []string{"canary", canaryInBase64, "Y2FuYXJ5", "c2lnbmF0dXJl", "MIIE", encodedPEM[40:60]} {
				if strings.Contains(e.Message, secret) {
					t.Errorf("%q is still in %q", secret, e.Message)
				}
			}
			if !strings.Contains(e.Message, test.keeps) {
				t.Errorf("%q is gone from %q", test.keeps, e.Message)
			}
			if len(e.Message) > maxMessage {
				t.Errorf("the message has %d bytes", len(e.Message))
			}
		})
	}
}

func TestSentencesWithoutSecretsStayAsTheyAre(t *testing.T) {
	for _, message := range []string{
		"",
		`secrets "db" is forbidden: User "kairship:oidc:ada" cannot get resource "secrets" in API group "" in the namespace "shop"`,
		"the bearer token is not valid",
		"a bearer token is required",
		`Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"web"}}: field is immutable`,
		"instance \"asia\": its API server does not answer",
		"conflict: the object has been modified; please apply your changes to the latest version",
		"the image registry/shop@sha256:0f2b4d6e8a0c2e4f6a8b0d2f4b6d8e0a2c4e6f8b0d2f4a6c8e0b2d4f6a8c0e2d does not exist",
		"https://karmada.io/docs: not found",
		`namespaces "shop" not found`,
		"metadata.name: must be no more than 63 characters",
	} {
		if got := tidy(Event{Message: message}, redact.Values{}).Message; got != message {
			t.Errorf("%q became %q", message, got)
		}
	}
}

func TestTokensAreTakenOutOfEveryFieldThatAClientChooses(t *testing.T) {
	ref := model.Ref{Instance: canaryJWT, Cluster: canaryJWT, Namespace: canaryJWT, Name: canaryJWT,
		GVK: schema.GroupVersionKind{Group: canaryJWT, Version: canaryJWT, Kind: canaryJWT}}
	e := tidy(Event{Remote: canaryJWT, UserAgent: "curl Bearer " + canary, Action: base64.StdEncoding.EncodeToString([]byte(canaryPEM)), Via: "x", Object: ref,
		Resource: canaryJWT, Subresource: canaryJWT, Code: canaryJWT, Message: canaryJWT, RequestID: canaryJWT}, redact.Values{})
	for _, attr := range subject(e) {
		if text := attr.Value.String(); strings.Contains(text, "canary") || strings.Contains(text, "eyJ") || strings.Contains(text, "LS0t") {
			t.Errorf("%s is %q", attr.Key, text)
		}
	}
	if strings.Contains(e.Code+e.Message, "eyJ") {
		t.Errorf("code and message are %q, %q", e.Code, e.Message)
	}
}

func TestSecretValuesAreFoundWhereverTheyAre(t *testing.T) {
	document := `{"apiVersion":"v1","kind":"List","items":[
		{"kind":"ConfigMap","data":{"a":"plain-value"}},
		{"kind":"Secret","data":{"a":"` + canaryInBase64 + `"},"stringData":{"b":"canary-b"}},
		{"kind":"Work","spec":{"workload":{"manifests":[{"kind":"Secret","stringData":{"c":"canary-c"}}]}}},
		{"kind":"Secret","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"Secret\",\"stringData\":{\"d\":\"canary-d\"}}"}}}]}`
	got := strings.Join(SecretValues([]byte(document)), "\n")
	for _, want := range []string{canaryInBase64, canary, "canary-b", "canary-c", "canary-d"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if strings.Contains(got, "plain-value") {
		t.Error("the value of a ConfigMap counts as secret")
	}
	if SecretValues([]byte("kind: Secret")) != nil {
		t.Error("something was found in what is not JSON")
	}
}

func TestEventsAreBoundedAndPrintable(t *testing.T) {
	long := strings.Repeat("ä", 5000)
	e := tidy(Event{At: time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.FixedZone("x", 3600)), Principal: long, Groups: make([]string, 500), UserAgent: "a\nb\x00c\x1b[31m" + long, Message: "m\r\n\xff" + long,
		Object: model.Ref{Name: long, Namespace: long, Instance: long}, Outcome: "made up", Duration: -1}, redact.Values{})
	if len(e.Principal) > maxName || len(e.Groups) > maxGroups || len(e.UserAgent) > maxText || len(e.Message) > maxMessage || len(e.Object.Name) > maxText {
		t.Errorf("an event is too long: %+v", e)
	}
	for _, text := range []string{e.Principal, e.UserAgent, e.Message, e.Object.Name} {
		if printable(text) != text || strings.ContainsAny(text, "\n\x00\x1b") {
			t.Errorf("%q is not printable", text)
		}
	}
	if !strings.HasPrefix(e.UserAgent, "a b c [31m") || !strings.HasSuffix(e.UserAgent, "…") {
		t.Errorf("the user agent is %q", e.UserAgent)
	}
	// As the database and cursors have it.
	if want := time.Date(2026, 1, 2, 2, 4, 5, 123456000, time.UTC); !e.At.Equal(want) || e.At.Location() != time.UTC {
		t.Errorf("it began at %s, want %s", e.At, want)
	}
	if e.Outcome != Failed || e.Duration != 0 {
		t.Errorf("outcome %s, duration %s", e.Outcome, e.Duration)
	}
}

func FuzzRedactingFindsTheCanaryWhateverIsAroundIt(f *testing.F) {
	f.Add("before ", " after")
	f.Add("\"", "\"")
	f.Add("-----BEGIN X-----", "")
	f.Add("data: {", "}")
	f.Fuzz(func(t *testing.T, before, after string) {
		// What runs into the canary makes another value of it.
		for _, message := range []string{before + " Bearer " + canary + " " + after, before + " password=" + canary + " " + after,
			before + " " + canaryJWT + " " + after, before + canary + after} {
			e := tidy(Event{Message: message}, redact.NewValues([]string{canary}))
			if strings.Contains(e.Message, canary) || strings.Contains(e.Message, "canary_signature") {
				t.Errorf("%q became %q", message, e.Message)
			}
		}
	})
}
