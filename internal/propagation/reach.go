package propagation

import (
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// OutOfReach reports whether a reason means that the cluster is unreachable: nothing newer than its last report can be
// known.
func OutOfReach(reason string) bool {
	switch reason {
	case ReasonClusterNotReady, ReasonClusterOffline, ReasonClusterJoining, ReasonClusterRemoving,
		ReasonClusterUnknown, ReasonClusterNotJoined, ReasonClusterStateUnknown:
		return true
	}
	return false
}

// outOfReach is the fact that replaces all facts of an unreachable cluster; nil when it is reachable.
func outOfReach(name string, clusters map[string]*model.Cluster) *model.Fact {
	if clusters == nil {
		return &model.Fact{Value: model.FactUnknown, Reason: ReasonClusterStateUnknown, Message: "the state of the cluster is not known"}
	}
	c := clusters[name]
	if c == nil {
		return &model.Fact{Value: model.FactUnknown, Reason: ReasonClusterNotJoined, Message: "the cluster is not joined"}
	}
	f := &model.Fact{Value: model.FactUnknown}
	switch c.State {
	case model.ClusterReady:
		return nil
	case model.ClusterNotReady:
		f.Reason, f.Message = ReasonClusterNotReady, "the cluster is not ready"
	case model.ClusterOffline:
		f.Reason, f.Message = ReasonClusterOffline, "the cluster is offline"
	case model.ClusterJoining:
		f.Reason, f.Message = ReasonClusterJoining, "the cluster is being joined"
	case model.ClusterRemoving:
		f.Reason, f.Message = ReasonClusterRemoving, "the cluster is being removed"
	default:
		f.Reason, f.Message = ReasonClusterUnknown, "the cluster's state is unknown"
	}
	if c.StateMessage != "" {
		f.Message += ": " + c.StateMessage
	}
	f.Since = readySince(c)
	return f
}

// readySince is when the cluster's Ready condition last changed.
func readySince(c *model.Cluster) *time.Time {
	for i := range c.Conditions {
		if c.Conditions[i].Type == "Ready" {
			return c.Conditions[i].Since
		}
	}
	return nil
}
