package loaders

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders/batch"
)

// PolicyPreviewRows are the objects that a change of a propagation policy concerns: those that it claims now, and those that
// it would select. Only what is shown is computed.
func (k *Loaders) PolicyPreviewRows(ctx context.Context, p *model.PolicyPreview, opts ListOptions) (*model.PolicyPreviewRowConnection, error) {
	concern := concerned{instance: p.Instance, ref: p.Ref(), selecting: p.After}
	if p.Before != nil {
		concern.label, concern.id = policy.ClaimLabel(p.Before)
	}
	concern.kinds = selectedKinds(p.Before, p.After)
	page, err := k.concernedBy(ctx, &concern, opts)
	if page == nil {
		return nil, err
	}
	change := &policy.Change{Before: p.Before, After: p.After, Preemption: p.Preemption, Hidden: k.hidesSome(p.Instance)}
	kinds := []string{}
	for _, gvk := range concern.kinds {
		kinds = append(kinds, gvk.Kind)
	}
	others, failed := k.otherPolicies(ctx, p.Ref(), p.Ref().Namespace, kinds)
	if failed != nil {
		return nil, failed
	}
	change.Others = others
	rows, failed := k.policyRows(ctx, p.Instance, change, page.Nodes())
	if failed != nil {
		return nil, failed
	}
	return sameEdges(page, rows), err
}

// sameEdges is a page with other rows.
func sameEdges[F, T any](page *model.Connection[F], rows []T) *model.Connection[T] {
	out := &model.Connection[T]{Edges: make([]model.Edge[T], len(rows)), PageInfo: page.PageInfo, TotalCount: page.TotalCount}
	for i, row := range rows {
		out.Edges[i] = model.Edge[T]{Cursor: page.Edges[i].Cursor, Node: row}
	}
	return out
}

// policyRows is the rows of some objects.
func (k *Loaders) policyRows(ctx context.Context, instance string, change *policy.Change, of []model.KubernetesObject) ([]*model.PolicyPreviewRow, error) {
	subjects, err := k.subjects(ctx, of)
	if err != nil || len(subjects) == 0 {
		return nil, err
	}
	p, err := k.newPlacing(instance)
	if err != nil {
		return nil, err
	}
	rows, err := panics.Catch(func() ([]*model.PolicyPreviewRow, error) {
		rows := make([]*model.PolicyPreviewRow, len(subjects))
		for i := range subjects {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			row, err := p.row(ctx, change, &subjects[i])
			if err != nil {
				return nil, err
			}
			rows[i] = row
		}
		return rows, nil
	})
	batch.Join(k.Operation, rows)
	return rows, err
}

// subjects is objects with their bindings: one request for all.
func (k *Loaders) subjects(ctx context.Context, of []model.KubernetesObject) ([]subject, error) {
	out := make([]subject, 0, len(of))
	refs := make([]model.Ref, 0, len(of))
	for _, obj := range of {
		o, ok := obj.(interface{ ObjectMeta() *model.Object })
		if !ok {
			return nil, fmt.Errorf("a %T in a preview", obj)
		}
		out = append(out, subject{object: o.ObjectMeta()})
		refs = append(refs, bindingRef(o.ObjectMeta()))
	}
	found, unread := refsOf[*model.ResourceBinding](ctx, k, refs)
	for i, ref := range refs {
		if err := unread[ref]; err != nil {
			return nil, err
		}
		// A binding's name leaves out the API group, and may be of an object that is gone.
		if b := found[ref]; b != nil && (b.Resource.UID == "" || string(b.Resource.UID) == out[i].object.UID) {
			out[i].binding = b
		}
	}
	return out, nil
}

// concerned is the objects that a change of a policy concerns.
type concerned struct {
	instance string
	ref      model.Ref
	// label and id mark what it claims now; empty when it claims nothing.
	label, id string
	// kinds are those that it may concern.
	kinds []schema.GroupVersionKind
	// selecting is the policies whose selectors count; nil for none.
	selecting *model.PolicyBody
	also      *model.PolicyBody
	// reads is what they ask for, once it is known.
	reads []policy.Read
}

func (c *concerned) key() string { return c.ref.ID() }

