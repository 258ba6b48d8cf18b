package revision

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// do looks at one workload, and records its template when that is new.
func (p *pass) do(ctx context.Context, t *task) error {
	if !t.look {
		return p.prune(ctx, t.revisions, "")
	}
	w, err := p.read(ctx, t)
	if err != nil || w == nil {
		return err
	}
	found := check{at: p.Clock.Now(), generation: w.GetGeneration(), cause: w.GetAnnotations()[model.AnnotationChangeCause]}
	content := contentOf(t.kind, w)
	if content == nil {
		p.state.checks[w.GetUID()] = found
		return nil
	}
	r := revisionOf{task: t, workload: w, content: content, name: nameOf(w.GetName(), w.GetUID(), content)}
	written := p.place(&r, found.cause)
	if !written {
		if err := p.apply(ctx, &r); err != nil {
			return err
		}
	}
	found.name, found.number, found.since = r.name, r.number, r.since
	p.state.checks[w.GetUID()] = found
	return p.prune(ctx, t.revisions, r.name)
}

// revisionOf is a desired revision.
type revisionOf struct {
	task     *task
	workload *unstructured.Unstructured
	content  []byte
	name     string
	number   int64
	// since is when its number was given.
	since string
}

// place gives a revision its number, and says whether it already exists as desired.
func (p *pass) place(r *revisionOf, cause string) bool {
	var newest check
	if len(r.task.revisions) > 0 {
		head := r.task.revisions[0]
		newest = check{number: head.number, cause: head.cause, name: r.task.current().name(), since: head.since}
	}
	// The watch may not show the latest write yet.
	if c, ok := p.state.checks[r.workload.GetUID()]; ok && c.number > newest.number && p.Clock.Since(c.at) < lag {
		newest = c
	}
	r.number, r.since = newest.number, newest.since
	if newest.name == r.name && newest.number > 0 {
		return newest.cause == cause
	}
	// A template that was recorded before gets a new number: the workload went back to it.
	r.number++
	r.since = p.Clock.Now().UTC().Format(time.RFC3339Nano)
	return false
}

// read returns the workload itself; nil when it is gone or has been replaced.
func (p *pass) read(ctx context.Context, t *task) (*unstructured.Unstructured, error) {
	if err := p.state.pace.Wait(ctx); err != nil {
		return nil, errOutOfTime
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	w, err := p.conn.Dynamic().Resource(t.kind.GVR()).Namespace(t.template.Namespace).Get(ctx, t.template.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil //nolint:nilnil // it is gone, and the watch is about to say so
	case err != nil:
		return nil, fmt.Errorf("reading %s %s/%s: %w", t.kind.GVK().Kind, t.template.Namespace, t.template.Name, err)
	case w.GetUID() != t.template.UID:
		return nil, nil //nolint:nilnil // another one of that name
	}
	return w, nil
}

func (p *pass) apply(ctx context.Context, r *revisionOf) error {
	if err := p.state.pace.Wait(ctx); err != nil {
		return errOutOfTime
	}
	body, err := r.body(p.instance)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err = p.conn.Dynamic().Resource(revisions.Resource).Namespace(r.workload.GetNamespace()).
		Apply(ctx, r.name, body, metav1.ApplyOptions{FieldManager: fieldOwner, Force: true})
	switch {
	case apierrors.IsNotFound(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		return errGoing
	case err != nil:
		return fmt.Errorf("recording revision %d of %s %s/%s: %w", r.number, r.task.kind.GVK().Kind, r.workload.GetNamespace(), r.workload.GetName(), err)
	}
	writesCounter.WithLabelValues(p.instance, "apply").Inc()
	p.Logger.Info("revision recorded", "instance", p.instance, "kind", r.task.kind.GVK().Kind,
		"namespace", r.workload.GetNamespace(), "workload", r.workload.GetName(), "revision", r.number)
	return nil
}

// body is a revision as it is applied. Its workload owns it, so that the Karmada's garbage collector removes it with
// that.
func (r *revisionOf) body(instance string) (*unstructured.Unstructured, error) {
	gvk := r.task.kind.GVK()
	u := &unstructured.Unstructured{Object: map[string]any{"revision": r.number}}
	var data map[string]any
	if err := json.Unmarshal(r.content, &data); err != nil {
		return nil, fmt.Errorf("writing a revision of %s: %w", r.workload.GetName(), err)
	}
	u.Object["data"] = data
	u.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind(model.RevisionKind))
	u.SetNamespace(r.workload.GetNamespace())
	u.SetName(r.name)
	u.SetLabels(map[string]string{
		model.LabelWorkloadUID: string(r.workload.GetUID()), model.LabelWorkloadKind: gvk.Kind,
		v1alpha1.LabelInstance: instance, v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship,
	})
	annotations := map[string]string{
		annotationNumber:     strconv.FormatInt(r.number, 10),
		annotationGeneration: strconv.FormatInt(r.workload.GetGeneration(), 10),
	}
	if r.since != "" {
		annotations[model.AnnotationRevisionSince] = r.since
	}
	if cause := r.workload.GetAnnotations()[model.AnnotationChangeCause]; cause != "" {
		annotations[model.AnnotationChangeCause] = cause
	}
	u.SetAnnotations(annotations)
	u.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind,
		Name: r.workload.GetName(), UID: r.workload.GetUID(), Controller: ptr.To(true),
	}})
	return u, nil
}

