package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/typed"
)

// Typed are the typed inputs that were given, by the field of the mutation's input.
type Typed map[string]map[string]any

// only returns the one typed input that was given, or none when a manifest was. An input that says what to do in another number of ways
// than one is a BAD_USER_INPUT.
func (t Typed) only(kinds []typed.Kind, manifest *string) (*typed.Kind, map[string]any, error) {
	given := slices.Sorted(maps.Keys(t))
	var ways []string
	for _, k := range kinds {
		ways = append(ways, k.Field)
	}
	if manifest != nil {
		given = append([]string{"manifest"}, given...)
	}
	switch {
	case len(given) == 0:
		return nil, nil, &model.Error{Code: model.CodeBadUserInput, Message: "input: says nothing of the object; give exactly one of " + strings.Join(ways, ", ")}
	case len(given) > 1:
		return nil, nil, model.BadInput(given[1], "is given beside %s; give exactly one of them", given[0])
	case manifest != nil:
		return nil, nil, nil
	}
	return typed.ByField(kinds, given[0]), t[given[0]], nil
}

// inputOf is the field of the input that a field of the object comes from: of the typed input that was given, or the manifest.
func (t Typed) inputOf(kinds []typed.Kind, path []string) []string {
	for field, input := range t {
		kind := typed.ByField(kinds, field)
		if kind == nil {
			continue
		}
		if given := kind.Where(input, path); given != nil {
			return given
		}
		return []string{field}
	}
	return []string{"manifest"}
}

// wrongInput is what is wrong with a typed input, by the fields of the mutation's input.
type wrongInput []overlay.Problem

func (w wrongInput) Error() string { return w[0].Message() }

// userErrors points at the fields that are wrong.
func (w wrongInput) userErrors() []model.UserError {
	out := make([]model.UserError, len(w))
	for i, p := range w {
		out[i] = model.UserError{Code: string(model.CodeBadUserInput), Message: p.Message(), Field: append([]string{"input"}, p.Field...)}
	}
	return out
}

// onInput turns what is wrong with a typed input into user errors, and has what the API server refused name the field of the input.
func onInput(kind *typed.Kind, input map[string]any, err error) ([]model.UserError, error) {
	wrong, refused := (wrongInput)(nil), (*karmada.Refused)(nil)
	switch {
	case errors.As(err, &wrong):
		return wrong.userErrors(), nil
	case errors.As(err, &refused):
		if field := kind.Where(input, refused.Field); field != nil {
			refused.Field = append([]string{"input"}, field...)
		}
	}
	return nil, err
}

// createTyped makes an object of a typed input, and returns it as Karmada does. One of that name is a CONFLICT.
func createTyped(ctx context.Context, call *Call, instance string, kind *typed.Kind, input map[string]any) (model.KubernetesObject, []model.UserError, error) {
	object, wrong := kind.New(input)
	if len(wrong) > 0 {
		problems, err := onInput(kind, input, wrongInput(wrong))
		return nil, problems, err
	}
	ref := model.Ref{Instance: instance, GVK: kind.GVK}
	ref.Name, _ = input["name"].(string)
	ref.Namespace, _ = input["namespace"].(string)
	call.Entry.About(ref)
	opened, err := call.Open(ctx, ref)
	var raw []byte
	if err == nil {
		raw, err = opened.Create(ctx, object)
	}
	if err != nil {
		problems, err := onInput(kind, input, err)
		return nil, problems, err
	}
	out, err := decoded(ref, raw)
	return out, nil, err
}

// updateTyped changes the target by a typed input, and returns it as Karmada does. What the input does not have stays.
func updateTyped(ctx context.Context, call *Call, uid, version string, kind *typed.Kind, input map[string]any) (Changed, []model.UserError, error) {
	ref := call.Target.Ref
	if ref.GVK != kind.GVK {
		return Changed{}, nil, model.BadInput(kind.Field, "is for a %s, and the id is that of a %s", kind.GVK.Kind, ref.GVK.Kind)
	}
	if wrong := kind.Names(input, ref.Namespace, ref.Name); len(wrong) > 0 {
		problems, err := onInput(kind, input, wrongInput(wrong))
		return Changed{}, problems, err
	}
	return edited(ctx, call, karmada.Expected{UID: uid, ResourceVersion: version}, func(object map[string]any) error {
		if wrong := kind.Lay(object, input); len(wrong) > 0 {
			return wrongInput(wrong)
		}
		return nil
	}, func(err error) ([]model.UserError, error) { return onInput(kind, input, err) })
}

// edited edits the target and returns it as Karmada does, or what stands in the way of the change; explain says what an error means.
func edited(ctx context.Context, call *Call, expected karmada.Expected, change func(map[string]any) error, explain func(error) ([]model.UserError, error)) (Changed, []model.UserError, error) {
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return Changed{}, nil, err
	}
	raw, err := object.Edit(ctx, expected, change)
	if err != nil {
		conflict := conflictOf(ctx, call, object, err, expected.ResourceVersion, func(anew *karmada.Object) ([]byte, error) {
			return anew.Edit(ctx, karmada.Expected{}, change)
		})
		problems, err := explain(err)
		return Changed{Conflict: conflict}, problems, err
	}
	changed, err := decoded(call.Target.Ref, raw)
	return Changed{Object: changed}, nil, err
}

// versionNeeded fails when the version that was read is not given.
func versionNeeded(version, what string) error {
	if version == "" {
		return model.BadInput("resourceVersion", "is empty: give that of the %s as it was read, so that changes that others made since are not lost", what)
	}
	return versionForm(version)
}

// againBy reads the object whose id was kept, as it is now.
func againBy(ctx context.Context, call *Call, kept []byte) (model.KubernetesObject, error) {
	id, err := keptID(kept)
	if err != nil {
		return nil, fmt.Errorf("reading which object was made: %w", err)
	}
	raw, err := call.read(ctx, id)
	if err != nil {
		return nil, err
	}
	return decoded(id, raw)
}

func keptID(kept []byte) (model.Ref, error) {
	var text string
	if err := json.Unmarshal(kept, &text); err != nil {
		return model.Ref{}, err
	}
	id, err := model.ParseID(text)
	return id.Ref, err
}
