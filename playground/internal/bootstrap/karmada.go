// Package bootstrap puts into the fleet's API servers what makes them one fleet:
// Karmada's own API, nodes, the joining of members, Kairship's objects. Each step
// may be repeated at any time.
//
// It must not start or stop a process: the caller knows when one is ready.
package bootstrap

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/playground/internal/kube"
)

// poll is the pause between two checks of something that will be true in a moment.
const poll = 250 * time.Millisecond

// KarmadaPorts are the ports of those programs of an instance that its API server calls.
type KarmadaPorts struct{ Webhook, Aggregated int }

// KarmadaAPI installs Karmada's resource types in its API server. module is the
// folder of Karmada's Go module, which ships them.
func KarmadaAPI(ctx context.Context, c *kube.Client, module string, p KarmadaPorts) error {
	objects := []*unstructured.Unstructured{namespace("karmada-system"), namespace("karmada-cluster")}
	bases, err := filepath.Glob(filepath.Join(module, "charts/karmada/_crds/bases/*/*.yaml"))
	if err != nil || len(bases) == 0 {
		return fmt.Errorf("no resource types under %s (%w)", module, errors.Join(err, os.ErrNotExist))
	}
	var crds []*unstructured.Unstructured
	for _, path := range bases {
		some, err := decodeFile(path, nil)
		if err != nil {
			return err
		}
		crds = append(crds, some...)
	}
	for _, crd := range crds {
		// These two exist in two versions, between which Karmada's webhook translates.
		if name := crd.GetName(); name == "resourcebindings.work.karmada.io" || name == "clusterresourcebindings.work.karmada.io" {
			convertByWebhook(crd, fmt.Sprintf("https://127.0.0.1:%d/convert", p.Webhook), c.CA())
		}
	}
	for _, path := range []string{"admin-clusterrole-aggregation.yaml", "cluster-proxy-admin-rbac.yaml", "bootstrap-token-configuration.yaml"} {
		some, err := decodeFile(filepath.Join(module, "artifacts/deploy", path), map[string]string{
			"{{ca_crt}}": base64.StdEncoding.EncodeToString(c.CA()), "{{apiserver_address}}": c.Server(),
		})
		if err != nil {
			return err
		}
		objects = append(objects, some...)
	}
	objects = append(objects, namespace("kube-public"), proxyRights())
	if err := c.Apply(ctx, append(crds, objects...)...); err != nil {
		return err
	}
	return established(ctx, c, crds)
}

// proxyRights let Kairship reach the members through Karmada. A group would not
// do: Karmada lets the members trust exactly the names it finds in bindings.
func proxyRights() *unstructured.Unstructured {
	return kube.Object(map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
		"metadata": map[string]any{"name": "kairship-cluster-proxy"},
		"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-proxy-admin"},
		"subjects": []any{map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "kairship"}},
	})
}

// KarmadaWebhooks configures the API server to call Karmada's webhook, which must run already.
func KarmadaWebhooks(ctx context.Context, c *kube.Client, module string, p KarmadaPorts) error {
	objects, err := decodeFile(filepath.Join(module, "artifacts/deploy/webhook-configuration.yaml"), map[string]string{
		"{{caBundle}}": base64.StdEncoding.EncodeToString(c.CA()),
		"https://karmada-webhook.karmada-system.svc:443": fmt.Sprintf("https://127.0.0.1:%d", p.Webhook),
	})
	if err != nil {
		return err
	}
	return c.Apply(ctx, objects...)
}

// KarmadaClusters connects the aggregated API server, which must run already and serves Clusters, and waits until it
// answers through Karmada's own.
func KarmadaClusters(ctx context.Context, c *kube.Client, p KarmadaPorts) error {
	const ns, name = "karmada-system", "karmada-aggregated-apiserver"
	err := c.Apply(ctx,
		// ExternalName is the one way to name an address outside the cluster.
		kube.Object(map[string]any{
			"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"namespace": ns, "name": name},
			"spec": map[string]any{"type": "ExternalName", "externalName": "localhost"},
		}),
		kube.Object(map[string]any{
			"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
			"metadata": map[string]any{"name": "v1alpha1.cluster.karmada.io", "labels": map[string]any{"app": name, "apiserver": "true"}},
			"spec": map[string]any{
				"group": "cluster.karmada.io", "version": "v1alpha1", "groupPriorityMinimum": 2000, "versionPriority": 10,
				"caBundle": base64.StdEncoding.EncodeToString(c.CA()),
				"service":  map[string]any{"namespace": ns, "name": name, "port": p.Aggregated},
			},
		}),
	)
	if err != nil {
		return err
	}
	return kube.Wait(ctx, poll, "the Cluster API", func(ctx context.Context) (bool, string) {
		_, err := c.Raw(ctx, "/apis/cluster.karmada.io/v1alpha1/clusters?limit=1")
		return err == nil, fmt.Sprint(err)
	})
}

func convertByWebhook(crd *unstructured.Unstructured, url string, ca []byte) {
	conversion := map[string]any{
		"strategy": "Webhook",
		"webhook": map[string]any{
			"conversionReviewVersions": []any{"v1"},
			"clientConfig":             map[string]any{"url": url, "caBundle": base64.StdEncoding.EncodeToString(ca)},
		},
	}
	if err := unstructured.SetNestedMap(crd.Object, conversion, "spec", "conversion"); err != nil {
		panic(err) // spec is a map in every CustomResourceDefinition
	}
}

var crdResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// established waits until the API server serves the types.
func established(ctx context.Context, c *kube.Client, crds []*unstructured.Unstructured) error {
	for _, crd := range crds {
		err := kube.Wait(ctx, poll, "the resource type "+crd.GetName(), func(ctx context.Context) (bool, string) {
			o, err := c.Resource(crdResource, "").Get(ctx, crd.GetName(), getOptions)
			if err != nil {
				return false, err.Error()
			}
			status, message := kube.Condition(o, "Established")
			return status == "True", message
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func namespace(name string) *unstructured.Unstructured {
	return kube.Object(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}})
}

func decodeFile(path string, replace map[string]string) ([]*unstructured.Unstructured, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading manifests: %w", err)
	}
	for placeholder, value := range replace {
		b = bytes.ReplaceAll(b, []byte(placeholder), []byte(value))
	}
	if i := bytes.Index(b, []byte("{{")); i >= 0 {
		line, _, _ := strings.Cut(string(b[i:]), "\n")
		return nil, fmt.Errorf("%s has a placeholder that nobody fills: %s", path, line)
	}
	return kube.Decode(filepath.Base(path), b)
}
