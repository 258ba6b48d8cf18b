package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/rbac/admission"
)

const (
	// settle is how long an API server gets to take up new admission policies; it looks once a second.
	settle = 5 * time.Second
	// settleEvery is the pause between two checks meanwhile.
	settleEvery = 200 * time.Millisecond
)

// guard is what is known about the admission policies of one Karmada.
type guard struct {
	// at is when its API server was last asked whether they are in force; zero for never.
	at time.Time
	// err is why they are not in force.
	err error
}

// unguarded is why the admission policies are not in force.
type unguarded struct {
	reason string
	err    error
}

func (u *unguarded) Error() string { return u.err.Error() }
func (u *unguarded) Unwrap() error { return u.err }

// guard writes the admission policies into the Karmada, and checks that they are in force: only then may others than
// Admins write policies. Its error is an *unguarded, or nil.
func (p *pass) guard(ctx context.Context) error {
	if state := p.view.conn.State(admissionWatches...); !state.Synced {
		if apierrors.IsNotFound(state.Err) {
			return &unguarded{v1alpha1.ReasonNotServed, errors.New("its API server does not serve ValidatingAdmissionPolicies (admissionregistration.k8s.io/v1), which Kubernetes has since 1.30")}
		}
		reason, message := connection.Trouble(state.Err)
		return &unguarded{reason, errors.New(message)}
	}
	wrote, err := p.placeAdmission(ctx)
	if err != nil {
		if !answered(err) {
			p.fail(err)
		}
		return &unguarded{reasonOf(err), err}
	}
	known := p.view.guard
	age := p.Clock.Now().Sub(known.at)
	if !wrote && !known.at.IsZero() && (known.err == nil && age < idle || known.err != nil && age < retry) {
		return known.err
	}
	// They may be new: written a moment ago, by this process or by one that died right after.
	within := settle
	if !wrote && known.err != nil {
		within = 0
	}
	err = p.inForce(ctx, within)
	var found *unguarded
	if err != nil && !errors.As(err, &found) {
		// Not known: the last answer holds until the Karmada does not answer at all.
		if !known.at.IsZero() && known.err == nil && !wrote {
			p.unsure = true
			return nil
		}
		return &unguarded{reasonOf(err), err}
	}
	known.at, known.err = p.Clock.Now(), err
	return err
}

// placeAdmission brings the admission policies to the desired state, and says whether anything was written.
func (p *pass) placeAdmission(ctx context.Context) (wrote bool, err error) {
	objects, err := newAdmission()
	if err != nil {
		return false, err
	}
	wanted := map[string]bool{}
	for _, o := range objects {
		wanted[o.name] = true
		have := p.view.get(o.watch, "", o.name)
		if o.like(have) {
			continue
		}
		if err := p.apply(ctx, o, have); err != nil {
			return wrote, err
		}
		wrote = true
	}
	// Remove those of another version of Kairship.
	for _, w := range []*connection.Watch{admissionBindings, admissionPolicies} {
		for _, have := range p.view.list(w) {
			if wanted[have.Name] || !isOurs(have) {
				continue
			}
			if err := p.remove(ctx, w, "", have.Name); err != nil {
				return wrote, err
			}
		}
	}
	return wrote, nil
}

// inForce tries what the policies refuse to everybody. An API server stores them even when it does not enforce them.
func (p *pass) inForce(ctx context.Context, within time.Duration) error {
	probe := &unstructured.Unstructured{}
	probe.SetGroupVersionKind(kinds[clusterRoles])
	probe.SetName(admission.Probe)
	roles := p.view.conn.Dynamic().Resource(rbacv1.SchemeGroupVersion.WithResource("clusterroles"))
	var (
		err   error
		asked bool
	)
	ask := func(ctx context.Context) (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		_, said := roles.Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: fieldOwner})
		// A request without an answer is repeated, and does not replace an earlier answer: the last may run out of
		// time.
		if answer := said == nil || answered(said); answer || !asked {
			err, asked = said, answer
		}
		return err != nil && asked, nil
	}
	if within == 0 {
		_, _ = ask(ctx)
	} else if waited := wait.PollUntilContextTimeout(ctx, settleEvery, within, true, ask); waited != nil && ctx.Err() != nil {
		return fmt.Errorf("asking whether the admission policies are in force: %w", ctx.Err())
	}
	switch {
	case err == nil:
		return &unguarded{v1alpha1.ReasonNotInForce, errors.New("its API server keeps the admission policies of Kairship, but does not act on them: enable its admission plugin ValidatingAdmissionPolicy")}
	case apierrors.IsForbidden(err) && strings.Contains(err.Error(), "own"+admission.Suffix):
		return nil
	}
	return fmt.Errorf("asking whether the admission policies are in force: %w", err)
}

// answered reports whether an error is an API server's answer.
func answered(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status)
}

// guarded returns the condition that reports whether policies are bounded.
func guarded(err error) metav1.Condition {
	c := metav1.Condition{
		Type: v1alpha1.ConditionPoliciesGuarded, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonApplied,
		Message: "policies of others than Admins are bounded in what they carry into the members",
	}
	var u *unguarded
	if errors.As(err, &u) {
		c.Status, c.Reason = metav1.ConditionFalse, u.reason
		c.Message = "only Admins may write policies: " + u.Error()
	}
	return c
}