// where is the conditions on objects of a kind; none when the policy concerns none.
func (c *concerned) where(gvk schema.GroupVersionKind) []sql.Condition {
	var either []sql.Condition
	if c.id != "" {
		either = append(either, sql.LabelIn(c.label, c.id))
	}
	if c.reads == nil {
		for _, body := range []*model.PolicyBody{c.selecting, c.also} {
			if body != nil {
				c.reads = append(c.reads, policy.Reads(body)...)
			}
		}
	}
	for _, r := range c.reads {
		if r.GVK == gvk || r.GVK.Empty() {
			either = append(either, conditionOf(r))
		}
	}
	switch len(either) {
	case 0:
		return nil
	case 1:
		return either
	}
	return []sql.Condition{sql.Any(either...)}
}

// conditionOf is what a read asks of an object, but for its kind.
func conditionOf(r policy.Read) sql.Condition {
	var all []sql.Condition
	if r.Namespace != "" {
		all = append(all, sql.Namespaces(r.Namespace))
	}
	if len(r.Names) > 0 {
		all = append(all, sql.Names(r.Names...))
	}
	if selector, err := labels.Parse(r.LabelSelector); err == nil && !selector.Empty() {
		all = append(all, sql.Labels(selector))
	}
	if len(all) == 1 {
		return all[0]
	}
	return sql.All(all...)
}

// parts is what the read store holds of them; elsewhere is the kinds that it does not keep.
func (k *Loaders) concernedParts(c *concerned) (parts []part, elsewhere []schema.GroupVersionKind, err error) {
	kinds := slices.Clone(c.kinds)
	if slices.ContainsFunc(kinds, isNoKind) {
		kinds = overridable
	}
	for _, gvk := range kinds {
		known := catalog.ByGVK(gvk)
		if known == nil || !known.KeptIn("") {
			elsewhere = append(elsewhere, gvk)
			continue
		}
		where := c.where(gvk)
		if where == nil || !k.mayList(c.instance, known.GVR()) {
			continue
		}
		p, err := k.rowsIn(c.instance, "", []schema.GroupVersionResource{known.GVR()}, where...)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, p)
	}
	return parts, elsewhere, nil
}

// overridable is the kinds that an override policy without selectors is previewed for.
var overridable = func() []schema.GroupVersionKind {
	var out []schema.GroupVersionKind
	for _, kind := range catalog.Kinds() {
		if kind.KeptIn("") && kind.Member != catalog.No && kind.GVK.Kind != "Event" && kind.GVK.Kind != "Namespace" {
			out = append(out, kind.GVK)
		}
	}
	return out
}()

// mostLive is how many objects are listed that the read store does not keep.
const mostLive = 500

var concernedRows = paging[*concerned, model.KubernetesObject]{name: "preview", of: (*concerned).key, decode: decodeRow}

// concernedBy is a page of the objects: those that the read store holds, and after them the others.
func (k *Loaders) concernedBy(ctx context.Context, c *concerned, opts ListOptions) (*model.Connection[model.KubernetesObject], error) {
	if err := CheckPage(opts.Page); err != nil {
		return nil, err
	}
	parts, elsewhere, err := k.concernedParts(c)
	if err != nil {
		return nil, err
	}
	other := list{"preview of other kinds", c.key()}
	_, isOther := other.parse(opts.Page.After, 3)
	page := &model.Connection[model.KubernetesObject]{Edges: []model.Edge[model.KubernetesObject]{}}
	var partial error
	if len(parts) > 0 && (opts.Page.After == "" || isOther != nil) {
		l := concernedRows
		l.parts = func(*concerned) ([]part, error) { return parts, nil }
		found, err := l.read(ctx, k, opts, []*concerned{c})
		if found[c] == nil {
			return nil, err
		}
		page, partial = found[c], err
	} else if opts.Count {
		if page.TotalCount, err = k.countParts(ctx, parts); err != nil {
			return nil, err
		}
	}
	if len(elsewhere) == 0 {
		if len(parts) == 0 && opts.Page.After != "" {
			return nil, model.BadInput("after", "is a cursor of another list; give the endCursor of this list's page before")
		}
		return page, partial
	}
	rows, err := k.liveRows(ctx, c, elsewhere)
	if err != nil {
		return nil, err
	}
	return appendLive(page, rows, other, opts), partial
}

