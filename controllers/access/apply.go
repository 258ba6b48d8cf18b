package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// pass is one attempt to bring the permissions inside an instance to the desired state.
type pass struct {
	*Controller
	instance string
	view     view
	results  map[string]result
	failed   []error
	// behind is the error that keeps the members from their desired state; nil when they have it.
	behind error
	// unsure says that it is not known whether the admission policies are still in force.
	unsure bool
	// over says that the Karmada does not answer: further requests would only wait.
	over bool
}

// run applies a plan, and records in its results what could not be done.
func (p *pass) run(ctx context.Context, plan plan) error {
	p.results = plan.results
	wanted := map[*connection.Watch]map[string]bool{clusterRoles: {}, clusterRoleBindings: {}, roleBindings: {}, policies: {}}
	for _, o := range slices.Concat(plan.roles, []object{plan.administrators}, plan.bindings, plan.members) {
		wanted[o.watch][o.key()] = true
	}
	for _, o := range slices.Concat(plan.roles, []object{plan.administrators}) {
		p.make(ctx, o)
	}
	// Revoke before granting: it is the more urgent of the two.
	for _, w := range []*connection.Watch{clusterRoleBindings, roleBindings} {
		for _, have := range p.view.list(w) {
			if !wanted[w][have.Namespace+"/"+have.Name] && isOf(have, p.instance) {
				p.unmake(ctx, w, have)
			}
		}
	}
	for _, o := range plan.bindings {
		p.make(ctx, o)
	}
	// A role that another instance of the same Karmada uses stays.
	used := map[string]bool{}
	for _, w := range []*connection.Watch{clusterRoleBindings, roleBindings} {
		for _, have := range p.view.list(w) {
			used[strings.TrimPrefix(have.role, "ClusterRole/")] = true
		}
	}
	for _, have := range p.view.list(clusterRoles) {
		if !wanted[clusterRoles]["/"+have.Name] && isOurs(have) && !used[have.Name] {
			p.unmake(ctx, clusterRoles, have)
		}
	}
	failed := errors.Join(p.failed...)
	// A failure that concerns only the members does not fail the Karmada's own permissions.
	p.failed = nil
	for _, o := range plan.members {
		if p.view.knows(o.watch) {
			p.make(ctx, o)
		}
	}
	p.behind = errors.Join(p.failed...)
	return failed
}

// make brings an object up to date.
func (p *pass) make(ctx context.Context, want object) {
	have := p.view.get(want.watch, want.namespace, want.name)
	if want.like(have) {
		return
	}
	err := errOver
	if !p.over {
		err = p.apply(ctx, want, have)
	}
	if err == nil {
		return
	}
	if !errors.Is(err, errOver) {
		p.fail(err)
	}
	for _, name := range want.of {
		r := p.results[name]
		r.applied, r.reason, r.message = false, reasonOf(err), err.Error()
		p.results[name] = r
	}
}

// errOver is why a write was not tried.
var errOver = errors.New("the Karmada does not answer; it is tried again")

func (p *pass) unmake(ctx context.Context, w *connection.Watch, have *held) {
	if p.over {
		return
	}
	if err := p.remove(ctx, w, have.Namespace, have.Name); err != nil {
		p.fail(err)
	}
}

// fail records an error, and ends the pass when every further request would fail the same way.
func (p *pass) fail(err error) {
	p.failed = append(p.failed, err)
	p.over = p.over || !answered(err) || apierrors.IsUnauthorized(err) || apierrors.IsTooManyRequests(err)
}

