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
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// stop is why a step is not done.
type stop struct {
	state           v1alpha1.StepState
	reason, message string
}

func (s *stop) Error() string { return s.message }

// waits says what a step waits for.
func waits(format string, args ...any) error {
	return &stop{v1alpha1.StepRunning, v1alpha1.ReasonInstalling, fmt.Sprintf(format, args...)}
}

// fails says that a step cannot be done, and that a person has to act.
func fails(reason, format string, args ...any) error {
	return &stop{v1alpha1.StepFailed, reason, fmt.Sprintf(format, args...)}
}

// install brings a managed instance one step further towards what its spec says.
func (c *Controller) install(ctx context.Context, instance *v1alpha1.Instance) (outcome, error) {
	o := outcome{again: c.pace.Idle, kubeconfig: instance.Status.KubeconfigSecretRef}
	m := merge(instance.Spec.Managed, c.options.Defaults)
	was, err := installed(instance)
	if err != nil {
		o.steps = instance.Status.Steps
		o.conditions = append(o.conditions, installedIs(metav1.ConditionFalse, v1alpha1.ReasonSpecRefused, err.Error()))
		o.keep, o.version = []string{v1alpha1.ConditionSettingsApplied, v1alpha1.ConditionDeletable}, instance.Status.KarmadaVersion
		return o, nil
	}
	if was == nil || !controllerutil.ContainsFinalizer(instance, Finalizer) {
		if was == nil {
			was = ptr.To(installationOf(instance, m))
		}
		if err := c.claim(ctx, instance, *was); err != nil {
			return outcome{done: true}, err
		}
	}
	m, refused := was.pin(instance, m)

	w := &work{Controller: c, instance: instance, managed: m, installation: *was}
	steps := w.installSteps()
	p := progress{}
	for _, s := range steps {
		p.names = append(p.names, s.name)
	}
	var failed error
	for _, s := range steps {
		err := s.do(ctx)
		if err == nil {
			p.succeed()
			continue
		}
		var why *stop
		if !errors.As(err, &why) {
			why, failed = &stop{v1alpha1.StepFailed, v1alpha1.ReasonWriteFailed, err.Error()}, err
		}
		p.stop(why.state, why.message)
		o.conditions = append(o.conditions, installedIs(metav1.ConditionFalse, why.reason, p.current()+": "+why.message))
		o.again = c.pace.Progress
		break
	}
	o.kubeconfig = w.published
	if o.kubeconfig == nil {
		o.kubeconfig = instance.Status.KubeconfigSecretRef
	}
	o.steps = p.steps(instance.Status.Steps, c.Clock.Now())
	if p.current() == "" {
		o.conditions = append(o.conditions, installedIs(metav1.ConditionTrue, v1alpha1.ReasonInstalled, "the control plane is installed in namespace "+was.Namespace))
	}
	if len(refused) > 0 {
		o.conditions = []metav1.Condition{installedIs(metav1.ConditionFalse, v1alpha1.ReasonSpecRefused, strings.Join(refused, "; "))}
	}
	settings, _, err := c.settingsOf(ctx, instance, w.reach)
	if settings != nil {
		o.conditions = append(o.conditions, *settings)
	}
	if instance.Deletion() == v1alpha1.DeletionCascade {
		if d := c.foresee(instance, w.reach); d != nil {
			o.conditions = append(o.conditions, *d)
		} else {
			o.keep = append(o.keep, v1alpha1.ConditionDeletable)
		}
	}
	if o.version = instance.Status.KarmadaVersion; failed == nil && p.current() == "" && (o.version == "" || !wasInstalled(instance)) {
		o.version, failed = w.version(ctx)
	}
	return o, errors.Join(failed, err)
}

func installedIs(status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: v1alpha1.ConditionInstalled, Status: status, Reason: reason, Message: message}
}

// work is one pass of an installation.
type work struct {
	*Controller

	instance     *v1alpha1.Instance
	managed      v1alpha1.ManagedInstance
	installation installation
	// current is the operator's object, once it is there.
	current *unstructured.Unstructured
	// published is where the kubeconfig is, and reach its content, once it is there.
	published *v1alpha1.SecretReference
	reach     *access
}

type step struct {
	name string
	do   func(context.Context) error
}

