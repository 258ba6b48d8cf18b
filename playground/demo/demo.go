// Package demo holds the workloads that the playground's clusters run: ordinary
// ones in every way of placing, and faults on purpose. expected.yaml says, by
// hand, what Kairship must find.
package demo

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/playground/internal/kube"
)

//go:embed asia europe hangzhou
var manifests embed.FS

// Objects returns what to apply to an instance or a member, in an order in which
// it can be applied. Nothing, for a cluster without a folder of its own.
func Objects(cluster string) ([]*unstructured.Unstructured, error) {
	files, err := fs.ReadDir(manifests, cluster)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the manifests of %s: %w", cluster, err)
	}
	var objects []*unstructured.Unstructured
	for _, f := range files {
		name := path.Join(cluster, f.Name())
		content, err := manifests.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		some, err := kube.Decode(name, content)
		if err != nil {
			return nil, err
		}
		objects = append(objects, some...)
	}
	slices.SortStableFunc(objects, func(a, b *unstructured.Unstructured) int { return rank(a) - rank(b) })
	return objects, nil
}

// rank puts first what others need or are judged by: namespaces and types, then
// overrides (which a template takes up when it is propagated), then policies,
// then configuration, then workloads.
func rank(o *unstructured.Unstructured) int {
	switch kind := o.GetKind(); {
	case kind == "Namespace":
		return 0
	case kind == "CustomResourceDefinition":
		return 1
	case strings.HasSuffix(kind, "OverridePolicy"):
		return 2
	case strings.HasSuffix(kind, "PropagationPolicy"):
		return 3
	case kind == "ConfigMap" || kind == "Secret" || kind == "Service" || kind == "ServiceAccount":
		return 4
	case kind == "FederatedHPA":
		return 6
	default:
		return 5
	}
}
