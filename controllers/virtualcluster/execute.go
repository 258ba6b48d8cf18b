package virtualcluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
)

const (
	// memberTimeout bounds the request that shows whether a new member answers.
	memberTimeout = 3 * time.Second
	// memberRetry is the pause between two such requests.
	memberRetry = 5 * time.Second
	// probes is how many new members of an instance are asked at once.
	probes = 16
)

// execute carries out a plan. It continues after an error: one object that cannot be written does not hold up the
// others.
func (c *Controller) execute(ctx context.Context, o *outcome, conn *connection.Connection) error {
	var failed []error
	if o.plan.rebuild && len(o.plan.remove) > 0 {
		rebuildsCounter.WithLabelValues(o.instance.Name).Add(float64(len(o.plan.remove)))
		c.tell(o.instance, corev1.EventTypeWarning, eventRebuilding, actionRemove,
			"another source has taken the place of %s", named(o.instance.Name, o.plan.remove))
	}
	for _, name := range o.plan.remove {
		failed = append(failed, c.remove(ctx, o.registered[name]))
	}
	if o.plan.secret {
		// First: Clusterpedia would find a PediaCluster without its Secret invalid.
		if err := c.applySecret(ctx, o); err != nil {
			return errors.Join(append(failed, err)...)
		}
	}
	for _, from := range o.plan.apply {
		failed = append(failed, c.apply(ctx, o, from))
	}
	failed = append(failed, c.registerAnswering(ctx, o, conn), c.removeGone(ctx, o, conn), c.takeOver(ctx, o.objects()))
	return errors.Join(failed...)
}

func (c *Controller) applySecret(ctx context.Context, o *outcome) error {
	name := secretName(o.instance.Name)
	var have corev1.Secret
	err := c.Client.Get(ctx, client.ObjectKey{Namespace: c.options.ClusterpediaNamespace, Name: name}, &have)
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		return fmt.Errorf("reading Secret %q: %w", name, err)
	case secretUpToDate(&have, o.instance, o.config):
		return nil
	}
	ref := owner(o.instance)
	want := applycorev1.Secret(name, c.options.ClusterpediaNamespace).
		WithLabels(labels(o.instance.Name)).
		WithOwnerReferences(applymetav1.OwnerReference().
			WithAPIVersion(ref.APIVersion).WithKind(ref.Kind).WithName(ref.Name).WithUID(ref.UID).
			WithController(true).WithBlockOwnerDeletion(true)).
		WithType(corev1.SecretTypeOpaque).
		WithData(secretData(o.config))
	if err := c.Client.Apply(ctx, want, fieldOwner, client.ForceOwnership); err != nil {
		return fmt.Errorf("writing Secret %q: %w", name, err)
	}
	writesCounter.WithLabelValues("Secret", "apply").Inc()
	return nil
}

// apply registers a source, or brings it up to date.
func (c *Controller) apply(ctx context.Context, o *outcome, from source) error {
	want := desired(o.instance, o.config, from, c.options.Shards)
	if r, ok := o.registered[from.cluster]; ok && upToDate(r.object, want) {
		return nil
	}
	if err := c.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(want), fieldOwner, client.ForceOwnership); err != nil {
		return fmt.Errorf("writing PediaCluster %q: %w", want.GetName(), err)
	}
	writesCounter.WithLabelValues(PediaClusterKind.Kind, "apply").Inc()
	return nil
}

// remove asks Clusterpedia to drop a virtual cluster, by UID: one that was made meanwhile is left alone.
func (c *Controller) remove(ctx context.Context, r registered) error {
	uid, name := r.object.GetUID(), r.object.GetName()
	err := c.Client.Delete(ctx, r.object.DeepCopy(), client.Preconditions{UID: &uid})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting PediaCluster %q: %w", name, err)
	}
	writesCounter.WithLabelValues(PediaClusterKind.Kind, "delete").Inc()
	return nil
}

// registerAnswering registers the new members that answer. One that has just joined is refused by its
// own API server for some seconds; Clusterpedia would then wait for minutes before it tried again.
func (c *Controller) registerAnswering(ctx context.Context, o *outcome, conn *connection.Connection) error {
	var mu sync.Mutex
	var answering []source
	var asking sync.WaitGroup
	slots := make(chan struct{}, probes)
	for _, from := range o.plan.probe {
		slots <- struct{}{}
		asking.Go(func() {
			defer func() { <-slots }()
			ctx, cancel := context.WithTimeout(ctx, memberTimeout)
			defer cancel()
			err := conn.Answers(ctx, memberPath(from.cluster)+"/version")
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				o.unregistered[from.cluster] = connection.Describe(err)
				return
			}
			answering = append(answering, from)
		})
	}
	asking.Wait()
	var failed []error
	for _, from := range answering {
		if err := c.apply(ctx, o, from); err != nil {
			failed = append(failed, err)
			continue
		}
		c.Logger.Info("member registered", "instance", o.instance.Name, "cluster", from.cluster)
		c.tell(o.instance, corev1.EventTypeNormal, eventRegistered, actionRegister, "member %s is registered as %s", from.cluster, pediacluster.Name(o.instance.Name, from.cluster))
	}
	return errors.Join(failed...)
}

// removeGone removes the members that Karmada confirms to be gone.
func (c *Controller) removeGone(ctx context.Context, o *outcome, conn *connection.Connection) error {
	var failed []error
	for _, name := range o.plan.gone {
		gone, err := conn.Gone(ctx, connection.Clusters, "", name)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if !gone {
			continue
		}
		if err := c.remove(ctx, o.registered[name]); err != nil {
			failed = append(failed, err)
			continue
		}
		c.Logger.Info("member deregistered", "instance", o.instance.Name, "cluster", name)
		c.tell(o.instance, corev1.EventTypeNormal, eventDeregistered, actionRemove, "member %s is no longer there", name)
	}
	return errors.Join(failed...)
}

// touch makes Clusterpedia look at a PediaCluster again.
func (c *Controller) touch(ctx context.Context, object *unstructured.Unstructured) error {
	before := object.DeepCopy()
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[annotationTouched] = c.Clock.Now().UTC().Format(time.RFC3339)
	object.SetAnnotations(annotations)
	if err := c.Client.Patch(ctx, object, client.MergeFrom(before), fieldOwner); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("touching PediaCluster %q: %w", object.GetName(), err)
	}
	writesCounter.WithLabelValues(PediaClusterKind.Kind, "patch").Inc()
	return nil
}

// annotationTouched is when Clusterpedia was last made to look at a PediaCluster again.
const annotationTouched = v1alpha1.AnnotationPrefix + "touched-at"
