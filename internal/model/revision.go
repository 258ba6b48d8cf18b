package model

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// RevisionConnection is a page of revisions.
type RevisionConnection = Connection[*Revision]

// RevisionEdge is a row of a page of revisions.
type RevisionEdge = Edge[*Revision]

// RevisionState is the relation of a revision to its workload.
type RevisionState string

// The states of a revision.
const (
	RevisionCurrent RevisionState = "CURRENT"
	RevisionPast    RevisionState = "PAST"
)

// What revisions are in Kubernetes: ControllerRevisions of apps/v1.
const (
	RevisionKind     = "ControllerRevision"
	RevisionResource = "controllerrevisions"
)

// Labels of the revisions that Kairship records.
const (
	// LabelWorkloadUID is the uid of the template that a revision is of.
	LabelWorkloadUID = "kairship.io/workload-uid"
	// LabelWorkloadKind is the Kubernetes kind of that template.
	LabelWorkloadKind = "kairship.io/workload-kind"
)

// AnnotationChangeCause holds the reason that the author gives for a change, as in kubectl.
const AnnotationChangeCause = "kubernetes.io/change-cause"

// AnnotationRevisionSince holds when a revision got its number, in RFC 3339.
const AnnotationRevisionSince = "kairship.io/revision-since"

// Revision is an earlier state of a workload's pod template: a ControllerRevision.
type Revision struct {
	Object

	// Revision is its number. The current revision of a workload has the highest.
	Revision int64
	// WorkloadRef names its workload: the owner that manages it. When there is none, it is the zero Ref and WorkloadUID
	// is empty.
	WorkloadRef Ref
	WorkloadUID string
	// Images of the containers, each once, in the order of the spec; never nil.
	Images []string
	// Since is when it got its number: later than its creation where the workload went back to it. Nil when that is not known.
	Since *time.Time
	// ChangeCause is the reason that the template gave for the change; nil when none.
	ChangeCause *string
	// PodTemplate is spec.template of the workload at that time, as JSON; spec.jobTemplate for a CronJob. Nil when the
	// revision holds something else. It must not be changed.
	PodTemplate []byte
}

// Lineage is all revisions kept of one workload, the newest first.
type Lineage []*Revision

// Lineages groups revisions by the workload's uid. Those without a workload are left out.
func Lineages(revisions []*Revision) map[string]Lineage {
	out := map[string]Lineage{}
	for _, r := range revisions {
		if r.WorkloadUID != "" {
			out[r.WorkloadUID] = append(out[r.WorkloadUID], r)
		}
	}
	for _, l := range out {
		slices.SortFunc(l, func(a, b *Revision) int {
			return cmp.Or(cmp.Compare(b.Revision, a.Revision), strings.Compare(a.Ref.Name, b.Ref.Name))
		})
	}
	return out
}

// State returns the relation of a revision to its workload; nil when the lineage is not known.
func (l Lineage) State(r *Revision) *RevisionState {
	if len(l) == 0 {
		return nil
	}
	state := RevisionPast
	if r.Revision >= l[0].Revision {
		state = RevisionCurrent
	}
	return &state
}

// Before returns the revision before r among those kept; nil for the oldest.
func (l Lineage) Before(r *Revision) *Revision {
	for _, other := range l {
		if other.Revision < r.Revision {
			return other
		}
	}
	return nil
}
