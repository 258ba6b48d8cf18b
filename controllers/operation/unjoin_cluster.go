package operation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/member"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// drainTime is how long what runs in a member may take to move to others; what stays is removed with the member.
	drainTime = 2 * time.Minute
	// removeDeadline is how long Karmada may take to remove a cluster, and stuckAfter when a forced removal stops waiting for it.
	removeDeadline = 10 * time.Minute
	stuckAfter     = time.Minute
	// cleanDeadline is how long a member may take to answer when Karmada's accounts are to be taken out of it.
	cleanDeadline = 3 * time.Minute
	// stays is how many objects a message names.
	stays = 5
)

const (
	foundUID        = "uid"
	foundMode       = "mode"
	foundTainted    = "tainted"
	foundDismissing = "dismissing"
	foundUnclean    = "unclean"
	foundSilent     = "silent"
	// foundMoving are the bindings of what had to move when that was last looked at, the first of them.
	foundMoving = "moving"
)

// unjoinCluster removes a member cluster: what runs there moves or goes, then Karmada forgets it, and nothing stays in it.
var unjoinCluster = Kind{
	Name:    v1alpha1.OperationUnjoinCluster,
	Allowed: mayJoin,
	Steps: func(*v1alpha1.Operation) []Step {
		return []Step{
			{Name: "Cordon", Cancellable: true, Do: cordon},
			{Name: "Drain", Deadline: 2 * drainTime, Cancellable: true, Do: drain},
			{Name: "Remove", Deadline: removeDeadline, Do: removeMember},
			{Name: "Clean up", Deadline: cleanDeadline + time.Minute, Do: cleanUp},
		}
	},
	Undo: undoUnjoin,
}

// leaving are the taints of a member that is about to leave: nothing new comes, and what tolerates no such taint moves to other members, where
// Karmada is set up to do so.
var leaving = []v1alpha1.ClusterTaint{
	{Key: v1alpha1.AnnotationPrefix + "leaving", Effect: "NoSchedule"},
	{Key: v1alpha1.AnnotationPrefix + "leaving", Effect: "NoExecute"},
}

// leaver is the member that is to leave; nil with an outcome when it is not the one that was meant, or does not answer and is not forced.
func leaver(ctx context.Context, r *Run) (*clusterv1alpha1.Cluster, Outcome, error) {
	raw, is, err := r.look(ctx, clusterRef(r.Operation))
	switch {
	case err != nil:
		outcome, err := final(err)
		return nil, outcome, err
	case is == nil:
		return nil, Outcome{}, nil
	}
	if uid := r.Operation.Spec.UnjoinCluster.UID; uid != "" && uid != string(is.UID) || r.Found(foundUID) != "" && r.Found(foundUID) != string(is.UID) {
		return nil, Fail("cluster %q is not the one that is meant: its uid is %s", is.Name, is.UID), nil
	}
	var c clusterv1alpha1.Cluster
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, Outcome{}, fmt.Errorf("decode cluster %q: %w", is.Name, err)
	}
	return &c, Outcome{}, nil
}

// answers reports whether Karmada reaches a member, and why not.
func answers(c *clusterv1alpha1.Cluster) (bool, string) {
	ready := meta.FindStatusCondition(c.Status.Conditions, clusterv1alpha1.ClusterConditionReady)
	switch {
	case ready == nil:
		return false, "Karmada has not reached it yet"
	case ready.Status != metav1.ConditionTrue:
		return false, fmt.Sprintf("%s: %s", ready.Reason, ready.Message)
	}
	return true, ""
}

// cordon keeps new workloads away from the member, and asks what runs there to move.
func cordon(ctx context.Context, r *Run) (Outcome, error) {
	c, outcome, err := leaver(ctx, r)
	if c == nil {
		if err == nil && outcome.result == 0 {
			outcome = Fail("the instance has no cluster %q", r.Operation.Spec.Cluster)
		}
		return outcome, err
	}
	if ok, why := answers(c); !ok && !r.Operation.Spec.UnjoinCluster.Force {
		return Fail("cluster %q does not answer (%s), so that what Karmada placed there cannot be removed; force leaves it there", c.Name, why), nil
	}
	for key, value := range map[string]string{foundUID: string(c.UID), foundMode: string(c.Spec.SyncMode), foundTainted: "true"} {
		if err := r.Find(ctx, key, value); err != nil {
			return Outcome{}, err
		}
	}
	if c.DeletionTimestamp != nil {
		return DoneWith("the cluster is being removed already"), nil
	}
	return r.taint(ctx, true)
}

