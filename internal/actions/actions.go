// Package actions runs what people do to the fleet: one file per verb, and one runner for all. It knows neither
// GraphQL nor HTTP, so that every server runs the same actions under the same rules.
package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/validation/path"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
	"github.com/kairship-io/kairship/internal/policy"
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
	// Do runs the action as the person. User errors, and errors BAD_USER_INPUT or NOT_FOUND, are told with a field below "input": one
	// with Karmada's path of the object's field by the action's InputOf. Other errors stay errors.
	Do(ctx context.Context, call *Call) (Out, []model.UserError, error)
	// Again returns the outcome of the same action that was done before, as far as it can be told: an object is as it is now.
	// Kept is what Kept returned then, for an action that has it.
	Again(ctx context.Context, call *Call, kept []byte) (Out, error)
}

// keeper is an action whose outcome cannot be read again.
type keeper[Out any] interface {
	// Kept is what has to be kept of an outcome: little, and no secret.
	Kept(out Out) any
}

// Fleet finds targets, from memory.
type Fleet interface {
	// Instance fails with NOT_FOUND.
	Instance(scope rbac.Scope, name string) (*model.Instance, error)
	// Clusters returns the members of an instance; UNAVAILABLE when Karmada's cluster API does not answer.
	Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error)
	// Unjoinable says why a cluster, known by the UID of its namespace kube-system, cannot join an instance under a name: some instance holds it already. It is
	// empty when it can, and names nothing that the scope does not show; UNAVAILABLE while it is not known what all instances hold.
	Unjoinable(scope rbac.Scope, instance, name, id string) (string, error)
	// DecodeCluster reads Karmada's object for a member.
	DecodeCluster(instance string, raw []byte) (*model.Cluster, error)
}

// Runner runs actions. All fields are required, but for Kubeconfigs, Access, Instances, Operations and Idempotency.
type Runner struct {
	Fleet Fleet
	// Connect connects to an instance for writing: NOT_FOUND or UNAVAILABLE.
	Connect func(rbac.Scope, string) (karmada.Connection, error)
	// Kubeconfigs is nil where none can be issued.
	Kubeconfigs Kubeconfigs
	// Access is nil where roles are not given and taken.
	Access Access
	// Instances is nil where they are not changed, and Operations where none are begun.
	Instances  Instances
	Operations Operations
	Audit      *audit.Recorder
	// Idempotency remembers which actions were done under a key; nil without a database.
	Idempotency idempotency.Store
	// Own remembers what people write, for their own reads; nil for nothing.
	Own *ownwrites.Log
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
	conn, err := c.Connect(c.Scope, c.Target.Ref.Instance)
	if err != nil {
		return nil, err
	}
	return karmada.Watched{Connection: conn, Wrote: func(w karmada.Written) {
		if kind, ok := model.PolicyKindOf(w.Ref.GVK.Group, w.Ref.GVK.Kind); ok {
			c.Entry.Selects(w.Ref, policy.Selection(kind, w.Before, w.Object))
		}
		if w.Object == nil {
			c.Own.Deleted(c.Viewer.Name, w.Ref, w.UID)
			return
		}
		c.Own.Wrote(c.Viewer.Name, w.Ref, w.Object)
		if w.Before != nil {
			changes := differences(w.Ref, w.Before, w.Object)
			c.Entry.Changed(w.Ref, slices.DeleteFunc(changes, func(f model.FieldChange) bool { return strings.HasPrefix(f.Path, "/status/") }))
		}
	}}, nil
}

// mayWrite fails with FORBIDDEN for people who may write nothing in an instance.
func mayWrite(call *Call, instance string) error {
	if call.Scope.Writes(instance) {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Instance: instance,
		Message: fmt.Sprintf("none of your roles lets you write anything in instance %q; ask its administrators for the role Editor", instance)}
}

// Open opens the target, or another object of its instance, for writing as the person; see karmada.Open. A name in the input that cannot
// be one is told as such.
func (c *Call) Open(ctx context.Context, ref model.Ref) (*karmada.Object, error) {
	if c.Target.creates() {
		if err := nameable(ref); err != nil {
			return nil, err
		}
	}
	conn, err := c.Connection()
	if err != nil {
		return nil, err
	}
	return karmada.Open(ctx, conn, c.Acting(), ref, c.Target.DryRun)
}

// nameable fails for a name that no address can have.
func nameable(ref model.Ref) error {
	for _, part := range [][2]string{{"namespace", ref.Namespace}, {"name", ref.Name}} {
		if wrong := path.IsValidPathSegmentName(part[1]); len(wrong) > 0 {
			return &karmada.Refused{UserError: model.UserError{Code: string(model.CodeBadUserInput), Field: []string{"metadata", part[0]},
				Message: fmt.Sprintf("metadata.%s: is %.100q, and a %s %s", part[0], part[1], part[0], strings.Join(wrong, " and "))}}
		}
	}
	return nil
}

// read returns an object as Karmada holds it, as JSON.
func (c *Call) read(ctx context.Context, ref model.Ref) ([]byte, error) {
	object, err := c.Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	return object.Get(ctx)
}

