package objects

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// Decoder reads an object of a member, or of the control plane when cluster is empty, from JSON. The object may keep
// raw, which must not be changed afterwards.
type Decoder func(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error)

// Typed is the decoders of the kinds that have their own type in the model. Packages with more kinds (workloads,
// policies, bindings) add them when the program starts, and never later: it is read without a lock.
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
		// Its older versions name the same fields differently.
		if gvk != HorizontalPodAutoscaler {
			return given(DecodeResource)(instance, cluster, gvk, raw)
		}
		return given(DecodeAutoscaler)(instance, cluster, gvk, raw)
	},
}

// Decode reads an object of any kind from JSON, into the type of its kind where there is one and into a
// *model.KubernetesResource otherwise. Rows of typed lists do not contain their kind, so gvk gives it.
func Decode(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error) {
	if decode, ok := Typed[gvk.GroupKind()]; ok {
		return decode(instance, cluster, gvk, raw)
	}
	return given(DecodeResource)(instance, cluster, gvk, raw)
}

// given makes a Decoder of a function that takes the kind. It returns an untyped nil on errors: a nil pointer in an
// interface would not be nil.
func given[T model.KubernetesObject](decode func(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (T, error)) Decoder {
	return func(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error) {
		o, err := decode(instance, cluster, gvk, raw)
		if err != nil {
			return nil, err
		}
		return o, nil
	}
}

// plain makes a Decoder of a function for a kind that has only one version.
func plain[T model.KubernetesObject](decode func(instance, cluster string, raw []byte) (T, error)) Decoder {
	return given(func(instance, cluster string, _ schema.GroupVersionKind, raw []byte) (T, error) {
		return decode(instance, cluster, raw)
	})
}
