package bootstrap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/plan"
)

// Host installs in the host cluster what Clusterpedia, Kairship and Karmada's operator need: their resource types,
// namespaces, and the administrator's account. types are folders of CustomResourceDefinitions, policies is a folder of
// admission policies.
func Host(ctx context.Context, c *kube.Client, policies string, types ...string) error {
	var crds []*unstructured.Unstructured
	for _, dir := range types {
		some, err := decodeFolder(dir)
		if err != nil {
			return err
		}
		crds = append(crds, some...)
	}
	admission, err := decodeFolder(policies)
	if err != nil {
		return err
	}
	objects := slices.Concat(crds, []*unstructured.Unstructured{
		namespace(plan.SystemNamespace), namespace(plan.AdminNamespace), namespace(plan.ClusterpediaNamespace),
		kube.Object(map[string]any{"apiVersion": "v1", "kind": "ServiceAccount",
			"metadata": map[string]any{"namespace": plan.AdminNamespace, "name": plan.AdminServiceAccount}}),
	})
	if err := c.Apply(ctx, objects...); err != nil {
		return err
	}
	if err := established(ctx, c, crds); err != nil {
		return err
	}
	return c.Apply(ctx, admission...)
}

// GlobalManagement stores in the host the key that events of global management are signed with.
func GlobalManagement(ctx context.Context, c *kube.Client, key string) error {
	content, err := os.ReadFile(key)
	if err != nil {
		return fmt.Errorf("reading the secret of global management: %w", err)
	}
	return c.Apply(ctx, kube.Object(map[string]any{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"hmac": encode(content)},
		"metadata": map[string]any{"namespace": plan.SystemNamespace, "name": plan.GlobalManagementSecret}}))
}

// decodeFolder reads every manifest of a folder.
func decodeFolder(dir string) ([]*unstructured.Unstructured, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no manifests in %s: %w", dir, errors.Join(err, os.ErrNotExist))
	}
	var all []*unstructured.Unstructured
	for _, f := range files {
		if filepath.Base(f) == "kustomization.yaml" {
			continue
		}
		some, err := decodeFile(f, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// Instances registers with Kairship the Karmadas that the playground made. kubeconfig returns the
// file with which Kairship reaches an instance.
func Instances(ctx context.Context, c *kube.Client, f fleet.Fleet, kubeconfig func(instance string) string) error {
	for _, i := range f.Instances {
		if i.Managed {
			continue
		}
		content, err := os.ReadFile(kubeconfig(i.Name))
		if err != nil {
			return fmt.Errorf("registering %s: %w", i.Name, err)
		}
		name := i.Name + "-kubeconfig"
		err = c.Apply(ctx,
			kube.Object(map[string]any{"apiVersion": "v1", "kind": "Secret",
				"metadata": map[string]any{"namespace": plan.SystemNamespace, "name": name},
				"data":     map[string]any{"kubeconfig": encode(content)}}),
			kube.Object(map[string]any{"apiVersion": "kairship.io/v1alpha1", "kind": "Instance",
				"metadata": map[string]any{"name": i.Name},
				"spec": map[string]any{"source": "Attached", "displayName": i.DisplayName,
					"attached": map[string]any{"kubeconfigSecretRef": map[string]any{"name": name}}}}),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// FreeLease deletes the lease of a process that does not run.
func FreeLease(ctx context.Context, c *kube.Client, namespace, name string) error {
	return c.Delete(ctx, kube.Object(map[string]any{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
		"metadata": map[string]any{"namespace": namespace, "name": name}}))
}

// Token returns a bearer token of the administrator.
func Token(ctx context.Context, c *kube.Client, lifetime time.Duration) (string, error) {
	path := fmt.Sprintf("/api/v1/namespaces/%s/serviceaccounts/%s/token", plan.AdminNamespace, plan.AdminServiceAccount)
	b, err := c.Post(ctx, path, map[string]any{
		"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
		"spec": map[string]any{"audiences": []string{plan.TokenAudience}, "expirationSeconds": int64(lifetime.Seconds())},
	})
	if err != nil {
		return "", fmt.Errorf("asking for the administrator's token: %w", err)
	}
	var answer struct {
		Status struct {
			Token string `json:"token"`
		} `json:"status"`
	}
	if err := json.Unmarshal(b, &answer); err != nil || answer.Status.Token == "" {
		return "", fmt.Errorf("asking for the administrator's token: the API server sent none: %w", err)
	}
	return answer.Status.Token, nil
}
