package runner

import (
	"errors"
	"fmt"
	"sync"
)

// Users are the numeric users that sessions get, one each: nobody else's. The zero Users are none.
type Users struct{ First, Count int }

// check refuses users that are others'.
func (u Users) check() error {
	switch {
	case u.Count == 0 && u.First == 0:
		return nil
	case u.First < 1000 || u.Count < 1 || u.First+u.Count > 1<<31-2:
		return fmt.Errorf("the users %d to %d are none for sessions: they begin at 1000 or above, and there is one at least", u.First, u.First+u.Count-1)
	}
	return nil
}

func (u Users) has(user int) bool { return user >= u.First && user < u.First+u.Count }

// pool lends the users.
type pool struct {
	users Users
	mu    sync.Mutex
	lent  map[int]bool
	next  int
}

var errNoUser = errors.New("every user that a session could have is in use")

// take lends a user: the one that was given back longest ago, since files may be left of whoever had it last.
func (p *pool) take() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range p.users.Count {
		user := p.users.First + p.next%p.users.Count
		p.next++
		if !p.lent[user] {
			p.lent[user] = true
			return user, nil
		}
	}
	return 0, errNoUser
}

func (p *pool) giveBack(user int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.lent, user)
}
