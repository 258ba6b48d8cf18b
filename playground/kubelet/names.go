package kubelet

import (
	"fmt"
	"slices"
	"sync"
)

// names gives processes the names that people call them by: the group of their
// pod and what it is, as in "europe-scheduler". While two pods do the same, the
// second has a number; once it is alone, it takes the plain name.
type names struct {
	reserved []string

	mu     sync.Mutex
	groups map[string]string // group: namespace and instance that it stands for
	taken  map[string]string // name: pod and container
}

func newNames(reserved []string) *names {
	return &names{reserved: reserved, groups: map[string]string{}, taken: map[string]string{}}
}

// group returns the group of an instance's pods: its name, or, when another has that already, one with the namespace
// before it.
func (n *names) group(namespace, instance string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	who := namespace + "/" + instance
	for _, g := range []string{instance, namespace + "." + instance} {
		if slices.Contains(n.reserved, g) {
			continue
		}
		if n.groups[g] == "" || n.groups[g] == who {
			n.groups[g] = who
			return g
		}
	}
	return who
}

// take returns the name of a holder: the one it wishes for when that is free, or
// the first free one.
func (n *names) take(base, wish, holder string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name, who := range n.taken {
		if who == holder {
			return name
		}
	}
	if wish != "" && n.taken[wish] == "" {
		n.taken[wish] = holder
		return wish
	}
	for k := 1; ; k++ {
		name := base
		if k > 1 {
			name = fmt.Sprintf("%s-%d", base, k)
		}
		if n.taken[name] == "" {
			n.taken[name] = holder
			return name
		}
	}
}

// better gives a holder the plain name when it has become free.
func (n *names) better(base, holder string) (from string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.taken[base] != "" {
		return "", false
	}
	for name, who := range n.taken {
		if who == holder {
			delete(n.taken, name)
			n.taken[base] = holder
			return name, true
		}
	}
	return "", false
}

func (n *names) free(holder string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name, who := range n.taken {
		if who == holder {
			delete(n.taken, name)
		}
	}
}

// leave forgets a group when nothing of it is left.
func (n *names) leave(group string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.groups, group)
}
