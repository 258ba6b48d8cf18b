package globalmanagement

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

const (
	// LabelSource is on every AccessBinding that the hook made; its value is the source. Removing it takes the
	// binding over.
	LabelSource = v1alpha1.LabelGlobalManagement
	// FieldManager owns what the hook wrote.
	FieldManager = client.FieldOwner("kairship-global-management")
)

const (
	// attempts is how many times a write is tried while others keep conflicting.
	attempts = 5
	// patience is how long an event waits, in total, for bindings that are being deleted: usually they are revoked
	// everywhere within a second.
	patience = 3 * time.Second
	// look is how often that is checked.
	look = 100 * time.Millisecond
)

// Outcome is what became of a binding.
type Outcome string

// The outcomes.
const (
	OutcomeCreated   Outcome = "created"
	OutcomeUpdated   Outcome = "updated"
	OutcomeUnchanged Outcome = "unchanged"
	OutcomeRemoved   Outcome = "removed"
	// OutcomeAbsent: what was to be removed is not there.
	OutcomeAbsent Outcome = "absent"
	// OutcomeWaiting: the former binding is not revoked everywhere yet; a full sync makes the new one.
	OutcomeWaiting Outcome = "waiting"
	// OutcomeRefused: the binding is not allowed.
	OutcomeRefused Outcome = "refused"
	// OutcomeConflict: it, or a field of it, is somebody else's.
	OutcomeConflict Outcome = "conflict"
	// OutcomeFailed: the host cluster did not write it; the event is refused and must be sent again.
	OutcomeFailed Outcome = "failed"
)

// writer keeps AccessBindings as the sources define them.
type writer struct {
	client client.Client
	audit  func(context.Context, Record)
	clock  clock.PassiveClock
	logger *slog.Logger
}

// run applies one event, or one full sync.
type run struct {
	*writer
	from origin
	// patience ends when bindings that are being deleted are no longer waited for.
	patience context.Context
}

func (w *writer) begin(ctx context.Context, from origin) (*run, context.CancelFunc) {
	until, cancel := context.WithTimeout(ctx, patience)
	return &run{writer: w, from: from, patience: until}, cancel
}

// verdict is what became of a binding, and why.
type verdict struct {
	outcome Outcome
	message string
}

// get reads a binding; nil when there is none.
func (r *run) get(ctx context.Context, name string) (*v1alpha1.AccessBinding, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var b v1alpha1.AccessBinding
	err := r.client.Get(ctx, client.ObjectKey{Name: name}, &b)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading AccessBinding %q: %w", name, err)
	}
	return &b, nil
}

// list reads all bindings of the source.
func (r *run) list(ctx context.Context) ([]v1alpha1.AccessBinding, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var list v1alpha1.AccessBindingList
	if err := r.client.List(ctx, &list, client.MatchingLabels{LabelSource: r.from.source}); err != nil {
		return nil, fmt.Errorf("listing the AccessBindings of source %q: %w", r.from.source, err)
	}
	return slices.DeleteFunc(list.Items, func(b v1alpha1.AccessBinding) bool { return !isOf(&b, r.from.source) }), nil
}

// isOf reports whether the hook made a binding for a source. The label alone is no proof: a copy of a binding under
// another name has it as well.
func isOf(b *v1alpha1.AccessBinding, source string) bool {
	return b.Labels[LabelSource] == source && strings.HasPrefix(b.Name, event.NamePrefix)
}

// put creates or updates a binding. have is its last known state. An error means that a retry may succeed.
func (r *run) put(ctx context.Context, name string, want v1alpha1.AccessBindingSpec, have *v1alpha1.AccessBinding) (verdict, error) {
	for range attempts {
		if have != nil && have.DeletionTimestamp != nil {
			var err error
			if have, err = r.gone(ctx, have); err != nil {
				return verdict{}, err
			}
			if have != nil && have.DeletionTimestamp != nil {
				return verdict{OutcomeWaiting, "the former binding is not revoked everywhere yet; this one is made by a full sync after that"}, nil
			}
		}
		if have != nil && !isOf(have, r.from.source) {
			v := verdict{OutcomeConflict, fmt.Sprintf("there is an AccessBinding %q that is not this source's", name)}
			r.record(ctx, r.from, ActionApply, name, &have.Spec, &want, v.outcome, v.message)
			return v, nil
		}
		if have != nil && same(have.Spec, want) && have.Labels[v1alpha1.LabelManagedBy] == v1alpha1.ManagedByKairship {
			return verdict{outcome: OutcomeUnchanged}, nil
		}
		v, crossed, err := r.write(ctx, name, want, have)
		if err != nil {
			r.record(ctx, r.from, ActionApply, name, specOf(have), &want, OutcomeFailed, "the host cluster did not do it")
			return verdict{}, err
		}
		if !crossed {
			r.record(ctx, r.from, ActionApply, name, specOf(have), &want, v.outcome, v.message)
			return v, nil
		}
		if have, err = r.get(ctx, name); err != nil {
			return verdict{}, err
		}
	}
	return verdict{}, fmt.Errorf("writing AccessBinding %q: others changed it %d times meanwhile", name, attempts)
}

