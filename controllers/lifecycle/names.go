package lifecycle

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// karmadaKind is what the Karmada operator installs from.
var karmadaKind = schema.GroupVersionKind{Group: "operator.karmada.io", Version: "v1alpha1", Kind: "Karmada"}

// The labels by which the Karmada operator knows what it made.
const (
	operatorManagedBy = "karmada-operator"
	labelAppInstance  = "app.kubernetes.io/instance"
	labelAppName      = "app.kubernetes.io/name"
)

// operatorConfigKey is the key of a kubeconfig in a Secret of the Karmada operator.
const operatorConfigKey = "karmada.config"

// The parts of a control plane, as the Karmada operator names what it makes of them.
const (
	partAPIServer             = "apiserver"
	partAggregatedAPIServer   = "aggregated-apiserver"
	partKubeControllerManager = "kube-controller-manager"
	partControllerManager     = "controller-manager"
	partScheduler             = "scheduler"
	partWebhook               = "webhook"
	partDescheduler           = "descheduler"
	partMetricsAdapter        = "metrics-adapter"
	partSearch                = "search"
	partEtcd                  = "etcd"
	partCertificates          = "cert"
	partWebhookCertificate    = "webhook-cert"
	partEtcdCredential        = "etcd-cert"
	partAdminConfig           = "admin-config"
)

// operatorName is how the Karmada operator names a part of a Karmada.
func operatorName(karmada, part string) string {
	if strings.Contains(karmada, "karmada") {
		return karmada + "-" + part
	}
	return karmada + "-karmada-" + part
}

// operatorSecrets are the Secrets that the Karmada operator makes for a Karmada, or asks for.
func operatorSecrets(karmada string) []string {
	names := make([]string, 0, 12)
	for _, part := range []string{partCertificates, partWebhookCertificate, partEtcdCredential, partAdminConfig} {
		names = append(names, operatorName(karmada, part))
	}
	for _, part := range []string{
		partAggregatedAPIServer, partControllerManager, partKubeControllerManager, partScheduler,
		partDescheduler, partMetricsAdapter, partSearch, partWebhook,
	} {
		names = append(names, operatorName(karmada, part)+"-config")
	}
	return names
}

// kubeconfigSecret names the Secret in Kairship's namespace with the kubeconfig of a managed instance.
func kubeconfigSecret(instance string) string { return instance + "-kubeconfig" }

// namespaceOf is where an instance is installed by default.
func namespaceOf(instance string) string { return "kairship-" + instance }

// prefixes returns the prefixes of an instance's keys in an external etcd, for the two API servers that store something
// there. They are unique, also among later instances of the same name.
func prefixes(instance *v1alpha1.Instance) (core, aggregated string) {
	uid := string(instance.UID)
	core = "/kairship/" + instance.Name + "-" + uid[:min(8, len(uid))]
	return core, core + "-aggregated"
}

// labelsOf are on everything in the host cluster that is made for an instance.
func labelsOf(instance string) map[string]string {
	return map[string]string{v1alpha1.LabelInstance: instance, v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship}
}
