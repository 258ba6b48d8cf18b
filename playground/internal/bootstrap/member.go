package bootstrap

import (
	"context"
	"encoding/base64"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/kube"
)

var (
	getOptions      = metav1.GetOptions{}
	secretResource  = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	nsResource      = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	clusterResource = schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"}
)

// The namespace, on both sides, that holds the credentials of a joining.
const joinNamespace = "karmada-cluster"

// Nodes gives a member its machines; kwok makes them live, and answers for their kubelets at a port.
func Nodes(ctx context.Context, c *kube.Client, m fleet.Member, kubelet int) error {
	for _, pool := range m.Pools {
		for n := range pool.Count {
			name := fmt.Sprintf("%s-%s-%d", m.Name, pool.Name, n+1)
			capacity := map[string]any{"cpu": pool.CPU, "memory": pool.Memory, "pods": "250", "ephemeral-storage": "200Gi"}
			labels := map[string]any{
				"type":                             "kwok",
				"kubernetes.io/hostname":           name,
				"kubernetes.io/os":                 "linux",
				"kubernetes.io/arch":               "amd64",
				"topology.kubernetes.io/region":    m.Region,
				"topology.kubernetes.io/zone":      pool.Zone,
				"node.kubernetes.io/instance-type": fmt.Sprintf("%scpu-%s", pool.CPU, pool.Memory),
			}
			if pool.GPUs > 0 {
				capacity[fleet.GPU] = fmt.Sprint(pool.GPUs)
				labels["nvidia.com/gpu.present"] = "true"
			}
			meta := map[string]any{"name": name}
			node := kube.Object(map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{
				"name": name, "labels": labels,
				"annotations": map[string]any{"kwok.x-k8s.io/node": "fake", "node.alpha.kubernetes.io/ttl": "0"},
			}})
			status := kube.Object(map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": meta, "status": map[string]any{
				"capacity": capacity, "allocatable": capacity,
				"daemonEndpoints": map[string]any{"kubeletEndpoint": map[string]any{"Port": kubelet}},
				"nodeInfo": map[string]any{
					"architecture": "amd64", "operatingSystem": "linux", "osImage": "kwok", "kernelVersion": "kwok",
					"kubeletVersion": "v1.35.3", "kubeProxyVersion": "", "containerRuntimeVersion": "kwok",
					"bootID": "", "machineID": "", "systemUUID": "",
				},
			}})
			if err := c.Apply(ctx, node); err != nil {
				return err
			}
			if err := c.ApplyStatus(ctx, status); err != nil {
				return err
			}
		}
	}
	return nil
}

// PullNamespaces makes what an agent expects in the member it serves.
func PullNamespaces(ctx context.Context, c *kube.Client) error {
	return c.Apply(ctx, namespace("karmada-system"), joinNS())
}

func joinNS() *unstructured.Unstructured {
	return kube.Object(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{
		"name": joinNamespace, "labels": map[string]any{"karmada.io/managed": "true"},
	}})
}

// Join makes a member known to an instance in push mode: accounts for Karmada in
// the member, their tokens and the Cluster object in the instance.
func Join(ctx context.Context, instance, member *kube.Client, m fleet.Member) error {
	account, impersonator := "karmada-"+m.Name, "karmada-impersonator"
	role := "karmada-controller-manager:" + account
	err := member.Apply(ctx, joinNS(),
		serviceAccount(account), serviceAccount(impersonator),
		kube.Object(map[string]any{
			"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": map[string]any{"name": role},
			"rules": []any{
				map[string]any{"apiGroups": []any{"*"}, "resources": []any{"*"}, "verbs": []any{"*"}},
				map[string]any{"nonResourceURLs": []any{"*"}, "verbs": []any{"get"}},
			},
		}),
		kube.Object(map[string]any{
			"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": map[string]any{"name": role},
			"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
			"subjects": []any{map[string]any{"kind": "ServiceAccount", "namespace": joinNamespace, "name": account}},
		}),
		tokenSecret(account), tokenSecret(impersonator),
	)
	if err != nil {
		return err
	}
	token, ca, err := issued(ctx, member, account)
	if err != nil {
		return err
	}
	impersonation, _, err := issued(ctx, member, impersonator)
	if err != nil {
		return err
	}
	system, err := member.Resource(nsResource, "").Get(ctx, "kube-system", getOptions)
	if err != nil {
		return fmt.Errorf("reading the identity of %s: %w", m.Name, err)
	}
	return instance.Apply(ctx, joinNS(),
		secret(m.Name, map[string]any{"token": token, "caBundle": ca}),
		secret(m.Name+"-impersonator", map[string]any{"token": impersonation}),
		kube.Object(map[string]any{
			"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster", "metadata": map[string]any{"name": m.Name},
			"spec": map[string]any{
				"syncMode": string(fleet.Push), "apiEndpoint": member.Server(), "id": string(system.GetUID()),
				"provider": m.Provider, "region": m.Region, "zones": m.Zones,
				"secretRef":             map[string]any{"namespace": joinNamespace, "name": m.Name},
				"impersonatorSecretRef": map[string]any{"namespace": joinNamespace, "name": m.Name + "-impersonator"},
			},
		}),
	)
}

