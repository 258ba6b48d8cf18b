package e2e

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// snapshot is the objects of a cluster by resource, namespace and name, as somebody wrote them.
type snapshot map[string]map[string]any

// passing is the resources that come and go by themselves.
var passing = map[schema.GroupResource]string{
	{Resource: "events"}:                                       "what happened, for an hour",
	{Group: "events.k8s.io", Resource: "events"}:               "the same",
	{Group: "coordination.k8s.io", Resource: "leases"}:         "renewed by whoever is the leader",
	{Group: "search.karmada.io", Resource: "search"}:           "no objects",
	{Group: "metrics.k8s.io", Resource: "pods"}:                "measured",
	{Group: "metrics.k8s.io", Resource: "nodes"}:               "measured",
	{Resource: "componentstatuses"}:                            "asked of others at each read",
	{Group: "apiregistration.k8s.io", Resource: "apiservices"}: "kept by the API server itself; what it serves is in the CRDs",
}

// everythingOf reads every object of every kind that an instance has.
func everythingOf(t *testing.T, instance string) snapshot {
	t.Helper()
	cfg := config(t, instance)
	cfg.QPS, cfg.Burst, cfg.Timeout = 200, 200, 30*time.Second
	cfg.WarningHandler = rest.NoWarnings{} // kinds that are deprecated count, too
	found, err := discovery.NewDiscoveryClientForConfigOrDie(cfg).ServerPreferredResources()
	if err != nil {
		t.Fatalf("which kinds %s has: %v", instance, err)
	}
	client := dynamic.NewForConfigOrDie(cfg)
	out := snapshot{}
	for _, list := range found {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.APIResources {
			resource := gv.WithResource(r.Name).GroupResource()
			if _, passes := passing[resource]; passes || !slices.Contains(r.Verbs, "list") || strings.Contains(r.Name, "/") {
				continue
			}
			objects, err := client.Resource(gv.WithResource(r.Name)).List(t.Context(), metav1.ListOptions{})
			if apierrors.IsMethodNotSupported(err) {
				continue
			}
			if err != nil {
				t.Fatalf("%s of %s: %v", resource, instance, err)
			}
			for _, o := range objects.Items {
				out[resource.String()+" "+o.GetNamespace()+"/"+o.GetName()] = written(&o)
			}
		}
	}
	return out
}

// written is what somebody wrote of an object: neither its status nor what the API server counts. What Kairship put
// there may have been taken away and put back, so that it has another UID.
func written(o *unstructured.Unstructured) map[string]any {
	content := o.DeepCopy().Object
	delete(content, "status")
	metadata := content["metadata"].(map[string]any)
	for _, counted := range []string{"resourceVersion", "generation", "managedFields"} {
		delete(metadata, counted)
	}
	if o.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.ManagedByKairship {
		delete(metadata, "uid")
		delete(metadata, "creationTimestamp")
	}
	if o.GetKind() == "Secret" { // a difference is told, never a value
		data, _, _ := unstructured.NestedMap(content, "data")
		for key, value := range data {
			data[key] = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, value)))
		}
		content["data"] = data
	}
	return content
}

// since says what is not as it was before.
func (s snapshot) since(before snapshot) error {
	var out []string
	for key, object := range before {
		if now, ok := s[key]; !ok {
			out = append(out, key+" is gone")
		} else if diff := cmp.Diff(object, now); diff != "" {
			out = append(out, fmt.Sprintf("%s changed (-before +after):\n%.1000s", key, diff))
		}
	}
	for key := range s {
		if _, ok := before[key]; !ok {
			out = append(out, key+" was left behind")
		}
	}
	if len(out) == 0 {
		return nil
	}
	slices.Sort(out)
	return fmt.Errorf("%d objects: %s", len(out), strings.Join(out[:min(len(out), 10)], "\n"))
}

// count is how many objects of a resource there are.
func (s snapshot) count(resource string) (n int) {
	for key := range s {
		if strings.HasPrefix(key, resource+" ") {
			n++
		}
	}
	return n
}
