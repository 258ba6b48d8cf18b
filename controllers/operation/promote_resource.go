package operation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/names"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/promotion"
)

// takeOverDeadline is how long Karmada may take to take over what was promoted.
const takeOverDeadline = 5 * time.Minute

// foundTaken is under what it is kept that everything was taken over: from then on nothing is undone, since Karmada would take it out of the
// member.
const foundTaken = "taken"

// foundTemplates is under what the hashes of the templates are kept that the check told of, as JSON: no others are made.
const foundTemplates = "templates"

// promoteResource takes an object of a member into the federation, without touching it where it runs.
//
// Its policies come first, so that no other one claims a template; and they leave what they take over where it is whatever becomes of the
// templates, until all went well.
var promoteResource = Kind{
	Name:    v1alpha1.OperationPromoteResource,
	Allowed: mayPromote,
	Steps: func(*v1alpha1.Operation) []Step {
		return []Step{
			{Name: "Check", Cancellable: true, Do: checkPromotion},
			{Name: "Policies", Cancellable: true, Do: makePolicies},
			{Name: "Templates", Cancellable: true, Do: makeTemplates},
			{Name: "Take over", Deadline: takeOverDeadline, Cancellable: true, Do: awaitTakeOver},
			{Name: "Hand over", Do: handOver},
		}
	},
	Undo: undoPromotion,
}

// mayPromote is for those who may write in the instance: Karmada and the member decide on each request.
func mayPromote(r *Run) error {
	if r.Scope.Writes(r.Operation.Spec.Instance) {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Message: fmt.Sprintf("none of your roles lets you write anything in instance %q", r.Operation.Spec.Instance)}
}

// plan decides anew what the promotion comes to: what it made itself is told by its mark.
func (r *Run) plan(ctx context.Context) (*promotion.Plan, Outcome, error) {
	k, err := r.Karmada(ctx)
	if err != nil {
		outcome, err := final(err)
		return nil, outcome, err
	}
	m, err := karmada.OpenMember(ctx, k, r.Acting(), r.Operation.Spec.Cluster)
	if err != nil {
		outcome, err := final(err)
		return nil, outcome, err
	}
	o := r.Operation.Spec.Object
	plan, err := promotion.Make(ctx, m, karmada.Federation{Connection: k, Principal: r.Acting()}, karmada.IsAbsent, promotion.Request{
		Ref:     model.Ref{Instance: r.Operation.Spec.Instance, GVK: schema.FromAPIVersionAndKind(o.APIVersion, o.Kind), Namespace: o.Namespace, Name: o.Name},
		Cluster: r.Operation.Spec.Cluster, UID: o.UID, Dependencies: r.Operation.Spec.PromoteResource.Dependencies,
		MarkKey: v1alpha1.AnnotationOperation, Mark: r.Mark(),
	})
	refused, conflict := (*promotion.RefusedError)(nil), (*promotion.ConflictError)(nil)
	switch {
	case errors.As(err, &refused) || errors.As(err, &conflict):
		return nil, Fail("%s", err), nil
	case karmada.IsAbsent(err):
		return nil, Fail("cluster %q has no %s %q", r.Operation.Spec.Cluster, o.Kind, o.Name), nil
	case err != nil:
		outcome, err := final(err)
		return nil, outcome, err
	}
	return plan, Outcome{}, nil
}

// checkPromotion says what will be promoted.
func checkPromotion(ctx context.Context, r *Run) (Outcome, error) {
	plan, outcome, err := r.plan(ctx)
	if plan == nil {
		return outcome, err
	}
	hashes, err := plan.Hashes()
	if err != nil {
		return Outcome{}, err
	}
	text, err := json.Marshal(hashes)
	if err != nil {
		return Outcome{}, fmt.Errorf("encode the hashes of templates: %w", err)
	}
	if err := r.Find(ctx, foundTemplates, string(text)); err != nil {
		return Outcome{}, err
	}
	if len(plan.Objects) == 1 {
		return Done(), nil
	}
	return DoneWith(fmt.Sprintf("with %d objects that it needs", len(plan.Objects)-1)), nil
}

