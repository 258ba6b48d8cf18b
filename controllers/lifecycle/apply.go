package lifecycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	operatorv1alpha1 "github.com/karmada-io/karmada/operator/pkg/apis/operator/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// annotationApplied is the digest, on the operator's object, of the desired state that was written last: it shows when
// fields have been dropped since, which a comparison does not.
const annotationApplied = v1alpha1.AnnotationPrefix + "applied"

// operatorObject keeps the object from which the Karmada operator installs in the desired state, also when somebody
// edits it. Fields without a desired value are left alone.
func (w *work) operatorObject(ctx context.Context) error {
	if !w.operator.served.Load() {
		return waits("the host cluster does not serve %s: install the Karmada operator", karmadaKind.GroupKind())
	}
	want, err := wish(desired(w.instance, w.managed))
	if err != nil {
		return err
	}
	key := client.ObjectKeyFromObject(want)
	if w.current, err = karmada(ctx, w.operator.cache, key); err != nil {
		return err
	}
	if w.current == nil {
		// The cache may be behind.
		if w.current, err = karmada(ctx, w.Live, key); err != nil {
			return err
		}
	}
	switch {
	case w.current == nil:
	case !ours(w.current, w.instance.Name):
		return fails(v1alpha1.ReasonNotOurs, "there is a Karmada %q in namespace %q that Kairship did not make: attach it instead, or choose another name or namespace", key.Name, key.Namespace)
	case w.current.GetDeletionTimestamp() != nil:
		return waits("Karmada %q was deleted by somebody; it is installed again when it has gone", key.Name)
	case fulfilled(w.current, want):
		return w.dropLeftovers(ctx, want)
	case w.current.GetAnnotations()[annotationApplied] == want.GetAnnotations()[annotationApplied]:
		w.tell(w.instance, corev1.EventTypeWarning, eventPutBack, actionInstall, "somebody edited Karmada %q; it is as the instance says again", key.Name)
	}
	if err := w.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(want.DeepCopy()), fieldOwner, client.ForceOwnership); err != nil {
		return fmt.Errorf("writing Karmada %s: %w", key, err)
	}
	wrote("Karmada", "apply")
	if w.current == nil {
		return waits("waiting for the Karmada operator")
	}
	return w.dropLeftovers(ctx, want)
}

// optional are the parts of the operator's object that the operator completes, so that they would remain when no longer
// desired.
var optional = [][]string{{"spec", "components", "karmadaDescheduler"}, {"spec", "crdTarball"}}

// dropLeftovers removes what remains of parts that are no longer desired.
func (w *work) dropLeftovers(ctx context.Context, want *unstructured.Unstructured) error {
	for _, path := range optional {
		_, wanted, _ := unstructured.NestedFieldNoCopy(want.Object, path...)
		_, there, _ := unstructured.NestedFieldNoCopy(w.current.Object, path...)
		if wanted || !there {
			continue
		}
		patch := map[string]any{}
		if err := unstructured.SetNestedField(patch, nil, path...); err != nil {
			return fmt.Errorf("writing Karmada %q: %w", want.GetName(), err)
		}
		raw, err := json.Marshal(patch)
		if err != nil {
			return fmt.Errorf("writing Karmada %q: %w", want.GetName(), err)
		}
		target := want.DeepCopy()
		if err := w.Client.Patch(ctx, target, client.RawPatch(types.MergePatchType, raw), fieldOwner); err != nil {
			return fmt.Errorf("writing Karmada %q: %w", want.GetName(), err)
		}
		wrote("Karmada", "patch")
	}
	return nil
}

// wish returns the desired object as it is written, without empty fields.
func wish(k *operatorv1alpha1.Karmada) (*unstructured.Unstructured, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(k)
	if err != nil {
		return nil, fmt.Errorf("writing Karmada %q: %w", k.Name, err)
	}
	delete(fields, "status")
	unstructured.RemoveNestedField(fields, "metadata", "creationTimestamp")
	components, _, _ := unstructured.NestedFieldNoCopy(fields, "spec", "components")
	if all, ok := components.(map[string]any); ok {
		for _, component := range all {
			dropEmpty(component, "resources")
			if etcd, ok := component.(map[string]any); ok {
				dropEmpty(etcd["local"], "resources")
			}
		}
	}
	// Through JSON, as what it is compared with: then numbers are of one type.
	raw, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("writing Karmada %q: %w", k.Name, err)
	}
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(raw); err != nil {
		return nil, fmt.Errorf("writing Karmada %q: %w", k.Name, err)
	}
	sum := sha256.Sum256(raw)
	u.SetAnnotations(map[string]string{annotationApplied: hex.EncodeToString(sum[:8])})
	return u, nil
}

func dropEmpty(of any, name string) {
	if fields, ok := of.(map[string]any); ok {
		if value, ok := fields[name].(map[string]any); ok && len(value) == 0 {
			delete(fields, name)
		}
	}
}

// fulfilled reports whether an object has everything that is desired, whatever else it has.
func fulfilled(current, want *unstructured.Unstructured) bool {
	return within(want.Object["spec"], current.Object["spec"]) &&
		within(fieldsOf(want.GetLabels()), fieldsOf(current.GetLabels())) &&
		within(fieldsOf(want.GetAnnotations()), fieldsOf(current.GetAnnotations()))
}

func fieldsOf(pairs map[string]string) map[string]any {
	out := make(map[string]any, len(pairs))
	for k, v := range pairs {
		out[k] = v
	}
	return out
}

// within reports whether every field of a is in b with the same value. Lists are compared as a whole.
func within(a, b any) bool {
	fields, ok := a.(map[string]any)
	if !ok {
		return equality.Semantic.DeepEqual(a, b)
	}
	others, ok := b.(map[string]any)
	if !ok {
		return false
	}
	for name, value := range fields {
		other, ok := others[name]
		if !ok || !within(value, other) {
			return false
		}
	}
	return true
}

// removeDeployment removes a component that is no longer desired: the operator leaves it running.
func (w *work) removeDeployment(ctx context.Context, part string) error {
	key := client.ObjectKey{Namespace: w.installation.Namespace, Name: operatorName(w.instance.Name, part)}
	for _, object := range []client.Object{metaOf("apps/v1", "Deployment"), metaOf("v1", "Secret")} {
		name := key
		if object.GetObjectKind().GroupVersionKind().Kind == "Secret" {
			name.Name += "-config"
		}
		if err := w.removeOperators(ctx, object, name); err != nil {
			return err
		}
	}
	return nil
}

// removeOperators removes an object that the Karmada operator made.
func (c *Controller) removeOperators(ctx context.Context, object client.Object, key client.ObjectKey) error {
	kind := object.GetObjectKind().GroupVersionKind().Kind
	err := c.Live.Get(ctx, key, object)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading %s %s: %w", kind, key, err)
	}
	if err != nil || object.GetDeletionTimestamp() != nil || object.GetLabels()[v1alpha1.LabelManagedBy] != operatorManagedBy {
		return nil //nolint:nilerr // there is none, or it is somebody else's
	}
	uid := object.GetUID()
	if err := c.Client.Delete(ctx, object, client.Preconditions{UID: &uid}, client.PropagationPolicy(metav1.DeletePropagationBackground)); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting %s %s: %w", kind, key, err)
	}
	wrote(kind, "delete")
	return nil
}

// metaOf is an object of which only the metadata is read.
func metaOf(apiVersion, kind string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}}
}
