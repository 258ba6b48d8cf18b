package live

import "time"

// lately is what a reader was sent within an interval: it is not sent again before that is over.
type lately[K comparable] struct {
	interval time.Duration
	keys     map[K]struct{}
	// bursts went out together, oldest first; current is the one that is being sent.
	bursts  []sentBurst[K]
	current []K
}

type sentBurst[K comparable] struct {
	keys []K
	at   time.Time
}

func (l *lately[K]) add(key K) {
	if l.interval == 0 {
		return
	}
	if l.keys == nil {
		l.keys = map[K]struct{}{}
	}
	l.keys[key] = struct{}{}
	l.current = append(l.current, key)
}

func (l *lately[K]) has(key K) bool {
	_, is := l.keys[key]
	return is
}

// flushed says when what was added went out.
func (l *lately[K]) flushed(now time.Time) {
	if len(l.current) > 0 {
		l.bursts, l.current = append(l.bursts, sentBurst[K]{l.current, now}), nil
	}
}

// expire forgets what was sent longer ago, and returns how long until there is more to forget; 0 when nothing is left.
func (l *lately[K]) expire(now time.Time) time.Duration {
	for len(l.bursts) > 0 {
		if left := l.interval - now.Sub(l.bursts[0].at); left > 0 {
			return left
		}
		for _, key := range l.bursts[0].keys {
			delete(l.keys, key)
		}
		l.bursts = l.bursts[1:]
	}
	l.keys, l.bursts = nil, nil // who is sent nothing keeps nothing
	return 0
}
