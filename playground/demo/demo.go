// Package demo holds the workloads that the playground's clusters run: ordinary
// ones in every way of placing, and faults on purpose. expected.yaml says, by
// hand, what Kairship must find. The host's folder says who may do what.
package demo

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/playground/internal/kube"
)

//go:embed asia europe hangzhou host
var manifests embed.FS

// Objects returns what to apply to an instance or a member, in ranks: the objects of one rank may be applied together,
// once those of the ranks before exist. It returns nothing for a cluster without a folder of its own.
func Objects(cluster string) ([][]*unstructured.Unstructured, error) {
	files, err := fs.ReadDir(manifests, cluster)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the manifests of %s: %w", cluster, err)
	}
	ranks := make([][]*unstructured.Unstructured, lastRank+1)
	for _, f := range files {
		name := path.Join(cluster, f.Name())
		content, err := manifests.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		objects, err := kube.Decode(name, content)
		if err != nil {
			return nil, err
		}
		for _, o := range objects {
			ranks[rank(o)] = append(ranks[rank(o)], o)
		}
	}
	return ranks, nil
}

const lastRank = 4

// rank puts first what others need or are judged by: namespaces and types, then
// overrides (which a template takes up when it is propagated) and policies, then
// the templates, then what points at them.
func rank(o *unstructured.Unstructured) int {
	switch kind := o.GetKind(); {
	case kind == "Namespace", kind == "CustomResourceDefinition":
		return 0
	case strings.HasSuffix(kind, "OverridePolicy"):
		return 1
	case strings.HasSuffix(kind, "PropagationPolicy"):
		return 2
	case strings.HasSuffix(kind, "FederatedHPA"), kind == "HorizontalPodAutoscaler":
		return lastRank
	default:
		return 3
	}
}
