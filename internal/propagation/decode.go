package propagation

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/policy"
)

// Decode reads an object of any kind, of a member or of the control plane when cluster is empty, into the graph's type for it. The
// object may keep raw, which must not be changed afterwards.
func Decode(kind schema.GroupVersionKind, instance, cluster string, raw []byte) (model.KubernetesObject, error) {
	if w, ok := model.WorkloadKindOf(kind); ok {
		if cluster != "" {
			return DecodeMemberWorkload(instance, cluster, w, raw)
		}
		return DecodeWorkload(instance, w, raw)
	}
	if cluster == "" {
		if p, ok := model.PolicyKindOf(kind.Group, kind.Kind); ok {
			meta, err := policy.Decode(p, instance, raw)
			if err != nil {
				return nil, err
			}
			return model.NewPolicy(meta), nil
		}
		switch kind.GroupKind() {
		case schema.GroupKind{Group: model.WorkGroup, Kind: "ResourceBinding"}, schema.GroupKind{Group: model.WorkGroup, Kind: "ClusterResourceBinding"}:
			return DecodeBinding(instance, raw)
		case schema.GroupKind{Group: model.WorkGroup, Kind: "Work"}:
			return DecodeWork(instance, raw)
		}
	}
	return objects.Decode(instance, cluster, kind, raw)
}
