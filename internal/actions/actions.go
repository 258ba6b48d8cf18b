// Package actions runs what people do to the fleet: one file per verb, and one runner for all. It knows neither
// GraphQL nor HTTP, so that every server runs the same actions under the same rules.
package actions

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// Action is one thing that a person may do, with its input.
type Action[Out any] interface {
	// Verb is the action's name in the audit log: that of its GraphQL mutation.
	Verb() string
	// Target returns what the action applies to; BAD_USER_INPUT when the input names no possible target.
	Target(viewer auth.Principal) (Target, error)
	// Allowed returns FORBIDDEN, with the reason, when the viewer may not do it. It runs before the rest of the input
	// is read. An action that Karmada carries out as the person leaves the exact check to Karmada.
	Allowed(call *Call) error
	// Do runs the action as the person. User errors are passed on unchanged, with Karmada's paths of the object's
	// fields. An error BAD_USER_INPUT or NOT_FOUND becomes a user error with a field below "input"; others stay
	// errors.
	Do(ctx context.Context, call *Call) (Out, []model.UserError, error)
}

// Fleet finds targets, from memory.
type Fleet interface {
	// Instance fails with NOT_FOUND.
	Instance(scope rbac.Scope, name string) (*model.Instance, error)
	// Clusters returns the members of an instance; UNAVAILABLE when Karmada's cluster API does not answer.
	Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error)
	// DecodeCluster reads Karmada's object for a member.
	DecodeCluster(instance string, raw []byte) (*model.Cluster, error)
}

// Runner runs actions. All fields are required, but for Kubeconfigs, Access and Idempotency.
type Runner struct {
	Fleet Fleet
	// Connect connects to an instance for writing: NOT_FOUND or UNAVAILABLE.
	Connect func(rbac.Scope, string) (karmada.Connection, error)
	// Kubeconfigs is nil where none can be issued.
	Kubeconfigs Kubeconfigs
	// Access is nil where roles are not given and taken.
	Access Access
	Audit  *audit.Recorder
	// Idempotency remembers which actions were done under a key; nil without a database.
	Idempotency idempotency.Store
	// Via is how requests arrive, for the audit log.
	Via audit.Via
}

// Call is one run of an action.
type Call struct {
	*Runner
	Target Target
	// Entry is the audit log's entry of this run.
	Entry  *audit.Entry
	Viewer auth.Principal
	Scope  rbac.Scope
}

// Acting is the viewer as the target's instance sees them.
func (c *Call) Acting() auth.Principal { return c.Scope.Acting(c.Target.Ref.Instance, c.Viewer) }

// Connection connects to the target's instance; NOT_FOUND or UNAVAILABLE.
func (c *Call) Connection() (karmada.Connection, error) {
	return c.Connect(c.Scope, c.Target.Ref.Instance)
}

// mayWrite fails with FORBIDDEN for people who may write nothing in an instance.
func mayWrite(call *Call, instance string) error {
	if call.Scope.Writes(instance) {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Instance: instance,
		Message: fmt.Sprintf("none of your roles lets you write anything in instance %q; ask its administrators for the role Editor", instance)}
}

// Open opens the target, or another object of its instance, for writing as the person; see karmada.Open.
func (c *Call) Open(ctx context.Context, ref model.Ref) (*karmada.Object, error) {
	conn, err := c.Connection()
	if err != nil {
		return nil, err
	}
	return karmada.Open(ctx, conn, c.Acting(), ref, c.Target.DryRun)
}

// Run runs an action as the viewer of the context: it announces the action in the audit log, finds the target among
// what the viewer sees, checks that they may, runs it, and records the result, also of a panic. User errors say what
// is wrong with the input or what Karmada refused, and are never nil; the error is for everything else.
func Run[Out any](ctx context.Context, r *Runner, a Action[Out]) (out Out, problems []model.UserError, err error) {
	viewer, scope, of := rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx), request.From(ctx)
	target, err := a.Target(viewer)
	event := audit.Event{
		Principal: viewer.Name, Groups: viewer.Groups, Remote: of.Remote, UserAgent: of.UserAgent, RequestID: of.ID,
		Via: r.Via, Action: a.Verb(), Object: target.Ref, DryRun: target.DryRun,
	}
	// Begun before the permission check, so that refused actions are in the audit log, too.
	r.Audit.Around(ctx, event, func(ctx context.Context, entry *audit.Entry) audit.Result {
		if err == nil {
			err = r.find(scope, target)
		}
		call := &Call{Runner: r, Target: target, Entry: entry, Viewer: viewer, Scope: scope}
		if err == nil {
			err = a.Allowed(call)
		}
		if err == nil {
			out, problems, err = once(ctx, call, a, of.IdempotencyKey)
		}
		problems, err = userErrors(problems, err, target.Field)
		if err != nil {
			return audit.ResultOf(err)
		}
		return audit.ResultOfUserErrors(problems)
	})
	return out, problems, err
}

// once runs an action, under the idempotency key if the client sent one. A dry run ignores the key.
func once[Out any](ctx context.Context, c *Call, a Action[Out], key string) (out Out, problems []model.UserError, err error) {
	if key == "" || c.Target.DryRun {
		return a.Do(ctx, c)
	}
	end, err := idempotency.Begin(ctx, c.Idempotency, idempotency.Key{Key: key, Principal: c.Viewer.Key(), Verb: a.Verb(), Target: c.Target.Ref.ID(), Input: a})
	if err != nil {
		return out, nil, err
	}
	done := false
	defer func() {
		// Recorded even if the client has gone: it may ask again later.
		if err := end(context.WithoutCancel(ctx), done); err != nil {
			slog.ErrorContext(ctx, "an action is not remembered under its idempotency key", "action", a.Verb(), "done", done, "error", err)
		}
	}()
	out, problems, err = a.Do(ctx, c)
	done = err == nil && len(problems) == 0 && !c.Entry.Unsuccessful()
	return out, problems, err
}

// find fails with NOT_FOUND for an instance that does not exist or that the viewer may not see.
func (r *Runner) find(scope rbac.Scope, target Target) error {
	if target.Ref.Instance == "" {
		return nil
	}
	_, err := r.Fleet.Instance(scope, target.Ref.Instance)
	return err
}
