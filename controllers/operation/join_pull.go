package operation

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/member"
)

// pullSteps join a member that registers itself, by a token that lives as long as the step that waits for it.
func pullSteps(o *v1alpha1.Operation) []Step {
	return []Step{
		{Name: "Token", Cancellable: true, Do: makeToken},
		{Name: "Registration", Deadline: member.TokenLifetime(o.Spec.JoinCluster.TokenLifetime) + time.Minute, Cancellable: true, Do: awaitRegistration},
		{Name: "Token taken back", Do: takeTokenBack},
		{Name: "Ready", Deadline: readyDeadline, Follows: true, Do: awaitReady},
	}
}

// tokenOf is the token that the API server made, and told who asked.
func tokenOf(ctx context.Context, r *Run) (*member.Token, Outcome, error) {
	s, err := r.Secret(ctx)
	switch {
	case err != nil:
		return nil, Outcome{}, err
	case s == nil && r.Clock.Since(r.Operation.CreationTimestamp.Time) > secretDeadline:
		return nil, Fail("the token was not stored, because the API server that was asked ended before; join the cluster again"), nil
	case s == nil:
		return nil, Wait("for the token to be stored", minWait), nil
	}
	token, err := member.ParseToken(string(s.Data[member.TokenKey]))
	if err != nil {
		return nil, Fail("the operation's Secret holds no token"), nil //nolint:nilerr // the error could tell of it
	}
	return token, Outcome{}, nil
}

// makeToken makes the token known to Karmada, as the actor.
func makeToken(ctx context.Context, r *Run) (Outcome, error) {
	token, outcome, err := tokenOf(ctx, r)
	if token == nil {
		return outcome, err
	}
	_, is, err := r.look(ctx, clusterRef(r.Operation))
	switch {
	case err != nil:
		return final(err)
	case is != nil:
		return Fail("the instance has a cluster %q already", r.Operation.Spec.Cluster), nil
	}
	ends := r.Operation.CreationTimestamp.Add(member.TokenLifetime(r.Operation.Spec.JoinCluster.TokenLifetime))
	if _, err := r.create(ctx, token.Ref(), token.Secret(ends, fmt.Sprintf("joins cluster %s, for %s", r.Operation.Spec.Cluster, r.Actor.Name))); err != nil {
		return final(err)
	}
	return Done(), nil
}

// awaitRegistration waits until the agent has made the Cluster, and checks which cluster that is.
func awaitRegistration(ctx context.Context, r *Run) (Outcome, error) {
	c, err := r.watched(ctx)
	if err != nil {
		return final(err)
	}
	if c == nil || c.Spec.ID == "" {
		return Wait("for the command to be run in the cluster", glance), nil
	}
	if outcome, err := r.free(ctx, c.Spec.ID); err != nil || outcome.result != done {
		return outcome, err
	}
	return r.claim(ctx, c.Spec.ID)
}

// takeTokenBack deletes the token: the agent has a certificate by then.
func takeTokenBack(ctx context.Context, r *Run) (Outcome, error) {
	c, err := r.watched(ctx)
	if err != nil {
		return final(err)
	}
	// The registration asks for a second certificate after it has made the Cluster: the agent's own, by which it reports.
	if c != nil && meta.FindStatusCondition(c.Status.Conditions, clusterv1alpha1.ClusterConditionReady) == nil &&
		r.Clock.Since(c.CreationTimestamp.Time) < time.Minute {
		return Wait("for the agent to report", glance), nil
	}
	return r.dropToken(ctx)
}

func (r *Run) dropToken(ctx context.Context) (Outcome, error) {
	for _, m := range r.Operation.Status.Made {
		if m.Kind != secretKind.Kind || m.Namespace != metav1.NamespaceSystem {
			continue
		}
		gone, err := r.discard(ctx, refOf(m))
		if err != nil {
			return Outcome{}, err
		}
		if !gone {
			return Wait("for the token to be gone", minWait), nil
		}
	}
	return Done(), nil
}

// undoRegistration takes the token back. A Cluster that has registered itself stays, and that is said: it was not made by the operation, and that another
// instance holds the same one is what somebody there claims.
func undoRegistration(ctx context.Context, r *Run) (Outcome, error) {
	if outcome, err := r.dropToken(ctx); err != nil || outcome.result != done {
		return outcome, err
	}
	_, is, err := r.look(ctx, clusterRef(r.Operation))
	if err != nil || is == nil {
		return Done(), err
	}
	return DoneWith(fmt.Sprintf("cluster %q has registered itself and stays; unjoin it if it is not to be there", is.Name)), nil
}