// Run runs an action as the viewer of the context: it announces the action in the audit log, finds the target among
// what the viewer sees, checks that they may, runs it, and records the result, also of a panic. User errors say what
// is wrong with the input or what Karmada refused, and are never nil; the error is for everything else.
//
// An action that is sent again under the same clientMutationID by the same person within ten minutes is not run again: the result is that
// of the first run. Nil and empty are no id. The request's idempotency key is the id of what has none.
func Run[Out any](ctx context.Context, r *Runner, a Action[Out], clientMutationID *string) (out Out, problems []model.UserError, err error) {
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
			out, problems, err = once(ctx, call, a, of.IdempotencyKey, clientMutationID)
		}
		problems, err = userErrors(a, target, problems, err)
		if err != nil {
			return audit.ResultOf(err)
		}
		return audit.ResultOfUserErrors(problems)
	})
	return out, problems, err
}

// once runs an action, under its clientMutationId or the request's idempotency key if the client sent one; both are one memory. A dry
// run ignores both.
func once[Out any](ctx context.Context, c *Call, a Action[Out], header string, id *string) (out Out, problems []model.UserError, err error) {
	key := idempotency.Key{Key: header, Called: "Idempotency-Key", Principal: c.Viewer.Key(), Verb: a.Verb(), Target: c.Target.Ref.ID(), Input: a}
	if id != nil && *id != "" {
		key.Key, key.Called = *id, "clientMutationId"
	}
	switch {
	case c.Target.DryRun || key.Key == "":
		return a.Do(ctx, c)
	case len(key.Key) > idempotency.MaxKey:
		return out, nil, model.BadInput("clientMutationId", "has %d bytes, at most %d are allowed", len(key.Key), idempotency.MaxKey)
	case c.Idempotency == nil && header != "":
		return out, nil, &model.Error{Code: model.CodeUnavailable,
			Message: "Idempotency-Key needs Kairship's own database; start kairship apiserver with --database-dsn, or leave the key out"}
	case c.Idempotency == nil:
		return a.Do(ctx, c)
	}
	return recalled(ctx, c, a, key)
}

// done reports whether an action was done in all its parts: anything else may be sent again.
func (c *Call) done(problems []model.UserError, err error) bool {
	return err == nil && len(problems) == 0 && !c.Entry.Unsuccessful()
}

// recalled runs an action, or returns the outcome of the run before.
func recalled[Out any](ctx context.Context, c *Call, a Action[Out], key idempotency.Key) (out Out, problems []model.UserError, err error) {
	end, before, err := idempotency.Recall(ctx, c.Idempotency, key)
	if err != nil {
		return out, nil, err
	}
	if before != nil {
		return toldAgain(ctx, c, a, key, before)
	}
	done, outcome := false, remembered{}
	defer func() {
		raw, err := json.Marshal(outcome)
		if err = errors.Join(err, end(context.WithoutCancel(ctx), done, raw)); err != nil {
			slog.ErrorContext(ctx, "an action is not remembered", "under", key.Called, "action", a.Verb(), "done", done, "error", err)
		}
	}()
	// A client that gives up asks again, and is told what became of it: what was begun is ended.
	running, cancel := context.WithTimeout(context.WithoutCancel(ctx), mostOfAnAction)
	defer cancel()
	out, problems, err = a.Do(running, c)
	if e := (*model.Error)(nil); errors.As(err, &e) && e.Unknown {
		done, outcome.Unknown = true, e.Message
		return out, problems, err
	}
	done = c.done(problems, err)
	if k, ok := a.(keeper[Out]); ok && done {
		if outcome.Kept, err = json.Marshal(k.Kept(out)); err != nil {
			return out, problems, fmt.Errorf("encode the outcome of %s: %w", a.Verb(), err)
		}
	}
	return out, problems, err
}

// mostOfAnAction is how long an action may take whose client has gone: as long as a request.
const mostOfAnAction = 30 * time.Second

// remembered is what is kept of an action that was done, or may have been done.
type remembered struct {
	Kept json.RawMessage `json:"kept,omitempty"`
	// Unknown is why it is not known whether it was done; empty when it was.
	Unknown string `json:"unknown,omitempty"`
}

// toldAgain tells the outcome of a run before. What was made then and is gone by now is none.
func toldAgain[Out any](ctx context.Context, c *Call, a Action[Out], key idempotency.Key, before *idempotency.Run) (out Out, _ []model.UserError, err error) {
	var outcome remembered
	if err := json.Unmarshal(before.Outcome, &outcome); err != nil {
		return out, nil, fmt.Errorf("decode the outcome of %s: %w", a.Verb(), err)
	}
	if outcome.Unknown != "" {
		return out, nil, &model.Error{Code: model.CodeConflict, Field: key.Field(), Message: fmt.Sprintf(
			"%s: whether the %s of %s was done is not known (%s); look, and send it under another one if it was not",
			key.Called, a.Verb(), before.At.UTC().Format(time.RFC3339), outcome.Unknown)}
	}
	if out, err = a.Again(ctx, c, outcome.Kept); karmada.IsAbsent(err) {
		return *new(Out), nil, nil
	}
	return out, nil, err
}

// find fails with NOT_FOUND for an instance that does not exist or that the viewer may not see.
func (r *Runner) find(scope rbac.Scope, target Target) error {
	if target.Ref.Instance == "" {
		return nil
	}
	_, err := r.Fleet.Instance(scope, target.Ref.Instance)
	return err
}
