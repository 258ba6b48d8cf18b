package karmada

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
)

// maxHeld is how many objects of a kind are counted at most.
const maxHeld = 100

// Refused is what an API server refused, in its own words.
type Refused struct {
	model.UserError
	// Causes are what is wrong, one by one, when the API server told of several fields.
	Causes []model.UserError
}

func (r *Refused) Error() string { return r.Message }

// Expected is what an object must be for a write to it to be made. Empty fields expect nothing.
type Expected struct {
	// UID tells an object from another one of the same name.
	UID string
	// ResourceVersion is the version that was read.
	ResourceVersion string
}

// Object is one object of an instance's control plane, as one person reads and writes it. Its methods fail with
// *Refused when the API server refuses, and with an UNAVAILABLE or TIMEOUT when it does not answer; an object that is not the
// expected one is a CONFLICT.
type Object struct {
	// Ref is the object.
	Ref model.Ref

	client  rest.Interface
	mapping *meta.RESTMapping
	dryRun  bool
	wrote   func(Written)
	// before is the object as it was read for the write that is to be made.
	before []byte
}

// Open returns an object, which need not exist, when the API server answers at all. A kind that the instance does not
// serve is a BAD_USER_INPUT about the field "id". A dry run changes nothing.
func Open(ctx context.Context, conn Connection, principal auth.Principal, ref model.Ref, dryRun bool) (*Object, error) {
	if ref.Cluster != "" {
		return nil, model.BadInput("id", "is the id of an object in cluster %q: members are written by Karmada; change its template", ref.Cluster)
	}
	for _, name := range []string{ref.Name, ref.Namespace} {
		if len(path.IsValidPathSegmentName(name)) > 0 {
			return nil, model.BadInput("id", "is not an id of this server")
		}
	}
	client, err := as(conn, principal)
	if err != nil {
		return nil, fmt.Errorf("write to instance %q: %w", ref.Instance, err)
	}
	o := &Object{Ref: ref, client: client, dryRun: dryRun, wrote: told(conn)}
	if err := reach(ctx, client, ref.Instance, DefaultTimeout); err != nil {
		return nil, o.explained(ctx, err)
	}
	if o.mapping, err = mapping(conn, ref); err != nil {
		return nil, err
	}
	return o, nil
}

// mapping finds where the API server serves an object.
func mapping(conn Connection, ref model.Ref) (*meta.RESTMapping, error) {
	m := known(ref)
	if m == nil {
		mapper := conn.Mapper()
		found, err := mapper.RESTMapping(ref.GVK.GroupKind(), ref.GVK.Version)
		if meta.IsNoMatchError(err) {
			mapper.Reset() // it may have been defined since discovery was last read
			found, err = mapper.RESTMapping(ref.GVK.GroupKind(), ref.GVK.Version)
		}
		switch {
		case meta.IsNoMatchError(err):
			return nil, model.BadInput("id", "is the id of a kind %q of %q, which instance %q does not serve", ref.GVK.Kind, ref.APIVersion(), ref.Instance)
		case err != nil:
			return nil, &model.Error{Code: model.CodeUnavailable, Instance: ref.Instance, Retryable: true, Err: err,
				Message: fmt.Sprintf("which kinds instance %q serves cannot be read", ref.Instance)}
		}
		m = found
	}
	if namespaced := m.Scope.Name() == meta.RESTScopeNameNamespace; namespaced != (ref.Namespace != "") {
		return nil, model.BadInput("id", "is not an id of this server")
	}
	return m, nil
}

// known is where an object of a kind of the catalogue is served, without a request; nil for other kinds.
func known(ref model.Ref) *meta.RESTMapping {
	kind := catalog.ByGVK(ref.GVK)
	if kind == nil {
		return nil
	}
	scope := meta.RESTScopeRoot
	if kind.Namespaced {
		scope = meta.RESTScopeNamespace
	}
	return &meta.RESTMapping{Resource: kind.GVR(), GroupVersionKind: ref.GVK, Scope: scope}
}

