package workloadform

import "github.com/kairship-io/kairship/internal/model"

// Kinds that a field is for.
const (
	deployment  = model.KindDeployment
	statefulSet = model.KindStatefulSet
	daemonSet   = model.KindDaemonSet
	job         = model.KindJob
	cronJob     = model.KindCronJob
)

// fields are those of WorkloadForm. A path begins with @strategy, @job or @pod where it depends on the kind.
var fields = []field{
	{name: "labels", path: "metadata.labels", of: ownPairs},
	{name: "annotations", path: "metadata.annotations", of: ownPairs},
	{name: "selector", path: "spec.selector", of: &selector, kinds: []model.WorkloadKind{deployment, statefulSet, daemonSet}},
	{name: "replicas", path: "spec.replicas", of: whole, kinds: []model.WorkloadKind{deployment, statefulSet}},
	{name: "strategy", path: "@strategy", of: &strategy, kinds: []model.WorkloadKind{deployment, statefulSet, daemonSet}},
	{name: "minReadySeconds", path: "spec.minReadySeconds", of: whole, kinds: []model.WorkloadKind{deployment, statefulSet, daemonSet}},
	{name: "progressDeadlineSeconds", path: "spec.progressDeadlineSeconds", of: whole, kinds: []model.WorkloadKind{deployment}},
	{name: "revisionHistoryLimit", path: "spec.revisionHistoryLimit", of: whole, kinds: []model.WorkloadKind{deployment, statefulSet, daemonSet}},
	{name: "paused", path: "spec.paused", of: truth, kinds: []model.WorkloadKind{deployment}},
	{name: "serviceName", path: "spec.serviceName", of: text, kinds: []model.WorkloadKind{statefulSet}},
	{name: "podManagementPolicy", path: "spec.podManagementPolicy", of: words("OrderedReady", "Parallel"), kinds: []model.WorkloadKind{statefulSet}},
	{name: "volumeClaimTemplates", path: "spec.volumeClaimTemplates", of: list{of: &volumeClaim, keys: []string{"name"}}, kinds: []model.WorkloadKind{statefulSet}},
	{name: "claimRetention", path: "spec.persistentVolumeClaimRetentionPolicy", of: &claimRetention, kinds: []model.WorkloadKind{statefulSet}},
	{name: "schedule", path: "spec.schedule", of: text, kinds: []model.WorkloadKind{cronJob}},
	{name: "timeZone", path: "spec.timeZone", of: text, kinds: []model.WorkloadKind{cronJob}},
	{name: "concurrencyPolicy", path: "spec.concurrencyPolicy", of: words("Allow", "Forbid", "Replace"), kinds: []model.WorkloadKind{cronJob}},
	{name: "startingDeadlineSeconds", path: "spec.startingDeadlineSeconds", of: whole, kinds: []model.WorkloadKind{cronJob}},
	{name: "successfulJobsHistoryLimit", path: "spec.successfulJobsHistoryLimit", of: whole, kinds: []model.WorkloadKind{cronJob}},
	{name: "failedJobsHistoryLimit", path: "spec.failedJobsHistoryLimit", of: whole, kinds: []model.WorkloadKind{cronJob}},
	{name: "suspend", path: "spec.suspend", of: truth, kinds: []model.WorkloadKind{job, cronJob}},
	{name: "jobLabels", path: "spec.jobTemplate.metadata.labels", of: allPairs, kinds: []model.WorkloadKind{cronJob}},
	{name: "jobAnnotations", path: "spec.jobTemplate.metadata.annotations", of: allPairs, kinds: []model.WorkloadKind{cronJob}},
	{name: "completions", path: "@job.completions", of: whole, kinds: []model.WorkloadKind{job, cronJob}},
	{name: "parallelism", path: "@job.parallelism", of: whole, kinds: []model.WorkloadKind{job, cronJob}},
	{name: "backoffLimit", path: "@job.backoffLimit", of: whole, kinds: []model.WorkloadKind{job, cronJob}},
	{name: "activeDeadlineSeconds", path: "@job.activeDeadlineSeconds", of: whole, kinds: []model.WorkloadKind{job, cronJob}},
	{name: "ttlSecondsAfterFinished", path: "@job.ttlSecondsAfterFinished", of: whole, kinds: []model.WorkloadKind{job, cronJob}},
	{name: "completionMode", path: "@job.completionMode", of: words("NonIndexed", "Indexed"), kinds: []model.WorkloadKind{job, cronJob}},
	{name: "podLabels", path: "@pod.metadata.labels", of: podPairs},
	{name: "podAnnotations", path: "@pod.metadata.annotations", of: allPairs},
	{name: "containers", path: "@pod.spec.containers", of: list{of: &container, keys: []string{"name"}}},
	{name: "initContainers", path: "@pod.spec.initContainers", of: list{of: &container, keys: []string{"name"}}},
	{name: "volumes", path: "@pod.spec.volumes", of: list{of: &volume, keys: []string{"name"}}},
	{name: "serviceAccountName", path: "@pod.spec.serviceAccountName", of: text},
	{name: "automountServiceAccountToken", path: "@pod.spec.automountServiceAccountToken", of: truth},
	{name: "imagePullSecrets", path: "@pod.spec.imagePullSecrets", of: references},
	{name: "restartPolicy", path: "@pod.spec.restartPolicy", of: words("Always", "OnFailure", "Never")},
	{name: "terminationGracePeriodSeconds", path: "@pod.spec.terminationGracePeriodSeconds", of: whole},
	{name: "nodeSelector", path: "@pod.spec.nodeSelector", of: allPairs},
	{name: "tolerations", path: "@pod.spec.tolerations", of: list{of: &toleration}},
	{name: "affinity", path: "@pod.spec.affinity", of: &affinity},
	{name: "topologySpreadConstraints", path: "@pod.spec.topologySpreadConstraints", of: list{of: &topologySpread}},
	{name: "priorityClassName", path: "@pod.spec.priorityClassName", of: text},
	{name: "schedulerName", path: "@pod.spec.schedulerName", of: text},
	{name: "runtimeClassName", path: "@pod.spec.runtimeClassName", of: text},
	{name: "nodeName", path: "@pod.spec.nodeName", of: text},
	{name: "securityContext", path: "@pod.spec.securityContext", of: &podSecurity},
	{name: "hostNetwork", path: "@pod.spec.hostNetwork", of: truth},
	{name: "hostPID", path: "@pod.spec.hostPID", of: truth},
	{name: "hostIPC", path: "@pod.spec.hostIPC", of: truth},
	{name: "shareProcessNamespace", path: "@pod.spec.shareProcessNamespace", of: truth},
	{name: "hostname", path: "@pod.spec.hostname", of: text},
	{name: "subdomain", path: "@pod.spec.subdomain", of: text},
	{name: "hostAliases", path: "@pod.spec.hostAliases", of: list{of: &hostAlias, keys: []string{"ip"}}},
	{name: "dnsPolicy", path: "@pod.spec.dnsPolicy", of: words("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")},
	{name: "dnsConfig", path: "@pod.spec.dnsConfig", of: &dnsConfig},
	{name: "enableServiceLinks", path: "@pod.spec.enableServiceLinks", of: truth},
}

