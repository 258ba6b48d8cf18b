// Package actions does what people do to the fleet: one file a verb, and one runner for all of them. It knows neither
// GraphQL nor HTTP, so that whatever serves people runs the same actions under the same rules.
package actions

import (
	"context"
	"log/slog"
	"slices"

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
	// Verb names the action in the audit log, as the graph names its mutation.
	Verb() string
	// Target says what the action is done to. BAD_USER_INPUT for an input that names nothing it could be done to.
	Target(viewer auth.Principal) (Target, error)
	// Allowed says why the viewer may not do it: FORBIDDEN. It runs before the rest of the input is read. An action
	// that Karmada carries out as the person leaves to Karmada what exactly they may write.
	Allowed(call *Call) error
	// Do does it, as the person. User errors are handed on as they are, with fields of the object as Karmada has them. An
	// error that is BAD_USER_INPUT or NOT_FOUND becomes one whose field is below "input"; others stay errors.
	Do(ctx context.Context, call *Call) (Out, []model.UserError, error)
}

// Fleet finds targets; all of it is in memory.
type Fleet interface {
	// Instance fails with NOT_FOUND.
	Instance(scope rbac.Scope, name string) (*model.Instance, error)
	// Clusters are the members of an instance; UNAVAILABLE when Karmada does not answer for them.
	Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error)
}

// Runner runs actions. All fields are required, but for Kubeconfigs and Idempotency.
type Runner struct {
	Fleet Fleet
	// Connect connects to an instance for writing: NOT_FOUND or UNAVAILABLE.
	Connect func(rbac.Scope, string) (karmada.Connection, error)
	// Kubeconfigs is nil where none can be issued.
	Kubeconfigs Kubeconfigs
	Audit       *audit.Recorder
	// Idempotency remembers what was done under a key; nil where nothing can.
	Idempotency idempotency.Store
	// Via is how people come in, for the audit log.
	Via audit.Via
}

// Call is one run of an action.
type Call struct {
	*Runner
	Target Target
	// Entry is the run in the audit log.
	Entry  *audit.Entry
	Viewer auth.Principal
	Scope  rbac.Scope
}

// Acting is the viewer as the target's instance sees them.
func (c *Call) Acting() auth.Principal { return c.Scope.Acting(c.Target.Ref.Instance, c.Viewer) }

// Connection is the way to the target's instance; NOT_FOUND or UNAVAILABLE.
func (c *Call) Connection() (karmada.Connection, error) {
	return c.Connect(c.Scope, c.Target.Ref.Instance)
}

// Patch changes fields of the target, by a JSON merge patch, and gives the object as Karmada answered it; see
// karmada.Patch. A uid that is not empty has to be the object's; it is the field "uid" of the action's input.
func (c *Call) Patch(ctx context.Context, uid string, fields map[string]any) ([]byte, []model.UserError, error) {
	conn, err := c.Connection()
	if err != nil {
		return nil, nil, err
	}
	raw, problems, err := karmada.Patch(ctx, conn, c.Acting(), karmada.PatchRequest{Ref: c.Target.Ref, UID: uid, Fields: fields, DryRun: c.Target.DryRun})
	for i, p := range problems {
		if slices.Equal(p.Field, []string{"metadata", "uid"}) {
			problems[i].Field = []string{"input", "uid"}
		}
	}
	return raw, problems, err
}

// Run runs an action as the viewer of the context: it finds the target among what they see, checks that they may,
// announces it in the audit log, does it, and records how it ended, also when it panics. User errors say what is wrong
// with the input or what Karmada refused, and are never nil; the error is for everything else.
func Run[Out any](ctx context.Context, r *Runner, a Action[Out]) (out Out, problems []model.UserError, err error) {
	viewer, scope, of := rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx), request.From(ctx)
	target, err := a.Target(viewer)
	event := audit.Event{
		Principal: viewer.Name, Groups: viewer.Groups, Remote: of.Remote, UserAgent: of.UserAgent, RequestID: of.ID,
		Via: r.Via, Action: a.Verb(), Object: target.Ref, DryRun: target.DryRun,
	}
	// Begun before it is known whether they may: what is refused is in the audit log, too.
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

// once does an action, under a key when the client gave one. What is only tried may be tried as often as one likes.
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
		// The client may be gone; whether it was done is for when they come back.
		if err := end(context.WithoutCancel(ctx), done); err != nil {
			slog.ErrorContext(ctx, "an action is not remembered under its idempotency key", "action", a.Verb(), "done", done, "error", err)
		}
	}()
	out, problems, err = a.Do(ctx, c)
	done = err == nil && len(problems) == 0 && !c.Entry.Unsuccessful()
	return out, problems, err
}

// find fails with NOT_FOUND for a target that is not there, or not for the viewer.
func (r *Runner) find(scope rbac.Scope, target Target) error {
	if target.Ref.Instance == "" {
		return nil
	}
	_, err := r.Fleet.Instance(scope, target.Ref.Instance)
	return err
}
