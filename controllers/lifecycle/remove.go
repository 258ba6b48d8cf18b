package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/controllers/internal/text"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// remove takes an instance that is being deleted one step further.
func (c *Controller) remove(ctx context.Context, instance *v1alpha1.Instance) (outcome, error) {
	switch {
	case instance.Deletion() == v1alpha1.DeletionCascade:
		return c.cascade(ctx, instance)
	case !controllerutil.ContainsFinalizer(instance, Finalizer):
		return outcome{done: true}, nil
	case len(others(instance)) > 0:
		// They may need the kubeconfig that Kairship published.
		return outcome{done: true}, nil
	}
	return c.leave(ctx, instance)
}

// cascade removes a control plane with everything that was made for it.
func (c *Controller) cascade(ctx context.Context, instance *v1alpha1.Instance) (outcome, error) {
	was, err := installed(instance)
	if err != nil {
		return c.heldBack(instance, deletable(metav1.ConditionFalse, v1alpha1.ReasonSpecRefused, err.Error())), nil
	}
	if was == nil {
		// Nothing was made yet.
		d := deletable(metav1.ConditionTrue, v1alpha1.ReasonDeletable, "nothing was installed")
		if !controllerutil.ContainsFinalizer(instance, Finalizer) || len(others(instance)) > 0 {
			o := c.heldBack(instance, d)
			o.done = len(others(instance)) == 0
			return o, nil
		}
		return outcome{done: true}, finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner)
	}

	r := &removal{work: &work{Controller: c, instance: instance, installation: *was}}
	if r.current, err = karmada(ctx, c.Live, client.ObjectKey{Namespace: was.Namespace, Name: instance.Name}); err != nil {
		return outcome{done: true}, err
	}
	if r.current != nil && !ours(r.current, instance.Name) {
		r.foreign, r.current = true, nil
	}
	d := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionDeletable)
	// Once the Karmada is being deleted there is nothing left to guard.
	if r.current != nil && r.current.GetDeletionTimestamp() == nil || d == nil || d.ObservedGeneration != instance.Generation {
		verdict := deletable(metav1.ConditionTrue, v1alpha1.ReasonDeletable, "there is no control plane any more")
		if r.current != nil && r.current.GetDeletionTimestamp() == nil {
			verdict = c.guard(ctx, instance, *was)
		}
		first := d == nil || d.Status != verdict.Status || d.Reason != verdict.Reason || d.ObservedGeneration != instance.Generation
		d = &verdict
		if verdict.Status != metav1.ConditionTrue {
			return c.heldBack(instance, verdict), nil
		}
		if first {
			c.tellOfDeletion(ctx, instance, *was, verdict)
			// The other controllers wait for it: it is reported before anything is removed.
			return c.heldBack(instance, verdict), nil
		}
	}
	return r.run(ctx, *d)
}

func (c *Controller) tellOfDeletion(ctx context.Context, instance *v1alpha1.Instance, i installation, verdict metav1.Condition) {
	if verdict.Reason == v1alpha1.ReasonForced {
		c.tell(instance, corev1.EventTypeWarning, eventForced, actionRemove, "%s", text.Event(verdict.Message))
	}
	if n := c.templates(ctx, instance, i); n > 0 {
		c.tell(instance, corev1.EventTypeNormal, eventTemplates, actionRemove, "%d templates that policies spread are deleted with the control plane", n)
	}
}

// heldBack leaves everything as it is, and reports why the deletion continues or does not.
func (c *Controller) heldBack(instance *v1alpha1.Instance, d metav1.Condition) outcome {
	return outcome{
		again: c.pace.Progress, steps: instance.Status.Steps, kubeconfig: instance.Status.KubeconfigSecretRef,
		conditions: []metav1.Condition{d}, keep: []string{v1alpha1.ConditionInstalled, v1alpha1.ConditionSettingsApplied},
	}
}

// removal is one pass of a removal.
type removal struct {
	*work

	// foreign says that there is a Karmada of the same name that Kairship did not make: the operator's objects are then
	// not the instance's.
	foreign bool
}

func (r *removal) steps() []step {
	steps := []step{{stepRelease, r.released}, {stepControlPlane, r.controlPlane}}
	if r.installation.external() != nil {
		steps = append(steps, step{stepEtcdKeys, r.etcdKeys})
	} else {
		steps = append(steps, step{stepVolumes, r.volumes})
	}
	return append(steps, step{stepSecrets, r.secrets}, step{stepEmptyRoom, r.emptyRoom})
}

