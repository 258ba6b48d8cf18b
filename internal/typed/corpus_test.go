package typed_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/testing/testenv"
	"github.com/kairship-io/kairship/internal/typed"
)

// allKinds are all kinds with a typed input.
func allKinds() []typed.Kind { return slices.Concat(typed.Policies, typed.KarmadaKinds) }

// definitions are the OpenAPI schemas of Karmada's kinds in the version in use, from its own CRDs.
var definitions = sync.OnceValues(func() (map[schema.GroupVersionKind]*apiextensionsv1.JSONSchemaProps, error) {
	out := map[schema.GroupVersionKind]*apiextensionsv1.JSONSchemaProps{}
	for _, group := range []string{"policy", "autoscaling", "networking"} {
		files, err := testenv.GroupDefinitions(group)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			var crd apiextensionsv1.CustomResourceDefinition
			if err := yaml.Unmarshal(raw, &crd); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			for _, v := range crd.Spec.Versions {
				out[schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}] = v.Schema.OpenAPIV3Schema
			}
		}
	}
	return out, nil
})

func definition(t *testing.T, k *typed.Kind) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	all, err := definitions()
	if err != nil {
		t.Fatal(err)
	}
	d := all[k.GVK]
	if d == nil {
		t.Fatalf("Karmada defines no %s", k.GVK)
	}
	return d
}

// everything makes an object in which every field of a schema is set, to something that nothing else is, and each object has a field
// that is in no schema.
type everything struct{ n int }

const unknownField = "xUnknown"

func (e *everything) next() int { e.n++; return e.n }

func (e *everything) of(s *apiextensionsv1.JSONSchemaProps, path string) any {
	switch {
	case s.XIntOrString:
		return fmt.Sprintf("%dm", 1000+e.next())
	case len(s.Enum) > 0:
		var v any
		raw := s.Enum[e.next()%len(s.Enum)].Raw
		if err := utiljson.Unmarshal(raw, &v); err != nil {
			panic(err) //nolint:forbidigo // a schema that is none
		}
		return v
	case s.Type == "object" && len(s.Properties) > 0:
		out := map[string]any{unknownField: fmt.Sprintf("unknown%d", e.next())}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			p := s.Properties[name]
			out[name] = e.of(&p, path+"."+name)
		}
		return out
	case s.Type == "object" && s.AdditionalProperties != nil:
		out := map[string]any{}
		for range 2 {
			out[fmt.Sprintf("key%d", e.next())] = e.of(s.AdditionalProperties.Schema, path)
		}
		return out
	case s.Type == "array":
		return []any{e.of(s.Items.Schema, path), e.of(s.Items.Schema, path)}
	case s.Type == "integer":
		return int64(1000 + e.next())
	case s.Type == "boolean":
		return true
	case s.Type == "string":
		switch {
		case strings.HasSuffix(path, ".metrics.type"):
			return []string{"Resource", "Object"}[e.next()%2]
		case strings.HasSuffix(path, ".target.type"):
			return []string{"Utilization", "AverageValue", "Value"}[e.next()%3]
		case strings.HasSuffix(path, ".policies.type"):
			return []string{"Pods", "Percent"}[e.next()%2]
		case strings.HasSuffix(path, ".selectPolicy"):
			return []string{"Max", "Min"}[e.next()%2]
		case strings.HasSuffix(path, ".types"):
			return []string{"CrossCluster", "LoadBalancer"}[e.next()%2]
		case strings.HasSuffix(path, ".statusValues"):
			return []string{"True", "False"}[e.next()%2]
		case strings.HasSuffix(path, ".operator") && strings.Contains(path, "Tolerations"):
			return []string{"Exists", "Equal"}[e.next()%2]
		case strings.HasSuffix(path, ".operator"):
			return []string{"In", "NotIn", "Exists", "DoesNotExist"}[e.next()%4]
		case strings.HasSuffix(path, ".effect"):
			return []string{"NoSchedule", "NoExecute"}[e.next()%2]
		}
		return fmt.Sprintf("text%d", e.next())
	}
	return map[string]any{"any": []any{int64(e.next()), "value"}} // an arbitrary value
}

// fullObject is an object of a kind with every field set.
func fullObject(t *testing.T, k *typed.Kind) map[string]any {
	t.Helper()
	e := &everything{}
	spec := definition(t, k).Properties["spec"]
	object := map[string]any{
		"apiVersion": k.GVK.GroupVersion().String(), "kind": k.GVK.Kind,
		"metadata": map[string]any{"name": "full", "uid": "u", "finalizers": []any{"keep.example/me"}, "labels": map[string]any{"a": "1", "x.karmada.io/id": "2"},
			"annotations": map[string]any{"b": "3", "kubectl.kubernetes.io/last-applied-configuration": "{}"}},
		"spec":   e.of(&spec, "spec"),
		"status": map[string]any{"kept": "yes"},
	}
	if k.Namespaced {
		object["metadata"].(map[string]any)["namespace"] = "shop" //nolint:forcetypeassert // just made
	}
	return object
}

// samples are the objects of a kind among Karmada's own samples.
func samples(t *testing.T, k *typed.Kind) (out []map[string]any) {
	t.Helper()
	files, err := testenv.Samples()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range bytes.Split(text, []byte("\n---")) {
			raw, err := yaml.YAMLToJSON(doc)
			if err != nil {
				continue // a template
			}
			var object map[string]any
			if utiljson.Unmarshal(raw, &object) == nil && object["kind"] == k.GVK.Kind && object["apiVersion"] == k.GVK.GroupVersion().String() {
				out = append(out, object)
			}
		}
	}
	return out
}

// clone is a copy that shares nothing.
func clone(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, inner := range v {
			out[k] = clone(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = clone(inner)
		}
		return out
	}
	return value
}

func object(value any) map[string]any {
	out, _ := clone(value).(map[string]any)
	return out
}
