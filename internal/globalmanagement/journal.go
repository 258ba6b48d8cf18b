package globalmanagement

import (
	"context"
	"time"
)

// Journal remembers, for all replicas, which events there were and how far each source is. Errors mean that
// nothing is known, not that an event is new.
type Journal interface {
	// Update calls do while nobody else, in no replica, is within an Update of the same source. What do
	// notes is kept when do returns nil and Update does; else none of it is, and Update returns an error:
	// that of do as it is. It ends with ctx.
	Update(ctx context.Context, source string, do func(context.Context, Entry) error) error
	// Position tells how far a source is; the zero Position when nothing is known of it.
	Position(ctx context.Context, source string) (Position, error)
}

// Entry is what can be asked and noted within an Update.
type Entry interface {
	// SawEvent notes an id until a time, and says whether it was not noted before, or only until a time
	// that is over. What is noted already stays until its own time. Ids are at most 256 characters, and those of different sources differ.
	SawEvent(ctx context.Context, id string, until time.Time) (first bool, err error)
	// Position tells how far the source is; the zero Position when nothing is known of it.
	Position(ctx context.Context) (Position, error)
	// SetPosition notes how far the source is.
	SetPosition(ctx context.Context, p Position) error
}

// Position is how far a source is.
type Position struct {
	// Sequence of the last event that was applied; 0 for none.
	Sequence int64
	// FullSync is when its bindings were last brought in line with all that it knows; zero for never.
	FullSync time.Time
	// Behind says that something was missed since.
	Behind bool
}
