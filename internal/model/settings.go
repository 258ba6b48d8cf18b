package model

// InstanceSettings are features of Karmada that are turned on for an instance as a whole. Nil means not set.
type InstanceSettings struct {
	Failover       *FailoverSettings
	Descheduler    *DeschedulerSettings
	MetricsAdapter *MetricsAdapterSettings
	// RevisionHistoryLimit is how many revisions of each workload are kept; nil for the platform's default.
	RevisionHistoryLimit *int32
}

// FailoverSettings say when workloads leave a failing cluster. Nil means Karmada's default.
type FailoverSettings struct {
	Enabled                        bool
	FailureThresholdSeconds        *int32
	GracefulEvictionTimeoutSeconds *int32
}

// DeschedulerSettings say when replicas that cannot run are moved. Nil means Karmada's default.
type DeschedulerSettings struct {
	Enabled                       bool
	IntervalSeconds               *int32
	UnschedulableThresholdSeconds *int32
}

// MetricsAdapterSettings say whether metrics of all members are served.
type MetricsAdapterSettings struct {
	Enabled bool
}
