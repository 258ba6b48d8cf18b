package registry

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// annotationReference on an Instance names the object that it is registered by. It is written before that object, so
// that nothing is left behind when another kind is configured.
const annotationReference = v1alpha1.AnnotationPrefix + "registered-by"

// reference names an object of any kind.
type reference struct {
	kind      schema.GroupVersionKind
	namespace string
	name      string
}

// String is the form of the annotation: Kind.version.group/namespace/name.
func (r reference) String() string {
	return fmt.Sprintf("%s.%s.%s/%s/%s", r.kind.Kind, r.kind.Version, r.kind.Group, r.namespace, r.name)
}

// text is for people.
func (r reference) text() string {
	name := r.name
	if r.namespace != "" {
		name = r.namespace + "/" + r.name
	}
	return fmt.Sprintf("%s %q", r.kind.Kind, name)
}

func (r reference) key() client.ObjectKey {
	return client.ObjectKey{Namespace: r.namespace, Name: r.name}
}

func (r reference) object() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(r.kind)
	u.SetNamespace(r.namespace)
	u.SetName(r.name)
	return u
}

func parseReference(text string) (reference, bool) {
	kind, rest, _ := strings.Cut(text, "/")
	namespace, name, ok := strings.Cut(rest, "/")
	gvk, _ := schema.ParseKindArg(kind)
	if !ok || gvk == nil || name == "" || strings.Contains(name, "/") {
		return reference{}, false
	}
	return reference{kind: *gvk, namespace: namespace, name: name}, true
}

// ParseKind reads a kind in the form Kind.version.group, such as GlobalResource.v1alpha1.kairship.io.
func ParseKind(text string) (schema.GroupVersionKind, error) {
	kind, _ := schema.ParseKindArg(text)
	if kind == nil || kind.Kind == "" || !strings.HasPrefix(kind.Version, "v") || kind.Group == "" {
		return schema.GroupVersionKind{}, fmt.Errorf("%q is not a kind in the form Kind.version.group, such as %s.%s.%s",
			text, v1alpha1.GlobalResourceKind.Kind, v1alpha1.GlobalResourceKind.Version, v1alpha1.GlobalResourceKind.Group)
	}
	return *kind, nil
}

// nameOf is the name of the object that an instance is registered by.
func nameOf(instance string) string { return namePrefix + instance }

const namePrefix = "instance-"

// ours reports whether an object was made for an instance: by its labels, or, where somebody has changed those, by its
// name and its field manager.
func ours(o metav1.Object, instance string) bool {
	return labelled(o, labelsOf(instance)) || o.GetName() == nameOf(instance) && wroteSome(o)
}

// wroteSome reports whether this controller wrote fields of an object.
func wroteSome(o metav1.Object) bool {
	for _, f := range o.GetManagedFields() {
		if f.Manager == string(fieldOwner) {
			return true
		}
	}
	return false
}

// labelsOf are those of the object that an instance is registered by.
func labelsOf(instance string) map[string]string {
	return map[string]string{v1alpha1.LabelInstance: instance, v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship}
}

// labelled reports whether an object has these labels.
func labelled(o metav1.Object, want map[string]string) bool {
	have := o.GetLabels()
	for key, value := range want {
		if have[key] != value {
			return false
		}
	}
	return true
}
