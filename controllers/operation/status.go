package operation

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// write brings the status in the host cluster up to date; nothing is written when nothing changed.
func (c *Controller) write(ctx context.Context, o *v1alpha1.Operation) error {
	written, known := ctx.Value(writtenKey{}).(*v1alpha1.OperationStatus)
	if known && equality.Semantic.DeepEqual(*written, o.Status) {
		return nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&o.Status)
	if err != nil {
		return fmt.Errorf("writing the status of operation %q: %w", o.Name, err)
	}
	object := &unstructured.Unstructured{Object: map[string]any{
		// The UID makes the write fail on another Operation of the same name.
		"metadata": map[string]any{"name": o.Name, "uid": string(o.UID)},
		"status":   fields,
	}}
	object.SetGroupVersionKind(v1alpha1.OperationKindGVK)
	if err := c.Client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(object), Owner, client.ForceOwnership); err != nil {
		return fmt.Errorf("writing the status of operation %q: %w", o.Name, err)
	}
	if known {
		o.Status.DeepCopyInto(written)
	}
	if version := object.GetResourceVersion(); version != "" {
		o.ResourceVersion = version // or the next write under a lock would fail
	}
	return nil
}

// writtenKey is where the context of a reconciliation has the status as it was last written.
type writtenKey struct{}

// withWritten is a context that knows the status of an operation that was just read.
func withWritten(ctx context.Context, o *v1alpha1.Operation) context.Context {
	return context.WithValue(ctx, writtenKey{}, o.Status.DeepCopy())
}

// Finalizer holds an Operation until it has ended.
const Finalizer = "kairship.io/operation"

// hold adds the finalizer, and release removes it: under an optimistic lock, since finalizers are one list.
func (c *Controller) hold(ctx context.Context, o *v1alpha1.Operation) error {
	return c.edit(ctx, o, controllerutil.AddFinalizer)
}

func (c *Controller) release(ctx context.Context, o *v1alpha1.Operation) error {
	return client.IgnoreNotFound(c.edit(ctx, o, controllerutil.RemoveFinalizer))
}

func (c *Controller) edit(ctx context.Context, o *v1alpha1.Operation, change func(client.Object, string) bool) error {
	after := o.DeepCopy()
	if !change(after, Finalizer) {
		return nil
	}
	if err := c.Client.Patch(ctx, after, client.MergeFromWithOptions(o, client.MergeFromWithOptimisticLock{}), Owner); err != nil {
		return fmt.Errorf("writing the finalizers of operation %q: %w", o.Name, err)
	}
	o.Finalizers, o.ResourceVersion = after.Finalizers, after.ResourceVersion
	return nil
}
