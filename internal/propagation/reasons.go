package propagation

// Reasons of facts and states: one CamelCase word each, stable, made for programs. The reasons of Karmada's scheduler
// (NoClusterFit, Unschedulable, QuotaExceeded, SchedulerError) are passed on as they are.
const (
	// Of scheduling.
	ReasonScheduled           = "Scheduled"
	ReasonRequiredBy          = "RequiredBy"
	ReasonEvicting            = "Evicting"
	ReasonNotChosen           = "NotChosen"
	ReasonNoPolicy            = "NoPolicy"
	ReasonPolicyRemoved       = "PolicyRemoved"
	ReasonBindingPending      = "BindingPending"
	ReasonBindingDeleting     = "BindingDeleting"
	ReasonBindingBehind       = "BindingBehind"
	ReasonSchedulingPending   = "SchedulingPending"
	ReasonSchedulingSuspended = "SchedulingSuspended"
	ReasonSchedulerBehind     = "SchedulerBehind"
	ReasonNoClusterChosen     = "NoClusterChosen"
	ReasonZeroReplicas        = "ZeroReplicas"

	// Of applying.
	ReasonApplied              = "Applied"
	ReasonApplyFailed          = "ApplyFailed"
	ReasonNotScheduled         = "NotScheduled"
	ReasonNoTargets            = "NoTargets"
	ReasonNotYetReported       = "NotYetReported"
	ReasonNotYetApplied        = "NotYetApplied"
	ReasonStatusBehind         = "StatusBehind"
	ReasonDispatchingSuspended = "DispatchingSuspended"
	ReasonNotInMember          = "NotInMember"

	// Of health.
	ReasonHealthy             = "Healthy"
	ReasonUnhealthy           = "Unhealthy"
	ReasonRolloutIncomplete   = "RolloutIncomplete"
	ReasonPodsUnavailable     = "PodsUnavailable"
	ReasonNotApplied          = "NotApplied"
	ReasonHealthNotReported   = "HealthNotReported"
	ReasonNoHealthCheck       = "NoHealthCheck"
	ReasonJobActive           = "JobActive"
	ReasonJobComplete         = "JobComplete"
	ReasonJobFailed           = "JobFailed"
	ReasonJobPodsFailed       = "JobPodsFailed"
	ReasonNoRunYet            = "NoRunYet"
	ReasonRunActive           = "RunActive"
	ReasonLastRunSucceeded    = "LastRunSucceeded"
	ReasonLastRunNotSucceeded = "LastRunNotSucceeded"

	// Of unreachable clusters.
	ReasonClusterNotReady     = "ClusterNotReady"
	ReasonClusterOffline      = "ClusterOffline"
	ReasonClusterJoining      = "ClusterJoining"
	ReasonClusterRemoving     = "ClusterRemoving"
	ReasonClusterUnknown      = "ClusterUnknown"
	ReasonClusterNotJoined    = "ClusterNotJoined"
	ReasonClusterStateUnknown = "ClusterStateUnknown"

	// Of states only.
	ReasonDeleting           = "Deleting"
	ReasonPropagationUnknown = "PropagationUnknown"
	ReasonRolloutPaused      = "RolloutPaused"
	ReasonSuspended          = "Suspended"
)
