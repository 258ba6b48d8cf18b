package statistics

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// interests are the watches that the numbers come from, each with what changes them.
func interests() []connection.Interest {
	out := []connection.Interest{{Watch: connection.Clusters, Matters: clusterChanged}}
	for _, k := range workloads {
		out = append(out, connection.Interest{Watch: k.watch, Matters: readinessChanged})
	}
	for _, k := range policies {
		out = append(out, connection.Interest{Watch: k.watch, Matters: never})
	}
	return out
}

// known reports whether the numbers can be reported: those of the members are known, and each kind either is known or
// cannot be read. Until then the former numbers are better than a part of the new ones.
func known(conn *connection.Connection) bool {
	if !conn.State(connection.Clusters).Synced {
		return false
	}
	for _, kinds := range [][]kind{workloads, policies} {
		for _, k := range kinds {
			if s := conn.State(k.watch); !s.Synced && (s.Identity == "" || !unreadable(s.Err)) {
				return false
			}
		}
	}
	return true
}

// unreadable reports whether Kairship may not read a kind, or it does not exist. Any other error may pass.
func unreadable(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err)
}

// count returns the numbers of what is known. Kinds that cannot be read are left out.
func count(conn *connection.Connection) *v1alpha1.InstanceStatistics {
	numbers := sum(conn.List(connection.Clusters))
	numbers.Workloads, numbers.Policies = map[string]v1alpha1.ReadyCount{}, map[string]int32{}
	for _, k := range workloads {
		if conn.State(k.watch).Synced {
			numbers.Workloads[k.name] = tally(conn.List(k.watch))
		}
	}
	for _, k := range policies {
		if conn.State(k.watch).Synced {
			numbers.Policies[k.name] = bounded(int64(len(conn.List(k.watch))))
		}
	}
	return numbers
}
