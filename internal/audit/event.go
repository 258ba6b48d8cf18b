// Package audit records who changed what: every mutation and every proxied write, with its outcome. A Recorder writes
// events, a Reader returns those that the viewer may see, a Keeper removes old ones. No event holds a secret. The
// package knows nothing of GraphQL, of HTTP handlers or of the database: servers report what happened, and a store
// keeps it.
package audit

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// Via is how a change arrived.
type Via string

// The ways in.
const (
	ViaGraphQL Via = "GRAPHQL"
	ViaProxy   Via = "PROXY"
	ViaWebhook Via = "WEBHOOK"
	// ViaSignIn is for sign-ins by a browser, successful or not.
	ViaSignIn Via = "SIGN_IN"
	// ViaOperation is for the end of an operation, which goes on after the request that asked for it.
	ViaOperation Via = "OPERATION"
)

// Outcome is how a change ended.
type Outcome string

// The outcomes.
const (
	// Started is for a connection that was opened, for instance an exec; another event with the same request id
	// records how it ended.
	Started   Outcome = "STARTED"
	Succeeded Outcome = "SUCCEEDED"
	// Failed was allowed but did not succeed. Partial changes may remain.
	Failed Outcome = "FAILED"
	// Refused was not allowed: no role, no rights in Karmada, or a limit was exceeded.
	Refused Outcome = "REFUSED"
	// Cancelled is the end of an operation that somebody cancelled.
	Cancelled Outcome = "CANCELLED"
)

// Event is what one principal did, or tried to do, to one object.
type Event struct {
	// ID is a UUID of version 7, which sorts by time, or another one that tells what was recorded before.
	ID string
	// At is when it began, in UTC, to the microsecond; of the end of an operation, when it ended.
	At time.Time
	// Principal is the name, with its origin: "kairship:oidc:ada". Groups likewise.
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
	// Resource and Subresource are those of the URL, "pods" and "exec", for proxied requests, whose kind may be
	// unknown.
	Resource    string
	Subresource string
	// DryRun reports that nothing was to be changed.
	DryRun  bool
	Outcome Outcome
	// Code is a model.Code, or the HTTP status of a proxied request; empty for a mutation that succeeded.
	Code string
	// Message says, in a sentence without secrets, why it did not succeed; for the webhook which role changed, for a
	// command in a pod what ran and how it ended, for a console how it ended. At most 1,024 bytes.
	Message string
	// Changes is what it changed of the object, without secrets; nil when that is not known. Bounded: see tidyChanges.
	Changes []model.FieldChange
	// Selects are the selectors of a policy, of before and of after, with what they leave out left out; empty and not nil for everything that
	// it may select. Nil for what is no policy, and where it is not known. Bounded: see tidySelectors.
	Selects []model.ResourceSelector
	// RequestID is that of the log: all events of one request have the same.
	RequestID string
	// Duration is how long it took, to the microsecond.
	Duration time.Duration
}

// Limits of an event, in bytes: clients choose some of its values, and no request may fill the log.
const (
	maxMessage = 1024
	maxText    = 253 // the longest name in Kubernetes
	maxName    = 512 // of principals and groups, which authorities choose
	maxGroups  = 100
)

// tidy makes an event fit to be stored: bounded, printable, without secrets. hidden are values to remove wherever
// they occur.
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
	e.Changes = tidyChanges(e.Changes, hidden, aboutSecret(e))
	e.Selects = tidySelectors(e.Selects, hidden)
	switch e.Outcome {
	case Started, Succeeded, Failed, Refused, Cancelled:
	default:
		e.Outcome = Failed
	}
	return e
}

// aboutSecret says that an event is about Secrets, so that any message may quote their data.
func aboutSecret(e Event) bool {
	return e.Object.GVK.Group == "" && (e.Object.GVK.Kind == "Secret" || e.Resource == "secrets")
}

// printable replaces line breaks and what neither the log nor the database accepts.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// clip cuts a text to a number of bytes, and marks the cut with an ellipsis.
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
