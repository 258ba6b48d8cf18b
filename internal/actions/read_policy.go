package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/typed"
)

// PolicyProposal says what a policy of some kinds would be, in exactly one way.
type PolicyProposal struct {
	// Runner is who tries it.
	Runner   *Runner
	Instance string
	// ID is that of the policy that is there; nil when it is named by what it would be.
	ID *string
	// Delete says that it would be deleted.
	Delete bool
	// Manifest is the policy whole, as YAML or JSON.
	Manifest *string
	// Typed is the policy by its typed input, under the field "policy".
	Typed Typed
	// Fits says which kinds it may be of.
	Fits func(model.PolicyKind) bool
}

// proposedField is the field of a typed input of a preview.
const proposedField = "policy"

// Read reads a proposal, within the limits of everything that is written. What is wrong with it is an error about its field.
func (p *PolicyProposal) Read(ctx context.Context) (*model.ProposedPolicy, error) {
	out, err := p.read(ctx)
	if out != nil {
		out.Try = func(ctx context.Context, is *model.PolicyBody) ([]model.UserError, error) {
			return p.try(ctx, out.Ref, is)
		}
	}
	return out, err
}

func (p *PolicyProposal) read(ctx context.Context) (*model.ProposedPolicy, error) {
	if err := p.one(); err != nil {
		return nil, err
	}
	var of *model.Ref
	if p.ID != nil {
		var err error
		if of, err = p.byID(); err != nil {
			return nil, err
		}
	}
	switch {
	case p.Delete && of == nil:
		return nil, model.BadInput("id", "is missing: it names the policy that is deleted")
	case p.Delete:
		return &model.ProposedPolicy{Ref: *of, Exists: true}, nil
	case p.Manifest != nil:
		return p.byManifest(ctx, of)
	}
	return p.byInput(of, p.Typed[proposedField])
}

// one fails unless there is exactly one way.
func (p *PolicyProposal) one() error {
	var given []string
	if p.Manifest != nil {
		given = append(given, "manifest")
	}
	if p.Typed[proposedField] != nil {
		given = append(given, proposedField)
	}
	if p.Delete {
		given = append(given, "delete")
	}
	switch len(given) {
	case 0:
		return model.BadInput("manifest", "is missing; give exactly one of manifest, policy and, to preview a deletion, delete")
	case 1:
		return nil
	}
	return model.BadInput(given[1], "is given beside %s; give exactly one of manifest, policy and delete", given[0])
}

func (p *PolicyProposal) byID() (*model.Ref, error) {
	parsed, err := model.ParseID(*p.ID)
	if err != nil {
		return nil, err
	}
	kind, ok := model.PolicyKindOf(parsed.Ref.GVK.Group, parsed.Ref.GVK.Kind)
	switch {
	case !parsed.IsObject() || !ok || kind.GVK() != parsed.Ref.GVK || !p.Fits(kind) || parsed.Ref.Cluster != "":
		return nil, model.BadInput("id", "is not that of a policy of this sort")
	case parsed.Ref.Instance != p.Instance:
		return nil, model.BadInput("id", "is of a policy in instance %q, not %q", parsed.Ref.Instance, p.Instance)
	}
	return &parsed.Ref, nil
}

// byManifest is the policy whole.
func (p *PolicyProposal) byManifest(ctx context.Context, of *model.Ref) (*model.ProposedPolicy, error) {
	object, release, err := karmada.ReadObject(ctx, rbac.PrincipalFrom(ctx), "manifest", *p.Manifest)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, release)
	gvk := object.GroupVersionKind()
	kind, ok := model.PolicyKindOf(gvk.Group, gvk.Kind)
	if !ok || gvk != kind.GVK() || !p.Fits(kind) {
		wanted := ""
		for _, k := range model.PolicyKinds {
			if p.Fits(k) {
				wanted += " or " + k.GVK().Kind
			}
		}
		return nil, model.BadInput("manifest", "is a %.100q of %.100q; it has to be a%s of policy.karmada.io/v1alpha1", gvk.Kind, gvk.GroupVersion().String(), wanted[len(" or"):])
	}
	ref := model.Ref{Instance: p.Instance, GVK: gvk, Namespace: object.GetNamespace(), Name: object.GetName()}
	switch {
	case kind.Namespaced() && ref.Namespace == "":
		return nil, model.BadInput("manifest", "metadata.namespace: is missing: a %s is in a namespace", gvk.Kind)
	case !kind.Namespaced() && ref.Namespace != "":
		return nil, model.BadInput("manifest", "metadata.namespace: is %q, and a %s is in none", model.Clip(ref.Namespace), gvk.Kind)
	case of != nil && ref != *of:
		return nil, model.BadInput("manifest", "is %s %q, and the id is of %s %q", gvk.Kind, ref.Place(), of.GVK.Kind, of.Place())
	}
	raw, err := json.Marshal(object.Object)
	if err != nil {
		return nil, fmt.Errorf("encode a policy: %w", err)
	}
	return &model.ProposedPolicy{Ref: ref, Exists: of != nil, Field: "manifest", Over: func([]byte) ([]byte, error) { return raw, nil }}, nil
}

