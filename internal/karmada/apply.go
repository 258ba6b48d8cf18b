package karmada

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// establishTimeout is how long the kind of a CustomResourceDefinition that was just applied may take to
// be served.
const establishTimeout = 10 * time.Second

// establishInterval is how often that is asked.
const establishInterval = 200 * time.Millisecond

// Request says what to apply, and how.
type Request struct {
	// Manifests is multi-document YAML, or JSON objects one after the other.
	Manifests string
	// DryRun sends server-side dry runs, which change nothing.
	DryRun bool
	// Force takes over fields that other managers own.
	Force bool
	// OnError is what to do after a document failed; empty is STOP.
	OnError model.OnError
	// Seen is called with the objects as they were read, before anything is done with them; nil for none.
	Seen func(objects []map[string]any)
	// Tried is called with each document that was written, or would be in a dry run: the object before, nil when there is none
	// or it may not be read, and the API server's answer. Nil for none.
	Tried func(index int, before, after map[string]any)
	// Most is how many documents may be given; zero is MaxDocuments.
	Most int
	// Timeout is how long each request to the API server may take; zero is DefaultTimeout.
	Timeout time.Duration
}

// Apply applies manifests to an instance by server-side apply, as a person. It returns one outcome for
// each document in the order given (documents that hold nothing are not counted, the items of a List
// are), and what is wrong with the request as a whole. The error is for what is neither: the person must
// not be impersonated, or there is no connection.
//
// Everything that can be checked beforehand is checked before anything is written: documents that cannot be read,
// objects given twice, kinds that the instance does not serve, namespaces on cluster-scoped kinds. With STOP one such
// document keeps all from being applied. When the API server cannot be reached, or does not answer in time, the rest
// is skipped whatever OnError says.
//
// CREATED means that the API server answered 201. CONFIGURED and UNCHANGED differ in whether the answer equals the
// object from before, without its status and the server's own metadata: a change of field owners does not count.
// Someone who may patch an object but not get it always gets CONFIGURED.
//
// In a dry run, objects in a namespace that an earlier document would create are tried under another name in the
// namespace "default", because the API server checks nothing in a namespace that does not exist; objects of a kind
// that an earlier document would define fail, and the message says so.
func Apply(ctx context.Context, conn Connection, principal auth.Principal, req Request) ([]model.DocumentOutcome, []model.UserError, error) {
	client, err := as(conn, principal)
	if err != nil {
		return nil, nil, fmt.Errorf("apply to instance %q: %w", conn.Instance(), err)
	}
	sections, size, invalid := scan(req.Manifests)
	if invalid != nil {
		return []model.DocumentOutcome{}, []model.UserError{*invalid}, nil
	}
	release, err := inMemory.acquire(ctx, principal.Name, size.Memory())
	if err != nil {
		return nil, nil, err
	}
	defer release()
	docs, invalid := documents(sections)
	if invalid != nil {
		return []model.DocumentOutcome{}, []model.UserError{*invalid}, nil
	}
	if req.Most > 0 && len(docs) > req.Most {
		return []model.DocumentOutcome{}, []model.UserError{{Code: string(model.CodeLimitExceeded), Field: []string{"manifests"},
			Message: fmt.Sprintf("manifests: holds %d documents, at most %d are allowed here", len(docs), req.Most)}}, nil
	}
	req.see(docs)
	if req.Timeout <= 0 {
		req.Timeout = DefaultTimeout
	}
	req.Timeout = timeoutOf(req.Timeout, req.DryRun)
	r := &run{conn: conn, client: client, req: req, docs: docs,
		definitions: map[schema.GroupVersionKind]*document{}, namespaces: map[string]*document{}}
	if err := r.prepare(ctx); err != nil {
		return nil, nil, err
	}
	if !r.stopped {
		for _, d := range order(docs) {
			if d.outcome == "" && !r.stopped {
				r.apply(ctx, d)
			}
		}
	}
	out := make([]model.DocumentOutcome, len(docs))
	for i, d := range docs {
		if d.outcome == "" {
			d.outcome = model.OutcomeSkipped
		}
		out[i] = d.result()
	}
	return out, []model.UserError{}, nil
}

func (r Request) see(docs []*document) {
	if r.Seen == nil {
		return
	}
	var objects []map[string]any
	for _, d := range docs {
		if d.object != nil {
			objects = append(objects, d.object.Object)
		}
	}
	r.Seen(objects)
}

// run is one Apply.
type run struct {
	conn   Connection
	client rest.Interface
	req    Request
	docs   []*document
	// definitions are the CustomResourceDefinitions of the input, by the kinds they define, and
	// namespaces its Namespaces, by name.
	definitions map[schema.GroupVersionKind]*document
	namespaces  map[string]*document
	// rediscovered says that the mapper was already reset.
	rediscovered bool
	stopped      bool
}

// failed stops the run after a failure, unless OnError is CONTINUE.
func (r *run) failed() {
	if r.req.OnError != model.OnErrorContinue {
		r.stopped = true
	}
}

// prepare finds what is wrong before anything is written. It fails where nothing can be written, because the API server is
// away: no document is to blame.
func (r *run) prepare(ctx context.Context) error {
	reached := false
	for _, d := range r.docs {
		if d.outcome != "" {
			continue
		}
		r.register(d)
		if reached {
			continue
		}
		reached = true
		if err := reach(ctx, r.client, r.conn.Instance(), r.req.Timeout); err != nil {
			return r.away(ctx, err)
		}
	}
	for _, d := range r.docs {
		if d.outcome != "" {
			continue
		}
		if err := r.resolve(d); err != nil {
			return r.away(ctx, unwritten{err})
		}
	}
	seen := map[identity]*document{}
	for _, d := range r.docs {
		if d.outcome == "" {
			if first, ok := seen[d.identity()]; ok {
				d.fail(model.CodeBadUserInput, []string{"metadata", "name"}, "metadata.name: %s %q is also document %d", d.gvk.Kind, d.object.GetName(), first.index)
			} else {
				seen[d.identity()] = d
			}
		}
	}
	for _, d := range r.docs {
		if d.outcome == model.OutcomeFailed {
			r.failed()
		}
	}
	return nil
}