var selector = object{fields: []field{
	{name: "matchLabels", of: allPairs},
	{name: "matchExpressions", of: list{of: &labelRequirement}},
}}

var labelRequirement = object{fields: []field{
	{name: "key", of: text},
	{name: "operator", of: words("In", "NotIn", "Exists", "DoesNotExist")},
	{name: "values", of: texts},
}}

var strategy = object{fields: []field{
	{name: "type", of: words("RollingUpdate", "Recreate", "OnDelete")},
	{name: "rollingUpdate", of: &rollingUpdate},
}}

var rollingUpdate = object{fields: []field{
	{name: "maxSurge", of: numberOrText},
	{name: "maxUnavailable", of: numberOrText},
	{name: "partition", of: whole},
}}

var claimRetention = object{fields: []field{
	{name: "whenDeleted", of: words("Retain", "Delete")},
	{name: "whenScaled", of: words("Retain", "Delete")},
}}

var volumeClaim = object{fields: []field{
	{name: "name", path: "metadata.name", of: text},
	{name: "labels", path: "metadata.labels", of: allPairs},
	{name: "annotations", path: "metadata.annotations", of: allPairs},
	{name: "accessModes", path: "spec.accessModes", of: texts},
	{name: "storageClassName", path: "spec.storageClassName", of: text},
	{name: "volumeMode", path: "spec.volumeMode", of: words("Filesystem", "Block")},
	{name: "volumeName", path: "spec.volumeName", of: text},
	{name: "storage", path: "spec.resources.requests.storage", of: quantity},
}, ignored: []string{"apiVersion", "kind", "status"}}