// Get returns the object as the API server holds it, as JSON.
func (o *Object) Get(ctx context.Context) ([]byte, error) {
	raw, _, err := send(ctx, dryRunTimeout, o.at(o.client.Get()))
	if err != nil {
		return nil, o.explained(ctx, unwritten{err})
	}
	return raw, nil
}

// At returns the object as it was at an earlier version, as JSON; nil when it did not exist then. The API server keeps versions
// for some minutes: a *Refused after that.
func (o *Object) At(ctx context.Context, resourceVersion string) ([]byte, error) {
	req := o.client.Get().AbsPath(groupPath(o.mapping.GroupVersionKind.GroupVersion())).Resource(o.mapping.Resource.Resource).
		Param("fieldSelector", "metadata.name="+o.Ref.Name).Param("resourceVersion", resourceVersion).Param("resourceVersionMatch", "Exact").MaxRetries(0)
	if o.Ref.Namespace != "" {
		req = req.Namespace(o.Ref.Namespace)
	}
	raw, _, err := send(ctx, dryRunTimeout, req)
	if err != nil {
		return nil, o.explained(ctx, unwritten{err})
	}
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(raw, &list); err != nil || len(list.Items) == 0 {
		return nil, err
	}
	return list.Items[0], nil
}

// Trying is the object with nothing but dry runs.
func (o *Object) Trying() *Object {
	out := *o
	out.dryRun = true
	return &out
}

// List returns the objects of another kind in the object's namespace, or of those in none, that have the labels of a
// selector, as a list in JSON.
func (o *Object) List(ctx context.Context, kind schema.GroupVersionResource, selector string) ([]byte, error) {
	req := o.client.Get().AbsPath(groupPath(kind.GroupVersion())).Resource(kind.Resource).Param("labelSelector", selector).MaxRetries(0)
	if o.Ref.Namespace != "" {
		req = req.Namespace(o.Ref.Namespace)
	}
	raw, _, err := send(ctx, dryRunTimeout, req)
	if err != nil {
		return nil, o.explained(ctx, unwritten{err})
	}
	return raw, nil
}

// Holds returns what the object, a Namespace, holds of a kind, as a list of at most maxHeld in JSON without content. Fields and
// labels select among them.
func (o *Object) Holds(ctx context.Context, kind schema.GroupVersionResource, fields, labels string) ([]byte, error) {
	req := o.client.Get().AbsPath(groupPath(kind.GroupVersion())).Namespace(o.Ref.Name).Resource(kind.Resource).MaxRetries(0).
		SetHeader("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json").Param("limit", strconv.Itoa(maxHeld))
	if fields != "" {
		req = req.Param("fieldSelector", fields)
	}
	if labels != "" {
		req = req.Param("labelSelector", labels)
	}
	raw, _, err := send(ctx, dryRunTimeout, req)
	if err != nil {
		return nil, o.explained(ctx, unwritten{err})
	}
	return raw, nil
}

// Resources returns the namespaced kinds of named groups that the API server serves and that can be listed and deleted, each in the
// version that it prefers, as it tells the person.
func (o *Object) Resources(ctx context.Context) ([]schema.GroupVersionResource, error) {
	raw, _, err := send(ctx, dryRunTimeout, o.client.Get().AbsPath("/apis").MaxRetries(0).
		SetHeader("Accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"))
	if err != nil {
		return nil, o.explained(ctx, unwritten{err})
	}
	var groups apidiscoveryv2.APIGroupDiscoveryList
	if err := json.Unmarshal(raw, &groups); err != nil {
		return nil, fmt.Errorf("decode what instance %q serves: %w", o.Ref.Instance, err)
	}
	var out []schema.GroupVersionResource
	for _, g := range groups.Items {
		if len(g.Versions) == 0 {
			continue
		}
		for _, r := range g.Versions[0].Resources {
			if r.Scope == apidiscoveryv2.ScopeNamespace && slices.Contains(r.Verbs, "list") && slices.Contains(r.Verbs, "delete") {
				out = append(out, schema.GroupVersionResource{Group: g.Name, Version: g.Versions[0].Version, Resource: r.Resource})
			}
		}
	}
	return out, nil
}

