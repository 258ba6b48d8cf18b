package operation

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// installDeadline is how long an installation may take, and connectDeadline how long until an instance runs.
	installDeadline = time.Hour
	connectDeadline = 10 * time.Minute
	// look is how often a step that waits for an Instance looks when nothing wakes it.
	look = 5 * time.Second
	// secretDeadline is how long the API server may take to store what is secret: it makes the Operation first, which owns it.
	secretDeadline = time.Minute
)

// createInstance makes an Instance and follows its installation.
var createInstance = Kind{
	Name:    v1alpha1.OperationCreateInstance,
	Allowed: forOwners,
	Steps: func(*v1alpha1.Operation) []Step {
		return []Step{
			{Name: "Create", Cancellable: true, Do: makeInstance},
			{Name: "Install", Deadline: installDeadline, Cancellable: true, Do: followInstallation},
			{Name: "Connect", Deadline: connectDeadline, Cancellable: true, Do: awaitRunning},
		}
	},
	Undo: undoInstance,
}

// attachInstance makes an Instance of a Karmada that is there, with its kubeconfig.
var attachInstance = Kind{
	Name:    v1alpha1.OperationAttachInstance,
	Allowed: forOwners,
	Steps: func(*v1alpha1.Operation) []Step {
		return []Step{
			{Name: "Kubeconfig", Deadline: 2 * secretDeadline, Cancellable: true, Do: awaitKubeconfig},
			{Name: "Create", Cancellable: true, Do: makeAttached},
			{Name: "Connect", Deadline: connectDeadline, Cancellable: true, Do: awaitRunning},
		}
	},
	Undo: undoInstance,
}

// forOwners is for what concerns all instances.
func forOwners(r *Run) error {
	if r.Scope.All() {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Message: "only owners may create and attach instances"}
}

// wantedInstance is the Instance that the operation is to make.
func wantedInstance(o *v1alpha1.Operation) (*v1alpha1.Instance, error) {
	var in struct {
		Labels map[string]string
		Spec   v1alpha1.InstanceSpec
	}
	if err := json.Unmarshal([]byte(o.Spec.CreateInstance.Instance), &in); err != nil {
		return nil, fmt.Errorf("spec.createInstance.instance: %w", err)
	}
	return &v1alpha1.Instance{
		ObjectMeta: metav1.ObjectMeta{Name: o.Spec.Instance, Labels: in.Labels, Annotations: map[string]string{v1alpha1.AnnotationOperation: string(o.UID)}},
		Spec:       in.Spec,
	}, nil
}

// madeInstance and madeSecret are how what is made is announced.
func madeInstance(o *v1alpha1.Operation) v1alpha1.MadeObject {
	return v1alpha1.MadeObject{Where: v1alpha1.MadeInHost, APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.InstanceKind.Kind, Name: o.Spec.Instance}
}

func madeSecret(namespace, name string) v1alpha1.MadeObject {
	return v1alpha1.MadeObject{Where: v1alpha1.MadeInHost, APIVersion: "v1", Kind: "Secret", Namespace: namespace, Name: name}
}

// kubeconfigSecret is the name of the Secret of an attached instance. No other operation makes one of that name.
func kubeconfigSecret(o *v1alpha1.Operation) string {
	const short = 8
	return fmt.Sprintf("instance-%s-%s", o.Spec.Instance, string(o.UID)[:min(short, len(o.UID))])
}

// makeInstance makes the Instance, once.
func makeInstance(ctx context.Context, r *Run) (Outcome, error) {
	wanted, err := wantedInstance(r.Operation)
	if err != nil {
		return Fail("%s", err), nil
	}
	_, outcome, err := ensureInstance(ctx, r, wanted)
	return outcome, err
}

