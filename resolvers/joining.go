package resolvers

import (
	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
)

// joining is the action of an input.
func joining(in graph.JoinClusterInput) *actions.JoinCluster {
	return &actions.JoinCluster{
		Instance: in.Instance, Name: in.Name, Mode: in.Mode, Kubeconfig: text(in.Kubeconfig), Provider: text(in.Provider), Region: text(in.Region),
		Zones: in.Zones, Labels: in.Labels, Taints: in.Taints, TokenMinutes: int(or(in.TokenMinutes, 60)), DryRun: isTrue(in.DryRun),
	}
}

// promoting is the action of an input.
func promoting(in graph.PromoteResourceInput) *actions.PromoteResource {
	return &actions.PromoteResource{
		Instance: in.Instance, Cluster: in.Cluster, APIVersion: in.APIVersion, Kind: in.Kind, Namespace: text(in.Namespace), Name: in.Name, UID: text(in.UID),
		Dependencies: or(in.Dependencies, true), Preserve: isTrue(in.Preserve), DryRun: isTrue(in.DryRun),
	}
}

// given is a text that may be none.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
