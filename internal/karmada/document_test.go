package karmada

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

// found is what a test says of a document: its line, its name or what is wrong with it.
type found struct {
	Line  int
	Kind  string
	Name  string
	Error string
	Field string
}

// read scans an input and reads it.
func read(input string) ([]*document, *model.UserError) {
	sections, _, invalid := scan(input)
	if invalid != nil {
		return nil, invalid
	}
	return documents(sections)
}

func find(t *testing.T, input string) []found {
	t.Helper()
	docs, invalid := read(input)
	if invalid != nil {
		t.Fatalf("the input as a whole is refused: %s", invalid.Message)
	}
	var out []found
	for i, d := range docs {
		if d.index != i {
			t.Errorf("document %d says it is %d", i, d.index)
		}
		f := found{Line: d.line}
		if d.err != nil {
			f.Error, f.Field = d.err.Message, strings.Join(d.err.Field, ".")
			if d.outcome != model.OutcomeFailed || d.err.Code != string(model.CodeBadUserInput) {
				t.Errorf("document %d is %s with %s, want FAILED with BAD_USER_INPUT", i, d.outcome, d.err.Code)
			}
		} else {
			f.Kind, f.Name = d.object.GetKind(), d.object.GetName()
		}
		out = append(out, f)
	}
	return out
}

