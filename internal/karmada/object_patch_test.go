package karmada

import (
	"encoding/json"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/google/go-cmp/cmp"
)

// Operations do what the merge patch would, and leave nulls in lists as they are.
func TestOperationsOfAMergePatch(t *testing.T) {
	const before = `{"a":1,"gone":{"x":1},"list":[1],"deep":{"a/b":1,"keep":2},"text":"t"}`
	const patch = `{"a":2,"gone":null,"never":null,"list":[{"v":null}],"deep":{"a/b":3,"new~":{"x":[null]}},"text":{"is":"object"}}`
	var object, fields map[string]any
	for text, into := range map[string]*map[string]any{before: &object, patch: &fields} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	if !nullInList(fields, false) || nullInList(map[string]any{"a": nil, "b": []any{1}}, false) {
		t.Error("nulls in lists are not told from others")
	}
	raw, err := json.Marshal(operationsOf(object, fields, "", nil))
	if err != nil {
		t.Fatal(err)
	}
	operations, err := jsonpatch.DecodePatch(raw)
	if err != nil {
		t.Fatal(err)
	}
	after, err := operations.Apply([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	var got, want map[string]any
	if err := json.Unmarshal(after, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{"a":2,"list":[{"v":null}],"deep":{"a/b":3,"keep":2,"new~":{"x":[null]}},"text":{"is":"object"}}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
