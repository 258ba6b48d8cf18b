package globalmanagement

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

// Outcomes of an event.
const (
	outcomeApplied   = "applied"
	outcomeDuplicate = "duplicate"
	outcomeIgnored   = "ignored"
)

// Answer is the response to an accepted event.
type Answer struct {
	// Outcome is applied; duplicate when it had been applied before; ignored when a later one had been.
	Outcome string `json:"outcome"`
	// Sequence of the last event of the source that was applied.
	Sequence int64 `json:"sequence"`
	// Resync reports that something was missed: it asks for a sync.full.
	Resync bool `json:"resync"`
	// Items are the bindings and subjects of the event, without those of a sync.full that stayed as they were.
	Items []Item `json:"items,omitempty"`
}

// explained are the reasons that count as failures of an address: senders that probe what gets through get no more
// explanations after a while.
var explained = []reason{reasonMethod, reasonContentType, reasonTooLarge, reasonBodyCut, reasonUnsigned, reasonMalformed,
	reasonWrong, reasonLate, reasonEarly, reasonReplayed}

// ServeHTTP receives an event.
func (h *Hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e, answer, err := h.take(w, r)
	if err != nil {
		h.fail(w, r, e, refusalOf(err))
		return
	}
	h.metrics.events.WithLabelValues(e.Source, typeLabel(e), answer.Outcome).Inc()
	h.Logger.InfoContext(r.Context(), "an event of global management", "source", e.Source, "eventId", e.ID, "type", e.Type,
		"sequence", e.Sequence, "outcome", answer.Outcome, "resync", answer.Resync, "items", len(answer.Items))
	writeJSON(w, http.StatusOK, answer)
}

// fail answers with a refusal.
func (h *Hook) fail(w http.ResponseWriter, r *http.Request, e *event.Event, refused *refusal) {
	h.metrics.refusals.WithLabelValues(string(refused.reason)).Inc()
	if e != nil && h.sources[e.Source] != nil {
		h.metrics.events.WithLabelValues(e.Source, typeLabel(e), string(refused.reason)).Inc()
	}
	if slices.Contains(explained, refused.reason) {
		// The rest of an unverified body is not read.
		w.Header().Set("Connection", "close")
		if !h.failures.note(h.Address(r)) {
			refuse(reasonTooMany, "too many requests that were refused").write(w)
			return
		}
	}
	h.Logger.WarnContext(r.Context(), "a request of global management was refused", "reason", refused.reason, "remote", h.Address(r), "error", refused.err)
	refused.write(w)
}

// take reads and verifies a request and applies its event. The event is nil until the sender is known.
func (h *Hook) take(w http.ResponseWriter, r *http.Request) (*event.Event, *Answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), applyTimeout)
	defer cancel()
	signature, body, err := h.verified(ctx, w, r)
	if err != nil {
		return nil, nil, err
	}
	// From here on the sender has a secret, or repeats what such a sender has sent before.
	switch age := h.Clock.Now().Sub(signature.at); {
	case age > window:
		return nil, nil, refuse(reasonLate, "the request was signed %s ago; at most %s is accepted: compare the clocks", age.Round(time.Second), window)
	case age < -window:
		return nil, nil, refuse(reasonEarly, "the request was signed %s from now; at most %s is accepted: compare the clocks", -age.Round(time.Second), window)
	}
	e, err := event.Decode(body)
	if err != nil {
		return nil, nil, err
	}
	if h.sources[e.Source] == nil {
		return nil, nil, refuse(reasonSource, "source %q is not one of those that are configured", e.Source)
	}
	digest := signature.digest(body)
	if h.answered.Contains(digest) {
		return e, nil, replayed()
	}
	answer, err := h.handle(ctx, e, digest, h.Address(r))
	var refused *refusal
	if err == nil || errors.As(err, &refused) && refused.reason == reasonReplayed {
		h.answered.Add(digest, struct{}{})
	}
	return e, answer, err
}

// verified reads a request and verifies its signature. Until then anybody may have sent it: the number that is read
// and verified at once is limited.
func (h *Hook) verified(ctx context.Context, w http.ResponseWriter, r *http.Request) (signed, []byte, error) {
	signature, err := h.head(r)
	if err != nil {
		return signed{}, nil, err
	}
	leave, ok := h.unverified.enter(h.Address(r))
	if !ok {
		w.Header().Set("Connection", "close")
		return signed{}, nil, refuse(reasonCrowded, "more requests are read already than Kairship reads at once: at most %d, and %d of one address", maxUnverified, maxUnverifiedEach)
	}
	defer leave()
	body, err := read(w, r)
	if err != nil {
		return signed{}, nil, err
	}
	asking, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	secrets, err := h.Secrets.Secrets(asking)
	if err != nil || len(secrets) == 0 {
		return signed{}, nil, refuse(reasonNoSecret, "signatures cannot be checked at the moment").because(err)
	}
	if !signature.verify(secrets, body) {
		return signed{}, nil, refuse(reasonWrong, "no signature is right")
	}
	return signature, body, nil
}

// head checks the headers of a request, and returns its signatures, before the body is read.
func (*Hook) head(r *http.Request) (signed, error) {
	if r.Method != http.MethodPost {
		return signed{}, refuse(reasonMethod, "only POST is served here")
	}
	signature, refused := readSignature(r.Header)
	if refused != nil {
		return signed{}, refused
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return signed{}, refuse(reasonContentType, "the Content-Type must be application/json")
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return signed{}, refuse(reasonContentType, "the body must not be encoded: no Content-Encoding is accepted")
	}
	if r.ContentLength > maxBody {
		return signed{}, tooLarge()
	}
	return signature, nil
}

func tooLarge() *refusal {
	return refuse(reasonTooLarge, "the body must have at most %d bytes; a set that is larger can only be fetched", maxBody)
}

// read reads the body, within bodyTimeout.
func read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTimeout)) // only a test's writer cannot
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, tooLarge()
	case err != nil:
		return nil, refuse(reasonBodyCut, "the body did not arrive whole").because(err)
	}
	_ = control.SetReadDeadline(time.Time{})
	return body, nil
}