func TestDocuments(t *testing.T) {
	const a, b = "apiVersion: v1\nkind: A\nmetadata: {name: a}\n", "apiVersion: v1\nkind: B\nmetadata: {name: b}\n"
	const ja, jb = `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}`, `{"apiVersion":"v1","kind":"B","metadata":{"name":"b"}}`
	cases := []struct {
		name  string
		input string
		want  []found
	}{
		{"one YAML document", a, []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"separators make documents, each knows its line", a + "---\n" + b, []found{{Line: 1, Kind: "A", Name: "a"}, {Line: 4, Kind: "B", Name: "b"}}},
		{"blank and commented documents do not count", "---\n# nothing\n---\n\n---\n" + a + "---\n", []found{{Line: 5, Kind: "A", Name: "a"}}},
		{"null does not count", "null\n---\n" + a, []found{{Line: 2, Kind: "A", Name: "a"}}},
		{"a comment may follow a separator", "--- # first\n" + a, []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"a document may begin on the separator's line", "--- {apiVersion: v1, kind: A, metadata: {name: a}}\n", []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"three dots end a document", a + "...\n" + b, []found{{Line: 1, Kind: "A", Name: "a"}, {Line: 5, Kind: "B", Name: "b"}}},
		{"a directive may go before", "%YAML 1.1\n---\n" + a, []found{{Line: 2, Kind: "A", Name: "a"}}},
		{"four dashes separate nothing", "apiVersion: v1\nkind: A\nmetadata: {name: a}\ndata:\n  x: |\n    ----\n    ---\n", []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"lines may end in carriage returns", strings.ReplaceAll(a+"---\n"+b, "\n", "\r\n"), []found{{Line: 1, Kind: "A", Name: "a"}, {Line: 4, Kind: "B", Name: "b"}}},
		{"lines may end in returns alone", strings.ReplaceAll(a+"---\n"+b, "\n", "\r"), []found{{Line: 1, Kind: "A", Name: "a"}, {Line: 4, Kind: "B", Name: "b"}}},
		{"lines may end as Unicode has it", a + "...\u2028" + b + "---\u2029" + a + "---\u0085" + b + "\u2028--- # again\n" + a,
			[]found{{Line: 1, Kind: "A", Name: "a"}, {Line: 5, Kind: "B", Name: "b"}, {Line: 8, Kind: "A", Name: "a"}, {Line: 12, Kind: "B", Name: "b"}, {Line: 17, Kind: "A", Name: "a"}}},
		{"what follows the end of a document by a return is one", a + "...\r@\n", []found{{Line: 1, Kind: "A", Name: "a"}, {Line: 5, Error: "document 1: line 5: found character that cannot start any token"}}},
		{"what a comment of returns is followed by counts", "# c\r" + a, []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"what Helm writes", "---\n# Source: app/templates/a.yaml\n" + a + "---\n# Source: app/templates/none.yaml\n---\n# Source: app/templates/b.yaml\n" + b,
			[]found{{Line: 1, Kind: "A", Name: "a"}, {Line: 8, Kind: "B", Name: "b"}}},
		{"a byte order mark is no content", "\ufeff" + a, []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"JSON", ja, []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"JSON objects may follow each other", ja + "\n\n" + jb + ja, []found{{Line: 1, Kind: "A", Name: "a"}, {Line: 3, Kind: "B", Name: "b"}, {Line: 3, Kind: "A", Name: "a"}}},
		{"JSON with tabs, which YAML forbids", "{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"A\", \"metadata\": {\"name\": \"a\"}}", []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"JSON and YAML in one input", ja + "\n---\n" + b, []found{{Line: 1, Kind: "A", Name: "a"}, {Line: 2, Kind: "B", Name: "b"}}},
		{"a List counts as its items", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\n- {apiVersion: v1, kind: B, metadata: {name: b}}\n---\n" + a,
			[]found{{Line: 1, Kind: "A", Name: "a"}, {Line: 1, Kind: "B", Name: "b"}, {Line: 6, Kind: "A", Name: "a"}}},
		{"so does the List of a kind", `{"apiVersion":"v1","kind":"AList","items":[` + ja + `]}`, []found{{Line: 1, Kind: "A", Name: "a"}}},
		{"an item that is no object", "apiVersion: v1\nkind: List\nitems: [3]\n", []found{{Line: 1, Error: "document 0: line 1: items[0] is a number, not an object"}}},
		{"a List in a List", "kind: List\nitems:\n- kind: List\n", []found{{Line: 1, Error: "document 0: line 1: items[0] is a List in a List"}}},

		{"YAML that does not parse names its document and line, and spoils no other", a + "---\nkind: B\n  bad: indent\n---\n" + b,
			[]found{{Line: 1, Kind: "A", Name: "a"}, {Line: 4, Error: "document 1: line 6: mapping values are not allowed in this context"}, {Line: 7, Kind: "B", Name: "b"}}},
		{"a key that is given twice", "kind: A\nkind: B\n", []found{{Line: 1, Error: `document 0: line 2: key "kind" already set in map`}}},
		{"a field that is given twice in JSON", `{"kind":"A","kind":"B"}`, []found{{Line: 1, Error: `document 0: line 1: duplicate field "kind"`}}},
		{"JSON that does not parse", "\n{\"kind\":\n", []found{{Line: 1, Error: "document 0: line 2: did not find expected node content"}}},
		{"a list", "- a\n- b\n", []found{{Line: 1, Error: "document 0: line 1: is a list, not an object"}}},
		{"a text", "hello\n", []found{{Line: 1, Error: "document 0: line 1: is a text, not an object"}}},

		{"no API version", "kind: A\nmetadata: {name: a}\n", []found{{Line: 1, Error: "apiVersion: is missing", Field: "apiVersion"}}},
		{"an API version of three parts", "apiVersion: a/b/c\nkind: A\nmetadata: {name: a}\n", []found{{Line: 1, Error: `apiVersion: "a/b/c" is not a group and version`, Field: "apiVersion"}}},
		{"no kind", "apiVersion: v1\nmetadata: {name: a}\n", []found{{Line: 1, Error: "kind: is missing", Field: "kind"}}},
		{"no name", "apiVersion: v1\nkind: A\n", []found{{Line: 1, Error: "metadata.name: is missing", Field: "metadata.name"}}},
		{"a name that is a number", "apiVersion: v1\nkind: A\nmetadata: {name: 3}\n", []found{{Line: 1, Error: "metadata.name: must be a text, is a number (quote it)", Field: "metadata.name"}}},
		{"a name that YAML takes for something else", "apiVersion: v1\nkind: A\nmetadata: {name: no}\n", []found{{Line: 1, Error: "metadata.name: must be a text, is true or false (quote it)", Field: "metadata.name"}}},
		{"a name that is made up by the server", "apiVersion: v1\nkind: A\nmetadata: {generateName: a-}\n",
			[]found{{Line: 1, Error: "metadata.generateName: cannot be applied, because what it names is new each time; give metadata.name", Field: "metadata.generateName"}}},
		{"a name that leads elsewhere", "apiVersion: v1\nkind: A\nmetadata: {name: ..}\n", []found{{Line: 1, Error: `metadata.name: ".." may not be '..'`, Field: "metadata.name"}}},
		{"a namespace that leads elsewhere", "apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: b/c}\n", []found{{Line: 1, Error: `metadata.namespace: "b/c" may not contain '/'`, Field: "metadata.namespace"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, find(t, c.input)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDocumentsAsAWholeAreRefused(t *testing.T) {
	one := "{apiVersion: v1, kind: A, metadata: {name: a}}\n---\n"
	cases := []struct{ name, input, code, message string }{
		{"nothing", "", "BAD_USER_INPUT", "manifests: holds no document"},
		{"nothing but comments", "# a\n---\n# b\n", "BAD_USER_INPUT", "manifests: holds no document"},
		{"too many documents", strings.Repeat(one, MaxDocuments+1), "LIMIT_EXCEEDED", "manifests: holds more than 500 documents"},
		{"too many JSON objects", strings.Repeat(`{"kind":"A"}`, MaxDocuments+1), "LIMIT_EXCEEDED", "manifests: holds more than 500 documents"},
		{"documents that are too much together", strings.Repeat("{a: &a "+strings.Repeat("x", 2_000)+", b: ["+strings.Repeat("*a,", 400)+"]}\n---\n", 20), "LIMIT_EXCEEDED",
			"manifests: hold more than the 100000 values or 6291456 bytes that are allowed in one request, aliases spelled out; apply them in several"},
		{"too many items", "kind: List\nitems:\n" + strings.Repeat("- kind: A\n", MaxDocuments+1), "LIMIT_EXCEEDED", "manifests: holds more than 500 documents"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			docs, got := read(c.input)
			want := &model.UserError{Code: c.code, Message: c.message, Field: []string{"manifests"}}
			if diff := cmp.Diff(want, got); diff != "" || docs != nil {
				t.Errorf("got %d documents and (-want +got):\n%s", len(docs), diff)
			}
		})
	}
	if docs, invalid := read(strings.Repeat(one, MaxDocuments)); invalid != nil || len(docs) != MaxDocuments {
		t.Errorf("exactly as many as allowed: got %d documents and %v", len(docs), invalid)
	}
}

func TestADocumentMayNotBeTooLong(t *testing.T) {
	big := strings.Repeat("x", MaxDocumentBytes)
	aliases := "apiVersion: v1\nkind: A\nmetadata: {name: a}\ndata: &d\n  x: " + strings.Repeat("y", MaxDocumentBytes/2) + "\n"
	for i := range 8 {
		aliases += fmt.Sprintf("d%d: *d\n", i)
	}
	cases := []struct{ name, input, want string }{
		{"YAML", "kind: " + big, "document 0: line 1: has 1048582 bytes, at most 1048576 are allowed"},
		{"JSON", `{"kind":"` + big + `"}`, "document 0: line 1: has 1048587 bytes, at most 1048576 are allowed"},
		{"YAML that its aliases make long", aliases, "document 0: line 10: has more than the 3145728 bytes that are allowed, its aliases spelled out"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff([]found{{Line: 1, Error: c.want}}, find(t, c.input)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJSONObjectsMayBeLongerTogetherThanOneMayBe(t *testing.T) {
	one := `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"data":{"x":"` + strings.Repeat("x", MaxDocumentBytes*2/3) + `"}}`
	want := []found{{Line: 1, Kind: "A", Name: "a"}, {Line: 2, Kind: "A", Name: "a"}}
	if diff := cmp.Diff(want, find(t, one+"\n"+one)); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

func TestWhatTheServerKeepsIsDroppedFromManifests(t *testing.T) {
	docs, invalid := read(`apiVersion: v1
kind: A
metadata:
  name: a
  resourceVersion: "7"
  managedFields: [{manager: kubectl}]
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", mine: "1"}
`)
	if invalid != nil {
		t.Fatal(invalid.Message)
	}
	want := map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{
		"name": "a", "resourceVersion": "7", "annotations": map[string]any{"mine": "1"}}}
	if diff := cmp.Diff(want, docs[0].object.Object); diff != "" {
		t.Errorf("object (-want +got):\n%s", diff)
	}
}

func TestOrder(t *testing.T) {
	kinds := func(docs []*document) (out []string) {
		for _, d := range docs {
			out = append(out, d.gvk.Kind+"/"+d.object.GetName())
		}
		return out
	}
	given := []string{
		"example.io/v1 Widget w", "apps/v1 Deployment d", "v1 Service s", "batch/v1 CronJob c", "rbac.authorization.k8s.io/v1 RoleBinding rb",
		"rbac.authorization.k8s.io/v1 Role r", "v1 ConfigMap m2", "v1 ConfigMap m1", "v1 ServiceAccount sa", "v1 ResourceQuota q",
		"policy.karmada.io/v1alpha1 PropagationPolicy p", "policy.karmada.io/v1alpha1 OverridePolicy o",
		"apiextensions.k8s.io/v1 CustomResourceDefinition crd", "v1 Namespace shop", "example.io/v1 Namespace not-that-one",
	}
	want := []string{"Namespace/shop", "CustomResourceDefinition/crd", "OverridePolicy/o", "PropagationPolicy/p", "ResourceQuota/q",
		"ServiceAccount/sa", "ConfigMap/m2", "ConfigMap/m1", "Role/r", "RoleBinding/rb", "Service/s", "Deployment/d", "CronJob/c",
		"Widget/w", "Namespace/not-that-one"}
	var input strings.Builder
	for _, g := range given {
		f := strings.Fields(g)
		fmt.Fprintf(&input, "---\n{apiVersion: %s, kind: %s, metadata: {name: %s}}\n", f[0], f[1], f[2])
	}
	docs, invalid := read(input.String())
	if invalid != nil {
		t.Fatal(invalid.Message)
	}
	if diff := cmp.Diff(want, kinds(order(docs))); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if docs[0].gvk.Kind != "Widget" {
		t.Errorf("the documents as given begin with %s, want Widget", docs[0].gvk.Kind)
	}
}