// byInput is the policy by a typed input: what is there with what the input says of it, as UpdatePolicy lays it over; or a new one.
func (p *PolicyProposal) byInput(of *model.Ref, input map[string]any) (*model.ProposedPolicy, error) {
	kind := p.kindOf(of, input)
	ref := model.Ref{Instance: p.Instance, GVK: kind.GVK}
	ref.Name, _ = input["name"].(string)
	ref.Namespace, _ = input["namespace"].(string)
	if of != nil {
		ref = *of
	}
	wrong := kind.Names(input, ref.Namespace, ref.Name)
	if ref.Name == "" {
		_, wrong = kind.New(input)
	}
	if len(wrong) > 0 {
		return nil, asError(wrong)
	}
	return &model.ProposedPolicy{Ref: ref, Exists: of != nil, Field: proposedField, Over: func(before []byte) ([]byte, error) {
		object, err := proposed(kind, before, input)
		if err != nil {
			return nil, err
		}
		return json.Marshal(object)
	}}, nil
}

// try says why the write of a proposal would be refused, as the API server says of a dry run of it. Is is the policy that is there; nil for
// none.
func (p *PolicyProposal) try(ctx context.Context, ref model.Ref, is *model.PolicyBody) ([]model.UserError, error) {
	var problems []model.UserError
	var err error
	given := Typed{}
	kind := kindOfPolicy(ref.GVK)
	if input := p.Typed[proposedField]; input != nil {
		given[kind] = input
	}
	switch on := (OnResource{ID: ref.ID(), DryRun: true}); {
	case p.Delete:
		_, problems, err = Run(ctx, p.Runner, &DeletePolicy{on}, nil)
	case is == nil:
		_, problems, err = Run(ctx, p.Runner, &CreatePolicy{Instance: p.Instance, Manifest: p.Manifest, Typed: given, DryRun: true}, nil)
	default:
		_, problems, err = Run(ctx, p.Runner, &UpdatePolicy{OnResource: on, ResourceVersion: is.ResourceVersion, Manifest: p.Manifest, Typed: given}, nil)
	}
	for i, problem := range problems {
		if at := slices.Index(problem.Field, kind); at == 1 {
			problems[i].Field = slices.Replace(slices.Clone(problem.Field), at, at+1, proposedField)
		}
	}
	if refused := (*model.Error)(nil); errors.As(err, &refused) && refused.Code == model.CodeForbidden {
		return []model.UserError{{Code: string(refused.Code), Message: refused.Message}}, nil
	}
	return problems, err
}

// kindOfPolicy is the field that a kind of policies has in the inputs of mutations.
func kindOfPolicy(gvk schema.GroupVersionKind) string {
	i := slices.IndexFunc(typed.Policies, func(k typed.Kind) bool { return k.GVK == gvk })
	return typed.Policies[i].Field
}

// kindOf is the kind that a typed input is of: that of the policy that is there, or by whether it is in a namespace.
func (p *PolicyProposal) kindOf(of *model.Ref, input map[string]any) *typed.Kind {
	namespace, _ := input["namespace"].(string)
	i := slices.IndexFunc(typed.Policies, func(k typed.Kind) bool {
		if of != nil {
			return k.GVK == of.GVK
		}
		kind, _ := model.PolicyKindOf(k.GVK.Group, k.GVK.Kind)
		return p.Fits(kind) && k.Namespaced == (namespace != "")
	})
	kind := typed.Policies[i]
	kind.Field = proposedField
	return &kind
}

// proposed is what a typed input makes of a policy, which is nil when there is none.
func proposed(kind *typed.Kind, before []byte, input map[string]any) (map[string]any, error) {
	if before == nil {
		object, wrong := kind.New(input)
		return object, asError(wrong)
	}
	var object map[string]any
	if err := utiljson.Unmarshal(before, &object); err != nil {
		return nil, fmt.Errorf("decode a %s: %w", kind.GVK.Kind, err)
	}
	return object, asError(kind.Lay(object, input))
}

// asError is the first thing that is wrong with a typed input; nil for nothing.
func asError(wrong []overlay.Problem) error {
	if len(wrong) == 0 {
		return nil
	}
	return &model.Error{Code: model.CodeBadUserInput, Message: wrong[0].Message(), Field: wrong[0].Field}
}
