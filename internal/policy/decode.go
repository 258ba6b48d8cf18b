package policy

import (
	"fmt"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// Decode reads a policy of a kind, as JSON, from the control plane of an instance. It keeps raw, which
// must not be changed afterwards.
func Decode(kind model.PolicyKind, instance string, raw []byte) (model.PolicyMeta, error) {
	body := &model.PolicyBody{}
	ref := model.Ref{Instance: instance, GVK: kind.GVK()}
	if kind.Propagates() {
		o, err := decode[policyv1alpha1.PropagationSpec](ref, raw)
		if err != nil {
			return model.PolicyMeta{}, err
		}
		body.Object, body.Propagation = o.Metadata.Object(ref, raw), propagationSpec(&o.Spec)
	} else {
		o, err := decode[policyv1alpha1.OverrideSpec](ref, raw)
		if err != nil {
			return model.PolicyMeta{}, err
		}
		body.Object, body.Override = o.Metadata.Object(ref, raw), overrideSpec(&o.Spec)
	}
	body.Excess = excess(body)
	return model.PolicyMeta{Ref: body.Ref, Body: body}, nil
}

type document[Spec any] struct {
	Metadata objects.Meta `json:"metadata"`
	Spec     Spec         `json:"spec"`
}

func decode[Spec any](ref model.Ref, raw []byte) (*document[Spec], error) {
	var o document[Spec]
	if err := jsonv2.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("decoding a %s: %w", ref.GVK.Kind, err)
	}
	return &o, nil
}

// enum converts a value of Kubernetes to GraphQL's spelling: DoesNotExist is DOES_NOT_EXIST.
func enum[T, F ~string](kubernetes F) T { return objects.Enum[T](kubernetes) }

// enumOr is enum with a default for "".
func enumOr[T, F ~string](kubernetes F, none T) T {
	if kubernetes == "" {
		return none
	}
	return enum[T](kubernetes)
}

// enumOrNil is enum; nil for "".
func enumOrNil[T, F ~string](kubernetes F) *T {
	if kubernetes == "" {
		return nil
	}
	v := enum[T](kubernetes)
	return &v
}

// orNil is nil for "".
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// each converts the elements of a list; never nil.
func each[F, T any](in []F, convert func(*F) T) []T {
	out := make([]T, len(in))
	for i := range in {
		out[i] = convert(&in[i])
	}
	return out
}

// some is a copy of a list, never nil.
func some(in []string) []string { return append([]string{}, in...) }

func resourceSelector(s *policyv1alpha1.ResourceSelector) model.ResourceSelector {
	return model.ResourceSelector{
		APIVersion: s.APIVersion, Kind: s.Kind, Namespace: orNil(s.Namespace), Name: orNil(s.Name),
		LabelSelector: objects.LabelSelector(s.LabelSelector),
	}
}
