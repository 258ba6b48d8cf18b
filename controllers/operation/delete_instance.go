package operation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// removalDeadline is how long a removal is followed. It goes on after that.
const removalDeadline = 2 * time.Hour

// deleteInstance deletes an Instance and follows until nothing of it is left.
var deleteInstance = Kind{
	Name: v1alpha1.OperationDeleteInstance,
	Allowed: func(r *Run) error {
		if r.Scope.Grants(r.Operation.Spec.Instance, nil) {
			return nil
		}
		return &model.Error{Code: model.CodeForbidden, Instance: r.Operation.Spec.Instance,
			Message: fmt.Sprintf("only those with the role Admin on all of instance %q may delete it", r.Operation.Spec.Instance)}
	},
	Steps: func(*v1alpha1.Operation) []Step {
		return []Step{
			{Name: "Delete", Cancellable: true, Do: beginDeletion},
			{Name: "Remove", Deadline: removalDeadline, Follows: true, Do: followRemoval},
		}
	},
}

// beginDeletion has the host cluster delete the Instance: its guard decides.
func beginDeletion(ctx context.Context, r *Run) (Outcome, error) {
	in := r.Operation.Spec.DeleteInstance
	var is v1alpha1.Instance
	err := r.Live.Get(ctx, client.ObjectKey{Name: r.Operation.Spec.Instance}, &is)
	switch {
	case client.IgnoreNotFound(err) != nil:
		return Outcome{}, fmt.Errorf("reading instance %q: %w", r.Operation.Spec.Instance, err)
	case err != nil, r.Found("instance") != "" && string(is.UID) != r.Found("instance"):
		return DoneWith("it is not there any more"), nil //nolint:nilerr // it was not found
	case in.UID != "" && string(is.UID) != in.UID:
		return Fail("instance %q is another one than was meant: it was made anew", is.Name), nil
	}
	if err := r.Find(ctx, "instance", string(is.UID)); err != nil {
		return Outcome{}, err
	}
	if is.DeletionTimestamp != nil && !in.Force {
		return Done(), nil
	}
	if in.Force && is.Annotations[v1alpha1.AnnotationForceDelete] != is.Name {
		before := is.DeepCopy()
		metav1.SetMetaDataAnnotation(&is.ObjectMeta, v1alpha1.AnnotationForceDelete, is.Name)
		if err := r.Client.Patch(ctx, &is, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), Owner); err != nil {
			return Outcome{}, fmt.Errorf("forcing the deletion of instance %q: %w", is.Name, err)
		}
	}
	if is.DeletionTimestamp != nil {
		return Done(), nil
	}
	err = r.Client.Delete(ctx, &is, client.Preconditions{UID: &is.UID})
	switch {
	case apierrors.IsForbidden(err):
		return Fail("%s", guard(err)), nil
	case client.IgnoreNotFound(err) != nil:
		return Outcome{}, fmt.Errorf("deleting instance %q: %w", is.Name, err)
	}
	return Done(), nil
}

// guard is what an admission policy of the host cluster says, in its own words.
func guard(err error) string {
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) {
		return err.Error()
	}
	message := status.Status().Message
	if _, own, found := strings.Cut(message, "denied request: "); found {
		return own
	}
	return message
}

// followRemoval tells how far the controllers are, and ends when nothing is left.
func followRemoval(ctx context.Context, r *Run) (Outcome, error) {
	var is v1alpha1.Instance
	err := r.Live.Get(ctx, client.ObjectKey{Name: r.Operation.Spec.Instance}, &is)
	if client.IgnoreNotFound(err) != nil {
		return Outcome{}, fmt.Errorf("reading instance %q: %w", r.Operation.Spec.Instance, err)
	}
	if err == nil && string(is.UID) == r.Found("instance") {
		return Wait(removal(&is), look).Within(is.Status.Steps), nil
	}
	return Done(), dropOwned(ctx, r, types.UID(r.Found("instance")))
}

// removal says what a removal waits for.
func removal(is *v1alpha1.Instance) string {
	if c := meta.FindStatusCondition(is.Status.Conditions, v1alpha1.ConditionDeletable); c != nil && c.Status == metav1.ConditionFalse {
		return c.Message
	}
	if len(is.Finalizers) > 0 {
		names := make([]string, len(is.Finalizers))
		for i, f := range is.Finalizers {
			names[i] = strings.TrimPrefix(f, v1alpha1.AnnotationPrefix)
		}
		return "still to be removed: what these controllers made: " + strings.Join(names, ", ")
	}
	return ""
}

// dropOwned deletes the Secrets that an Instance owned, which the host cluster's garbage collector would do later.
func dropOwned(ctx context.Context, r *Run, owner types.UID) error {
	var all corev1.SecretList
	if err := r.Live.List(ctx, &all, client.InNamespace(r.Namespace), client.MatchingLabels{v1alpha1.LabelInstance: r.Operation.Spec.Instance}); err != nil {
		return fmt.Errorf("listing the Secrets of the instance: %w", err)
	}
	for i := range all.Items {
		s := &all.Items[i]
		if of := metav1.GetControllerOf(s); of == nil || of.UID != owner || owner == "" {
			continue
		}
		if err := client.IgnoreNotFound(r.Client.Delete(ctx, s, client.Preconditions{UID: &s.UID})); err != nil {
			return fmt.Errorf("deleting Secret %q: %w", s.Name, err)
		}
	}
	return nil
}