func (r *removal) run(ctx context.Context, d metav1.Condition) (outcome, error) {
	o := r.heldBack(r.instance, d)
	o.keep = nil
	o.conditions = append(o.conditions, installedIs(metav1.ConditionFalse, v1alpha1.ReasonRemoving, "the control plane is being removed"))
	p := progress{}
	steps := r.steps()
	for _, s := range steps {
		p.names = append(p.names, s.name)
	}
	for _, s := range steps {
		err := s.do(ctx)
		if err == nil {
			p.succeed()
			continue
		}
		var why *stop
		if errors.As(err, &why) {
			err = nil
		} else {
			why = &stop{state: v1alpha1.StepFailed, message: err.Error()}
		}
		p.stop(why.state, why.message)
		o.steps = p.steps(r.instance.Status.Steps, r.Clock.Now())
		return o, err
	}
	if err := finalizer.Release(ctx, r.Client, r.instance, Finalizer, fieldOwner); err != nil {
		return outcome{done: true}, err
	}
	r.checks.forget(r.instance.Name)
	series.Forget(r.instance.Name)
	r.tell(r.instance, corev1.EventTypeNormal, eventRemoved, actionRemove, "the control plane and everything that was made for it have been removed")
	return outcome{done: true}, nil
}

// released waits for Kairship's other controllers, which may still need the Karmada.
func (r *removal) released(context.Context) error {
	if left := others(r.instance); len(left) > 0 {
		return waits("waiting for %s", strings.Join(left, ", "))
	}
	return nil
}

// controlPlane lets the operator remove what it installed.
func (r *removal) controlPlane(ctx context.Context) error {
	switch {
	case r.current == nil:
		return nil
	case r.current.GetDeletionTimestamp() != nil:
		if paused, _, _ := unstructured.NestedBool(r.current.Object, "spec", "suspend"); paused {
			return waits("Karmada %q is suspended, so that its operator does nothing: set its spec.suspend to false", r.current.GetName())
		}
		if said := readiness(r.current); said != nil && said.Reason == operatorFailed {
			return &stop{v1alpha1.StepFailed, "", "the Karmada operator says: " + said.Message}
		}
		return waits("waiting for the Karmada operator to remove the control plane")
	}
	// With this label the operator would leave what it installed.
	if r.current.GetLabels()[labelDisableCascade] == "true" {
		patch := fmt.Sprintf(`{"metadata":{"labels":{%q:"false"}}}`, labelDisableCascade)
		if err := r.Client.Patch(ctx, r.current, client.RawPatch(types.MergePatchType, []byte(patch)), fieldOwner); err != nil {
			return fmt.Errorf("writing Karmada %q: %w", r.current.GetName(), err)
		}
		wrote("Karmada", "patch")
	}
	uid := r.current.GetUID()
	if err := r.Client.Delete(ctx, r.current, client.Preconditions{UID: &uid}); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting Karmada %q: %w", r.current.GetName(), err)
	}
	wrote("Karmada", "delete")
	return waits("waiting for the Karmada operator to remove the control plane")
}

// labelDisableCascade makes the operator leave what it installed when its object is deleted.
const labelDisableCascade = "operator.karmada.io/disable-cascading-deletion"

// etcdKeys empties the part of an etcd that the instance used.
func (r *removal) etcdKeys(ctx context.Context) error {
	// The API servers are being stopped, and may still write for a moment.
	for _, part := range []string{partAPIServer, partAggregatedAPIServer} {
		running, err := r.pods(ctx, part)
		if err != nil {
			return err
		}
		if running > 0 {
			return waits("waiting for %s to stop", operatorName(r.instance.Name, part))
		}
	}
	e := r.installation.external()
	credential, err := r.etcdCredentialLeft(ctx, e)
	if err != nil {
		return err
	}
	core, aggregated := prefixes(r.instance)
	n, err := wipe(ctx, e.Endpoints, credential, core, aggregated)
	wipedCounter.Add(float64(n))
	if err != nil && forced(r.instance) {
		r.tell(r.instance, corev1.EventTypeWarning, eventLeftBehind, actionRemove, "the keys under %s/ and %s/ may be left in etcd: %s", core, aggregated, text.Event(err.Error()))
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w; let it answer, %s", err, howToForce(r.instance.Name))
	}
	if n > 0 {
		// A process may outlive its pod in the host cluster for a moment.
		return waits("emptied; looking again whether something has been written since")
	}
	return nil
}

