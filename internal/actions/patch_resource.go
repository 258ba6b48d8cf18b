package actions

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// PatchResource changes an object of a control plane by a patch.
type PatchResource struct {
	OnResource
	// ResourceVersion is the version that was read; a newer one is a conflict. Empty for any version.
	ResourceVersion string
	Type            model.PatchType
	// Patch is JSON, or YAML unless it is of type JSON.
	Patch string
	// Force takes over fields of other managers, for patches of type APPLY.
	Force bool
}

// Changed is an object as Karmada returned it, or what stands in the way of the change.
type Changed struct {
	Object   model.KubernetesObject
	Conflict *model.Conflict
}

// Verb names the action.
func (a *PatchResource) Verb() string { return "patchResource" }

// InputOf is the patch.
func (a *PatchResource) InputOf([]string) []string { return []string{"patch"} }

var patchTypes = map[model.PatchType]types.PatchType{
	model.PatchMerge: types.MergePatchType, model.PatchStrategic: types.StrategicMergePatchType,
	model.PatchJSON: types.JSONPatchType, model.PatchApply: types.ApplyYAMLPatchType,
}

// Do returns the object as Karmada returned it.
func (a *PatchResource) Do(ctx context.Context, call *Call) (Changed, []model.UserError, error) {
	if a.Force && a.Type != model.PatchApply {
		return Changed{}, nil, model.BadInput("force", "is for patches of type APPLY, and the type is %s", a.Type)
	}
	patch, release, err := karmada.ReadPatch(ctx, call.Viewer, "patch", a.Patch, a.Type == model.PatchJSON)
	if err != nil {
		return Changed{}, nil, err
	}
	defer release()
	if err := a.check(call.Target.Ref, patch); err != nil {
		return Changed{}, nil, err
	}
	a.hide(call.Entry, call.Target.Ref, patch)
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return Changed{}, nil, err
	}
	// Read first, for what it changes: where it cannot be read, as by who may patch and not get, that is not known.
	object = known(ctx, call, object)
	raw, err := a.patch(ctx, object, patch, a.ResourceVersion)
	if a.ResourceVersion != "" && karmada.IsOutdated(err) {
		if now, same := object.SameAs(ctx, a.ResourceVersion); same {
			raw, err = a.patch(ctx, object, patch, now)
		}
	}
	if refused := (*karmada.Refused)(nil); errors.As(err, &refused) && a.Type == model.PatchStrategic && strings.Contains(refused.Message, unknownFormat) {
		return Changed{}, nil, model.BadInput("type", "is STRATEGIC, which the API server does not know for a %s of %q; use MERGE", call.Target.Ref.GVK.Kind, call.Target.Ref.APIVersion())
	}
	if refused := (*karmada.Refused)(nil); errors.As(err, &refused) && refused.Code == string(model.CodeBadUserInput) && len(refused.Field) == 0 {
		refused.Field = []string{"input", "patch"}
	}
	if err != nil {
		return Changed{Conflict: conflictOf(ctx, call, object, err, a.ResourceVersion, func(anew *karmada.Object) ([]byte, error) {
			return anew.Patch(ctx, patchTypes[a.Type], patch, a.Force)
		})}, nil, err
	}
	changed, err := decoded(call.Target.Ref, raw)
	return Changed{Object: changed}, nil, err
}

// patch sends the patch, on condition that the object has a version; empty for any.
func (a *PatchResource) patch(ctx context.Context, object *karmada.Object, patch []byte, version string) ([]byte, error) {
	whole, err := a.expecting(object.Ref, patch, version)
	if err != nil {
		return nil, err
	}
	return object.Patch(ctx, patchTypes[a.Type], whole, a.Force)
}

// check refuses what the API server would not, or not say well. Of a Secret, operations that read its values would show them: copied to where
// they are not masked, or by whether they are what somebody guesses.
func (a *PatchResource) check(ref model.Ref, patch []byte) error {
	if err := versionForm(a.ResourceVersion); a.ResourceVersion != "" && err != nil {
		return err
	}
	if a.Type != model.PatchJSON || ref.GVK.Group != "" || ref.GVK.Kind != "Secret" {
		return nil
	}
	var operations []struct{ Op, Path, From string }
	if err := json.Unmarshal(patch, &operations); err != nil {
		return model.BadInput("patch", "is not an array of operations: %v", err)
	}
	for i, o := range operations {
		reads := ""
		switch o.Op {
		case "copy", "move":
			reads = o.From
		case "test":
			reads = o.Path
		default:
			continue
		}
		// An annotation may repeat the whole object, as that of kubectl does.
		if !slices.ContainsFunc([]string{"/metadata/labels", "/metadata/uid", "/metadata/resourceVersion", "/metadata/name", "/type", "/immutable", "/kind", "/apiVersion"},
			func(open string) bool { return reads == open || strings.HasPrefix(reads, open+"/") }) {
			return model.BadInput("patch", "operation %d, %q, reads %.80q of a Secret; its values can be written, and not read", i, o.Op, reads)
		}
	}
	return nil
}

// mostVersion is how many digits a resource version has at most.
const mostVersion = 20

// versionForm names what is no resource version of an object.
func versionForm(version string) error {
	if version == "" || len(version) > mostVersion || version[0] == '0' || strings.Trim(version, "0123456789") != "" {
		return model.BadInput("resourceVersion", "is %.80q, which is no version of an object: give it as it was read", version)
	}
	return nil
}

// unknownFormat is in what API servers say of a patch of a type that they do not know for a kind.
const unknownFormat = "accepted media types include"