// taint sets the taints of a member that leaves, or removes them.
func (r *Run) taint(ctx context.Context, set bool) (Outcome, error) {
	o, err := r.open(ctx, clusterRef(r.Operation))
	if err != nil {
		return final(err)
	}
	_, err = o.Edit(ctx, karmada.Expected{UID: r.Found(foundUID)}, func(object map[string]any) error {
		spec, _ := object["spec"].(map[string]any)
		if spec == nil {
			return nil
		}
		before, _ := spec["taints"].([]any)
		taints := make([]any, 0, len(before)+len(leaving))
		for _, t := range before {
			taint, _ := t.(map[string]any)
			if taint["key"] != leaving[0].Key {
				taints = append(taints, t)
			}
		}
		if !set && len(taints) == len(before) || set && len(before)-len(taints) == len(leaving) {
			return nil
		}
		if set {
			for _, l := range leaving {
				taints = append(taints, map[string]any{"key": l.Key, "effect": l.Effect})
			}
		}
		spec["taints"] = taints
		return nil
	})
	if err != nil && !karmada.IsAbsent(err) {
		return final(err)
	}
	return Done(), nil
}

// runNothing are kinds of objects that are removed with the member at once; all others, those of other APIs included, may take time to move.
var runNothing = []string{
	"clusterrole", "clusterrolebinding", "configmap", "customresourcedefinition", "namespace", "role", "rolebinding", "secret", "serviceaccount",
}

// drain waits until what policies placed in the member is elsewhere, or says what stays until the end.
func drain(ctx context.Context, r *Run) (Outcome, error) {
	c, outcome, err := leaver(ctx, r)
	if c == nil {
		return outcome.or(Done()), err
	}
	if ok, why := answers(c); !ok {
		if !r.Operation.Spec.UnjoinCluster.Force {
			return Wait(fmt.Sprintf("for cluster %q to answer (%s)", c.Name, why), glance), nil
		}
		return DoneWith("the cluster does not answer: what Karmada placed there stays"), r.Find(ctx, foundSilent, "true")
	}
	k, err := r.Karmada(ctx)
	if err != nil {
		return final(err)
	}
	placed, err := karmada.Place(ctx, k, r.Acting(), c.Name)
	if err != nil {
		return final(err)
	}
	// What runs nothing, such as the rights that go to every cluster whatever its taints, does not move, and nobody misses it.
	placed.Objects = slices.DeleteFunc(placed.Objects, func(o karmada.PlacedObject) bool { return slices.Contains(runNothing, o.Kind()) })
	if len(placed.Objects) == 0 {
		nowhere, err := homeless(ctx, r, k)
		if err != nil {
			return final(err)
		}
		if nowhere != "" {
			return DoneWith("these fit no other cluster, and are in none now: " + nowhere), nil
		}
		return Done(), nil
	}
	if began := find(&r.Operation.Status, "Drain").StartedAt; began != nil && r.Clock.Since(began.Time) > drainTime {
		return DoneWith(fmt.Sprintf("removed with the cluster, since they did not move within %s: %s", drainTime, some(placed))), nil
	}
	var moving []string
	for _, o := range placed.Objects[:min(len(placed.Objects), stays)] {
		moving = append(moving, o.Namespace+"/"+o.Binding)
	}
	return Wait("for these to move to other clusters: "+some(placed), glance), r.Find(ctx, foundMoving, strings.Join(moving, ","))
}

