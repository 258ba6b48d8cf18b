package actions

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/workloadform"
)

// CreateWorkload makes a workload of a form, with the policies that take it to members and change it there.
type CreateWorkload struct {
	Instance  string
	Kind      model.WorkloadKind
	Namespace string
	Name      string
	Form      workloadform.Form
	Overrides []WorkloadOverride
	// Clusters are where it goes; nil for where the policies that there are take it.
	Clusters []string
	// Dependencies has what it names go with it.
	Dependencies bool
	DryRun       bool
}

// MadeWorkload is a workload and what was made for it; nil is what is not there.
type MadeWorkload struct {
	Workload               model.Workload
	OverridePolicy, Policy model.Policy
	Objects                []model.DocumentOutcome

	parts []*part
}

// Verb names the action.
func (a *CreateWorkload) Verb() string { return "createWorkload" }

// InputOf is the name, the namespace, or the form: a field of it that is known is named before.
func (a *CreateWorkload) InputOf(path []string) []string { return namedOr(path, "form") }

// namedOr is the name or the namespace of what is to be, where a path is about these, else a field.
func namedOr(path []string, field ...string) []string {
	switch joined(path) {
	case "metadata.name":
		return []string{"name"}
	case "metadata.namespace":
		return []string{"namespace"}
	}
	return field
}

// Target returns the workload that is to be.
func (a *CreateWorkload) Target(auth.Principal) (Target, error) {
	ref := model.Ref{Instance: a.Instance, GVK: a.Kind.GVK(), Namespace: clipped(a.Namespace), Name: clipped(a.Name)}
	return Target{Ref: ref, Field: "instance", DryRun: a.DryRun}, nil
}

// Allowed refuses people who may write nothing in the instance, before their form is read.
func (a *CreateWorkload) Allowed(call *Call) error { return mayWrite(call, a.Instance) }

// Do returns what was made, as Karmada returned it.
func (a *CreateWorkload) Do(ctx context.Context, call *Call) (MadeWorkload, []model.UserError, error) {
	parts, problems, err := a.parts(call)
	if err != nil || len(problems) > 0 {
		return MadeWorkload{Objects: []model.DocumentOutcome{}}, problems, err
	}
	problems, err = makeAll(ctx, call, parts)
	if err != nil {
		return MadeWorkload{}, nil, err
	}
	out, err := madeWorkload(parts)
	return out, problems, err
}

// parts are what is to be made, in order.
func (a *CreateWorkload) parts(call *Call) ([]*part, []model.UserError, error) {
	if err := named(a.Namespace, a.Name, validation.IsDNS1123Subdomain); err != nil {
		return nil, nil, err
	}
	var clusters membership
	if len(a.Overrides) > 0 || a.Clusters != nil {
		var err error
		if clusters, err = members(call); err != nil {
			return nil, nil, err
		}
	}
	object, problems := workloadform.New(a.Kind, a.Namespace, a.Name, a.Form)
	if len(problems) > 0 {
		return nil, wrongForm(problems).userErrors(), nil
	}
	ref := call.Target.Ref
	workload := &part{ref: ref, object: object, input: func(path []string) []string {
		if joined(path) == "metadata.name" {
			return []string{"name"}
		}
		if field := workloadform.FieldOf(a.Kind, a.Form, path); field != nil {
			return append([]string{"form"}, field...)
		}
		return nil
	}}
	var parts []*part
	if len(a.Overrides) > 0 {
		rules, err := overrideRules(a.Kind, object, a.Overrides, clusters)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, policyFor(ref, model.PolicyOverride, "overrides", map[string]any{"overrideRules": rules}))
	}
	if a.Clusters != nil {
		if err := clusters.check([]string{"placement", "clusters"}, a.Clusters); err != nil {
			return nil, nil, err
		}
		parts = append(parts, policyFor(ref, model.PolicyPropagation, "placement", map[string]any{
			"propagateDeps": a.Dependencies, "placement": map[string]any{"clusterAffinity": map[string]any{"clusterNames": anys(a.Clusters)}},
		}))
	}
	return append(parts, workload), nil, nil
}

// policyFor is a policy for one object alone, which it is named after. Field is the input that it is made of.
func policyFor(of model.Ref, kind model.PolicyKind, field string, spec map[string]any) *part {
	ref := model.Ref{Instance: of.Instance, GVK: kind.GVK(), Namespace: of.Namespace, Name: of.Name + "-" + strings.ToLower(of.GVK.Kind)}
	spec["resourceSelectors"] = []any{map[string]any{"apiVersion": of.APIVersion(), "kind": of.GVK.Kind, "namespace": of.Namespace, "name": of.Name}}
	return &part{ref: ref, input: func([]string) []string { return []string{field} }, object: map[string]any{
		"apiVersion": ref.APIVersion(), "kind": ref.GVK.Kind, "metadata": map[string]any{"namespace": ref.Namespace, "name": ref.Name}, "spec": spec,
	}}
}

// named checks the names of an object that is to be.
func named(namespace, name string, valid func(string) []string) error {
	if len(validation.IsDNS1123Label(namespace)) > 0 {
		return model.BadInput("namespace", "%.*q is not the name of a namespace: up to %d lower-case letters, digits and `-`, with a letter or digit at both ends",
			validation.DNS1123LabelMaxLength+1, namespace, validation.DNS1123LabelMaxLength)
	}
	if why := valid(name); len(why) > 0 {
		return model.BadInput("name", "%.300q is no name of it: %s", name, why[0])
	}
	return nil
}

// madeWorkload finds the objects among what was made.
func madeWorkload(parts []*part) (out MadeWorkload, err error) {
	out.Objects, out.parts = results(parts), parts
	for _, p := range parts {
		switch kind, isPolicy := model.PolicyKindOf(p.ref.GVK.Group, p.ref.GVK.Kind); {
		case !isPolicy:
			out.Workload, err = madeAs[model.Workload](p)
		case kind == model.PolicyOverride:
			out.OverridePolicy, err = madeAs[model.Policy](p)
		default:
			out.Policy, err = madeAs[model.Policy](p)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// Kept is the ids of what was made.
func (a *CreateWorkload) Kept(out MadeWorkload) any { return ids(out.parts) }

// Again returns what was made, as it is now.
func (a *CreateWorkload) Again(ctx context.Context, call *Call, kept []byte) (MadeWorkload, error) {
	parts, err := madeBefore(ctx, call, kept)
	if err != nil {
		return MadeWorkload{}, err
	}
	return madeWorkload(parts)
}
