// Package livetest is a stand-in for an API server that only lists and watches as a real one does.
package livetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// APIServer serves list and watch for any resource, as a Kubernetes API server does, and counts the calls.
type APIServer struct {
	*httptest.Server

	mu       sync.Mutex
	version  int
	oldest   int                                  // versions before it are Gone
	objects  map[string]map[string]map[string]any // resource → namespace/name → object
	log      []loggedEvent
	notify   chan struct{} // closed and replaced at each event
	cut      chan struct{} // closed and replaced to end all watches
	lists    map[string]int
	watches  map[string]int // begun
	open     map[string]int // open now
	refusing bool
	pages    int
	rest     map[string]page // by the token that continues a list
}

type loggedEvent struct {
	version  int
	resource string
	frame    []byte
}

// New starts one for the duration of the test.
func New(tb testing.TB) *APIServer {
	tb.Helper()
	s := &APIServer{
		version: 1, objects: map[string]map[string]map[string]any{}, notify: make(chan struct{}), cut: make(chan struct{}),
		lists: map[string]int{}, watches: map[string]int{}, open: map[string]int{}, rest: map[string]page{},
	}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(func() {
		s.EndWatches()
		s.Close()
	})
	return s
}

// Config is a client config for it.
func (s *APIServer) Config() *rest.Config { return &rest.Config{Host: s.URL} }

// Put creates or changes an object of a resource such as "deployments".
func (s *APIServer) Put(resource string, object map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	meta := object["metadata"].(map[string]any)
	key := fmt.Sprint(meta["namespace"], "/", meta["name"])
	s.version++
	meta["resourceVersion"] = strconv.Itoa(s.version)
	if meta["uid"] == nil {
		meta["uid"] = key
	}
	kind := "ADDED"
	if _, ok := s.objects[resource][key]; ok {
		kind = "MODIFIED"
	}
	if s.objects[resource] == nil {
		s.objects[resource] = map[string]map[string]any{}
	}
	s.objects[resource][key] = object
	s.record(resource, kind, object)
}

// Drop removes one; the namespace of cluster-scoped objects is "<nil>".
func (s *APIServer) Drop(resource, namespace, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := namespace + "/" + name
	object := s.objects[resource][key]
	delete(s.objects[resource], key)
	s.version++
	object["metadata"].(map[string]any)["resourceVersion"] = strconv.Itoa(s.version)
	s.record(resource, "DELETED", object)
}

func (s *APIServer) record(resource, kind string, object map[string]any) {
	frame, _ := json.Marshal(map[string]any{"type": kind, "object": object}) //nolint:errchkjson // it was JSON
	s.log = append(s.log, loggedEvent{version: s.version, resource: resource, frame: append(frame, '\n')})
	close(s.notify)
	s.notify = make(chan struct{})
}

// Compact makes all versions until now Gone.
func (s *APIServer) Compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.oldest, s.log = s.version, nil
}

// EndWatches ends all open watches; clients have to watch again.
func (s *APIServer) EndWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.cut)
	s.cut = make(chan struct{})
}

// Refuse answers 503 to everything, or stops doing so.
func (s *APIServer) Refuse(yes bool) {
	s.mu.Lock()
	s.refusing = yes
	s.mu.Unlock()
	if yes {
		s.EndWatches()
	}
}

// Lists is how often a resource was listed.
func (s *APIServer) Lists(resource string) int { return s.count(s.lists, resource) }

// Watches is how many watches of a resource were started.
func (s *APIServer) Watches(resource string) int { return s.count(s.watches, resource) }

func (s *APIServer) count(which map[string]int, resource string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return which[resource]
}

// OpenWatches is how many are open.
func (s *APIServer) OpenWatches() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.open {
		n += c
	}
	return n
}

// ServeHTTP answers.
func (s *APIServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resource := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	s.mu.Lock()
	refusing := s.refusing
	s.mu.Unlock()
	switch {
	case refusing:
		http.Error(w, `{"kind":"Status","code":503,"message":"out of service"}`, http.StatusServiceUnavailable)
	case r.URL.Query().Get("watch") != "":
		s.watch(w, r, resource)
	default:
		s.list(w, r, resource)
	}
}

// list serves more than two objects in two pages, so that paging is always exercised. Both are of the same version, as those of a real one.
func (s *APIServer) list(w http.ResponseWriter, r *http.Request, resource string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	token := r.URL.Query().Get("continue")
	now := s.rest[token]
	delete(s.rest, token)
	if token == "" {
		s.lists[resource]++
		now = page{items: []map[string]any{}, version: strconv.Itoa(s.version)}
		for _, o := range s.objects[resource] {
			now.items = append(now.items, o)
		}
		sortObjects(now.items)
	}
	meta := map[string]any{"resourceVersion": now.version}
	if last := len(now.items) - 1; token == "" && last > 1 {
		s.pages++
		next := strconv.Itoa(s.pages)
		s.rest[next] = page{now.items[last:], now.version}
		meta["continue"], now.items = next, now.items[:last]
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"metadata": meta, "items": now.items}) //nolint:errchkjson // they were JSON
}

// page is one of a list that has yet to be asked for.
type page struct {
	items   []map[string]any
	version string
}

// sortObjects puts them into the order in which an API server lists.
func sortObjects(all []map[string]any) {
	name := func(o map[string]any) string {
		m := o["metadata"].(map[string]any)
		return fmt.Sprint(m["namespace"], "/", m["name"])
	}
	slices.SortFunc(all, func(a, b map[string]any) int { return strings.Compare(name(a), name(b)) })
}

func (s *APIServer) watch(w http.ResponseWriter, r *http.Request, resource string) {
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	s.mu.Lock()
	s.watches[resource]++
	s.open[resource]++
	gone, cut := from < s.oldest, s.cut
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.open[resource]--
		s.mu.Unlock()
	}()
	if gone {
		_, _ = w.Write([]byte(`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old resource version"}}` + "\n"))
		return
	}
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
	for {
		s.mu.Lock()
		if s.cut != cut { // what was not sent may be compacted by now, and what came after must not hide that
			s.mu.Unlock()
			return
		}
		notify := s.notify
		for _, e := range s.log {
			if e.resource == resource && e.version > from {
				_, _ = w.Write(e.frame)
				from = e.version
			}
		}
		s.mu.Unlock()
		w.(http.Flusher).Flush()
		select {
		case <-notify:
		case <-cut:
			return
		case <-r.Context().Done():
			return
		}
	}
}
