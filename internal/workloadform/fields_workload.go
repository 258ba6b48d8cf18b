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

// workloadField is a field, and which kinds have it; nil for all.
type workloadField struct {
	field
	kinds []kind
}

// fields are those of WorkloadForm. A path begins with @strategy, @job or @pod where it depends on the kind.
var fields = []workloadField{
	{field{Name: "labels", At: "metadata.labels", Is: ownPairs}, nil},
	{field{Name: "annotations", At: "metadata.annotations", Is: ownPairs}, nil},
	{field{Name: "selector", At: "spec.selector", Is: object{Form: selector}}, []kind{deployment, statefulSet, daemonSet}},
	{field{Name: "replicas", At: "spec.replicas", Is: whole}, []kind{deployment, statefulSet}},
	{field{Name: "strategy", At: "@strategy", Is: object{Form: strategy}}, []kind{deployment, statefulSet, daemonSet}},
	{field{Name: "minReadySeconds", At: "spec.minReadySeconds", Is: whole}, []kind{deployment, statefulSet, daemonSet}},
	{field{Name: "progressDeadlineSeconds", At: "spec.progressDeadlineSeconds", Is: whole}, []kind{deployment}},
	{field{Name: "revisionHistoryLimit", At: "spec.revisionHistoryLimit", Is: whole}, []kind{deployment, statefulSet, daemonSet}},
	{field{Name: "paused", At: "spec.paused", Is: truth}, []kind{deployment}},
	{field{Name: "serviceName", At: "spec.serviceName", Is: text}, []kind{statefulSet}},
	{field{Name: "podManagementPolicy", At: "spec.podManagementPolicy", Is: words("OrderedReady", "Parallel")}, []kind{statefulSet}},
	{field{Name: "volumeClaimTemplates", At: "spec.volumeClaimTemplates", Is: named(volumeClaim, "name")}, []kind{statefulSet}},
	{field{Name: "claimRetention", At: "spec.persistentVolumeClaimRetentionPolicy", Is: object{Form: claimRetention}}, []kind{statefulSet}},
	{field{Name: "schedule", At: "spec.schedule", Is: text}, []kind{cronJob}},
	{field{Name: "timeZone", At: "spec.timeZone", Is: text}, []kind{cronJob}},
	{field{Name: "concurrencyPolicy", At: "spec.concurrencyPolicy", Is: words("Allow", "Forbid", "Replace")}, []kind{cronJob}},
	{field{Name: "startingDeadlineSeconds", At: "spec.startingDeadlineSeconds", Is: whole}, []kind{cronJob}},
	{field{Name: "successfulJobsHistoryLimit", At: "spec.successfulJobsHistoryLimit", Is: whole}, []kind{cronJob}},
	{field{Name: "failedJobsHistoryLimit", At: "spec.failedJobsHistoryLimit", Is: whole}, []kind{cronJob}},
	{field{Name: "suspend", At: "spec.suspend", Is: truth}, []kind{job, cronJob}},
	{field{Name: "jobLabels", At: "spec.jobTemplate.metadata.labels", Is: allPairs}, []kind{cronJob}},
	{field{Name: "jobAnnotations", At: "spec.jobTemplate.metadata.annotations", Is: allPairs}, []kind{cronJob}},
	{field{Name: "completions", At: "@job.completions", Is: whole}, []kind{job, cronJob}},
	{field{Name: "parallelism", At: "@job.parallelism", Is: whole}, []kind{job, cronJob}},
	{field{Name: "backoffLimit", At: "@job.backoffLimit", Is: whole}, []kind{job, cronJob}},
	{field{Name: "activeDeadlineSeconds", At: "@job.activeDeadlineSeconds", Is: whole}, []kind{job, cronJob}},
	{field{Name: "ttlSecondsAfterFinished", At: "@job.ttlSecondsAfterFinished", Is: whole}, []kind{job, cronJob}},
	{field{Name: "completionMode", At: "@job.completionMode", Is: words("NonIndexed", "Indexed")}, []kind{job, cronJob}},
	{field{Name: "podLabels", At: "@pod.metadata.labels", Is: allPairs}, []kind{deployment, statefulSet, daemonSet, cronJob}},
	{field{Name: "podLabels", At: "@pod.metadata.labels", Is: jobsPairs}, []kind{job}},
	{field{Name: "podAnnotations", At: "@pod.metadata.annotations", Is: allPairs}, nil},
	{field{Name: "containers", At: "@pod.spec.containers", Is: named(container, "name")}, nil},
	{field{Name: "initContainers", At: "@pod.spec.initContainers", Is: named(container, "name")}, nil},
	{field{Name: "volumes", At: "@pod.spec.volumes", Is: named(volume, "name")}, nil},
	{field{Name: "serviceAccountName", At: "@pod.spec.serviceAccountName", Is: text}, nil},
	{field{Name: "automountServiceAccountToken", At: "@pod.spec.automountServiceAccountToken", Is: truth}, nil},
	{field{Name: "imagePullSecrets", At: "@pod.spec.imagePullSecrets", Is: references}, nil},
	{field{Name: "restartPolicy", At: "@pod.spec.restartPolicy", Is: words("Always", "OnFailure", "Never")}, nil},
	{field{Name: "terminationGracePeriodSeconds", At: "@pod.spec.terminationGracePeriodSeconds", Is: whole}, nil},
	{field{Name: "nodeSelector", At: "@pod.spec.nodeSelector", Is: allPairs}, nil},
	{field{Name: "tolerations", At: "@pod.spec.tolerations", Is: list{Form: toleration}}, nil},
	{field{Name: "affinity", At: "@pod.spec.affinity", Is: object{Form: affinity}}, nil},
	{field{Name: "topologySpreadConstraints", At: "@pod.spec.topologySpreadConstraints", Is: list{Form: topologySpread}}, nil},
	{field{Name: "priorityClassName", At: "@pod.spec.priorityClassName", Is: text}, nil},
	{field{Name: "schedulerName", At: "@pod.spec.schedulerName", Is: text}, nil},
	{field{Name: "runtimeClassName", At: "@pod.spec.runtimeClassName", Is: text}, nil},
	{field{Name: "nodeName", At: "@pod.spec.nodeName", Is: text}, nil},
	{field{Name: "securityContext", At: "@pod.spec.securityContext", Is: object{Form: podSecurity}}, nil},
	{field{Name: "hostNetwork", At: "@pod.spec.hostNetwork", Is: truth}, nil},
	{field{Name: "hostPID", At: "@pod.spec.hostPID", Is: truth}, nil},
	{field{Name: "hostIPC", At: "@pod.spec.hostIPC", Is: truth}, nil},
	{field{Name: "shareProcessNamespace", At: "@pod.spec.shareProcessNamespace", Is: truth}, nil},
	{field{Name: "hostname", At: "@pod.spec.hostname", Is: text}, nil},
	{field{Name: "subdomain", At: "@pod.spec.subdomain", Is: text}, nil},
	{field{Name: "hostAliases", At: "@pod.spec.hostAliases", Is: named(hostAlias, "ip")}, nil},
	{field{Name: "dnsPolicy", At: "@pod.spec.dnsPolicy", Is: words("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")}, nil},
	{field{Name: "dnsConfig", At: "@pod.spec.dnsConfig", Is: object{Form: dnsConfig}}, nil},
	{field{Name: "enableServiceLinks", At: "@pod.spec.enableServiceLinks", Is: truth}, nil},
}

