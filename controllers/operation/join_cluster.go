package operation

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/member"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// joinCheckDeadline is how long a member may take to answer, and readyDeadline how long Karmada may take to reach one.
	joinCheckDeadline = 2 * time.Minute
	readyDeadline     = 5 * time.Minute
	// glance is how often a step looks that waits for Karmada or a member.
	glance = 2 * time.Second
)

// foundID is under what the id of the cluster is kept.
const foundID = "clusterID"

// joinCluster joins a member cluster.
var joinCluster = Kind{
	Name:    v1alpha1.OperationJoinCluster,
	Allowed: mayJoin,
	Steps: func(o *v1alpha1.Operation) []Step {
		if o.Spec.JoinCluster.Mode == string(clusterv1alpha1.Pull) {
			return pullSteps(o)
		}
		return []Step{
			{Name: "Check", Deadline: joinCheckDeadline, Cancellable: true, Do: checkMember},
			{Name: "Accounts", Deadline: joinCheckDeadline, Cancellable: true, Do: admitMember},
			{Name: "Register", Cancellable: true, Do: registerMember},
			{Name: "Ready", Deadline: readyDeadline, Cancellable: true, Follows: true, Do: awaitReadyAlone},
		}
	},
	Undo: undoJoin,
}

// mayJoin is for Admins of the whole instance. Karmada decides at each request again.
func mayJoin(r *Run) error {
	if r.Scope.Grants(r.Operation.Spec.Instance, nil) {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Message: fmt.Sprintf("only Admins of all of instance %q join and remove clusters", r.Operation.Spec.Instance)}
}

var (
	clusterKind   = schema.GroupVersionKind{Group: clusterv1alpha1.GroupName, Version: "v1alpha1", Kind: "Cluster"}
	secretKind    = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	namespaceKind = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
)

func clusterRef(o *v1alpha1.Operation) model.Ref {
	return model.Ref{GVK: clusterKind, Name: o.Spec.Cluster}
}

func secretRef(name string) model.Ref {
	return model.Ref{GVK: secretKind, Namespace: member.Namespace, Name: name}
}

// pasted opens the member with the kubeconfig that was given for it. The outcome says why not, and is that of the step then.
func pasted(ctx context.Context, r *Run) (*member.Cluster, Outcome, error) {
	s, err := r.Secret(ctx)
	switch {
	case err != nil:
		return nil, Outcome{}, err
	case s == nil && r.Clock.Since(r.Operation.CreationTimestamp.Time) > secretDeadline:
		return nil, Fail("the kubeconfig was not stored, because the API server that was asked ended before; join the cluster again"), nil
	case s == nil:
		return nil, Wait("for the kubeconfig to be stored", minWait), nil
	}
	credential, err := kubeconfig.Parse(s.Data[v1alpha1.KubeconfigKey])
	if err != nil {
		return nil, Fail("%s", err), nil
	}
	m, err := member.Open(credential, r.controller.options.Dial)
	if err != nil {
		return nil, Fail("the kubeconfig cannot be used: %s", err), nil
	}
	return m, Outcome{}, nil
}

// refusedBy turns what a member refuses into the end of the operation; a member that does not answer is tried again.
func refusedBy(err error) (Outcome, error) {
	if refused := (*member.RefusedError)(nil); errors.As(err, &refused) {
		return Fail("%s", refused.Message), nil
	}
	return Outcome{}, err
}

// checkMember checks that the member may be joined under its name, and that the kubeconfig is enough for it.
func checkMember(ctx context.Context, r *Run) (Outcome, error) {
	m, outcome, err := pasted(ctx, r)
	if m == nil {
		return outcome, err
	}
	defer m.Close()
	id, err := m.ID(ctx)
	if err == nil {
		err = m.MayAdmit(ctx)
	}
	if err != nil {
		return refusedBy(err)
	}
	if outcome, err := r.free(ctx, id); err != nil || outcome.result != done {
		return outcome, err
	}
	_, is, err := r.look(ctx, clusterRef(r.Operation))
	switch {
	case err != nil:
		return final(err)
	case is != nil && is.Annotations[v1alpha1.AnnotationOperation] != r.Mark():
		return Fail("the instance has a cluster %q already", r.Operation.Spec.Cluster), nil
	}
	return r.claim(ctx, id)
}

