package standin

import (
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Request is a class of requests: the verb and the kind. What goes through the cluster proxy begins with "member ".
type Request struct{ Verb, What string }

func (r Request) String() string { return r.Verb + " " + r.What }

// Probe reports whether requests of the class find out the health or the identity of a Karmada or a member.
func (r Request) Probe() bool {
	if r.Verb != "get" && r.Verb != "list" {
		return r.Verb == "dry-run"
	}
	what := strings.TrimPrefix(r.What, "member ")
	return strings.HasPrefix(what, "/") ||
		slices.Contains([]string{"leases", "namespaces", "mutatingwebhookconfigurations", "validatingwebhookconfigurations"}, what)
}

// Requests counts requests by their class, and the watches and connections that are open.
type Requests struct {
	mu          sync.Mutex
	counts      map[Request]int
	watches     int
	connections int
}

func (r *Requests) count(request Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[Request]int{}
	}
	r.counts[request]++
}

func (r *Requests) watching(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watches += n
}

func (r *Requests) connected(_ net.Conn, state http.ConnState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch state {
	case http.StateNew:
		r.connections++
	case http.StateClosed, http.StateHijacked:
		r.connections--
	case http.StateActive, http.StateIdle:
	}
}

// Connections returns how many are open.
func (r *Requests) Connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.connections
}

// Counts returns how many there have been.
func (r *Requests) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(Counts(r.counts))
}

// Watches returns how many are open.
func (r *Requests) Watches() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.watches
}

// Counts are numbers of requests by class.
type Counts map[Request]int

// Add adds others.
func (c Counts) Add(others Counts) {
	for request, n := range others {
		c[request] += n
	}
}

// Since subtracts those that had been made before.
func (c Counts) Since(before Counts) Counts {
	out := Counts{}
	for request, n := range c {
		if n > before[request] {
			out[request] = n - before[request]
		}
	}
	return out
}

// Total adds up those that which accepts.
func (c Counts) Total(which func(Request) bool) int {
	total := 0
	for request, n := range c {
		if which(request) {
			total += n
		}
	}
	return total
}
