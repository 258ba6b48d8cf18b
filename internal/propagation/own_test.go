package propagation

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

// memberWorkload is a workload of a member, made at epoch.
func memberWorkload(t *testing.T, kind model.WorkloadKind, metadata, spec, status string) *model.WorkloadMeta {
	t.Helper()
	raw := `{"metadata":{"namespace":"shop","name":"cart","generation":2,"creationTimestamp":"2025-06-01T12:00:00Z"` + metadata +
		`},"spec":{` + spec + `}` + status + `}`
	w, err := DecodeMemberWorkload("asia", "tokyo", kind, []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return w.Meta()
}

func TestOwnState(t *testing.T) {
	const (
		seen      = `"observedGeneration":2,`
		available = `{"type":"Available","status":"True","lastTransitionTime":"2025-06-01T12:00:05Z"}`
		missing   = `{"type":"Available","status":"False","lastTransitionTime":"2025-06-01T12:00:05Z"}`
		rolledOut = `{"type":"Progressing","status":"True","reason":"NewReplicaSetAvailable","lastUpdateTime":"2025-06-01T12:00:05Z"}`
		rolling   = `{"type":"Progressing","status":"True","reason":"ReplicaSetUpdated","lastUpdateTime":"2025-06-01T12:00:05Z"}`
		moving    = `{"type":"Progressing","status":"True","reason":"ReplicaSetUpdated","lastUpdateTime":"2025-06-01T12:09:30Z"}`
		gaveUp    = `{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded","message":"has timed out progressing.","lastUpdateTime":"2025-06-01T12:09:59Z"}`
		refused   = `{"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"exceeded quota"}`
	)
	status := func(fields string, conditions ...string) string {
		return `,"status":{` + seen + fields + `,"conditions":[` + strings.Join(conditions, ",") + `]}`
	}
	old, young := 600, 30
	cases := []struct {
		name     string
		kind     model.WorkloadKind
		metadata string
		spec     string
		status   string
		after    int // seconds from its creation
		want     model.WorkloadState
		reason   string
		message  string
	}{
		{name: "what is being deleted is DELETING, whatever it does", kind: model.KindDeployment,
			metadata: `,"deletionTimestamp":"2025-06-01T12:00:09Z"`, spec: `"replicas":2`, after: old,
			status: status(`"replicas":2,"updatedReplicas":2,"availableReplicas":2`, available, rolledOut),
			want:   model.WorkloadDeleting, reason: ReasonDeleting},
		{name: "a Deployment with all its pods is RUNNING", kind: model.KindDeployment, spec: `"replicas":2`, after: old,
			status: status(`"replicas":2,"updatedReplicas":2,"availableReplicas":2`, available, rolledOut),
			want:   model.WorkloadRunning, reason: ReasonHealthy},
		{name: "a Deployment that no controller has seen is on its way for a minute", kind: model.KindDeployment, spec: `"replicas":2`,
			after: young, status: `,"status":{}`,
			want: model.WorkloadProgressing, reason: ReasonNotYetReported, message: "its controller has not looked at it yet"},
		{name: "a Deployment that no controller has seen for long is UNKNOWN", kind: model.KindDeployment, spec: `"replicas":0`,
			after: old, status: `,"status":{}`,
			want: model.WorkloadUnknown, reason: ReasonNotYetReported, message: "its controller has not looked at it"},
		{name: "a Deployment without a status is UNKNOWN", kind: model.KindDeployment, after: old,
			want: model.WorkloadUnknown, reason: ReasonNotYetReported, message: "its controller has not looked at it"},
		{name: "a status that cannot be read is no status", kind: model.KindDeployment, after: old, status: `,"status":{"replicas":"two"}`,
			want: model.WorkloadUnknown, reason: ReasonNotYetReported, message: "its controller has not looked at it"},
		{name: "a status of an older generation is not taken for this one's", kind: model.KindDeployment, spec: `"replicas":2`, after: old,
			status: `,"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"availableReplicas":2}`,
			want:   model.WorkloadProgressing, reason: ReasonStatusBehind, message: "its controller has not looked at its last change yet"},
		{name: "a change known to be old that the controller has not seen is UNKNOWN", kind: model.KindDeployment, spec: `"replicas":2`, after: old,
			metadata: `,"managedFields":[{"time":"2025-06-01T12:01:00Z"}]`,
			status:   `,"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"availableReplicas":2}`,
			want:     model.WorkloadUnknown, reason: ReasonStatusBehind, message: "its controller has not looked at its last change"},
		{name: "a paused rollout is PAUSED, with its numbers where pods are missing", kind: model.KindDeployment,
			spec: `"replicas":2,"paused":true`, after: old,
			status: status(`"replicas":2,"updatedReplicas":1,"availableReplicas":2`, available),
			want:   model.WorkloadPaused, reason: ReasonRolloutPaused, message: "1 of 2 updated, 2 available"},
		{name: "zero replicas is STOPPED", kind: model.KindDeployment, spec: `"replicas":0`, after: old,
			status: `,"status":{"observedGeneration":2}`,
			want:   model.WorkloadStopped, reason: ReasonZeroReplicas},
		{name: "zero replicas with pods left is not STOPPED yet", kind: model.KindDeployment, spec: `"replicas":0`, after: old,
			status: status(`"replicas":3`),
			want:   model.WorkloadProgressing, reason: ReasonZeroReplicas, message: "3 pods are still there"},
		{name: "a rollout that its controller gave up is DEGRADED in the controller's words", kind: model.KindDeployment,
			spec: `"replicas":2`, after: old,
			status: status(`"replicas":2,"updatedReplicas":2,"unavailableReplicas":2`, missing, gaveUp),
			want:   model.WorkloadDegraded, reason: ReasonProgressDeadlineExceeded,
			message: "has timed out progressing: 2 of 2 updated, 0 available"},
		{name: "pods that cannot be made are told in the API server's words", kind: model.KindDeployment, spec: `"replicas":2`, after: young,
			status: status(`"replicas":1,"updatedReplicas":1,"availableReplicas":1`, available, rolling, refused),
			want:   model.WorkloadDegraded, reason: "FailedCreate", message: "exceeded quota"},
		{name: "a rollout that takes away no more than it may is PROGRESSING", kind: model.KindDeployment, spec: `"replicas":4`, after: old,
			status: status(`"replicas":5,"updatedReplicas":2,"availableReplicas":3`, available, rolling),
			want:   model.WorkloadProgressing, reason: ReasonRolloutIncomplete, message: "2 of 4 updated, 3 available"},
		{name: "a rollout that took too much away is DEGRADED when it has not moved for a minute", kind: model.KindDeployment, spec: `"replicas":4`, after: old,
			status: status(`"replicas":5,"updatedReplicas":4,"availableReplicas":1`, missing, rolling),
			want:   model.WorkloadDegraded, reason: ReasonRolloutIncomplete, message: "4 of 4 updated, 1 available"},
		{name: "a rollout that moves is PROGRESSING", kind: model.KindDeployment, spec: `"replicas":4`, after: old,
			status: status(`"replicas":5,"updatedReplicas":4,"availableReplicas":1`, missing, moving),
			want:   model.WorkloadProgressing, reason: ReasonRolloutIncomplete, message: "4 of 4 updated, 1 available"},
		{name: "pods that went missing long after a rollout are DEGRADED", kind: model.KindDeployment, spec: `"replicas":4`, after: old,
			status: status(`"replicas":4,"updatedReplicas":4,"availableReplicas":3`, available, rolledOut),
			want:   model.WorkloadDegraded, reason: ReasonPodsUnavailable, message: "4 of 4 updated, 3 available"},
		{name: "a young Deployment whose pods start is PROGRESSING", kind: model.KindDeployment, spec: `"replicas":2`, after: young,
			status: status(`"replicas":2,"updatedReplicas":2`, missing, rolling),
			want:   model.WorkloadProgressing, reason: ReasonPodsUnavailable, message: "2 of 2 updated, 0 available"},
		{name: "pods that are ready but too many are a rollout that is not over", kind: model.KindDeployment, spec: `"replicas":2`, after: old,
			status: status(`"replicas":3,"updatedReplicas":2,"availableReplicas":3`, available, rolling),
			want:   model.WorkloadProgressing, reason: ReasonRolloutIncomplete, message: "2 of 2 updated, 3 available"},

		{name: "a StatefulSet with all its pods is RUNNING", kind: model.KindStatefulSet, spec: `"replicas":2`, after: old,
			status: `,"status":{"observedGeneration":2,"replicas":2,"updatedReplicas":2,"availableReplicas":2}`,
			want:   model.WorkloadRunning, reason: ReasonHealthy},
		{name: "a StatefulSet that updates one pod at a time is PROGRESSING", kind: model.KindStatefulSet, spec: `"replicas":3`, after: old,
			status: `,"status":{"observedGeneration":2,"replicas":3,"updatedReplicas":1,"availableReplicas":2}`,
			want:   model.WorkloadProgressing, reason: ReasonRolloutIncomplete, message: "1 of 3 updated, 2 available"},
		{name: "a StatefulSet of which most pods are missing is DEGRADED", kind: model.KindStatefulSet, spec: `"replicas":3`, after: old,
			status: `,"status":{"observedGeneration":2,"replicas":1,"updatedReplicas":1}`,
			want:   model.WorkloadDegraded, reason: ReasonRolloutIncomplete, message: "1 of 3 updated, 0 available"},
		{name: "a StatefulSet that holds pods back by a partition is RUNNING", kind: model.KindStatefulSet, after: old,
			spec:   `"replicas":3,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":2}}`,
			status: `,"status":{"observedGeneration":2,"replicas":3,"updatedReplicas":1,"availableReplicas":3}`,
			want:   model.WorkloadRunning, reason: ReasonHealthy},
		{name: "a StatefulSet whose pods are updated by hand is RUNNING", kind: model.KindStatefulSet, after: old,
			spec:   `"replicas":3,"updateStrategy":{"type":"OnDelete"}`,
			status: `,"status":{"observedGeneration":2,"replicas":3,"updatedReplicas":0,"availableReplicas":3}`,
			want:   model.WorkloadRunning, reason: ReasonHealthy},

		{name: "a DaemonSet on all its nodes is RUNNING", kind: model.KindDaemonSet, after: old,
			status: `,"status":{"observedGeneration":2,"desiredNumberScheduled":3,"updatedNumberScheduled":3,"numberAvailable":3}`,
			want:   model.WorkloadRunning, reason: ReasonHealthy},
		{name: "a DaemonSet that misses a pod is DEGRADED", kind: model.KindDaemonSet, after: old,
			status: `,"status":{"observedGeneration":2,"desiredNumberScheduled":3,"updatedNumberScheduled":3,"numberAvailable":2}`,
			want:   model.WorkloadDegraded, reason: ReasonPodsUnavailable, message: "3 of 3 updated, 2 available"},
		{name: "a DaemonSet that no node matches is STOPPED", kind: model.KindDaemonSet, after: old,
			status: `,"status":{"observedGeneration":2,"desiredNumberScheduled":0}`,
			want:   model.WorkloadStopped, reason: ReasonNoNodes, message: "no node of the cluster matches it"},

		{name: "a Job that is over is COMPLETED", kind: model.KindJob, after: old,
			status: `,"status":{"succeeded":2,"failed":1,"conditions":[{"type":"Complete","status":"True"}]}`,
			want:   model.WorkloadCompleted, reason: ReasonJobComplete},
		{name: "a Job that failed says why", kind: model.KindJob, after: old,
			status: `,"status":{"failed":4,"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded"}]}`,
			want:   model.WorkloadFailed, reason: ReasonJobFailed, message: "BackoffLimitExceeded"},
		{name: "a Job that is about to fail is not running well", kind: model.KindJob, after: old,
			status: `,"status":{"active":1,"conditions":[{"type":"FailureTarget","status":"True","message":"backoff limit reached"}]}`,
			want:   model.WorkloadDegraded, reason: ReasonJobPodsFailed, message: "backoff limit reached"},
		{name: "a suspended Job is PAUSED", kind: model.KindJob, spec: `"suspend":true`, after: old, status: `,"status":{}`,
			want: model.WorkloadPaused, reason: ReasonSuspended},
		{name: "a Job at work is PROGRESSING", kind: model.KindJob, after: old, status: `,"status":{"active":2,"succeeded":1}`,
			want: model.WorkloadProgressing, reason: ReasonJobActive, message: "2 pods active, 1 succeeded"},
		{name: "a Job that tries again is DEGRADED", kind: model.KindJob, after: old, status: `,"status":{"active":1,"failed":2}`,
			want: model.WorkloadDegraded, reason: ReasonJobPodsFailed, message: "2 of its pods failed, and it is not over"},
		{name: "a young Job that tries again is PROGRESSING", kind: model.KindJob, after: young, status: `,"status":{"active":1,"failed":2}`,
			want: model.WorkloadProgressing, reason: ReasonJobPodsFailed, message: "2 of its pods failed, and it is not over"},
		{name: "a Job that has not begun for long is UNKNOWN", kind: model.KindJob, after: old, status: `,"status":{}`,
			want: model.WorkloadUnknown, reason: ReasonNotYetReported, message: "its controller has not looked at it"},

		{name: "a CronJob that never had to run is RUNNING", kind: model.KindCronJob, after: old, status: `,"status":{}`,
			want: model.WorkloadRunning, reason: ReasonNoRunYet},
		{name: "a CronJob whose status was not read is UNKNOWN", kind: model.KindCronJob, after: young,
			want: model.WorkloadUnknown, reason: ReasonNotYetReported, message: "its controller has not looked at it"},
		{name: "a suspended CronJob is PAUSED", kind: model.KindCronJob, spec: `"suspend":true`, after: old,
			status: `,"status":{"lastScheduleTime":"2025-06-01T12:00:00Z"}`,
			want:   model.WorkloadPaused, reason: ReasonSuspended},
		{name: "a CronJob with a Job at work is RUNNING", kind: model.KindCronJob, after: old,
			status: `,"status":{"active":[{"name":"cart-1"}],"lastScheduleTime":"2025-06-01T12:05:00Z"}`,
			want:   model.WorkloadRunning, reason: ReasonRunActive},
		{name: "a CronJob whose last run succeeded is RUNNING", kind: model.KindCronJob, after: old,
			status: `,"status":{"lastScheduleTime":"2025-06-01T12:05:00Z","lastSuccessfulTime":"2025-06-01T12:05:09Z"}`,
			want:   model.WorkloadRunning, reason: ReasonLastRunSucceeded},
		{name: "a CronJob whose last run is not known to have succeeded is UNKNOWN", kind: model.KindCronJob, after: old,
			status: `,"status":{"lastScheduleTime":"2025-06-01T12:05:00Z","lastSuccessfulTime":"2025-06-01T12:00:09Z"}`,
			want:   model.WorkloadUnknown, reason: ReasonLastRunNotSucceeded,
			message: "its last run, of 2025-06-01T12:05:00Z, is over and was not recorded as a success"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := memberWorkload(t, c.kind, c.metadata, c.spec, c.status)
			state, reason, message := OwnState(w, epoch.Add(time.Duration(c.after)*time.Second))
			if diff := cmp.Diff([]string{string(c.want), c.reason, c.message}, []string{string(state), reason, message}); diff != "" {
				t.Errorf("state, reason, message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOwnStatus(t *testing.T) {
	n := func(v int32) *int32 { return &v }
	cases := []struct {
		name   string
		kind   model.WorkloadKind
		status string
		want   *model.TargetStatus
	}{
		{"a Deployment counts its pods; what the API leaves out is zero", model.KindDeployment,
			`,"status":{"observedGeneration":1,"replicas":3,"updatedReplicas":3,"readyReplicas":2}`,
			&model.TargetStatus{Replicas: n(3), Ready: n(2), Updated: n(3), Available: n(0)}},
		{"a DaemonSet counts nodes", model.KindDaemonSet,
			`,"status":{"observedGeneration":1,"desiredNumberScheduled":3,"numberReady":3,"updatedNumberScheduled":2,"numberAvailable":1}`,
			&model.TargetStatus{Replicas: n(3), Ready: n(3), Updated: n(2), Available: n(1)}},
		{"a Job counts pods that run, succeeded and failed", model.KindJob, `,"status":{"active":1,"succeeded":2,"failed":3}`,
			&model.TargetStatus{Active: n(1), Succeeded: n(2), Failed: n(3)}},
		{"a CronJob counts its Jobs that run", model.KindCronJob, `,"status":{"active":[{"name":"a"},{"name":"b"}]}`,
			&model.TargetStatus{Active: n(2)}},
		{"what no controller has seen has no counts, not zero ones", model.KindStatefulSet, `,"status":{"replicas":0}`, nil},
		{"without a status there are no counts", model.KindJob, ``, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, OwnStatus(memberWorkload(t, c.kind, "", "", c.status))); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeMemberWorkload(t *testing.T) {
	w, err := DecodeMemberWorkload("asia", "tokyo", model.KindJob, []byte(`{"metadata":{"namespace":"shop","name":"import"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := model.Ref{Instance: "asia", Cluster: "tokyo", GVK: model.KindJob.GVK(), Namespace: "shop", Name: "import"}
	if diff := cmp.Diff(want, w.ObjectRef()); diff != "" {
		t.Errorf("ref (-want +got):\n%s", diff)
	}
	if _, err := DecodeMemberWorkload("asia", "tokyo", model.KindJob, []byte(`{}`)); err == nil || !strings.Contains(err.Error(), `"tokyo"`) {
		t.Errorf("an object without a name: error %v, want one that names the cluster", err)
	}
}