// claim keeps two operations from joining the same cluster at once, to whatever instances: each writes down which one it joins before it looks at the
// others, one after the other. The first one joins it.
func (r *Run) claim(ctx context.Context, id string) (Outcome, error) {
	r.controller.claims.Lock()
	defer r.controller.claims.Unlock()
	if err := r.Find(ctx, foundID, id); err != nil {
		return Outcome{}, err
	}
	var all v1alpha1.OperationList
	if err := r.Live.List(ctx, &all); err != nil {
		return Outcome{}, fmt.Errorf("listing the operations: %w", err)
	}
	for i := range all.Items {
		o := &all.Items[i]
		switch {
		case o.UID == r.Operation.UID || o.Spec.Kind != v1alpha1.OperationJoinCluster || o.Status.Found[foundID] != id || o.Status.State.Ended():
		case o.Status.Ending == "":
			return Fail("that cluster is being joined already, by another operation"), nil
		case len(o.Status.Made) > 0:
			return Wait("for another operation to be undone, which was to join that cluster, too", glance), nil
		}
	}
	return Done(), nil
}

// free is Done when a cluster of an id can be joined: no instance may hold it already, by whatever name. Where another one does, its name is not in
// the outcome, which is told to all who see the operation, but beside it.
func (r *Run) free(ctx context.Context, id string) (Outcome, error) {
	var all v1alpha1.InstanceList
	if err := r.Client.List(ctx, &all); err != nil {
		return Outcome{}, fmt.Errorf("listing the instances: %w", err)
	}
	var holders []connection.Holder
	for i := range all.Items {
		instance := &all.Items[i]
		credential, err := connection.Credential(ctx, r.Client, r.Namespace, instance)
		if err != nil {
			continue // nothing is known of what it holds
		}
		conn, err := r.Connections.Ensure(instance.Name, credential)
		if err != nil {
			return Outcome{}, err
		}
		holders = append(holders, connection.Holder{Instance: instance.Name, Connection: conn, Clusters: connection.Clusters})
	}
	why, by, err := connection.Unjoinable(id, r.Operation.Spec.Instance, r.Operation.Spec.Cluster, holders)
	if err != nil || why == "" {
		return Done(), err
	}
	if by != nil {
		for key, value := range map[string]string{v1alpha1.FoundHolder: by.Instance, v1alpha1.FoundHeldAs: by.Cluster} {
			if err := r.Find(ctx, key, value); err != nil {
				return Outcome{}, err
			}
		}
	}
	return Fail("%s", why), nil
}

// admitMember makes Karmada's accounts in the member.
func admitMember(ctx context.Context, r *Run) (Outcome, error) {
	_, outcome, err := r.admitted(ctx)
	return outcome, err
}

// admitted are the credentials of Karmada's accounts in the member; nil while the outcome says otherwise.
func (r *Run) admitted(ctx context.Context) (*member.Credentials, Outcome, error) {
	m, outcome, err := pasted(ctx, r)
	if m == nil {
		return nil, outcome, err
	}
	defer m.Close()
	// What was checked before a crash may be another cluster now, behind the same address.
	id, err := m.ID(ctx)
	if err != nil {
		outcome, err := refusedBy(err)
		return nil, outcome, err
	}
	if id != r.Found(foundID) {
		return nil, Fail("another cluster answers at the address of the kubeconfig by now"), nil
	}
	announced := v1alpha1.MadeObject{Where: v1alpha1.MadeInCluster + r.Operation.Spec.Cluster, APIVersion: "v1", Kind: "Namespace", Name: member.Namespace}
	if err := r.Make(ctx, announced); err != nil {
		return nil, Outcome{}, err
	}
	credentials, err := m.Admit(ctx, r.Operation.Spec.Cluster, r.Mark())
	switch {
	case err != nil:
		outcome, err := refusedBy(err)
		return nil, outcome, err
	case credentials == nil:
		return nil, Wait("for the member to make the tokens of Karmada's accounts", glance), nil
	}
	return credentials, Done(), nil
}

