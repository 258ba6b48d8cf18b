package loaders

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders/batch"
)

// ListOptions is the options of a paged field.
type ListOptions struct {
	Page model.Page
	// Count requests the total, Estimate about how many there are.
	Count, Estimate bool
}

// counts reports whether rows are to be counted, if only about.
func (o ListOptions) counts() bool { return o.Count || o.Estimate }

// After is the cursor before the page; empty for the first page.
func (o ListOptions) After() string { return o.Page.After }

// part is rows of the read store: of every kind in every cluster, those that meet all conditions.
type part struct {
	clusters []string
	gvrs     []schema.GroupVersionResource
	where    []sql.Condition
	// missing is why some of the kinds were left out: the read store does not hold them; nil when none were.
	missing error
}

// sorting is the order of a list; its zero value is by cluster, namespace, name and kind.
type sorting struct {
	order      sql.Order
	descending bool
}

// ordered is the order by name, or by creation time.
func ordered(created bool, direction model.OrderDirection) sorting {
	s := sorting{descending: direction == model.Descending}
	if created {
		s.order = sql.ByCreated
	}
	return s
}

// paging reads lists of one type for many parents: the first pages of all of them in one request.
type paging[P comparable, T model.KubernetesObject] struct {
	// name is the name of the list, and of the id of its parent: a cursor contains both.
	name string
	of   func(P) string
	// parts returns the rows of one parent's list.
	parts   func(P) ([]part, error)
	sorting sorting
	decode  pedia.Decode[T]
	// metadataTells says that all conditions of the parts are about metadata.
	metadataTells bool
	// ranked has the store rank the rows of all kinds of a list, and return its first ones only: for lists that have many
	// rows of each kind. Where each has few, as the children of objects, ranking takes longer than the rows it saves.
	ranked bool
}

// fewGroups is the maximum number of groups of a list that is read together with others; a list of more is read by
// itself, so that no more rows are returned than its page holds.
const fewGroups = 4

// read reads the lists of parents. A failed request is an error for all; a kind that the read store does not hold for
// one of them is an error for that one.
func (l paging[P, T]) read(ctx context.Context, k *Loaders, opts ListOptions, parents []P) (map[P]*model.Connection[T], error) {
	if err := CheckPage(opts.Page); err != nil {
		return nil, err
	}
	parts, errs := make(map[P][]part, len(parents)), batch.Each[P]{}
	var able []P
	for _, p := range parents {
		mine, err := l.parts(p)
		if errs.Add(p, err); batch.Failed(err) {
			continue
		}
		parts[p], able = mine, append(able, p)
		errs.Add(p, batch.Lacking(missingOf(mine)))
	}
	var out map[P]*model.Connection[T]
	var err error
	// A cursor belongs to one list.
	if len(parents) == 1 && len(able) == 1 && l.apart(opts, parts[able[0]]) {
		var conn *model.Connection[T]
		conn, err = l.one(ctx, k, opts, able[0], parts[able[0]])
		out = map[P]*model.Connection[T]{able[0]: conn}
	} else {
		out, err = l.firstPages(ctx, k, opts, able, parts)
	}
	if batch.Failed(err) {
		return nil, err
	}
	for _, p := range able {
		if errs[p] != nil {
			out[p].Uncounted() // missing rows were not
		}
		errs.Add(p, err)
	}
	return out, errs.Any()
}

// apart reports whether a list is read by itself.
func (l paging[P, T]) apart(opts ListOptions, parts []part) bool {
	return opts.Page.After != "" || len(parts) == 1 && len(groupsOf(parts)) > fewGroups
}

// missingOf is the error about missing rows of parts.
func missingOf(parts []part) error {
	for _, p := range parts {
		if p.missing != nil {
			return p.missing
		}
	}
	return nil
}

// firstPages reads the first pages of all parents' lists, combined with the requests of sibling fields.
func (l paging[P, T]) firstPages(ctx context.Context, k *Loaders, opts ListOptions, parents []P, parts map[P][]part) (map[P]*model.Connection[T], error) {
	asked := &groupsAsked{limit: opts.Page.First + 1, sorting: l.sorting}
	var owner []P
	for i, p := range parents {
		for _, g := range groupsOf(parts[p]) {
			if l.ranked {
				g.List = i + 1
			}
			asked.groups, owner = append(asked.groups, g), append(owner, p)
		}
	}
	rows := map[P][]positioned[T]{}
	if len(asked.groups) > 0 {
		lists, err := k.groups.Load(ctx, asked)()
		if err != nil {
			return nil, err
		}
		for i := range lists {
			if rows[owner[i]], err = appendPositions(rows[owner[i]], &lists[i]); err != nil {
				return nil, err
			}
		}
	}
	out := make(map[P]*model.Connection[T], len(parents))
	var all []T
	for _, p := range parents {
		out[p] = l.connection(p, opts.Page, rows[p])
		all = append(all, out[p].Nodes()...)
	}
	batch.Join(k.Operation, all)
	if opts.counts() {
		return out, batch.Lacking(l.count(ctx, k, opts, parts, out))
	}
	return out, nil
}

