package operation

// Kinds are the kinds of operations of instances.
func Kinds() []Kind {
	return []Kind{createInstance, attachInstance, deleteInstance, joinCluster, unjoinCluster, promoteResource}
}