// countParts is how many rows some parts have together; nil when the store cannot count them, or lacks some.
func (k *Loaders) countParts(ctx context.Context, parts []part) (*int, error) {
	sum := 0
	for _, p := range parts {
		n, err := k.countRows(ctx, p)
		if n == nil || err != nil || p.missing != nil {
			return nil, err
		}
		sum += *n
	}
	return &sum, nil
}

// appendLive adds the objects of other kinds to the last page of those in the read store.
func appendLive(page *model.Connection[model.KubernetesObject], rows []model.KubernetesObject, other list, opts ListOptions) *model.Connection[model.KubernetesObject] {
	if page.TotalCount != nil {
		n := *page.TotalCount + len(rows)
		page.TotalCount = &n
	}
	if page.PageInfo.HasNextPage {
		return page
	}
	position := func(o model.KubernetesObject) []string {
		ref := o.ObjectRef()
		return []string{ref.GVK.String(), ref.Namespace, ref.Name}
	}
	slices.SortFunc(rows, func(a, b model.KubernetesObject) int { return slices.Compare(position(a), position(b)) })
	if after, err := other.parse(opts.Page.After, 3); err == nil {
		rows = slices.DeleteFunc(rows, func(o model.KubernetesObject) bool { return slices.Compare(position(o), after) <= 0 })
	}
	for _, o := range rows {
		if len(page.Edges) == opts.Page.First {
			page.PageInfo.HasNextPage = true
			break
		}
		page.Edges = append(page.Edges, model.Edge[model.KubernetesObject]{Cursor: other.cursor(position(o)...), Node: o})
	}
	page.PageInfo.HasPreviousPage = opts.Page.After != ""
	if n := len(page.Edges); n > 0 {
		page.PageInfo.StartCursor, page.PageInfo.EndCursor = &page.Edges[0].Cursor, &page.Edges[n-1].Cursor
	}
	return page
}

// liveRows is the objects of kinds that the read store does not keep, from the API server itself, as the reader.
func (k *Loaders) liveRows(ctx context.Context, c *concerned, kinds []schema.GroupVersionKind) ([]model.KubernetesObject, error) {
	var out []model.KubernetesObject
	seen := map[model.Ref]bool{}
	for _, q := range c.queries(kinds) {
		q.Who, q.Instance, q.Limit = k.who(), c.instance, mostLive-len(out)
		page, err := k.source.KubeAPI.List(ctx, q)
		var e *model.Error
		switch {
		case errors.As(err, &e) && (e.Code == model.CodeNotFound || e.Code == model.CodeForbidden):
			continue // no such kind, or none that the reader may see
		case err != nil:
			return nil, err
		case page.Next != "" || len(out)+len(page.Rows) >= mostLive:
			return nil, &model.Error{Code: model.CodeLimitExceeded, Instance: c.instance,
				Message: fmt.Sprintf("the policy concerns more than %d objects of kinds that the read store does not keep: they are too many for a preview", mostLive)}
		}
		for _, row := range page.Rows {
			obj, err := objects.DecodeResource(c.instance, "", q.GVK, row.Raw)
			if err != nil {
				return nil, err
			}
			if !seen[obj.Ref] && c.concerns(&obj.Object) {
				seen[obj.Ref] = true
				out = append(out, obj)
			}
		}
	}
	return out, nil
}

// queries is the lists to read of some kinds.
func (c *concerned) queries(kinds []schema.GroupVersionKind) []kubeapi.Query {
	var out []kubeapi.Query
	for _, gvk := range kinds {
		q := kubeapi.Query{GVK: gvk}
		if c.ref.Namespace != "" {
			q.Namespaces = []string{c.ref.Namespace}
		}
		out = append(out, q)
	}
	return out
}

// concerns reports whether the change concerns an object.
func (c *concerned) concerns(o *model.Object) bool {
	if c.id != "" && slices.Contains(o.Labels, model.KeyValue{Key: c.label, Value: c.id}) {
		return true
	}
	for _, body := range []*model.PolicyBody{c.selecting, c.also} {
		if body != nil && policy.Selects(body, o) != policy.HowNot {
			return true
		}
	}
	return false
}

func isNoKind(gvk schema.GroupVersionKind) bool { return gvk.Empty() }
