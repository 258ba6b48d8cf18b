package member

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// The agent of a member in pull mode, as its registration makes it.
const (
	agentNamespace = "karmada-system"
	agent          = "karmada-agent"
	agentAccount   = "karmada-agent-sa"
	agentSecret    = "karmada-kubeconfig"
)

var (
	deployments  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	statefulSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}
	services     = schema.GroupVersionResource{Version: "v1", Resource: "services"}
)

// key is an object of a member.
type key struct {
	resource        schema.GroupVersionResource
	namespace, name string
}

// leftovers are all that a joining, or a registration with an agent, left in a member, but for the role of Karmada's account.
// With others there, what they share with it stays.
func leftovers(name string, shared bool) []key {
	keys := []key{
		{clusterRoleBindings, "", roleOf(name)},
		{deployments, agentNamespace, agent},
		{secrets, agentNamespace, agentSecret},
		{accounts, agentNamespace, agentAccount},
		{clusterRoleBindings, "", agent},
		{clusterRoles, "", agent},
	}
	if shared {
		return append(keys, key{secrets, Namespace, accountOf(name)}, key{accounts, Namespace, accountOf(name)})
	}
	// The namespace takes what is in it along.
	return append(keys, key{namespaces, "", Namespace})
}

// Dismiss takes Karmada's accounts, and the agent of a member in pull mode, out of the cluster. It is called with a credential that may be
// that of such an account: everything is made to belong to the account's role, which is deleted then by one request, and with it
// the rest by the cluster's garbage collector. So no crash leaves half of it with nobody who may take the rest away. It reports whether
// that request was made; false when nothing was there any more. With a mark, it takes away only what Admit made with that mark.
func (c *Cluster) Dismiss(ctx context.Context, name, mark string) (bool, error) {
	role, err := c.get(ctx, key{clusterRoles, "", roleOf(name)})
	if err != nil || role == nil || mark != "" && role.mark != mark {
		return false, err
	}
	others, err := c.Others(ctx, name)
	if err != nil {
		return false, err
	}
	keys := leftovers(name, len(others) > 0)
	if alone, err := c.agentAlone(ctx); err != nil {
		return false, err
	} else if alone {
		keys = append(keys, key{namespaces, "", agentNamespace})
	}
	owner := map[string]any{"metadata": map[string]any{"ownerReferences": []any{map[string]any{
		"apiVersion": clusterRoles.GroupVersion().String(), "kind": "ClusterRole", "name": roleOf(name), "uid": string(role.uid),
	}}}}
	patch, err := json.Marshal(owner)
	if err != nil {
		return false, fmt.Errorf("encode an owner: %w", err)
	}
	for _, k := range keys {
		if err := c.own(ctx, k, patch); err != nil {
			return false, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	background := metav1.DeletePropagationBackground
	err = c.client.Resource(clusterRoles).Delete(ctx, roleOf(name), metav1.DeleteOptions{
		PropagationPolicy: &background, Preconditions: &metav1.Preconditions{UID: &role.uid},
	})
	if apierrors.IsNotFound(err) {
		return true, nil
	}
	return err == nil, explained(err, "taking Karmada's role away")
}

// own makes an object belong to the role; one that is not there is none.
func (c *Cluster) own(ctx context.Context, k key, patch []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := c.client.Resource(k.resource).Namespace(k.namespace).Patch(ctx, k.name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return explained(err, fmt.Sprintf("preparing the removal of %s %q", k.resource.Resource, k.name))
}

// found is what is known of an object that is there.
type found struct {
	uid  types.UID
	mark string
}

// get returns an object; nil when there is none.
func (c *Cluster) get(ctx context.Context, k key) (*found, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	o, err := c.client.Resource(k.resource).Namespace(k.namespace).Get(ctx, k.name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil //nolint:nilnil // there is none
	case err != nil:
		return nil, explained(err, fmt.Sprintf("reading %s %q", k.resource.Resource, k.name))
	}
	return &found{uid: o.GetUID(), mark: o.GetAnnotations()[v1alpha1.AnnotationOperation]}, nil
}

// Dismissed reports whether the account that asks has no rights in the cluster any more, which is how it learns that it was taken away.
func (c *Cluster) Dismissed(ctx context.Context, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := c.client.Resource(clusterRoles).Get(ctx, roleOf(name), metav1.GetOptions{})
	if apierrors.IsUnauthorized(err) || apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		return true, nil
	}
	return false, explained(err, "asking whether Karmada's role is gone")
}

// agentAlone reports whether the namespace of the agent was made for it and holds nothing else that runs: a cluster in which a Karmada is
// installed has one of the same name.
func (c *Cluster) agentAlone(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	ns, err := c.client.Resource(namespaces).Get(ctx, agentNamespace, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || err == nil && ns.GetLabels()[systemLabel] != "true" {
		return false, nil
	} else if err != nil {
		return false, explained(err, "reading the namespace of the agent")
	}
	for _, resource := range []schema.GroupVersionResource{deployments, statefulSets, services} {
		list, err := c.client.Resource(resource).Namespace(agentNamespace).List(ctx, metav1.ListOptions{Limit: 2})
		if err != nil {
			return false, explained(err, "looking what else is in the namespace of the agent")
		}
		for i := range list.Items {
			if resource != deployments || list.Items[i].GetName() != agent {
				return false, nil
			}
		}
	}
	return true, nil
}
