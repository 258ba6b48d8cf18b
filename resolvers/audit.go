package resolvers

import (
	"context"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// auditPage is a page of the audit log, as far as the viewer may see it.
func (r *Resolver) auditPage(ctx context.Context, f *graph.AuditFilter, p model.Page) (*graph.AuditEventConnection, error) {
	visible := r.auditVisible(ctx)
	if !visible.All && len(visible.Instances) == 0 {
		return nil, &model.Error{Code: model.CodeForbidden, Message: "you have no role that shows what others did: that is for owners and administrators"}
	}
	page, err := r.AuditLog.Page(ctx, visible, auditFilter(f), p)
	if err != nil {
		return nil, err
	}
	out := &graph.AuditEventConnection{PageInfo: page.PageInfo, Edges: []graph.AuditEventEdge{}, Nodes: []graph.AuditEvent{}}
	for _, e := range page.Edges {
		node := auditEvent(ctx, e.Node)
		out.Edges = append(out.Edges, graph.AuditEventEdge{Cursor: e.Cursor, Node: node})
		out.Nodes = append(out.Nodes, node)
	}
	return out, nil
}

// auditVisible is what the viewer may see of the audit log.
func (r *Resolver) auditVisible(ctx context.Context) audit.Visible {
	scope := rbac.ScopeFrom(ctx)
	visible := audit.Visible{All: scope.All(), Instances: map[string]audit.Namespaces{}}
	if visible.All {
		return visible
	}
	for _, i := range r.Fleet.Instances(scope) {
		if where := scope.Sees(i.Name, rbac.AuditEvents); !where.None() {
			visible.Instances[i.Name] = audit.Namespaces{All: where.All(), Names: where.Names()}
		}
	}
	return visible
}

func auditFilter(f *graph.AuditFilter) audit.Filter {
	if f == nil {
		return audit.Filter{}
	}
	out := audit.Filter{Principals: f.Principals, Instances: f.Instances, Namespaces: f.Namespaces, Actions: f.Actions, Kinds: f.Kinds, NameContains: text(f.NameContains)}
	for _, o := range f.Outcomes {
		out.Outcomes = append(out.Outcomes, audit.Outcome(o))
	}
	if f.Since != nil {
		out.Since = *f.Since
	}
	if f.Until != nil {
		out.Until = *f.Until
	}
	return out
}

func auditEvent(ctx context.Context, e *audit.Event) graph.AuditEvent {
	var changes []model.FieldChange
	if e.Changes != nil && mayRead(ctx, e.Object) {
		changes = e.Changes
	}
	return graph.AuditEvent{
		ID: e.ID, At: e.At, Principal: e.Principal, Groups: append([]string{}, e.Groups...), RemoteAddress: e.Remote, UserAgent: e.UserAgent,
		Via: graph.AuditVia(e.Via), Action: e.Action, InstanceName: optional(e.Object.Instance), ClusterName: optional(e.Object.Cluster),
		APIVersion: optional(e.Object.APIVersion()), Kind: optional(e.Object.GVK.Kind), Resource: optional(e.Resource), Subresource: optional(e.Subresource),
		Namespace: optional(e.Object.Namespace), Name: optional(e.Object.Name), DryRun: e.DryRun,
		Outcome: graph.AuditOutcome(e.Outcome), Code: optional(e.Code), Message: e.Message, Changes: changes, RequestID: e.RequestID, DurationSeconds: e.Duration.Seconds(),
	}
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
