package connection

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// CredentialError is why there is no usable credential for an instance. Only a change of the Instance or of its
// Secret can fix it, so retrying is of no use.
type CredentialError struct {
	// Reason is one of the reasons of the conditions in api/v1alpha1.
	Reason  string
	Message string
}

func (e *CredentialError) Error() string { return e.Message }

// Credential reads how to reach an instance. The error is a *CredentialError when a person has to act.
func Credential(ctx context.Context, reader client.Reader, namespace string, instance *v1alpha1.Instance) (*kubeconfig.Credential, error) {
	raw, err := Kubeconfig(ctx, reader, namespace, instance)
	if err != nil {
		return nil, err
	}
	return Parse(raw, instance)
}

// Kubeconfig returns the kubeconfig of an instance from its Secret. Errors are those of Credential.
func Kubeconfig(ctx context.Context, reader client.Reader, namespace string, instance *v1alpha1.Instance) ([]byte, error) {
	name := instance.CredentialSecret()
	field := "spec.attached.kubeconfigSecretRef.name"
	if instance.Spec.Source == v1alpha1.InstanceManaged {
		field = "status.kubeconfigSecretRef.name"
	}
	if name == "" {
		return nil, &CredentialError{Reason: v1alpha1.ReasonPending, Message: "the control plane has no kubeconfig yet"}
	}
	var secret corev1.Secret
	if err := reader.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &secret); err != nil {
		if apierrors.IsNotFound(err) {
			return nil, &CredentialError{
				Reason:  v1alpha1.ReasonKubeconfigSecretNotFound,
				Message: fmt.Sprintf("%s: there is no Secret %q in namespace %q", field, name, namespace),
			}
		}
		return nil, fmt.Errorf("reading the kubeconfig of instance %q: %w", instance.Name, err)
	}
	raw, ok := secret.Data[v1alpha1.KubeconfigKey]
	if !ok {
		return nil, &CredentialError{
			Reason:  v1alpha1.ReasonKubeconfigInvalid,
			Message: fmt.Sprintf("Secret %q has no key %q", name, v1alpha1.KubeconfigKey),
		}
	}
	return raw, nil
}

// Parse reads the kubeconfig of an instance. The error is a *CredentialError.
func Parse(raw []byte, instance *v1alpha1.Instance) (*kubeconfig.Credential, error) {
	credential, err := kubeconfig.Parse(raw)
	if err != nil {
		return nil, &CredentialError{
			Reason:  v1alpha1.ReasonKubeconfigInvalid,
			Message: fmt.Sprintf("Secret %q: %s", instance.CredentialSecret(), err),
		}
	}
	return credential, nil
}

// InstancesOfSecret maps a credential Secret to the Instances that refer to it.
func InstancesOfSecret(reader client.Reader, namespace string) handler.MapFunc {
	return func(ctx context.Context, secret client.Object) []reconcile.Request {
		if secret.GetNamespace() != namespace {
			return nil
		}
		var instances v1alpha1.InstanceList
		// Read from the cache; it fails only while the manager stops. Nothing is changed here, so nothing is copied:
		// otherwise every Secret event would copy every Instance, for each controller.
		if err := reader.List(ctx, &instances, client.UnsafeDisableDeepCopy); err != nil {
			return nil
		}
		var out []reconcile.Request
		for i := range instances.Items {
			if instances.Items[i].CredentialSecret() == secret.GetName() {
				out = append(out, reconcile.Request{NamespacedName: types.NamespacedName{Name: instances.Items[i].Name}})
			}
		}
		return out
	}
}
