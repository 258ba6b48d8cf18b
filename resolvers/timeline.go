package resolvers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/timeline"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/loaders/batch"
)

const (
	// timelineMargin is how many entries of one moment a source may have beside those of the page.
	timelineMargin = 20
	// maxTimelinePolicies is of how many policies it is told what was done to them.
	maxTimelinePolicies = 50
	// maxAuditPage is how many events of the audit log are read at once.
	maxAuditPage = 200
)

// timelineOrder is the newest first.
var timelineOrder = loaders.Sorted[*model.TimelineEntry]{
	Value:      func(e *model.TimelineEntry) string { return e.At.UTC().Format(timelineTime) },
	Name:       func(e *model.TimelineEntry) string { return string(e.Kind) + " " + e.Key },
	Descending: true,
}

// timelineTime sorts as the times do.
const timelineTime = "2006-01-02T15:04:05.000000000Z07:00"

// timelineOf is a page of the story of an object. Each source gives its newest entries before the page's cursor, which are enough for
// the page whatever the others give.
func (r *Resolver) timelineOf(ctx context.Context, o *model.Object, w *model.WorkloadMeta, p model.Page, since *time.Time) (*model.TimelineConnection, error) {
	if err := loaders.CheckPage(p); err != nil {
		return nil, err
	}
	at, err := loaders.CursorValue("timeline", o.ID(), p.After, timelineOrder)
	if err != nil {
		return nil, err
	}
	asked := loaders.TimelineAsked{Limit: p.First + 1 + timelineMargin}
	if at != "" {
		if asked.Until, err = time.Parse(timelineTime, at); err != nil || asked.Until.Year() < 1 || asked.Until.Year() > 9999 {
			return nil, model.BadInput("after", "is not a cursor of this list")
		}
	}
	if since != nil {
		asked.Since = *since
	}
	story := loaders.From(ctx).Timeline(ctx, o, w, asked)
	done := r.timelineAudit(ctx, o, asked)
	reportOnce(ctx, append(story.Errors, done.errors...))
	conn, err := loaders.PageOf("timeline", o.ID(), append(story.Entries, done.entries...), p, timelineOrder)
	if err != nil {
		return nil, err
	}
	conn.Uncounted()
	// A source that gave all it may has older entries than the page, which it fills.
	conn.PageInfo.HasNextPage = conn.PageInfo.HasNextPage || (story.More || done.more) && len(conn.Edges) == p.First
	return &model.TimelineConnection{Connection: *conn, Withheld: done.withheld}, nil
}

// reportOnce adds the errors of sources: one that several of them read from is one error, and none that another field has reported.
func reportOnce(ctx context.Context, failures []error) {
	var said []string
	for _, err := range failures {
		if errors.As(err, new(*batch.Reported)) || slices.Contains(said, err.Error()) {
			continue
		}
		said = append(said, err.Error())
		graphql.AddError(ctx, err)
	}
}

// timelineAudit is what the audit log tells of an object and its policies, as far as the viewer may see it, and whether there is more.
func (r *Resolver) timelineAudit(ctx context.Context, o *model.Object, asked loaders.TimelineAsked) (told auditTold) {
	visible := r.auditVisible(ctx)
	told.withheld = []model.TimelineKind{}
	if !visible.Shows(o.Ref.Instance, o.Ref.Namespace) {
		told.withheld = append(told.withheld, model.TimelineAudit, model.TimelinePolicy)
		return told
	}
	if o.Ref.Cluster == "" && !visible.Shows(o.Ref.Instance, "") { // what was done to cluster-wide policies
		told.withheld = append(told.withheld, model.TimelinePolicy)
	}
	policies, failures := r.timelinePolicies(ctx, visible, o, asked.Since)
	told.errors = failures
	own := audit.Object{Ref: o.Ref, Resource: resourceOf(o.Ref.GVK)}
	f := audit.Filter{Objects: append([]audit.Object{own}, policies...), Since: asked.Since, Until: asked.Until, Outcomes: ended}
	page, err := r.AuditLog.Page(ctx, visible, f, model.Page{First: min(asked.Limit, maxAuditPage)})
	if err != nil {
		told.errors = append(told.errors, err)
		return told
	}
	told.more = page.PageInfo.HasNextPage
	for _, e := range page.Nodes() {
		if i := slices.IndexFunc(f.Objects, func(t audit.Object) bool { return t.Is(e) }); i >= 0 {
			told.entries = append(told.entries, timeline.OfAudit(r.doneOf(ctx, e, f.Objects[i].Ref), i > 0))
		}
	}
	return told
}

// auditTold is what the audit log tells.
type auditTold struct {
	entries  []*model.TimelineEntry
	withheld []model.TimelineKind
	// more says that there are older events.
	more   bool
	errors []error
}

// ended is all but that something began: another event says how it ended.
var ended = []audit.Outcome{audit.Succeeded, audit.Failed, audit.Refused, audit.Cancelled}

// timelinePolicies are the policies that claim or override an object, that Karmada says did so, and that selected it when somebody wrote
// them in the period: also those that are gone. Only those that the viewer may read. They are the same for each page of a timeline,
// whatever its cursor.
func (r *Resolver) timelinePolicies(ctx context.Context, visible audit.Visible, o *model.Object, since time.Time) (out []audit.Object, failures []error) {
	if o.Ref.Cluster != "" {
		return nil, nil
	}
	add := func(ref model.Ref) {
		if len(out) < maxTimelinePolicies && mayRead(ctx, ref) && !slices.ContainsFunc(out, func(t audit.Object) bool { return t.Ref == ref }) {
			out = append(out, audit.Object{Ref: ref, Resource: resourceOf(ref.GVK)})
		}
	}
	if o.Claim != nil {
		add(o.Claim.Ref)
	}
	if p, _ := loaders.From(ctx).Propagation(ctx, o); p != nil { // its failure was reported by the loaders' part
		applied, _ := loaders.From(ctx).OverridePolicies(ctx, p) // without them the rest is told
		for _, p := range applied {
			add(p.ObjectRef())
		}
	}
	named, err := loaders.From(ctx).PoliciesNamed(ctx, o)
	if err != nil {
		failures = append(failures, err)
	}
	for _, ref := range named {
		add(ref)
	}
	written, err := r.AuditLog.Policies(ctx, visible, o.Ref, since)
	if err != nil {
		failures = append(failures, err)
	}
	for _, w := range written {
		if policy.SelectedBy(w.Policy, w.Selects, o) {
			add(w.Policy)
		}
	}
	return out, failures
}

// resourceOf is a kind as URLs have it.
func resourceOf(gvk schema.GroupVersionKind) string {
	if known := catalog.ByGVK(gvk); known != nil {
		return known.Resource
	}
	return strings.ToLower(gvk.Kind) + "s"
}

// mayRead reports whether the viewer may read an object.
func mayRead(ctx context.Context, ref model.Ref) bool {
	return rbac.ScopeFrom(ctx).Sees(ref.Instance, schema.GroupResource{Group: ref.GVK.Group, Resource: resourceOf(ref.GVK)}).Has(ref.Namespace)
}

func (r *Resolver) doneOf(ctx context.Context, e *audit.Event, ref model.Ref) timeline.Done {
	done := timeline.Done{ID: e.ID, Principal: e.Principal, Action: e.Action, Subresource: e.Subresource, Outcome: string(e.Outcome), Message: e.Message,
		At: e.At, DryRun: e.DryRun, Object: ref}
	if e.Changes != nil && mayRead(ctx, ref) {
		done.Changes = e.Changes
	}
	return done
}
