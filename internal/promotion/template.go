// Package promotion decides how an object of a member becomes part of the federation without being touched where it runs: what its
// template is, what it needs, and by which policies Karmada takes it over. It is pure: it must not know any client, nor who asks.
package promotion

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// RefusedError says why an object cannot be promoted.
type RefusedError struct{ Message string }

func (e *RefusedError) Error() string { return e.Message }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// ownCluster are kinds whose objects are of one cluster by what they are.
var ownCluster = map[schema.GroupKind]string{
	{Kind: "Namespace"}:        "Karmada makes Namespaces in every member; create it in the instance",
	{Kind: "Node"}:             "a Node is a machine of its cluster",
	{Kind: "PersistentVolume"}: "a PersistentVolume is a disk of its cluster",
	{Kind: "Event"}:            "an Event tells what happened in its cluster",
	{Kind: "Endpoints"}:        "Endpoints are addresses in their cluster",
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}: "an EndpointSlice holds addresses in its cluster",
	{Group: "coordination.k8s.io", Kind: "Lease"}:      "a Lease is held by a process of its cluster",
	{Group: "events.k8s.io", Kind: "Event"}:            "an Event tells what happened in its cluster",
}

// ownGroups are groups of Karmada, Kairship and Clusterpedia.
var ownGroups = []string{"karmada.io", "kairship.io", "clusterpedia.io"}

// managedLabel is on what Karmada placed in a member.
const managedLabel = "karmada.io/managed"

// Promotable fails with a *RefusedError for an object that cannot be promoted.
func Promotable(ref model.Ref, object map[string]any) error {
	what := fmt.Sprintf("%s %q", ref.GVK.Kind, ref.Name)
	if why, is := ownCluster[ref.GVK.GroupKind()]; is {
		return refuse("%s cannot be promoted: %s", what, why)
	}
	if slices.ContainsFunc(ownGroups, func(g string) bool { return ref.GVK.Group == g || strings.HasSuffix(ref.GVK.Group, "."+g) }) {
		return refuse("%s cannot be promoted: its kind is one of the federation itself", what)
	}
	if strings.HasPrefix(ref.Namespace, "kube-") || strings.HasPrefix(ref.Namespace, "karmada-") {
		return refuse("%s cannot be promoted: Karmada propagates nothing of namespace %q", what, ref.Namespace)
	}
	metadata := mapOf(object, "metadata")
	if textOf(mapOf(metadata, "labels"), managedLabel) == "true" {
		return refuse("%s is placed by Karmada already", what)
	}
	if metadata["deletionTimestamp"] != nil {
		return refuse("%s is being deleted", what)
	}
	for _, owner := range listOf(metadata, "ownerReferences") {
		if o, _ := owner.(map[string]any); is(o["controller"]) {
			return refuse("%s belongs to %v %q, which would make another one in each cluster; promote that", what, o["kind"], o["name"])
		}
	}
	if ref.GVK.Group == "" && ref.GVK.Kind == "Secret" && textOf(object, "type") == "kubernetes.io/service-account-token" {
		return refuse("%s is the token of an account of its cluster", what)
	}
	return nil
}

// Template is the object as it is to be in the federation: without what its cluster made of it. The object is not changed.
func Template(object map[string]any) map[string]any {
	out := runtime.DeepCopyJSON(object)
	delete(out, "status")
	metadata := mapOf(out, "metadata")
	for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
		"managedFields", "ownerReferences", "finalizers", "selfLink", "generateName"} {
		delete(metadata, field)
	}
	for _, field := range []string{"labels", "annotations"} {
		values := mapOf(metadata, field)
		for key := range values {
			if clusters(key) {
				delete(values, key)
			}
		}
		if len(values) == 0 {
			delete(metadata, field)
		}
	}
	kind, _ := out["kind"].(string)
	if clean := cleaners[kind]; clean != nil {
		clean(out)
	}
	return out
}

// clusterPrefixes are those of labels and annotations that a cluster or a tool wrote about the object in that cluster.
var clusterPrefixes = []string{"deployment.kubernetes.io/", "deprecated.daemonset.template.generation", "pv.kubernetes.io/", "volume.kubernetes.io/",
	"volume.beta.kubernetes.io/storage-provisioner", "kubectl.kubernetes.io/last-applied-configuration", "endpoints.kubernetes.io/", "batch.kubernetes.io/job-tracking",
	"control-plane.alpha.kubernetes.io/", "autoscaling.alpha.kubernetes.io/"}

// clusters reports whether a label or annotation is about the object in its cluster.
func clusters(key string) bool {
	group, _, _ := strings.Cut(key, "/")
	return strings.HasSuffix(group, "karmada.io") || strings.HasSuffix(group, "kairship.io") || slices.ContainsFunc(clusterPrefixes, func(p string) bool { return strings.HasPrefix(key, p) })
}

// cleaners remove what a cluster writes into the specs of its objects.
var cleaners = map[string]func(map[string]any){
	"Service": func(o map[string]any) {
		spec := mapOf(o, "spec")
		if textOf(spec, "clusterIP") != "None" {
			delete(spec, "clusterIP")
			delete(spec, "clusterIPs")
		}
		delete(spec, "healthCheckNodePort")
		for _, p := range listOf(spec, "ports") {
			if port, ok := p.(map[string]any); ok {
				delete(port, "nodePort")
			}
		}
	},
	"PersistentVolumeClaim": func(o map[string]any) { delete(mapOf(o, "spec"), "volumeName") },
	"ServiceAccount":        func(o map[string]any) { delete(o, "secrets") },
	"Job": func(o map[string]any) {
		spec := mapOf(o, "spec")
		if is(spec["manualSelector"]) {
			return
		}
		delete(spec, "selector")
		labels := mapOf(mapOf(mapOf(spec, "template"), "metadata"), "labels")
		for _, key := range []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"} {
			delete(labels, key)
		}
	},
}

// mapOf, listOf and textOf read fields of objects of any shape: what is of another type is none.
func mapOf(object map[string]any, field string) map[string]any {
	out, _ := object[field].(map[string]any)
	return out
}

func listOf(object map[string]any, field string) []any {
	out, _ := object[field].([]any)
	return out
}

func textOf(object map[string]any, field string) string {
	out, _ := object[field].(string)
	return out
}

// is reports whether a value is true.
func is(value any) bool {
	b, ok := value.(bool)
	return ok && b
}