func serviceAccount(name string) *unstructured.Unstructured {
	return kube.Object(map[string]any{"apiVersion": "v1", "kind": "ServiceAccount",
		"metadata": map[string]any{"namespace": joinNamespace, "name": name}})
}

func tokenSecret(account string) *unstructured.Unstructured {
	return kube.Object(map[string]any{"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/service-account-token",
		"metadata": map[string]any{"namespace": joinNamespace, "name": account,
			"annotations": map[string]any{"kubernetes.io/service-account.name": account}}})
}

func secret(name string, data map[string]any) *unstructured.Unstructured {
	return kube.Object(map[string]any{"apiVersion": "v1", "kind": "Secret", "data": data,
		"metadata": map[string]any{"namespace": joinNamespace, "name": name}})
}

// issued waits for the token of an account and returns it and the cluster's CA,
// base64 as Secrets hold them.
func issued(ctx context.Context, c *kube.Client, account string) (token, ca string, err error) {
	err = kube.Wait(ctx, poll, "the token of "+account, func(ctx context.Context) (bool, string) {
		s, err := c.Resource(secretResource, joinNamespace).Get(ctx, account, getOptions)
		if err != nil {
			return false, err.Error()
		}
		token, _, _ = unstructured.NestedString(s.Object, "data", "token") // absent: not issued yet
		ca, _, _ = unstructured.NestedString(s.Object, "data", "ca.crt")
		return token != "" && ca != "", "the Secret is still empty"
	})
	return token, ca, err
}

// ClustersReady waits until Karmada sees each member healthy, with all its nodes,
// so that the first workload is placed with the real numbers.
func ClustersReady(ctx context.Context, c *kube.Client, members []fleet.Member) error {
	for _, m := range members {
		nodes := 0
		for _, p := range m.Pools {
			nodes += p.Count
		}
		err := kube.Wait(ctx, poll, "cluster "+m.Name, func(ctx context.Context) (bool, string) {
			o, err := c.Resource(clusterResource, "").Get(ctx, m.Name, getOptions)
			if err != nil {
				return false, err.Error()
			}
			if status, message := kube.Condition(o, "Ready"); status != "True" {
				return false, "not ready: " + message
			}
			seen, _, _ := unstructured.NestedInt64(o.Object, "status", "nodeSummary", "readyNum") // absent: none seen yet
			_, counted, _ := unstructured.NestedMap(o.Object, "status", "resourceSummary", "allocatable")
			return int(seen) == nodes && counted, fmt.Sprintf("%d of %d nodes ready", seen, nodes)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ProxiesReady waits until the members answer through Karmada's cluster proxy.
// For some seconds after a join they refuse: Karmada has yet to tell them whom to
// trust.
func ProxiesReady(ctx context.Context, c *kube.Client, members []fleet.Member) error {
	for _, m := range members {
		err := kube.Wait(ctx, poll, "the proxy to "+m.Name, func(ctx context.Context) (bool, string) {
			_, err := c.Raw(ctx, "/apis/cluster.karmada.io/v1alpha1/clusters/"+m.Name+"/proxy/api/v1/nodes?limit=1")
			return err == nil, fmt.Sprint(err)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// encode is what Secrets hold.
func encode(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
