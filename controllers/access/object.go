package access

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/rbac/admission"
)

// namePrefix begins the name of every permission that Kairship makes inside a Karmada, and policyPrefix that of the
// policies that propagate them to the members: Karmada's own kinds have no ':' in their names.
const (
	namePrefix   = "kairship:"
	policyPrefix = "kairship-members-"
)

// labelMembers marks the permissions that are for the members as well.
const labelMembers = v1alpha1.AnnotationPrefix + "members"

const selectOurs = v1alpha1.LabelManagedBy + "=" + v1alpha1.ManagedByKairship

var admissionVersion = admissionregistrationv1.SchemeGroupVersion

var policyVersion = schema.GroupVersion{Group: policyv1alpha1.GroupName, Version: "v1alpha1"}

// What is watched in every Karmada: of permissions only those that Kairship made, of the rest only the metadata.
var (
	clusterRoles = &connection.Watch{
		Resource: rbacv1.SchemeGroupVersion.WithResource("clusterroles"), LabelSelector: selectOurs, Keep: keep,
	}
	clusterRoleBindings = &connection.Watch{
		Resource: rbacv1.SchemeGroupVersion.WithResource("clusterrolebindings"), LabelSelector: selectOurs, Keep: keep,
	}
	roleBindings = &connection.Watch{
		Resource: rbacv1.SchemeGroupVersion.WithResource("rolebindings"), LabelSelector: selectOurs, Keep: keep,
	}
	namespaces = &connection.Watch{
		Resource: schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, MetadataOnly: true, Keep: keepName,
	}
	definitions = &connection.Watch{
		Resource:     schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"},
		MetadataOnly: true, Keep: keepName,
	}
	watches = []*connection.Watch{clusterRoles, clusterRoleBindings, roleBindings, namespaces, definitions}
	// policies propagate permissions to the members. A Karmada whose members or policies cannot be read still gets its
	// own permissions.
	policies = &connection.Watch{
		Resource: policyVersion.WithResource("clusterpropagationpolicies"), LabelSelector: selectOurs, Keep: keep,
	}
	memberWatches = []*connection.Watch{policies, connection.Clusters}
	// The admission policies that bound what policies may carry into the members. An API server that does not serve
	// them still gets its permissions, but only Admins may write policies there.
	admissionPolicies = &connection.Watch{
		Resource: admissionVersion.WithResource("validatingadmissionpolicies"), LabelSelector: selectOurs, Keep: keepAdmission,
	}
	admissionBindings = &connection.Watch{
		Resource: admissionVersion.WithResource("validatingadmissionpolicybindings"), LabelSelector: selectOurs, Keep: keepAdmission,
	}
	admissionWatches = []*connection.Watch{admissionPolicies, admissionBindings}
)

var kinds = map[*connection.Watch]schema.GroupVersionKind{
	clusterRoles:        rbacv1.SchemeGroupVersion.WithKind("ClusterRole"),
	clusterRoleBindings: rbacv1.SchemeGroupVersion.WithKind("ClusterRoleBinding"),
	roleBindings:        rbacv1.SchemeGroupVersion.WithKind("RoleBinding"),
	policies:            policyVersion.WithKind("ClusterPropagationPolicy"),
	admissionPolicies:   admissionVersion.WithKind("ValidatingAdmissionPolicy"),
	admissionBindings:   admissionVersion.WithKind("ValidatingAdmissionPolicyBinding"),
}

// held is what is kept of an object in a Karmada: enough to compare it with the desired one.
type held struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	// role is the one that a binding refers to, which cannot be changed.
	role string
	// content is the digest of the rules, the subjects or the policy.
	content [sha256.Size]byte
}

// DeepCopyObject is for runtime.Object; a held object is never changed.
func (h *held) DeepCopyObject() runtime.Object { c := *h; return &c }

// aggregated stands for the role of a ClusterRole to which somebody added an aggregation rule: like the role of a
// binding, an apply does not undo it.
const aggregated = "aggregated"