// pods counts those of a component of the control plane.
func (r *removal) pods(ctx context.Context, part string) (int, error) {
	if r.foreign {
		return 0, nil
	}
	list := &metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}}
	if err := r.Live.List(ctx, list, client.InNamespace(r.installation.Namespace), client.MatchingLabels{
		labelAppInstance: r.instance.Name, labelAppName: "karmada-" + part,
	}); err != nil {
		return 0, fmt.Errorf("listing the pods of %s: %w", operatorName(r.instance.Name, part), err)
	}
	return len(list.Items), nil
}

// etcdCredentialLeft returns the copy that was made for the operator, else the original; nil when both are gone.
func (r *removal) etcdCredentialLeft(ctx context.Context, e *v1alpha1.ExternalEtcd) (*corev1.Secret, error) {
	for _, key := range []client.ObjectKey{
		{Namespace: r.installation.Namespace, Name: operatorName(r.instance.Name, partEtcdCredential)},
		{Namespace: r.Namespace, Name: e.CredentialSecretRef.Name},
	} {
		var secret corev1.Secret
		err := r.Live.Get(ctx, key, &secret)
		if err == nil && checkCredential(&secret) == nil {
			return &secret, nil
		}
		if client.IgnoreNotFound(err) != nil {
			return nil, fmt.Errorf("reading the credential of the etcd: %w", err)
		}
	}
	return nil, nil //nolint:nilnil // there is none
}

// volumes removes those of an etcd of the instance's own, which a StatefulSet leaves.
func (r *removal) volumes(ctx context.Context) error {
	if r.foreign {
		return nil
	}
	list := &metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaimList"}}
	if err := r.Live.List(ctx, list, client.InNamespace(r.installation.Namespace), client.MatchingLabels{
		labelAppInstance: r.instance.Name, labelAppName: "etcd",
	}); err != nil {
		return fmt.Errorf("listing the volumes of etcd: %w", err)
	}
	left := 0
	for i := range list.Items {
		claim := &list.Items[i]
		if !strings.HasPrefix(claim.Name, "etcd-data-"+operatorName(r.instance.Name, partEtcd)+"-") {
			continue
		}
		left++
		if claim.DeletionTimestamp != nil {
			continue
		}
		claim.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
		if err := r.Client.Delete(ctx, claim, client.Preconditions{UID: &claim.UID}); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("deleting PersistentVolumeClaim %q: %w", claim.Name, err)
		}
		wrote("PersistentVolumeClaim", "delete")
	}
	if left > 0 {
		return waits("waiting for %d volumes of etcd to go", left)
	}
	return nil
}

// secrets removes what the operator leaves, the credential of the etcd, and the kubeconfig.
func (r *removal) secrets(ctx context.Context) error {
	for _, name := range operatorSecrets(r.instance.Name) {
		key := client.ObjectKey{Namespace: r.installation.Namespace, Name: name}
		if !r.foreign {
			if err := r.removeOperators(ctx, metaOf("v1", "Secret"), key); err != nil {
				return err
			}
		}
		if err := r.removeSecret(ctx, r.instance.Name, key); err != nil {
			return err
		}
	}
	return r.removeSecret(ctx, r.instance.Name, client.ObjectKey{Namespace: r.Namespace, Name: kubeconfigSecret(r.instance.Name)})
}

// removeSecret removes a Secret that Kairship made for an instance.
func (c *Controller) removeSecret(ctx context.Context, instance string, key client.ObjectKey) error {
	secret := metaOf("v1", "Secret")
	err := c.Live.Get(ctx, key, secret)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading Secret %s: %w", key, err)
	}
	if err != nil || !ours(secret, instance) {
		return nil //nolint:nilerr // there is none, or it is somebody else's
	}
	if err := c.Client.Delete(ctx, secret, client.Preconditions{UID: &secret.UID}); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting Secret %s: %w", key, err)
	}
	wrote("Secret", "delete")
	return nil
}

// emptyRoom removes the namespace, when it was made for the instance.
func (r *removal) emptyRoom(ctx context.Context) error {
	name := r.installation.Namespace
	var ns corev1.Namespace
	err := r.Live.Get(ctx, client.ObjectKey{Name: name}, &ns)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("reading namespace %q: %w", name, err)
	case !ours(&ns, r.instance.Name):
		return nil
	case ns.DeletionTimestamp == nil:
		if err := r.Client.Delete(ctx, &ns, client.Preconditions{UID: &ns.UID}); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("deleting namespace %q: %w", name, err)
		}
		wrote("Namespace", "delete")
	}
	return waits("waiting for namespace %q to go", name)
}