// contentOf returns what a revision keeps of a workload: the part of its spec, in its place. Equal ones are equal byte
// by byte. Nil when there is none.
func contentOf(k kind, w *unstructured.Unstructured) []byte {
	piece, _, _ := unstructured.NestedFieldNoCopy(w.Object, "spec", k.field)
	template, ok := piece.(map[string]any)
	if !ok {
		return nil
	}
	// Some answers have null here, others leave it out.
	withoutTime(template)
	if inner, ok, _ := unstructured.NestedFieldNoCopy(template, "spec", "template"); ok {
		withoutTime(inner)
	}
	// Decoded from JSON, so it can be encoded again.
	raw, _ := json.Marshal(map[string]any{"spec": map[string]any{k.field: piece}}) //nolint:errchkjson // see above
	return raw
}

func withoutTime(template any) {
	t, ok := template.(map[string]any)
	if !ok {
		return
	}
	unstructured.RemoveNestedField(t, "metadata", "creationTimestamp")
	if m, ok := t["metadata"].(map[string]any); ok && len(m) == 0 {
		delete(t, "metadata")
	}
}

// hashed is how many bytes of a hash are in a name: enough that two templates of one workload do not collide.
const hashed = 10

// nameOf is the name of a revision, the same whenever the same template is recorded.
func nameOf(workload string, uid types.UID, content []byte) string {
	sum := sha256.Sum256(append([]byte(string(uid)+"\n"), content...))
	suffix := strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:hashed]))
	const longest = 253
	if most := longest - 1 - len(suffix); len(workload) > most {
		workload = strings.TrimRight(workload[:most], "-.")
	}
	return workload + "-" + suffix
}

// prune deletes the oldest revisions, those beyond the limit. The one that was just written is kept whatever the watch
// shows.
func (p *pass) prune(ctx context.Context, held []*recorded, written string) error {
	left := p.limit
	if written != "" {
		left--
	}
	for _, r := range held {
		if r.Name == written {
			continue
		}
		if left > 0 {
			left--
			continue
		}
		if err := p.remove(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes a revision, unless it has been written since.
func (p *pass) remove(ctx context.Context, r *recorded) error {
	if err := p.state.pace.Wait(ctx); err != nil {
		return errOutOfTime
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := p.conn.Dynamic().Resource(revisions.Resource).Namespace(r.Namespace).
		Delete(ctx, r.Name, metav1.DeleteOptions{Preconditions: metav1.NewRVDeletionPrecondition(r.ResourceVersion).Preconditions})
	if apierrors.IsConflict(err) {
		return nil // it was written meanwhile: the watch is about to say so
	}
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting revision %s/%s: %w", r.Namespace, r.Name, err)
	}
	writesCounter.WithLabelValues(p.instance, "delete").Inc()
	return nil
}

// errGoing is why a revision was not written: its namespace is being deleted, and the workload with it.
var errGoing = errors.New("the namespace is being deleted")

// errOutOfTime is why the rest of a pass was left to the next one.
var errOutOfTime = errors.New("the pass is over")

// isAnswer reports whether an error is about one object. Any other would also fail every further request.
func isAnswer(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && !apierrors.IsUnauthorized(err) && !apierrors.IsForbidden(err) &&
		!apierrors.IsTooManyRequests(err) && !apierrors.IsServiceUnavailable(err)
}

// callTimeout bounds each request to a Karmada.
const callTimeout = 10 * time.Second