// checkedPlan is the plan of later steps: it fails when it is not what the check told of, since a member may answer otherwise each time.
func (r *Run) checkedPlan(ctx context.Context) (*promotion.Plan, Outcome, error) {
	plan, outcome, err := r.plan(ctx)
	if plan == nil {
		return nil, outcome, err
	}
	var checked promotion.Hashes
	if err := json.Unmarshal([]byte(r.Found(foundTemplates)), &checked); err != nil {
		return nil, Fail("the operation does not tell what was checked; promote it again"), nil //nolint:nilerr // trying again changes nothing
	}
	conflict := (*promotion.ConflictError)(nil)
	switch err := plan.Since(checked); {
	case errors.As(err, &conflict):
		return nil, Fail("%s", conflict.Message), nil
	case err != nil:
		return nil, Outcome{}, err
	}
	return plan, Outcome{}, nil
}

// makePolicies makes the policies, and the namespace where the instance has none.
func makePolicies(ctx context.Context, r *Run) (Outcome, error) {
	plan, outcome, err := r.checkedPlan(ctx)
	if plan == nil {
		return outcome, err
	}
	if ns := r.Operation.Spec.Object.Namespace; ns != "" {
		// It stays: to delete it would take it from every member.
		if err := r.ensureNamespace(ctx, ns); err != nil {
			return final(err)
		}
	}
	for _, o := range plan.Objects {
		if outcome, err := r.createPart(ctx, promotion.PolicyRef(o.Ref), o.Policy); err != nil || outcome.result != done {
			return outcome, err
		}
	}
	return Done(), nil
}

// makeTemplates makes the templates, what is needed first.
func makeTemplates(ctx context.Context, r *Run) (Outcome, error) {
	plan, outcome, err := r.checkedPlan(ctx)
	if plan == nil {
		return outcome, err
	}
	for _, o := range plan.Objects {
		_, is, err := r.look(ctx, promotion.PolicyRef(o.Ref))
		if err != nil {
			return final(err)
		}
		if is == nil || is.Annotations[v1alpha1.AnnotationOperation] != r.Mark() {
			return Fail("%s %q came to be needed after the policies were made, or its policy is gone; promote it again", o.Ref.GVK.Kind, o.Ref.Name), nil
		}
		if outcome, err := r.createPart(ctx, o.Ref, o.Template); err != nil || outcome.result != done {
			return outcome, err
		}
	}
	return Done(), nil
}

func (r *Run) createPart(ctx context.Context, ref model.Ref, object map[string]any) (Outcome, error) {
	_, err := r.create(ctx, ref, object)
	switch {
	case errors.Is(err, errTaken):
		return Fail("the instance has %s %q already", ref.GVK.Kind, ref.Name), nil
	case err != nil:
		return final(err)
	}
	return Done(), nil
}

// parts are the objects that were made, policies or templates.
func (r *Run) parts(policies bool) []model.Ref {
	var out []model.Ref
	for _, m := range r.Operation.Status.Made {
		if ref := refOf(m); (ref.GVK.Group == promotion.PolicyRef(ref).GVK.Group) == policies {
			out = append(out, ref)
		}
	}
	return out
}

// bindingRef is the binding of a template.
func bindingRef(ref model.Ref) model.Ref {
	kind := workv1alpha2.ResourceKindResourceBinding
	if ref.Namespace == "" {
		kind = workv1alpha2.ResourceKindClusterResourceBinding
	}
	return model.Ref{GVK: schema.GroupVersion(workv1alpha2.GroupVersion).WithKind(kind), Namespace: ref.Namespace, Name: names.GenerateBindingName(ref.GVK.Kind, ref.Name)}
}

