package live

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
)

// history numbers the changes of a board, so that who comes back to a stream says up to which they were told.
type history[K comparable, T any] struct {
	// series tells its numbers from those of another one, of which they say nothing.
	series string
	// number is that of the last change, and changed that of the last one of each object that there is.
	number  int64
	changed map[K]int64
	// gone are objects that are no more, oldest first. Of those that went up to forgotten nothing is known.
	gone      []departed[K, T]
	forgotten int64
}

// departed is an object as it was last, and the number of the change by which it went.
type departed[K comparable, T any] struct {
	key    K
	value  T
	number int64
}

// mostDeparted is how many objects that are gone are remembered.
const mostDeparted = 2048

func newHistory[K comparable, T any]() *history[K, T] {
	return &history[K, T]{series: rand.Text()[:10], changed: map[K]int64{}}
}

// note numbers a change.
func (h *history[K, T]) note(key K, value T, exists bool) (number int64) {
	h.number++
	if exists {
		h.changed[key] = h.number
		return h.number
	}
	delete(h.changed, key)
	h.gone = append(h.gone, departed[K, T]{key, value, h.number})
	if len(h.gone) > mostDeparted {
		h.forgotten = h.gone[0].number
		h.gone[0] = departed[K, T]{} // what it held can go
		h.gone = h.gone[1:]
	}
	return h.number
}

// forget forgets what went: it is no longer followed, and nothing is held of it.
func (h *history[K, T]) forget() { h.gone, h.forgotten = nil, h.number }

// position names a number; empty for none.
func (h *history[K, T]) position(number int64) string {
	if number <= 0 {
		return ""
	}
	return fmt.Sprintf("%s.%d", h.series, number)
}

// since is the number that a position names; false when it is not known what went since.
func (h *history[K, T]) since(position string) (number int64, ok bool) {
	series, text, _ := strings.Cut(position, ".")
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil && series == h.series && number <= h.number && number >= h.forgotten
}

// missed is what somebody is told who had all of it at a number.
type missed[K comparable, T any] struct {
	// changed are those to tell as they are now, gone those that are no more, and held those that are as they were.
	changed, gone, held map[K]T
}

// missedBy compares what a reader had at a number with what there is now. What they may see and did not ask for counts as gone when it has
// changed: they may have had it when it was otherwise. So does what their own write is ahead of.
func (h *history[K, T]) missedBy(r *reader[K, T], since int64, all map[K]T) missed[K, T] {
	now := all
	if r.overlay != nil {
		now = r.overlay(all)
	}
	sees := func(v T) bool { return r.sees == nil || r.sees(v) }
	m := missed[K, T]{map[K]T{}, map[K]T{}, map[K]T{}}
	for k, v := range now {
		was, known := all[k]
		newer := !known || any(was) != any(v) || h.changed[k] > since
		switch {
		case !sees(v):
		case newer && r.match(v):
			m.changed[k] = v
		case newer:
			m.gone[k] = v
		case r.match(v):
			m.held[k] = v
		}
	}
	for k, v := range all {
		if _, there := now[k]; !there && sees(v) {
			m.gone[k] = v // they deleted it
		}
	}
	for _, d := range h.gone {
		if _, back := now[d.key]; !back && d.number > since && sees(d.value) {
			m.gone[d.key] = d.value
		}
	}
	return m
}

// more reports whether to begin anew would be less.
func (m *missed[K, T]) more() bool { return len(m.gone) > len(m.changed)+len(m.held)+mostIDs }