// ensureInstance makes an Instance unless the operation has; the outcome is Done when it is there.
func ensureInstance(ctx context.Context, r *Run, wanted *v1alpha1.Instance) (*v1alpha1.Instance, Outcome, error) {
	made := madeInstance(r.Operation)
	var is v1alpha1.Instance
	err := r.Live.Get(ctx, client.ObjectKeyFromObject(wanted), &is)
	if apierrors.IsNotFound(err) {
		if r.Found("instance") != "" {
			return nil, Fail("instance %q was deleted in the meantime", wanted.Name), nil
		}
		if err := r.Make(ctx, made); err != nil {
			return nil, Outcome{}, err
		}
		is = *wanted
		err = r.Client.Create(ctx, &is, Owner)
	}
	switch {
	case apierrors.IsInvalid(err) || apierrors.IsForbidden(err):
		return nil, Fail("the host cluster refuses the instance: %s", err), nil
	case apierrors.IsAlreadyExists(err):
		return nil, Wait("looking at what there is", 0), nil // which the next try reads
	case err != nil:
		return nil, Outcome{}, fmt.Errorf("making instance %q: %w", wanted.Name, err)
	case !r.Ours(&is):
		if err := r.Unmake(ctx, made); err != nil {
			return nil, Outcome{}, err
		}
		return nil, Fail("there is an instance %q already", wanted.Name), nil
	}
	made.UID = string(is.UID)
	if err := r.Make(ctx, made); err != nil {
		return nil, Outcome{}, err
	}
	return &is, Done(), r.Find(ctx, "instance", string(is.UID))
}

// awaitKubeconfig waits for what the API server stores once it has made the Operation.
func awaitKubeconfig(ctx context.Context, r *Run) (Outcome, error) {
	s, err := r.Secret(ctx)
	switch {
	case err != nil:
		return Outcome{}, err
	case s == nil && r.Clock.Since(r.Operation.CreationTimestamp.Time) > secretDeadline:
		return Fail("the kubeconfig was not stored, because the API server that was asked ended before; attach the instance again"), nil
	case s == nil:
		return Wait("for the kubeconfig to be stored", minWait), nil
	case len(s.Data[v1alpha1.KubeconfigKey]) == 0:
		return Fail("the operation's Secret has no key %q", v1alpha1.KubeconfigKey), nil
	}
	return Done(), nil
}

// makeAttached makes the Instance and then its Secret, which the Instance owns: neither is there without the other for long, and the
// Secret goes with the Instance.
func makeAttached(ctx context.Context, r *Run) (Outcome, error) {
	wanted, err := wantedInstance(r.Operation)
	if err != nil {
		return Fail("%s", err), nil
	}
	name := kubeconfigSecret(r.Operation)
	wanted.Spec.Attached = &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: name}}
	instance, outcome, err := ensureInstance(ctx, r, wanted)
	if err != nil || instance == nil {
		return outcome, err
	}
	if err := r.Make(ctx, madeSecret(r.Namespace, name)); err != nil {
		return Outcome{}, err
	}
	var is corev1.Secret
	err = r.Live.Get(ctx, client.ObjectKey{Namespace: r.Namespace, Name: name}, &is)
	if apierrors.IsNotFound(err) {
		given, readErr := r.Secret(ctx)
		if readErr != nil {
			return Outcome{}, readErr
		}
		if given == nil {
			return Fail("the kubeconfig is not there any more"), nil
		}
		is = corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: r.Namespace, Name: name, Annotations: map[string]string{v1alpha1.AnnotationOperation: r.Mark()},
				Labels:          map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship, v1alpha1.LabelInstance: instance.Name},
				OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(instance, v1alpha1.InstanceKind)},
			},
			Data: map[string][]byte{v1alpha1.KubeconfigKey: given.Data[v1alpha1.KubeconfigKey]},
		}
		// Nobody waits for the removal of the Secret: a deletion in the foreground would otherwise take it first.
		is.OwnerReferences[0].BlockOwnerDeletion = nil
		err = r.Client.Create(ctx, &is, Owner)
	}
	switch {
	case err != nil:
		return Outcome{}, fmt.Errorf("storing the kubeconfig: %w", err)
	case !r.Ours(&is):
		return Fail("there is a Secret %q already", name), nil
	}
	return Done(), r.DropSecret(ctx)
}

