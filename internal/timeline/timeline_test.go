package timeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/timeline"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	web  = model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
)

func at(minutes int) *time.Time {
	t := noon.Add(time.Duration(minutes) * time.Minute)
	return &t
}

// told is a timeline as lines.
func told(entries []*model.TimelineEntry) []string {
	out := []string{}
	for _, e := range entries {
		line := fmt.Sprintf("%s %s %s %s", e.At.Format("15:04"), e.Kind, e.Object.Kind, e.Summary)
		if e.Actor != nil {
			line += " by " + *e.Actor
		}
		if e.ClusterName != nil {
			line += " in " + *e.ClusterName
		}
		for _, c := range e.Changes {
			line += " " + c.Path
		}
		out = append(out, line)
	}
	return out
}

func TestEachSourceIsTold(t *testing.T) {
	cause := "winter sale"
	binding := &model.ResourceBinding{Object: model.Object{Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "work.karmada.io", Version: "v1alpha2", Kind: "ResourceBinding"}, Namespace: "shop", Name: "web-deployment"}},
		Resource:   model.BoundResource{GVK: web.GVK, Namespace: "shop", Name: "web"},
		Conditions: []model.Condition{{Type: "Scheduled", Status: model.FactTrue, Reason: "Success", Message: "scheduled", Since: at(3)}, {Type: "FullyApplied", Status: model.FactFalse, Since: at(4)}, {Type: "Odd"}},
		Evictions:  []model.Eviction{{ClusterName: "tokyo", Reason: "TaintUntolerated", Producer: "TaintManager", Since: at(5)}, {ClusterName: "osaka"}}}
	revision := func(n int64, minutes int, template string) *model.Revision {
		return &model.Revision{Object: model.Object{CreatedAt: *at(minutes)}, Revision: n, WorkloadRef: web, PodTemplate: []byte(template)}
	}
	second := revision(2, 7, `{"spec":{"image":"b"}}`)
	second.ChangeCause = &cause
	back := revision(3, 1, `{"spec":{"image":"a"}}`)
	back.Since = at(9)
	for name, c := range map[string]struct {
		got  []*model.TimelineEntry
		want []string
	}{
		"revisions": {timeline.OfRevisions(model.Lineage{second, revision(1, 1, `{"spec":{"image":"a"}}`)}),
			[]string{"12:07 REVISION Deployment revision 2: winter sale /spec/image", "12:01 REVISION Deployment revision 1"}},
		"a revision that it went back to": {timeline.OfRevisions(model.Lineage{back, second}),
			[]string{"12:09 REVISION Deployment revision 3 /spec/image", "12:07 REVISION Deployment revision 2: winter sale"}},
		"a binding": {timeline.OfBinding(binding), []string{"12:03 SCHEDULING ResourceBinding Scheduled is TRUE (Success): scheduled",
			"12:04 STATUS ResourceBinding FullyApplied is FALSE", "12:05 EVICTION Deployment it is being moved away from cluster tokyo: TaintUntolerated by TaintManager in tokyo"}},
		"no binding": {timeline.OfBinding(nil), []string{}},
		"an object": {timeline.OfObject(&model.Object{Ref: web, CreatedAt: *at(0), DeletedAt: at(9),
			Raw: []byte(`{"status":{"conditions":[{"type":"Available","status":"True","reason":"Min","lastTransitionTime":"2026-03-01T12:02:00Z"},{"type":"None"}]}}`)}),
			[]string{"12:00 STATUS Deployment it was created", "12:09 STATUS Deployment its deletion was asked for", "12:02 STATUS Deployment Available is TRUE (Min)"}},
		"an object with odd conditions": {timeline.OfObject(&model.Object{Ref: web, CreatedAt: *at(0), Raw: []byte(`{"status":{"conditions":{"type":7}}}`)}), []string{"12:00 STATUS Deployment it was created"}},
		"an object with an odd status":  {timeline.OfObject(&model.Object{Ref: web, CreatedAt: *at(0), Raw: []byte(`{"status":"fine"}`)}), []string{"12:00 STATUS Deployment it was created"}},
		"a cluster": {timeline.OfCluster(&model.Cluster{InstanceName: "asia", Name: "tokyo", Conditions: []model.Condition{{Type: "Ready", Status: model.FactFalse, Reason: "ClusterNotReachable", Since: at(6)}}}),
			[]string{"12:06 STATUS Cluster Ready is FALSE (ClusterNotReachable) in tokyo"}},
		"events": {timeline.OfEvents([]*model.KubernetesEvent{
			{Object: model.Object{Ref: model.Ref{Cluster: "tokyo", Name: "e"}}, Reason: "BackOff", Message: "no image", Count: 3, FirstSeen: *at(1), LastSeen: *at(8), Source: "kubelet", Regarding: model.ObjectReference{Kind: "Pod"}},
			{Reason: "ScheduleBindingSucceed", LastSeen: *at(2)}, {Reason: "ApplyPolicySucceed", LastSeen: *at(2)}, {Reason: "EvictWorkloadFromClusterSucceed", LastSeen: *at(2)}}),
			[]string{"12:08 EVENT Pod BackOff: no image (3 times since 2026-03-01T12:01:00Z) by kubelet in tokyo", "12:02 SCHEDULING  ScheduleBindingSucceed",
				"12:02 POLICY  ApplyPolicySucceed", "12:02 EVICTION  EvictWorkloadFromClusterSucceed"}},
		"what was done": {[]*model.TimelineEntry{
			timeline.OfAudit(timeline.Done{Principal: "ann", Action: "scaleWorkload", Outcome: "SUCCEEDED", At: *at(1), Object: web, Changes: []model.FieldChange{{Path: "/spec/replicas"}}}, false),
			timeline.OfAudit(timeline.Done{Principal: "bob", Action: "patch", Subresource: "scale", Outcome: "REFUSED", Message: "no", At: *at(2), Object: web, DryRun: true}, false),
			timeline.OfAudit(timeline.Done{Principal: "ann", Action: "updatePolicy", Outcome: "SUCCEEDED", At: *at(3), Object: model.Ref{GVK: schema.GroupVersionKind{Kind: "OverridePolicy"}, Name: "op"}}, true)},
			[]string{"12:01 AUDIT Deployment scaleWorkload by ann /spec/replicas", "12:02 AUDIT Deployment patch scale (dry run) refused: no by bob", "12:03 POLICY OverridePolicy updatePolicy of OverridePolicy op by ann"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, told(c.got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestATimelineIsBounded(t *testing.T) {
	conditions := strings.TrimSuffix(strings.Repeat(`{"type":"A","status":"True","lastTransitionTime":"2026-03-01T12:02:00Z"},`, 5000), ",")
	if n := len(timeline.OfObject(&model.Object{Ref: web, Raw: []byte(`{"status":{"conditions":[` + conditions + `]}}`)})); n > 200 {
		t.Errorf("%d entries of one object", n)
	}
	long := timeline.OfEvents([]*model.KubernetesEvent{{Reason: "R", Message: strings.Repeat("ä", 5000)}})[0].Summary
	if len(long) > 1100 {
		t.Errorf("a summary of %d bytes", len(long))
	}
	entries := timeline.OfEvents([]*model.KubernetesEvent{{Reason: "a", LastSeen: *at(1)}, {Reason: "b", LastSeen: *at(2)}, {Reason: "c", LastSeen: *at(3)}})
	within := timeline.Within(slices.Clone(entries), *at(2), *at(2))
	if len(within) != 1 || within[0].Summary != "b" {
		t.Errorf("within: %v", told(within))
	}
}
