package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

// FuzzWhatIsReadIsWhatWasWritten: whatever is sent, what is read holds no more than was written, and what
// passes the checks gives no name of Kubernetes' own, and no more than it names. All else is an error that
// a sender can act on.
func FuzzWhatIsReadIsWhatWasWritten(f *testing.F) {
	for _, seed := range []string{
		`{"id":"e1","type":"binding.upserted","source":"s","sequence":7,"bindings":[{"subject":{"kind":"User","name":"kairship:oidc:alice"},"role":"Editor","scope":{"instance":"asia","namespaces":["shop"]}}]}`,
		`{"id":"e1","type":"binding.removed","source":"s","sequence":7,"bindings":[{"subject":{"kind":"Group","name":"system:masters"},"role":"Admin"}]}`,
		`{"id":"e2","type":"subject.removed","source":"s","sequence":1,"subjects":[{"kind":"User","name":"kairship:oidc:alice"}]}`,
		`{"id":"e3","type":"sync.full","source":"s","sequence":2,"bindings":[],"confirmRemovals":true}`,
		`{"source":"s","sequence":0,"bindings":[{"scope":{"namespaces":null}}]}`,
		`{"source":"s","sequence":0,"bindings":[{"scope":{"namespaces":[]}}],"x":{"~1":[[[]]]}}`,
		`{"` + strings.Repeat("a", 5000) + `":1,"type":"sync.full"}`, strings.Repeat(`{"a":`, 500) + `null`,
		`{"id":"a","id":"b"}`, `[`, `{"sequence":1e400}`, "{\"id\":\"\xff\"}", `{"type":{"type":"sync.full"}}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		e, err := Decode(body)
		if err == nil {
			compare(t, body, e)
			inspect(t, e.Source, e.Bindings)
		} else {
			told(t, err)
		}
		s, err := DecodeSet(body)
		if err == nil {
			compare(t, body, s)
			inspect(t, s.Source, s.Bindings)
		} else {
			told(t, err)
		}
		if !bytes.Equal(before, body) {
			t.Fatal("the body was changed")
		}
	})
}

// told checks that an error is one for a sender, and of a size that can be logged.
func told(t *testing.T, err error) {
	t.Helper()
	var known *model.Error
	if !errors.As(err, &known) || known.Code != model.CodeBadUserInput || known.Message == "" || len(known.Message) > 2000 {
		t.Fatalf("not an error that names what is wrong: %v", err)
	}
}

// compare checks that nothing was read that another decoder does not find.
func compare(t *testing.T, body []byte, got any) {
	t.Helper()
	var sent, read map[string]any
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatalf("read, but encoding/json says %v", err)
	}
	out, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &read); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"id", "type", "source", "sequence"} {
		if read[name] != nil && sent[name] != read[name] {
			t.Fatalf("%s: sent %v, read %v", name, sent[name], read[name])
		}
	}
	for _, name := range []string{"bindings", "subjects"} {
		was, _ := sent[name].([]any)
		is, _ := read[name].([]any)
		if len(was) != len(is) {
			t.Fatalf("%s: sent %d, read %d", name, len(was), len(is))
		}
	}
}

// inspect checks what passes the checks.
func inspect(t *testing.T, source string, bindings []Binding) {
	t.Helper()
	names := map[string]bool{}
	for i, refusal := range CheckAll(source, bindings) {
		b := bindings[i]
		if refusal != nil {
			continue
		}
		spec := b.Spec()
		if strings.HasPrefix(spec.Subject.Name, "system:") || !strings.HasPrefix(spec.Subject.Name, "kairship:") {
			t.Fatalf("subject %q passes", spec.Subject.Name)
		}
		if len(spec.Scope.Namespaces) != len(b.Scope.Namespaces) || b.Scope.Namespaces != nil && len(spec.Scope.Namespaces) == 0 ||
			b.Scope.Instance != nil && spec.Scope.Instance == "" {
			t.Fatalf("%+v becomes %+v", b.Scope, spec.Scope)
		}
		if names[b.Name(source)] {
			t.Fatalf("two bindings have the name %s", b.Name(source))
		}
		names[b.Name(source)] = true
	}
}