// leave releases a control plane that keeps running: only what is Kairship's own is removed.
func (c *Controller) leave(ctx context.Context, instance *v1alpha1.Instance) (outcome, error) {
	managed := instance.Spec.Source == v1alpha1.InstanceManaged
	var was *installation
	if managed {
		var err error
		if was, err = installed(instance); err != nil {
			c.tell(instance, corev1.EventTypeWarning, eventLeftBehind, actionRemove, "%s", text.Event(err.Error()))
		}
	}
	if err := c.leaveInside(ctx, instance, was); err != nil {
		if patience := c.Clock.Now().Sub(instance.DeletionTimestamp.Time); patience < c.pace.Timeout && !forced(instance) {
			o := c.heldBack(instance, metav1.Condition{})
			o.conditions, o.keep = nil, append(o.keep, v1alpha1.ConditionDeletable)
			c.Logger.Info("what Kairship made inside a Karmada is not removed yet", "instance", instance.Name, "error", err)
			return o, nil
		}
		c.tell(instance, corev1.EventTypeWarning, eventLeftBehind, actionRemove, "ClusterTaintPolicy %s may be left in the Karmada: %s", failoverPolicy, text.Event(err.Error()))
	}
	if was != nil {
		if err := c.disown(ctx, instance, *was); err != nil {
			return outcome{done: true}, err
		}
	}
	if err := finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner); err != nil {
		return outcome{done: true}, err
	}
	c.checks.forget(instance.Name)
	series.Forget(instance.Name)
	if managed {
		c.tell(instance, corev1.EventTypeNormal, eventOrphaned, actionRemove, "the control plane goes on running; Kairship has forgotten it")
	}
	return outcome{done: true}, nil
}

// leaveInside removes what settings made inside a Karmada.
func (c *Controller) leaveInside(ctx context.Context, instance *v1alpha1.Instance, was *installation) error {
	var reach *access
	var err error
	if instance.Spec.Source == v1alpha1.InstanceManaged {
		if was == nil {
			return nil
		}
		reach, err = c.reachOf(ctx, instance, *was)
	} else {
		reach = &access{}
		reach.config, err = connection.Credential(ctx, c.Live, c.Namespace, instance)
	}
	if err != nil {
		return err
	}
	if reach == nil {
		return nil
	}
	conn, err := c.Connections.Ensure(instance.Name, reach.config)
	if err != nil {
		return err
	}
	return c.removeFailover(ctx, instance, conn.Dynamic())
}

// disown removes Kairship's labels and annotations from what keeps running, and the kubeconfig that it published.
func (c *Controller) disown(ctx context.Context, instance *v1alpha1.Instance, was installation) error {
	current, err := karmada(ctx, c.Live, client.ObjectKey{Namespace: was.Namespace, Name: instance.Name})
	if err != nil {
		return err
	}
	var marked []client.Object
	if current != nil {
		marked = append(marked, current)
	}
	for _, object := range []struct {
		kind string
		key  client.ObjectKey
	}{
		{"Secret", client.ObjectKey{Namespace: was.Namespace, Name: operatorName(instance.Name, partEtcdCredential)}},
		{"Namespace", client.ObjectKey{Name: was.Namespace}},
	} {
		o := metaOf("v1", object.kind)
		if err := c.Live.Get(ctx, object.key, o); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("reading %s %s: %w", object.kind, object.key, err)
		} else if err == nil {
			marked = append(marked, o)
		}
	}
	patch := fmt.Sprintf(`{"metadata":{"labels":{%q:null,%q:null},"annotations":{%q:null}}}`, v1alpha1.LabelInstance, v1alpha1.LabelManagedBy, annotationApplied)
	for _, o := range marked {
		if !ours(o, instance.Name) {
			continue
		}
		kind := o.GetObjectKind().GroupVersionKind().Kind
		if err := c.Client.Patch(ctx, o, client.RawPatch(types.MergePatchType, []byte(patch)), fieldOwner); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("taking Kairship's marks off %s %q: %w", kind, o.GetName(), err)
		}
		wrote(kind, "patch")
	}
	return c.removeSecret(ctx, instance.Name, client.ObjectKey{Namespace: c.Namespace, Name: kubeconfigSecret(instance.Name)})
}
