package propagation

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

func TestDecodeBinding(t *testing.T) {
	deployment := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	const dependsOn = `[{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"prices"},
		{"apiVersion":"v1","kind":"Secret","namespace":"shop","labelSelector":{"matchLabels":{"app":"cart"}}}]`
	cases := []struct {
		name string
		raw  string
		want *model.ResourceBinding
	}{
		{
			name: "everything that a binding can say is kept",
			raw: `{"apiVersion":"work.karmada.io/v1alpha2","kind":"ResourceBinding","metadata":{
				"namespace":"shop","name":"cart-deployment","generation":4,
				"labels":{"resourcebinding.karmada.io/permanent-id":"p1"},
				"annotations":{"resourcebinding.karmada.io/dependencies":` + strconv.Quote(dependsOn) + `},
				"creationTimestamp":"2025-06-01T12:00:00Z","deletionTimestamp":"2025-06-01T12:00:30Z"},
			"spec":{"resource":{"apiVersion":"apps/v1","kind":"Deployment","namespace":"shop","name":"cart","uid":"u1","resourceVersion":"7"},
				"schedulerName":"own","conflictResolution":"Overwrite","replicas":5,"components":[{"name":"a"}],
				"placement":{"replicaScheduling":{"replicaSchedulingType":"Divided"}},
				"clusters":[{"name":"tokyo","replicas":2},{"name":"hangzhou","replicas":3}],
				"requiredBy":[{"namespace":"shop","name":"web-deployment","clusters":[{"name":"singapore","replicas":1},{"name":"osaka"}]},{"name":"quota-x"}],
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
				Object: model.Object{
					Ref: BindingRef("asia", "shop", "cart-deployment"), CreatedAt: epoch, DeletedAt: at(30), Generation: 4,
					Labels: []model.KeyValue{{Key: bindingID, Value: "p1"}}, Annotations: []model.KeyValue{{Key: dependenciesOf, Value: dependsOn}},
				},
				PermanentID:                 "p1",
				SchedulerObservedGeneration: ptr(int64(3)), LastScheduledAt: at(5), SchedulerName: "own", ConflictResolution: model.ConflictOverwrite,
				Suspended: true, DispatchSuspendedOn: []string{"tokyo"}, Replicas: ptr(int32(5)), Components: true, Divided: true,
				Conditions: []model.Condition{
					{Type: "Another", Status: model.FactUnknown},
					{Type: "FullyApplied", Status: model.FactFalse, Reason: "FullyAppliedFailed"},
					{Type: "Scheduled", Status: model.FactTrue, Reason: "Success", Message: "ok", Since: at(2)},
				},
				Resource: model.BoundResource{GVK: deployment, Namespace: "shop", Name: "cart", UID: "u1", ResourceVersion: "7"},
				Clusters: []model.BindingCluster{chosen("hangzhou", 3), chosen("tokyo", 2)},
				RequiredBy: []model.DependentBinding{
					{Ref: BindingRef("asia", "shop", "web-deployment"), Clusters: []string{"osaka", "singapore"}, Replicas: []int32{0, 1}},
					{Ref: BindingRef("asia", "", "quota-x"), Clusters: []string{}, Replicas: []int32{}},
				},
				Evictions: []model.Eviction{{InstanceName: "asia", ClusterName: "osaka", Replicas: ptr(int32(1)),
					Reason: "TaintUntolerated", Message: "m", Producer: "TaintManager", Since: at(10)}},
				Members: []model.BindingMember{
					{InstanceName: "asia", ClusterName: "hangzhou", Applied: true, Health: model.Healthy, Status: []byte(`{"replicas":3}`)},
					{InstanceName: "asia", ClusterName: "tokyo", Message: "refused", Health: model.HealthUnknown},
				},
				DependsOn: []model.Dependency{
					{Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "shop", Name: "prices"}},
					{Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Namespace: "shop"}, LabelSelector: "app=cart"},
				},
			},
		},
		{
			name: "a binding without a namespace is a ClusterResourceBinding, also where a list left its kind out",
			raw: `{"metadata":{"name":"viewer-clusterrole","creationTimestamp":"2025-06-01T12:00:00Z"},"spec":{
				"resource":{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","name":"viewer","uid":"u2"},
				"suspension":{"dispatching":true}}}`,
			want: &model.ResourceBinding{
				Object: model.Object{Ref: BindingRef("asia", "", "viewer-clusterrole"), CreatedAt: epoch,
					Labels: []model.KeyValue{}, Annotations: []model.KeyValue{}},
				Conditions: []model.Condition{}, DispatchSuspended: true, ConflictResolution: model.ConflictAbort,
				Clusters: []model.BindingCluster{}, RequiredBy: []model.DependentBinding{}, Evictions: []model.Eviction{}, Members: []model.BindingMember{},
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
			c.want.Raw = []byte(c.raw)
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

// Bindings are decoded into room that the one before left: nothing of it is in the next one, and nothing of it changes.
func TestABindingHasNothingOfTheOneBefore(t *testing.T) {
	const long = `{"metadata":{"name":"a"},"spec":{"resource":{"apiVersion":"apps/v1","kind":"Deployment","name":"a"},"replicas":3,"clusters":[{"name":"x","replicas":1},{"name":"y","replicas":2}]},
		"status":{"aggregatedStatus":[{"clusterName":"x","applied":true,"appliedMessage":"m","health":"Healthy","status":{"replicas":1}},{"clusterName":"y","applied":true}]}}`
	const short = `{"metadata":{"name":"b"},"spec":{"resource":{"apiVersion":"v1","kind":"ConfigMap","name":"b"},"clusters":[{"name":"z"}]},"status":{"aggregatedStatus":[{"clusterName":"z"}]}}`
	decode := func(raw string) *model.ResourceBinding {
		b, err := DecodeBinding("asia", []byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for range 20 {
		before := decode(long)
		if _, err := DecodeBinding("asia", []byte(`{"metadata":{"name":"c"},"spec":{"clusters":[{"name":"x","replicas":1},{"name":7}]}}`)); err == nil {
			t.Fatal("a cluster without a name was taken")
		}
		b := decode(short)
		want := []model.BindingMember{{InstanceName: "asia", ClusterName: "z", Health: model.HealthUnknown}}
		if diff := cmp.Diff(want, b.Members); diff != "" || len(b.Clusters) != 1 || b.Clusters[0].Replicas != nil {
			t.Fatalf("clusters %+v, members (-want +got):\n%s", b.Clusters, diff)
		}
		if diff := cmp.Diff(decode(long), before); diff != "" {
			t.Fatalf("the one before changed:\n%s", diff)
		}
	}
}
