package subjects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Reader reads the notes from a cache of the host cluster.
type Reader struct {
	cache     client.Reader
	namespace string

	mu sync.Mutex
	// pages are the pages read so far, by name.
	pages map[string]readPage
}

type readPage struct {
	resourceVersion string
	notes           map[string]note
}

// NewReader makes a reader of the notes in a namespace.
func NewReader(cache client.Reader, namespace string) *Reader {
	return &Reader{cache: cache, namespace: namespace, pages: map[string]readPage{}}
}

// Is reports whether an object is a page of the notes.
func (r *Reader) Is(o client.Object) bool {
	return o.GetNamespace() == r.namespace && o.GetLabels()[Label] == "true"
}

// Users are those who were seen with one of the groups within 30 days, by the day on which they were last seen, the
// latest first, and by name.
func (r *Reader) Users(ctx context.Context, groups []string, now time.Time) ([]string, error) {
	pages, err := r.read(ctx)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, group := range groups {
		wanted[group] = true
	}
	last := map[string]time.Time{}
	for _, p := range pages {
		for _, n := range p.notes {
			if wanted[n.Group] && now.Sub(n.Seen) < kept && n.Seen.After(last[n.User]) {
				last[n.User] = n.Seen
			}
		}
	}
	return slices.SortedFunc(maps.Keys(last), func(a, b string) int {
		return cmp.Or(last[b].Truncate(renewal).Compare(last[a].Truncate(renewal)), cmp.Compare(a, b))
	}), nil
}

// read is every page. A page is parsed again only when it has changed.
func (r *Reader) read(ctx context.Context) (map[string]readPage, error) {
	var list corev1.ConfigMapList
	if err := r.cache.List(ctx, &list, client.InNamespace(r.namespace), client.MatchingLabels{Label: "true"}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("reading who has been seen: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	pages := make(map[string]readPage, len(list.Items))
	for i := range list.Items {
		o := &list.Items[i]
		p, ok := r.pages[o.Name]
		if !ok || p.resourceVersion != o.ResourceVersion {
			p = readPage{o.ResourceVersion, read(o.Data)}
		}
		pages[o.Name] = p
	}
	r.pages = pages
	return pages, nil
}

// Groups are the groups in notes that are on only one of the two pages. Each page may be nil.
func Groups(before, after *corev1.ConfigMap) []string {
	notes := func(o *corev1.ConfigMap) map[string]note {
		if o == nil {
			return nil
		}
		return read(o.Data)
	}
	was, is := notes(before), notes(after)
	changed := map[string]bool{}
	for _, pages := range [][2]map[string]note{{was, is}, {is, was}} {
		for key, n := range pages[0] {
			if _, ok := pages[1][key]; !ok {
				changed[n.Group] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// Forget removes expired notes. One that is renewed meanwhile stays.
func (r *Reader) Forget(ctx context.Context, host client.Writer, now time.Time) error {
	pages, err := r.read(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for name, p := range pages {
		data := map[string]*string{}
		for key, n := range p.notes {
			if now.Sub(n.Seen) >= kept {
				data[key] = nil
			}
		}
		if len(data) == 0 {
			continue
		}
		body, err := patch(data, p.resourceVersion)
		if err != nil {
			return err
		}
		o := &corev1.ConfigMap{}
		o.Namespace, o.Name = r.namespace, name
		err = host.Patch(ctx, o, client.RawPatch(types.MergePatchType, body), client.FieldOwner(fieldOwner))
		if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			failed = append(failed, fmt.Errorf("forgetting who is not seen any more in ConfigMap %q: %w", name, err))
		}
	}
	return errors.Join(failed...)
}
