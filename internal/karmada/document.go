package karmada

import (
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
)

// lastAppliedAnnotation is kubectl's copy of its own last write: in a manifest that was read from a cluster it is
// somebody else's.
const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration"

// defaultNamespace is where namespaced objects go that name none.
const defaultNamespace = "default"

// StandInNamespace is where dry runs try objects whose namespace does not exist yet.
const StandInNamespace = defaultNamespace

// document is one object to apply and what became of it.
type document struct {
	index  int
	line   int
	object *unstructured.Unstructured
	gvk    schema.GroupVersionKind
	// mapping is nil until the instance is known to serve the kind.
	mapping *meta.RESTMapping
	outcome model.ApplyOutcome
	err     *model.UserError
}

// scan splits the input into sections and returns their size, with aliases expanded, before any is parsed. An error
// is about the input as a whole.
func scan(input string) ([]section, boundedyaml.Size, *model.UserError) {
	var all boundedyaml.Size
	sections := split(input)
	for i := range sections {
		all = all.Plus(sections[i].count())
		if all.Values > requestLimits.Values || all.Bytes > requestLimits.Bytes {
			return nil, all, &model.UserError{Code: string(model.CodeLimitExceeded), Field: []string{"manifests"},
				Message: fmt.Sprintf("manifests: hold more than the %d values or %d bytes that are allowed in one request, aliases spelled out; apply them in several", requestLimits.Values, requestLimits.Bytes)}
		}
	}
	return sections, all, nil
}

// documents parses sections. An error is about the input as a whole; each document holds its own.
func documents(sections []section) ([]*document, *model.UserError) {
	var docs []*document
	add := func(v value) {
		d := &document{index: len(docs), line: v.line}
		if v.err != nil {
			d.fail(model.CodeBadUserInput, nil, "document %d: %s", d.index, withLine(v.err.Error(), v.line))
		} else {
			d.read(v.object)
		}
		docs = append(docs, d)
	}
	for _, s := range sections {
		for _, v := range s.values() {
			for _, item := range items(v) {
				if len(docs) == MaxDocuments {
					return nil, &model.UserError{Code: string(model.CodeLimitExceeded), Field: []string{"manifests"},
						Message: fmt.Sprintf("manifests: holds more than %d documents", MaxDocuments)}
				}
				add(item)
			}
		}
	}
	if len(docs) == 0 {
		return nil, &model.UserError{Code: string(model.CodeBadUserInput), Field: []string{"manifests"},
			Message: "manifests: holds no document"}
	}
	return docs, nil
}

func withLine(message string, line int) string {
	if strings.HasPrefix(message, "line ") {
		return message
	}
	return fmt.Sprintf("line %d: %s", line, message)
}

// items returns the items of a List; any other object is its only item.
func items(v value) []value {
	kind, _ := v.object["kind"].(string)
	list, ok := v.object["items"].([]any)
	if !ok || !strings.HasSuffix(kind, "List") {
		return []value{v}
	}
	out := make([]value, 0, len(list))
	for i, item := range list {
		object, ok := item.(map[string]any)
		switch k, _ := object["kind"].(string); {
		case !ok:
			out = append(out, value{line: v.line, err: fmt.Errorf("items[%d] is %s, not an object", i, describe(item))})
		case k == "List":
			out = append(out, value{line: v.line, err: fmt.Errorf("items[%d] is a List in a List", i)})
		default:
			out = append(out, value{line: v.line, object: object})
		}
	}
	return out
}

// read extracts what identifies the object, and drops what the server sets.
func (d *document) read(object map[string]any) {
	d.object = &unstructured.Unstructured{Object: object}
	text := func(m map[string]any, key, field string) (string, bool) {
		v, there := m[key]
		s, ok := v.(string)
		if there && v != nil && !ok && d.err == nil {
			hint := ""
			switch v.(type) {
			case bool, int64, float64:
				hint = " (quote it)" // YAML took it for something else
			}
			d.fail(model.CodeBadUserInput, strings.Split(field, "."), "%s: must be a text, is %s%s", field, describe(v), hint)
		}
		return s, s != ""
	}
	apiVersion, haveVersion := text(object, "apiVersion", "apiVersion")
	kind, haveKind := text(object, "kind", "kind")
	metadata, _ := object["metadata"].(map[string]any)
	name, haveName := text(metadata, "name", "metadata.name")
	namespace, _ := text(metadata, "namespace", "metadata.namespace")
	_, generated := text(metadata, "generateName", "metadata.generateName")
	if d.err != nil {
		return
	}
	gv, err := schema.ParseGroupVersion(apiVersion)
	d.gvk = gv.WithKind(kind)
	missing := func(field string) {
		d.fail(model.CodeBadUserInput, strings.Split(field, "."), "%s: is missing", field)
	}
	switch {
	case !haveVersion:
		missing("apiVersion")
	case err != nil:
		d.fail(model.CodeBadUserInput, []string{"apiVersion"}, "apiVersion: %q is not a group and version", apiVersion)
	case !haveKind:
		missing("kind")
	case !haveName && generated:
		d.fail(model.CodeBadUserInput, []string{"metadata", "generateName"}, "metadata.generateName: cannot be applied, because what it names is new each time; give metadata.name")
	case !haveName:
		missing("metadata.name")
	default:
		for _, f := range [][2]string{{"name", name}, {"namespace", namespace}} {
			if why := path.IsValidPathSegmentName(f[1]); len(why) > 0 {
				d.fail(model.CodeBadUserInput, []string{"metadata", f[0]}, "metadata.%s: %q %s", f[0], f[1], strings.Join(why, ", "))
				return
			}
		}
	}
	d.clean(metadata)
}

func (d *document) clean(metadata map[string]any) {
	delete(metadata, "managedFields")
	if a, ok := metadata["annotations"].(map[string]any); ok {
		maps.DeleteFunc(a, func(k string, _ any) bool { return k == lastAppliedAnnotation })
	}
}

// place sets the default namespace of a namespaced object, and refuses a namespace on a cluster-scoped one.
func (d *document) place() {
	if d.mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		if d.object.GetNamespace() == "" {
			d.object.SetNamespace(defaultNamespace)
		}
		return
	}
	if ns := d.object.GetNamespace(); ns != "" {
		d.fail(model.CodeBadUserInput, []string{"metadata", "namespace"},
			"metadata.namespace: %s is cluster-scoped and lives in no namespace, but %q is given", d.gvk.Kind, ns)
	}
}

func (d *document) fail(code model.Code, field []string, format string, args ...any) {
	d.outcome = model.OutcomeFailed
	d.err = &model.UserError{Code: string(code), Message: fmt.Sprintf(format, args...), Field: field}
}

// identity is equal for documents that are the same object, whatever version they are written in.
type identity struct {
	group, kind, namespace, name string
}

func (d *document) identity() identity {
	return identity{d.gvk.Group, d.gvk.Kind, d.object.GetNamespace(), d.object.GetName()}
}

// result returns the outcome as its model.
func (d *document) result() model.DocumentOutcome {
	out := model.DocumentOutcome{Index: d.index, Outcome: d.outcome, Error: d.err}
	if d.object == nil {
		return out
	}
	text := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	out.APIVersion, out.Kind = text(d.object.GetAPIVersion()), text(d.object.GetKind())
	out.Namespace, out.Name = text(d.object.GetNamespace()), text(d.object.GetName())
	return out
}
