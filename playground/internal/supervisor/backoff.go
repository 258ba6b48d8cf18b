package supervisor

import "time"

const (
	firstPause = 500 * time.Millisecond
	maxPause   = 15 * time.Second
	// A process that ran this long before it ended is not in a crash loop.
	provenAfter = time.Minute
)

// backoff is the pause before a crashed process is started again. It doubles
// with each crash in a row.
type backoff struct{ last time.Duration }

// next returns the pause after a process ended that had run for so long.
func (b *backoff) next(ran time.Duration) time.Duration {
	switch {
	case ran >= provenAfter || b.last == 0:
		b.last = firstPause
	default:
		b.last = min(2*b.last, maxPause)
	}
	return b.last
}

func (b *backoff) reset() { b.last = 0 }
