// Package audit keeps account of who changed what: every mutation and every proxied write, with how it
// ended. A Recorder writes it, a Reader shows it to those who may see it, a Keeper forgets what is old.
// No secret is ever part of an event. The package knows nothing of GraphQL, of HTTP handlers or of the
// database: whoever serves a request says what happened, and a store keeps it.
package audit

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// Via is the way a change came in.
type Via string

// The ways in.
const (
	ViaGraphQL Via = "GRAPHQL"
	ViaProxy   Via = "PROXY"
	ViaWebhook Via = "WEBHOOK"
	// ViaSignIn is of who came in by a browser, or could not.
	ViaSignIn Via = "SIGN_IN"
)

// Outcome is how a change ended.
type Outcome string

// The outcomes.
const (
	// Started is of a connection that is open now, for instance an exec; another event with the same request id
	// tells how it ended.
	Started   Outcome = "STARTED"
	Succeeded Outcome = "SUCCEEDED"
	// Failed was allowed and did not work. What was done by then may stay done.
	Failed Outcome = "FAILED"
	// Refused was not allowed: no role, no rights in Karmada, or too much.
	Refused Outcome = "REFUSED"
)

// Event is what one principal did, or tried to do, to one object.
type Event struct {
	// ID is a UUID of version 7, which sorts by time.
	ID string
	// At is when it began, in UTC, to the microsecond.
	At time.Time
	// Principal is who, with their origin: "kairship:oidc:ada". Groups likewise.
	Principal string
	Groups    []string
	// Remote is the address that the request came from; UserAgent what the client called itself.
	Remote    string
	UserAgent string
	// Action is the name of the mutation, or create, update, patch, delete, exec and so on.
	Action string
	Via    Via
	// Object is what it was done to. Fields that do not apply are empty: an event that is about no instance
	// has none, one about an instance itself has no kind, one about a control plane's object no cluster.
	Object model.Ref
	// Resource is the kind as a URL has it, "pods", and Subresource what of the object, "exec": of what came
	// through the proxy, where the kind may not be known.
	Resource    string
	Subresource string
	// DryRun says that it was only tried.
	DryRun  bool
	Outcome Outcome
	// Code is a model.Code, or the HTTP status of what was proxied; empty for a mutation that succeeded.
	Code string
	// Message is why it did not succeed, in a sentence without secrets, and of the webhook which role changed; at
	// most 1,024 bytes.
	Message string
	// RequestID is that of the log: all events of one request have the same.
	RequestID string
	// Duration is how long it took, to the microsecond.
	Duration time.Duration
}

// Bounds of what is kept, in bytes. Clients choose some of it, and no request may fill the log.
const (
	maxMessage = 1024
	maxText    = 253 // what Kubernetes takes as a name
	maxName    = 512 // of principals and groups, which authorities choose
	maxGroups  = 100
)

// tidy makes an event fit to be kept: bounded, printable, without secrets. hidden is what must not be in it
// whatever it looks like.
func tidy(e Event, hidden redact.Values) Event {
	e.At = e.At.UTC().Truncate(time.Microsecond)
	e.Duration = max(0, e.Duration.Truncate(time.Microsecond))
	e.Principal = clip(printable(e.Principal), maxName)
	groups := make([]string, 0, min(len(e.Groups), maxGroups))
	for _, g := range e.Groups[:min(len(e.Groups), maxGroups)] {
		groups = append(groups, clip(printable(g), maxName))
	}
	e.Groups = groups
	message := redact.Text
	if aboutSecret(e) {
		message = redact.AboutSecret
	}
	e.Message = clip(printable(message(hidden.Hide(e.Message))), maxMessage)
	for _, text := range []*string{&e.Remote, &e.UserAgent, &e.Action, &e.Object.Instance, &e.Object.Cluster, &e.Object.GVK.Group,
		&e.Object.GVK.Version, &e.Object.GVK.Kind, &e.Object.Namespace, &e.Object.Name, &e.Resource, &e.Subresource, &e.Code, &e.RequestID} {
		// These come from a path or a header: a client may put a token where a name belongs.
		*text = clip(printable(redact.Tokens(hidden.Hide(*text))), maxText)
	}
	e.Via = Via(clip(printable(string(e.Via)), maxText))
	switch e.Outcome {
	case Started, Succeeded, Failed, Refused:
	default:
		e.Outcome = Failed
	}
	return e
}

// aboutSecret says that an event is about Secrets, so that any message may quote their data.
func aboutSecret(e Event) bool {
	return e.Object.GVK.Group == "" && (e.Object.GVK.Kind == "Secret" || e.Resource == "secrets")
}

// printable replaces what would end a line, or what neither a log nor the database takes.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// clip cuts a text to a number of bytes, and says so by an ellipsis.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const ellipsis = "…"
	cut := most - len(ellipsis)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + ellipsis
}
