package prometheus

import (
	"maps"
	"sync"
	"time"
)

const (
	// longestKept bounds how long an answer is kept; one with a shorter step is kept for that.
	longestKept = time.Minute
	// mostKept is how many values are kept: 8 MB.
	mostKept = 1 << 20
)

// cache keeps answers for as long as another one would hardly be different. Rights are checked before it.
type cache struct {
	mu     sync.Mutex
	all    map[string]kept
	values int
}

type kept struct {
	found  Members
	values int
	until  time.Time
}

func (c *cache) get(key string, now time.Time) (Members, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.all[key]
	return k.found, ok && now.Before(k.until)
}

func (c *cache) put(key string, found Members, w Window, now time.Time) {
	k := kept{found: found, values: 1, until: now.Add(min(w.Step, longestKept))}
	for _, of := range found {
		k.values += len(of) * w.Points
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[string]kept{}
	}
	c.drop(func(_ string, old kept) bool { return !now.Before(old.until) })
	c.drop(func(name string, _ kept) bool { return name == key || c.values+k.values > mostKept })
	if c.values+k.values <= mostKept {
		c.all[key] = k
		c.values += k.values
	}
}

// drop drops what a function says, under the lock.
func (c *cache) drop(which func(string, kept) bool) {
	maps.DeleteFunc(c.all, func(key string, k kept) bool {
		if !which(key, k) {
			return false
		}
		c.values -= k.values
		return true
	})
}