// Patch changes the object by a patch of a given type, and returns it as it is then, as JSON. Force takes over fields of
// other managers, in a patch of type apply.
func (o *Object) Patch(ctx context.Context, kind types.PatchType, patch []byte, force bool) ([]byte, error) {
	req := o.writing(o.client.Patch(kind)).Param("fieldManager", FieldManager).Param("fieldValidation", "Strict").Body(patch)
	if kind == types.ApplyPatchType || kind == types.ApplyYAMLPatchType {
		req = req.Param("force", fmt.Sprint(force))
	}
	raw, err := o.written(o.sent(ctx, req))
	if kind == types.StrategicMergePatchType {
		err = o.senseless(err)
	}
	return raw, err
}

// Known is the object as it was read before it is written, so that the difference is known.
func (o *Object) Known(before []byte) *Object {
	out := *o
	out.before = before
	return &out
}

// Merge changes fields of the object by a JSON merge patch (RFC 7396), in which nil removes a field.
func (o *Object) Merge(ctx context.Context, expected Expected, fields map[string]any) ([]byte, error) {
	patch, err := json.Marshal(expected.in(fields))
	if err != nil {
		return nil, fmt.Errorf("encode a patch of %s %q: %w", o.Ref.GVK.Kind, o.Ref.Name, err)
	}
	return o.Patch(ctx, types.MergePatchType, patch, false)
}

// in is fields with what is expected: the API server refuses a patch that would change it.
func (e Expected) in(fields map[string]any) map[string]any {
	if e == (Expected{}) {
		return fields
	}
	out, metadata := map[string]any{}, map[string]any{}
	for k, v := range fields {
		out[k] = v
	}
	if given, ok := fields["metadata"].(map[string]any); ok {
		for k, v := range given {
			metadata[k] = v
		}
	}
	if e.UID != "" {
		metadata["uid"] = e.UID
	}
	if e.ResourceVersion != "" {
		metadata["resourceVersion"] = e.ResourceVersion
	}
	out["metadata"] = metadata
	return out
}

// Meets fails with a CONFLICT that says what is not as expected.
func (e Expected) Meets(held Expected) error {
	conflict := func(field, format string, args ...any) error {
		return &Refused{UserError: model.UserError{Code: string(model.CodeConflict), Message: fmt.Sprintf(format, args...), Field: []string{"metadata", field}}}
	}
	switch {
	case e.UID != "" && e.UID != held.UID:
		return conflict("uid", "it is not the object that is meant: its uid is %s", held.UID)
	case e.ResourceVersion != "" && e.ResourceVersion != held.ResourceVersion:
		return conflict("resourceVersion", "it has changed since it was read: its resourceVersion is %s, not %s; read it again", held.ResourceVersion, e.ResourceVersion)
	}
	return nil
}

// Create makes the object, and returns it as the API server holds it, as JSON. One that exists is a CONFLICT.
func (o *Object) Create(ctx context.Context, object map[string]any) ([]byte, error) {
	body, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encode %s %q: %w", o.Ref.GVK.Kind, o.Ref.Name, err)
	}
	req := o.client.Post().AbsPath(groupPath(o.Ref.GVK.GroupVersion())).Resource(o.mapping.Resource.Resource)
	if o.Ref.Namespace != "" {
		req = req.Namespace(o.Ref.Namespace)
	}
	return o.written(o.sent(ctx, o.trying(req).Param("fieldManager", FieldManager).Param("fieldValidation", "Strict").Body(body)))
}

// written tells what became of the object.
func (o *Object) written(raw []byte, err error) ([]byte, error) {
	if err == nil && !o.dryRun {
		o.wrote(Written{Ref: o.Ref, Object: raw, Before: o.before})
	}
	return raw, err
}