func (r *run) away(ctx context.Context, err error) error {
	return away(ctx, model.Ref{Instance: r.conn.Instance()}, explain(r.conn.Instance(), err), err)
}

// register records what other documents may depend on.
func (r *run) register(d *document) {
	switch d.gvk.GroupKind() {
	case schema.GroupKind{Kind: "Namespace"}:
		r.namespaces[d.object.GetName()] = d
	case schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}:
		group, _, _ := unstructured.NestedString(d.object.Object, "spec", "group")
		kind, _, _ := unstructured.NestedString(d.object.Object, "spec", "names", "kind")
		versions, _, _ := unstructured.NestedSlice(d.object.Object, "spec", "versions")
		for _, v := range versions {
			v, _ := v.(map[string]any)
			name, _ := v["name"].(string)
			r.definitions[schema.GroupVersionKind{Group: group, Version: name, Kind: kind}] = d
		}
	}
}

// resolve finds how the instance serves a document's kind. A kind that the input itself defines may
// stay without a mapping until its definition is applied. It fails where the API server cannot be asked.
func (r *run) resolve(d *document) error {
	mapper := r.conn.Mapper()
	mapping, err := mapper.RESTMapping(d.gvk.GroupKind(), d.gvk.Version)
	if meta.IsNoMatchError(err) && r.definitions[d.gvk] != nil {
		return nil
	}
	if meta.IsNoMatchError(err) && !r.rediscovered {
		// It may have been defined since discovery was last read.
		r.rediscovered = true
		mapper.Reset()
		mapping, err = mapper.RESTMapping(d.gvk.GroupKind(), d.gvk.Version)
	}
	switch {
	case err == nil:
		d.mapping = mapping
		d.place()
	case meta.IsNoMatchError(err):
		r.unserved(d)
	default:
		return err
	}
	return nil
}

// unserved reports that the instance does not serve the kind, and which versions it serves.
func (r *run) unserved(d *document) {
	message := fmt.Sprintf("instance %q serves no kind %q of %q", r.conn.Instance(), d.gvk.Kind, d.gvk.GroupVersion().String())
	if others, err := r.conn.Mapper().RESTMappings(d.gvk.GroupKind()); err == nil {
		for i, m := range others {
			if i == 0 {
				message += "; it serves "
			} else {
				message += ", "
			}
			message += m.GroupVersionKind.GroupVersion().String()
		}
	}
	d.fail(model.CodeNotFound, []string{"kind"}, "%s", message)
}

// fail records the error of a request to the API server.
func (r *run) fail(d *document, err error) {
	if r.req.DryRun {
		err = unwritten{err}
	}
	f := explain(r.conn.Instance(), err)
	d.outcome, d.err = model.OutcomeFailed, &f.UserError
	if f.outage || d.err.Code == string(model.CodeInternal) {
		slog.Warn("apply failed", "instance", r.conn.Instance(), "kind", d.gvk.String(),
			"namespace", d.object.GetNamespace(), "name", d.object.GetName(), "err", err)
	}
	if f.outage {
		r.stopped = true
		return
	}
	r.failed()
}

// apply applies one document.
func (r *run) apply(ctx context.Context, d *document) {
	if d.mapping == nil && !r.await(ctx, d) {
		return
	}
	dry := r.req.DryRun
	if ns := r.namespaces[d.object.GetNamespace()]; dry && ns != nil && ns != d && ns.outcome == model.OutcomeCreated {
		r.rehearse(ctx, d, ns)
		return
	}
	deadline := time.Now().Add(establishTimeout)
	for {
		outcome, err := r.write(ctx, d, d.object)
		if err == nil {
			d.outcome = outcome
			return
		}
		// A kind that was just defined is discovered before every server serves it.
		if def := r.definitions[d.gvk]; def == nil || !unservedYet(err) || !time.Now().Before(deadline) || !pause(ctx, establishInterval) {
			r.fail(d, err)
			return
		}
	}
}

// await waits until a kind that the input defines is served.
func (r *run) await(ctx context.Context, d *document) bool {
	def := r.definitions[d.gvk]
	if r.req.DryRun {
		d.fail(model.CodeNotFound, []string{"kind"}, "kind: cannot be tried in a dry run, because document %d, which a dry run does not keep, defines it", def.index)
		r.failed()
		return false
	}
	deadline := time.Now().Add(establishTimeout)
	for {
		r.conn.Mapper().Reset()
		mapping, err := r.conn.Mapper().RESTMapping(d.gvk.GroupKind(), d.gvk.Version)
		switch {
		case err == nil:
			d.mapping = mapping
			if d.place(); d.outcome != "" {
				r.failed()
			}
			return d.outcome == ""
		case !meta.IsNoMatchError(err):
			r.fail(d, unwritten{err})
			return false
		}
		// The kind of a definition that failed will not be served.
		if def.outcome == model.OutcomeFailed || !time.Now().Before(deadline) || !pause(ctx, establishInterval) {
			r.unserved(d)
			r.failed()
			return false
		}
	}
}

// pause waits; false when the context ends first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
