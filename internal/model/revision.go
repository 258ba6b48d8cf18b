package model

import (
	"cmp"
	"slices"
	"strings"
)

// RevisionConnection is a page of revisions.
type RevisionConnection = Connection[*Revision]

// RevisionEdge is a row of a page of revisions.
type RevisionEdge = Edge[*Revision]

// RevisionState says how a revision stands to its workload.
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

// AnnotationChangeCause is where the author of a change says why, as kubectl has it.
const AnnotationChangeCause = "kubernetes.io/change-cause"

// Revision is what the pod template of a workload once was: a ControllerRevision.
type Revision struct {
	Object

	// Revision is its number. The highest of a workload is that of the current one.
	Revision int64
	// WorkloadRef names the workload that it is of, the owner that manages it. The zero Ref when there is
	// none, and WorkloadUID is empty.
	WorkloadRef Ref
	WorkloadUID string
	// Images of the containers, each once, in the order of the spec; never nil.
	Images []string
	// ChangeCause is what the template said of the change; nil when nothing.
	ChangeCause *string
	// PodTemplate is spec.template of the workload then, as JSON; of a CronJob spec.jobTemplate. Nil when
	// the revision holds something else. It must not be changed.
	PodTemplate []byte
}

// Lineage is all revisions that were kept of one workload, the newest first.
type Lineage []*Revision

// Lineages puts revisions together by workload, by the workload's uid. Those without a workload are left
// out.
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

// State says how a revision stands to its workload; nil when the lineage is not known.
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

// Before is the revision that one came after, as far as it was kept; nil for the oldest.
func (l Lineage) Before(r *Revision) *Revision {
	for _, other := range l {
		if other.Revision < r.Revision {
			return other
		}
	}
	return nil
}
