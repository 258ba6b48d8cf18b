package revision

import (
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/model"
)

// Annotations of a revision. The number is in its body as well; here it comes with the metadata, without the template,
// which is the only large part.
const (
	annotationNumber     = v1alpha1.AnnotationPrefix + "revision"
	annotationGeneration = v1alpha1.AnnotationPrefix + "template-generation"
)

// kind is a kind of workload whose templates have revisions.
type kind struct {
	model.WorkloadKind

	// field of the workload's spec that a revision keeps.
	field string
	watch *connection.Watch
}

// kinds leaves out Jobs: their template cannot change.
var kinds = []kind{
	kindOf(model.KindDeployment, "template"), kindOf(model.KindStatefulSet, "template"),
	kindOf(model.KindDaemonSet, "template"), kindOf(model.KindCronJob, "jobTemplate"),
}

func kindOf(k model.WorkloadKind, field string) kind {
	return kind{WorkloadKind: k, field: field, watch: &connection.Watch{Resource: k.GVR(), MetadataOnly: true, Keep: keepTemplate}}
}

const selectOurs = model.LabelWorkloadUID + "," + v1alpha1.LabelManagedBy + "=" + v1alpha1.ManagedByKairship

// revisions are those that Kairship recorded, and nobody else's.
var revisions = &connection.Watch{
	Resource:      appsv1.SchemeGroupVersion.WithResource(model.RevisionResource),
	LabelSelector: selectOurs, MetadataOnly: true, Keep: keepRecorded,
}

func watches() []*connection.Watch {
	out := []*connection.Watch{revisions}
	for _, k := range kinds {
		out = append(out, k.watch)
	}
	return out
}

func interests() []connection.Interest {
	out := []connection.Interest{{Watch: revisions, Matters: recordChanged}}
	for _, k := range kinds {
		out = append(out, connection.Interest{Watch: k.watch, Matters: templateChanged})
	}
	return out
}

// template is what is held of a workload, of which there may be very many: its identity and generation. Its content is
// read when the generation changed.
type template struct {
	metav1.ObjectMeta
}

// GetObjectKind is for runtime.Object. The watch knows the kind.
func (*template) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject is for runtime.Object; what is held is never changed.
func (t *template) DeepCopyObject() runtime.Object { c := *t; return &c }

func (t *template) cause() string { return t.Annotations[model.AnnotationChangeCause] }

func keepTemplate(o connection.Object) (connection.Object, error) {
	t := &template{ObjectMeta: metav1.ObjectMeta{
		Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), ResourceVersion: o.GetResourceVersion(),
		Generation: o.GetGeneration(), CreationTimestamp: o.GetCreationTimestamp(), DeletionTimestamp: o.GetDeletionTimestamp(),
	}}
	if cause := o.GetAnnotations()[model.AnnotationChangeCause]; cause != "" {
		t.Annotations = map[string]string{model.AnnotationChangeCause: cause}
	}
	return t, nil
}

// templateChanged ignores what changes the status only.
func templateChanged(before, after connection.Object) bool {
	return before.GetGeneration() != after.GetGeneration() || before.GetUID() != after.GetUID() ||
		!maps.Equal(before.GetAnnotations(), after.GetAnnotations())
}

// recorded is what is held of a revision.
type recorded struct {
	metav1.ObjectMeta

	workload types.UID
	number   int64
	// generation of the workload when it was written.
	generation int64
	cause      string
	// since is when it got its number, as it is written.
	since string
}

// GetObjectKind is for runtime.Object.
func (*recorded) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject is for runtime.Object; what is held is never changed.
func (r *recorded) DeepCopyObject() runtime.Object { c := *r; return &c }

func keepRecorded(o connection.Object) (connection.Object, error) {
	r := &recorded{
		ObjectMeta: metav1.ObjectMeta{Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), ResourceVersion: o.GetResourceVersion()},
		workload:   types.UID(o.GetLabels()[model.LabelWorkloadUID]),
		number:     numberIn(o, annotationNumber), generation: numberIn(o, annotationGeneration),
		cause: o.GetAnnotations()[model.AnnotationChangeCause], since: o.GetAnnotations()[model.AnnotationRevisionSince],
	}
	return r, nil
}

// numberIn returns 0 where there is none: such a revision is older than any other.
func numberIn(o metav1.Object, annotation string) int64 {
	n, err := strconv.ParseInt(o.GetAnnotations()[annotation], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func recordChanged(before, after connection.Object) bool {
	b, ok := before.(*recorded)
	a, ok2 := after.(*recorded)
	return !ok || !ok2 || b.UID != a.UID || b.workload != a.workload || b.number != a.number || b.cause != a.cause
}
