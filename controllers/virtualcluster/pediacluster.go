package virtualcluster

import (
	"fmt"
	"maps"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
)

// PediaClusterKind is the kind of a virtual cluster. It is written as unstructured: the published Go types lack authenticationFrom.
var PediaClusterKind = schema.GroupVersionKind{Group: "cluster.clusterpedia.io", Version: "v1alpha2", Kind: "PediaCluster"}

func newPediaCluster() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(PediaClusterKind)
	return u
}

func newPediaClusterList() *unstructured.UnstructuredList {
	u := &unstructured.UnstructuredList{}
	u.SetGroupVersionKind(PediaClusterKind.GroupVersion().WithKind(PediaClusterKind.Kind + "List"))
	return u
}

// The keys of the credential Secret in Clusterpedia's namespace.
const (
	keyCA    = "ca"
	keyCert  = "cert"
	keyKey   = "key"
	keyToken = "token"
)

// secretName is the same as the name of the instance's PediaCluster.
func secretName(instance string) string { return pediacluster.OfInstance(instance) }

func secretData(config *kubeconfig.Credential) map[string][]byte {
	data := map[string][]byte{keyCA: config.CAData}
	if len(config.CertData) > 0 {
		data[keyCert], data[keyKey] = config.CertData, config.KeyData
	}
	if config.BearerToken != "" {
		data[keyToken] = []byte(config.BearerToken)
	}
	return data
}

func labels(instance string) map[string]string {
	return map[string]string{
		v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship,
		v1alpha1.LabelInstance:  instance,
		v1alpha1.LabelHidden:    "true",
	}
}

func owner(instance *v1alpha1.Instance) metav1.OwnerReference {
	return *metav1.NewControllerRef(instance, v1alpha1.InstanceKind)
}

// memberPath is the path at which Karmada forwards requests to a member.
func memberPath(cluster string) string {
	return "/apis/cluster.karmada.io/v1alpha1/clusters/" + cluster + "/proxy"
}

// source is what a PediaCluster is built from.
type source struct {
	// cluster is the member, empty for the control plane.
	cluster string
	// karmada is the identity of the Karmada.
	karmada string
	// uid distinguishes the member from another one of the same name; empty for the control plane.
	uid string
}

// mark is the source as an annotation.
func (s source) mark() string {
	if s.cluster == "" {
		return s.karmada
	}
	return s.karmada + "/" + s.uid
}

func readSource(cluster, mark string) source {
	karmada, uid, _ := strings.Cut(mark, "/")
	return source{cluster: cluster, karmada: karmada, uid: uid}
}

// desired returns the PediaCluster of the control plane or of a member, with only the fields that the controller owns.
func desired(instance *v1alpha1.Instance, config *kubeconfig.Credential, from source, shards []string) *unstructured.Unstructured {
	name := pediacluster.Name(instance.Name, from.cluster)
	labels := labels(instance.Name)
	address := config.Host
	resources, memberResources := synced(instance.Spec.Sync)
	if from.cluster != "" {
		labels[v1alpha1.LabelCluster] = from.cluster
		address += memberPath(from.cluster)
		resources = memberResources
	}
	auth := map[string]any{}
	for key := range secretData(config) {
		auth[key] = map[string]any{"name": secretName(instance.Name), "key": key}
	}
	u := newPediaCluster()
	u.SetName(name)
	u.SetLabels(labels)
	u.SetAnnotations(map[string]string{v1alpha1.AnnotationSourceUID: from.mark()})
	u.SetOwnerReferences([]metav1.OwnerReference{owner(instance)})
	u.Object["spec"] = map[string]any{
		"apiserver":          address,
		"authenticationFrom": auth,
		"syncResources":      syncResources(resources),
		// Also when empty: a field that is left out would keep what somebody else set.
		"shardingName": place(shards, name),
	}
	return u
}

func syncResources(resources []v1alpha1.SyncedResources) []any {
	out := make([]any, 0, len(resources))
	for _, r := range resources {
		entry := map[string]any{"group": r.Group, "resources": anySlice(r.Resources)}
		if len(r.Versions) > 0 {
			entry["versions"] = anySlice(r.Versions)
		}
		out = append(out, entry)
	}
	return out
}

func anySlice(in []string) []any {
	out := make([]any, 0, len(in))
	for _, s := range in {
		out = append(out, s)
	}
	return out
}

// upToDate reports whether applying want would change nothing: everything in want is there. The keys of
// authenticationFrom must match exactly, as one that is left over would be used.
func upToDate(have, want *unstructured.Unstructured) bool {
	haveAuth, _, _ := unstructured.NestedFieldNoCopy(have.Object, "spec", "authenticationFrom")
	wantAuth, _, _ := unstructured.NestedFieldNoCopy(want.Object, "spec", "authenticationFrom")
	return reflect.DeepEqual(haveAuth, wantAuth) &&
		contains(have.Object["spec"], want.Object["spec"]) &&
		containsAll(have.GetLabels(), want.GetLabels()) &&
		containsAll(have.GetAnnotations(), want.GetAnnotations()) &&
		ownedBy(have, want.GetOwnerReferences()[0])
}

// contains reports whether all of want is in have. Lists have to be equal.
func contains(have, want any) bool {
	wantMap, ok := want.(map[string]any)
	if !ok {
		return equality.Semantic.DeepEqual(have, want)
	}
	haveMap, ok := have.(map[string]any)
	if !ok {
		return false
	}
	for key, value := range wantMap {
		if !contains(haveMap[key], value) {
			return false
		}
	}
	return true
}

func containsAll(have, want map[string]string) bool {
	for key, value := range want {
		if got, ok := have[key]; !ok || got != value {
			return false
		}
	}
	return true
}

func ownedBy(object metav1.Object, owner metav1.OwnerReference) bool {
	for _, ref := range object.GetOwnerReferences() {
		if equality.Semantic.DeepEqual(ref, owner) {
			return true
		}
	}
	return false
}

// secretUpToDate reports whether the credential Secret is as desired.
func secretUpToDate(have *corev1.Secret, instance *v1alpha1.Instance, config *kubeconfig.Credential) bool {
	return have != nil && maps.EqualFunc(have.Data, secretData(config), func(a, b []byte) bool { return string(a) == string(b) }) &&
		containsAll(have.Labels, labels(instance.Name)) && ownedBy(have, owner(instance))
}

// registered is a PediaCluster that exists.
type registered struct {
	object *unstructured.Unstructured
	source source
}

func (r registered) deleting() bool { return r.object.GetDeletionTimestamp() != nil }

// readRegistered reads what a PediaCluster of an instance was built from.
func readRegistered(instance string, object *unstructured.Unstructured) (registered, error) {
	of, cluster, ok := pediacluster.Parse(object.GetName())
	if !ok || of != instance {
		return registered{}, fmt.Errorf("PediaCluster %q carries the label of instance %q but not its name", object.GetName(), instance)
	}
	return registered{object: object, source: readSource(cluster, object.GetAnnotations()[v1alpha1.AnnotationSourceUID])}, nil
}
