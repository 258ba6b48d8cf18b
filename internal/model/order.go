package model

// OrderDirection is the direction in which a list is ordered.
type OrderDirection string

// The directions.
const (
	Ascending  OrderDirection = "ASC"
	Descending OrderDirection = "DESC"
)

// InstanceOrderField is what instances can be ordered by.
type InstanceOrderField string

// What instances can be ordered by.
const (
	InstancesByName              InstanceOrderField = "NAME"
	InstancesByState             InstanceOrderField = "STATE"
	InstancesByCreation          InstanceOrderField = "CREATED_AT"
	InstancesByClusters          InstanceOrderField = "CLUSTERS"
	InstancesByCPU               InstanceOrderField = "CPU"
	InstancesByMemory            InstanceOrderField = "MEMORY"
	InstancesByKarmadaVersion    InstanceOrderField = "KARMADA_VERSION"
	InstancesByKubernetesVersion InstanceOrderField = "KUBERNETES_VERSION"
)

// InstanceOrder is the order in which instances are listed.
type InstanceOrder struct {
	Field     InstanceOrderField
	Direction OrderDirection
}

// ClusterOrderField is what clusters can be ordered by.
type ClusterOrderField string

// What clusters can be ordered by.
const (
	ClustersByName              ClusterOrderField = "NAME"
	ClustersByState             ClusterOrderField = "STATE"
	ClustersByCreation          ClusterOrderField = "CREATED_AT"
	ClustersByRegion            ClusterOrderField = "REGION"
	ClustersByProvider          ClusterOrderField = "PROVIDER"
	ClustersByKubernetesVersion ClusterOrderField = "KUBERNETES_VERSION"
	ClustersByNodes             ClusterOrderField = "NODES"
	ClustersByCPU               ClusterOrderField = "CPU"
	ClustersByMemory            ClusterOrderField = "MEMORY"
)

// ClusterOrder is the order in which clusters are listed.
type ClusterOrder struct {
	Field     ClusterOrderField
	Direction OrderDirection
}

// WorkloadOrderField is what workloads can be ordered by.
type WorkloadOrderField string

// What workloads can be ordered by.
const (
	WorkloadsByName     WorkloadOrderField = "NAME"
	WorkloadsByCreation WorkloadOrderField = "CREATED_AT"
)

// WorkloadOrder is the order in which workloads are listed.
type WorkloadOrder struct {
	Field     WorkloadOrderField
	Direction OrderDirection
}