// deleted tells what a deletion left of the object. The answer is a Status, or the object where somebody has to agree first (finalizers).
func (o *Object) deleted(raw []byte) {
	var answer struct {
		Kind     string
		Metadata struct {
			UID               string
			DeletionTimestamp *string
		}
		Details struct{ UID string }
	}
	if o.dryRun || json.Unmarshal(raw, &answer) != nil {
		return
	}
	switch {
	case answer.Kind != "Status" && answer.Metadata.DeletionTimestamp != nil:
		o.wrote(Written{Ref: o.Ref, Object: raw})
	default:
		o.wrote(Written{Ref: o.Ref, Before: o.before, UID: cmp.Or(answer.Details.UID, answer.Metadata.UID)})
	}
}

// Delete removes the object, and in the background what belongs to it.
func (o *Object) Delete(ctx context.Context, expected Expected) error {
	background := metav1.DeletePropagationBackground
	options := metav1.DeleteOptions{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"}, PropagationPolicy: &background}
	if o.dryRun { // the API server takes it from here, and not from the address, where there is a body
		options.DryRun = []string{metav1.DryRunAll}
	}
	if expected != (Expected{}) {
		options.Preconditions = &metav1.Preconditions{}
		if expected.UID != "" {
			uid := types.UID(expected.UID)
			options.Preconditions.UID = &uid
		}
		if expected.ResourceVersion != "" {
			options.Preconditions.ResourceVersion = &expected.ResourceVersion
		}
	}
	body, err := json.Marshal(&options)
	if err != nil {
		return fmt.Errorf("encode the deletion of %s %q: %w", o.Ref.GVK.Kind, o.Ref.Name, err)
	}
	raw, err := o.sent(ctx, o.writing(o.client.Delete()).Body(body))
	if err == nil {
		o.deleted(raw)
	}
	if refused := (*Refused)(nil); errors.As(err, &refused) && refused.Code == string(model.CodeConflict) && expected.UID != "" && expected.ResourceVersion == "" && refused.Field == nil {
		refused.Field = []string{"metadata", "uid"}
	}
	return err
}

// at points a request at the object.
func (o *Object) at(req *rest.Request) *rest.Request {
	return locate(req, o.mapping, o.Ref.Namespace, o.Ref.Name).MaxRetries(0)
}

// writing points a request that writes at the object.
func (o *Object) writing(req *rest.Request) *rest.Request {
	return o.trying(o.at(req))
}

// trying has a request repeated when the API server asks for it, and change nothing in a dry run.
func (o *Object) trying(req *rest.Request) *rest.Request {
	req = req.MaxRetries(maxRetries)
	if o.dryRun {
		req = req.Param("dryRun", "All")
	}
	return req
}

// sent makes a request that writes.
func (o *Object) sent(ctx context.Context, req *rest.Request) ([]byte, error) {
	raw, _, err := send(ctx, timeoutOf(DefaultTimeout, o.dryRun), req)
	if err == nil {
		return raw, nil
	}
	if o.dryRun {
		err = unwritten{err}
	}
	return nil, o.explained(ctx, err)
}

// explained says what an error of a request means.
func (o *Object) explained(ctx context.Context, err error) error {
	f := explain(o.Ref.Instance, err)
	if !f.outage && !f.broken {
		return &Refused{f.UserError, f.causes}
	}
	return away(ctx, o.Ref, f, err)
}

// away is the error for an API server, or what it asks, that does not do its part.
func away(ctx context.Context, ref model.Ref, f failure, err error) error {
	slog.WarnContext(ctx, "a write failed", "instance", ref.Instance, "kind", ref.GVK.String(), "namespace", ref.Namespace, "name", ref.Name, "err", err)
	return &model.Error{Code: model.Code(f.Code), Message: f.Message, Instance: ref.Instance, Retryable: true, Unknown: f.unknown, Err: err}
}

// IsAbsent reports that an object does not exist.
func IsAbsent(err error) bool {
	refused := (*Refused)(nil)
	return errors.As(err, &refused) && refused.Code == string(model.CodeNotFound) || apierrors.IsNotFound(err)
}

// IsForbidden reports that the person may not do it.
func IsForbidden(err error) bool {
	refused := (*Refused)(nil)
	return errors.As(err, &refused) && refused.Code == string(model.CodeForbidden)
}

// About reports whether a refusal is about a field of the object.
func (r *Refused) About(field ...string) bool { return slices.Equal(r.Field, field) }
