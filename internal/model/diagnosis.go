package model

// FindingCode is the kind of a finding. Programs branch on it; people read the message.
type FindingCode string

// The kinds of finding, in the order of the steps that bring an object into its clusters.
const (
	FindingStoreStale          FindingCode = "STORE_STALE"
	FindingDeleting            FindingCode = "DELETING"
	FindingNoPolicy            FindingCode = "NO_POLICY"
	FindingPolicyRemoved       FindingCode = "POLICY_REMOVED"
	FindingClaimedByAnother    FindingCode = "CLAIMED_BY_ANOTHER_POLICY"
	FindingDependencyWaiting   FindingCode = "WAITING_FOR_DEPENDENCY"
	FindingBindingPending      FindingCode = "BINDING_PENDING"
	FindingSchedulerBehind     FindingCode = "SCHEDULER_BEHIND"
	FindingSchedulingSuspended FindingCode = "SCHEDULING_SUSPENDED"
	FindingAffinity            FindingCode = "AFFINITY_NOT_MATCHED"
	FindingTaint               FindingCode = "TAINT_NOT_TOLERATED"
	FindingSpread              FindingCode = "SPREAD_NOT_SATISFIED"
	FindingAPINotEnabled       FindingCode = "API_NOT_ENABLED"
	FindingNoRoom              FindingCode = "NOT_ENOUGH_ROOM"
	FindingQuota               FindingCode = "QUOTA_EXCEEDED"
	FindingNoClusterFits       FindingCode = "NO_CLUSTER_FITS"
	FindingSchedulerError      FindingCode = "SCHEDULER_ERROR"
	FindingReplicasUnassigned  FindingCode = "REPLICAS_NOT_ASSIGNED"
	FindingClusterOffline      FindingCode = "CLUSTER_OFFLINE"
	FindingClusterNotReady     FindingCode = "CLUSTER_NOT_READY"
	FindingEvicting            FindingCode = "EVICTION_IN_PROGRESS"
	FindingDispatchSuspended   FindingCode = "DISPATCHING_SUSPENDED"
	FindingResourceConflict    FindingCode = "RESOURCE_CONFLICT"
	FindingOverrideBroke       FindingCode = "OVERRIDE_BROKE_IT"
	FindingApplyFailed         FindingCode = "APPLY_FAILED"
	FindingNotYetApplied       FindingCode = "NOT_YET_APPLIED"
	FindingImagePull           FindingCode = "IMAGE_PULL_FAILED"
	FindingCrashLoop           FindingCode = "CRASH_LOOP"
	FindingOutOfMemory         FindingCode = "OUT_OF_MEMORY"
	FindingPodUnschedulable    FindingCode = "POD_UNSCHEDULABLE"
	FindingPodFailed           FindingCode = "POD_FAILED"
	FindingJobFailed           FindingCode = "JOB_FAILED"
	FindingUnhealthy           FindingCode = "UNHEALTHY"
	FindingRollout             FindingCode = "ROLLOUT_IN_PROGRESS"
)

// Severity says how bad a finding is.
type Severity string

// The severities, from worst to least.
const (
	SeverityError   Severity = "ERROR"
	SeverityWarning Severity = "WARNING"
	SeverityInfo    Severity = "INFO"
)

// Finding is one reason why an object is not where, or not as, it should be.
type Finding struct {
	Code     FindingCode
	Severity Severity
	// Message is a sentence for people.
	Message string
	// ClusterName is the cluster it is about; nil when it is about the object as a whole.
	ClusterName *string
	// Evidence is never nil; empty when there is none.
	Evidence []Evidence
	// Remedy is what to do about it, for people.
	Remedy string
}

// Evidence is one observation, with where to look it up.
type Evidence struct {
	// Object names the object observed: kind, then namespace/name, then " in CLUSTER" for a member's.
	Object string
	// Field is the path of the field, as kubectl explain has it.
	Field string
	// Value is the field's value, as text; bounded in length.
	Value string
}

// UnfitCode says why an object cannot go to a cluster.
type UnfitCode string

// The reasons why a cluster does not fit, in the order in which the scheduler checks them.
const (
	UnfitAPINotEnabled UnfitCode = "API_NOT_ENABLED"
	UnfitTaint         UnfitCode = "TAINT_NOT_TOLERATED"
	UnfitAffinity      UnfitCode = "AFFINITY_NOT_MATCHED"
	UnfitSpread        UnfitCode = "SPREAD_NOT_SATISFIED"
	UnfitEviction      UnfitCode = "EVICTION_IN_PROGRESS"
	UnfitNotReady      UnfitCode = "CLUSTER_NOT_READY"
	UnfitNoRoom        UnfitCode = "NOT_ENOUGH_ROOM"
)

// UnfitReason is one reason why a cluster does not fit, with what was compared.
type UnfitReason struct {
	Code UnfitCode
	// Message is a sentence for people.
	Message string
	// Field and Value are the evidence: a path in the Cluster (or in the placement where the message says so) and the
	// value there.
	Field string
	Value string
}

// ClusterVerdict says whether an object may go to a cluster under a placement. Reasons is empty when it may.
type ClusterVerdict struct {
	ClusterName string
	Fits        bool
	Reasons     []UnfitReason
}

// PolicyMatch is a propagation policy that selects an object. Of several that select the same object, the one that
// Karmada prefers comes first.
type PolicyMatch struct {
	Policy   Ref
	Priority int32
	// How is how it selects: NAME, LABEL_SELECTOR or KIND.
	How string
	// Claims says that Karmada recorded its claim on the object.
	Claims bool
	// Why explains to people its place in the order.
	Why string
}
