package karmada

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/upstream"
)

// maxRetries is how often a request is repeated when the server asks for it (Retry-After).
const maxRetries = 2

// write applies an object, that of a document or one in its place, and says what became of it.
func (r *run) write(ctx context.Context, d *document, object *unstructured.Unstructured) (model.ApplyOutcome, error) {
	mapping := d.mapping
	before, err := r.read(ctx, mapping, object)
	if err != nil {
		return "", unwritten{err}
	}
	body, err := json.Marshal(object.Object)
	if err != nil {
		return "", fmt.Errorf("encode %s %q: %w", mapping.GroupVersionKind.Kind, object.GetName(), err)
	}
	req := locate(r.client.Patch(types.ApplyYAMLPatchType), mapping, object.GetNamespace(), object.GetName()).
		Param("fieldManager", FieldManager).
		Param("fieldValidation", "Strict").
		Param("force", fmt.Sprint(r.req.Force)).
		MaxRetries(maxRetries).
		Body(body)
	if r.req.DryRun {
		req = req.Param("dryRun", "All")
	}
	raw, code, err := send(ctx, r.req.Timeout, req)
	if err != nil {
		return "", err
	}
	if !r.req.DryRun {
		told(r.conn)(Written{Object: raw, Before: encoded(before), Ref: model.Ref{Instance: r.conn.Instance(), GVK: mapping.GroupVersionKind,
			Namespace: object.GetNamespace(), Name: object.GetName()}})
	}
	if created(code) && r.req.Tried == nil {
		return model.OutcomeCreated, nil
	}
	after := map[string]any{}
	if err := json.Unmarshal(raw, &after); err != nil {
		return "", fmt.Errorf("decode the answer for %s %q: %w", mapping.GroupVersionKind.Kind, object.GetName(), err)
	}
	if r.req.Tried != nil {
		r.req.Tried(d.index, before, after)
	}
	if created(code) {
		return model.OutcomeCreated, nil
	}
	if before != nil && same(before, after) {
		return model.OutcomeUnchanged, nil
	}
	return model.OutcomeConfigured, nil
}

// encoded is an object as JSON; nil for none.
func encoded(object map[string]any) []byte {
	if object == nil {
		return nil
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil // it came as JSON
	}
	return raw
}

// read returns the object before the write; nil when there is none or when it may not be read.
func (r *run) read(ctx context.Context, mapping *meta.RESTMapping, object *unstructured.Unstructured) (map[string]any, error) {
	raw, _, err := send(ctx, r.req.Timeout, locate(r.client.Get(), mapping, object.GetNamespace(), object.GetName()).MaxRetries(0))
	switch {
	case apierrors.IsNotFound(err) && !unservedYet(err), apierrors.IsForbidden(err):
		return nil, nil //nolint:nilnil // no object is an answer here
	case err != nil:
		return nil, err
	}
	out := map[string]any{}
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("decode %s %q: %w", mapping.GroupVersionKind.Kind, object.GetName(), err)
	}
	return out, nil
}

// send makes one request within the time that one may take.
func send(ctx context.Context, timeout time.Duration, req *rest.Request) ([]byte, int, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	code := 0
	result := req.Do(ctx).StatusCode(&code)
	if err := result.Error(); err != nil {
		return nil, code, err
	}
	raw, err := result.Raw()
	return raw, code, err
}

// reach checks that the API server answers at all before anything is written: a write that was sent is waited for
// longer, since its outcome would be unknown. Any answer will do.
func reach(ctx context.Context, client rest.Interface, instance string, timeout time.Duration) error {
	_, err := upstream.Await(ctx, instance, min(timeout, upstream.Silence), func(ctx context.Context, _ func()) (struct{}, error) {
		_, _, err := send(ctx, timeout, client.Get().AbsPath("/version").MaxRetries(0))
		if errors.As(err, new(apierrors.APIStatus)) {
			err = nil
		}
		return struct{}{}, err
	})
	if err != nil {
		return unwritten{err}
	}
	return nil
}

// locate points a request at an object. A wrong name or namespace fails when it is sent.
func locate(req *rest.Request, mapping *meta.RESTMapping, namespace, name string) *rest.Request {
	req = req.AbsPath(groupPath(mapping.GroupVersionKind.GroupVersion()))
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		req = req.Namespace(namespace)
	}
	return req.Resource(mapping.Resource.Resource).Name(name)
}

// same reports whether two versions of an object are equal, apart from their status and the server's own metadata.
func same(a, b map[string]any) bool {
	return equality.Semantic.DeepEqual(content(a), content(b))
}

func content(object map[string]any) map[string]any {
	out := maps.Clone(object)
	delete(out, "status")
	if m, ok := out["metadata"].(map[string]any); ok {
		m = maps.Clone(m)
		for _, k := range []string{"managedFields", "resourceVersion", "generation"} {
			delete(m, k)
		}
		out["metadata"] = m
	}
	return out
}

// unservedYet reports that not the object but its whole path was not found: the API server does not serve the kind.
func unservedYet(err error) bool {
	var status apierrors.APIStatus
	if !apierrors.IsNotFound(err) || !errors.As(err, &status) {
		return false
	}
	d := status.Status().Details
	return d == nil || d.Name == ""
}

// rehearse tries an object whose namespace exists only in this dry run: in the namespace "default", under another
// name, so that it touches nothing there.
func (r *run) rehearse(ctx context.Context, d, namespace *document) {
	stand := d.object.DeepCopy()
	stand.SetNamespace(defaultNamespace)
	stand.SetName(UniqueName(d.object.GetName()))
	_, err := r.write(ctx, d, stand)
	if err == nil {
		d.outcome = model.OutcomeCreated
		return
	}
	r.fail(d, err)
	d.err.Message = strings.ReplaceAll(d.err.Message, stand.GetName(), d.object.GetName())
	if d.err.Code == string(model.CodeForbidden) || d.err.Code == string(model.CodeLimitExceeded) {
		d.err.Message = fmt.Sprintf("cannot be tried before document %d has created its namespace (in %q: %s)",
			namespace.index, defaultNamespace, d.err.Message)
	}
}

// UniqueName returns an unused name. It is no longer than the one it stands for, unless that is very short, so
// that it exceeds no limit that the other keeps.
func UniqueName(name string) string {
	const suffix = 9
	if len(name) > 2*suffix {
		name = strings.TrimRight(name[:len(name)-suffix], "-.")
	}
	return name + "-" + strings.ToLower(rand.Text()[:suffix-1])
}
