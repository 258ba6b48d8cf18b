package access

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/connection"
)

// namePrefix begins the name of everything that Kairship makes inside a Karmada.
const namePrefix = "kairship:"

// administrators is the name of the binding that makes Kairship's administrators those of a Karmada.
const administrators = namePrefix + "administrators"

const rbacGroup = "rbac.authorization.k8s.io"

var (
	bindings    = schema.GroupVersionResource{Group: rbacGroup, Version: "v1", Resource: "clusterrolebindings"}
	bindingKind = schema.GroupVersionKind{Group: rbacGroup, Version: "v1", Kind: "ClusterRoleBinding"}
)

// ours are the bindings in a Karmada that Kairship made.
var ours = &connection.Watch{Resource: bindings, LabelSelector: v1alpha1.LabelManagedBy + "=" + v1alpha1.ManagedByKairship}

// desired is every binding that an instance is to have. Further roles add theirs here.
func desired(groups []string) []*unstructured.Unstructured {
	return []*unstructured.Unstructured{binding(administrators, "cluster-admin", groups)}
}

func binding(name, role string, groups []string) *unstructured.Unstructured {
	subjects := make([]any, 0, len(groups))
	for _, group := range slices.Compact(slices.Sorted(slices.Values(groups))) {
		subjects = append(subjects, map[string]any{"apiGroup": rbacGroup, "kind": "Group", "name": group})
	}
	u := &unstructured.Unstructured{Object: map[string]any{
		"roleRef":  map[string]any{"apiGroup": rbacGroup, "kind": "ClusterRole", "name": role},
		"subjects": subjects,
	}}
	u.SetGroupVersionKind(bindingKind)
	u.SetName(name)
	u.SetLabels(map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship})
	return u
}

// upToDate says whether applying want would change nothing. The subjects have to be exactly those
// wanted: one more would be a person whom nobody meant.
func upToDate(have, want *unstructured.Unstructured) bool {
	return sameRole(have, want) &&
		reflect.DeepEqual(have.Object["subjects"], want.Object["subjects"]) &&
		have.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.ManagedByKairship
}

// sameRole says whether the role is the one wanted. It cannot be changed once the binding exists.
func sameRole(have, want *unstructured.Unstructured) bool {
	return reflect.DeepEqual(have.Object["roleRef"], want.Object["roleRef"])
}

// isOurs says whether a binding is Kairship's to remove.
func isOurs(o interface {
	GetName() string
	GetLabels() map[string]string
}) bool {
	return strings.HasPrefix(o.GetName(), namePrefix) && o.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.ManagedByKairship
}
