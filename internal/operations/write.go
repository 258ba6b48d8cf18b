package operations

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/hostcluster"
	"github.com/kairship-io/kairship/internal/model"
)

func secrets(scheme *runtime.Scheme) error { return corev1.AddToScheme(scheme) }

// kinds are what is written here.
const kinds = "Operations and their Secrets"

// suffix is how many characters at random end the name of an operation.
const suffix = 8

// Create makes an operation. What is secret goes into a Secret that it owns, which is made after it: a process that dies in between
// leaves an operation that fails, and no Secret that nobody knows. A dry run makes none.
func (o *Operations) Create(ctx context.Context, spec v1alpha1.OperationSpec, secret map[string][]byte, dryRun bool) (*model.Operation, error) {
	ctx, cancel := hostcluster.Bound(ctx, dryRun)
	defer cancel()
	operation := &v1alpha1.Operation{
		ObjectMeta: metav1.ObjectMeta{
			Name:   strings.ToLower(string(spec.Kind)) + "-" + spec.Instance + "-" + rand.String(suffix),
			Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship, v1alpha1.LabelInstance: spec.Instance},
		},
		Spec: spec,
	}
	options := []client.CreateOption{hostcluster.FieldOwner}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	if err := o.client.Create(ctx, operation, options...); err != nil {
		return nil, hostcluster.Explain(err, kinds)
	}
	if !dryRun && secret != nil {
		if err := o.store(ctx, operation, secret); err != nil {
			return nil, err
		}
	}
	if !dryRun {
		o.Put(operation) // its maker may ask for it before the host cluster tells of it
	}
	return modelOf(operation), nil
}

// store makes the Secret of an operation. Where that fails, the operation is taken back.
func (o *Operations) store(ctx context.Context, of *v1alpha1.Operation, secret map[string][]byte) error {
	owner := metav1.NewControllerRef(of, v1alpha1.OperationKindGVK)
	owner.BlockOwnerDeletion = nil // which needs a right of its own
	err := o.client.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: o.namespace, Name: of.Name, OwnerReferences: []metav1.OwnerReference{*owner},
			Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship, v1alpha1.LabelInstance: of.Spec.Instance},
		},
		Data: secret,
	}, hostcluster.FieldOwner)
	if err == nil {
		return nil
	}
	back, cancel := hostcluster.Bound(context.WithoutCancel(ctx), true)
	defer cancel()
	if again := o.cancel(back, of.Name, of.UID, false); again != nil {
		o.log.WarnContext(ctx, "an operation without its Secret could not be taken back; it fails by itself", "operation", of.Name, "error", again)
	}
	// Of a Secret's error nothing is shown: it may quote what is in it.
	e := (*model.Error)(nil)
	if !errors.As(hostcluster.Explain(err, kinds), &e) || e.Code == model.CodeBadUserInput {
		e = &model.Error{Code: model.CodeUnavailable, Message: "the host cluster does not store the credential"}
	}
	return &model.Error{Code: e.Code, Message: e.Message, Retryable: e.Retryable}
}

// Cancel asks for an operation to be cancelled, and returns it as it is then.
func (o *Operations) Cancel(ctx context.Context, name, uid string, dryRun bool) (*model.Operation, error) {
	ctx, cancel := hostcluster.Bound(ctx, dryRun)
	defer cancel()
	if err := o.cancel(ctx, name, types.UID(uid), dryRun); err != nil {
		return nil, hostcluster.Explain(err, kinds)
	}
	var operation v1alpha1.Operation
	if err := o.client.Get(ctx, client.ObjectKey{Name: name}, &operation); err != nil {
		return nil, hostcluster.Explain(err, kinds)
	}
	if !dryRun {
		o.Put(&operation)
	}
	return modelOf(&operation), nil
}

func (o *Operations) cancel(ctx context.Context, name string, uid types.UID, dryRun bool) error {
	options := []client.PatchOption{hostcluster.FieldOwner}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	// The UID makes it fail on another operation of that name.
	patch := fmt.Appendf(nil, `{"metadata":{"uid":%q},"spec":{"cancel":true}}`, uid)
	return o.client.Patch(ctx, &v1alpha1.Operation{ObjectMeta: metav1.ObjectMeta{Name: name}}, client.RawPatch(types.MergePatchType, patch), options...)
}
