package schedule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
)

func inRegions(n int) []*clusterv1alpha1.Cluster {
	out := make([]*clusterv1alpha1.Cluster, n)
	for i := range out {
		out[i] = member(fmt.Sprint("r", i), fmt.Sprint("region", i), 9)
	}
	return out
}

// overRegions is a placement that up to so many regions fit only all together, so that all combinations are tried.
func overRegions(most, groups int) string {
	text := fmt.Sprintf("spreadConstraints: [{spreadByField: region, minGroups: 1, maxGroups: %d}, {spreadByField: cluster, minGroups: %d, maxGroups: 100}]", most, most)
	if groups > 0 {
		text += ", clusterAffinities: [" + strings.Repeat("{affinityName: a},", groups) + "]"
	}
	return text
}

func TestNotMoreCombinationsAreTriedThanThereMayBe(t *testing.T) {
	for _, tc := range []struct {
		regions, most, groups int
		computed              bool
	}{
		{14, 14, 0, true}, {14, 14, 1, true}, {15, 15, 0, false}, {14, 14, 2, false},
		{20, 4, 0, true}, {20, 5, 0, false}, {20, 4, 2, true}, {20, 4, 3, false}, {100, 2, 0, true}, {100, 3, 0, false}, {5000, 5000, 100, false},
	} {
		req := under(t, overRegions(tc.most, tc.groups), 2)
		req.Clusters = inRegions(tc.regions)
		req.Spec.Clusters = []workv1alpha2.TargetCluster{{Name: "r1", Replicas: 2}}
		got := computed(t, req)
		switch {
		case tc.computed != (got.Uncomputed == ""):
			t.Errorf("%+v: %+v", tc, got.Uncomputed)
		case !tc.computed && (show(got) != "r1=2" || !strings.Contains(got.Uncomputed, "more than 16384 combinations")):
			t.Errorf("%+v is not left where it is: %s, %s", tc, show(got), got.Uncomputed)
		}
	}
}

// ending is a context that ends after it was looked at so often.
type ending struct {
	context.Context

	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestAComputationEndsWithItsRequest(t *testing.T) {
	for name, placement := range map[string]string{"one group": "", "groups": "clusterAffinities: [{affinityName: a, clusterNames: [nowhere]}, {affinityName: b, clusterNames: [b]}]"} {
		req := under(t, placement, 2)
		whole := &ending{t.Context(), 1000}
		if _, err := Schedule(whole, req); err != nil {
			t.Fatal(err)
		}
		looked := 1000 - whole.left
		if looked < len(req.Clusters) {
			t.Errorf("%s: the request is looked at %d times", name, looked)
		}
		for left := range looked {
			if got, err := Schedule(&ending{t.Context(), left}, req); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: after %d looks: %+v, %v", name, left, got, err)
			}
		}
	}
}

func BenchmarkAsManyCombinationsAsThereMayBe(b *testing.B) {
	req := Request{Clusters: inRegions(14)}
	spec, err := Policy([]byte(`{"spec":{"placement":{"spreadConstraints":[{"spreadByField":"region","minGroups":1,"maxGroups":14},{"spreadByField":"cluster","minGroups":7,"maxGroups":100}]}}}`))
	if err != nil {
		b.Fatal(err)
	}
	req.Spec = (&Bound{Spec: workv1alpha2.ResourceBindingSpec{Replicas: 2, ReplicaRequirements: &workv1alpha2.ReplicaRequirements{},
		Resource: workv1alpha2.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "cart", UID: "u"}}}).Under(spec).Spec
	for b.Loop() {
		if out, err := Schedule(b.Context(), req); err != nil || out.Uncomputed != "" {
			b.Fatal(out, err)
		}
	}
}
