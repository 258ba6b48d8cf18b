package objects

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

func TestDecodeGivesTheTypeOfTheKind(t *testing.T) {
	cases := []struct {
		gvk  schema.GroupVersionKind
		want model.KubernetesObject
	}{
		{core("Pod"), &model.Pod{}},
		{core("Node"), &model.ClusterNode{}},
		{core("Event"), &model.KubernetesEvent{}},
		{schema.GroupVersionKind{Group: "events.k8s.io", Version: "v1", Kind: "Event"}, &model.KubernetesEvent{}},
		{core("Service"), &model.Service{}},
		{core("Namespace"), &model.Namespace{}},
		{schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ControllerRevision"}, &model.Revision{}},
		{FederatedHPA, &model.Autoscaler{}},
		{CronFederatedHPA, &model.Autoscaler{}},
		{HorizontalPodAutoscaler, &model.Autoscaler{}},
		{schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "HorizontalPodAutoscaler"}, &model.KubernetesResource{}},
		{core("ConfigMap"), &model.KubernetesResource{}},
		{schema.GroupVersionKind{Group: "serving.knative.dev", Version: "v1", Kind: "Service"}, &model.KubernetesResource{}},
	}
	for _, c := range cases {
		t.Run(c.gvk.String(), func(t *testing.T) {
			got, err := Decode("asia", "tokyo", c.gvk, []byte(`{"metadata":{"namespace":"shop","name":"x"}}`))
			if err != nil {
				t.Fatal(err)
			}
			if g, w := fmt.Sprintf("%T", got), fmt.Sprintf("%T", c.want); g != w {
				t.Errorf("decoded into %s, want %s", g, w)
			}
			want := model.Ref{Instance: "asia", Cluster: "tokyo", GVK: c.gvk, Namespace: "shop", Name: "x"}
			if diff := cmp.Diff(want, got.ObjectRef()); diff != "" {
				t.Errorf("ref (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	cases := []struct{ name, raw string }{
		{"what is not JSON", `pods`},
		{"an object without a name", `{"metadata":{"namespace":"shop"}}`},
		{"a list", `[]`},
		{"a field of another form", `{"metadata":{"name":"p"},"status":{"phase":7}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Decode("asia", "tokyo", core("Pod"), []byte(c.raw))
			if err == nil || got != nil {
				t.Fatalf("got %v and error %v, want nothing and an error", got, err)
			}
			for _, part := range []string{"Pod", `"tokyo"`, `"asia"`} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not tell %s", err, part)
				}
			}
		})
	}
}

// FuzzDecode lets no JSON, however odd, make any decoder panic or return neither an object nor an error.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `[]`, `{"metadata":null}`, `{"metadata":{"name":"x"},"spec":null,"status":null}`,
		`{"metadata":{"name":"x","annotations":{"a":"b"},"ownerReferences":[{}]},"spec":{"initContainers":[{}],"containers":[{"name":"a"}],"ports":[{"targetPort":{}}],
			"metrics":[{"type":"Resource"},{"type":"Object","object":{"target":{"value":"1e9"}}}],"rules":[{"name":""}],"scaleTargetRef":{}},
			"status":{"containerStatuses":[{"state":{"terminated":{}}}],"initContainerStatuses":[{"state":{"waiting":{}}}],"conditions":[{}],"currentMetrics":[{"type":"Object"}],
			"executionHistories":[{"failedExecutions":[{}]}],"capacity":{"cpu":"-1","pods":"1e30"}},"series":{},"data":{"spec":{"template":[]}}}`,
		`{"metadata":{"name":"x"},"status":{"allocatable":{"cpu":1e5,"memory":"1E1E1"}}}`,
	} {
		f.Add([]byte(seed))
	}
	kinds := slices.SortedFunc(maps.Keys(Typed), func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, kind := range kinds {
			for _, version := range []string{"v1", "v2", "v1alpha1"} {
				o, err := Decode("asia", "tokyo", kind.WithVersion(version), slices.Clone(raw))
				if (o == nil) == (err == nil) {
					t.Fatalf("%s: got %v and error %v, want one of them", kind, o, err)
				}
				if err == nil && o.ObjectRef().Name == "" && kind.Group != "autoscaling" {
					t.Fatalf("%s: an object without a name", kind)
				}
			}
		}
	})
}
