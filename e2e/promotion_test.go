package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	promoteQuery      = `mutation($in: PromoteResourceInput!) { out: promoteResource(input: $in) { operation { id state } promoted { kind name changes { path } } left { kind name reason } userErrors { code message field } } }`
	updatePolicyQuery = `mutation($in: UpdatePolicyInput!) { out: updatePolicy(input: $in) { userErrors { code message field } } }`
)

// A Deployment that runs in hangzhou alone becomes part of the federation with what it needs: its pods stay, and it goes to singapore then.
func promotion(t *testing.T) {
	const ns = "e2e-promotion"
	removeNamespace(t, ns)
	hangzhou, singapore, asia := karmada(t, "hangzhou"), karmada(t, "singapore"), karmada(t, "asia")
	t.Cleanup(func() {
		for _, c := range []dynamic.Interface{asia, hangzhou, singapore} {
			if err := c.Resource(namespaceResource).Delete(context.Background(), ns, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
				t.Error(err)
			}
		}
	})
	for _, o := range []struct {
		kind   schema.GroupVersionResource
		object map[string]any
	}{
		{namespaceResource, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": ns, "labels": map[string]any{"team": "local"}}}},
		{schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "settings", "namespace": ns}, "data": map[string]any{"a": "b"}}},
		{secretResource, map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "password", "namespace": ns}, "stringData": map[string]any{"p": "correct-horse"}}},
		{serviceResource, map[string]any{"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"name": "shop", "namespace": ns}, "spec": map[string]any{"selector": map[string]any{"app": "shop"}, "ports": []any{map[string]any{"port": int64(80)}}}}},
		{deploymentResource, map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "shop", "namespace": ns}, "spec": map[string]any{
			"replicas": int64(2), "selector": map[string]any{"matchLabels": map[string]any{"app": "shop"}}, "template": map[string]any{"metadata": map[string]any{"labels": map[string]any{"app": "shop"}},
				"spec": map[string]any{"containers": []any{map[string]any{"name": "web", "image": "registry.example/web:1",
					"envFrom": []any{map[string]any{"configMapRef": map[string]any{"name": "settings"}}, map[string]any{"secretRef": map[string]any{"name": "password"}}}}}}}}}},
	} {
		u := &unstructured.Unstructured{Object: o.object}
		eventually(t, 30*time.Second, func() error { // a namespace of a run before may be going
			_, err := hangzhou.Resource(o.kind).Namespace(u.GetNamespace()).Create(t.Context(), u, metav1.CreateOptions{})
			return err
		})
	}
	pods := func() (uids []string) {
		list, err := hangzhou.Resource(podResource).Namespace(ns).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list.Items {
			uids = append(uids, string(p.GetUID()))
		}
		slices.Sort(uids)
		return uids
	}
	eventually(t, 2*time.Minute, func() error {
		d, err := hangzhou.Resource(deploymentResource).Namespace(ns).Get(t.Context(), "shop", metav1.GetOptions{})
		if err != nil || fieldOf(d, "status", "readyReplicas") != "2" {
			return fmt.Errorf("it does not run: %s: %w", fieldOf(d, "status"), err)
		}
		return nil
	})
	before := pods()
	service, err := hangzhou.Resource(serviceResource).Namespace(ns).Get(t.Context(), "shop", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	input := map[string]any{"instance": "asia", "cluster": "hangzhou", "apiVersion": "apps/v1", "kind": "Deployment", "namespace": ns, "name": "shop", "dryRun": true}
	var dry begun
	eventually(t, 30*time.Second, func() error { // the member may not know the person yet
		dry = begin(t, promoteQuery, input)
		if len(dry.Promoted) != 4 {
			return fmt.Errorf("a dry run is answered %+v", dry)
		}
		return nil
	})
	if _, err := asia.Resource(deploymentResource).Namespace(ns).Get(t.Context(), "shop", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatalf("a dry run made something: %v", err)
	}
	input["dryRun"] = false
	succeeds(t, begin(t, promoteQuery, input), 5*time.Minute)
	if now := pods(); !slices.Equal(before, now) {
		t.Errorf("the pods were %q and are %q", before, now)
	}
	after, err := hangzhou.Resource(serviceResource).Namespace(ns).Get(t.Context(), "shop", metav1.GetOptions{})
	if err != nil || fieldOf(after, "spec", "clusterIP") != fieldOf(service, "spec", "clusterIP") {
		t.Errorf("the Service has the address %s instead of %s: %v", fieldOf(after, "spec", "clusterIP"), fieldOf(service, "spec", "clusterIP"), err)
	}
	if labels, err := hangzhou.Resource(namespaceResource).Get(t.Context(), ns, metav1.GetOptions{}); err != nil || labels.GetLabels()["team"] != "local" {
		t.Errorf("the labels of the namespace are %v: %v", labels.GetLabels(), err)
	}
	if got := begin(t, promoteQuery, input).problems(); len(got) != 1 || got[0] != "CONFLICT input.name" {
		t.Errorf("promoted again: %q", got)
	}

	policies, err := asia.Resource(policyResource("propagationpolicies")).Namespace(ns).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(policies.Items) != 4 {
		t.Fatalf("%d policies: %v", len(policies.Items), err)
	}
	for _, p := range policies.Items {
		if selectors, _, _ := unstructured.NestedSlice(p.Object, "spec", "resourceSelectors"); len(selectors) != 1 || p.GetAnnotations()["kairship.io/operation"] != "" {
			t.Errorf("policy %s has %d selectors, and annotations %v", p.GetName(), len(selectors), p.GetAnnotations())
		}
		where := map[string]any{"placement": map[string]any{"clusterAffinity": map[string]any{"clusterNames": []string{"hangzhou", "singapore"}}}}
		ref := model.Ref{Instance: "asia", GVK: p.GroupVersionKind(), Namespace: ns, Name: p.GetName()}
		change := map[string]any{"id": ref.ID(), "resourceVersion": p.GetResourceVersion(), "propagationPolicy": where}
		if got := begin(t, updatePolicyQuery, change); len(got.UserErrors) > 0 {
			t.Fatalf("%+v", got.UserErrors)
		}
	}
	eventually(t, 2*time.Minute, func() error {
		d, err := singapore.Resource(deploymentResource).Namespace(ns).Get(t.Context(), "shop", metav1.GetOptions{})
		if err != nil || fieldOf(d, "status", "readyReplicas") != "2" {
			return fmt.Errorf("it does not run in singapore: %s: %w", fieldOf(d, "status"), err)
		}
		return nil
	})
	if now := pods(); !slices.Equal(before, now) {
		t.Errorf("after it went to singapore, the pods of hangzhou were %q and are %q", before, now)
	}
}
