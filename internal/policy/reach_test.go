package policy

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestReach(t *testing.T) {
	for name, tc := range map[string]struct{ placement, want string }{
		"everywhere":      {`{}`, `{}`},
		"named clusters":  {`{clusterAffinity: {clusterNames: [a]}, replicaScheduling: {replicaSchedulingType: Divided}}`, `{clusterAffinity: {clusterNames: [a]}}`},
		"taints":          {`{clusterTolerations: [{key: a}], spreadConstraints: [{maxGroups: 1}]}`, `{clusterTolerations: [{key: a}]}`},
		"groups by name":  {`{clusterAffinities: [{affinityName: one, clusterNames: [a, b]}, {affinityName: two, clusterNames: [b, c]}]}`, `{clusterAffinity: {clusterNames: [a, b, c]}}`},
		"groups by label": {`{clusterAffinities: [{affinityName: one, labelSelector: {}}]}`, `{clusterAffinities: [{affinityName: one, labelSelector: {}}]}`},
		"a group of all":  {`{clusterAffinities: [{affinityName: one, clusterNames: [a]}, {affinityName: two}]}`, `{}`},
		"what is no list": {`{clusterAffinities: {a: b}}`, `{}`},
	} {
		var placement, want map[string]any
		if err := errors.Join(yaml.Unmarshal([]byte(tc.placement), &placement), yaml.Unmarshal([]byte(tc.want), &want)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, Reach(placement)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