func keep(o connection.Object) (connection.Object, error) {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("a permission came as %T", o)
	}
	var body struct {
		RoleRef         rbacv1.RoleRef      `json:"roleRef"`
		Subjects        []rbacv1.Subject    `json:"subjects"`
		Rules           []rbacv1.PolicyRule `json:"rules"`
		AggregationRule map[string]any      `json:"aggregationRule"`

		Spec *policyv1alpha1.PropagationSpec `json:"spec"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &body); err != nil {
		return nil, fmt.Errorf("reading %s %q: %w", u.GetKind(), u.GetName(), err)
	}
	h := holding(u, digest(body.Subjects, body.Rules, body.Spec))
	if ref := body.RoleRef; ref != (rbacv1.RoleRef{}) {
		h.role = ref.Kind + "/" + ref.Name
	}
	if body.AggregationRule != nil {
		h.role = aggregated
	}
	return h, nil
}

// holding returns the identity of an object, with the digest of its content.
func holding(u *unstructured.Unstructured, content [sha256.Size]byte) *held {
	h := &held{ObjectMeta: metav1.ObjectMeta{
		Namespace: u.GetNamespace(), Name: u.GetName(), UID: u.GetUID(), ResourceVersion: u.GetResourceVersion(), Labels: map[string]string{},
	}, content: content}
	for _, label := range []string{v1alpha1.LabelManagedBy, v1alpha1.LabelInstance, labelMembers} {
		if value, ok := u.GetLabels()[label]; ok {
			h.Labels[label] = value
		}
	}
	return h
}

// keepAdmission is keep for admission policies. All of the spec counts: one more condition would exempt somebody.
func keepAdmission(o connection.Object) (connection.Object, error) {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("an admission policy came as %T", o)
	}
	return holding(u, digestOf(u.Object["spec"])), nil
}

// keepName keeps only the metadata that shows that an object exists, or is being deleted.
func keepName(o connection.Object) (connection.Object, error) {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), ResourceVersion: o.GetResourceVersion(), DeletionTimestamp: o.GetDeletionTimestamp(),
	}}, nil
}

// goes ignores all updates except the start of a deletion.
func goes(before, after connection.Object) bool {
	return (before.GetDeletionTimestamp() == nil) != (after.GetDeletionTimestamp() == nil)
}

func digest(subjects []rbacv1.Subject, rules []rbacv1.PolicyRule, policy *policyv1alpha1.PropagationSpec) [sha256.Size]byte {
	if len(subjects) == 0 {
		subjects = nil
	}
	if len(rules) == 0 {
		rules = nil
	}
	if policy != nil {
		// Some versions of Karmada add these to every policy that lacks them.
		bare := *policy
		bare.Placement.ClusterTolerations = slices.DeleteFunc(slices.Clone(policy.Placement.ClusterTolerations), func(t corev1.Toleration) bool {
			return t.Key == clusterv1alpha1.TaintClusterNotReady || t.Key == clusterv1alpha1.TaintClusterUnreachable
		})
		policy = &bare
	}
	return digestOf([]any{subjects, rules, policy})
}

func digestOf(content any) [sha256.Size]byte {
	// Strings, numbers and lists of them: this cannot fail.
	raw, _ := json.Marshal(content) //nolint:errchkjson // see above
	return sha256.Sum256(raw)
}

// object is a desired object in a Karmada.
type object struct {
	watch           *connection.Watch
	namespace, name string
	// instance that it is for; empty for a role, which all instances of one Karmada share.
	instance string
	// role is the ClusterRole that a binding refers to.
	role     string
	subjects []rbacv1.Subject
	rules    []rbacv1.PolicyRule
	// spec is the content of a policy; nil for a permission.
	spec    any
	content [sha256.Size]byte
	// inMembers says that the members get it as well.
	inMembers bool
	// of names the AccessBindings that are not in force without it.
	of []string
}

func newRole(name string, rules []rbacv1.PolicyRule, of []string) object {
	return object{watch: clusterRoles, name: name, rules: rules, content: digest(nil, rules, nil), of: of}
}

// newBinding binds subjects to a ClusterRole, in a namespace or, without one, everywhere.
func newBinding(instance, namespace, name, role string, subjects []rbacv1.Subject, of ...string) object {
	subjects = slices.Clone(subjects)
	slices.SortFunc(subjects, func(a, b rbacv1.Subject) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	subjects = slices.Compact(subjects)
	o := object{watch: clusterRoleBindings, namespace: namespace, name: name, instance: instance, role: role, subjects: subjects, content: digest(subjects, nil, nil), of: of}
	if namespace != "" {
		o.watch = roleBindings
	}
	return o
}

// newPolicy propagates what is labelled labelMembers to every member of a Karmada, also to later ones: the bindings of
// one instance, and the roles, which all its instances share and the first of their policies claims. What is deleted in
// the Karmada is deleted in the members, too.
func newPolicy(instance string) object {
	selectors := make([]policyv1alpha1.ResourceSelector, 0, 3)
	for _, w := range []*connection.Watch{clusterRoles, clusterRoleBindings, roleBindings} {
		labels := map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship, labelMembers: "true"}
		if w != clusterRoles {
			labels[v1alpha1.LabelInstance] = instance
		}
		selectors = append(selectors, policyv1alpha1.ResourceSelector{
			APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: kinds[w].Kind, LabelSelector: &metav1.LabelSelector{MatchLabels: labels},
		})
	}
	// Karmada's own defaults are written out, so that the stored policy equals the desired one.
	policy := &policyv1alpha1.PropagationSpec{
		ResourceSelectors: selectors,
		Placement:         policyv1alpha1.Placement{ClusterTolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}}},
		Priority:          ptr.To[int32](0),
		Preemption:        policyv1alpha1.PreemptNever,
		SchedulerName:     "default-scheduler",
		// What a member already has under these names, such as leftovers of a Karmada that could not be reached any
		// more, must not prevent a revocation.
		ConflictResolution: policyv1alpha1.ConflictOverwrite,
	}
	return object{watch: policies, name: policyPrefix + instance, instance: instance, spec: policy, content: digest(nil, nil, policy)}
}

// newAdmission makes the admission policies, each followed by its binding, once: they are the same for all. Instances
// of one Karmada share them.
var newAdmission = sync.OnceValues(func() ([]object, error) {
	var out []object
	for _, p := range admission.Policies() {
		for _, part := range []struct {
			watch *connection.Watch
			spec  any
		}{{admissionPolicies, &p.Spec}, {admissionBindings, &p.Binding}} {
			// As a map, the form of the API server's answer.
			spec, err := runtime.DefaultUnstructuredConverter.ToUnstructured(part.spec)
			if err != nil {
				return nil, fmt.Errorf("writing admission policy %q: %w", p.Name, err)
			}
			out = append(out, object{watch: part.watch, name: p.Name, spec: spec, content: digestOf(spec)})
		}
	}
	return out, nil
})

// toMembers returns the object, for the members as well.
func (o object) toMembers() object {
	o.inMembers = true
	return o
}

// key tells objects of one kind apart.
func (o object) key() string { return o.namespace + "/" + o.name }

// String is for people.
func (o object) String() string { return described(o.watch, o.namespace, o.name) }

func described(w *connection.Watch, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return fmt.Sprintf("%s %q", kinds[w].Kind, name)
}

// like reports whether an object in a Karmada is as desired. The subjects must match exactly: one more would be a
// person whom nobody meant.
func (o object) like(have *held) bool {
	return have != nil && have.content == o.content && o.sameRole(have) &&
		have.Labels[v1alpha1.LabelManagedBy] == v1alpha1.ManagedByKairship && o.inMembers == inMembers(have) &&
		(o.instance == "" || have.Labels[v1alpha1.LabelInstance] == o.instance)
}

// inMembers reports whether an object in a Karmada is for the members as well.
func inMembers(have *held) bool { return have.Labels[labelMembers] == "true" }

// sameRole reports whether the role is the one wanted.
func (o object) sameRole(have *held) bool {
	if o.role == "" {
		return have.role == ""
	}
	return have.role == "ClusterRole/"+o.role
}

// body is the object as it is applied.
func (o object) body() (*unstructured.Unstructured, error) {
	labels := map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship}
	if o.instance != "" {
		labels[v1alpha1.LabelInstance] = o.instance
	}
	if o.inMembers {
		labels[labelMembers] = "true"
	}
	content := struct {
		RoleRef  *rbacv1.RoleRef     `json:"roleRef,omitempty"`
		Subjects []rbacv1.Subject    `json:"subjects,omitempty"`
		Rules    []rbacv1.PolicyRule `json:"rules,omitempty"`
	}{Subjects: o.subjects, Rules: o.rules}
	if o.role != "" {
		content.RoleRef = &rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: o.role}
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&content)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", o, err)
	}
	u := &unstructured.Unstructured{Object: fields}
	if o.spec != nil {
		spec, err := toMap(o.spec)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", o, err)
		}
		u.Object["spec"] = spec
	}
	u.SetGroupVersionKind(kinds[o.watch])
	u.SetNamespace(o.namespace)
	u.SetName(o.name)
	u.SetLabels(labels)
	return u, nil
}

func toMap(spec any) (map[string]any, error) {
	if m, ok := spec.(map[string]any); ok {
		return runtime.DeepCopyJSON(m), nil
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(spec)
}

// isOurs reports whether Kairship may remove an object.
func isOurs(o metav1.Object) bool {
	named := strings.HasPrefix(o.GetName(), namePrefix) || strings.HasPrefix(o.GetName(), policyPrefix) || strings.HasSuffix(o.GetName(), admission.Suffix)
	return named && o.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.ManagedByKairship
}

// isOf reports whether an instance may remove a binding: another instance of the same Karmada has its own. Bindings
// without an instance are older than that label.
func isOf(o metav1.Object, instance string) bool {
	of, told := o.GetLabels()[v1alpha1.LabelInstance]
	return isOurs(o) && (!told || of == instance)
}
