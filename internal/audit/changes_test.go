package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

func to(path, value string) model.FieldChange { return model.FieldChange{Path: path, To: &value} }

func TestNoSecretIsInTheChangesOfAnEvent(t *testing.T) {
	hidden := redact.NewValues([]string{"correct horse"})
	for _, tc := range []struct{ path, value, want string }{
		{"/spec/replicas", "3", "3"},
		{"/spec/template/spec/containers[name=web]/image", "registry.example/web:2", "registry.example/web:2"},
		{"/spec/template/spec/containers[name=web]/env[name=DB_PASSWORD]/value", "hunter2!", redact.Mark},
		{"/spec/template/spec/containers[name=web]/env[name=API_KEY]/value", "abc", redact.Mark},
		{"/spec/template/spec/volumes[name=tls]/secret/secretName", "tls", "tls"},
		{"/spec/template/spec/containers[name=web]/env[name=A]/valueFrom/secretKeyRef/name", "db", "db"},
		{"/data/token", "<hidden: 12 bytes>", "<hidden: 12 bytes>"},
		{"/data/config", "url: https://ann:pw@db.example", "url: https://" + redact.Mark + "@db.example"},
		{"/data/words", "the correct horse", "the " + redact.Mark},
	} {
		got := tidyChanges([]model.FieldChange{to(tc.path, tc.value)}, hidden, false)
		if len(got) != 1 || got[0].To == nil || *got[0].To != tc.want {
			t.Errorf("%s %q is kept as %v, want %q", tc.path, tc.value, *got[0].To, tc.want)
		}
	}
}

func TestTheChangesOfAnEventAreBounded(t *testing.T) {
	var many []model.FieldChange
	for i := range 500 {
		many = append(many, to(fmt.Sprint("/spec/", i), "x"))
	}
	got := tidyChanges(many, redact.Values{}, false)
	if diff := cmp.Diff(model.FieldChange{Path: changesLeftOut}, got[len(got)-1]); len(got) != maxChanges+1 || diff != "" {
		t.Errorf("%d changes are kept: %s", len(got), diff)
	}
	for i := range many {
		many[i] = to(strings.Repeat("p", 5000), strings.Repeat("ä", 50_000))
	}
	size := 0
	for _, c := range tidyChanges(many, redact.Values{}, false) {
		size += len(c.Path) + length(c.To)
	}
	if size > maxChangeBytes {
		t.Errorf("%d bytes are kept", size)
	}
	if tidyChanges(nil, redact.Values{}, false) != nil {
		t.Error("no changes are some")
	}
}
