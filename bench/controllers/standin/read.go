package standin

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

// bookmarks is how often a watch on which nothing happens gets a bookmark.
const bookmarks = time.Minute

// selection is what a request selects of a kind.
type selection struct {
	namespace string
	labels    labels.Selector
	fields    fields.Selector
	// metadataOnly says that only the metadata is asked for.
	metadataOnly bool
}

func selectionOf(r *http.Request, t target) (s selection, err error) {
	query := r.URL.Query()
	s.namespace = t.namespace
	if s.labels, err = labels.Parse(query.Get("labelSelector")); err != nil {
		return s, err
	}
	if s.fields, err = fields.ParseSelector(query.Get("fieldSelector")); err != nil {
		return s, err
	}
	s.metadataOnly = strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")
	return s, nil
}

func (s selection) matches(o *object) bool {
	if o == nil {
		return false
	}
	namespace, name, _ := strings.Cut(o.key, "/")
	return (s.namespace == "" || s.namespace == namespace) && s.labels.Matches(o.labels) &&
		s.fields.Matches(fields.Set{"metadata.name": name, "metadata.namespace": namespace})
}

// show returns an object in the form that was asked for.
func (s selection) show(o *object) json.RawMessage {
	if !s.metadataOnly {
		return o.raw
	}
	var head struct {
		Metadata json.RawMessage `json:"metadata"`
	}
	if json.Unmarshal(o.raw, &head) != nil {
		return o.raw
	}
	return slices.Concat(json.RawMessage(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":`), head.Metadata, json.RawMessage("}"))
}

func (k *Karmada) get(w http.ResponseWriter, r *http.Request, kept *store, t target) {
	s, err := selectionOf(r, t)
	if err != nil {
		fail(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
		return
	}
	o := kept.get(t.GroupResource(), t.key())
	if o == nil {
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, t.Resource+" \""+t.name+"\" not found")
		return
	}
	answer(w, http.StatusOK, renewed(t.resource, s.show(o)))
}

func (k *Karmada) list(w http.ResponseWriter, r *http.Request, kept *store, t target) {
	s, err := selectionOf(r, t)
	if err != nil {
		fail(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
		return
	}
	objects, revision := kept.list(t.GroupResource(), t.namespace)
	list := struct {
		Kind       string            `json:"kind"`
		APIVersion string            `json:"apiVersion"`
		Metadata   metav1.ListMeta   `json:"metadata"`
		Items      []json.RawMessage `json:"items"`
	}{t.kind + "List", t.apiVersion(), metav1.ListMeta{ResourceVersion: strconv.FormatUint(revision, 10)}, []json.RawMessage{}}
	if s.metadataOnly {
		list.Kind, list.APIVersion = "PartialObjectMetadataList", "meta.k8s.io/v1"
	}
	for _, o := range objects {
		if s.matches(o) {
			list.Items = append(list.Items, renewed(t.resource, s.show(o)))
		}
	}
	answer(w, http.StatusOK, list)
}

// leaseMark is the renewTime of every stored Lease.
const leaseMark = "2000-01-01T00:00:00.000000Z"

// renewed returns a Lease as if its holder had just renewed it, as each does every two seconds, and anything else
// unchanged.
func renewed(r resource, shown json.RawMessage) json.RawMessage {
	if r.Resource != "leases" {
		return shown
	}
	now := time.Now().UTC().Truncate(2 * time.Second).Format(metav1.RFC3339Micro)
	return bytes.ReplaceAll(shown, []byte(leaseMark), []byte(now))
}

func (k *Karmada) watch(w http.ResponseWriter, r *http.Request, kept *store, t target) {
	s, err := selectionOf(r, t)
	if err != nil {
		fail(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
		return
	}
	query := r.URL.Query()
	initial := query.Get("sendInitialEvents") == "true"
	version := query.Get("resourceVersion")
	// A version that is not a number counts as none: the watch begins with everything there is.
	from, _ := strconv.ParseUint(version, 10, 64)
	follower, first, revision, err := kept.watch(t.GroupResource(), from, initial || from == 0)
	if err != nil {
		fail(w, http.StatusGone, metav1.StatusReasonExpired, err.Error())
		return
	}
	defer kept.unwatch(follower)
	k.Requests.watching(1)
	defer k.Requests.watching(-1)

	stream := &stream{w: w, selection: s, of: t.resource}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	for _, c := range first {
		stream.send(c)
	}
	if initial {
		stream.bookmark(revision, true)
	}
	stream.flush()

	seconds, err := strconv.Atoi(query.Get("timeoutSeconds"))
	if err != nil || seconds <= 0 {
		seconds = int(time.Hour / time.Second)
	}
	end := time.NewTimer(time.Duration(seconds) * time.Second)
	defer end.Stop()
	// The first interval is random, because all watches begin at about the same time.
	mark := time.NewTimer(time.Duration(rand.Int64N(int64(bookmarks)))) //nolint:gosec // no secret
	defer mark.Stop()
	for stream.err == nil {
		select {
		case c, ok := <-follower.changes:
			if !ok {
				return
			}
			stream.send(c)
		case <-mark.C:
			mark.Reset(bookmarks)
			if query.Get("allowWatchBookmarks") == "true" {
				stream.bookmark(kept.current(), false)
			}
		case <-end.C:
			return
		case <-r.Context().Done():
			return
		case <-k.ended:
			return
		}
		stream.flush()
	}
}

// stream sends the events of a watch.
type stream struct {
	selection

	w   http.ResponseWriter
	of  resource
	err error
}

// send sends a change, if it is selected.
func (s *stream) send(c change) {
	was, is := s.matches(c.before), s.matches(c.after)
	switch {
	case was && is:
		s.event("MODIFIED", s.show(c.after))
	case is:
		s.event("ADDED", s.show(c.after))
	case was:
		s.event("DELETED", s.show(c.before))
	}
}

func (s *stream) bookmark(revision uint64, initialEnds bool) {
	kind, apiVersion := s.of.kind, s.of.apiVersion()
	if s.metadataOnly {
		kind, apiVersion = "PartialObjectMetadata", "meta.k8s.io/v1"
	}
	meta := map[string]any{"resourceVersion": strconv.FormatUint(revision, 10), "creationTimestamp": nil}
	if initialEnds {
		meta["annotations"] = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	}
	raw, err := json.Marshal(map[string]any{"kind": kind, "apiVersion": apiVersion, "metadata": meta})
	if err != nil {
		s.err = err
		return
	}
	s.event("BOOKMARK", raw)
}

func (s *stream) event(kind string, shown json.RawMessage) {
	if s.err == nil {
		_, s.err = s.w.Write(slices.Concat([]byte(`{"type":"`+kind+`","object":`), shown, []byte("}\n")))
	}
}

func (s *stream) flush() {
	if s.err == nil {
		s.err = http.NewResponseController(s.w).Flush()
	}
}