// registerMember makes the member known to Karmada, as the actor.
func registerMember(ctx context.Context, r *Run) (Outcome, error) {
	credentials, outcome, err := r.admitted(ctx)
	if credentials == nil {
		return outcome, err
	}
	m, outcome, err := pasted(ctx, r)
	if m == nil {
		return outcome, err
	}
	m.Close() // only its address is needed
	if outcome, err := r.keepCredentials(ctx, credentials); err != nil || outcome.result == failed {
		return outcome, err
	}
	// Somebody may have joined it meanwhile, by other means.
	if outcome, err := r.free(ctx, r.Found(foundID)); err != nil || outcome.result != done {
		return outcome, err
	}
	cluster, err := r.create(ctx, clusterRef(r.Operation), clusterObject(r.Operation, m.Server, r.Found(foundID)))
	switch {
	case errors.Is(err, errTaken):
		return Fail("the instance has a cluster %q already", r.Operation.Spec.Cluster), nil
	case err != nil:
		return final(err)
	}
	for _, name := range []string{r.Operation.Spec.Cluster, member.Impersonator(r.Operation.Spec.Cluster)} {
		if err := r.ownedBy(ctx, secretRef(name), cluster); err != nil {
			return final(err)
		}
	}
	return Done(), nil
}

// keepCredentials writes the tokens of the member into Karmada, as the actor.
func (r *Run) keepCredentials(ctx context.Context, c *member.Credentials) (Outcome, error) {
	if err := r.ensureNamespace(ctx, member.Namespace); err != nil {
		return final(err)
	}
	cluster := r.Operation.Spec.Cluster
	for name, data := range map[string]map[string]any{
		cluster:                      {clusterv1alpha1.SecretTokenKey: encode64(c.Token), clusterv1alpha1.SecretCADataKey: encode64(c.CA)},
		member.Impersonator(cluster): {clusterv1alpha1.SecretTokenKey: encode64(c.Impersonator)},
	} {
		ref := secretRef(name)
		_, err := r.create(ctx, ref, map[string]any{"apiVersion": "v1", "kind": "Secret", "data": data,
			"metadata": map[string]any{"namespace": ref.Namespace, "name": ref.Name, "labels": map[string]any{"karmada.io/system": "true"}}})
		if errors.Is(err, errTaken) {
			return Fail("%s", member.SecretTaken(name)), nil
		}
		if err != nil {
			return final(err)
		}
	}
	return Done(), nil
}

func encode64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// ensureNamespace makes a namespace of the instance's Karmada as the actor. It is not announced: it stays.
func (r *Run) ensureNamespace(ctx context.Context, name string) error {
	ref := model.Ref{GVK: namespaceKind, Name: name}
	_, is, err := r.look(ctx, ref)
	if err != nil || is != nil {
		return err
	}
	o, err := r.open(ctx, ref)
	if err != nil {
		return err
	}
	_, err = o.Create(ctx, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}})
	return err
}

// ownedBy makes a Secret of Karmada belong to the Cluster, with which it goes.
func (r *Run) ownedBy(ctx context.Context, ref model.Ref, cluster *metav1.ObjectMeta) error {
	o, err := r.open(ctx, ref)
	if err != nil {
		return err
	}
	_, err = o.Edit(ctx, karmada.Expected{}, func(object map[string]any) error {
		metadata, _ := object["metadata"].(map[string]any)
		metadata["ownerReferences"] = []any{map[string]any{
			"apiVersion": clusterKind.GroupVersion().String(), "kind": clusterKind.Kind, "name": cluster.Name, "uid": string(cluster.UID),
			"controller": true, "blockOwnerDeletion": true,
		}}
		return nil
	})
	return err
}

// clusterObject is Karmada's object for a member in push mode.
func clusterObject(o *v1alpha1.Operation, server, id string) map[string]any {
	in := o.Spec.JoinCluster
	spec := map[string]any{
		"syncMode": string(clusterv1alpha1.Push), "apiEndpoint": server, "id": id,
		"secretRef":             map[string]any{"namespace": member.Namespace, "name": o.Spec.Cluster},
		"impersonatorSecretRef": map[string]any{"namespace": member.Namespace, "name": member.Impersonator(o.Spec.Cluster)},
	}
	for field, value := range map[string]string{"provider": in.Provider, "region": in.Region} {
		if value != "" {
			spec[field] = value
		}
	}
	if len(in.Zones) > 0 {
		spec["zones"] = in.Zones
	}
	if len(in.Taints) > 0 {
		taints := make([]any, 0, len(in.Taints))
		for _, t := range in.Taints {
			taint := map[string]any{"key": t.Key, "effect": t.Effect}
			if t.Value != "" {
				taint["value"] = t.Value
			}
			taints = append(taints, taint)
		}
		spec["taints"] = taints
	}
	metadata := map[string]any{"name": o.Spec.Cluster}
	if len(in.Labels) > 0 {
		metadata["labels"] = in.Labels
	}
	return map[string]any{"apiVersion": clusterKind.GroupVersion().String(), "kind": clusterKind.Kind, "metadata": metadata, "spec": spec}
}

