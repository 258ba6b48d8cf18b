// Package pediacluster names the PediaClusters that stand for instances and their members in Clusterpedia.
package pediacluster

import "strings"

// Prefix of every virtual cluster that Kairship registers.
const Prefix = "kairship."

// OfInstance is the PediaCluster name of an instance's own API server. Instance names are DNS labels
// without dots, so that no two of these names can be equal.
func OfInstance(instance string) string { return Prefix + instance }

// OfMember is the PediaCluster name of a member as its instance sees it.
func OfMember(instance, cluster string) string { return Prefix + instance + "." + cluster }

// Name is the PediaCluster name of a member, or of the instance itself when cluster is empty.
func Name(instance, cluster string) string {
	if cluster == "" {
		return OfInstance(instance)
	}
	return OfMember(instance, cluster)
}

// Parse is the inverse of Name; ok is false for a PediaCluster that is not Kairship's.
func Parse(name string) (instance, cluster string, ok bool) {
	rest, ok := strings.CutPrefix(name, Prefix)
	if !ok {
		return "", "", false
	}
	instance, cluster, _ = strings.Cut(rest, ".")
	return instance, cluster, instance != ""
}
