package globalmanagement

import (
	"context"
	"time"
)

// Journal remembers, for all replicas, the events received and how far each source is. An error means that nothing is
// known, not that an event is new.
type Journal interface {
	// Update calls do while no other Update of the same source runs, in any replica. What do records is kept only if
	// do and Update return nil; otherwise Update returns an error: that of do unchanged. It ends with ctx.
	Update(ctx context.Context, source string, do func(context.Context, Entry) error) error
	// Position returns how far a source is; the zero Position when nothing is known of it.
	Position(ctx context.Context, source string) (Position, error)
}

// Entry reads and writes the journal within an Update.
type Entry interface {
	// SawEvent records an id until a time. first is true when the id is new or its earlier record has expired. An
	// unexpired record keeps its own time. Ids have at most 256 characters, and those of different sources differ.
	SawEvent(ctx context.Context, id string, until time.Time) (first bool, err error)
	// Position returns how far the source is; the zero Position when nothing is known of it.
	Position(ctx context.Context) (Position, error)
	// SetPosition records how far the source is.
	SetPosition(ctx context.Context, p Position) error
}

// Position is how far a source is.
type Position struct {
	// Sequence of the last event that was applied; 0 for none.
	Sequence int64
	// FullSync is when the last full set was applied; zero for never.
	FullSync time.Time
	// Behind reports that something was missed since.
	Behind bool
}