// homeless names those of what had to move that Karmada has placed nowhere else; empty for none.
func homeless(ctx context.Context, r *Run, k *Karmada) (string, error) {
	nowhere := &karmada.Placed{}
	for _, key := range strings.FieldsFunc(r.Found(foundMoving), func(c rune) bool { return c == ',' }) {
		namespace, name, _ := strings.Cut(key, "/")
		kind := schema.GroupVersionKind{Group: workv1alpha2.GroupName, Version: workv1alpha2.GroupVersion.Version, Kind: workv1alpha2.ResourceKindResourceBinding}
		if namespace == "" {
			kind.Kind = workv1alpha2.ResourceKindClusterResourceBinding
		}
		o, err := karmada.Open(ctx, k, r.Acting(), model.Ref{Instance: k.Instance(), GVK: kind, Namespace: namespace, Name: name}, false)
		if err != nil {
			return "", err
		}
		raw, err := o.Get(ctx)
		if karmada.IsAbsent(err) {
			continue // it was deleted, and nobody misses it
		}
		if err != nil {
			return "", err
		}
		var binding struct{ Spec struct{ Clusters []any } }
		if err := json.Unmarshal(raw, &binding); err != nil {
			return "", fmt.Errorf("decode the binding %s: %w", key, err)
		}
		if len(binding.Spec.Clusters) == 0 {
			nowhere.Objects = append(nowhere.Objects, karmada.PlacedObject{Namespace: namespace, Binding: name})
		}
	}
	return some(nowhere), nil
}

// some names the first of what is placed in a member, and counts the others.
func some(p *karmada.Placed) string {
	var names []string
	for _, o := range p.Objects[:min(len(p.Objects), stays)] {
		names = append(names, strings.TrimPrefix(fmt.Sprintf("%s %s/%s", o.Kind(), o.Namespace, o.Name()), "/"))
	}
	text := strings.Join(names, ", ")
	if more := len(p.Objects) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d others", more)
	}
	return text
}

// removeMember has Karmada remove the cluster, and with it what it placed there.
func removeMember(ctx context.Context, r *Run) (Outcome, error) {
	c, outcome, err := leaver(ctx, r)
	if c == nil {
		return outcome.or(Done()), err
	}
	if c.DeletionTimestamp == nil {
		if outcome, err := r.keepCredential(ctx, c); err != nil || outcome.result != done {
			return outcome, err
		}
		if err := r.keepAgent(ctx, true); err != nil {
			return final(err)
		}
		o, err := r.open(ctx, clusterRef(r.Operation))
		if err != nil {
			return final(err)
		}
		if err := o.Delete(ctx, karmada.Expected{UID: r.Found(foundUID)}); err != nil && !karmada.IsAbsent(err) {
			return final(err)
		}
		return Wait("for Karmada to remove the cluster", glance), nil
	}
	if r.Operation.Spec.UnjoinCluster.Force && r.Clock.Since(c.DeletionTimestamp.Time) > r.patience(stuckAfter) {
		return r.loosen(ctx, c)
	}
	k, err := r.Karmada(ctx)
	if err != nil {
		return final(err)
	}
	placed, err := karmada.Place(ctx, k, r.Acting(), c.Name)
	if err == nil && len(placed.Objects)+placed.Others == 0 {
		if err := r.keepAgent(ctx, false); err != nil {
			return final(err)
		}
	}
	if err != nil {
		return Wait("for Karmada to remove the cluster", glance), nil //nolint:nilerr // the namespace of the Works goes meanwhile
	}
	if len(placed.Objects) > 0 {
		return Wait("for Karmada to take these out of the cluster: "+some(placed), glance), nil
	}
	return Wait("for Karmada to remove the cluster", glance), nil
}

// agentHeld is the finalizer of what lets an agent write its Works.
const agentHeld = "kairship.io/unjoin"

