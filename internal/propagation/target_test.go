package propagation

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

// inTokyo is the only target of a workload of a kind that is in tokyo with the given status.
func inTokyo(t *testing.T, kind model.WorkloadKind, health model.ResourceHealth, status string) *model.PropagationTarget {
	t.Helper()
	b := bound(func(b *model.ResourceBinding) {
		b.Clusters = []model.BindingCluster{chosen("tokyo", 2)}
		b.Members = []model.BindingMember{{ClusterName: "tokyo", Applied: true, Health: health}}
		if status != "" {
			b.Members[0].Status = []byte(status)
		}
	})
	p := Compute(deployment(ofKind(kind)), b, ready("tokyo"))
	if len(p.Targets) != 1 {
		t.Fatalf("got %d targets, want 1", len(p.Targets))
	}
	return p.Targets[0]
}

func TestTargetStatus(t *testing.T) {
	n := func(v int32) *int32 { return &v }
	cases := []struct {
		name    string
		kind    model.WorkloadKind
		status  string
		want    *model.TargetStatus
		desired *int32
	}{
		{"a Deployment counts replicas, and what is left out is zero", model.KindDeployment, `{"replicas":3,"updatedReplicas":2}`,
			&model.TargetStatus{Replicas: n(3), Ready: n(0), Updated: n(2), Available: n(0)}, n(2)},
		{"a StatefulSet counts replicas", model.KindStatefulSet, `{"replicas":3,"readyReplicas":1,"updatedReplicas":2,"availableReplicas":1,"currentReplicas":3}`,
			&model.TargetStatus{Replicas: n(3), Ready: n(1), Updated: n(2), Available: n(1)}, n(2)},
		{"a DaemonSet counts nodes and is assigned none", model.KindDaemonSet,
			`{"desiredNumberScheduled":4,"numberReady":3,"updatedNumberScheduled":4,"numberAvailable":2,"numberUnavailable":2}`,
			&model.TargetStatus{Replicas: n(4), Ready: n(3), Updated: n(4), Available: n(2)}, nil},
		{"a Job counts pods by their end", model.KindJob, `{"active":1,"succeeded":5}`,
			&model.TargetStatus{Active: n(1), Succeeded: n(5), Failed: n(0)}, n(2)},
		{"a CronJob counts what runs now", model.KindCronJob, `{"active":[{"name":"a"},{"name":"b"}],"lastScheduleTime":"2025-06-01T12:00:00Z"}`,
			&model.TargetStatus{Active: n(2)}, nil},
		{"a CronJob that has not run has an empty status, which is a status", model.KindCronJob, `{}`, &model.TargetStatus{Active: n(0)}, nil},
		{"no status is none", model.KindDeployment, ``, nil, n(2)},
		{"a status that cannot be read is none", model.KindDeployment, `{"replicas":"three"}`, nil, n(2)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := inTokyo(t, c.kind, model.Healthy, c.status)
			if diff := cmp.Diff(c.want, got.Status); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.desired, got.DesiredReplicas); diff != "" {
				t.Errorf("desired replicas (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHealthOfKindsThatKarmadaDoesNotCheck(t *testing.T) {
	cases := []struct {
		name   string
		kind   model.WorkloadKind
		health model.ResourceHealth
		status string
		want   model.Fact
	}{
		{"a Job that is not over is not known to be well, though Karmada calls it Healthy", model.KindJob, model.Healthy, `{"active":1}`,
			say(unknown(ReasonJobActive), "it is not over")},
		{"a Job without a status is not known to be well", model.KindJob, model.Healthy, ``, say(unknown(ReasonJobActive), "it is not over")},
		{"a Job whose pods fail is not well before it gives up", model.KindJob, model.Healthy, `{"active":1,"failed":2}`,
			say(no(ReasonJobPodsFailed), "2 of its pods failed, and it is not over")},
		{"a Job that is complete is well, however many pods failed on the way", model.KindJob, model.Healthy,
			`{"succeeded":1,"failed":2,"conditions":[{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True","lastTransitionTime":"2025-06-01T12:00:07Z"}]}`,
			model.Fact{Value: model.FactTrue, Reason: ReasonJobComplete, Since: at(7)}},
		{"a Job that failed says why", model.KindJob, model.Healthy,
			`{"failed":7,"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded","message":"Job has reached the specified backoff limit","lastTransitionTime":"2025-06-01T12:00:08Z"}]}`,
			model.Fact{Value: model.FactFalse, Reason: ReasonJobFailed, Message: "Job has reached the specified backoff limit", Since: at(8)}},
		{"a condition that does not hold ends no Job", model.KindJob, model.Healthy, `{"active":1,"conditions":[{"type":"Failed","status":"False"}]}`,
			say(unknown(ReasonJobActive), "it is not over")},
		{"an interpreter that finds a Job unhealthy is believed", model.KindJob, model.Unhealthy, `{"active":1}`,
			say(no(ReasonUnhealthy), "Karmada judges it unhealthy")},
		{"a CronJob that had nothing to do yet is well", model.KindCronJob, model.Healthy, `{}`, yes(ReasonNoRunYet)},
		{"a CronJob that runs is well", model.KindCronJob, model.Healthy, `{"active":[{"name":"a"}],"lastScheduleTime":"2025-06-01T12:00:05Z"}`, yes(ReasonRunActive)},
		{"a CronJob whose last run succeeded is well", model.KindCronJob, model.Healthy,
			`{"lastScheduleTime":"2025-06-01T12:00:05Z","lastSuccessfulTime":"2025-06-01T12:00:09Z"}`,
			model.Fact{Value: model.FactTrue, Reason: ReasonLastRunSucceeded, Since: at(9)}},
		{"a CronJob whose last run is over and not recorded as a success is unknown", model.KindCronJob, model.Healthy,
			`{"lastScheduleTime":"2025-06-01T12:00:05Z","lastSuccessfulTime":"2025-06-01T11:00:09Z"}`,
			say(unknown(ReasonLastRunNotSucceeded), "its last run, of 2025-06-01T12:00:05Z, is over and was not recorded as a success")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, inTokyo(t, c.kind, c.health, c.status).Healthy); diff != "" {
				t.Errorf("healthy (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHealthBeforeAClusterOutOfReach(t *testing.T) {
	cases := []struct {
		state model.ClusterState
		want  string
	}{
		{model.ClusterReady, ReasonHealthy},
		{model.ClusterNotReady, ReasonClusterNotReady},
		{model.ClusterOffline, ReasonClusterOffline},
		{model.ClusterJoining, ReasonClusterJoining},
		{model.ClusterRemoving, ReasonClusterRemoving},
		{model.ClusterUnknown, ReasonClusterUnknown},
		{"SOMETHING_NEW", ReasonClusterUnknown},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("a cluster that is %s", c.state), func(t *testing.T) {
			p := Compute(deployment(), bound(), with(ready("hangzhou"), "tokyo", c.state, ""))
			got := p.Targets[1].Healthy
			if got.Reason != c.want {
				t.Errorf("reason %q, want %q", got.Reason, c.want)
			}
			if c.state == model.ClusterReady {
				return
			}
			if got.Value != model.FactUnknown || p.Healthy.Value != model.FactUnknown {
				t.Errorf("healthy there %s and as a whole %s, want both UNKNOWN", got.Value, p.Healthy.Value)
			}
			if diff := cmp.Diff(at(40), got.Since); diff != "" {
				t.Errorf("since its Ready condition changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAJobThatIsOverStaysSoWhenItsClusterGoes(t *testing.T) {
	b := bound(func(b *model.ResourceBinding) {
		b.Clusters = []model.BindingCluster{{ClusterName: "tokyo"}}
		b.Members = []model.BindingMember{{ClusterName: "tokyo", Applied: true, Health: model.Healthy,
			Status: []byte(`{"succeeded":1,"conditions":[{"type":"Complete","status":"True"}]}`)}}
	})
	p := Compute(deployment(ofKind(model.KindJob)), b, map[string]*model.Cluster{})
	if diff := cmp.Diff(yes(ReasonJobComplete), p.Healthy); diff != "" {
		t.Errorf("healthy (-want +got):\n%s", diff)
	}
}

func TestFactsTellWhichGenerationTheyAreAbout(t *testing.T) {
	w := deployment(func(w *model.WorkloadMeta) { w.Generation = 3; w.ResourceVersion = "8" })
	b := bound(func(b *model.ResourceBinding) {
		b.Members[0].Status = []byte(`{"generation":7,"observedGeneration":7,"resourceTemplateGeneration":3,"replicas":3}`)
	})
	p := Compute(w, b, ready("hangzhou", "tokyo"))
	got := map[string]*int64{
		"scheduled": p.Scheduled.ObservedGeneration, "applied": p.Applied.ObservedGeneration,
		"applied in hangzhou": p.Targets[0].Applied.ObservedGeneration, "applied in tokyo": p.Targets[1].Applied.ObservedGeneration,
		"healthy in hangzhou": p.Targets[0].Healthy.ObservedGeneration, "healthy in tokyo": p.Targets[1].Healthy.ObservedGeneration,
	}
	want := map[string]*int64{
		"scheduled": ptr(int64(3)), "applied": ptr(int64(2)),
		"applied in hangzhou": ptr(int64(3)), "applied in tokyo": ptr(int64(2)),
		"healthy in hangzhou": ptr(int64(3)), "healthy in tokyo": ptr(int64(2)),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("observed generations (-want +got):\n%s", diff)
	}
}

func TestAFactAboutSeveralClustersIsAboutTheOldestGenerationAmongThem(t *testing.T) {
	for name, generations := range map[string][2]int{"the first one is behind the second": {2, 3}, "the second one is behind the first": {3, 2}} {
		t.Run(name, func(t *testing.T) {
			w := deployment(func(w *model.WorkloadMeta) { w.Generation = 9 })
			p := Compute(w, bound(func(b *model.ResourceBinding) {
				for i := range b.Members {
					b.Members[i].Status = fmt.Appendf(nil, `{"generation":7,"observedGeneration":7,"resourceTemplateGeneration":%d,"replicas":3}`, generations[i])
				}
			}), ready("hangzhou", "tokyo"))
			if diff := cmp.Diff([]*int64{ptr(int64(2)), ptr(int64(2))}, []*int64{p.Applied.ObservedGeneration, p.Healthy.ObservedGeneration}); diff != "" {
				t.Errorf("observed generations of applied and healthy (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppliedAsAWholeIsAsOldAsTheConditionOnlyWhereBothAgree(t *testing.T) {
	fails := tokyo(func(i *model.BindingMember) { i.Applied, i.Message, i.Status = false, "no", nil })
	agree := func(b *model.ResourceBinding) { conditionOf(b, "FullyApplied").Status = model.FactFalse }
	cases := []struct {
		name string
		edit []func(*model.ResourceBinding)
		want *int
	}{
		{"both true", nil, ptr(5)},
		{"both false", []func(*model.ResourceBinding){fails, agree}, ptr(5)},
		{"false while the condition still says true", []func(*model.ResourceBinding){fails}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Compute(deployment(), bound(c.edit...), ready("hangzhou", "tokyo")).Applied.Since
			if (got == nil) != (c.want == nil) || got != nil && !got.Equal(*at(*c.want)) {
				t.Errorf("since %v, want second %v", got, c.want)
			}
		})
	}
}

func TestMessagesNameAFewClustersAndCountTheRest(t *testing.T) {
	b := bound(func(b *model.ResourceBinding) {
		b.Clusters, b.Members = nil, nil
		for i := range 7 {
			b.Clusters = append(b.Clusters, model.BindingCluster{ClusterName: fmt.Sprintf("c%d", i)})
			b.Members = append(b.Members, model.BindingMember{ClusterName: fmt.Sprintf("c%d", i), Message: "no"})
		}
	})
	got := Compute(deployment(), b, ready("c0", "c1", "c2", "c3", "c4", "c5", "c6")).Applied.Message
	if want := "c0: no; c1: no; c2: no; c3: no; c4: no; and 2 more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
