package resolvers

import (
	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
)

func creation(in graph.CreateInstanceInput) *actions.CreateInstance {
	return &actions.CreateInstance{
		NewInstance: actions.NewInstance{
			Name: in.Name, DisplayName: text(in.DisplayName), Description: text(in.Description), Labels: in.Labels, Settings: in.Settings, DryRun: isTrue(in.DryRun),
		},
		Version: text(in.Version), Namespace: text(in.Namespace), HighAvailability: in.HighAvailability, Components: in.Components, Etcd: in.Etcd,
		APIServer: in.APIServer, ImageRegistry: text(in.ImageRegistry), DeletionPolicy: or(in.DeletionPolicy, ""),
	}
}

func attachment(in graph.AttachInstanceInput) *actions.AttachInstance {
	return &actions.AttachInstance{
		NewInstance: actions.NewInstance{
			Name: in.Name, DisplayName: text(in.DisplayName), Description: text(in.Description), Labels: in.Labels, Settings: in.Settings, DryRun: isTrue(in.DryRun),
		},
		Kubeconfig: actions.Hidden(in.Kubeconfig),
	}
}

func update(in graph.UpdateInstanceInput) *actions.UpdateInstance {
	return &actions.UpdateInstance{
		OnInstance:      actions.OnInstance{ID: in.ID, UID: text(in.UID), DryRun: isTrue(in.DryRun)},
		ResourceVersion: text(in.ResourceVersion), DisplayName: in.DisplayName, Description: in.Description, Labels: in.Labels, RemoveLabels: in.RemoveLabels,
		DeletionPolicy: in.DeletionPolicy, Kubeconfig: (*actions.Hidden)(in.Kubeconfig),
	}
}

// orNothing is a change, or an empty one where it was refused.
func orNothing(c *actions.InstanceChange) *actions.InstanceChange {
	if c == nil {
		return &actions.InstanceChange{}
	}
	return c
}