// write applies a binding. crossed reports that it is no longer the one that was read.
func (r *run) write(ctx context.Context, name string, want v1alpha1.AccessBindingSpec, have *v1alpha1.AccessBinding) (v verdict, crossed bool, err error) {
	spec, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&want)
	if err != nil {
		return v, false, fmt.Errorf("writing AccessBinding %q: %w", name, err)
	}
	o := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	o.SetGroupVersionKind(v1alpha1.AccessBindingKind)
	o.SetName(name)
	o.SetLabels(map[string]string{LabelSource: r.from.source, v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship})
	v.outcome = OutcomeCreated
	if have != nil {
		// The write fails on another object of the same name.
		o.SetUID(have.UID)
		v.outcome = OutcomeUpdated
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	// Not by force: fields that somebody else has set stay, and are reported.
	err = r.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(o), FieldManager)
	switch {
	case apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict):
		return verdict{OutcomeConflict, owned(err)}, false, nil
	case apierrors.IsConflict(err), apierrors.IsNotFound(err), isOfAnother(err):
		return v, true, nil
	case apierrors.IsInvalid(err):
		return verdict{OutcomeRefused, "the host cluster refuses it: " + causes(err)}, false, nil
	case err != nil:
		return v, false, fmt.Errorf("writing AccessBinding %q: %w", name, err)
	}
	var after v1alpha1.AccessBinding
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &after); err != nil {
		return v, false, fmt.Errorf("reading what AccessBinding %q has become: %w", name, err)
	}
	if !same(after.Spec, want) {
		others := slices.DeleteFunc(slices.Clone(after.Spec.Scope.Namespaces), func(n string) bool { return slices.Contains(want.Scope.Namespaces, n) })
		return verdict{OutcomeConflict, "somebody else added namespaces, which stay: " + strings.Join(others, ", ")}, false, nil
	}
	return v, false, nil
}

// remove deletes a binding of the source. have is its last known state.
func (r *run) remove(ctx context.Context, have *v1alpha1.AccessBinding) (verdict, error) {
	name := have.Name
	for range attempts {
		switch {
		case have == nil:
			return verdict{outcome: OutcomeAbsent}, nil
		case !isOf(have, r.from.source):
			v := verdict{OutcomeConflict, fmt.Sprintf("there is an AccessBinding %q that is not this source's", name)}
			r.record(ctx, r.from, ActionRemove, name, &have.Spec, nil, v.outcome, v.message)
			return v, nil
		case have.DeletionTimestamp != nil:
			return verdict{OutcomeRemoved, "it was being removed already"}, nil
		}
		err := func() error {
			ctx, cancel := context.WithTimeout(ctx, callTimeout)
			defer cancel()
			// Only the version that was read: somebody may have taken it over since.
			return r.client.Delete(ctx, have, client.Preconditions{UID: &have.UID, ResourceVersion: &have.ResourceVersion})
		}()
		switch {
		case err == nil:
			r.record(ctx, r.from, ActionRemove, name, &have.Spec, nil, OutcomeRemoved, "")
			return verdict{outcome: OutcomeRemoved}, nil
		case !apierrors.IsConflict(err) && !apierrors.IsNotFound(err):
			r.record(ctx, r.from, ActionRemove, name, &have.Spec, nil, OutcomeFailed, "the host cluster did not do it")
			return verdict{}, fmt.Errorf("deleting AccessBinding %q: %w", name, err)
		}
		if have, err = r.get(ctx, name); err != nil {
			return verdict{}, err
		}
	}
	return verdict{}, fmt.Errorf("deleting AccessBinding %q: others changed it %d times meanwhile", name, attempts)
}

// gone waits for a binding that is being deleted, and returns what exists in the end.
func (r *run) gone(ctx context.Context, have *v1alpha1.AccessBinding) (*v1alpha1.AccessBinding, error) {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		now, err := r.get(ctx, have.Name)
		if err != nil || now == nil || now.DeletionTimestamp == nil {
			return now, err
		}
		select {
		case <-r.patience.Done():
			return now, ctx.Err()
		case <-ticker.C:
		}
	}
}

// same reports whether two specs are equivalent.
func same(a, b v1alpha1.AccessBindingSpec) bool {
	set := func(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
	return a.Subject == b.Subject && a.Role == b.Role && a.Scope.Instance == b.Scope.Instance &&
		slices.Equal(set(a.Scope.Namespaces), set(b.Scope.Namespaces))
}

func specOf(b *v1alpha1.AccessBinding) *v1alpha1.AccessBindingSpec {
	if b == nil {
		return nil
	}
	return &b.Spec
}

// owned lists the fields that are somebody else's.
func owned(err error) string {
	var status apierrors.APIStatus
	fields := map[string]bool{}
	if errors.As(err, &status) && status.Status().Details != nil {
		for _, c := range status.Status().Details.Causes {
			fields[strings.TrimPrefix(c.Field, ".")] = true
		}
	}
	return "somebody else set, and keeps: " + strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
}

// isOfAnother reports whether a write was refused because the object is another one of the same name.
func isOfAnother(err error) bool {
	var status apierrors.APIStatus
	return apierrors.IsInvalid(err) && errors.As(err, &status) && status.Status().Details != nil &&
		slices.ContainsFunc(status.Status().Details.Causes, func(c metav1.StatusCause) bool { return c.Field == "metadata.uid" })
}

// causes lists what an API server finds wrong.
func causes(err error) string {
	var status apierrors.APIStatus
	var out []string
	if errors.As(err, &status) && status.Status().Details != nil {
		for _, c := range status.Status().Details.Causes {
			out = append(out, c.Field+": "+c.Message)
		}
	}
	return strings.Join(out, "; ")
}
