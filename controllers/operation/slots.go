package operation

import (
	"slices"
	"sync"
)

// slots has one operation at a time worked on of each instance, in the order in which they came: a member that stalls holds up those of its own instance,
// and none of them for ever.
type slots struct {
	mu sync.Mutex
	// busy are the instances of which one is worked on, and waiting the names of the operations that came meanwhile, the first one first.
	busy    map[string]bool
	waiting map[string][]string
}

// take reports whether it is the turn of an operation, which then has to be given back. One whose turn it is not has to come again.
func (s *slots) take(instance, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy == nil {
		s.busy, s.waiting = map[string]bool{}, map[string][]string{}
	}
	queue := s.waiting[instance]
	if s.busy[instance] || len(queue) > 0 && queue[0] != name {
		if !slices.Contains(queue, name) {
			s.waiting[instance] = append(queue, name)
		}
		return false
	}
	s.forget(name)
	s.busy[instance] = true
	return true
}

// give gives the turn back.
func (s *slots) give(instance string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, instance)
}

// leave takes an operation that will not come again out of the queue that it is in.
func (s *slots) leave(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(name)
}

func (s *slots) forget(name string) {
	for instance, queue := range s.waiting {
		if queue = slices.DeleteFunc(queue, func(n string) bool { return n == name }); len(queue) == 0 {
			delete(s.waiting, instance)
		} else {
			s.waiting[instance] = queue
		}
	}
}
