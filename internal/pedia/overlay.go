package pedia

import (
	"context"
	"slices"
	"time"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Who has written an object is shown no older version of it, although the store lags behind: what they wrote is laid over what
// the store answers. Everything that is read of the store passes here, so no reader has to know.
//
// What the store holds of the written objects is read first, unless it was seen to have caught up: only then it is known whether
// an object that is missing in a list is missing because the store is late, and what to add to or take from a number. It is read before the
// list, since the other way round a version that arrives in between would be in neither.

// Remember has the client lay over its answers what people wrote themselves.
func (c *Client) Remember(writes *ownwrites.Log) { c.own = writes }

// overlay is the caller's writes that concern a query. Nil for none.
type overlay struct {
	now time.Time
	of  map[sql.Key]*own
	// late is how many of them the store does not have yet.
	late int
}

// own is one write of the caller.
type own struct {
	key   sql.Key
	write *ownwrites.Write
	// before is what the store holds of it; nil for nothing.
	before *sql.View
	// late says that the store has not caught up.
	late bool
}

// keyOf is the key of a written object.
func keyOf(ref model.Ref) sql.Key {
	return sql.Key{Cluster: pediacluster.Name(ref.Instance, ref.Cluster), GVR: catalog.ByGVK(ref.GVK).GVR(), Namespace: ref.Namespace, Name: ref.Name}
}

func versionOf(v *sql.View) ownwrites.Version {
	m := v.Head().Metadata
	return ownwrites.Version{UID: m.UID, ResourceVersion: m.ResourceVersion}
}

// written returns the caller's writes that a query concerns. Nothing is read for it.
func (c *Client) written(ctx context.Context, scope rbac.Scope, concerns func(sql.Key) bool) *overlay {
	writes := c.own.Of(rbac.PrincipalFrom(ctx).Name, func(ref model.Ref) bool {
		if catalog.ByGVK(ref.GVK) == nil {
			return false // the read store does not hold it: clusters are read from a watch
		}
		key := keyOf(ref)
		return concerns(key) && sql.Visible(scope, key)
	})
	if len(writes) == 0 {
		return nil
	}
	o := &overlay{now: c.own.Now(), of: make(map[sql.Key]*own, len(writes))}
	for _, w := range writes {
		mine := &own{key: keyOf(w.Ref), write: w}
		o.of[mine.key] = mine
	}
	return o
}

// compared is written, compared with what the store holds of the objects.
func (c *Client) compared(ctx context.Context, scope rbac.Scope, concerns func(sql.Key) bool) (*overlay, error) {
	o := c.written(ctx, scope, concerns)
	if o == nil {
		return nil, nil //nolint:nilnil // nothing to lay over
	}
	var asked []sql.Key
	for key, mine := range o.of {
		if !mine.write.Settled() {
			asked = append(asked, key)
		}
	}
	held, err := c.held(ctx, scope, asked)
	if err != nil {
		return nil, err
	}
	for _, key := range asked {
		if mine := o.of[key]; mine.meet(held[key], o.now) {
			o.late++
		}
	}
	return o, nil
}

// among concerns the kinds and clusters of a query.
func among(q *sql.Query) func(sql.Key) bool {
	return func(k sql.Key) bool { return slices.Contains(q.GVRs, k.GVR) && slices.Contains(q.Clusters, k.Cluster) }
}

// after is the written object as a row; nil for a deleted one. Each reading has a row of its own: two sources may be read at once.
func (m *own) after() *sql.View {
	if m.write.Raw == nil {
		return nil
	}
	return &sql.View{Row: sql.Row{Cluster: m.key.Cluster, GVR: m.key.GVR, Raw: m.write.Raw}, Key: m.key}
}

// held is what the store holds at some keys.
func (c *Client) held(ctx context.Context, scope rbac.Scope, keys []sql.Key) (map[sql.Key]*sql.View, error) {
	out := make(map[sql.Key]*sql.View, len(keys))
	q := sql.Query{Scope: scope}
	for chunk := range slices.Chunk(keys, maxNames) {
		rows, err := asked(ctx, c, func(ctx context.Context, from *source, _ Features, _ bool) ([]*sql.View, error) {
			s, err := q.Keys(chunk)
			if err != nil {
				return nil, err
			}
			answer, err := from.run(ctx, s)
			if err != nil {
				return nil, err
			}
			return answer.Rows, nil
		})
		if err != nil {
			return nil, err
		}
		for _, v := range rows {
			v.Place()
			out[v.Key] = v
		}
	}
	return out, nil
}

// widened is a query for as many more rows as may be taken away again.
func (o *overlay) widened(q *sql.Query) *sql.Query {
	if o == nil || o.late == 0 {
		return q
	}
	wide := *q
	wide.Limit += o.late
	return &wide
}

// member is the written object as a row of a list; nil when it does not belong there. Where the row does not show whether it does, it does
// if its older version is listed.
func (m *own) member(listed bool, beside *sql.Rows, where ...[]sql.Condition) *sql.View {
	after := m.after()
	if after == nil || !listed && !m.late {
		return nil
	}
	after.Beside = beside
	if meets, known := after.Surely(where...); !meets && (known || !listed) {
		return nil
	}
	return after
}

// page lays the writes over the rows of a page that was asked for with a wider query.
func (o *overlay) page(q, wide *sql.Query, rows []*sql.View) []*sql.View {
	if o == nil {
		return rows
	}
	ends, end := len(rows) >= wide.Limit, sql.Position{}
	out, listed := make([]*sql.View, 0, len(rows)), map[sql.Key]bool{}
	for _, v := range rows {
		v.Place()
		if at := positionOf(q, v); ends && (end == sql.Position{} || q.Compare(at, end) > 0) {
			end = at
		}
		if mine := o.of[v.Key]; mine != nil && mine.write.Outdates(versionOf(v)) {
			listed[v.Key] = true
			continue
		}
		out = append(out, v)
		if o.of[v.Key] != nil {
			listed[v.Key] = false
		}
	}
	for key, mine := range o.of {
		outdated, found := listed[key]
		if found && !outdated {
			continue
		}
		// What is beyond a page that is full belongs to the next one.
		if after := mine.member(outdated, nil, q.Where); after != nil && q.Beyond(positionOf(q, after)) && (!ends || q.Compare(positionOf(q, after), end) <= 0) {
			out = append(out, after)
		}
	}
	slices.SortStableFunc(out, func(a, b *sql.View) int { return q.Compare(positionOf(q, a), positionOf(q, b)) })
	return out[:min(len(out), q.Limit)]
}

func positionOf(q *sql.Query, v *sql.View) sql.Position {
	return sql.Position{Key: v.Key, At: v.At(q.Order)}
}

// meet compares a write with what the store holds of its object now, and reports whether the store is late.
func (m *own) meet(held *sql.View, now time.Time) bool {
	m.before, m.late = held, held != nil && m.write.Outdates(versionOf(held)) || held == nil && m.write.Young(now)
	if !m.late {
		m.write.Settle(now)
	}
	return m.late
}

// number corrects the number of a query's rows by what the store does not have yet.
func (o *overlay) number(q *sql.Query, n *int) *int {
	if o == nil || n == nil {
		return n
	}
	sum := *n
	for _, mine := range o.of {
		if !mine.late {
			continue
		}
		before, after, counted := false, false, true
		if mine.before != nil {
			held := *mine.before // see after
			before, counted = held.Surely(q.Where)
		}
		if written := mine.after(); written != nil && counted {
			after, counted = written.Surely(q.Where)
		}
		switch {
		case !counted:
		case after && !before:
			sum++
		case before && !after:
			sum--
		}
	}
	sum = max(sum, 0)
	return &sum
}

// keys lays the writes over the rows at some keys.
func (o *overlay) keys(keys []sql.Key, rows []*sql.View) []*sql.View {
	if o == nil {
		return rows
	}
	found, out := make(map[sql.Key]*sql.View, len(rows)), make([]*sql.View, 0, len(rows))
	for _, v := range rows {
		v.Place()
		if o.of[v.Key] == nil {
			out = append(out, v)
		} else {
			found[v.Key] = v
		}
	}
	for _, key := range keys {
		mine := o.of[key]
		if mine == nil {
			continue
		}
		row := found[key]
		if row != nil && mine.write.Outdates(versionOf(row)) || row == nil && mine.write.Young(o.now) {
			row = mine.after()
		} else {
			mine.write.Settle(o.now)
		}
		if row != nil {
			out = append(out, row)
		}
	}
	return out
}

// groups lays the writes over the rows of groups, of which each has those at its place in of. Rows are linked to those beside them.
func (o *overlay) groups(q, wide *sql.Query, within map[place][]int, of [][]*sql.View, beside *sql.Rows) {
	if o == nil {
		return
	}
	ends := endsOf(q, wide, of)
	for key, mine := range o.of {
		for _, i := range within[place{key.GVR, key.Cluster}] {
			listed, found := false, false
			of[i] = slices.DeleteFunc(of[i], func(v *sql.View) bool {
				if v.Key != key {
					return false
				}
				found, listed = true, mine.write.Outdates(versionOf(v))
				return listed
			})
			if found && !listed {
				continue
			}
			after := mine.member(listed, beside, q.Where, q.Groups[i].Where)
			if after != nil && (ends[i] == nil || q.Compare(positionOf(q, after), *ends[i]) <= 0) {
				of[i] = append(of[i], after)
			}
		}
	}
}

// endsOf is for each group where its rows end because there were enough of them; nil for a group that was read to its end. Groups of one
// list end together.
func endsOf(q, wide *sql.Query, of [][]*sql.View) []*sql.Position {
	type reached struct {
		rows int
		end  sql.Position
	}
	lists := map[int]*reached{}
	list := func(i int) int {
		if l := q.Groups[i].List; l != 0 {
			return l
		}
		return -1 - i
	}
	for i, rows := range of {
		l := lists[list(i)]
		if l == nil {
			l = &reached{}
			lists[list(i)] = l
		}
		for _, v := range rows {
			if at := positionOf(q, v); l.rows == 0 || q.Compare(at, l.end) > 0 {
				l.end = at
			}
			l.rows++
		}
	}
	out := make([]*sql.Position, len(of))
	for i := range of {
		if l := lists[list(i)]; l.rows >= wide.Limit {
			out[i] = &l.end
		}
	}
	return out
}
