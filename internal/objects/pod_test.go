package objects

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

var epoch = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)

func at(seconds int) *time.Time {
	t := epoch.Add(time.Duration(seconds) * time.Second)
	return &t
}

func ptr[T any](v T) *T { return &v }

// in is a reference to an object of a member, as the decoders are to make it.
func in(kind, namespace, name string) model.Ref {
	return model.Ref{Instance: "asia", Cluster: "tokyo", GVK: core(kind), Namespace: namespace, Name: name}
}

func TestDecodePod(t *testing.T) {
	const raw = `{
		"metadata":{"namespace":"payments","name":"fraud-check-1","uid":"u1","resourceVersion":"9","creationTimestamp":"2025-06-01T12:00:00Z",
			"labels":{"app":"fraud-check"},
			"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"fraud-check","uid":"u0","controller":true}]},
		"spec":{"nodeName":"tokyo-1",
			"ephemeralContainers":[{"name":"debug","image":"busybox:1"}],
			"containers":[{"name":"web","image":"web:1","resources":{"requests":{"cpu":"250m","memory":"512Mi"},"limits":{"memory":"1Gi"}}},{"name":"late","image":"late:1"}],
			"initContainers":[{"name":"migrate","image":"m:1"},{"name":"proxy","image":"p:1","restartPolicy":"Always"}]},
		"status":{"phase":"Running","podIP":"10.1.0.7","hostIP":"10.0.0.1","qosClass":"Burstable","startTime":"2025-06-01T12:00:01Z",
			"conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady","message":"containers with unready status: [web]","lastTransitionTime":"2025-06-01T12:00:05Z"},
				{"type":"Initialized","status":"True"}],
			"initContainerStatuses":[
				{"name":"migrate","ready":true,"state":{"terminated":{"exitCode":0,"reason":"Completed","startedAt":"2025-06-01T12:00:01Z","finishedAt":"2025-06-01T12:00:02Z"}}},
				{"name":"proxy","ready":true,"started":true,"state":{"running":{"startedAt":"2025-06-01T12:00:03Z"}}}],
			"containerStatuses":[{"name":"web","restartCount":4,
				"state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off 1m20s"}},
				"lastState":{"terminated":{"exitCode":137,"signal":9,"reason":"OOMKilled","message":"out of memory","startedAt":"2025-06-01T12:00:06Z","finishedAt":"2025-06-01T12:00:09Z"}}}]}}`
	got, err := DecodePod("asia", "tokyo", []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := &model.Pod{
		Object: model.Object{
			Ref: in("Pod", "payments", "fraud-check-1"), UID: "u1", ResourceVersion: "9", CreatedAt: epoch,
			Labels: []model.KeyValue{{Key: "app", Value: "fraud-check"}}, Annotations: []model.KeyValue{}, Raw: []byte(raw),
			Owners: []model.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "fraud-check", UID: "u0", Controller: true}},
		},
		Phase: model.PodRunning, ReadyContainers: 1, ContainerCount: 3, Reason: "CrashLoopBackOff", Message: "back-off 1m20s",
		Restarts: 4, LastRestartAt: at(9), NodeName: ptr("tokyo-1"), PodIP: ptr("10.1.0.7"), HostIP: ptr("10.0.0.1"),
		QOSClass: ptr(model.QOSBurstable), StartedAt: at(1),
		Containers: []model.PodContainer{
			{Name: "migrate", Image: "m:1", Role: model.ContainerInit, State: model.ContainerTerminated, Reason: "Completed",
				ExitCode: ptr(int32(0)), Ready: true, StartedAt: at(1), FinishedAt: at(2)},
			{Name: "proxy", Image: "p:1", Role: model.ContainerSidecar, State: model.ContainerRunning, Ready: true, StartedAt: at(3)},
			{Name: "web", Image: "web:1", Role: model.ContainerMain, State: model.ContainerWaiting, Reason: "CrashLoopBackOff",
				Message: "back-off 1m20s", Restarts: 4,
				LastTermination: &model.ContainerTermination{Reason: "OOMKilled", Message: "out of memory", ExitCode: 137,
					Signal: ptr(int32(9)), StartedAt: at(6), FinishedAt: at(9)},
				Requests: model.ContainerResources{CPU: &model.CPUAmount{Cores: 0.25, Quantity: "250m"},
					Memory: &model.MemoryAmount{Bytes: 512 << 20, Quantity: "512Mi"}},
				Limits: model.ContainerResources{Memory: &model.MemoryAmount{Bytes: 1 << 30, Quantity: "1Gi"}}},
			{Name: "late", Image: "late:1", Role: model.ContainerMain, State: model.ContainerStateUnknown},
			{Name: "debug", Image: "busybox:1", Role: model.ContainerEphemeral, State: model.ContainerStateUnknown},
		},
		Conditions: []model.Condition{
			{Type: "Initialized", Status: model.FactTrue},
			{Type: "Ready", Status: model.FactFalse, Reason: "ContainersNotReady", Message: "containers with unready status: [web]", Since: at(5)},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pod (-want +got):\n%s", diff)
	}
}

func TestPodThatSaysNothing(t *testing.T) {
	p, err := DecodePod("asia", "tokyo", []byte(`{"metadata":{"namespace":"shop","name":"p"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Phase != model.PodPhaseUnknown || p.Ready || p.Reason != "Unknown" || p.QOSClass != nil || p.NodeName != nil {
		t.Errorf("got phase %s, ready %t, reason %q, class %v, node %v: want UNKNOWN, false, Unknown and nils",
			p.Phase, p.Ready, p.Reason, p.QOSClass, p.NodeName)
	}
}

func TestPodMessage(t *testing.T) {
	const (
		unscheduled = `{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/2 nodes are available"}`
		notReady    = `{"type":"Ready","status":"False","message":"containers with unready status: [a]"}`
		ready       = `{"type":"Ready","status":"True"}`
		pull        = `{"name":"a","state":{"waiting":{"reason":"ImagePullBackOff","message":"no such image"}}}`
	)
	cases := []struct{ name, status, want string }{
		{"the kubelet's word on the whole pod goes first",
			`"phase":"Failed","reason":"Evicted","message":"low on memory","containerStatuses":[` + pull + `]`, "low on memory"},
		{"a pod without a node tells what the scheduler says", `"phase":"Pending","conditions":[` + unscheduled + `]`, "0/2 nodes are available"},
		{"a container in trouble tells what is wrong with it",
			`"phase":"Pending","conditions":[` + notReady + `],"containerStatuses":[` + pull + `]`, "no such image"},
		{"an init container goes before the main ones",
			`"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":1,"message":"cannot migrate"}}}],"containerStatuses":[` + pull + `]`,
			"cannot migrate"},
		{"the last words of a container that ended well are no trouble",
			`"phase":"Running","conditions":[` + notReady + `],"containerStatuses":[{"name":"a","state":{"terminated":{"exitCode":0,"message":"bye"}}}]`,
			"containers with unready status: [a]"},
		{"a pod that is ready has no message", `"phase":"Running","message":"old","conditions":[` + ready + `]`, ""},
		{"a pod that succeeded has no message", `"phase":"Succeeded","conditions":[` + notReady + `]`, ""},
		{"nobody said anything", `"phase":"Pending"`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := DecodePod("asia", "tokyo", []byte(`{"metadata":{"name":"p"},"status":{`+c.status+`}}`))
			if err != nil {
				t.Fatal(err)
			}
			if p.Message != c.want {
				t.Errorf("message %q, want %q", p.Message, c.want)
			}
		})
	}
}
