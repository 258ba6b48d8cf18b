package connection

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/kairship-io/kairship/internal/model"
)

// Holder is an instance that may hold a cluster as its member.
type Holder struct {
	Instance string
	// Shown says that who asks may know of the instance.
	Shown bool
	// Connection knows what Clusters, a watch of Karmada's clusters, has found.
	Connection interface {
		State(watches ...*Watch) State
		List(w *Watch) []Object
	}
	Clusters *Watch
}

// errUnlisted is the error of Unjoinable while an instance that answers is being listed.
var errUnlisted = errors.New("the clusters of all instances are not known: they are being listed")

// Unjoinable says why a cluster of an id (the UID of its namespace kube-system) cannot join an instance under a name; empty when it can. It must
// not be that instance's control plane, and no instance may hold it already, by whatever name; what is hidden from who asks is not named, and by is
// the other instance that holds it. An instance that does not answer is as last known: it must not keep others from joining clusters. Of other instances only
// clusters count that their Karmada has found ready: whoever may write there can write any id into one.
func Unjoinable(id, instance, name string, all []Holder) (why string, by *model.Holding, err error) {
	rank := func(h Holder) int { // the one of which most can be told first
		switch {
		case h.Instance == instance:
			return 0
		case h.Shown:
			return 1
		}
		return 2
	}
	all = slices.SortedFunc(slices.Values(all), func(a, b Holder) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Instance, b.Instance))
	})
	for _, h := range all {
		state := h.Connection.State(h.Clusters)
		switch {
		case h.Instance == instance && state.Identity == id:
			return fmt.Sprintf("that is the control plane of instance %q itself, which cannot be its own member", instance), nil, nil
		case !state.Synced && state.Err == nil:
			return "", nil, errUnlisted
		}
		for _, o := range h.Connection.List(h.Clusters) {
			c, ok := o.(*clusterv1alpha1.Cluster)
			if !ok || c.Spec.ID != id || h.Instance == instance && c.Name == name {
				continue
			}
			if h.Instance == instance {
				return fmt.Sprintf("that cluster is joined already, under the name %q", c.Name), nil, nil
			}
			if meta.IsStatusConditionTrue(c.Status.Conditions, clusterv1alpha1.ClusterConditionReady) {
				by := &model.Holding{Instance: h.Instance, Cluster: c.Name}
				return by.Told(h.Shown), by, nil
			}
		}
	}
	return "", nil, nil
}
