package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

// DeleteNamespace deletes a namespace of a control plane with all that it holds; Karmada then deletes it in the members.
type DeleteNamespace struct {
	OnResource
	// Cascade deletes what the namespace holds, too. Without it only an empty namespace is deleted.
	Cascade bool
}

// Verb names the action.
func (a *DeleteNamespace) Verb() string { return "deleteNamespace" }

// Do returns the id of the namespace.
func (a *DeleteNamespace) Do(ctx context.Context, call *Call) (string, []model.UserError, error) {
	ref := call.Target.Ref
	if ref.GVK != namespaceKind {
		return "", nil, model.BadInput("id", "is the id of a %s, not of a namespace", ref.GVK.Kind)
	}
	if role.Reserved(ref.Name) || ref.Name == "default" {
		return "", nil, model.BadInput("id", "is the id of namespace %q, which the control plane itself needs", ref.Name)
	}
	namespace, err := call.Open(ctx, ref)
	if err != nil {
		return "", nil, err
	}
	labels := ""
	if a.Cascade {
		labels = protectedLabel
	}
	held, err := contentOf(ctx, namespace, labels)
	switch {
	case err != nil:
		return "", nil, err
	case len(held) > 0 && a.Cascade:
		return "", nil, model.BadInput("id", "is the id of namespace %q, which holds %s that are protected from deletion: it would never be gone; take the protection back first (protectResource)", ref.Name, strings.Join(held, ", "))
	case len(held) > 0:
		return "", nil, model.BadInput("cascade", "is false, and namespace %q holds %s; with true they are deleted, too, also in every member that has them", ref.Name, strings.Join(held, ", "))
	}
	if err := namespace.Delete(ctx, karmada.Expected{UID: a.UID}); err != nil {
		return "", nil, err
	}
	return a.ID, nil, nil
}

// heldKind is a kind that a namespace is looked through for.
type heldKind struct {
	schema.GroupVersionResource
	plural, fields string
}

// unheld are the groups, and resources of groups, that Kubernetes and Karmada fill by themselves.
var unheld = []string{
	"authorization.k8s.io", "authorization.karmada.io", "cluster.karmada.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "metrics.k8s.io",
	"custom.metrics.k8s.io", "external.metrics.k8s.io", "rbac.authorization.k8s.io", "search.karmada.io", "work.karmada.io",
	"apps/controllerrevisions", "apps/replicasets",
}

// maxHeldKinds is the most kinds that a namespace is looked through for.
const maxHeldKinds = 300

// heldKinds are held, and every other kind that the control plane serves: autoscalers, custom resources.
func heldKinds(ctx context.Context, namespace *karmada.Object) ([]heldKind, error) {
	served, err := namespace.Resources(ctx)
	if err != nil && !karmada.IsAbsent(err) {
		return nil, err
	}
	out := slices.Clone(held)
	for _, gvr := range served {
		known := slices.ContainsFunc(held, func(k heldKind) bool { return k.GroupResource() == gvr.GroupResource() })
		if !known && !slices.Contains(unheld, gvr.Group) && !slices.Contains(unheld, gvr.Group+"/"+gvr.Resource) {
			out = append(out, heldKind{gvr, gvr.GroupResource().String(), ""})
		}
	}
	if len(out) > maxHeldKinds {
		return nil, model.BadInput("id", "is the id of a namespace of a control plane that serves %d kinds, and it is looked through for %d at most: delete it with kubectl", len(out), maxHeldKinds)
	}
	return out, nil
}

// held are the kinds that a namespace is looked through for. What Kubernetes itself puts into each is left out.
var held = []heldKind{
	{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, "Deployments", ""},
	{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}, "StatefulSets", ""},
	{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "daemonsets"}, "DaemonSets", ""},
	{schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}, "Jobs", ""},
	{schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}, "CronJobs", ""},
	{schema.GroupVersionResource{Version: "v1", Resource: "services"}, "Services", ""},
	{schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, "ConfigMaps", "metadata.name!=kube-root-ca.crt"},
	{schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, "Secrets", "type!=kubernetes.io/service-account-token"},
	{schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}, "PersistentVolumeClaims", ""},
	{schema.GroupVersionResource{Group: "networking.k8s.io", Version: "v1", Resource: "ingresses"}, "Ingresses", ""},
	{schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: "propagationpolicies"}, "PropagationPolicies", ""},
	{schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: "overridepolicies"}, "OverridePolicies", ""},
}

// contentOf says what a namespace holds with some labels, kind by kind. Who may not list one of them is refused.
func contentOf(ctx context.Context, namespace *karmada.Object, labels string) ([]string, error) {
	kinds, err := heldKinds(ctx, namespace)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(kinds))
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i, kind := range kinds {
		g.Go(func() error {
			raw, err := namespace.Holds(ctx, kind.GroupVersionResource, kind.fields, labels)
			if karmada.IsAbsent(err) {
				return nil // it is not served
			}
			if err != nil {
				return err
			}
			var list struct {
				Metadata struct{ RemainingItemCount int }
				Items    []json.RawMessage
			}
			if err := json.Unmarshal(raw, &list); err != nil {
				return fmt.Errorf("decode the %s of namespace %q: %w", kind.plural, namespace.Ref.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			counts[i] = len(list.Items) + list.Metadata.RemainingItemCount
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []string
	for i, n := range counts {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, kinds[i].plural))
		}
	}
	return out, nil
}

// Again returns the id.
func (a *DeleteNamespace) Again(context.Context, *Call, []byte) (string, error) { return a.ID, nil }
