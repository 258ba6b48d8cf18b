package propagation

import (
	"bytes"
	"cmp"
	"strconv"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// Member is an object as it is in a member.
type Member struct {
	// Raw is the object as JSON; nil when the member does not have it.
	Raw []byte
}

// Annotations that Karmada puts on the objects it sends to a member.
const (
	templateGeneration = "resourcetemplate.karmada.io/generation"
	templateUID        = "resourcetemplate.karmada.io/uid"
)

// observation is the newest known state of an object in a member.
type observation struct {
	*memberStatus
	// own says that the state is from the member's own object, not from what Karmada collected.
	own bool
	// gone says that the member does not have the object, whatever Karmada reports.
	gone bool
	// replicas is the member object's spec.replicas; nil unless own.
	replicas *int32
}

// observe chooses the newer of what Karmada collected and the member's own object. On a tie the member's object wins:
// Karmada's takes longer to arrive.
func observe(w *subject, place *placement) observation {
	collected := observation{}
	if place.item != nil {
		collected.memberStatus = place.statuses.of(place.item.Status)
	}
	if place.member == nil {
		return collected
	}
	if place.member.Raw == nil {
		collected.gone = true
		return collected
	}
	seen := readMember(w, place.member.Raw)
	if seen.memberStatus == nil || seen.before(collected.memberStatus) {
		return collected
	}
	return seen
}

// readMember reads an object in a member; empty when it was not made from the template.
func readMember(w *subject, raw []byte) observation {
	var o struct {
		Metadata struct {
			Generation  int64             `json:"generation"`
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
		Spec struct {
			Replicas jsonv2.Part `json:"replicas"`
		} `json:"spec"`
		Status jsonv2.Part `json:"status"`
	}
	if jsonv2.Unmarshal(raw, &o) != nil {
		return observation{}
	}
	if uid := o.Metadata.Annotations[templateUID]; uid != "" && w.UID != "" && uid != w.UID {
		return observation{}
	}
	s := parseMember(o.Status)
	if s == nil {
		s = &memberStatus{} // none yet, or of another form: the generations still count
	}
	s.Generation = o.Metadata.Generation
	s.ResourceTemplateGeneration, _ = strconv.ParseInt(o.Metadata.Annotations[templateGeneration], 10, 64)
	seen := observation{memberStatus: s, own: true}
	var n int32
	if jsonv2.Unmarshal(o.Spec.Replicas, &n) == nil {
		seen.replicas = &n
	}
	return seen
}

// before reports whether s is of an older state of the object than other.
func (s *memberStatus) before(other *memberStatus) bool {
	if other == nil {
		return false
	}
	return cmp.Or(cmp.Compare(s.ResourceTemplateGeneration, other.ResourceTemplateGeneration),
		cmp.Compare(s.Generation, other.Generation),
		cmp.Compare(s.ObservedGeneration, other.ObservedGeneration)) < 0
}

// judged is the health of an observation: Karmada's judgement, or for the member's own object the result of the same
// check as in Karmada v1.18.
func (o *observation) assessed(kind model.WorkloadKind, collected model.ResourceHealth) model.ResourceHealth {
	if !o.own {
		return collected
	}
	var want, updated, available int32
	switch kind {
	case model.KindDeployment, model.KindStatefulSet:
		want, updated, available = 1, o.UpdatedReplicas, o.AvailableReplicas
		if o.replicas != nil {
			want = *o.replicas
		}
	case model.KindDaemonSet:
		want, updated, available = o.DesiredNumberScheduled, o.UpdatedNumberScheduled, o.NumberAvailable
	default:
		return collected
	}
	if updated < want || available < updated {
		return model.Unhealthy
	}
	return model.Healthy
}

// memberStatus is what Karmada v1.18 collects of a workload's status in a member, over all kinds. It omits the
// conditions of Deployments, StatefulSets and DaemonSets.
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
	Active     jsonv2.Raw  `json:"active"`
	Succeeded  int32       `json:"succeeded"`
	Failed     int32       `json:"failed"`
	Conditions []condition `json:"conditions"`

	LoadBalancer struct {
		Ingress []jsonv2.Raw `json:"ingress"`
	} `json:"loadBalancer"`

	LastScheduleTime   *time.Time `json:"lastScheduleTime"`
	LastSuccessfulTime *time.Time `json:"lastSuccessfulTime"`
}

// parseMember reads a member's status; nil when there is none, or none that can be parsed.
func parseMember(raw []byte) *memberStatus {
	if len(raw) == 0 {
		return nil
	}
	var s memberStatus
	if err := jsonv2.Unmarshal(raw, &s); err != nil {
		return nil
	}
	return &s
}

// statuses parses what members report, each the same text once in a row: clusters in which a workload is well report the
// same. The results are shared, and not changed. The zero value is ready for use.
type statuses struct {
	text   []byte
	parsed *memberStatus
}

func (s *statuses) of(raw []byte) *memberStatus {
	if s == nil {
		return parseMember(raw)
	}
	if len(raw) == 0 || !bytes.Equal(raw, s.text) {
		s.text, s.parsed = raw, parseMember(raw)
	}
	return s.parsed
}

// active counts what is running now.
func (s *memberStatus) active() int32 {
	var n int32
	if jsonv2.Unmarshal(s.Active, &n) == nil {
		return n
	}
	var list []jsonv2.Raw
	if jsonv2.Unmarshal(s.Active, &list) == nil {
		return int32(min(len(list), 1<<30)) // #nosec G115 -- bounded by min
	}
	return 0
}

// condition returns a condition that is True; nil when there is none.
func (s *memberStatus) condition(kind string) *condition {
	for i := range s.Conditions {
		if s.Conditions[i].Type == kind && s.Conditions[i].Status == "True" {
			return &s.Conditions[i]
		}
	}
	return nil
}

// templateGeneration is the generation of the template that the status is about; nil when unknown.
func (s *memberStatus) templateGeneration() *int64 {
	if s == nil || s.ResourceTemplateGeneration == 0 {
		return nil
	}
	g := s.ResourceTemplateGeneration
	return &g
}

// unobserved reports whether the member's own controller has not seen the object's current generation. Karmada collects
// observedGeneration of Deployments and DaemonSets only; a StatefulSet's is known from the member alone.
func (o *observation) unobserved(kind model.WorkloadKind) bool {
	switch kind {
	case model.KindDeployment, model.KindDaemonSet:
	case model.KindStatefulSet:
		if !o.own {
			return false
		}
	default:
		return false
	}
	return o.memberStatus != nil && o.ObservedGeneration < o.Generation
}

// targetStatus is the status as the graph shows it. The API omits zeros, so a missing count is 0; counts that the kind
// does not have are nil.
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
