package promotion

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// MostDependencies is how many an object may need; more are refused.
const MostDependencies = 64

var (
	configMapKind      = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	secretKind         = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	serviceAccountKind = schema.GroupVersionKind{Version: "v1", Kind: "ServiceAccount"}
	claimKind          = schema.GroupVersionKind{Version: "v1", Kind: "PersistentVolumeClaim"}
	// ServiceKind is that of Services, which select what they need.
	ServiceKind = schema.GroupVersionKind{Version: "v1", Kind: "Service"}
)

// Dependency is an object that another one names.
type Dependency struct {
	Ref model.Ref
	// Optional says that Pods run without it.
	Optional bool
}

// podSpec is the spec of the Pods that an object makes, and their labels; nil for an object that makes none.
func podSpec(object map[string]any) (spec, labels map[string]any) {
	spec = mapOf(object, "spec")
	switch textOf(object, "kind") {
	case "Pod":
		return spec, mapOf(mapOf(object, "metadata"), "labels")
	case "CronJob":
		spec = mapOf(mapOf(spec, "jobTemplate"), "spec")
	}
	template := mapOf(spec, "template")
	return mapOf(template, "spec"), mapOf(mapOf(template, "metadata"), "labels")
}

// Dependencies are what the Pods of an object name: ConfigMaps, Secrets, claims and their ServiceAccount, each once, by kind and name. What every
// cluster has by itself is left out.
func Dependencies(ref model.Ref, object map[string]any) []Dependency {
	spec, _ := podSpec(object)
	found := map[model.Ref]bool{}
	add := func(kind schema.GroupVersionKind, name string, optional bool) {
		if name == "" || kind == configMapKind && name == "kube-root-ca.crt" || kind == serviceAccountKind && name == "default" {
			return
		}
		at := model.Ref{Instance: ref.Instance, GVK: kind, Namespace: ref.Namespace, Name: name}
		before, known := found[at]
		found[at] = optional && (before || !known)
	}
	named := func(kind schema.GroupVersionKind, from map[string]any, field string) {
		if from != nil {
			add(kind, textOf(from, field), is(from["optional"]))
		}
	}
	add(serviceAccountKind, cmp.Or(textOf(spec, "serviceAccountName"), textOf(spec, "serviceAccount")), false)
	for _, s := range maps(spec, "imagePullSecrets") {
		named(secretKind, s, "name")
	}
	for _, field := range []string{"containers", "initContainers", "ephemeralContainers"} {
		for _, c := range maps(spec, field) {
			for _, e := range maps(c, "envFrom") {
				named(configMapKind, mapOf(e, "configMapRef"), "name")
				named(secretKind, mapOf(e, "secretRef"), "name")
			}
			for _, e := range maps(c, "env") {
				from := mapOf(e, "valueFrom")
				named(configMapKind, mapOf(from, "configMapKeyRef"), "name")
				named(secretKind, mapOf(from, "secretKeyRef"), "name")
			}
		}
	}
	for _, v := range maps(spec, "volumes") {
		named(configMapKind, mapOf(v, "configMap"), "name")
		named(secretKind, mapOf(v, "secret"), "secretName")
		named(claimKind, mapOf(v, "persistentVolumeClaim"), "claimName")
		for field := range v {
			named(secretKind, mapOf(mapOf(v, field), "secretRef"), "name")
			named(secretKind, mapOf(mapOf(v, field), "nodePublishSecretRef"), "name")
		}
		for _, source := range maps(mapOf(v, "projected"), "sources") {
			named(configMapKind, mapOf(source, "configMap"), "name")
			named(secretKind, mapOf(source, "secret"), "name")
		}
	}
	out := make([]Dependency, 0, len(found))
	for at, optional := range found {
		out = append(out, Dependency{Ref: at, Optional: optional})
	}
	slices.SortFunc(out, func(a, b Dependency) int {
		return cmp.Or(strings.Compare(a.Ref.GVK.Kind, b.Ref.GVK.Kind), strings.Compare(a.Ref.Name, b.Ref.Name))
	})
	return out
}

// Selects reports whether a Service selects the Pods of an object.
func Selects(service, object map[string]any) bool {
	_, labels := podSpec(object)
	selector := mapOf(mapOf(service, "spec"), "selector")
	if len(selector) == 0 {
		return false
	}
	for key, value := range selector {
		if has, ok := labels[key]; !ok || has != value {
			return false
		}
	}
	return true
}

// MakesPods reports whether an object makes Pods, which Services may select.
func MakesPods(object map[string]any) bool {
	spec, _ := podSpec(object)
	return len(listOf(spec, "containers")) > 0
}

// maps are the objects of a list.
func maps(object map[string]any, field string) []map[string]any {
	var out []map[string]any
	for _, item := range listOf(object, field) {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}
