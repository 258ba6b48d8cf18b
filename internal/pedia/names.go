package pedia

import "strings"

// prefix of every virtual cluster that Kairship registers.
const prefix = "kairship."

// InstanceCluster is the PediaCluster name of an instance's own API server. Instance names are DNS labels
// without dots, so that no two of these names can be equal.
func InstanceCluster(instance string) string { return prefix + instance }

// MemberCluster is the PediaCluster name of a member as its instance sees it.
func MemberCluster(instance, cluster string) string { return prefix + instance + "." + cluster }

// Cluster is the PediaCluster name of a member, or of the instance itself when cluster is empty.
func Cluster(instance, cluster string) string {
	if cluster == "" {
		return InstanceCluster(instance)
	}
	return MemberCluster(instance, cluster)
}

// ParseCluster is the inverse of Cluster; ok is false for a PediaCluster that is not Kairship's.
func ParseCluster(name string) (instance, cluster string, ok bool) {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return "", "", false
	}
	instance, cluster, _ = strings.Cut(rest, ".")
	return instance, cluster, instance != ""
}
