package statistics

import (
	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/connection"
)

// interests is everything that the numbers are made of, each with what changes them.
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

// known says whether the numbers can be told: those of the members are known, and of each kind it is
// certain whether it can be known. Until then what was told before is better than a part of it.
func known(conn *connection.Connection) bool {
	if !conn.State(connection.Clusters).Synced {
		return false
	}
	for _, kinds := range [][]kind{workloads, policies} {
		for _, k := range kinds {
			// While Karmada answers, an error is that of the watch itself: such as the credential may
			// not read the kind, or there is no such kind.
			if s := conn.State(k.watch); !s.Synced && (s.Identity == "" || s.Err == nil) {
				return false
			}
		}
	}
	return true
}

// count is the numbers of what is known. Kinds that cannot be read are left out.
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