// one reads the list of one parent by itself: from its start, or after a cursor.
func (l paging[P, T]) one(ctx context.Context, k *Loaders, opts ListOptions, parent P, parts []part) (*model.Connection[T], error) {
	after, err := parsePosition(list{l.name, l.of(parent)}, opts.Page.After)
	if err != nil {
		return nil, err
	}
	limit := opts.Page.First + 1
	if len(parts) > 1 {
		limit++ // see below
	}
	found := make([]*pedia.List[T], len(parts))
	g, reading := errgroup.WithContext(ctx)
	for i, p := range parts {
		g.Go(panics.Guard(func() (err error) {
			found[i], err = pedia.Fetch(reading, k.source.Store, sql.Query{Scope: k.scope, Order: l.sorting.order, Descending: l.sorting.descending,
				After: after, Limit: limit, Clusters: p.clusters, GVRs: p.gvrs, Where: p.where}, l.decode)
			return err
		}))
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var rows []positioned[T]
	for _, list := range found {
		rows = append(rows, positions(list)...)
	}
	if after != nil {
		// A part knows the order of its own kinds only: an object with the name of the row at the cursor may be
		// returned again.
		rows = slices.DeleteFunc(rows, func(r positioned[T]) bool { return l.sorting.compare(r.at, *after) <= 0 })
	}
	conn := l.connection(parent, opts.Page, rows)
	batch.Join(k.Operation, conn.Nodes())
	if opts.counts() {
		return conn, batch.Lacking(l.count(ctx, k, opts, map[P][]part{parent: parts}, map[P]*model.Connection[T]{parent: conn}))
	}
	return conn, nil
}

func groupsOf(parts []part) []sql.Group {
	var out []sql.Group
	for _, p := range parts {
		for _, cluster := range p.clusters {
			for _, gvr := range p.gvrs {
				out = append(out, sql.Group{GVR: gvr, Cluster: cluster, Where: p.where})
			}
		}
	}
	return out
}

// positioned is a row and its position.
type positioned[T any] struct {
	row T
	at  sql.Position
}

// appendPositions adds rows of any kind that have one type.
func appendPositions[T any](out []positioned[T], list *pedia.List[model.KubernetesObject]) ([]positioned[T], error) {
	for i, obj := range list.Rows {
		row, ok := obj.(T)
		if !ok && isResource[T]() {
			r, err := asResource(obj)
			if err != nil {
				return nil, err
			}
			row, ok = any(r).(T)
		}
		if !ok {
			return nil, fmt.Errorf("a row of %s is a %T", list.Positions[i].GVR, obj)
		}
		out = append(out, positioned[T]{row, list.Positions[i]})
	}
	return out, nil
}

// isResource reports whether a list is of objects of any kind, as the generic type.
func isResource[T any]() bool {
	_, ok := any(*new(T)).(*model.KubernetesResource)
	return ok
}

func positions[T any](list *pedia.List[T]) []positioned[T] {
	out := make([]positioned[T], len(list.Rows))
	for i, row := range list.Rows {
		out[i] = positioned[T]{row, list.Positions[i]}
	}
	return out
}

// connection cuts the first page from rows of several groups, each in order; one row may be in more than one of them.
func (l paging[P, T]) connection(parent P, page model.Page, rows []positioned[T]) *model.Connection[T] {
	slices.SortStableFunc(rows, func(a, b positioned[T]) int { return l.sorting.compare(a.at, b.at) })
	rows = slices.CompactFunc(rows, func(a, b positioned[T]) bool { return a.at == b.at })
	more := len(rows) > page.First
	rows = rows[:min(len(rows), page.First)]
	of := list{l.name, l.of(parent)}
	conn := &model.Connection[T]{Edges: make([]model.Edge[T], len(rows)),
		PageInfo: model.PageInfo{HasNextPage: more, HasPreviousPage: page.After != ""}}
	for i, r := range rows {
		conn.Edges[i] = model.Edge[T]{Cursor: positionCursor(of, r.at), Node: r.row}
	}
	if n := len(conn.Edges); n > 0 {
		conn.PageInfo.StartCursor, conn.PageInfo.EndCursor = &conn.Edges[0].Cursor, &conn.Edges[n-1].Cursor
	}
	return conn
}

func (s sorting) compare(a, b sql.Position) int {
	c := 0
	if s.order != "" && s.order != sql.ByName {
		c = strings.Compare(a.At, b.At)
	}
	c = cmp.Or(c, a.Key.Compare(b.Key), cmp.Compare(catalog.Rank(a.GVR), catalog.Rank(b.GVR)))
	if s.descending {
		return -c
	}
	return c
}

const (
	// counters is how many totals are requested at once.
	counters = 8
	// mostNamed is how many rows of each list are read by name instead of counted, where that gives the totals of many
	// lists in one request.
	mostNamed = 1000
)

// total is the total of a list being counted.
type total[T any] struct {
	conn  *model.Connection[T]
	parts []part
	n     int
	// estimated says that n is not exact, unknown that the store cannot count it.
	estimated, unknown bool
}

// count fills in the totals, or estimates where only those are asked for: for a list that ends with its first page the total is known, the others take a request for
// each of their parts; or one for all, where metadata is enough to select their rows.
func (l paging[P, T]) count(ctx context.Context, k *Loaders, opts ListOptions, parts map[P][]part, conns map[P]*model.Connection[T]) error {
	var open []*total[T]
	for p, conn := range conns {
		if !conn.PageInfo.HasNextPage && !conn.PageInfo.HasPreviousPage {
			conn.Counted(len(conn.Edges), opts.Count, opts.Estimate)
			continue
		}
		open = append(open, &total[T]{conn: conn, parts: parts[p]})
	}
	if l.metadataTells && len(open) > 1 {
		if err := named(ctx, k, open); err != nil {
			return err
		}
	}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(counters)
	for _, t := range open {
		for _, part := range t.parts {
			g.Go(panics.Guard(func() error {
				var n *int
				var err error
				exact := opts.Count
				if exact {
					n, err = k.countRows(ctx, part)
				} else {
					n, exact, err = pedia.Estimate(ctx, k.source.Store, part.all(k))
				}
				mu.Lock()
				defer mu.Unlock()
				if n != nil {
					t.n += *n
				}
				t.unknown, t.estimated = t.unknown || n == nil, t.estimated || !exact
				return err
			}))
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, t := range open {
		switch {
		case t.unknown:
		case t.estimated:
			t.conn.TotalCountEstimate = &model.CountEstimate{Value: t.n}
		default:
			t.conn.Counted(t.n, opts.Count, opts.Estimate)
		}
	}
	return nil
}

// named counts lists by the names of their rows, in one request for all. Lists of more than mostNamed rows remain to be
// counted.
func named[T any](ctx context.Context, k *Loaders, open []*total[T]) error {
	q := sql.Query{Scope: k.scope, Limit: mostNamed, MetadataOnly: true}
	var of []*total[T]
	for _, t := range open {
		for _, g := range groupsOf(t.parts) {
			q.Groups, of = append(q.Groups, g), append(of, t)
		}
	}
	lists, err := pedia.FetchGroups(ctx, k.source.Store, q, decodeName)
	if err != nil {
		return err
	}
	// A row may be in more than one part of a list.
	rows, full := map[*total[T]]map[sql.Key]bool{}, map[*total[T]]bool{}
	for i := range lists {
		if rows[of[i]] == nil {
			rows[of[i]] = map[sql.Key]bool{}
		}
		for _, at := range lists[i].Positions {
			rows[of[i]][at.Key] = true
		}
		full[of[i]] = full[of[i]] || lists[i].Full
	}
	for _, t := range open {
		if !full[t] {
			t.n, t.parts = len(rows[t]), nil
		}
	}
	return nil
}

// decodeName reads only the position of a row.
func decodeName(r sql.Row) (struct{}, sql.Key, error) {
	var o struct {
		Metadata struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"metadata"`
	}
	err := jsonv2.Unmarshal(r.Raw, &o)
	return struct{}{}, sql.Key{Namespace: o.Metadata.Namespace, Name: o.Metadata.Name}, err
}

// countRows returns how many rows a part has; nil when the store cannot count them.
func (k *Loaders) countRows(ctx context.Context, p part) (*int, error) {
	return pedia.Count(ctx, k.source.Store, p.all(k))
}

// all is the query for all rows of a part.
func (p part) all(k *Loaders) sql.Query {
	return sql.Query{Scope: k.scope, Clusters: p.clusters, GVRs: p.gvrs, Where: p.where}
}

func positionCursor(l list, p sql.Position) string {
	return l.cursor(p.Cluster, p.Namespace, p.Name, p.GVR.Group, p.GVR.Version, p.GVR.Resource, p.At)
}

func parsePosition(l list, cursor string) (*sql.Position, error) {
	if cursor == "" {
		return nil, nil //nolint:nilnil // no cursor is the first page
	}
	f, err := l.parse(cursor, 7)
	if err != nil {
		return nil, err
	}
	return &sql.Position{At: f[6], Key: sql.Key{Cluster: f[0], Namespace: f[1], Name: f[2],
		GVR: schema.GroupVersionResource{Group: f[3], Version: f[4], Resource: f[5]}}}, nil
}