// followInstallation tells how far the lifecycle controller is.
func followInstallation(ctx context.Context, r *Run) (Outcome, error) {
	instance, gone, err := mine(ctx, r)
	if instance == nil {
		return gone, err
	}
	c := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionInstalled)
	switch {
	case c == nil || c.ObservedGeneration != instance.Generation:
		return Wait("for the installation to begin", look).Within(instance.Status.Steps), nil
	case c.Status == metav1.ConditionTrue:
		return Done().Within(instance.Status.Steps), nil
	case c.Reason == v1alpha1.ReasonSpecRefused:
		return Fail("the instance cannot be installed: %s", c.Message).Within(instance.Status.Steps), nil
	}
	return Wait(c.Message, look).Within(instance.Status.Steps), nil
}

// awaitRunning waits until the control plane answers.
func awaitRunning(ctx context.Context, r *Run) (Outcome, error) {
	instance, gone, err := mine(ctx, r)
	if instance == nil {
		return gone, err
	}
	if instance.Status.Phase == v1alpha1.PhaseRunning {
		return Done(), nil
	}
	c := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionAPIServerReachable)
	switch {
	case c == nil:
		return Wait("for the control plane to be asked", look), nil
	case c.Reason == v1alpha1.ReasonKubeconfigInvalid:
		return Fail("the kubeconfig cannot be used: %s", c.Message), nil
	}
	return Wait(c.Message, look), nil
}

// mine is the Instance that the operation made; else the outcome says what became of it.
func mine(ctx context.Context, r *Run) (*v1alpha1.Instance, Outcome, error) {
	instance, err := r.Instance(ctx)
	switch {
	case err != nil:
		return nil, Outcome{}, err
	case instance == nil || string(instance.UID) != r.Found("instance"):
		// The cache may be behind what was made a moment ago.
		var is v1alpha1.Instance
		err := r.Live.Get(ctx, client.ObjectKey{Name: r.Operation.Spec.Instance}, &is)
		if client.IgnoreNotFound(err) != nil {
			return nil, Outcome{}, fmt.Errorf("reading instance %q: %w", r.Operation.Spec.Instance, err)
		}
		if err != nil || string(is.UID) != r.Found("instance") {
			return nil, Fail("instance %q was deleted in the meantime", r.Operation.Spec.Instance), nil //nolint:nilerr // it is not there
		}
		instance = &is
	}
	if instance.DeletionTimestamp != nil {
		return nil, Fail("instance %q is being deleted", instance.Name), nil
	}
	return instance, Outcome{}, nil
}

// undoInstance deletes the Instance that was made, and waits until nothing of it is left.
func undoInstance(ctx context.Context, r *Run) (Outcome, error) {
	var is v1alpha1.Instance
	err := r.Live.Get(ctx, client.ObjectKey{Name: r.Operation.Spec.Instance}, &is)
	switch {
	case client.IgnoreNotFound(err) != nil:
		return Outcome{}, fmt.Errorf("reading instance %q: %w", r.Operation.Spec.Instance, err)
	case err != nil || !r.Ours(&is):
		if err := dropSecret(ctx, r, kubeconfigSecret(r.Operation)); err != nil {
			return Outcome{}, err
		}
		return Done(), nil
	case is.DeletionTimestamp == nil:
		err := r.Client.Delete(ctx, &is, client.Preconditions{UID: &is.UID})
		if apierrors.IsForbidden(err) {
			return Fail("instance %q stays: %s", is.Name, guard(err)), nil
		}
		if client.IgnoreNotFound(err) != nil {
			return Outcome{}, fmt.Errorf("deleting instance %q: %w", is.Name, err)
		}
	}
	return Wait(removal(&is), look).Within(is.Status.Steps), nil
}

// dropSecret deletes a Secret that the operation made. It is no error when there is none.
func dropSecret(ctx context.Context, r *Run, name string) error {
	var s corev1.Secret
	err := r.Live.Get(ctx, client.ObjectKey{Namespace: r.Namespace, Name: name}, &s)
	if err == nil && r.Ours(&s) {
		err = r.Client.Delete(ctx, &s, client.Preconditions{UID: &s.UID})
	}
	if err := client.IgnoreNotFound(err); err != nil {
		return fmt.Errorf("deleting Secret %q: %w", name, err)
	}
	return nil
}
