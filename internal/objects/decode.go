package objects

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// Decoder reads an object of a member, or of the control plane when cluster is empty, from JSON. The
// object may keep raw, which must not be changed afterwards.
type Decoder func(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error)

// Typed is the decoders of the kinds that have a type of their own in the model. Who knows more kinds
// (workloads, policies, bindings) adds them when the program starts, and nobody later: it is read
// without a lock.
var Typed = map[schema.GroupKind]Decoder{
	{Kind: "Pod"}:       plain(DecodePod),
	{Kind: "Node"}:      plain(DecodeNode),
	{Kind: "Service"}:   plain(DecodeService),
	{Kind: "Namespace"}: plain(DecodeNamespace),

	{Kind: "Event"}:                         given(decodeEvent),
	{Group: "events.k8s.io", Kind: "Event"}: given(decodeEvent),

	{Group: "apps", Kind: model.RevisionKind}: plain(DecodeRevision),

	FederatedHPA.GroupKind():     given(DecodeAutoscaler),
	CronFederatedHPA.GroupKind(): given(DecodeAutoscaler),
	HorizontalPodAutoscaler.GroupKind(): func(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error) {
		// Its older versions say the same in other words.
		if gvk != HorizontalPodAutoscaler {
			return given(DecodeResource)(instance, cluster, gvk, raw)
		}
		return given(DecodeAutoscaler)(instance, cluster, gvk, raw)
	},
}

// Decode reads an object of any kind from JSON, into the type of its kind where there is one and into a
// *model.KubernetesResource otherwise. Rows of typed lists do not say their kind: gvk does.
func Decode(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error) {
	if decode, ok := Typed[gvk.GroupKind()]; ok {
		return decode(instance, cluster, gvk, raw)
	}
	return given(DecodeResource)(instance, cluster, gvk, raw)
}

// given makes a Decoder of a function that takes the kind. Only what was decoded becomes an interface: a
// nil pointer in one would not be nil.
func given[T model.KubernetesObject](decode func(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (T, error)) Decoder {
	return func(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error) {
		o, err := decode(instance, cluster, gvk, raw)
		if err != nil {
			return nil, err
		}
		return o, nil
	}
}

// plain makes a Decoder of a function for a kind that there is in one version only.
func plain[T model.KubernetesObject](decode func(instance, cluster string, raw []byte) (T, error)) Decoder {
	return given(func(instance, cluster string, _ schema.GroupVersionKind, raw []byte) (T, error) {
		return decode(instance, cluster, raw)
	})
}
