package statistics

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/model"
)

func untyped(t *testing.T, o any) *unstructured.Unstructured {
	t.Helper()
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: content}
}

func TestAWorkloadIsReadyWhenEveryDesiredReplicaIs(t *testing.T) {
	at := func(generation int64) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: generation}
	}
	deployment := func(want int32, s appsv1.DeploymentStatus) *appsv1.Deployment {
		return &appsv1.Deployment{ObjectMeta: at(2), Spec: appsv1.DeploymentSpec{Replicas: &want}, Status: s}
	}
	statefulSet := func(want int32, s appsv1.StatefulSetStatus) *appsv1.StatefulSet {
		return &appsv1.StatefulSet{ObjectMeta: at(2), Spec: appsv1.StatefulSetSpec{Replicas: &want}, Status: s}
	}
	daemonSet := func(s appsv1.DaemonSetStatus) *appsv1.DaemonSet {
		return &appsv1.DaemonSet{ObjectMeta: at(2), Status: s}
	}
	job := func(conditions ...batchv1.JobCondition) *batchv1.Job {
		return &batchv1.Job{ObjectMeta: at(1), Status: batchv1.JobStatus{Conditions: conditions}}
	}
	full := appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 3, UpdatedReplicas: 3, ReadyReplicas: 3, AvailableReplicas: 3}
	with := func(edit func(*appsv1.DeploymentStatus)) appsv1.DeploymentStatus {
		s := full
		edit(&s)
		return s
	}
	leaving := deployment(3, full)
	leaving.DeletionTimestamp = ptr.To(metav1.Now())

	for name, tt := range map[string]struct {
		kind model.WorkloadKind
		of   any
		want bool
	}{
		"a Deployment with all of its replicas":                      {model.KindDeployment, deployment(3, full), true},
		"one that says nothing of replicas, and has its one":         {model.KindDeployment, &appsv1.Deployment{ObjectMeta: at(1), Status: appsv1.DeploymentStatus{ObservedGeneration: 1, Replicas: 1, UpdatedReplicas: 1, ReadyReplicas: 1}}, true},
		"one that says nothing of replicas, and has none":            {model.KindDeployment, &appsv1.Deployment{ObjectMeta: at(1), Status: appsv1.DeploymentStatus{ObservedGeneration: 1}}, false},
		"one that is scaled to zero":                                 {model.KindDeployment, deployment(0, appsv1.DeploymentStatus{ObservedGeneration: 2}), true},
		"one that is scaled to zero, with a pod left":                {model.KindDeployment, deployment(0, appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 1, UpdatedReplicas: 1}), false},
		"one of which nothing has been reported":                     {model.KindDeployment, deployment(3, appsv1.DeploymentStatus{}), false},
		"one whose replicas are copied to two members":               {model.KindDeployment, deployment(3, appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 6, UpdatedReplicas: 6, ReadyReplicas: 6}), true},
		"one whose copy in a second member is not ready":             {model.KindDeployment, deployment(3, appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 6, UpdatedReplicas: 6, ReadyReplicas: 3, UnavailableReplicas: 3}), false},
		"one whose copy in a second member could not be made at all": {model.KindDeployment, deployment(3, appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 3, UpdatedReplicas: 3, ReadyReplicas: 3, UnavailableReplicas: 3}), false},
		"one with a replica that is not ready":                       {model.KindDeployment, deployment(3, with(func(s *appsv1.DeploymentStatus) { s.ReadyReplicas = 2 })), false},
		"one with too few replicas":                                  {model.KindDeployment, deployment(4, full), false},
		"one whose rollout hangs, its old pods ready":                {model.KindDeployment, deployment(3, with(func(s *appsv1.DeploymentStatus) { s.Replicas, s.UpdatedReplicas, s.UnavailableReplicas = 4, 1, 1 })), false},
		"one whose rollout is under way, all pods ready":             {model.KindDeployment, deployment(3, with(func(s *appsv1.DeploymentStatus) { s.UpdatedReplicas = 2 })), false},
		"one whose status is about its last generation":              {model.KindDeployment, deployment(3, with(func(s *appsv1.DeploymentStatus) { s.ObservedGeneration = 1 })), false},
		"one that is being deleted":                                  {model.KindDeployment, leaving, false},

		"a StatefulSet with all of its replicas, as members do not report its generation": {model.KindStatefulSet,
			statefulSet(2, appsv1.StatefulSetStatus{ObservedGeneration: 1, Replicas: 2, UpdatedReplicas: 2, ReadyReplicas: 2}), true},
		"one of which the second replica waits for the first": {model.KindStatefulSet,
			statefulSet(2, appsv1.StatefulSetStatus{Replicas: 1, UpdatedReplicas: 1}), false},
		"one that was scaled up": {model.KindStatefulSet,
			statefulSet(3, appsv1.StatefulSetStatus{Replicas: 2, UpdatedReplicas: 2, ReadyReplicas: 2}), false},
		"one with a replica of the last revision": {model.KindStatefulSet,
			statefulSet(2, appsv1.StatefulSetStatus{Replicas: 2, UpdatedReplicas: 1, ReadyReplicas: 2}), false},

		"a DaemonSet on all of its nodes": {model.KindDaemonSet,
			daemonSet(appsv1.DaemonSetStatus{ObservedGeneration: 2, DesiredNumberScheduled: 4, UpdatedNumberScheduled: 4, NumberReady: 4}), true},
		"one that is not ready on a node": {model.KindDaemonSet,
			daemonSet(appsv1.DaemonSetStatus{ObservedGeneration: 2, DesiredNumberScheduled: 4, UpdatedNumberScheduled: 4, NumberReady: 3}), false},
		"one that is not updated on a node": {model.KindDaemonSet,
			daemonSet(appsv1.DaemonSetStatus{ObservedGeneration: 2, DesiredNumberScheduled: 4, UpdatedNumberScheduled: 3, NumberReady: 4}), false},
		"one that runs nowhere": {model.KindDaemonSet, daemonSet(appsv1.DaemonSetStatus{ObservedGeneration: 2}), false},
		"one whose status is old": {model.KindDaemonSet,
			daemonSet(appsv1.DaemonSetStatus{ObservedGeneration: 1, DesiredNumberScheduled: 4, UpdatedNumberScheduled: 4, NumberReady: 4}), false},

		"a Job that is complete":  {model.KindJob, job(batchv1.JobCondition{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}), true},
		"a Job that runs":         {model.KindJob, job(), false},
		"a Job that failed":       {model.KindJob, job(batchv1.JobCondition{Type: batchv1.JobFailed, Status: corev1.ConditionTrue}), false},
		"a Job that was complete": {model.KindJob, job(batchv1.JobCondition{Type: batchv1.JobComplete, Status: corev1.ConditionFalse}), false},

		"a CronJob":                   {model.KindCronJob, &batchv1.CronJob{ObjectMeta: at(1)}, true},
		"a CronJob that is suspended": {model.KindCronJob, &batchv1.CronJob{ObjectMeta: at(1), Spec: batchv1.CronJobSpec{Suspend: ptr.To(true)}}, false},

		"one that cannot be read": {model.KindDeployment, map[string]any{"status": "fine"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			object, ok := tt.of.(map[string]any)
			u := &unstructured.Unstructured{Object: object}
			if !ok {
				u = untyped(t, tt.of)
			}
			if got := ready(tt.kind, u); got != tt.want {
				t.Errorf("ready: got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestOnlyADigestOfAnObjectIsKept(t *testing.T) {
	given := metav1.ObjectMeta{
		Namespace: "shop", Name: "web", UID: "u", ResourceVersion: "7", Generation: 1,
		Labels: map[string]string{"a": "b"}, Annotations: map[string]string{"c": "d"}, Finalizers: []string{"e"},
	}
	want := metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u", ResourceVersion: "7"}
	for _, k := range append(append([]kind{}, workloads...), policies...) {
		t.Run(k.name, func(t *testing.T) {
			var o connection.Object = untyped(t, &batchv1.CronJob{ObjectMeta: given})
			if k.watch.MetadataOnly {
				o = &metav1.PartialObjectMetadata{ObjectMeta: given}
			}
			kept, err := k.watch.Keep(o)
			if err != nil {
				t.Fatal(err)
			}
			d, ok := kept.(*digest)
			if !ok {
				t.Fatalf("kept as %T", kept)
			}
			if diff := cmp.Diff(want, d.ObjectMeta); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if d.ready != (k.name == "CronJob") {
				t.Errorf("ready: %v", d.ready)
			}
			if c, ok := d.DeepCopyObject().(*digest); !ok || c == d || c.ready != d.ready || c.Name != d.Name {
				t.Errorf("the copy is %+v", c)
			}
		})
	}
}

func TestOnlyAChangeOfANumberIsWorthALook(t *testing.T) {
	digests := func(ready bool, version string) connection.Object {
		return &digest{ready: ready, ObjectMeta: metav1.ObjectMeta{Name: "web", ResourceVersion: version}}
	}
	if readinessChanged(digests(true, "1"), digests(true, "2")) {
		t.Error("a workload that stays ready wakes")
	}
	if !readinessChanged(digests(true, "1"), digests(false, "2")) || !readinessChanged(digests(false, "1"), digests(true, "2")) {
		t.Error("a workload whose readiness changed does not wake")
	}
	for _, i := range interests() {
		if i.Matters == nil {
			t.Errorf("every update of %s wakes", i.Watch.Resource.Resource)
		}
	}
}

func TestWorkloadsAreCounted(t *testing.T) {
	objects := []connection.Object{&digest{ready: true}, &digest{}, &digest{ready: true}}
	if diff := cmp.Diff(v1alpha1.ReadyCount{Total: 3, Ready: 2}, tally(objects)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
