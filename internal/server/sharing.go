package server

import (
	"context"
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/live/pace"
)

const (
	// sharedFor is how long an answer is shared: whoever is told later has it made anew, since it may say more than the event does.
	sharedFor = time.Second
	// maxShared is the maximum size of all answers that are kept for others, in bytes.
	maxShared = 64 << 20
	// sharedOverhead is what keeping one takes beside the answer itself.
	sharedOverhead = 256
)

// sharing keeps the answers of subscriptions to what has just happened: one selection is resolved once for each change, however many
// subscribers with the same rights it is sent to.
type sharing struct {
	now func() time.Time

	mu      sync.Mutex
	answers map[sharedKey]*sharedAnswer
	// made are those that can be used, oldest first, and size is what they take.
	made  []sharedKey
	size  int
	sweep *time.Timer
}

// sharedKey is an event and what is selected of it, by whom: see selectionOf.
type sharedKey struct {
	selection string
	event     pace.Event
}

// sharedAnswer is an answer, once done is closed; nil when it could not be made.
type sharedAnswer struct {
	done chan struct{}
	raw  []byte
	at   time.Time
}

func newSharing(now func() time.Time) *sharing {
	if now == nil {
		now = time.Now
	}
	return &sharing{now: now, answers: map[sharedKey]*sharedAnswer{}}
}

// known returns an answer that has been made.
func (s *sharing) known(k sharedKey) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.answers[k]
	if a == nil || a.raw == nil || s.now().Sub(a.at) > sharedFor {
		return nil, false
	}
	return a.raw, true
}

// claim returns an answer, and waits while it is being made. When it is mine the caller makes it and has to call settle; when it is neither
// ctx has ended.
func (s *sharing) claim(ctx context.Context, k sharedKey) (raw []byte, mine *sharedAnswer) {
	for {
		s.mu.Lock()
		a := s.answers[k]
		if a == nil || a.raw != nil && s.now().Sub(a.at) > sharedFor {
			if a != nil {
				s.expire()
			}
			mine = &sharedAnswer{done: make(chan struct{})}
			s.answers[k] = mine
			s.mu.Unlock()
			return nil, mine
		}
		raw = a.raw
		s.mu.Unlock()
		if raw != nil {
			return raw, nil
		}
		select {
		case <-a.done:
		case <-ctx.Done():
			return nil, nil
		}
	}
}

// settle gives the answer that was claimed to who waits for it; raw is nil when it could not be made, or is for nobody else.
func (s *sharing) settle(k sharedKey, mine *sharedAnswer, raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(mine.done)
	if raw == nil {
		if s.answers[k] == mine {
			delete(s.answers, k)
		}
		return
	}
	mine.raw, mine.at = raw, s.now()
	s.made = append(s.made, k)
	s.size += len(raw) + sharedOverhead
	s.expire()
	if s.sweep == nil && len(s.made) > 0 {
		s.sweep = time.AfterFunc(2*sharedFor, s.sweepLater)
	}
}

// sweepLater drops what is old when nothing new comes.
func (s *sharing) sweepLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	if s.sweep = nil; len(s.made) > 0 {
		s.sweep = time.AfterFunc(2*sharedFor, s.sweepLater)
	}
}

// expire drops what is too old, or too much.
func (s *sharing) expire() {
	for len(s.made) > 0 {
		first := s.answers[s.made[0]]
		if s.size <= maxShared && s.now().Sub(first.at) <= sharedFor {
			return
		}
		s.size -= len(first.raw) + sharedOverhead
		delete(s.answers, s.made[0])
		s.made[0] = sharedKey{} // the object of its event can go
		s.made = s.made[1:]
	}
	s.made = nil
}
