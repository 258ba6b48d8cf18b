package objects

import "github.com/kairship-io/kairship/internal/model"

type namespaceObject struct {
	Metadata Meta `json:"metadata"`
	Status   struct {
		Phase      string            `json:"phase"`
		Conditions []statusCondition `json:"conditions"`
	} `json:"status"`
}

// DecodeNamespace reads a Namespace (v1) of a member, or of the control plane when cluster is empty, from
// JSON. The namespace keeps raw, which must not be changed afterwards.
func DecodeNamespace(instance, cluster string, raw []byte) (*model.Namespace, error) {
	ref := model.Ref{Instance: instance, Cluster: cluster, GVK: core("Namespace")}
	var o namespaceObject
	if err := read(ref, raw, &o, &o.Metadata); err != nil {
		return nil, err
	}
	n := &model.Namespace{Object: o.Metadata.Object(ref, raw), Phase: model.NamespacePhaseUnknown,
		Conditions: statusConditions(o.Status.Conditions)}
	switch {
	case o.Metadata.DeletionTimestamp != nil || o.Status.Phase == "Terminating":
		n.Phase = model.NamespaceTerminating
	case o.Status.Phase == "Active":
		n.Phase = model.NamespaceActive
	}
	return n, nil
}
