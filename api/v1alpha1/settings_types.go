package v1alpha1

// InstanceSettings turn features of Karmada on that need more than one object. Of an attached instance
// Kairship cannot change the components' arguments; what it cannot do is said in the condition
// SettingsApplied.
type InstanceSettings struct {
	// Failover moves workloads away from clusters that fail.
	//
	// +optional
	Failover *FailoverSettings `json:"failover,omitempty"`
	// Descheduler moves replicas away from clusters that cannot run them. Managed instances only.
	//
	// +optional
	Descheduler *DeschedulerSettings `json:"descheduler,omitempty"`
	// MetricsAdapter serves metrics of all members, which FederatedHPAs need. Managed instances only.
	//
	// +optional
	MetricsAdapter *MetricsAdapterSettings `json:"metricsAdapter,omitempty"`
	// RevisionHistoryLimit is how many revisions of each workload's pod template are kept in the control
	// plane, so that people see what changed and can go back. With 0 none are recorded, and those that
	// were are removed. By default as many as the platform's operators set, which is 10 unless they say
	// otherwise.
	//
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	RevisionHistoryLimit *int32 `json:"revisionHistoryLimit,omitempty"`
}

// FailoverSettings say when workloads leave a cluster that fails. Karmada itself only stops scheduling
// new ones to it; Kairship keeps a ClusterTaintPolicy that makes it evict those that are there. How long
// one may stay is for its policy to say (spec.placement.clusterTolerations): Karmada has no default for it.
type FailoverSettings struct {
	// Enabled turns failover on.
	//
	// +required
	Enabled bool `json:"enabled"`
	// FailureThresholdSeconds is how long a cluster has to fail before it counts as not ready. Karmada's
	// default is 30. Managed instances only.
	//
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=86400
	FailureThresholdSeconds *int32 `json:"failureThresholdSeconds,omitempty"`
	// GracefulEvictionTimeoutSeconds is how long a workload is kept in the old cluster while it is not
	// yet healthy in the new one. Karmada's default is 600. Managed instances only.
	//
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=86400
	GracefulEvictionTimeoutSeconds *int32 `json:"gracefulEvictionTimeoutSeconds,omitempty"`
}

// DeschedulerSettings say when replicas that cannot run move on.
type DeschedulerSettings struct {
	// Enabled turns the descheduler on.
	//
	// +required
	Enabled bool `json:"enabled"`
	// IntervalSeconds between two looks. Karmada's default is 120.
	//
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=86400
	IntervalSeconds *int32 `json:"intervalSeconds,omitempty"`
	// UnschedulableThresholdSeconds is how long a replica has to be unschedulable. Karmada's default is
	// 300.
	//
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=86400
	UnschedulableThresholdSeconds *int32 `json:"unschedulableThresholdSeconds,omitempty"`
}

// MetricsAdapterSettings say whether metrics of all members are served.
type MetricsAdapterSettings struct {
	// Enabled turns the metrics adapter on.
	//
	// +required
	Enabled bool `json:"enabled"`
}
