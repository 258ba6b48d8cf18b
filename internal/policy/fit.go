package policy

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// Request is an object to be scheduled.
type Request struct {
	GVK schema.GroupVersionKind
	// Replicas is what the template asks for; nil for kinds that have none.
	Replicas *int32
	// Cores and Bytes is what one replica requests: CPU in cores, memory in bytes; 0 for nothing. Other resources are
	// not compared: Cluster has none.
	Cores, Bytes float64
	// Scheduled is the clusters that it is scheduled to now, with the replicas there. The scheduler checks neither the
	// API nor tolerations again where an object already is.
	Scheduled map[string]int32
	// Evicting is the clusters that it is being moved away from.
	Evicting []string
}

// workload reports whether it has replicas, which overflow groups are for.
func (r *Request) workload() bool { return r.Replicas != nil }

// Fit reports whether the scheduler's filters let an object into a cluster under a placement, with every reason against
// it, in the order in which the scheduler checks. With groups of clusters (ClusterAffinities) it is enough that the
// cluster is in one of them. It does not consider other clusters: see Place for spread. Nor does it consider affinity
// between workloads, which depends on all other bindings.
func Fit(p *model.Placement, want *Request, c *model.Cluster) model.ClusterVerdict {
	if len(p.ClusterAffinities) == 0 || p.ClusterAffinity != nil {
		v, _ := fit(p, group(p, want, 0), want, c)
		return v
	}
	var first model.ClusterVerdict
	for i := range p.ClusterAffinities {
		v, _ := fit(p, group(p, want, i), want, c)
		if i == 0 || v.Fits {
			first = v
		}
		if v.Fits {
			break
		}
	}
	return first
}

// affinityGroup is clusters that the scheduler considers together.
type affinityGroup struct {
	// name is "" for the placement's only affinity.
	name string
	// path is its path in the policy.
	path string
	// affinities is empty for all clusters; otherwise a cluster has to be in one of them.
	affinities []*model.ClusterAffinity
}

// group is the i-th group of a placement; the only one when there are no ClusterAffinities.
func group(p *model.Placement, want *Request, i int) affinityGroup {
	const field = "spec.placement."
	switch {
	case p.ClusterAffinity != nil:
		return affinityGroup{path: field + "clusterAffinity", affinities: []*model.ClusterAffinity{p.ClusterAffinity}}
	case len(p.ClusterAffinities) == 0:
		return affinityGroup{}
	}
	term := &p.ClusterAffinities[i]
	g := affinityGroup{
		name: term.AffinityName, path: fmt.Sprintf("%sclusterAffinities[%d]", field, i),
		affinities: []*model.ClusterAffinity{&term.ClusterAffinity},
	}
	if want.workload() {
		for j := range term.OverflowAffinities {
			g.affinities = append(g.affinities, &term.OverflowAffinities[j].ClusterAffinity)
		}
	}
	return g
}

// fit is the verdict for one group. A cluster without room does not fit, but the scheduler's filters still let it in:
// it counts for spread constraints and gets no replica.
func fit(p *model.Placement, g affinityGroup, want *Request, c *model.Cluster) (v model.ClusterVerdict, letIn bool) {
	v.ClusterName = c.Name
	unfit := func(reason *model.UnfitReason) {
		if reason != nil {
			v.Reasons = append(v.Reasons, *reason)
		}
	}
	if _, scheduled := want.Scheduled[c.Name]; !scheduled {
		unfit(apiMissing(want.GVK, c))
		unfit(taintNotTolerated(p.ClusterTolerations, c))
	}
	unfit(outsideOf(g, c))
	unfit(spreadFieldMissing(p.SpreadConstraints, c))
	if slices.Contains(want.Evicting, c.Name) {
		unfit(&model.UnfitReason{Code: model.UnfitEviction, Message: "it is being moved away from the cluster"})
	}
	if c.State == model.ClusterRemoving {
		unfit(&model.UnfitReason{Code: model.UnfitNotReady, Message: "the cluster is being removed", Field: "metadata.deletionTimestamp"})
	}
	letIn = len(v.Reasons) == 0
	if needsRoom(p, want) && Room(want, c) == 0 && want.Scheduled[c.Name] == 0 {
		unfit(noRoom(want, c))
	}
	v.Fits = len(v.Reasons) == 0
	return v, letIn
}

