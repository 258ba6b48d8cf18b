// Package workloadform reads what people edit of a workload, its form, and lays a form over a workload by what is different:
// what the form does not know of it stays, within containers and volumes too. One table of fields says for each kind where
// in the object each of them is; reading, writing, what no form shows, and where in the form an API server's complaint belongs
// all follow from it. It is pure: objects and forms in, objects and forms out.
package workloadform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// Form is a form as a tree: texts, whole numbers (int64), booleans, lists ([]any) and objects (map[string]any), by the names
// of the graph. A field that is absent says nothing; nil says that there is none.
type Form = map[string]any

// Problem is what is wrong with a form.
type Problem struct {
	// Field is the path in the form.
	Field   []string
	Message string
}

// Bounds of what is read of and written by a form.
const (
	maxHidden   = 500
	maxProblems = 20
	maxValues   = 20_000
)

// Read returns the form of a workload, and which paths of the object no form shows: at most maxHidden, and then how many more. The
// object may have any shape.
func Read(kind model.WorkloadKind, object map[string]any) (Form, []string) {
	r := &reader{hidden: []string{}}
	form := Form{}
	tables[kind].tree().show(r, "", object, form)
	if r.more > 0 {
		r.hidden = append(r.hidden, fmt.Sprintf("… and %d more", r.more))
	}
	return form, r.hidden
}

// Apply changes in an object what a form says otherwise than Read does of it. With problems the object is not to be used.
func Apply(kind model.WorkloadKind, object map[string]any, form Form) []Problem {
	w := &writer{}
	if n := count(form, maxValues); n > maxValues {
		w.problem(nil, "holds more than %d values", maxValues)
		return w.problems
	}
	for _, f := range fields {
		if form[f.name] != nil && !f.isFor(kind) {
			w.problem([]string{f.name}, "a %s has none; %s have", kind.GVK().Kind, strings.Join(kindNames(f.kinds), ", "))
		}
	}
	tables[kind].set(w, nil, object, form)
	return w.problems
}

// New makes the workload of a form. Its pods are selected by the labels that the form gives them, where it does not say by which;
// without labels they get one with its name.
func New(kind model.WorkloadKind, namespace, name string, form Form) (map[string]any, []Problem) {
	gvk := kind.GVK()
	object := map[string]any{
		"apiVersion": gvk.GroupVersion().String(), "kind": gvk.Kind,
		"metadata": map[string]any{"namespace": namespace, "name": name},
	}
	if problems := Apply(kind, object, form); len(problems) > 0 {
		return nil, problems
	}
	if kind == deployment || kind == statefulSet || kind == daemonSet {
		selecting(object, name)
	}
	return object, nil
}

// nameLabel is the label that pods get by which they are selected when they have none.
const nameLabel = "app.kubernetes.io/name"

// selecting has an object select its own pods.
func selecting(object map[string]any, name string) {
	spec := within(object, "spec")
	labels, _ := lookup(spec, []string{"template", "metadata", "labels"}).(map[string]any)
	selector, selects := spec["selector"].(map[string]any)
	if len(labels) == 0 {
		labels = map[string]any{nameLabel: name}
		if matched, ok := selector["matchLabels"].(map[string]any); ok && len(matched) > 0 {
			labels = matched
		} else if selects {
			return // by expressions: which labels meet them is for who wrote them
		}
		within(spec, "template", "metadata")["labels"] = copied(labels)
	}
	if !selects {
		spec["selector"] = map[string]any{"matchLabels": copied(labels)}
	}
}

// FieldOf is where in a form a field of the object is given, as far as the form knows it; nil for what no form shows.
func FieldOf(kind model.WorkloadKind, form Form, path []string) []string {
	return tables[kind].find(path, form)
}

// isFor reports whether workloads of a kind have the field.
func (f *field) isFor(kind model.WorkloadKind) bool {
	return f.kinds == nil || slices.Contains(f.kinds, kind)
}

func kindNames(kinds []model.WorkloadKind) (out []string) {
	for _, k := range kinds {
		out = append(out, k.GVK().Kind+"s")
	}
	return out
}

// tables are the fields of each kind.
var tables = func() map[model.WorkloadKind]*object {
	out := map[model.WorkloadKind]*object{}
	for _, kind := range model.WorkloadKinds {
		strategy, batch, pod := "spec.updateStrategy", "spec", "spec.template"
		switch kind {
		case deployment:
			strategy = "spec.strategy"
		case cronJob:
			batch, pod = "spec.jobTemplate.spec", "spec.jobTemplate.spec.template"
		}
		paths := strings.NewReplacer("@strategy", strategy, "@job", batch, "@pod", pod)
		o := &object{ignored: ofServers}
		for _, f := range fields {
			if !f.isFor(kind) {
				continue
			}
			f.path = paths.Replace(f.path)
			if f.of == podPairs && kind != job {
				f.of = allPairs
			}
			o.fields = append(o.fields, f)
		}
		out[kind] = o
	}
	return out
}()

// ofServers is what names the object, and what API servers note down: nothing that anybody would write.
var ofServers = []string{
	"apiVersion", "kind", "status", "metadata.name", "metadata.namespace", "metadata.uid", "metadata.resourceVersion", "metadata.generation",
	"metadata.creationTimestamp", "metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds", "metadata.managedFields", "metadata.selfLink",
}
