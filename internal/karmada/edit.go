package karmada

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/model"
)

// editAttempts is how often an edit is made anew because somebody else changed the object in between.
const editAttempts = 4

// Edit reads the object, has change change it, and sends what is different then, on condition that nobody else changed
// the object in between: change is called again with what the object became, up to editAttempts times, unless a version
// is expected. An error of change ends the edit. Without a difference nothing but a dry run is sent.
func (o *Object) Edit(ctx context.Context, expected Expected, change func(object map[string]any) error) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		before, err := o.Get(ctx)
		if err != nil {
			return nil, err
		}
		patch, held, err := o.difference(before, expected, change)
		if patch == nil && err == nil {
			// There is nothing to send. Whether they may is asked all the same: who may not is told so, and is not recorded as who did.
			return o.Trying().Merge(ctx, Expected{UID: held.UID}, nil)
		}
		var after []byte
		if err == nil {
			after, err = o.Known(before).change(ctx, held, before, patch)
		}
		if !IsOutdated(err) || attempt == editAttempts {
			return after, err
		}
		if expected.ResourceVersion == "" {
			continue
		}
		now, same := o.SameAs(ctx, expected.ResourceVersion)
		if !same {
			return after, err
		}
		expected.ResourceVersion = now
	}
}

// SameAs reports whether the object is as it was at a resource version but for its status, which says nothing of what people want, and
// changes many times while a workload rolls out. now is its version.
func (o *Object) SameAs(ctx context.Context, version string) (now string, unchanged bool) {
	current, err := o.Get(ctx)
	if err != nil {
		return "", false
	}
	before, err := o.At(ctx, version)
	if err != nil || before == nil {
		return "", false
	}
	var was, is map[string]any
	if utiljson.Unmarshal(before, &was) != nil || utiljson.Unmarshal(current, &is) != nil {
		return "", false
	}
	for _, object := range []map[string]any{was, is} { // items of lists are without
		delete(object, "apiVersion")
		delete(object, "kind")
	}
	now, _, _ = unstructured.NestedString(is, "metadata", "resourceVersion")
	return now, same(was, is)
}

// change sends a merge patch, as operations where it has a null in a list: a merge patch would take away the field that is null, and
// in a list there is no such meaning.
func (o *Object) change(ctx context.Context, held Expected, before []byte, patch map[string]any) ([]byte, error) {
	if !nullInList(patch, false) {
		return o.Merge(ctx, held, patch)
	}
	var object map[string]any
	if err := utiljson.Unmarshal(before, &object); err != nil {
		return nil, fmt.Errorf("decode %s %q: %w", o.Ref.GVK.Kind, o.Ref.Name, err)
	}
	operations := operationsOf(object, patch, "", []map[string]any{
		{"op": "replace", "path": "/metadata/uid", "value": held.UID}, {"op": "replace", "path": "/metadata/resourceVersion", "value": held.ResourceVersion}})
	raw, err := json.Marshal(operations)
	if err != nil {
		return nil, fmt.Errorf("encode a patch of %s %q: %w", o.Ref.GVK.Kind, o.Ref.Name, err)
	}
	return o.Patch(ctx, types.JSONPatchType, raw, false)
}

// nullInList reports whether a value has a null below a list.
func nullInList(value any, inList bool) bool {
	switch v := value.(type) {
	case nil:
		return inList
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return nullInList(item, true) })
	case map[string]any:
		for _, inner := range v {
			if nullInList(inner, inList) {
				return true
			}
		}
	}
	return false
}

// operationsOf adds the operations of RFC 6902 that do to an object what a merge patch does, but for nulls in lists.
func operationsOf(object, patch map[string]any, path string, out []map[string]any) []map[string]any {
	for _, key := range slices.Sorted(maps.Keys(patch)) {
		at := path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		before, has := object[key]
		switch v := patch[key].(type) {
		case nil:
			if has {
				out = append(out, map[string]any{"op": "remove", "path": at})
			}
		case map[string]any:
			inner, isObject := before.(map[string]any)
			if !isObject {
				inner = map[string]any{}
				out = append(out, map[string]any{"op": "add", "path": at, "value": inner})
			}
			out = operationsOf(inner, v, at, out)
		default:
			out = append(out, map[string]any{"op": "add", "path": at, "value": v})
		}
	}
	return out
}

// IsOutdated reports that a write failed because the object has another version by now.
func IsOutdated(err error) bool {
	refused := (*Refused)(nil)
	return errors.As(err, &refused) && refused.Code == string(model.CodeConflict) && (len(refused.Field) == 0 || refused.About("metadata", "resourceVersion"))
}

// difference is the merge patch of a change, nil for none, and the version of the object that it is made for.
func (o *Object) difference(before []byte, expected Expected, change func(map[string]any) error) (map[string]any, Expected, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(before, &object); err != nil {
		return nil, expected, fmt.Errorf("decode %s %q: %w", o.Ref.GVK.Kind, o.Ref.Name, err)
	}
	metadata, _ := object["metadata"].(map[string]any)
	held := Expected{UID: text(metadata, "uid"), ResourceVersion: text(metadata, "resourceVersion")}
	if err := expected.Meets(held); err != nil {
		return nil, held, err
	}
	if err := change(object); err != nil {
		return nil, held, err
	}
	after, err := json.Marshal(object)
	if err != nil {
		return nil, held, fmt.Errorf("encode %s %q: %w", o.Ref.GVK.Kind, o.Ref.Name, err)
	}
	raw, err := jsonpatch.CreateMergePatch(before, after)
	if err != nil {
		return nil, held, fmt.Errorf("compare %s %q with what it is to be: %w", o.Ref.GVK.Kind, o.Ref.Name, err)
	}
	var patch map[string]any
	if err := utiljson.Unmarshal(raw, &patch); err != nil || len(patch) == 0 {
		return nil, held, err
	}
	return patch, held, nil
}

func text(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}
