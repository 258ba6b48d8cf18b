package sql

import (
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// SeenSince holds for events that were last seen at a time or later, to the second.
func SeenSince(at time.Time) Condition {
	return seenSince(at.UTC().Truncate(time.Second).Format("2006-01-02T15:04:05"))
}

// SeenUntil holds for events that were last seen at a time or before, and for others of the same second.
func SeenUntil(at time.Time) Condition {
	// Times are whole seconds or have a fraction: the next second is beyond all of them.
	return seenUntil(at.UTC().Truncate(time.Second).Add(time.Second).Format("2006-01-02T15:04:05"))
}

type seenUntil string

func (c seenUntil) sql(s *builder) {
	s.write(indexes.IsEvent, " AND ", indexes.EventSeen, " < ")
	s.value(string(c))
}

func (c seenUntil) match(v *View) truth {
	return truthOf(strings.Compare(v.At(ByLastSeen), string(c)) < 0)
}

type seenSince string

func (c seenSince) sql(s *builder) {
	s.write(indexes.IsEvent, " AND ", indexes.EventSeen, " >= ")
	s.value(string(c))
}

func (c seenSince) match(v *View) truth {
	return truthOf(strings.Compare(v.At(ByLastSeen), string(c)) >= 0)
}
