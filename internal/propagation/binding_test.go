package propagation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

func TestDecodeBinding(t *testing.T) {
	deployment := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	cases := []struct {
		name string
		raw  string
		want *model.ResourceBinding
	}{
		{
			name: "everything that a binding can say is kept",
			raw: `{"apiVersion":"work.karmada.io/v1alpha2","kind":"ResourceBinding","metadata":{
				"namespace":"shop","name":"cart-deployment","generation":4,
				"creationTimestamp":"2025-06-01T12:00:00Z","deletionTimestamp":"2025-06-01T12:00:30Z"},
			"spec":{"resource":{"apiVersion":"apps/v1","kind":"Deployment","namespace":"shop","name":"cart","uid":"u1","resourceVersion":"7"},
				"replicas":5,"components":[{"name":"a"}],
				"placement":{"replicaScheduling":{"replicaSchedulingType":"Divided"}},
				"clusters":[{"name":"hangzhou","replicas":3},{"name":"tokyo","replicas":2}],
				"requiredBy":[{"namespace":"shop","name":"web-deployment","clusters":[{"name":"singapore","replicas":1}]},{"name":"quota-x"}],
				"gracefulEvictionTasks":[{"fromCluster":"osaka","replicas":1,"reason":"TaintUntolerated","message":"m",
					"producer":"TaintManager","creationTimestamp":"2025-06-01T12:00:10Z"}],
				"suspension":{"scheduling":true,"dispatchingOnClusters":{"clusterNames":["tokyo"]}}},
			"status":{"schedulerObservedGeneration":3,"lastScheduledTime":"2025-06-01T12:00:05Z",
				"conditions":[
					{"type":"Scheduled","status":"True","reason":"Success","message":"ok","lastTransitionTime":"2025-06-01T12:00:02Z"},
					{"type":"FullyApplied","status":"False","reason":"FullyAppliedFailed"},
					{"type":"Another","status":"Maybe"}],
				"aggregatedStatus":[
					{"clusterName":"hangzhou","applied":true,"health":"Healthy","status":{"replicas":3}},
					{"clusterName":"tokyo","appliedMessage":"refused","status":null}]}}`,
			want: &model.ResourceBinding{
				Kind: "ResourceBinding", Namespace: ptr("shop"), Name: "cart-deployment", CreatedAt: epoch, DeletedAt: at(30),
				Generation: 4, SchedulerObservedGeneration: ptr(int64(3)), LastScheduledAt: at(5), InstanceName: "asia",
				Suspended: true, DispatchSuspendedOn: []string{"tokyo"}, Replicas: 5, Components: true, Divided: true,
				Conditions: []model.Condition{
					{Type: "Another", Status: model.FactUnknown},
					{Type: "FullyApplied", Status: model.FactFalse, Reason: "FullyAppliedFailed"},
					{Type: "Scheduled", Status: model.FactTrue, Reason: "Success", Message: "ok", Since: at(2)},
				},
				Resource: model.BoundResource{GVK: deployment, Namespace: "shop", Name: "cart", UID: "u1", ResourceVersion: "7"},
				Clusters: []model.TargetCluster{{Name: "hangzhou", Replicas: 3}, {Name: "tokyo", Replicas: 2}},
				RequiredBy: []model.BindingSnapshot{
					{Namespace: "shop", Name: "web-deployment", Clusters: []model.TargetCluster{{Name: "singapore", Replicas: 1}}},
					{Name: "quota-x"},
				},
				Evicting: []model.EvictionTask{{Cluster: "osaka", Replicas: ptr(int32(1)), Reason: "TaintUntolerated", Message: "m", CreatedAt: at(10)}},
				Aggregated: []model.AggregatedItem{
					{ClusterName: "hangzhou", Applied: true, Health: model.Healthy, Status: []byte(`{"replicas":3}`)},
					{ClusterName: "tokyo", AppliedMessage: "refused", Health: model.HealthUnknown},
				},
			},
		},
		{
			name: "a binding without a namespace is a ClusterResourceBinding, also where a list left its kind out",
			raw: `{"metadata":{"name":"viewer-clusterrole","creationTimestamp":"2025-06-01T12:00:00Z"},"spec":{
				"resource":{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","name":"viewer","uid":"u2"},
				"suspension":{"dispatching":true}}}`,
			want: &model.ResourceBinding{
				Kind: "ClusterResourceBinding", Name: "viewer-clusterrole", CreatedAt: epoch, InstanceName: "asia",
				Conditions: []model.Condition{}, DispatchSuspended: true,
				Resource: model.BoundResource{Name: "viewer", UID: "u2",
					GVK: schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}},
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := DecodeBinding("asia", []byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("binding (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeBindingRefuses(t *testing.T) {
	cases := []struct{ name, raw, want string }{
		{"what is not JSON", `[`, `decode binding of instance "asia": `},
		{"an object without a name", `{}`, `decode binding of instance "asia": metadata.name is empty`},
		{"a resource of no API version", `{"metadata":{"name":"b"},"spec":{"resource":{"apiVersion":"a/b/c"}}}`,
			`decode binding "b" of instance "asia": spec.resource.apiVersion: `},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := DecodeBinding("asia", []byte(c.raw))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got error %v, want %q", err, c.want)
			}
		})
	}
}
