package bootstrap

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/pki"
	"github.com/kairship-io/kairship/playground/internal/plan"
	"github.com/kairship-io/kairship/playground/internal/state"
)

var instanceResource = schema.GroupVersionResource{Group: "kairship.io", Version: "v1alpha1", Resource: "instances"}

// EtcdCredential stores in the host the credential by which managed instances reach the fleet's etcd.
func EtcdCredential(ctx context.Context, c *kube.Client, ca string, pair pki.Pair) error {
	data := map[string]any{}
	for key, path := range map[string]string{"ca.crt": ca, "tls.crt": pair.Cert, "tls.key": pair.Key} {
		b, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("reading the credential of etcd: %w", err)
		}
		data[key] = encode(b)
	}
	return c.Apply(ctx, kube.Object(map[string]any{"apiVersion": "v1", "kind": "Secret", "data": data,
		"metadata": map[string]any{"namespace": plan.SystemNamespace, "name": plan.EtcdSecret}}))
}

// ManagedInstance asks Kairship for an instance.
func ManagedInstance(ctx context.Context, c *kube.Client, i fleet.Instance) error {
	return c.Apply(ctx, kube.Object(map[string]any{"apiVersion": "kairship.io/v1alpha1", "kind": "Instance",
		"metadata": map[string]any{"name": i.Name},
		"spec":     map[string]any{"source": "Managed", "displayName": i.DisplayName, "managed": map[string]any{}}}))
}

// InstanceRunning waits until Kairship says that an instance runs, and writes the
// kubeconfig with which Kairship reaches it to a file.
func InstanceRunning(ctx context.Context, c *kube.Client, name, kubeconfig string) error {
	return kube.Wait(ctx, poll, "instance "+name, func(ctx context.Context) (bool, string) {
		o, err := c.Resource(instanceResource, "").Get(ctx, name, getOptions)
		if err != nil {
			return false, err.Error()
		}
		phase, _, _ := unstructured.NestedString(o.Object, "status", "phase") // absent: nobody has looked yet
		ref, _, _ := unstructured.NestedString(o.Object, "status", "kubeconfigSecretRef", "name")
		if phase != "Running" || ref == "" {
			_, message := kube.Condition(o, "Ready")
			return false, fmt.Sprintf("it is %s: %s", orNot(phase, "not looked at yet"), message)
		}
		s, err := c.Resource(secretResource, plan.SystemNamespace).Get(ctx, ref, getOptions)
		if err != nil {
			return false, err.Error()
		}
		text, _, _ := unstructured.NestedString(s.Object, "data", "kubeconfig")
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(b) == 0 {
			return false, "the Secret " + ref + " has no kubeconfig"
		}
		if err := state.WriteFile(kubeconfig, b, 0o600); err != nil {
			return false, err.Error()
		}
		return true, ""
	})
}

// Serves waits until an instance's API server and the one behind it answer to the kubeconfig of its administrator,
// which is written meanwhile.
func Serves(ctx context.Context, kubeconfig string) error {
	return kube.Wait(ctx, poll, "the Cluster API", func(ctx context.Context) (bool, string) {
		c, err := kube.Connect(kubeconfig)
		if err != nil {
			return false, err.Error()
		}
		_, err = c.Raw(ctx, "/apis/cluster.karmada.io/v1alpha1/clusters?limit=1")
		return err == nil, fmt.Sprint(err)
	})
}

func orNot(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// pediaClusters is what the read store is told to follow.
var pediaClusters = schema.GroupVersionResource{Group: "cluster.clusterpedia.io", Version: "v1alpha2", Resource: "pediaclusters"}

// Registered reports whether an instance is registered with the read store.
func Registered(ctx context.Context, host *kube.Client, instance string) (bool, error) {
	known := false
	err := kube.Wait(ctx, poll, "what the read store follows", func(ctx context.Context) (bool, string) {
		_, err := host.Resource(pediaClusters, "").Get(ctx, "kairship."+instance, metav1.GetOptions{})
		known = err == nil
		return known || apierrors.IsNotFound(err), fmt.Sprint(err)
	})
	return known, err
}
