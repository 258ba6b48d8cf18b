package event

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

func TestEventsAreReadAsTheyAreWritten(t *testing.T) {
	asia := "asia"
	for _, tt := range []struct {
		name, body string
		want       Event
	}{
		{
			"bindings with and without a scope",
			`{"id":"e1","type":"binding.upserted","source":"global-management","sequence":7,"bindings":[
				{"subject":{"kind":"User","name":"kairship:oidc:alice"},"role":"Editor","scope":{"instance":"asia","namespaces":["shop"]}},
				{"subject":{"kind":"Group","name":"kairship:host:ops"},"role":"Viewer"}]}`,
			Event{Header: Header{"e1", BindingUpserted, "global-management", 7}, Bindings: []Binding{
				{Subject: Subject{"User", "kairship:oidc:alice"}, Role: "Editor", Scope: Scope{Instance: &asia, Namespaces: []string{"shop"}}},
				{Subject: Subject{"Group", "kairship:host:ops"}, Role: "Viewer"},
			}},
		},
		{
			"subjects",
			`{"id":"e2","type":"subject.removed","source":"s","sequence":1,"subjects":[{"kind":"User","name":"kairship:oidc:alice"}]}`,
			Event{Header: Header{"e2", SubjectRemoved, "s", 1}, Subjects: []Subject{{"User", "kairship:oidc:alice"}}},
		},
		{
			"a full set that is empty",
			`{"id":"e3","type":"sync.full","source":"s","sequence":2,"bindings":[],"confirmRemovals":true}`,
			Event{Header: Header{"e3", SyncFull, "s", 2}, Bindings: []Binding{}, ConfirmRemovals: true},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("event (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsWrongWithAnEventIsNamed(t *testing.T) {
	event := func(rest string) string {
		return `{"id":"e1","type":"binding.upserted","source":"s","sequence":1,"bindings":[{"subject":{"kind":"User","name":"kairship:oidc:a"},"role":"Viewer"` + rest
	}
	for _, tt := range []struct{ name, body, field, says string }{
		{"nothing", ``, "", "not JSON"},
		{"no JSON", `{"id":`, "", "not JSON: see byte 6"},
		{"a list", `[]`, "", "must be a JSON object"},
		{"a number", `1`, "", "must be a JSON object"},
		{"two documents", `{"type":"sync.full"}{}`, "", "nothing behind it"},
		{"invalid UTF-8", "{\"type\":\"\xff\"}", "", "not JSON"},
		{"too deep", strings.Repeat(`{"a":`, 9) + "1" + strings.Repeat("}", 9), "", "deeper than 8"},
		{"no type", `{"id":"e1"}`, "type", "binding.upserted, binding.removed, subject.removed, sync.full"},
		{"an unknown type", `{"type":"binding.changed"}`, "type", "binding.upserted, binding.removed"},
		{"a type that is no string", `{"type":1}`, "type", "must be one of"},
		{"an unknown field", event(`}],"force":true}`), "force", "allowed are bindings, id, sequence, source, type"},
		{"a field of another type", event(`}],"confirmRemovals":true}`), "confirmRemovals", "is not known"},
		{"an unknown field of a binding", event(`,"namespaces":["a"]}]}`), "bindings.0.namespaces", "bindings[0].namespaces: is not known; allowed are role, scope, subject"},
		{"an unknown field of a scope", event(`,"scope":{"cluster":"a"}}]}`), "bindings.0.scope.cluster", "allowed are instance, namespaces"},
		{"another case", event(`,"Scope":{}}]}`), "bindings.0.Scope", "is not known"},
		{"a field twice", event(`,"role":"Admin"}]}`), "bindings.0.role", "is there twice"},
		{"a wrong type", event(`,"scope":{"instance":3}}]}`), "bindings.0.scope.instance", "must be a string"},
		{"text for a list", event(`,"scope":{"namespaces":"a"}}]}`), "bindings.0.scope.namespaces", "must be a list"},
		{"text for an object", event(`,"scope":"a"}]}`), "bindings.0.scope", "an object with instance, namespaces"},
		{"a number in a list", event(`,"scope":{"namespaces":["a",1]}}]}`), "bindings.0.scope.namespaces.1", "must be a string"},
		{"null for a limit", event(`,"scope":{"namespaces":null}}]}`), "bindings.0.scope.namespaces", "is null"},
		{"null for an instance", event(`,"scope":{"instance":null}}]}`), "bindings.0.scope.instance", "is null"},
		{"null for a scope", event(`,"scope":null}]}`), "bindings.0.scope", "is null"},
		{"a broken number", `{"id":"e1","type":"sync.full","source":"s","sequence":1.5,"bindings":[]}`, "sequence", "a whole number"},
		{"a number as text", `{"id":"e1","type":"sync.full","source":"s","sequence":"1","bindings":[]}`, "sequence", "a whole number"},
		{"sequence 0", `{"id":"e1","type":"sync.full","source":"s","sequence":0,"bindings":[]}`, "sequence", "from 1 to 9007199254740991"},
		{"a sequence that floats lose", `{"id":"e1","type":"sync.full","source":"s","sequence":9007199254740992,"bindings":[]}`, "sequence", "from 1 to 9007199254740991"},
		{"no id", `{"type":"sync.full","source":"s","sequence":1,"bindings":[]}`, "id", "is required"},
		{"an id with spaces", `{"id":"a b","type":"sync.full","source":"s","sequence":1,"bindings":[]}`, "id", "is required"},
		{"no source", `{"id":"a","type":"sync.full","sequence":1,"bindings":[]}`, "source", "is required"},
		{"a source that is no label", `{"id":"a","type":"sync.full","source":"S!","sequence":1,"bindings":[]}`, "source", "is required"},
		{"no bindings in a full set", `{"id":"a","type":"sync.full","source":"s","sequence":1}`, "bindings", "it is [] when there are none"},
		{"no bindings to change", `{"id":"a","type":"binding.removed","source":"s","sequence":1,"bindings":[]}`, "bindings", "at least one"},
		{"no subjects", `{"id":"a","type":"subject.removed","source":"s","sequence":1}`, "subjects", "at least one"},
		{"confirmation as text", `{"id":"a","type":"sync.full","source":"s","sequence":1,"bindings":[],"confirmRemovals":"yes"}`, "confirmRemovals", "true or false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode([]byte(tt.body))
			isAbout(t, err, tt.field, tt.says)
		})
	}
}

func TestWhatIsWrongWithASetIsNamed(t *testing.T) {
	for _, tt := range []struct{ name, body, field, says string }{
		{"an unknown field", `{"source":"s","sequence":1,"bindings":[],"id":"x"}`, "id", "allowed are bindings, confirmRemovals, sequence, source"},
		{"no bindings", `{"source":"s","sequence":1}`, "bindings", "is required"},
		{"null bindings", `{"source":"s","sequence":1,"bindings":null}`, "bindings", "is null"},
		{"a negative sequence", `{"source":"s","sequence":-1,"bindings":[]}`, "sequence", "from 0"},
		{"cut short", `{"source":"s","sequence":1,"bindings":[`, "", "not JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := DecodeSet([]byte(tt.body))
			isAbout(t, err, tt.field, tt.says)
		})
	}
	s, err := DecodeSet([]byte(`{"source":"s","sequence":0,"bindings":[]}`))
	if err != nil || s.Source != "s" || s.Bindings == nil {
		t.Errorf("an empty set: %+v, %v", s, err)
	}
}

// isAbout checks that an error names a field, whose path is joined by dots, and says something.
func isAbout(t *testing.T, err error, field, says string) {
	t.Helper()
	var known *model.Error
	if !errors.As(err, &known) || known.Code != model.CodeBadUserInput {
		t.Fatalf("want %s, got %v", model.CodeBadUserInput, err)
	}
	if got := strings.Join(known.Field, "."); got != field || !strings.Contains(known.Message, says) {
		t.Errorf("want field %q and %q, got %q and %q", field, says, got, known.Message)
	}
}
