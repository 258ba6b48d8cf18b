package actions

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/model"
)

// UpdateCluster changes labels and taints of a member cluster. What is not named stays.
type UpdateCluster struct {
	OnCluster
	Labels       []model.KeyValue
	RemoveLabels []string
	// Taints replace those of the same key and effect.
	Taints       []model.Taint
	RemoveTaints []model.TaintKey
}

// Verb names the action.
func (a *UpdateCluster) Verb() string { return "updateCluster" }

var taintEffects = map[model.TaintEffect]string{
	model.TaintNoSchedule: "NoSchedule", model.TaintPreferNoSchedule: "PreferNoSchedule", model.TaintNoExecute: "NoExecute",
}

// Do returns the cluster as Karmada returned it.
func (a *UpdateCluster) Do(ctx context.Context, call *Call) (*model.Cluster, []model.UserError, error) {
	labels, err := labelsOf("labels", a.Labels)
	if err == nil {
		err = a.check(labels)
	}
	if err != nil {
		return nil, nil, err
	}
	c, err := a.edit(ctx, call, func(object map[string]any) error {
		if has := within(object, "metadata", "labels"); len(a.RemoveLabels)+len(labels) > 0 {
			for _, key := range a.RemoveLabels {
				delete(has, key)
			}
			for key, value := range labels {
				has[key] = value
			}
		}
		a.taint(within(object, "spec"))
		return nil
	})
	return c, nil, err
}

// check names the field that is wrong.
func (a *UpdateCluster) check(labels map[string]any) error {
	for _, key := range a.RemoveLabels {
		if _, both := labels[key]; both {
			return model.BadInput("removeLabels", "%.300q is to be set, too", key)
		}
	}
	named := func(field, key string) error {
		if why := validation.IsQualifiedName(key); len(why) > 0 {
			return model.BadInput(field, "%.300q is not the key of a taint: %s", key, why[0])
		}
		return nil
	}
	for i, t := range a.Taints {
		if err := named("taints", t.Key); err != nil {
			return err
		}
		if why := validation.IsValidLabelValue(t.Value); len(why) > 0 {
			return model.BadInput("taints", "%.100q is not the value of taint %s: %s", t.Value, t.Key, why[0])
		}
		if slices.ContainsFunc(a.Taints[:i], func(o model.Taint) bool { return o.Key == t.Key && o.Effect == t.Effect }) {
			return model.BadInput("taints", "names %s with effect %s twice", t.Key, t.Effect)
		}
		if slices.ContainsFunc(a.RemoveTaints, func(k model.TaintKey) bool { return k.Key == t.Key && (k.Effect == nil || *k.Effect == t.Effect) }) {
			return model.BadInput("removeTaints", "%s is to be set, too", t.Key)
		}
	}
	for _, k := range a.RemoveTaints {
		if err := named("removeTaints", k.Key); err != nil {
			return err
		}
	}
	return nil
}

// taint changes the taints of a spec. Those that are as they are to be stay as they are.
func (a *UpdateCluster) taint(spec map[string]any) {
	before, _ := spec["taints"].([]any)
	var taints []any
	kept := map[int]bool{}
	for _, t := range before {
		has, _ := t.(map[string]any)
		if slices.ContainsFunc(a.RemoveTaints, func(k model.TaintKey) bool {
			return k.Key == has["key"] && (k.Effect == nil || taintEffects[*k.Effect] == has["effect"])
		}) {
			continue
		}
		if i := slices.IndexFunc(a.Taints, func(w model.Taint) bool { return w.Key == has["key"] && taintEffects[w.Effect] == has["effect"] }); i >= 0 {
			kept[i] = true
			if value, _ := has["value"].(string); value != a.Taints[i].Value {
				t = taintObject(a.Taints[i])
			}
		}
		taints = append(taints, t)
	}
	for i, t := range a.Taints {
		if !kept[i] {
			taints = append(taints, taintObject(t))
		}
	}
	switch {
	case len(taints) > 0:
		spec["taints"] = taints
	case len(before) > 0:
		spec["taints"] = []any{}
	}
}

func taintObject(t model.Taint) map[string]any {
	out := map[string]any{"key": t.Key, "effect": taintEffects[t.Effect]}
	if t.Value != "" {
		out["value"] = t.Value
	}
	return out
}
