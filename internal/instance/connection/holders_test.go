package connection

import (
	"errors"
	"strings"
	"testing"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// known is what a connection knows of an instance.
type known struct {
	state    State
	clusters map[string]string // ids by names; one that begins with "lost" is not ready
}

func (k known) State(...*Watch) State { return k.state }

func (k known) List(*Watch) (out []Object) {
	for name, id := range k.clusters {
		c := &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: clusterv1alpha1.ClusterSpec{ID: id}}
		if !strings.HasPrefix(name, "lost") {
			meta.SetStatusCondition(&c.Status.Conditions, metav1.Condition{Type: clusterv1alpha1.ClusterConditionReady, Status: metav1.ConditionTrue})
		}
		out = append(out, c)
	}
	return out
}

func TestAClusterThatIsHeldCannotJoinAndWhatIsHiddenIsNotNamed(t *testing.T) {
	asia := func(clusters map[string]string) Holder {
		return Holder{Instance: "asia", Shown: true, Connection: known{State{Identity: "asias", Synced: true}, clusters}}
	}
	europe := func(shown bool, clusters map[string]string) Holder {
		return Holder{Instance: "europe", Shown: shown, Connection: known{State{Identity: "europes", Synced: true}, clusters}}
	}
	gone := Holder{Instance: "africa", Shown: true, Connection: known{State{Err: errors.New("it does not answer")}, map[string]string{"lagos": "old"}}}
	for name, tc := range map[string]struct {
		id   string
		all  []Holder
		want string
	}{
		"nobody holds it":          {"new", []Holder{asia(map[string]string{"tokyo": "other"}), europe(true, nil), gone}, ""},
		"what this joining made":   {"new", []Holder{asia(map[string]string{"osaka": "new"})}, ""},
		"the control plane itself": {"asias", []Holder{asia(nil)}, `that is the control plane of instance "asia" itself, which cannot be its own member`},
		"another control plane":    {"europes", []Holder{asia(nil), europe(true, nil)}, ""},
		"under another name":       {"new", []Holder{europe(true, map[string]string{"osaka": "new"}), asia(map[string]string{"tokyo": "new"})}, `that cluster is joined already, under the name "tokyo"`},
		"by an instance that is seen": {"new", []Holder{asia(nil), europe(true, map[string]string{"osaka": "new"})},
			`that cluster is joined already: instance "europe" holds it under the name "osaka"`},
		"by one that is hidden":              {"new", []Holder{asia(nil), europe(false, map[string]string{"osaka": "new"})}, "that cluster is joined already, to an instance that you do not see"},
		"by one that claims it only":         {"new", []Holder{asia(nil), europe(true, map[string]string{"lost-osaka": "new"})}, ""},
		"under another name, and it is lost": {"new", []Holder{asia(map[string]string{"lost": "new"})}, `that cluster is joined already, under the name "lost"`},
		"by one that answered once":          {"old", []Holder{asia(nil), gone}, `that cluster is joined already: instance "africa" holds it under the name "lagos"`},
		"by one that is still being listed":  {"new", []Holder{asia(nil), {Instance: "europe", Connection: known{}}}, errUnlisted.Error()},
	} {
		got, by, err := Unjoinable(tc.id, "asia", "osaka", tc.all)
		if err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
		if foreign := strings.Contains(tc.want, "holds it") || strings.Contains(tc.want, "do not see"); foreign != (by != nil) || foreign && by.Instance == "" {
			t.Errorf("%s: it is held by %+v", name, by)
		}
	}
}