// keepAgent keeps, or lets go, what lets the agent of a member write its Works. It is in the namespace that Karmada deletes with them: gone
// before the last Work is, the agent could not say that it has removed what the Work placed, and the cluster would be removed for ever.
func (r *Run) keepAgent(ctx context.Context, keep bool) error {
	if r.Found(foundMode) != string(clusterv1alpha1.Pull) {
		return nil
	}
	cluster := r.Operation.Spec.Cluster
	for _, kind := range []schema.GroupVersionKind{roleBindingKind, roleKind} {
		ref := model.Ref{GVK: kind, Namespace: karmada.ExecutionSpace(cluster), Name: fmt.Sprintf("system:karmada:%s:agent-work", cluster)}
		_, is, err := r.look(ctx, ref)
		if err != nil {
			return err
		}
		if is == nil || slices.Contains(is.Finalizers, agentHeld) == keep || keep && is.DeletionTimestamp != nil {
			continue
		}
		o, err := r.open(ctx, ref)
		if err != nil {
			return err
		}
		_, err = o.Edit(ctx, karmada.Expected{UID: string(is.UID)}, func(object map[string]any) error {
			metadata, ok := object["metadata"].(map[string]any)
			if !ok {
				return nil
			}
			held, _ := metadata["finalizers"].([]any)
			held = slices.DeleteFunc(slices.Clone(held), func(f any) bool { return f == agentHeld })
			if keep {
				held = append(held, agentHeld)
			}
			metadata["finalizers"] = held
			return nil
		})
		if err != nil && !karmada.IsAbsent(err) {
			return err
		}
	}
	return nil
}

// patience is how long a member is waited for: not for one that did not answer when it was to be drained.
func (r *Run) patience(usual time.Duration) time.Duration {
	if r.Found(foundSilent) != "" {
		return 0
	}
	return usual
}

// loosen removes what holds a cluster that Karmada does not get removed: the finalizers of its Works and its own.
func (r *Run) loosen(ctx context.Context, c *clusterv1alpha1.Cluster) (Outcome, error) {
	k, err := r.Karmada(ctx)
	if err != nil {
		return final(err)
	}
	left, err := karmada.ReleaseWorks(ctx, k, r.Acting(), c.Name)
	if err != nil {
		return final(err)
	}
	if left > 0 {
		return Wait(fmt.Sprintf("for %d Works to be released", left), minWait), nil
	}
	if err := r.keepAgent(ctx, false); err != nil {
		return final(err)
	}
	o, err := r.open(ctx, clusterRef(r.Operation))
	if err != nil {
		return final(err)
	}
	_, err = o.Edit(ctx, karmada.Expected{UID: string(c.UID)}, func(object map[string]any) error {
		if metadata, ok := object["metadata"].(map[string]any); ok {
			delete(metadata, "finalizers")
		}
		return nil
	})
	if err != nil && !karmada.IsAbsent(err) {
		return final(err)
	}
	return Wait("for the cluster to be gone", minWait), nil
}

var clusterRoleKind, clusterRoleBindingKind, roleKind, roleBindingKind = rbacKind("ClusterRole"), rbacKind("ClusterRoleBinding"), rbacKind("Role"), rbacKind("RoleBinding")

func rbacKind(kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: kind}
}

// remains are what a joining left in Karmada that does not go with the Cluster in any case.
func remains(cluster string) []model.Ref {
	agent, secrets := fmt.Sprintf("system:karmada:%s:agent", cluster), fmt.Sprintf("system:karmada:%s:agent-secret", cluster)
	return []model.Ref{
		secretRef(cluster), secretRef(member.Impersonator(cluster)),
		{GVK: clusterRoleBindingKind, Name: agent}, {GVK: clusterRoleKind, Name: agent},
		{GVK: roleBindingKind, Namespace: member.Namespace, Name: secrets}, {GVK: roleKind, Namespace: member.Namespace, Name: secrets},
	}
}

// cleanUp takes out of Karmada and out of the member what joining made there.
func cleanUp(ctx context.Context, r *Run) (Outcome, error) {
	// Somebody may have joined a cluster of that name anew.
	_, is, err := r.look(ctx, clusterRef(r.Operation))
	if err != nil {
		return final(err)
	}
	if is == nil {
		for _, ref := range remains(r.Operation.Spec.Cluster) {
			_, is, err := r.look(ctx, ref)
			if err != nil {
				return final(err)
			}
			if is == nil || is.DeletionTimestamp != nil {
				continue
			}
			o, err := r.open(ctx, ref)
			if err != nil {
				return final(err)
			}
			if err := o.Delete(ctx, karmada.Expected{UID: string(is.UID)}); err != nil && !karmada.IsAbsent(err) {
				return final(err)
			}
		}
	}
	outcome, err := r.dismiss(ctx)
	began := find(&r.Operation.Status, "Clean up").StartedAt
	if (err != nil || outcome.result == waits) && began != nil && r.Clock.Since(began.Time) > r.patience(cleanDeadline) {
		why := outcome.message
		if err != nil {
			why = err.Error()
		}
		return r.unclean(why), nil
	}
	return outcome, err
}

