package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// DeleteResource deletes an object of a control plane, and in the background what belongs to it. Karmada removes it from
// the members.
type DeleteResource struct{ OnResource }

// Verb names the action.
func (a *DeleteResource) Verb() string { return "deleteResource" }

// kinds that are not deleted like any other object, and how they are.
var deletedOtherwise = map[string]string{
	"/Namespace":                 "deleteNamespace",
	"cluster.karmada.io/Cluster": "unjoinCluster",
}

// Do returns the id of the object.
func (a *DeleteResource) Do(ctx context.Context, call *Call) (string, []model.UserError, error) {
	ref := call.Target.Ref
	if by := deletedOtherwise[ref.GVK.Group+"/"+ref.GVK.Kind]; by != "" {
		return "", nil, model.BadInput("id", "is the id of a %s, which takes more with it than itself: use %s", ref.GVK.Kind, by)
	}
	object, err := call.Open(ctx, ref)
	if err != nil {
		return "", nil, err
	}
	if err := toDelete(ctx, call, object).Delete(ctx, karmada.Expected{UID: a.UID}); err != nil {
		return "", nil, err
	}
	return a.ID, nil, nil
}

// Again returns the id.
func (a *DeleteResource) Again(context.Context, *Call, []byte) (string, error) { return a.ID, nil }

// toDelete is an object that is about to be deleted: of a policy, the audit log has to know what it selected.
func toDelete(ctx context.Context, call *Call, object *karmada.Object) *karmada.Object {
	if isPolicy(object.Ref) != nil {
		return object
	}
	return known(ctx, call, object)
}
