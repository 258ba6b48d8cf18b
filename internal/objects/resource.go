package objects

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// DecodeResource reads an object of any kind. Rows of typed lists do not contain their kind, so gvk gives it. The
// values of Secrets are masked, wherever the object came from; the object may keep raw.
func DecodeResource(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (*model.KubernetesResource, error) {
	raw, err := Mask(gvk.GroupKind(), raw)
	if err != nil {
		return nil, err
	}
	// Of an unknown kind only the metadata has a reliable form.
	var o struct {
		Metadata   Meta       `json:"metadata"`
		Status     jsonv2.Raw `json:"status"`
		Data       jsonv2.Raw `json:"data"`
		BinaryData jsonv2.Raw `json:"binaryData"`
	}
	if err := jsonv2.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("decoding a %s: %w", gvk.Kind, err)
	}
	r := &model.KubernetesResource{
		Object:     o.Metadata.Object(model.Ref{Instance: instance, Cluster: cluster, GVK: gvk}, raw),
		Conditions: anyConditions(o.Status),
		Keys:       []model.DataKey{},
	}
	switch gvk.GroupKind() {
	case configMapKind:
		r.Keys = append(dataKeys(o.Data, func(s string) int { return len(s) }), dataKeys(o.BinaryData, decodedLen)...)
	case secretKind:
		r.Keys = dataKeys(o.Data, secretLen)
	}
	slices.SortFunc(r.Keys, func(a, b model.DataKey) int { return cmp.Compare(a.Name, b.Name) })
	return r, nil
}

var (
	configMapKind = schema.GroupKind{Kind: "ConfigMap"}
	secretKind    = schema.GroupKind{Kind: "Secret"}
	workKind      = schema.GroupKind{Group: "work.karmada.io", Kind: "Work"}
)

// dataKeys is the keys of a map of strings with the length of each value.
func dataKeys(data jsonv2.Raw, length func(string) int) []model.DataKey {
	var values map[string]string
	if data == nil || jsonv2.Unmarshal(data, &values) != nil {
		return []model.DataKey{}
	}
	out := make([]model.DataKey, 0, len(values))
	for name, value := range values {
		out = append(out, model.DataKey{Name: name, Bytes: length(value)})
	}
	return out
}

// decodedLen is the number of bytes that a base64 value decodes to.
func decodedLen(s string) int {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return len(s)
	}
	return len(raw)
}

// anyConditions is status.conditions where it has the usual form, by type; never nil. It is empty for kinds that use
// the name for something else.
func anyConditions(status jsonv2.Raw) []model.Condition {
	out := []model.Condition{}
	var s struct {
		Conditions jsonv2.Raw `json:"conditions"`
	}
	var all []jsonv2.Raw
	if status == nil || jsonv2.Unmarshal(status, &s) != nil || s.Conditions == nil || jsonv2.Unmarshal(s.Conditions, &all) != nil {
		return out
	}
	for _, raw := range all {
		var c struct {
			Type               string `json:"type"`
			Status             string `json:"status"`
			Reason             string `json:"reason"`
			Message            string `json:"message"`
			LastTransitionTime string `json:"lastTransitionTime"`
		}
		if jsonv2.Unmarshal(raw, &c) != nil || c.Type == "" {
			continue
		}
		cond := model.Condition{Type: c.Type, Status: factValue(c.Status), Reason: c.Reason, Message: c.Message}
		if since, err := time.Parse(time.RFC3339, c.LastTransitionTime); err == nil {
			cond.Since = &since
		}
		out = append(out, cond)
	}
	slices.SortStableFunc(out, func(a, b model.Condition) int { return cmp.Compare(a.Type, b.Type) })
	return out
}
