package actions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// mostPlaced is how many objects are named that are placed in a member.
const mostPlaced = 100

// UnjoinCluster removes a member cluster from its instance.
type UnjoinCluster struct {
	OnCluster
	// Force removes also a member that does not answer.
	Force bool
}

// Unjoining is a removal that goes on, and what it is about.
type Unjoining struct {
	Operation *model.Operation
	Placed    *model.PlacedObjects
}

// Verb names the action.
func (a *UnjoinCluster) Verb() string { return "unjoinCluster" }

// Allowed is for Admins of the whole instance.
func (a *UnjoinCluster) Allowed(call *Call) error {
	return forClusterAdmins(call, call.Target.Ref.Instance)
}

// Do says what is placed in the member, and starts the removal unless this is a dry run.
func (a *UnjoinCluster) Do(ctx context.Context, call *Call) (Unjoining, []model.UserError, error) {
	name := call.Target.Ref.Name
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return Unjoining{}, nil, err
	}
	raw, err := object.Get(ctx)
	if err != nil {
		return Unjoining{}, nil, err
	}
	cluster := struct {
		Metadata metav1.ObjectMeta
		Status   struct{ Conditions []metav1.Condition }
	}{}
	if err := json.Unmarshal(raw, &cluster); err != nil {
		return Unjoining{}, nil, fmt.Errorf("decode cluster %q: %w", name, err)
	}
	// What Karmada says to the person's own request to delete it.
	if err := object.Trying().Delete(ctx, karmada.Expected{UID: a.UID}); err != nil {
		return Unjoining{}, nil, err
	}
	conn, err := call.Connection()
	if err != nil {
		return Unjoining{}, nil, err
	}
	placed, err := karmada.Place(ctx, conn, call.Acting(), name)
	if err != nil {
		return Unjoining{}, nil, err
	}
	out := Unjoining{Placed: placedModel(placed)}
	if !meta.IsStatusConditionTrue(cluster.Status.Conditions, "Ready") && !a.Force {
		return out, nil, model.BadInput("force", "is false, and cluster %q does not answer: what Karmada placed there cannot be removed; with force it stays there", name)
	}
	if a.DryRun {
		return out, nil, nil
	}
	out.Operation, err = call.Begin(ctx, v1alpha1.OperationSpec{Instance: call.Target.Ref.Instance, Kind: v1alpha1.OperationUnjoinCluster, Cluster: name,
		UnjoinCluster: &v1alpha1.UnjoinClusterInput{UID: string(cluster.Metadata.UID), Force: a.Force}}, nil)
	return out, nil, err
}

// placedModel is what is placed in a member, as it is shown.
func placedModel(p *karmada.Placed) *model.PlacedObjects {
	out := &model.PlacedObjects{Total: int32(len(p.Objects)), Others: int32(p.Others), More: p.More, Kinds: []model.PlacedKind{}, Objects: []model.PlacedObject{}} //nolint:gosec // some thousands
	counts := map[string]int32{}
	for _, o := range p.Objects {
		counts[o.Kind()]++
		if len(out.Objects) < mostPlaced {
			out.Objects = append(out.Objects, model.PlacedObject{Kind: o.Kind(), Namespace: optional(o.Namespace), Name: o.Name()})
		}
	}
	for kind, count := range counts {
		out.Kinds = append(out.Kinds, model.PlacedKind{Kind: kind, Count: count})
	}
	slices.SortFunc(out.Kinds, func(a, b model.PlacedKind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Kind, b.Kind))
	})
	return out
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Kept is the operation.
func (a *UnjoinCluster) Kept(u Unjoining) any { return keptOperation(u.Operation) }

// Again returns the operation as it is now, and what is placed in the member by then, if it is still there.
func (a *UnjoinCluster) Again(ctx context.Context, call *Call, kept []byte) (Unjoining, error) {
	o, err := call.operation(kept)
	if err != nil {
		return Unjoining{}, err
	}
	out := Unjoining{Operation: o}
	conn, err := call.Connection()
	if err != nil {
		return out, err
	}
	placed, err := karmada.Place(ctx, conn, call.Acting(), call.Target.Ref.Name)
	if err != nil && !errors.As(err, new(*karmada.Refused)) {
		return out, err
	}
	if placed != nil {
		out.Placed = placedModel(placed)
	}
	return out, nil
}
