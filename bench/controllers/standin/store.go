package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"
)

// object is a stored object. It is never changed.
type object struct {
	key      string
	labels   labels.Set
	revision uint64
	raw      json.RawMessage
}

// change is an object that came, changed or went. Before or after is nil.
type change struct {
	of            schema.GroupResource
	revision      uint64
	before, after *object
}

// watcher follows the stored objects of one kind. Its channel is closed when it cannot keep up.
type watcher struct {
	of      schema.GroupResource
	changes chan change
}

const (
	// remembered is how many changes a watch can go back.
	remembered = 64
	// behind is how many changes a watcher may be behind.
	behind = 64
)

var (
	errNotFound = errors.New("not found")
	errExists   = errors.New("already exists")
	errExpired  = errors.New("too old resource version")
)

// store keeps objects as an API server does: by revisions, with watches.
type store struct {
	mu       sync.Mutex
	revision uint64
	objects  map[schema.GroupResource]map[string]*object
	watchers map[*watcher]bool
	changes  []change
}

func newStore() *store {
	return &store{revision: 1, objects: map[schema.GroupResource]map[string]*object{}, watchers: map[*watcher]bool{}}
}

func keyOf(namespace, name string) string { return namespace + "/" + name }

func (s *store) get(of schema.GroupResource, key string) *object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[of][key]
}

// list returns the objects of a kind in a namespace, or in all, by key, and their revision.
func (s *store) list(of schema.GroupResource, namespace string) ([]*object, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed(of, namespace), s.revision
}

func (s *store) listed(of schema.GroupResource, namespace string) []*object {
	out := slices.Collect(maps.Values(s.objects[of]))
	if namespace != "" {
		out = slices.DeleteFunc(out, func(o *object) bool { return !strings.HasPrefix(o.key, namespace+"/") })
	}
	slices.SortFunc(out, func(a, b *object) int { return strings.Compare(a.key, b.key) })
	return out
}

// watch begins to follow a kind: from what there is now, or from a revision on.
func (s *store) watch(of schema.GroupResource, from uint64, initial bool) (*watcher, []change, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first []change
	switch {
	case initial:
		for _, o := range s.listed(of, "") {
			first = append(first, change{of: of, revision: o.revision, after: o})
		}
	case from > 0 && from < s.revision:
		if len(s.changes) == 0 || s.changes[0].revision > from+1 {
			return nil, nil, 0, errExpired
		}
		for _, c := range s.changes {
			if c.of == of && c.revision > from {
				first = append(first, c)
			}
		}
	}
	w := &watcher{of: of, changes: make(chan change, behind)}
	s.watchers[w] = true
	return w, first, s.revision, nil
}

func (s *store) unwatch(w *watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.watchers, w)
}

// current returns the revision of the newest change.
func (s *store) current() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revision
}

// update replaces an object by what edit returns. Edit gets nil when there is none, and returns nil to delete it; an
// unchanged object is not written.
func (s *store) update(r resource, key string, edit func(before map[string]any) (map[string]any, error)) (*object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := r.GroupResource()
	before := s.objects[of][key]
	var content map[string]any
	if before != nil {
		if err := json.Unmarshal(before.raw, &content); err != nil {
			return nil, fmt.Errorf("reading %s %s: %w", r.kind, key, err)
		}
	}
	content, err := edit(content)
	if err != nil {
		return nil, err
	}
	if content == nil {
		if before == nil {
			return nil, errNotFound
		}
		s.revision++
		delete(s.objects[of], key)
		s.tell(change{of: of, revision: s.revision, before: before})
		return before, nil
	}
	after, err := encode(r, content, before, s.revision+1)
	if err != nil {
		return nil, err
	}
	if before != nil && after.revision == before.revision {
		return before, nil
	}
	s.revision++
	if s.objects[of] == nil {
		s.objects[of] = map[string]*object{}
	}
	s.objects[of][key] = after
	s.tell(change{of: of, revision: s.revision, before: before, after: after})
	return after, nil
}

// keep adds an object that nobody watches for yet.
func (s *store) keep(of schema.GroupResource, o *object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	o.revision = s.revision
	if s.objects[of] == nil {
		s.objects[of] = map[string]*object{}
	}
	s.objects[of][o.key] = o
}

func (s *store) tell(c change) {
	s.changes = append(s.changes, c)
	if len(s.changes) > remembered {
		s.changes = slices.Delete(s.changes, 0, len(s.changes)-remembered)
	}
	for w := range s.watchers {
		if w.of != c.of {
			continue
		}
		select {
		case w.changes <- c:
		default:
			delete(s.watchers, w)
			close(w.changes)
		}
	}
}

// encode serializes an object with what an API server adds. When nothing else would change, it keeps the former
// revision.
func encode(r resource, content map[string]any, before *object, revision uint64) (*object, error) {
	content["apiVersion"], content["kind"] = r.apiVersion(), r.kind
	meta, ok := content["metadata"].(map[string]any)
	if !ok {
		return nil, errors.New("the object has no metadata")
	}
	if before == nil {
		setDefault(meta, "uid", string(uuid.NewUUID()))
		setDefault(meta, "creationTimestamp", time.Now().UTC().Format(time.RFC3339))
		setDefault(meta, "generation", int64(1))
	} else {
		meta["resourceVersion"] = strconv.FormatUint(before.revision, 10)
		same, err := json.Marshal(content)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", r.kind, err)
		}
		if string(same) == string(before.raw) {
			return before, nil
		}
	}
	meta["resourceVersion"] = strconv.FormatUint(revision, 10)
	raw, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", r.kind, err)
	}
	var head metav1.PartialObjectMetadata
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("reading the metadata of %s: %w", r.kind, err)
	}
	return &object{key: keyOf(head.Namespace, head.Name), labels: head.Labels, revision: revision, raw: raw}, nil
}

func setDefault(m map[string]any, name string, value any) {
	if m[name] == nil {
		m[name] = value
	}
}
