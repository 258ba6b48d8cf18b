package kubeapi

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Query asks for a page of objects of one kind.
type Query struct {
	Who      Who
	Instance string
	// Cluster is a member; empty for the control plane.
	Cluster string
	GVK     schema.GroupVersionKind
	// Namespaces are those to list; empty for all. Each takes a request of its own.
	Namespaces []string
	// NameContains keeps only names that contain it; an API server cannot filter so.
	NameContains string
	// LabelSelector is in Kubernetes' form; empty for all.
	LabelSelector string
	// MetadataOnly asks for nothing of the objects but their metadata.
	MetadataOnly bool
	// Limit is how many rows are wanted: at least 1.
	Limit int
	// After is the Cursor of a row, or the Next of a page, of the same query; empty to begin.
	After string
}

// Row is one object.
type Row struct {
	// Raw is its JSON, pruned and with Secret values masked (objects.Prune).
	Raw             []byte
	Namespace, Name string
	// Cursor is its position: the After of the rows that follow. Opaque, and valid for some minutes.
	Cursor string
}

// Page is a part of a list, in the API server's order: by namespace and name.
type Page struct {
	// Rows may be fewer than were asked for, even none, while more follow.
	Rows []Row
	// Next is the After of the next page; empty when there is none.
	Next string
}

const (
	// maxRequests bounds the requests for one page; chunk is how many objects each reads when many may be left out.
	maxRequests = 10
	chunk       = 250
)

// List reads a page. Errors are those of Get; a cursor that is too old or of another list is BAD_USER_INPUT on
// `after`.
func (r *Reader) List(ctx context.Context, q Query) (*Page, error) {
	if q.Who.Scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	q.Limit = max(q.Limit, 1)
	s, err := r.server(q.Who.Scope, place{q.Instance, q.Cluster})
	if err != nil {
		return nil, err
	}
	kind, err := s.kind(ctx, q.GVK)
	if err != nil {
		return nil, err
	}
	namespaces := []string{""}
	if len(q.Namespaces) > 0 {
		namespaces = slices.Compact(slices.Sorted(slices.Values(q.Namespaces)))
	}
	if err := readable(kind, "list"); err != nil {
		return nil, err
	}
	for _, ns := range namespaces {
		if err := CheckNamespace("namespaces", kind, ns, len(q.Namespaces) > 0); err != nil {
			return nil, err
		}
	}
	if _, err := labels.Parse(q.LabelSelector); err != nil {
		return nil, model.BadInput("labelSelector", "is not a selector: %v", err)
	}
	at, err := parsePosition(q.After, namespaces)
	if err != nil {
		return nil, err
	}
	cfg, err := s.conn.Reader(ctx, q.Who.Scope, q.Who.Principal, q.Cluster)
	if err != nil {
		return nil, err
	}
	l := &listing{server: s, kind: kind, cfg: cfg, query: q, namespaces: namespaces, at: at}
	return l.page(ctx)
}

// listing is a list in progress.
type listing struct {
	server     *server
	kind       *model.APIResource
	cfg        *rest.Config
	query      Query
	namespaces []string
	at         position
}

// page reads until there are enough rows, none are left, or the limits of requests and time are reached.
func (l *listing) page(ctx context.Context) (*Page, error) {
	page := &Page{Rows: []Row{}}
	begun := time.Now()
	for range maxRequests {
		items, next, err := l.read(ctx, l.query.Limit-len(page.Rows))
		if err != nil {
			return nil, l.server.explain(err)
		}
		last, err := l.take(page, items, next)
		if err != nil {
			return nil, l.server.fail(model.CodeUnavailable, true, err, "%s answers with something else", l.server.place)
		}
		if last {
			break
		}
		// One slow answer is waited for, several are not.
		if page.Next == "" || time.Since(begun) > l.cfg.Timeout {
			break
		}
	}
	return page, nil
}

// item is an object with as much of it read as is needed here.
type item struct {
	raw  jsonv2.Raw
	meta struct {
		Metadata struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"metadata"`
	}
}

// key is what API servers order by.
func (i *item) key() string {
	if ns := i.meta.Metadata.Namespace; ns != "" {
		return ns + "/" + i.meta.Metadata.Name
	}
	return i.meta.Metadata.Name
}

// read makes one request at the position, for what comes after it.
func (l *listing) read(ctx context.Context, wanted int) (items []item, next string, err error) {
	limit := wanted
	if l.query.NameContains != "" || l.at.After != "" {
		limit = max(chunk, wanted)
	}
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if l.query.LabelSelector != "" {
		query.Set("labelSelector", l.query.LabelSelector)
	}
	if l.at.Continue != "" {
		query.Set("continue", l.at.Continue)
	}
	accept := wholeObjects
	if l.query.MetadataOnly {
		accept = metadataOnly
	}
	body, err := l.server.get(ctx, l.cfg, resourcePath(l.kind, l.at.Namespace), query, accept)
	if err != nil {
		return nil, "", err
	}
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []jsonv2.Raw `json:"items"`
	}
	if err := jsonv2.Unmarshal(body, &list); err != nil {
		return nil, "", fmt.Errorf("decoding a list: %w", err)
	}
	items = make([]item, 0, len(list.Items))
	for _, raw := range list.Items {
		one := item{raw: raw}
		if err := jsonv2.Unmarshal(raw, &one.meta); err != nil {
			return nil, "", fmt.Errorf("decoding a row: %w", err)
		}
		items = append(items, one)
	}
	// API servers sort like this; aggregated servers may not, nor keep to the limit.
	slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(a.key(), b.key()) })
	return items, list.Metadata.Continue, nil
}

// take adds the matching items of one answer to the page and moves to the next position. It reports whether the page
// is full.
func (l *listing) take(page *Page, items []item, next string) (full bool, err error) {
	here := l.at
	// The position after all of this answer.
	there := position{Namespace: here.Namespace, Continue: next}
	if next == "" {
		there = l.following(here.Namespace)
	}
	for i, one := range items {
		if here.After != "" && one.key() <= here.After || !strings.Contains(one.meta.Metadata.Name, l.query.NameContains) {
			continue
		}
		if len(page.Rows) == l.query.Limit {
			page.Next = page.Rows[len(page.Rows)-1].Cursor
			return true, nil
		}
		raw, err := objects.Prune(l.kind.GVK().GroupKind(), one.raw)
		if err != nil {
			return false, err
		}
		cursor := position{Namespace: here.Namespace, Continue: here.Continue, After: one.key()}.String()
		if i == len(items)-1 && there != (position{}) {
			// Nothing of this answer is needed any more.
			cursor = there.String()
		}
		page.Rows = append(page.Rows, Row{Raw: raw, Namespace: one.meta.Metadata.Namespace, Name: one.meta.Metadata.Name, Cursor: cursor})
	}
	page.Next, l.at = there.String(), there
	return len(page.Rows) == l.query.Limit, nil
}

// following is the beginning of the namespace after one; the zero position when that is the last.
func (l *listing) following(namespace string) position {
	i := slices.Index(l.namespaces, namespace)
	if i < 0 || i+1 == len(l.namespaces) {
		return position{}
	}
	return position{Namespace: l.namespaces[i+1]}
}