// awaitTakeOver waits until Karmada has applied every template in the member.
func awaitTakeOver(ctx context.Context, r *Run) (Outcome, error) {
	for _, ref := range r.parts(false) {
		raw, is, err := r.look(ctx, bindingRef(ref))
		if err != nil {
			return final(err)
		}
		what := fmt.Sprintf("%s %q", ref.GVK.Kind, ref.Name)
		if is == nil {
			return Wait("for Karmada to see "+what, glance), nil
		}
		var binding workv1alpha2.ResourceBinding
		if err := json.Unmarshal(raw, &binding); err != nil {
			return Outcome{}, fmt.Errorf("decode the binding of %s: %w", what, err)
		}
		i := slices.IndexFunc(binding.Status.AggregatedStatus, func(s workv1alpha2.AggregatedStatusItem) bool { return s.ClusterName == r.Operation.Spec.Cluster })
		switch {
		case i < 0:
			return Wait(fmt.Sprintf("for Karmada to take over %s in cluster %q", what, r.Operation.Spec.Cluster), glance), nil
		case !binding.Status.AggregatedStatus[i].Applied:
			return Wait(fmt.Sprintf("Karmada could not take over %s yet: %s", what, binding.Status.AggregatedStatus[i].AppliedMessage), glance), nil
		}
	}
	return Done(), r.Find(ctx, foundTaken, "true")
}

// handOver ends the care that the promotion took: what is deleted in the federation from now on goes from the member, too, unless it was asked
// to stay; and nothing of the operation is left on the objects.
func handOver(ctx context.Context, r *Run) (Outcome, error) {
	for _, ref := range slices.Concat(r.parts(true), r.parts(false)) {
		o, err := r.open(ctx, ref)
		if err != nil {
			return final(err)
		}
		_, err = o.Edit(ctx, karmada.Expected{UID: r.uidOf(ref)}, func(object map[string]any) error {
			metadata, _ := object["metadata"].(map[string]any)
			if annotations, ok := metadata["annotations"].(map[string]any); ok {
				delete(annotations, v1alpha1.AnnotationOperation)
			}
			if spec, ok := object["spec"].(map[string]any); ok && ref.GVK == promotion.PolicyRef(ref).GVK {
				spec["preserveResourcesOnDeletion"] = r.Operation.Spec.PromoteResource.Preserve
			}
			return nil
		})
		// What somebody deleted since is theirs.
		if refused := (*karmada.Refused)(nil); err != nil && !karmada.IsAbsent(err) && (!errors.As(err, &refused) || !refused.About("metadata", "uid")) {
			return final(err)
		}
	}
	return Done(), nil
}

// uidOf is the uid of what was made.
func (r *Run) uidOf(ref model.Ref) string {
	for _, m := range r.Operation.Status.Made {
		if m.Kind == ref.GVK.Kind && m.Namespace == ref.Namespace && m.Name == ref.Name {
			return m.UID
		}
	}
	return ""
}

// undoPromotion takes away what was made, templates before their policies: these say that the objects stay in the member.
func undoPromotion(ctx context.Context, r *Run) (Outcome, error) {
	if r.Found(foundTaken) != "" {
		return DoneWith("everything is promoted; only marks of this operation may be left on it"), nil
	}
	for _, ref := range r.parts(false) {
		gone, err := r.discard(ctx, ref)
		if err != nil {
			return Outcome{}, err
		}
		_, binding, err := r.look(ctx, bindingRef(ref))
		if err != nil {
			return Outcome{}, err
		}
		if !gone || binding != nil {
			return Wait(fmt.Sprintf("for Karmada to let go of %s %q", ref.GVK.Kind, ref.Name), glance), nil
		}
	}
	for _, ref := range r.parts(true) {
		gone, err := r.discard(ctx, ref)
		if err != nil {
			return Outcome{}, err
		}
		if !gone {
			return Wait(fmt.Sprintf("for %s %q to be gone", ref.GVK.Kind, ref.Name), minWait), nil
		}
	}
	return Done(), nil
}
