package actions

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// skipPropagation is the label of namespaces that Karmada does not copy to the members.
const skipPropagation = "namespace.karmada.io/skip-auto-propagation"

var namespaceKind = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}

// CreateNamespace makes a namespace in a control plane.
type CreateNamespace struct {
	Instance string
	Name     string
	Labels   []model.KeyValue
	// Propagate has Karmada make it in every member.
	Propagate bool
	DryRun    bool
}

// Verb names the action.
func (a *CreateNamespace) Verb() string { return "createNamespace" }

// InputOf is the name or the labels: nothing else is sent.
func (a *CreateNamespace) InputOf(path []string) []string {
	if len(path) > 1 && path[1] == "labels" {
		return []string{"labels"}
	}
	return []string{"name"}
}

// Target returns the namespace that is to be.
func (a *CreateNamespace) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{Instance: a.Instance, GVK: namespaceKind, Name: clipped(a.Name)}, Field: "instance", DryRun: a.DryRun}, nil
}

// clipped is a name as the audit log keeps it while it has not been checked.
func clipped(name string) string {
	return fmt.Sprintf("%.*s", validation.DNS1123SubdomainMaxLength, name)
}

// Allowed leaves the decision to Karmada.
func (a *CreateNamespace) Allowed(*Call) error { return nil }

// Do returns the namespace as Karmada returned it.
func (a *CreateNamespace) Do(ctx context.Context, call *Call) (*model.Namespace, []model.UserError, error) {
	if len(validation.IsDNS1123Label(a.Name)) > 0 {
		return nil, nil, model.BadInput("name", "%.*q is not the name of a namespace: up to %d lower-case letters, digits and `-`, with a letter or digit at both ends",
			validation.DNS1123LabelMaxLength+1, a.Name, validation.DNS1123LabelMaxLength)
	}
	labels, err := labelsOf("labels", a.Labels)
	if err != nil {
		return nil, nil, err
	}
	if given, ok := labels[skipPropagation]; ok && (given == "true") == a.Propagate {
		return nil, nil, model.BadInput("propagate", "is %t, and label %s is %q; leave the label out", a.Propagate, skipPropagation, given)
	}
	if !a.Propagate {
		labels[skipPropagation] = "true"
	}
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return nil, nil, err
	}
	raw, err := object.Create(ctx, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": a.Name, "labels": labels}})
	if err != nil {
		return nil, nil, err
	}
	return as[*model.Namespace](decoded(call.Target.Ref, raw))
}

// as is an object of a known type, as actions return it.
func as[T model.KubernetesObject](object model.KubernetesObject, err error) (out T, _ []model.UserError, _ error) {
	if err != nil {
		return out, nil, err
	}
	out, ok := object.(T)
	if !ok {
		return out, nil, fmt.Errorf("%T is not what was asked for", object)
	}
	return out, nil, nil
}

// labelsOf are labels as Kubernetes has them, each key once; BAD_USER_INPUT names a field that holds anything else.
func labelsOf(field string, given []model.KeyValue) (map[string]any, error) {
	out := make(map[string]any, len(given))
	for _, l := range given {
		if why := validation.IsQualifiedName(l.Key); len(why) > 0 {
			return nil, model.BadInput(field, "%.300q is not the key of a label: %s", l.Key, why[0])
		}
		if why := validation.IsValidLabelValue(l.Value); len(why) > 0 {
			return nil, model.BadInput(field, "%.100q is not the value of label %s: %s", l.Value, l.Key, why[0])
		}
		if _, twice := out[l.Key]; twice {
			return nil, model.BadInput(field, "names %s twice", l.Key)
		}
		out[l.Key] = l.Value
	}
	return out, nil
}

// Again returns the namespace as it is now.
func (a *CreateNamespace) Again(ctx context.Context, call *Call, _ []byte) (*model.Namespace, error) {
	raw, err := call.read(ctx, call.Target.Ref)
	if err != nil {
		return nil, err
	}
	out, _, err := as[*model.Namespace](decoded(call.Target.Ref, raw))
	return out, err
}
