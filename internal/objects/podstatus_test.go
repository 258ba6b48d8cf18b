package objects

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The expected words and numbers are what kubectl v1.35 prints for these pods.
func TestPodReasonFollowsKubectl(t *testing.T) {
	const (
		running  = `"state":{"running":{"startedAt":"2025-06-01T12:00:00Z"}}`
		waiting  = `"state":{"waiting":{"reason":"PodInitializing"}}`
		ended    = `"state":{"terminated":{"exitCode":0,"reason":"Completed"}}`
		failed   = `"state":{"terminated":{"exitCode":1,"reason":"Error"}}`
		restart  = `"lastState":{"terminated":{"exitCode":1,"finishedAt":"2025-06-01T12:00:%02dZ"}}`
		deleting = `"deletionTimestamp":"2025-06-01T12:00:09Z"`
	)
	after := func(second int) string { return fmt.Sprintf(restart, second) }
	one := `"containers":[{"name":"a"}]`
	two := `"containers":[{"name":"a"},{"name":"b"}]`
	cases := []struct {
		name     string
		metadata string
		spec     string
		status   string
		want     string // READY STATUS RESTARTS [last restart]
	}{
		{name: "a pod that runs", spec: one,
			status: `"phase":"Running","containerStatuses":[{"name":"a","ready":true,` + running + `}]`,
			want:   "1/1 Running 0"},
		{name: "a pod that runs but is not ready is Running all the same", spec: one,
			status: `"phase":"Running","containerStatuses":[{"name":"a",` + running + `}]`,
			want:   "0/1 Running 0"},
		{name: "a pod without a node is Pending", spec: one, status: `"phase":"Pending"`, want: "0/1 Pending 0"},
		{name: "a pod whose scheduling is held back says so", spec: one,
			status: `"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"SchedulingGated"}]`,
			want:   "0/1 SchedulingGated 0"},
		{name: "an image that cannot be pulled", spec: one,
			status: `"phase":"Pending","containerStatuses":[{"name":"a","state":{"waiting":{"reason":"ImagePullBackOff"}}}]`,
			want:   "0/1 ImagePullBackOff 0"},
		{name: "a container that crashes", spec: one,
			status: `"phase":"Running","containerStatuses":[{"name":"a","restartCount":18,"state":{"waiting":{"reason":"CrashLoopBackOff"}},` + after(7) + `}]`,
			want:   "0/1 CrashLoopBackOff 18 12:00:07"},
		{name: "of two containers in trouble the first is told", spec: two,
			status: `"phase":"Pending","containerStatuses":[{"name":"a","state":{"waiting":{"reason":"ErrImagePull"}}},{"name":"b","state":{"waiting":{"reason":"CreateContainerConfigError"}}}]`,
			want:   "0/2 ErrImagePull 0"},
		{name: "of restarts the last one is told", spec: two,
			status: `"phase":"Running","containerStatuses":[{"name":"a","restartCount":2,"ready":true,` + running + `,` + after(5) + `},{"name":"b","restartCount":1,"ready":true,` + running + `,` + after(9) + `}]`,
			want:   "2/2 Running 3 12:00:09"},
		{name: "a pod whose containers all ended well is Completed", spec: one,
			status: `"phase":"Succeeded","containerStatuses":[{"name":"a",` + ended + `}]`,
			want:   "0/1 Completed 0"},
		{name: "a pod of which one container failed is in Error", spec: two,
			status: `"phase":"Failed","containerStatuses":[{"name":"a",` + ended + `},{"name":"b",` + failed + `}]`,
			want:   "0/2 Error 0"},
		{name: "a container killed by a signal without a reason", spec: one,
			status: `"phase":"Failed","containerStatuses":[{"name":"a","state":{"terminated":{"exitCode":137,"signal":9}}}]`,
			want:   "0/1 Signal:9 0"},
		{name: "a container that ended without a reason", spec: one,
			status: `"phase":"Failed","containerStatuses":[{"name":"a","state":{"terminated":{"exitCode":3}}}]`,
			want:   "0/1 ExitCode:3 0"},
		{name: "one container ended and the others ready is Running", spec: two,
			status: `"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"a",` + ended + `},{"name":"b","ready":true,` + running + `}]`,
			want:   "1/2 Running 0"},
		{name: "one container ended and the pod not ready is NotReady", spec: two,
			status: `"phase":"Running","conditions":[{"type":"Ready","status":"False"}],"containerStatuses":[{"name":"a",` + ended + `},{"name":"b","ready":true,` + running + `}]`,
			want:   "1/2 NotReady 0"},
		{name: "a pod that was evicted", spec: one, status: `"phase":"Failed","reason":"Evicted"`, want: "0/1 Evicted 0"},
		{name: "a pod that is being deleted", metadata: deleting, spec: one,
			status: `"phase":"Running","containerStatuses":[{"name":"a","ready":true,` + running + `}]`,
			want:   "1/1 Terminating 0"},
		{name: "a pod that is over stays what it is while it is deleted", metadata: deleting, spec: one,
			status: `"phase":"Succeeded","containerStatuses":[{"name":"a",` + ended + `}]`,
			want:   "0/1 Completed 0"},
		{name: "a pod on a lost node that is being deleted is Unknown", metadata: deleting, spec: one,
			status: `"phase":"Running","reason":"NodeLost"`, want: "0/1 Unknown 0"},
		{name: "a pod on a lost node", spec: one, status: `"phase":"Running","reason":"NodeLost"`, want: "0/1 NodeLost 0"},
		{name: "a pod that says nothing is Unknown", spec: one, want: "0/1 Unknown 0"},

		{name: "an init container at work", spec: `"initContainers":[{"name":"i"},{"name":"j"}],` + one,
			status: `"phase":"Pending","initContainerStatuses":[{"name":"i",` + ended + `},{"name":"j",` + running + `}],"containerStatuses":[{"name":"a",` + waiting + `}]`,
			want:   "0/1 Init:1/2 0"},
		{name: "an init container that waits to be made", spec: `"initContainers":[{"name":"i"}],` + one,
			status: `"phase":"Pending","initContainerStatuses":[{"name":"i",` + waiting + `}],"containerStatuses":[{"name":"a",` + waiting + `}]`,
			want:   "0/1 Init:0/1 0"},
		{name: "an init container that crashes, with its restarts", spec: `"initContainers":[{"name":"i"}],` + one,
			status: `"phase":"Pending","initContainerStatuses":[{"name":"i","restartCount":3,"state":{"waiting":{"reason":"CrashLoopBackOff"}},` + after(4) + `}],"containerStatuses":[{"name":"a",` + waiting + `}]`,
			want:   "0/1 Init:CrashLoopBackOff 3 12:00:04"},
		{name: "an init container that failed", spec: `"initContainers":[{"name":"i"}],` + one,
			status: `"phase":"Pending","initContainerStatuses":[{"name":"i",` + failed + `}]`,
			want:   "0/1 Init:Error 0"},
		{name: "an init container that ended without a reason", spec: `"initContainers":[{"name":"i"}],` + one,
			status: `"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":3}}}]`,
			want:   "0/1 Init:ExitCode:3 0"},
		{name: "an init container killed by a signal", spec: `"initContainers":[{"name":"i"}],` + one,
			status: `"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":137,"signal":9}}}]`,
			want:   "0/1 Init:Signal:9 0"},
		{name: "restarts of init containers that are done are forgotten", spec: `"initContainers":[{"name":"i"}],` + one,
			status: `"phase":"Running","initContainerStatuses":[{"name":"i","restartCount":3,` + ended + `,` + after(4) + `}],"containerStatuses":[{"name":"a","ready":true,"restartCount":1,` + running + `}]`,
			want:   "1/1 Running 1"},
		{name: "main containers are told of once the pod was initialised, whatever an init container does again",
			spec:   `"initContainers":[{"name":"i"}],` + one,
			status: `"phase":"Running","conditions":[{"type":"Initialized","status":"True"}],"initContainerStatuses":[{"name":"i","restartCount":3,` + running + `}],"containerStatuses":[{"name":"a","ready":true,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]`,
			want:   "0/1 CrashLoopBackOff 0"},

		{name: "a sidecar counts as a container", spec: `"initContainers":[{"name":"s","restartPolicy":"Always"}],` + one,
			status: `"phase":"Running","initContainerStatuses":[{"name":"s","ready":true,"started":true,` + running + `}],"containerStatuses":[{"name":"a","ready":true,` + running + `}]`,
			want:   "2/2 Running 0"},
		{name: "a sidecar that is not ready", spec: `"initContainers":[{"name":"s","restartPolicy":"Always"}],` + one,
			status: `"phase":"Running","initContainerStatuses":[{"name":"s","started":true,` + running + `}],"containerStatuses":[{"name":"a","ready":true,` + running + `}]`,
			want:   "1/2 Running 0"},
		{name: "a sidecar that has not started holds the pod back", spec: `"initContainers":[{"name":"s","restartPolicy":"Always"}],` + one,
			status: `"phase":"Pending","initContainerStatuses":[{"name":"s","started":false,` + running + `}],"containerStatuses":[{"name":"a",` + waiting + `}]`,
			want:   "0/2 Init:0/1 0"},
		{name: "restarts of sidecars count on", spec: `"initContainers":[{"name":"s","restartPolicy":"Always"}],` + one,
			status: `"phase":"Running","initContainerStatuses":[{"name":"s","ready":true,"started":true,"restartCount":2,` + running + `,` + after(8) + `}],"containerStatuses":[{"name":"a","ready":true,"restartCount":1,` + running + `,` + after(3) + `}]`,
			want:   "2/2 Running 3 12:00:08"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sep := ""
			if c.metadata != "" {
				sep = ","
			}
			p, err := DecodePod("asia", "tokyo", []byte(`{"metadata":{"name":"p","namespace":"shop"`+sep+c.metadata+`},"spec":{`+c.spec+`},"status":{`+c.status+`}}`))
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%d/%d %s %d", p.ReadyContainers, p.ContainerCount, p.Reason, p.Restarts)
			if p.LastRestartAt != nil {
				got += p.LastRestartAt.Format(" " + time.TimeOnly)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("READY STATUS RESTARTS (-want +got):\n%s", diff)
			}
		})
	}
}