func (w *work) installSteps() []step {
	steps := []step{{stepNamespace, w.namespace}}
	if w.installation.external() != nil {
		steps = append(steps, step{stepEtcdCredential, w.etcdCredential})
	}
	steps = append(steps, step{stepOperator, w.operatorObject}, step{stepCertificates, w.certificates})
	if w.installation.external() == nil {
		steps = append(steps, step{stepEtcd, w.etcd})
	}
	return append(steps,
		step{stepAPIServer, w.deployed(partAPIServer)},
		step{stepAggregated, w.deployed(partAggregatedAPIServer)},
		step{stepResourceTypes, w.resourceTypes},
		step{stepComponents, w.components},
		step{stepKubeconfig, w.kubeconfig},
		step{stepPullRegistration, w.pullRegistration},
	)
}

// namespace makes the namespace where there is none. One that somebody else made is used as it is.
func (w *work) namespace(ctx context.Context) error {
	name := w.installation.Namespace
	var ns corev1.Namespace
	err := w.Live.Get(ctx, client.ObjectKey{Name: name}, &ns)
	switch {
	case apierrors.IsNotFound(err):
		ns = corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labelsOf(w.instance.Name)}}
		if err := w.Client.Create(ctx, &ns, fieldOwner); err != nil {
			return fmt.Errorf("making namespace %q: %w", name, err)
		}
		wrote("Namespace", "create")
		return nil
	case err != nil:
		return fmt.Errorf("reading namespace %q: %w", name, err)
	case ns.DeletionTimestamp != nil:
		return waits("namespace %q is being deleted; it is made again when it has gone", name)
	}
	if owner := ns.Labels[v1alpha1.LabelInstance]; owner != "" && owner != w.instance.Name {
		return fails(v1alpha1.ReasonSpecRefused, "spec.managed.namespace: namespace %q was made for instance %q, and goes with it; choose another one", name, owner)
	}
	return nil
}

// etcdCredential copies the credential of the etcd to the operator, under the name that it demands.
func (w *work) etcdCredential(ctx context.Context) error {
	from := w.installation.external().CredentialSecretRef.Name
	var source corev1.Secret
	if err := w.Client.Get(ctx, client.ObjectKey{Namespace: w.Namespace, Name: from}, &source); err != nil {
		if apierrors.IsNotFound(err) {
			return fails(v1alpha1.ReasonSpecRefused, "spec.managed.etcd.external.credentialSecretRef.name: there is no Secret %q in namespace %q", from, w.Namespace)
		}
		return fmt.Errorf("reading the credential of the etcd: %w", err)
	}
	if err := checkCredential(&source); err != nil {
		return fails(v1alpha1.ReasonSpecRefused, "spec.managed.etcd.external.credentialSecretRef.name: %s", err)
	}
	data := map[string][]byte{keyCA: source.Data[keyCA], keyCert: source.Data[keyCert], keyKey: source.Data[keyKey]}
	return w.keepSecret(ctx, client.ObjectKey{Namespace: w.installation.Namespace, Name: operatorName(w.instance.Name, partEtcdCredential)}, data)
}

// keepSecret keeps a Secret of Kairship's own in the desired state. One that somebody else made is left alone.
func (w *work) keepSecret(ctx context.Context, key client.ObjectKey, data map[string][]byte) error {
	var secret corev1.Secret
	err := w.Live.Get(ctx, key, &secret)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading Secret %s: %w", key, err)
	}
	if err == nil {
		if !ours(&secret, w.instance.Name) {
			return fails(v1alpha1.ReasonNotOurs, "there is a Secret %q in namespace %q that Kairship did not make, and it needs one of that name: rename or remove it", key.Name, key.Namespace)
		}
		if equalData(secret.Data, data) {
			return nil
		}
		secret.Data = data
		if err := w.Client.Update(ctx, &secret, fieldOwner); err != nil {
			return fmt.Errorf("writing Secret %s: %w", key, err)
		}
		wrote("Secret", "update")
		return nil
	}
	secret = corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name, Labels: labelsOf(w.instance.Name)}, Data: data}
	if err := w.Client.Create(ctx, &secret, fieldOwner); err != nil {
		return fmt.Errorf("writing Secret %s: %w", key, err)
	}
	wrote("Secret", "create")
	return nil
}

func equalData(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for key, value := range a {
		if other, ok := b[key]; !ok || string(other) != string(value) {
			return false
		}
	}
	return true
}

// ours reports whether Kairship made an object for an instance.
func ours(object client.Object, instance string) bool {
	return object.GetLabels()[v1alpha1.LabelInstance] == instance && object.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.ManagedByKairship
}

// wasInstalled reports whether the installation was complete before.
func wasInstalled(instance *v1alpha1.Instance) bool {
	return meta.IsStatusConditionTrue(instance.Status.Conditions, v1alpha1.ConditionInstalled)
}
