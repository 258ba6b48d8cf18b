package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// apiServer speaks list and watch for any resource, as a Kubernetes API server does, and counts.
type apiServer struct {
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
}

type loggedEvent struct {
	version  int
	resource string
	frame    []byte
}

func newAPIServer(t *testing.T) *apiServer {
	s := &apiServer{
		version: 1, objects: map[string]map[string]map[string]any{}, notify: make(chan struct{}), cut: make(chan struct{}),
		lists: map[string]int{}, watches: map[string]int{}, open: map[string]int{},
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.endWatches()
		s.Close()
	})
	return s
}

func (s *apiServer) config() *rest.Config { return &rest.Config{Host: s.URL} }

// put creates or changes an object of a resource such as "deployments".
func (s *apiServer) put(resource string, object map[string]any) {
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

func (s *apiServer) drop(resource, namespace, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := namespace + "/" + name
	object := s.objects[resource][key]
	delete(s.objects[resource], key)
	s.version++
	object["metadata"].(map[string]any)["resourceVersion"] = strconv.Itoa(s.version)
	s.record(resource, "DELETED", object)
}

func (s *apiServer) record(resource, kind string, object map[string]any) {
	frame, _ := json.Marshal(map[string]any{"type": kind, "object": object})
	s.log = append(s.log, loggedEvent{version: s.version, resource: resource, frame: append(frame, '\n')})
	close(s.notify)
	s.notify = make(chan struct{})
}

// compact makes all versions until now Gone.
func (s *apiServer) compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.oldest, s.log = s.version, nil
}

func (s *apiServer) endWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.cut)
	s.cut = make(chan struct{})
}

// refuse answers 503 to everything, or stops doing so.
func (s *apiServer) refuse(yes bool) {
	s.mu.Lock()
	s.refusing = yes
	s.mu.Unlock()
	if yes {
		s.endWatches()
	}
}

func (s *apiServer) count(which map[string]int, resource string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return which[resource]
}

func (s *apiServer) openWatches() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.open {
		n += c
	}
	return n
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// list serves two objects a page, so that paging is always exercised.
func (s *apiServer) list(w http.ResponseWriter, r *http.Request, resource string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	if from == 0 {
		s.lists[resource]++
	}
	var all []map[string]any
	for _, o := range s.objects[resource] {
		all = append(all, o)
	}
	meta := map[string]any{"resourceVersion": strconv.Itoa(s.version)}
	end := min(from+2, len(all))
	if len(all) > 2 && from == 0 {
		// A map has no order; pages of one list have to agree. The rest comes whole.
		end = len(all) - 1
	}
	if end < len(all) {
		meta["continue"] = strconv.Itoa(end)
		sortObjects(all)
	} else if from > 0 {
		sortObjects(all)
	}
	items := all[min(from, len(all)):end]
	if items == nil {
		items = []map[string]any{}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"metadata": meta, "items": items})
}

func sortObjects(all []map[string]any) {
	name := func(o map[string]any) string {
		m := o["metadata"].(map[string]any)
		return fmt.Sprint(m["namespace"], "/", m["name"])
	}
	for i := range all {
		for j := i; j > 0 && name(all[j]) < name(all[j-1]); j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
}

func (s *apiServer) watch(w http.ResponseWriter, r *http.Request, resource string) {
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