var selector = form{
	{Name: "matchLabels", Is: allPairs},
	{Name: "matchExpressions", Is: list{Form: labelRequirement}},
}

var labelRequirement = form{
	{Name: "key", Is: text},
	{Name: "operator", Is: words("In", "NotIn", "Exists", "DoesNotExist")},
	{Name: "values", Is: texts},
}

var strategy = form{
	{Name: "type", Is: words("RollingUpdate", "Recreate", "OnDelete")},
	{Name: "rollingUpdate", Is: object{Form: rollingUpdate}},
}

var rollingUpdate = form{
	{Name: "maxSurge", Is: numberOrText},
	{Name: "maxUnavailable", Is: numberOrText},
	{Name: "partition", Is: whole},
}

var claimRetention = form{
	{Name: "whenDeleted", Is: words("Retain", "Delete")},
	{Name: "whenScaled", Is: words("Retain", "Delete")},
}

var volumeClaim = form{
	{Name: "name", At: "metadata.name", Is: text},
	{Name: "labels", At: "metadata.labels", Is: allPairs},
	{Name: "annotations", At: "metadata.annotations", Is: allPairs},
	{Name: "accessModes", At: "spec.accessModes", Is: texts},
	{Name: "storageClassName", At: "spec.storageClassName", Is: text},
	{Name: "volumeMode", At: "spec.volumeMode", Is: words("Filesystem", "Block")},
	{Name: "volumeName", At: "spec.volumeName", Is: text},
	{Name: "storage", At: "spec.resources.requests.storage", Is: quantity},
	{At: "apiVersion"},
	{At: "kind"},
	{At: "status"},
}