// watched is the member as Karmada has it, from memory; nil when there is none.
func (r *Run) watched(ctx context.Context) (*clusterv1alpha1.Cluster, error) {
	k, err := r.Karmada(ctx)
	if err != nil {
		return nil, err
	}
	if state := k.State(connection.Clusters); state.Err != nil || !state.Synced {
		return nil, fmt.Errorf("the instance does not say which clusters it has: %w", errors.Join(state.Err, errUnsynced))
	}
	c, _ := k.Get(connection.Clusters, "", r.Operation.Spec.Cluster).(*clusterv1alpha1.Cluster)
	return c, nil
}

var errUnsynced = errors.New("they are being listed")

// awaitReady waits until Karmada reaches the member.
func awaitReady(ctx context.Context, r *Run) (Outcome, error) {
	c, err := r.watched(ctx)
	if err != nil {
		return final(err)
	}
	if c == nil {
		return Wait("for Karmada to show the cluster", glance), nil
	}
	ready := meta.FindStatusCondition(c.Status.Conditions, clusterv1alpha1.ClusterConditionReady)
	switch {
	case ready == nil:
		return Wait("for Karmada to reach the cluster", glance), nil
	case ready.Status == metav1.ConditionTrue:
		return Done(), nil
	}
	return Wait(fmt.Sprintf("Karmada says of the cluster: %s: %s", ready.Reason, ready.Message), glance), nil
}

// awaitReadyAlone waits until Karmada reaches the member. Of two instances that took it in at the same time, this one yields.
func awaitReadyAlone(ctx context.Context, r *Run) (Outcome, error) {
	if outcome, err := r.free(ctx, r.Found(foundID)); err != nil || outcome.result != done {
		return outcome, err
	}
	return awaitReady(ctx, r)
}

// undoJoin takes away what a joining made, in Karmada and, with the kubeconfig that was given, in the member.
func undoJoin(ctx context.Context, r *Run) (Outcome, error) {
	if r.Operation.Spec.JoinCluster.Mode == string(clusterv1alpha1.Pull) {
		return undoRegistration(ctx, r)
	}
	if len(r.Operation.Status.Made) == 0 {
		return Done(), nil
	}
	registered := partOf(unregister(ctx, r))
	// Karmada needs the accounts to take what it placed out of the member. But they do not stay because Karmada does not answer.
	if registered.pending() && !r.impatient() {
		return registered.Outcome, registered.err
	}
	return together(registered, partOf(expel(ctx, r)))
}

// unregister takes the Cluster out of Karmada, and then its credentials.
func unregister(ctx context.Context, r *Run) (Outcome, error) {
	for _, ref := range []model.Ref{clusterRef(r.Operation), secretRef(r.Operation.Spec.Cluster), secretRef(member.Impersonator(r.Operation.Spec.Cluster))} {
		gone, err := r.discard(ctx, ref)
		switch {
		case err != nil:
			return Outcome{}, err
		case !gone:
			return Wait(fmt.Sprintf("for %s %q to be gone", ref.GVK.Kind, ref.Name), glance), nil
		}
	}
	return Done(), nil
}

// expel takes Karmada's accounts out of the member.
func expel(ctx context.Context, r *Run) (Outcome, error) {
	if r.Found(foundID) == "" {
		return Done(), nil
	}
	m, outcome, err := pasted(ctx, r)
	if m == nil {
		return outcome, err
	}
	defer m.Close()
	id, err := m.ID(ctx)
	if err == nil && id != r.Found(foundID) {
		return DoneWith("another cluster answers at the address of the kubeconfig by now; Karmada's accounts stay in the one that was to join"), nil
	}
	there := false
	if err == nil {
		there, err = m.Dismiss(ctx, r.Operation.Spec.Cluster, r.Mark())
	}
	switch {
	case err != nil:
		return Outcome{}, fmt.Errorf("taking Karmada's accounts out of the member: %w", err)
	case there:
		return Wait("for the member to remove Karmada's accounts", glance), nil
	}
	return Done(), nil
}
