package model

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// WorkloadKind is one of the kinds of workload, as the schema names it.
type WorkloadKind string

// The kinds of workload.
const (
	KindDeployment  WorkloadKind = "DEPLOYMENT"
	KindStatefulSet WorkloadKind = "STATEFUL_SET"
	KindDaemonSet   WorkloadKind = "DAEMON_SET"
	KindJob         WorkloadKind = "JOB"
	KindCronJob     WorkloadKind = "CRON_JOB"
)

// WorkloadKinds is all kinds in the order in which lists break ties of name.
var WorkloadKinds = []WorkloadKind{KindCronJob, KindDaemonSet, KindDeployment, KindJob, KindStatefulSet}

var workloadResources = map[WorkloadKind]struct {
	kind     string
	resource schema.GroupVersionResource
}{
	KindDeployment:  {"Deployment", schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}},
	KindStatefulSet: {"StatefulSet", schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}},
	KindDaemonSet:   {"DaemonSet", schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "daemonsets"}},
	KindJob:         {"Job", schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}},
	KindCronJob:     {"CronJob", schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}},
}

// GVR is the kind's Kubernetes resource.
func (k WorkloadKind) GVR() schema.GroupVersionResource { return workloadResources[k].resource }

// GVK is the kind's Kubernetes kind.
func (k WorkloadKind) GVK() schema.GroupVersionKind {
	return k.GVR().GroupVersion().WithKind(workloadResources[k].kind)
}

// WorkloadKindOf returns the workload kind for a Kubernetes kind.
func WorkloadKindOf(gvk schema.GroupVersionKind) (WorkloadKind, bool) {
	for k := range workloadResources {
		if k.GVK() == gvk {
			return k, true
		}
	}
	return "", false
}

// WorkloadState sums up the state of a workload over all its clusters in one word.
type WorkloadState string

// The states of a workload.
const (
	WorkloadRunning       WorkloadState = "RUNNING"
	WorkloadProgressing   WorkloadState = "PROGRESSING"
	WorkloadDegraded      WorkloadState = "DEGRADED"
	WorkloadStopped       WorkloadState = "STOPPED"
	WorkloadPaused        WorkloadState = "PAUSED"
	WorkloadNotPropagated WorkloadState = "NOT_PROPAGATED"
	WorkloadCompleted     WorkloadState = "COMPLETED"
	WorkloadFailed        WorkloadState = "FAILED"
	WorkloadDeleting      WorkloadState = "DELETING"
	WorkloadUnknown       WorkloadState = "UNKNOWN"
)

// Workload is a workload template: *Deployment, *StatefulSet, *DaemonSet, *Job or *CronJob.
type Workload interface {
	KubernetesObject
	IsWorkload()
	// Meta returns the common part.
	Meta() *WorkloadMeta
}

// WorkloadMeta is the common part of all kinds of workload.
type WorkloadMeta struct {
	Object

	WorkloadKind WorkloadKind
	// Replicas is what the template asks for; nil for kinds that have none.
	Replicas *int32
	// Images of the containers, each once, in the order of the spec; never nil.
	Images []string
	// Halted says that the rollout is paused (spec.paused) or the workload suspended (spec.suspend).
	Halted bool
	// PodLabels is the labels of its pod template.
	PodLabels map[string]string
	// ChangedAt is when anything but its status was last written; nil where the source does not say: the read store
	// drops managedFields.
	ChangedAt *time.Time
	// Live is its propagation when a watch delivered both together. Nil when it has to be read from the read store.
	Live *Propagation
}

// Deployment is a Deployment template.
type Deployment struct {
	WorkloadMeta
}

// StatefulSet is a StatefulSet template.
type StatefulSet struct {
	WorkloadMeta
	ServiceName string
}

// DaemonSet is a DaemonSet template.
type DaemonSet struct {
	WorkloadMeta
}

// Job is a Job template.
type Job struct {
	WorkloadMeta
	Completions *int32
	Parallelism *int32
}

// CronJob is a CronJob template.
type CronJob struct {
	WorkloadMeta
	Schedule string
	TimeZone *string
}

// Paused reports whether the rollout is paused.
func (d *Deployment) Paused() bool { return d.Halted }

// Suspended reports whether the Job is suspended.
func (j *Job) Suspended() bool { return j.Halted }

// Suspended reports whether the CronJob is suspended.
func (c *CronJob) Suspended() bool { return c.Halted }

// Meta returns the common part.
func (w *WorkloadMeta) Meta() *WorkloadMeta { return w }

// Namespace is the namespace.
func (w *WorkloadMeta) Namespace() string { return w.Ref.Namespace }

// IsWorkload marks the type as a GraphQL Workload.
func (*WorkloadMeta) IsWorkload() {}

// WorkloadFilter selects workloads. Empty lists match everything.
type WorkloadFilter struct {
	Instances    []string
	Kinds        []WorkloadKind
	Namespaces   []string
	NameContains *string
	// LabelSelector is a Kubernetes selector.
	LabelSelector *string
	States        []WorkloadState
	// Clusters are the clusters that Karmada placed a template in.
	Clusters []string
	// Policy is the policy that claims a template: a global id, NAMESPACE/NAME or NAME.
	Policy *string
}

// maxNameLength is the longest name Kubernetes allows.
const maxNameLength = 253

// CheckNamePart validates a part of a name that a user gave in a field.
func CheckNamePart(field, part string) error {
	if n := len(part); n > maxNameLength {
		return BadInput(field, "has %d characters, at most %d are allowed", n, maxNameLength)
	}
	if i := strings.IndexFunc(part, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.'
	}); i >= 0 {
		return BadInput(field, "holds %q; lower-case letters, digits, '-' and '.' are allowed", fmt.Sprintf("%.1s", part[i:]))
	}
	return nil
}

// WorkloadConnection is a page of workloads.
type WorkloadConnection = Connection[Workload]

// WorkloadEdge is a row of a page of workloads.
type WorkloadEdge = Edge[Workload]
