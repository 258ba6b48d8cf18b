package resolvers

import (
	"context"
	"reflect"

	gqlgen "github.com/99designs/gqlgen/graphql"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/request"
)

// Around is what every field is resolved within: Tell and, for a mutation, the audit, so that none is left out of it.
func (r *Resolver) Around(ctx context.Context, next gqlgen.Resolver) (any, error) {
	field := gqlgen.GetFieldContext(ctx)
	if field.Object != "Mutation" || r.Audit == nil {
		return Tell(ctx, next)
	}
	who, of := access.PrincipalFrom(ctx), request.From(ctx)
	input := reflect.Indirect(reflect.ValueOf(field.Args["input"]))
	event := audit.Event{
		Principal: who.Name, Groups: who.Groups, Remote: of.Remote, UserAgent: of.UserAgent, RequestID: of.ID,
		Via: audit.ViaGraphQL, Action: field.Field.Name,
		Object: model.Ref{Instance: textOf(input, "Instance")}, DryRun: flagOf(input, "DryRun"),
	}
	if ref, err := model.ParseID(textOf(input, "ID")); err == nil {
		event.Object = ref.Ref
	}
	var payload any
	var err error
	r.Audit.Around(ctx, event, func(ctx context.Context, entry *audit.Entry) audit.Result {
		payload, err = Tell(context.WithValue(ctx, entryKey{}, entry), next)
		if err != nil {
			return audit.ResultOf(err)
		}
		problems, _ := fieldOf(reflect.Indirect(reflect.ValueOf(payload)), "UserErrors").([]model.UserError)
		return audit.ResultOfUserErrors(problems)
	})
	return payload, err
}

type entryKey struct{}

// entryOf is the audit's entry of the mutation that a context belongs to; nil when there is no audit.
func entryOf(ctx context.Context) *audit.Entry {
	entry, _ := ctx.Value(entryKey{}).(*audit.Entry)
	return entry
}

// hideSecrets keeps what the Secrets among some objects hold out of the audit, whatever is said of them.
func hideSecrets(ctx context.Context, objects []map[string]any) {
	entry := entryOf(ctx)
	if entry == nil {
		return
	}
	for _, object := range objects {
		entry.Hide(audit.SecretValuesOf(object)...)
	}
}

// auditDocuments records what became of each document, of those that were tried.
func auditDocuments(ctx context.Context, instance string, documents []model.DocumentOutcome) {
	entry := entryOf(ctx)
	if entry == nil {
		return
	}
	for i := range documents {
		d := &documents[i]
		if d.Outcome == model.OutcomeSkipped {
			continue
		}
		ref := model.Ref{Instance: instance, Namespace: text(d.Namespace), Name: text(d.Name),
			GVK: schema.FromAPIVersionAndKind(text(d.APIVersion), text(d.Kind))}
		var problems []model.UserError
		if d.Error != nil {
			problems = append(problems, *d.Error)
		}
		entry.Object(ref, audit.ResultOfUserErrors(problems))
	}
}

// The inputs and payloads of mutations are generated structs, whose common fields have the same names.

func fieldOf(v reflect.Value, name string) any {
	if v.Kind() != reflect.Struct {
		return nil
	}
	if f := v.FieldByName(name); f.IsValid() {
		return f.Interface()
	}
	return nil
}

func textOf(v reflect.Value, name string) string {
	text, _ := fieldOf(v, name).(string)
	return text
}

func flagOf(v reflect.Value, name string) bool {
	flag, _ := fieldOf(v, name).(*bool)
	return isTrue(flag)
}

// auditPage is a page of what was done, as far as the viewer may see that.
func (r *Resolver) auditPage(ctx context.Context, f *graph.AuditFilter, p model.Page) (*graph.AuditEventConnection, error) {
	scope := access.ScopeFrom(ctx)
	visible := audit.Visible{All: scope.All(), Instances: map[string]audit.Namespaces{}}
	if !visible.All {
		for _, i := range r.Fleet.Instances(scope) {
			if where := scope.Sees(i.Name, access.AuditEvents); !where.None() {
				visible.Instances[i.Name] = audit.Namespaces{All: where.All(), Names: where.Names()}
			}
		}
		if len(visible.Instances) == 0 {
			return nil, &model.Error{Code: model.CodeForbidden, Message: "you have no role that shows what others did: that is for owners and administrators"}
		}
	}
	page, err := r.AuditLog.Page(ctx, visible, auditFilter(f), p)
	if err != nil {
		return nil, err
	}
	out := &graph.AuditEventConnection{PageInfo: page.PageInfo, Edges: []graph.AuditEventEdge{}, Nodes: []graph.AuditEvent{}}
	for _, e := range page.Edges {
		node := auditEvent(e.Node)
		out.Edges = append(out.Edges, graph.AuditEventEdge{Cursor: e.Cursor, Node: node})
		out.Nodes = append(out.Nodes, node)
	}
	return out, nil
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

func auditEvent(e *audit.Event) graph.AuditEvent {
	return graph.AuditEvent{
		ID: e.ID, At: e.At, Principal: e.Principal, Groups: append([]string{}, e.Groups...), RemoteAddress: e.Remote, UserAgent: e.UserAgent,
		Via: graph.AuditVia(e.Via), Action: e.Action, InstanceName: optional(e.Object.Instance), ClusterName: optional(e.Object.Cluster),
		APIVersion: optional(e.Object.APIVersion()), Kind: optional(e.Object.GVK.Kind), Resource: optional(e.Resource), Subresource: optional(e.Subresource),
		Namespace: optional(e.Object.Namespace), Name: optional(e.Object.Name), DryRun: e.DryRun,
		Outcome: graph.AuditOutcome(e.Outcome), Code: optional(e.Code), Message: e.Message, RequestID: e.RequestID, DurationSeconds: e.Duration.Seconds(),
	}
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
