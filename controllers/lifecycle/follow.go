package lifecycle

import (
	"context"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// slowOperator is when an operator that reports nothing is suspected.
const slowOperator = 30 * time.Second

// The operator reports little of its progress. The steps between show in what it has made: it makes one thing after the
// other, and waits for each.

// finished returns nil when the operator or the step under way is done, and why not otherwise. A later failure of the
// operator does not fail a step that is already there.
func (w *work) finished(there bool, waitingFor string) error {
	said := readiness(w.current)
	switch {
	case said != nil && said.Status == metav1.ConditionTrue:
		return nil
	case said != nil && said.Reason == operatorValidation:
		return fails(v1alpha1.ReasonSpecRefused, "the Karmada operator refuses: %s", said.Message)
	case there:
		return nil
	case said != nil && said.Reason == operatorFailed:
		return fails(v1alpha1.ReasonInstallFailed, "the Karmada operator says: %s", said.Message)
	case said == nil && w.Clock.Now().Sub(since(w.instance.Status.Steps, stepCertificates, w.Clock.Now())) > slowOperator:
		return waits("%s; the Karmada operator has not taken it up: is it running?", waitingFor)
	}
	return waits("%s", waitingFor)
}

// complete reports whether the operator is done, so that nothing is left to check.
func (w *work) complete() bool {
	said := readiness(w.current)
	return said != nil && said.Status == metav1.ConditionTrue
}

func (w *work) certificates(ctx context.Context) error {
	if w.complete() {
		return nil
	}
	there, err := w.exists(ctx, metaOf("v1", "Secret"), operatorName(w.instance.Name, partCertificates))
	if err != nil {
		return err
	}
	return w.finished(there, "waiting for the certificates")
}

func (w *work) etcd(ctx context.Context) error {
	if w.complete() {
		return nil
	}
	var set appsv1.StatefulSet
	name := operatorName(w.instance.Name, partEtcd)
	err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.installation.Namespace, Name: name}, &set)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading StatefulSet %q: %w", name, err)
	}
	return w.finished(err == nil && set.Status.ReadyReplicas > 0, "waiting for a replica of etcd to be ready")
}

// deployed waits for one replica of a component.
func (w *work) deployed(part string) func(context.Context) error {
	return func(ctx context.Context) error {
		if w.complete() {
			return nil
		}
		_, ready, err := w.deployment(ctx, part)
		if err != nil {
			return err
		}
		return w.finished(ready, fmt.Sprintf("waiting for a replica of %s to be ready", operatorName(w.instance.Name, part)))
	}
}

// resourceTypes are installed when the operator has begun with the components.
func (w *work) resourceTypes(ctx context.Context) error {
	if w.complete() {
		return nil
	}
	there, _, err := w.deployment(ctx, partKubeControllerManager)
	if err != nil {
		return err
	}
	return w.finished(there, "waiting for Karmada's resource types and webhooks")
}

// components are the last thing that the operator does.
func (w *work) components(ctx context.Context) error {
	if w.complete() {
		return nil
	}
	var missing []string
	for _, part := range []string{partKubeControllerManager, partControllerManager, partScheduler, partWebhook} {
		_, ready, err := w.deployment(ctx, part)
		if err != nil {
			return err
		}
		if !ready {
			missing = append(missing, operatorName(w.instance.Name, part))
		}
	}
	if len(missing) == 0 {
		return w.finished(false, "waiting for the Karmada operator to finish")
	}
	return w.finished(false, "waiting for "+strings.Join(missing, ", "))
}

func (w *work) exists(ctx context.Context, object client.Object, name string) (bool, error) {
	err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.installation.Namespace, Name: name}, object)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading %s %q: %w", object.GetObjectKind().GroupVersionKind().Kind, name, err)
	}
	return true, nil
}

func (w *work) deployment(ctx context.Context, part string) (there, ready bool, err error) {
	var d appsv1.Deployment
	name := operatorName(w.instance.Name, part)
	err = w.Live.Get(ctx, client.ObjectKey{Namespace: w.installation.Namespace, Name: name}, &d)
	if apierrors.IsNotFound(err) {
		return false, false, nil
	}
	if err != nil {
		return false, false, fmt.Errorf("reading Deployment %q: %w", name, err)
	}
	return true, d.Status.ReadyReplicas > 0, nil
}

// version returns the version of the Karmada that was installed, from an image: the operator does not report it.
func (w *work) version(ctx context.Context) (string, error) {
	var d appsv1.Deployment
	name := operatorName(w.instance.Name, partAggregatedAPIServer)
	if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.installation.Namespace, Name: name}, &d); err != nil {
		return "", fmt.Errorf("reading Deployment %q: %w", name, err)
	}
	for _, container := range d.Spec.Template.Spec.Containers {
		image, _, _ := strings.Cut(container.Image, "@")
		if colon := strings.LastIndex(image, ":"); colon > strings.LastIndex(image, "/") {
			return image[colon+1:], nil
		}
	}
	return "", nil
}