// unclean ends the operation: the cluster is removed, and something stays in it.
func (r *Run) unclean(why string) Outcome {
	text := fmt.Sprintf("the cluster is removed, but Karmada's accounts and what it placed may still be in it: %s. %s", why, byHand(r))
	if r.Operation.Spec.UnjoinCluster.Force {
		return DoneWith(text)
	}
	return Fail("%s", text)
}

// byHand says what to delete in a member that Kairship does not clean.
func byHand(r *Run) string {
	text := fmt.Sprintf("Delete there the namespace %s and the ClusterRole and ClusterRoleBinding karmada-controller-manager:karmada-%s",
		member.Namespace, r.Operation.Spec.Cluster)
	if r.Found(foundMode) == string(clusterv1alpha1.Pull) {
		text += "; and the namespace karmada-system, in which its agent runs"
	}
	return text
}

// dismiss takes Karmada's accounts, and the agent, out of the member.
func (r *Run) dismiss(ctx context.Context) (Outcome, error) {
	if why := r.Found(foundUnclean); why != "" {
		return r.unclean(why), nil
	}
	m, outcome, err := pasted(ctx, r)
	if m == nil {
		return outcome, err
	}
	defer m.Close()
	name := r.Operation.Spec.Cluster
	if r.Found(foundDismissing) == "" {
		// Only a credential that is good now can say later that it is not any more.
		if _, err := m.ID(ctx); err != nil {
			if refused := (*member.RefusedError)(nil); errors.As(err, &refused) {
				return r.unclean(refused.Message), nil
			}
			return Outcome{}, err
		}
		if err := r.Find(ctx, foundDismissing, "true"); err != nil {
			return Outcome{}, err
		}
	}
	there, err := m.Dismiss(ctx, name, "")
	if refused := (*member.RefusedError)(nil); errors.As(err, &refused) {
		if gone, goneErr := m.Dismissed(ctx, name); gone || goneErr != nil {
			return Done(), goneErr
		}
		return r.unclean(refused.Message), nil
	}
	if err != nil {
		return Outcome{}, err
	}
	if there {
		return Wait("for the member to remove Karmada's accounts", minWait), nil
	}
	return Done(), nil
}

// undoUnjoin takes back what was done to keep the member out of use, while Karmada has not begun to remove it. From then on it cannot be undone: what holds
// the agent's rights is let go when the agent needs them no more.
func undoUnjoin(ctx context.Context, r *Run) (Outcome, error) {
	if r.Found(foundTainted) == "" {
		return Done(), nil
	}
	_, is, err := r.look(ctx, clusterRef(r.Operation))
	switch {
	case err != nil:
		return Outcome{}, err
	case is == nil:
		return Done(), r.keepAgent(ctx, false)
	case string(is.UID) != r.Found(foundUID):
		return Done(), nil // one of the same name, which was joined since
	case is.DeletionTimestamp == nil:
		if outcome, err := r.taint(ctx, false); err != nil || outcome.result != done {
			return outcome, err
		}
		return Done(), r.keepAgent(ctx, false)
	}
	if r.Found(foundMode) == string(clusterv1alpha1.Pull) && !r.impatient() {
		k, err := r.reach(ctx)
		if err != nil {
			return Outcome{}, err
		}
		placed, err := karmada.Place(ctx, k, r.Acting(), is.Name)
		if err != nil {
			return Outcome{}, err
		}
		if len(placed.Objects)+placed.Others > 0 {
			return Wait("for the agent to take out of the cluster what Karmada placed there: "+some(placed), glance), nil
		}
	}
	return DoneWith("Karmada goes on removing the cluster; its accounts stay there. " + byHand(r)), r.keepAgent(ctx, false)
}

// or is the outcome, or another one when it says nothing.
func (o Outcome) or(other Outcome) Outcome {
	if o.result == 0 {
		return other
	}
	return o
}