func (p *pass) apply(ctx context.Context, want object, have *held) error {
	body, err := want.body()
	if err != nil {
		return err
	}
	// Its role cannot be changed; and if only the label were removed, the copies would stay in the members.
	if have != nil && (!want.sameRole(have) || inMembers(have) && !want.inMembers) {
		if err := p.remove(ctx, want.watch, want.namespace, want.name); err != nil {
			return err
		}
	}
	resource := p.resource(want.watch, want.namespace)
	write := func() error {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		if have != nil && want.spec != nil && have.content != want.content {
			if err := replaceSpec(ctx, resource, want); err != nil {
				return err
			}
		}
		after, err := resource.Apply(ctx, want.name, body, metav1.ApplyOptions{FieldManager: fieldOwner, Force: true})
		if err != nil {
			return err
		}
		kept, err := want.watch.Keep(after)
		if err != nil {
			return err
		}
		p.view.note(want.watch, want.namespace, want.name, kept.(*held))
		return nil
	}
	err = write()
	if apierrors.IsInvalid(err) && have == nil && want.role != "" {
		// Somebody has bound another role under this name, and removed the label by which the watch would show it.
		if err := p.remove(ctx, want.watch, want.namespace, want.name); err != nil {
			return err
		}
		err = write()
	}
	switch {
	case want.namespace != "" && (apierrors.IsNotFound(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause)):
		// The namespace is being deleted; the watch will show that.
		return nil
	case err != nil:
		return fmt.Errorf("writing %s: %w", want, err)
	}
	writesCounter.WithLabelValues(p.instance, "apply").Inc()
	p.Logger.Info("permissions applied", "instance", p.instance, "kind", kinds[want.watch].Kind, "namespace", want.namespace, "name", want.name)
	return nil
}

// replaceSpec removes from a policy what others have added, which an apply would leave.
func replaceSpec(ctx context.Context, resource dynamic.ResourceInterface, want object) error {
	patch, err := json.Marshal([]map[string]any{{"op": "replace", "path": "/spec", "value": want.spec}})
	if err != nil {
		return fmt.Errorf("writing %s: %w", want, err)
	}
	_, err = resource.Patch(ctx, want.name, types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: fieldOwner})
	return client.IgnoreNotFound(err)
}

func (p *pass) remove(ctx context.Context, w *connection.Watch, namespace, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := p.resource(w, namespace).Delete(ctx, name, metav1.DeleteOptions{})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting %s: %w", described(w, namespace, name), err)
	}
	p.view.note(w, namespace, name, nil)
	writesCounter.WithLabelValues(p.instance, "delete").Inc()
	p.Logger.Info("permissions removed", "instance", p.instance, "kind", kinds[w].Kind, "namespace", namespace, "name", name)
	return nil
}

func (p *pass) resource(w *connection.Watch, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return p.view.conn.Dynamic().Resource(w.Resource)
	}
	return p.view.conn.Dynamic().Resource(w.Resource).Namespace(namespace)
}

// removeAll removes all permissions of an instance that the Karmada itself lists.
func (p *pass) removeAll(ctx context.Context) error {
	used := map[string]bool{}
	shared := false
	// Delete the policy after what it propagated, which is deleted from the members with its originals. Delete the
	// admission policies last: nobody may keep a right that they bound.
	for _, w := range []*connection.Watch{clusterRoleBindings, roleBindings, clusterRoles, policies, admissionBindings, admissionPolicies} {
		list, err := p.listLive(ctx, w)
		if (w == policies || slices.Contains(admissionWatches, w)) && apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		for _, have := range list {
			switch {
			case slices.Contains(admissionWatches, w) && (!isOurs(have) || shared):
			case w == clusterRoles && (!isOurs(have) || used[have.Name] || shared && !strings.HasPrefix(have.Name, roleCustom)):
			case w != clusterRoles && !slices.Contains(admissionWatches, w) && !isOf(have, p.instance):
				shared = shared || isOurs(have)
				used[strings.TrimPrefix(have.role, "ClusterRole/")] = true
			default:
				if err := p.remove(ctx, w, have.Namespace, have.Name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *pass) listLive(ctx context.Context, w *connection.Watch) ([]*held, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	list, err := p.view.conn.Dynamic().Resource(w.Resource).List(ctx, metav1.ListOptions{LabelSelector: selectOurs})
	if err != nil {
		return nil, fmt.Errorf("listing the %s of Kairship: %w", w.Resource.Resource, err)
	}
	out := make([]*held, 0, len(list.Items))
	for i := range list.Items {
		kept, err := w.Keep(&list.Items[i])
		if err != nil {
			return nil, err
		}
		out = append(out, kept.(*held))
	}
	return out, nil
}

// reasonOf returns the reason of a condition about a failed write.
func reasonOf(err error) string {
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		return v1alpha1.ReasonRefused
	}
	return v1alpha1.ReasonWriteFailed
}
