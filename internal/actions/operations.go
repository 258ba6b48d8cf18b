package actions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/hostcluster"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// Operations are the operations that there are, and make others.
type Operations interface {
	// Create makes an operation, with what is secret in a Secret that it owns. A dry run makes none.
	Create(ctx context.Context, spec v1alpha1.OperationSpec, secret map[string][]byte, dryRun bool) (*model.Operation, error)
	// Cancel asks for one to be cancelled.
	Cancel(ctx context.Context, name, uid string, dryRun bool) (*model.Operation, error)
	// Operation is one that somebody may see; nil when there is none.
	Operation(p auth.Principal, s rbac.Scope, name string) *model.Operation
	// Unfinished are those that have not ended, of a person and on an instance.
	Unfinished(by, instance string) (ofPerson, ofInstance []*model.Operation)
}

// How many operations that have not ended there may be: of one person; of one person on one instance, unless they are Admin of all of it; and of all
// people on one instance, beyond which only its Admins begin others. Nobody keeps its Admins from it, and no number keeps them from deleting it.
const (
	maxOperationsOfPerson           = 20
	maxOperationsOfPersonOnInstance = 5
	maxOperationsOfInstance         = 100
)

// errNoOperations is the error of a server that makes none.
var errNoOperations = &model.Error{Code: model.CodeUnavailable, Message: "this server begins no operations"}

// Begin makes an operation of the viewer: of its spec, kind, instance and input are given. A dry run returns none.
func (c *Call) Begin(ctx context.Context, spec v1alpha1.OperationSpec, secret map[string][]byte) (*model.Operation, error) {
	if c.Operations == nil {
		return nil, errNoOperations
	}
	if err := c.tooMany(spec); err != nil {
		return nil, err
	}
	if err := c.pin(&spec); err != nil {
		return nil, err
	}
	spec.Actor = v1alpha1.OperationActor{Name: c.Viewer.Name, Groups: slices.Clone(c.Viewer.Groups)}
	spec.RequestID = request.From(ctx).ID
	o, err := c.Operations.Create(ctx, spec, secret, c.Target.DryRun)
	if err != nil {
		return nil, err
	}
	if c.Target.DryRun {
		return nil, nil //nolint:nilnil // none was made
	}
	c.Entry.Note("operation " + o.Name + " has begun")
	return o, nil
}

// tooMany is a LIMIT_EXCEEDED when the viewer may begin no other operation now.
func (c *Call) tooMany(spec v1alpha1.OperationSpec) error {
	if spec.Kind == v1alpha1.OperationDeleteInstance {
		return nil // of which there is one at a time
	}
	mine, there := c.Operations.Unfinished(c.Viewer.Name, spec.Instance)
	both := 0
	for _, o := range mine {
		if o.InstanceName == spec.Instance {
			both++
		}
	}
	admin := c.Scope.Grants(spec.Instance, nil)
	for _, l := range []struct {
		name   string
		has    int
		most   int
		exempt bool
		who    string
	}{
		{"operationsOfPerson", len(mine), maxOperationsOfPerson, false, "you have"},
		{"operationsOfPersonOnInstance", both, maxOperationsOfPersonOnInstance, admin, fmt.Sprintf("on instance %q you have", spec.Instance)},
		{"operationsOfInstance", len(there), maxOperationsOfInstance, admin, fmt.Sprintf("instance %q has", spec.Instance)},
	} {
		if l.has >= l.most && !l.exempt {
			return &model.Error{Code: model.CodeLimitExceeded, Retryable: true, Limit: &model.ErrorLimit{Name: l.name, Allowed: l.most},
				Message: fmt.Sprintf("%s %d operations that have not ended; wait for some, or cancel them", l.who, l.has)}
		}
	}
	return nil
}

// pin says which instance is meant, and which Karmada it leads to as far as that is known: another one of the same name gets nothing of the operation. One
// that is made, or deleted, is named in another way.
func (c *Call) pin(spec *v1alpha1.OperationSpec) error {
	if spec.CreateInstance != nil || spec.DeleteInstance != nil {
		return nil
	}
	is, err := c.Fleet.Instance(c.Scope, spec.Instance)
	if err != nil {
		return err
	}
	spec.InstanceUID = is.UID
	if c.Instances != nil {
		spec.KarmadaUID = c.Instances.Identity(c.Scope, spec.Instance)
	}
	return nil
}

// underWay is a CONFLICT when an instance has an operation of one of some kinds that has not ended.
func (c *Call) underWay(instance, field string, kinds ...model.OperationKind) error {
	if c.Operations == nil {
		return errNoOperations
	}
	_, there := c.Operations.Unfinished(c.Viewer.Name, instance)
	for _, o := range there {
		if slices.Contains(kinds, o.Kind) {
			return &model.Error{Code: model.CodeConflict, Instance: instance, Field: []string{field},
				Message: fmt.Sprintf("%s: operation %q on instance %q has not ended: wait for it, or cancel it", field, o.Name, instance)}
		}
	}
	return nil
}

// refused turns what the host cluster refuses of an object into user errors about the input.
func refused(err error) ([]model.UserError, error) {
	invalid := (*hostcluster.Invalid)(nil)
	if !errors.As(err, &invalid) || len(invalid.Causes) == 0 {
		return nil, err
	}
	out := make([]model.UserError, 0, len(invalid.Causes))
	for _, c := range invalid.Causes {
		field := inputField(c.Field)
		c.Message = strings.Join(field, ".") + ": " + c.Message
		c.Field = append([]string{"input"}, field...)
		out = append(out, c)
	}
	return out, nil
}

// renamed are fields of an Instance that have another name in the input.
var renamed = map[string]string{"credentialSecretRef": "credentialSecret"}

// inputField is the field of the input that a field of an Instance comes from.
func inputField(path []string) []string {
	for len(path) > 0 && slices.Contains([]string{"spec", "managed", "metadata"}, path[0]) {
		path = path[1:]
	}
	out := make([]string, 0, len(path))
	for _, p := range path {
		if name := renamed[p]; name != "" {
			return append(out, name)
		}
		out = append(out, p)
	}
	return out
}
