package propagation

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

func TestDecodeWorkload(t *testing.T) {
	meta := func(kind model.WorkloadKind, raw string) model.WorkloadMeta {
		return model.WorkloadMeta{
			Object: model.Object{
				Ref: model.Ref{Instance: "asia", GVK: kind.GVK(), Namespace: "shop", Name: "cart"},
				UID: "u1", ResourceVersion: "7", Generation: 3, CreatedAt: epoch,
				Labels: []model.KeyValue{}, Annotations: []model.KeyValue{}, Raw: []byte(raw),
			},
			WorkloadKind: kind, Images: []string{},
		}
	}
	const head = `{"metadata":{"namespace":"shop","name":"cart","uid":"u1","resourceVersion":"7","generation":3,"creationTimestamp":"2025-06-01T12:00:00Z"`
	cases := []struct {
		name string
		kind model.WorkloadKind
		raw  string
		want func(model.WorkloadMeta) model.Workload
	}{
		{
			name: "a Deployment keeps replicas, pause and each image once, in order, without init containers",
			kind: model.KindDeployment,
			raw: head + `},"spec":{"replicas":4,"paused":true,"template":{"spec":{
				"initContainers":[{"image":"init:1"}],
				"containers":[{"image":"b:1"},{"image":"a:1"},{"image":"b:1"}]}}}}`,
			want: func(m model.WorkloadMeta) model.Workload {
				m.Replicas, m.Halted, m.Images = ptr(int32(4)), true, []string{"b:1", "a:1"}
				return &model.Deployment{WorkloadMeta: m}
			},
		},
		{
			name: "a Deployment that does not say its replicas has one",
			kind: model.KindDeployment,
			raw:  head + `},"spec":{}}`,
			want: func(m model.WorkloadMeta) model.Workload {
				m.Replicas = ptr(int32(1))
				return &model.Deployment{WorkloadMeta: m}
			},
		},
		{
			name: "a Deployment with zero replicas has zero",
			kind: model.KindDeployment,
			raw:  head + `},"spec":{"replicas":0}}`,
			want: func(m model.WorkloadMeta) model.Workload {
				m.Replicas = ptr(int32(0))
				return &model.Deployment{WorkloadMeta: m}
			},
		},
		{
			name: "labels and annotations are sorted, and last-applied is dropped",
			kind: model.KindDaemonSet,
			raw: head + `,"labels":{"b":"2","a":"1"},"annotations":{
				"z":"26","kubectl.kubernetes.io/last-applied-configuration":"{}","c":"3"}}}`,
			want: func(m model.WorkloadMeta) model.Workload {
				m.Labels = []model.KeyValue{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}
				m.Annotations = []model.KeyValue{{Key: "c", Value: "3"}, {Key: "z", Value: "26"}}
				return &model.DaemonSet{WorkloadMeta: m}
			},
		},
		{
			name: "the last write is the latest that is not of the status",
			kind: model.KindDaemonSet,
			raw: head + `,"deletionTimestamp":"2025-06-01T12:00:09Z","managedFields":[
				{"manager":"a","time":"2025-06-01T12:00:05Z","fieldsV1":{"f:spec":{}}},
				{"manager":"b","time":"2025-06-01T12:00:02Z"},
				{"manager":"c","time":"2025-06-01T12:00:08Z","subresource":"status"},
				{"manager":"d"}]}}`,
			want: func(m model.WorkloadMeta) model.Workload {
				m.ChangedAt, m.DeletedAt = at(5), at(9)
				return &model.DaemonSet{WorkloadMeta: m}
			},
		},
		{
			name: "a StatefulSet keeps its service",
			kind: model.KindStatefulSet,
			raw:  head + `},"spec":{"replicas":2,"serviceName":"peers"}}`,
			want: func(m model.WorkloadMeta) model.Workload {
				m.Replicas = ptr(int32(2))
				return &model.StatefulSet{WorkloadMeta: m, ServiceName: "peers"}
			},
		},
		{
			name: "a Job has no replicas but completions and parallelism",
			kind: model.KindJob,
			raw:  head + `},"spec":{"completions":6,"parallelism":2,"suspend":true,"template":{"spec":{"containers":[{"image":"j"}]}}}}`,
			want: func(m model.WorkloadMeta) model.Workload {
				m.Halted, m.Images = true, []string{"j"}
				return &model.Job{WorkloadMeta: m, Completions: ptr(int32(6)), Parallelism: ptr(int32(2))}
			},
		},
		{
			name: "a CronJob has the images of its Jobs",
			kind: model.KindCronJob,
			raw: head + `},"spec":{"schedule":"0 3 * * *","timeZone":"Asia/Tokyo","jobTemplate":{"spec":{"template":{"spec":{
				"containers":[{"image":"backup:2"}]}}}}}}`,
			want: func(m model.WorkloadMeta) model.Workload {
				m.Images = []string{"backup:2"}
				return &model.CronJob{WorkloadMeta: m, Schedule: "0 3 * * *", TimeZone: ptr("Asia/Tokyo")}
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := DecodeWorkload("asia", c.kind, []byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want(meta(c.kind, c.raw)), got); diff != "" {
				t.Errorf("workload (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeWorkloadRefuses(t *testing.T) {
	cases := []struct {
		name string
		kind model.WorkloadKind
		raw  string
		want string
	}{
		{"what is not JSON", model.KindJob, `{`, `decode JOB of instance "asia": jsontext: unexpected EOF after offset 1`},
		{"an object without a name", model.KindJob, `{"metadata":{}}`, `decode JOB of instance "asia": metadata.name is empty`},
		{"a kind that is no workload", "SERVICE", `{"metadata":{"name":"x"}}`, `decode workload of instance "asia": "SERVICE" is not a kind of workload`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w, err := DecodeWorkload("asia", c.kind, []byte(c.raw))
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, error %v; want error %q", w, err, c.want)
			}
		})
	}
}

func TestBindingName(t *testing.T) {
	cases := []struct{ name, kind, object, want string }{
		{"the name goes before the kind, in lower case", "Deployment", "cart", "cart-deployment"},
		{"colons, which a binding's name cannot have, become dots", "ClusterRole", "system:Node", "system.node-clusterrole"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := BindingName(c.kind, c.object); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
