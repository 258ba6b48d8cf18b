// Package workloadform knows what people edit of a workload, its form. One table of fields says for each kind where in the object
// each of them is; reading, writing, what no form shows, and where in the form an API server's complaint belongs all follow from
// it, by package overlay. It is pure: objects and forms in, objects and forms out.
package workloadform

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
)

// Form is a form as a tree: texts, whole numbers (int64), booleans, lists ([]any) and objects (map[string]any), by the names
// of the graph. A field that is absent says nothing; nil says that there is none.
type Form = map[string]any

// Read returns the form of a workload, and which paths of the object no form shows; see overlay.Hidden. The object may have any
// shape.
func Read(kind model.WorkloadKind, object map[string]any) (Form, []string) {
	return overlay.Said(overlay.Read(forms[kind], object)), overlay.Hidden(forms[kind], object)
}

// Apply changes in an object what a form says otherwise than Read does of it; nothing when there are problems.
func Apply(kind model.WorkloadKind, object map[string]any, form Form) []overlay.Problem {
	if problems := misplaced(kind, form); len(problems) > 0 {
		return problems
	}
	return overlay.Lay(forms[kind], object, form)
}

// misplaced are fields of a form that workloads of the kind do not have.
func misplaced(kind model.WorkloadKind, form Form) (out []overlay.Problem) {
	for _, f := range fields {
		if form[f.Name] != nil && !slices.ContainsFunc(forms[kind], func(has field) bool { return has.Name == f.Name }) {
			var kinds []string
			for _, k := range f.kinds {
				kinds = append(kinds, k.GVK().Kind+"s")
			}
			out = append(out, overlay.Problem{Field: []string{f.Name}, Why: fmt.Sprintf("a %s has none; %s have", kind.GVK().Kind, strings.Join(kinds, ", "))})
		}
	}
	return out
}

// New makes the workload of a form. Its pods are selected by the labels that the form gives them, where it does not say by which;
// without labels they get one with its name.
func New(kind model.WorkloadKind, namespace, name string, form Form) (map[string]any, []overlay.Problem) {
	if problems := misplaced(kind, form); len(problems) > 0 {
		return nil, problems
	}
	object, problems := overlay.New(forms[kind], form)
	if len(problems) > 0 {
		return nil, problems
	}
	o := unstructured.Unstructured{Object: object}
	o.SetGroupVersionKind(kind.GVK())
	o.SetNamespace(namespace)
	o.SetName(name)
	if kind == deployment || kind == statefulSet || kind == daemonSet {
		selecting(object, name)
	}
	return object, nil
}

// nameLabel is the label that pods get by which they are selected when they have none.
const nameLabel = "app.kubernetes.io/name"

// selecting has an object select its own pods.
func selecting(object map[string]any, name string) {
	labels, _, _ := unstructured.NestedMap(object, "spec", "template", "metadata", "labels")
	matched, _, _ := unstructured.NestedMap(object, "spec", "selector", "matchLabels")
	_, selects, _ := unstructured.NestedMap(object, "spec", "selector")
	if len(labels) == 0 {
		switch {
		case len(matched) > 0:
			labels = matched
		case selects:
			return // by expressions: which labels meet them is for who wrote them
		default:
			labels = map[string]any{nameLabel: name}
		}
		set(object, labels, "spec", "template", "metadata", "labels")
	}
	if !selects {
		set(object, labels, "spec", "selector", "matchLabels")
	}
}

// set puts a copy of a map into an object that a form made, in which what is on the way is an object.
func set(object, value map[string]any, path ...string) {
	_ = unstructured.SetNestedMap(object, value, path...)
}

// FieldOf is where in a form a field of the object is given, as far as the form knows it; nil for what no form shows.
func FieldOf(kind model.WorkloadKind, form Form, path []string) []string {
	return overlay.Where(forms[kind], form, path)
}

// forms are the fields of each kind.
var forms = func() map[model.WorkloadKind]form {
	out := map[model.WorkloadKind]form{}
	for _, kind := range model.WorkloadKinds {
		strategy, batch, pod := "spec.updateStrategy", "spec", "spec.template"
		switch kind {
		case deployment:
			strategy = "spec.strategy"
		case cronJob:
			batch, pod = "spec.jobTemplate.spec", "spec.jobTemplate.spec.template"
		}
		paths := strings.NewReplacer("@strategy", strategy, "@job", batch, "@pod", pod)
		for _, f := range fields {
			if f.kinds == nil || slices.Contains(f.kinds, kind) {
				f.At = paths.Replace(f.At)
				out[kind] = append(out[kind], f.field)
			}
		}
		for _, path := range ofServers {
			out[kind] = append(out[kind], field{At: path})
		}
	}
	return out
}()

// ofServers is what names the object, and what API servers note down: nothing that anybody would write.
var ofServers = []string{
	"apiVersion", "kind", "status", "metadata.name", "metadata.namespace", "metadata.uid", "metadata.resourceVersion", "metadata.generation",
	"metadata.creationTimestamp", "metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds", "metadata.managedFields", "metadata.selfLink",
}
