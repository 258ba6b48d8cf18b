package kubelet

import (
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kairship-io/kairship/playground/internal/state"
)

// The labels of an application's pods, as Karmada's operator sets them, too.
const (
	labelName     = "app.kubernetes.io/name"
	labelInstance = "app.kubernetes.io/instance"
)

// instanceOf returns the Karmada that a pod belongs to and its component there. A pod without labels is an instance of
// its own.
func instanceOf(pod *corev1.Pod) (instance, component string) {
	instance, component = pod.Labels[labelInstance], pod.Labels[labelName]
	if instance == "" || component == "" {
		return pod.Name, "pod"
	}
	return instance, strings.TrimPrefix(component, "karmada-")
}

// adminSecret is the name of the Secret in which the operator keeps the kubeconfig
// of an instance's administrator.
func adminSecret(instance string) string {
	if strings.Contains(instance, "karmada") {
		return instance + "-admin-config"
	}
	return instance + "-karmada-admin-config"
}

const adminKey = "karmada.config"

// publish writes the kubeconfig of an instance's administrator to the folder with those of all clusters.
func (k *Kubelet) publish(namespace, instance, group string) {
	s, err := k.source.secret(namespace, adminSecret(instance))
	if err != nil || len(s.Data[adminKey]) == 0 {
		return // not there yet; its arrival is noticed
	}
	path := k.kubeconfig(group)
	if old, err := os.ReadFile(path); err == nil && string(old) == string(s.Data[adminKey]) {
		return
	}
	if err := state.WriteFile(path, s.Data[adminKey], secretMode); err != nil {
		k.log.Error("writing an instance's kubeconfig failed", "instance", group, "error", err)
	}
}

func (k *Kubelet) kubeconfig(group string) string {
	return filepath.Join(k.config.Kubeconfigs, group+".yaml")
}
