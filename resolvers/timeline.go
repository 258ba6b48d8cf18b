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
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/timeline"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/loaders/batch"
)

const (
	// timelineMargin is how many entries of one moment a source may have beside those of the page.
	timelineMargin = 20
	// timelinePolicies is of how many policies it is told what was done to them.
	timelinePolicies = 10
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
	failures := story.Errors
	done, withheld, err := r.timelineAudit(ctx, o, asked)
	if err != nil {
		failures = append(failures, err)
	}
	reportOnce(ctx, failures)
	conn, err := loaders.PageOf("timeline", o.ID(), append(story.Entries, done...), p, timelineOrder)
	if err != nil {
		return nil, err
	}
	conn.Uncounted()
	// A source that gave all it may has older entries than the page, which it fills.
	conn.PageInfo.HasNextPage = conn.PageInfo.HasNextPage || story.More && len(conn.Edges) == p.First
	return &model.TimelineConnection{Connection: *conn, Withheld: withheld}, nil
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

// timelineTarget is an object whose events of the audit log are told.
type timelineTarget struct {
	ref      model.Ref
	resource string
	policy   bool
}

// is reports whether an event is about the target: what came through the proxy tells the resource, and may not tell the kind.
func (t timelineTarget) is(e *audit.Event) bool {
	o := e.Object
	return o.Name == t.ref.Name && o.Namespace == t.ref.Namespace && o.Cluster == t.ref.Cluster && o.Instance == t.ref.Instance &&
		(o.GVK.GroupKind() == t.ref.GVK.GroupKind() || o.GVK.Kind == "" && o.GVK.Group == t.ref.GVK.Group && e.Resource == t.resource)
}

// timelineAudit is what the audit log tells of an object and its policies, as far as the viewer may see it.
func (r *Resolver) timelineAudit(ctx context.Context, o *model.Object, asked loaders.TimelineAsked) (out []*model.TimelineEntry, withheld []model.TimelineKind, err error) {
	visible := r.auditVisible(ctx)
	if !visible.Shows(o.Ref.Instance, o.Ref.Namespace) {
		return nil, []model.TimelineKind{model.TimelineAudit, model.TimelinePolicy}, nil
	}
	var failure error
	for _, target := range r.timelineTargets(ctx, o) {
		if !visible.Shows(target.ref.Instance, target.ref.Namespace) {
			withheld = []model.TimelineKind{model.TimelinePolicy}
			continue
		}
		f := audit.Filter{Instances: []string{target.ref.Instance}, Kinds: []string{target.ref.GVK.Kind, target.resource}, Name: target.ref.Name, Since: asked.Since, Until: asked.Until}
		if target.ref.Namespace != "" {
			f.Namespaces = []string{target.ref.Namespace}
		}
		page, err := r.AuditLog.Page(ctx, visible, f, model.Page{First: min(asked.Limit, maxAuditPage)})
		if err != nil {
			failure = err
			break // the same database
		}
		for _, e := range page.Nodes() {
			if target.is(e) && e.Outcome != audit.Started {
				out = append(out, timeline.OfAudit(r.doneOf(ctx, e, target), target.policy))
			}
		}
	}
	return out, append([]model.TimelineKind{}, withheld...), failure
}

// timelineTargets is the object and the policies that claim or override it, as far as they may be seen.
func (r *Resolver) timelineTargets(ctx context.Context, o *model.Object) []timelineTarget {
	out := []timelineTarget{{ref: o.Ref, resource: resourceOf(o.Ref.GVK)}}
	if o.Ref.Cluster != "" {
		return out
	}
	add := func(ref model.Ref) {
		if len(out) <= timelinePolicies && mayRead(ctx, ref) && !slices.ContainsFunc(out, func(t timelineTarget) bool { return t.ref == ref }) {
			out = append(out, timelineTarget{ref: ref, resource: resourceOf(ref.GVK), policy: true})
		}
	}
	if o.Claim != nil {
		add(o.Claim.Ref)
	}
	p, _ := loaders.From(ctx).Propagation(ctx, o) // its failure was reported by the loaders' part
	if p == nil {
		return out
	}
	policies, _ := loaders.From(ctx).OverridePolicies(ctx, p) // without them the rest is told
	for _, policy := range policies {
		add(policy.ObjectRef())
	}
	return out
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

func (r *Resolver) doneOf(ctx context.Context, e *audit.Event, target timelineTarget) timeline.Done {
	done := timeline.Done{ID: e.ID, Principal: e.Principal, Action: e.Action, Subresource: e.Subresource, Outcome: string(e.Outcome), Message: e.Message,
		At: e.At, DryRun: e.DryRun, Object: target.ref}
	if e.Changes != nil && mayRead(ctx, target.ref) {
		done.Changes = e.Changes
	}
	return done
}
