package lifecycle

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// access is how a Karmada is reached.
type access struct {
	config *kubeconfig.Credential
	// cluster is the part of a kubeconfig that is not secret: the address and its certificate authority.
	cluster []byte
}

// kubeconfig publishes the administrator's kubeconfig of the Karmada in Kairship's own namespace, and updates it when
// the operator issues another one. The operator chooses its address by the type of the Service: that of the load
// balancer, of a node, or of the Service inside the host cluster.
func (w *work) kubeconfig(ctx context.Context) error {
	raw, err := w.operatorKubeconfig(ctx, w.installation.Namespace, w.instance.Name)
	if err != nil {
		return err
	}
	if raw == nil {
		return waits("waiting for Secret %q of the Karmada operator", operatorName(w.instance.Name, partAdminConfig))
	}
	reach, err := readAccess(raw)
	if err != nil {
		return fails(v1alpha1.ReasonKubeconfigInvalid, "Secret %q of the Karmada operator: %s", operatorName(w.instance.Name, partAdminConfig), err)
	}
	name := kubeconfigSecret(w.instance.Name)
	if err := w.keepSecret(ctx, client.ObjectKey{Namespace: w.Namespace, Name: name}, map[string][]byte{v1alpha1.KubeconfigKey: raw}); err != nil {
		return err
	}
	w.published, w.reach = &v1alpha1.SecretReference{Name: name}, reach
	return nil
}

// operatorKubeconfig returns the kubeconfig that the operator issued; nil while there is none.
func (c *Controller) operatorKubeconfig(ctx context.Context, namespace, instance string) ([]byte, error) {
	var secret corev1.Secret
	name := operatorName(instance, partAdminConfig)
	err := c.Live.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &secret)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading Secret %q: %w", name, err)
	}
	return secret.Data[operatorConfigKey], nil
}

func readAccess(raw []byte) (*access, error) {
	config, err := kubeconfig.Parse(raw)
	if err != nil {
		return nil, err
	}
	cluster, err := clientcmd.Write(clientcmdapi.Config{Clusters: map[string]*clientcmdapi.Cluster{
		"": {Server: config.Host, CertificateAuthorityData: config.CAData},
	}})
	if err != nil {
		return nil, fmt.Errorf("writing the address of the Karmada: %w", err)
	}
	return &access{config: config, cluster: cluster}, nil
}
