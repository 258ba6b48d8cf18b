package objects

import (
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

type nodeObject struct {
	Metadata Meta `json:"metadata"`
	Spec     struct {
		Unschedulable bool `json:"unschedulable"`
		Taints        []struct {
			Key    string `json:"key"`
			Value  string `json:"value"`
			Effect string `json:"effect"`
		} `json:"taints"`
	} `json:"spec"`
	Status struct {
		Capacity    resourceList      `json:"capacity"`
		Allocatable resourceList      `json:"allocatable"`
		Conditions  []statusCondition `json:"conditions"`
		Addresses   []struct {
			Type    string `json:"type"`
			Address string `json:"address"`
		} `json:"addresses"`
		NodeInfo struct {
			KernelVersion           string `json:"kernelVersion"`
			OSImage                 string `json:"osImage"`
			ContainerRuntimeVersion string `json:"containerRuntimeVersion"`
			KubeletVersion          string `json:"kubeletVersion"`
			Architecture            string `json:"architecture"`
		} `json:"nodeInfo"`
	} `json:"status"`
}

// DecodeNode reads a Node (v1) of a member from JSON. The node keeps raw, which must not be changed
// afterwards.
func DecodeNode(instance, cluster string, raw []byte) (*model.ClusterNode, error) {
	ref := model.Ref{Instance: instance, Cluster: cluster, GVK: core("Node")}
	var o nodeObject
	if err := read(ref, raw, &o, &o.Metadata); err != nil {
		return nil, err
	}
	info := &o.Status.NodeInfo
	n := &model.ClusterNode{
		Object:           o.Metadata.Object(ref, raw),
		Roles:            nodeRoles(o.Metadata.Labels),
		KubeletVersion:   orNil(info.KubeletVersion),
		OSImage:          orNil(info.OSImage),
		KernelVersion:    orNil(info.KernelVersion),
		Architecture:     orNil(info.Architecture),
		ContainerRuntime: orNil(info.ContainerRuntimeVersion),
		Addresses:        make([]model.NodeAddress, 0, len(o.Status.Addresses)),
		Taints:           make([]model.Taint, 0, len(o.Spec.Taints)),
		Capacity:         o.Status.Capacity.amounts(),
		Allocatable:      o.Status.Allocatable.amounts(),
		Conditions:       statusConditions(o.Status.Conditions),
	}
	n.State, n.StateMessage = nodeState(o.Status.Conditions)
	n.Schedulable = n.State == model.NodeReady && !o.Spec.Unschedulable
	for _, a := range o.Status.Addresses {
		n.Addresses = append(n.Addresses, model.NodeAddress{Type: addressType(a.Type), Address: a.Address})
	}
	for _, t := range o.Spec.Taints {
		if effect := taintEffect(t.Effect); effect != "" {
			n.Taints = append(n.Taints, model.Taint{Key: t.Key, Value: t.Value, Effect: effect})
		}
	}
	return n, nil
}

// nodeState reads the Ready condition and nothing else.
func nodeState(conditions []statusCondition) (model.NodeState, string) {
	ready := find(conditions, "Ready")
	switch {
	case ready.Type == "":
		return model.NodeUnknown, "has not reported yet"
	case ready.Status == "True":
		return model.NodeReady, ready.Message
	case ready.Status == "False":
		return model.NodeNotReady, ready.Message
	}
	return model.NodeUnknown, ready.Message
}

// Labels that give a node's roles. The second is the older form; kubectl honours both.
const (
	nodeRolePrefix = "node-role.kubernetes.io/"
	nodeRoleLabel  = "kubernetes.io/role"
)

func nodeRoles(labels map[string]string) []string {
	roles := []string{}
	for key, value := range labels {
		if role, ok := strings.CutPrefix(key, nodeRolePrefix); ok && role != "" {
			roles = append(roles, role)
		} else if key == nodeRoleLabel && value != "" {
			roles = append(roles, value)
		}
	}
	slices.Sort(roles)
	return slices.Compact(roles)
}

func addressType(t string) model.NodeAddressType {
	switch t {
	case "Hostname":
		return model.AddressHostname
	case "InternalIP":
		return model.AddressInternalIP
	case "ExternalIP":
		return model.AddressExternalIP
	case "InternalDNS":
		return model.AddressInternalDNS
	case "ExternalDNS":
		return model.AddressExternalDNS
	}
	return model.AddressOfOtherKinds
}

// taintEffect is empty for an unknown effect.
func taintEffect(effect string) model.TaintEffect {
	switch effect {
	case "NoSchedule":
		return model.TaintNoSchedule
	case "PreferNoSchedule":
		return model.TaintPreferNoSchedule
	case "NoExecute":
		return model.TaintNoExecute
	}
	return ""
}