func apiMissing(gvk schema.GroupVersionKind, c *model.Cluster) *model.UnfitReason {
	gv := gvk.GroupVersion().String()
	var kinds []string
	for _, e := range c.APIEnablements {
		if e.GroupVersion == gv {
			kinds = e.Kinds
		}
	}
	if slices.Contains(kinds, gvk.Kind) {
		return nil
	}
	return &model.UnfitReason{
		Code: model.UnfitAPINotEnabled, Message: fmt.Sprintf("the cluster does not serve %s %s", gv, gvk.Kind),
		Field: "status.apiEnablements", Value: clip(gv + ": " + orNone(join(kinds))),
	}
}

func taintNotTolerated(tolerations []model.Toleration, c *model.Cluster) *model.UnfitReason {
	for i := range c.Taints {
		taint := &c.Taints[i]
		if taint.Effect == model.TaintPreferNoSchedule || slices.ContainsFunc(tolerations, func(t model.Toleration) bool { return tolerates(&t, taint) }) {
			continue
		}
		return &model.UnfitReason{
			Code: model.UnfitTaint, Message: "the placement does not tolerate a taint of the cluster",
			Field: "spec.taints", Value: clip(taintText(taint)),
		}
	}
	return nil
}

// tolerates compares by the rules of Kubernetes.
func tolerates(t *model.Toleration, taint *model.Taint) bool {
	switch {
	case t.Effect != nil && *t.Effect != taint.Effect, t.Key != nil && *t.Key != taint.Key:
		return false
	case t.Operator == model.TolerationExists:
		return true
	case t.Value == nil:
		return taint.Value == ""
	}
	return *t.Value == taint.Value
}

// effects maps the effects of taints to Kubernetes' spelling.
var effects = map[model.TaintEffect]string{
	model.TaintNoSchedule: "NoSchedule", model.TaintPreferNoSchedule: "PreferNoSchedule", model.TaintNoExecute: "NoExecute",
}

func taintText(t *model.Taint) string {
	text := t.Key
	if t.Value != "" {
		text += "=" + t.Value
	}
	return text + ":" + effects[t.Effect]
}

func outsideOf(g affinityGroup, c *model.Cluster) *model.UnfitReason {
	var first *model.UnfitReason
	for _, a := range g.affinities {
		ok, field, value := affinityMatches(a, c)
		if ok {
			return nil
		}
		if first == nil {
			first = &model.UnfitReason{
				Code: model.UnfitAffinity, Message: fmt.Sprintf("%s.%s of the policy leaves the cluster out", g.path, field),
				Field: clusterField(field), Value: clip(orNone(value)),
			}
		}
	}
	return first
}

// clusterField is the path in a Cluster of the value that a part of an affinity compares.
func clusterField(affinity string) string {
	switch affinity {
	case "labelSelector":
		return "metadata.labels"
	case "fieldSelector." + fieldProvider:
		return "spec.provider"
	case "fieldSelector." + fieldRegion:
		return "spec.region"
	case "fieldSelector." + fieldZone:
		return "spec.zones"
	}
	return "metadata.name"
}

func spreadFieldMissing(constraints []model.SpreadConstraint, c *model.Cluster) *model.UnfitReason {
	for i := range constraints {
		if constraints[i].SpreadByField == nil {
			continue
		}
		field := ""
		switch *constraints[i].SpreadByField {
		case model.SpreadProvider:
			if c.Provider == nil {
				field = fieldProvider
			}
		case model.SpreadRegion:
			if c.Region == nil {
				field = fieldRegion
			}
		case model.SpreadZone:
			if len(c.Zones) == 0 {
				field = "zones"
			}
		}
		if field != "" {
			return &model.UnfitReason{
				Code: model.UnfitSpread, Message: fmt.Sprintf("the placement spreads by %s, and the cluster has none", field),
				Field: "spec." + field, Value: orNone(""),
			}
		}
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}

// maxEvidence is the maximum number of characters of a value shown as evidence.
const maxEvidence = 200

func clip(s string) string {
	if r := []rune(s); len(r) > maxEvidence {
		return string(r[:maxEvidence-1]) + "…"
	}
	return s
}
