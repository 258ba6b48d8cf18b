package operation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// open opens an object of the instance's Karmada as the actor, or as Kairship while what was made is undone.
func (r *Run) open(ctx context.Context, ref model.Ref) (*karmada.Object, error) {
	k, err := r.reach(ctx)
	if err != nil {
		return nil, err
	}
	ref.Instance = r.Operation.Spec.Instance
	return karmada.Open(ctx, k, r.Acting(), ref, false)
}

// metaOf is the metadata of an object.
func metaOf(raw []byte) (metav1.ObjectMeta, error) {
	var o metav1.PartialObjectMetadata
	if err := json.Unmarshal(raw, &o); err != nil {
		return o.ObjectMeta, fmt.Errorf("decode an object: %w", err)
	}
	return o.ObjectMeta, nil
}

// look returns an object of the instance's Karmada as open sees it; nil when there is none.
func (r *Run) look(ctx context.Context, ref model.Ref) ([]byte, *metav1.ObjectMeta, error) {
	o, err := r.open(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	raw, err := o.Get(ctx)
	if karmada.IsAbsent(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := metaOf(raw)
	return raw, &m, err
}

// made is how an object of the instance's Karmada is announced.
func made(ref model.Ref) v1alpha1.MadeObject {
	return v1alpha1.MadeObject{Where: v1alpha1.MadeInInstance, APIVersion: ref.APIVersion(), Kind: ref.GVK.Kind, Namespace: ref.Namespace, Name: ref.Name}
}

// refOf is the object of an announcement.
func refOf(m v1alpha1.MadeObject) model.Ref {
	return model.Ref{GVK: schema.FromAPIVersionAndKind(m.APIVersion, m.Kind), Namespace: m.Namespace, Name: m.Name}
}

// errTaken is an object that somebody else made.
var errTaken = errors.New("it is there already, and was not made by this operation")

// create makes an object of the instance's Karmada as the actor, once: it is announced before, and marked as the operation's. It returns what
// is there then; errTaken when that is somebody else's. What was there before it was announced is, whatever its mark: marks can be copied.
func (r *Run) create(ctx context.Context, ref model.Ref, object map[string]any) (*metav1.ObjectMeta, error) {
	announced := made(ref)
	_, is, err := r.look(ctx, ref)
	if err != nil {
		return nil, err
	}
	if is != nil && r.announced(ref) == nil {
		return is, errTaken
	}
	if is == nil {
		if err := r.Make(ctx, announced); err != nil {
			return nil, err
		}
		o, err := r.open(ctx, ref)
		if err != nil {
			return nil, err
		}
		raw, err := o.Create(ctx, marked(object, r.Mark()))
		if err != nil {
			return nil, err // a conflict, too: the next try looks
		}
		m, err := metaOf(raw)
		if err != nil {
			return nil, err
		}
		is = &m
	}
	if is.Annotations[v1alpha1.AnnotationOperation] != r.Mark() {
		return is, errors.Join(errTaken, r.Unmake(ctx, announced))
	}
	announced.UID = string(is.UID)
	return is, r.Make(ctx, announced)
}

// marked is an object with the mark of an operation.
func marked(object map[string]any, mark string) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[v1alpha1.AnnotationOperation] = mark
	metadata["annotations"] = annotations
	return object
}

// announced is how an object was announced; nil when it was not.
func (r *Run) announced(ref model.Ref) *v1alpha1.MadeObject {
	for _, m := range r.Operation.Status.Made {
		if anyUID := (v1alpha1.MadeObject{Where: m.Where, APIVersion: m.APIVersion, Kind: m.Kind, Namespace: m.Namespace, Name: m.Name}); anyUID == made(ref) {
			return &m
		}
	}
	return nil
}

// discard deletes an object of the instance's Karmada if the operation made it: it was announced, is the one that was made, and has the mark. It
// reports whether it is gone.
func (r *Run) discard(ctx context.Context, ref model.Ref) (bool, error) {
	was := r.announced(ref)
	if was == nil {
		return true, nil
	}
	_, is, err := r.look(ctx, ref)
	if err != nil || is == nil || is.Annotations[v1alpha1.AnnotationOperation] != r.Mark() || was.UID != "" && was.UID != string(is.UID) {
		return err == nil, err
	}
	if is.DeletionTimestamp != nil {
		return false, nil
	}
	o, err := r.open(ctx, ref)
	if err != nil {
		return false, err
	}
	if err := o.Delete(ctx, karmada.Expected{UID: string(is.UID)}); err != nil && !karmada.IsAbsent(err) {
		return false, err
	}
	return false, nil
}

// final turns what trying again cannot put right into the end of the operation; other errors are tried again.
func final(err error) (Outcome, error) {
	refused, problem := (*karmada.Refused)(nil), (*model.Error)(nil)
	switch {
	case errors.As(err, &refused) && refused.Code != string(model.CodeConflict) && refused.Code != string(model.CodeLimitExceeded):
		return Fail("Karmada refuses: %s", refused.Message), nil
	case errors.As(err, &problem) && (problem.Code == model.CodeBadUserInput || problem.Code == model.CodeForbidden || problem.Code == model.CodeNotFound ||
		problem.Code == model.CodeLimitExceeded && !problem.Retryable):
		return Fail("%s", problem.Message), nil
	case lost(err):
		return Fail("%s", err), nil
	}
	return Outcome{}, err
}