// known is an object with what it is before it is written, for the audit log. Nothing is read for a dry run.
func known(ctx context.Context, call *Call, object *karmada.Object) *karmada.Object {
	if call.Target.DryRun {
		return object
	}
	before, err := object.Get(ctx)
	if err != nil {
		return object
	}
	return object.Known(before)
}

// hide keeps what is written to a Secret out of the audit log.
func (a *PatchResource) hide(entry *audit.Entry, ref model.Ref, patch []byte) {
	var content any
	if json.Unmarshal(patch, &content) != nil {
		return
	}
	entry.Hide(audit.SecretValuesOf(content)...)
	if ref.GVK.Group == "" && ref.GVK.Kind == "Secret" {
		for _, text := range texts(content, nil) {
			entry.Hide(text)
			if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
				entry.Hide(string(plain))
			}
		}
	}
}

// texts are all texts of a JSON value.
func texts(value any, out []string) []string {
	switch v := value.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, item := range v {
			out = texts(item, out)
		}
	case map[string]any:
		for _, item := range v {
			out = texts(item, out)
		}
	}
	return out
}

// expecting is the patch with what the object has to be, which the API server checks in one step with the change. Large
// numbers stay as they are written.
func (a *PatchResource) expecting(ref model.Ref, patch []byte, version string) ([]byte, error) {
	expected := [][2]string{{"uid", a.UID}, {"resourceVersion", version}}
	if a.Type == model.PatchJSON {
		var operations []any
		if err := utiljson.Unmarshal(patch, &operations); err != nil {
			return nil, model.BadInput("patch", "is not an array of operations: %v", err)
		}
		for _, e := range expected {
			if e[1] != "" {
				operations = append(operations, map[string]any{"op": "replace", "path": "/metadata/" + e[0], "value": e[1]})
			}
		}
		return json.Marshal(operations)
	}
	var fields map[string]any
	if err := utiljson.Unmarshal(patch, &fields); err != nil {
		return nil, fmt.Errorf("decode a patch: %w", err)
	}
	metadata, ok := fields["metadata"].(map[string]any)
	if fields["metadata"] != nil && !ok {
		return nil, model.BadInput("patch", "metadata: is no object")
	}
	if metadata == nil {
		metadata = map[string]any{}
	}
	for _, e := range expected {
		if e[1] != "" {
			metadata[e[0]] = e[1]
		}
	}
	if a.Type == model.PatchApply {
		// What is applied names its object, which is the one of the id.
		for _, f := range []struct{ field, is string }{{"apiVersion", ref.APIVersion()}, {"kind", ref.GVK.Kind}} {
			if given, ok := fields[f.field]; ok && given != f.is {
				return nil, model.BadInput("patch", "%s: is %v, and the object's is %q", f.field, given, f.is)
			}
			fields[f.field] = f.is
		}
		metadata["name"] = ref.Name
		if ref.Namespace != "" {
			metadata["namespace"] = ref.Namespace
		}
	}
	if len(metadata) > 0 {
		fields["metadata"] = metadata
	}
	return json.Marshal(fields)
}

// conflictOf says what stands in the way of a change that failed because the object has another version than the one that was
// read: what others changed since, and what the change would still change of it now. Nil for other failures, and when no version was named.
func conflictOf(ctx context.Context, call *Call, object *karmada.Object, err error, read string, again func(*karmada.Object) ([]byte, error)) *model.Conflict {
	refused := (*karmada.Refused)(nil)
	if read == "" || !karmada.IsOutdated(err) || !errors.As(err, &refused) {
		return nil
	}
	now, err := object.Get(ctx)
	if err != nil {
		return nil // it is gone, or cannot be read: the refusal says enough
	}
	refused.Field = []string{"metadata", "resourceVersion"}
	out := &model.Conflict{}
	var notes []string
	note := func(what string, err error) { notes = append(notes, what+": "+reasonOf(err)) }
	if current, err := decoded(object.Ref, now); err == nil {
		out.Object = current
	} else {
		note("the object as it is now cannot be shown", err)
	}
	switch before, err := object.At(ctx, read); {
	case err != nil:
		note("what others changed is not known, since version "+read+" cannot be read any more", err)
	case before == nil:
		notes = append(notes, "what others changed is not known: there was no such object at version "+read)
	default:
		if out.Theirs = wanted(differences(object.Ref, before, now)); out.Theirs == nil {
			notes = append(notes, "what others changed cannot be compared")
		}
	}
	if mine, err := again(object.Trying()); err != nil {
		note("what the change would change now is not known, since it would be refused", err)
	} else if out.Yours = wanted(differences(object.Ref, now, mine)); out.Yours == nil {
		notes = append(notes, "what the change would change now cannot be compared")
	}
	if len(notes) > 0 {
		text := strings.Join(notes, "; ")
		out.Note = &text
	}
	return out
}

// wanted leaves out what programs reported meanwhile: nobody asked for it.
func wanted(changes []model.FieldChange) []model.FieldChange {
	return slices.DeleteFunc(changes, func(c model.FieldChange) bool { return c.Path == "/status" || strings.HasPrefix(c.Path, "/status/") })
}

// reasonOf is what people are told of an error: what an API server said, or that it did not answer.
func reasonOf(err error) string {
	var refused *karmada.Refused
	var known *model.Error
	switch {
	case errors.As(err, &refused):
		return refused.Message
	case errors.As(err, &known):
		return known.Message
	}
	return "it could not be read"
}

// Again returns the object as it is now.
func (a *PatchResource) Again(ctx context.Context, call *Call, _ []byte) (Changed, error) {
	object, err := a.now(ctx, call)
	return Changed{Object: object}, err
}
