package propagation

import (
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/wire"
)

// memberStatus is what Karmada v1.18 collects of a workload's status in a member, over all kinds. It
// leaves the conditions of Deployments, StatefulSets and DaemonSets out.
type memberStatus struct {
	// Generation is the member object's own, ResourceTemplateGeneration that of the template it was
	// made from.
	Generation                 int64 `json:"generation"`
	ResourceTemplateGeneration int64 `json:"resourceTemplateGeneration"`
	ObservedGeneration         int64 `json:"observedGeneration"`

	Replicas          int32 `json:"replicas"`
	ReadyReplicas     int32 `json:"readyReplicas"`
	UpdatedReplicas   int32 `json:"updatedReplicas"`
	AvailableReplicas int32 `json:"availableReplicas"`

	DesiredNumberScheduled int32 `json:"desiredNumberScheduled"`
	NumberReady            int32 `json:"numberReady"`
	UpdatedNumberScheduled int32 `json:"updatedNumberScheduled"`
	NumberAvailable        int32 `json:"numberAvailable"`

	// Active is a number in a Job and a list in a CronJob.
	Active     wire.Raw    `json:"active"`
	Succeeded  int32       `json:"succeeded"`
	Failed     int32       `json:"failed"`
	Conditions []condition `json:"conditions"`

	LastScheduleTime   *time.Time `json:"lastScheduleTime"`
	LastSuccessfulTime *time.Time `json:"lastSuccessfulTime"`
}

// parseMember reads a member's status; nil when there is none, or none that can be read.
func parseMember(raw []byte) *memberStatus {
	if len(raw) == 0 {
		return nil
	}
	var s memberStatus
	if err := wire.Unmarshal(raw, &s); err != nil {
		return nil
	}
	return &s
}

// active counts what runs now.
func (s *memberStatus) active() int32 {
	var n int32
	if wire.Unmarshal(s.Active, &n) == nil {
		return n
	}
	var list []wire.Raw
	if wire.Unmarshal(s.Active, &list) == nil {
		return int32(min(len(list), 1<<30)) // #nosec G115 -- bounded by min
	}
	return 0
}

// condition finds a condition that holds; nil when there is none.
func (s *memberStatus) condition(kind string) *condition {
	for i := range s.Conditions {
		if s.Conditions[i].Type == kind && s.Conditions[i].Status == "True" {
			return &s.Conditions[i]
		}
	}
	return nil
}

// templateGeneration is the generation of the template that the status is about; nil when it does not
// say.
func (s *memberStatus) templateGeneration() *int64 {
	if s == nil || s.ResourceTemplateGeneration == 0 {
		return nil
	}
	g := s.ResourceTemplateGeneration
	return &g
}

// unobserved says that the member's own controller has not looked at its object yet. Karmada collects
// observedGeneration of Deployments and DaemonSets only.
func (s *memberStatus) unobserved(kind model.WorkloadKind) bool {
	switch kind {
	case model.KindDeployment, model.KindDaemonSet:
		return s != nil && s.ObservedGeneration < s.Generation
	}
	return false
}

// targetStatus is what the graph shows of it. The API leaves zeros out, so that a count which is not
// there is 0; what the kind does not have is nil.
func (s *memberStatus) targetStatus(kind model.WorkloadKind) *model.TargetStatus {
	if s == nil {
		return nil
	}
	switch kind {
	case model.KindDeployment, model.KindStatefulSet:
		return &model.TargetStatus{Replicas: &s.Replicas, Ready: &s.ReadyReplicas,
			Updated: &s.UpdatedReplicas, Available: &s.AvailableReplicas}
	case model.KindDaemonSet:
		return &model.TargetStatus{Replicas: &s.DesiredNumberScheduled, Ready: &s.NumberReady,
			Updated: &s.UpdatedNumberScheduled, Available: &s.NumberAvailable}
	case model.KindJob:
		active := s.active()
		return &model.TargetStatus{Active: &active, Succeeded: &s.Succeeded, Failed: &s.Failed}
	case model.KindCronJob:
		active := s.active()
		return &model.TargetStatus{Active: &active}
	}
	return nil
}
