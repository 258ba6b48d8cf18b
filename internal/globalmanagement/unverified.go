package globalmanagement

import (
	"net/netip"
	"sync"
)

const (
	// maxUnverified is how many requests of unverified senders are read and verified at once: each may hold maxBody.
	maxUnverified = 64
	// maxUnverifiedEach is how many of these one address may have.
	maxUnverifiedEach = 8
)

// unverified counts the requests that are read and verified now.
type unverified struct {
	mu    sync.Mutex
	total int
	by    map[netip.Prefix]int
}

// enter counts a request until leave is called; ok is false when there is no room.
func (u *unverified) enter(address string) (leave func(), ok bool) {
	key := neighbourhood(address)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.total >= maxUnverified || u.by[key] >= maxUnverifiedEach {
		return nil, false
	}
	u.total++
	u.by[key]++
	return sync.OnceFunc(func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.total--
		if u.by[key]--; u.by[key] == 0 {
			delete(u.by, key)
		}
	}), true
}
