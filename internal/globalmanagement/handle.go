package globalmanagement

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

// handle applies an event, once, and after the earlier ones of its source.
func (h *Hook) handle(ctx context.Context, e *event.Event, digest, address string) (*Answer, error) {
	from := origin{source: e.Source, id: e.ID, kind: e.Type, sequence: e.Sequence, address: address}
	var answer *Answer
	err := h.inTurn(ctx, e.Source, func(ctx context.Context, entry Entry) error {
		known, err := h.known(ctx, entry, e, digest)
		if err != nil {
			return err
		}
		at, err := entry.Position(ctx)
		if err != nil {
			return journalAway(err)
		}
		answer = &Answer{Outcome: outcomeApplied}
		switch {
		case known:
			answer.Outcome = outcomeDuplicate
		case e.Sequence <= at.Sequence:
			answer.Outcome = outcomeIgnored
		default:
			if answer.Items, err = h.advance(ctx, entry, e, &at, from); err != nil {
				return err
			}
		}
		answer.Sequence, answer.Resync = at.Sequence, at.Behind
		return nil
	})
	if err != nil {
		return nil, err
	}
	h.metrics.items(e.Source, answer.Items)
	if answer.Resync {
		h.sources[e.Source].signal()
	}
	return answer, nil
}

// known records an event, and reports whether its sender sent it before: the answer may have been lost. An exact
// repetition, signature and all, is refused: it need not come from the sender.
func (h *Hook) known(ctx context.Context, entry Entry, e *event.Event, digest string) (bool, error) {
	now := h.Clock.Now()
	first, err := entry.SawEvent(ctx, "request:"+digest, now.Add(2*window))
	if err != nil {
		return false, journalAway(err)
	}
	if !first {
		return false, replayed()
	}
	newID, err := entry.SawEvent(ctx, "event:"+e.Source+":"+e.ID, now.Add(eventsKept))
	if err != nil {
		return false, journalAway(err)
	}
	content, err := contentOf(e)
	if err != nil {
		return false, err
	}
	newContent, err := entry.SawEvent(ctx, "content:"+content, now.Add(eventsKept))
	if err != nil {
		return false, journalAway(err)
	}
	if !newID && newContent {
		return false, refuse(reasonIDReused, "another event had the id %q", e.ID)
	}
	return !newID, nil
}

func replayed() *refusal {
	return refuse(reasonReplayed, "this very request was answered before; sign it anew to send it again")
}

// contentOf returns a digest of everything that an event says.
func contentOf(e *event.Event) (string, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return "", fmt.Errorf("writing an event: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// advance applies an event and records its source's new position.
func (h *Hook) advance(ctx context.Context, entry Entry, e *event.Event, at *Position, from origin) ([]Item, error) {
	gap := e.Sequence > at.Sequence+1 && e.Type != event.SyncFull
	items, err := h.writer.apply(ctx, e, from)
	if err != nil {
		return nil, hostAway(err)
	}
	at.Sequence = e.Sequence
	if e.Type == event.SyncFull {
		at.FullSync, at.Behind = h.Clock.Now(), false
	}
	at.Behind = at.Behind || gap || isWaiting(items)
	if err := entry.SetPosition(ctx, *at); err != nil {
		return nil, journalAway(err)
	}
	if gap {
		h.metrics.gaps.WithLabelValues(e.Source).Inc()
		h.Logger.WarnContext(ctx, "an event of global management is missing", "source", e.Source, "before", e.Sequence)
	}
	return items, nil
}

// inTurn calls do while nothing else runs for the source, in this or another replica.
func (h *Hook) inTurn(ctx context.Context, name string, do func(context.Context, Entry) error) error {
	s := h.sources[name]
	// Requests that wait here hold no connection of the journal.
	select {
	case s.queue <- struct{}{}:
		defer func() { <-s.queue }()
	default:
		return refuse(reasonBusy, "%d requests of the source are waiting already", maxWaiting)
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return refuse(reasonBusy, "the requests of the source before this one take too long")
	}
	err := h.Journal.Update(ctx, name, do)
	var known *refusal
	if err == nil || errors.As(err, &known) {
		return err
	}
	return journalAway(err)
}

// isWaiting says whether a binding could not be made yet.
func isWaiting(items []Item) bool {
	return slices.ContainsFunc(items, func(i Item) bool { return i.Outcome == OutcomeWaiting })
}

func journalAway(err error) error {
	return refuse(reasonJournal, "what was sent before cannot be looked up at the moment; send the event again").because(err)
}

// hostAway makes a refusal of an error from applying an event.
func hostAway(err error) error {
	var known *refusal
	if errors.As(err, &known) {
		return known
	}
	return refuse(reasonHost, "the host cluster did not take all of it; send the event again").because(fmt.Errorf("applying an event: %w", err))
}
