package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// mostNamed is how many clusters a message names.
const mostNamed = 10

// forced reports whether a person insists on a deletion.
func forced(instance *v1alpha1.Instance) bool {
	return instance.Annotations[v1alpha1.AnnotationForceDelete] == instance.Name
}

func howToForce(instance string) string {
	return fmt.Sprintf("or annotate the Instance with %s=%s to delete it all the same", v1alpha1.AnnotationForceDelete, instance)
}

// guard decides whether a control plane may be deleted with everything in it. It asks the Karmada itself which clusters
// are joined: a status may be out of date.
func (c *Controller) guard(ctx context.Context, instance *v1alpha1.Instance, i installation) metav1.Condition {
	members, err := c.members(ctx, instance, i)
	switch {
	case err != nil && forced(instance):
		return deletable(metav1.ConditionTrue, v1alpha1.ReasonForced, fmt.Sprintf("deleted on demand, although the Karmada could not be asked which clusters are joined: %s", err))
	case err != nil:
		return deletable(metav1.ConditionFalse, v1alpha1.ReasonUnreachable, fmt.Sprintf(
			"the Karmada cannot be asked which clusters are joined: %s; let it answer, %s", err, howToForce(instance.Name)))
	case len(members) > 0 && forced(instance):
		return deletable(metav1.ConditionTrue, v1alpha1.ReasonForced, fmt.Sprintf("deleted on demand, although %s joined: %s; what runs there is left there", areJoined(len(members)), named(members)))
	case len(members) > 0:
		return deletable(metav1.ConditionFalse, v1alpha1.ReasonMembersJoined, fmt.Sprintf(
			"%s joined: %s; remove them from the instance first, %s", areJoined(len(members)), named(members), howToForce(instance.Name)))
	}
	return deletable(metav1.ConditionTrue, v1alpha1.ReasonDeletable, "no cluster is joined")
}

func deletable(status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: v1alpha1.ConditionDeletable, Status: status, Reason: reason, Message: message}
}

func areJoined(n int) string {
	if n == 1 {
		return "1 cluster is"
	}
	return fmt.Sprintf("%d clusters are", n)
}

func named(members []string) string {
	if len(members) > mostNamed {
		return strings.Join(members[:mostNamed], ", ") + fmt.Sprintf(" and %d more", len(members)-mostNamed)
	}
	return strings.Join(members, ", ")
}

// reachOf returns how to reach the Karmada of a managed instance: by the published kubeconfig, as every other
// controller does, else by that of the operator; nil when there is neither.
func (c *Controller) reachOf(ctx context.Context, instance *v1alpha1.Instance, i installation) (*access, error) {
	var raw []byte
	if ref := instance.Status.KubeconfigSecretRef; ref != nil {
		var secret corev1.Secret
		err := c.Live.Get(ctx, client.ObjectKey{Namespace: c.Namespace, Name: ref.Name}, &secret)
		if client.IgnoreNotFound(err) != nil {
			return nil, fmt.Errorf("reading the kubeconfig of instance %q: %w", instance.Name, err)
		}
		raw = secret.Data[v1alpha1.KubeconfigKey]
	}
	if raw == nil {
		var err error
		if raw, err = c.operatorKubeconfig(ctx, i.Namespace, instance.Name); err != nil {
			return nil, err
		}
	}
	if raw == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	return readAccess(raw)
}

// members returns the clusters that are joined, as the Karmada itself answers.
func (c *Controller) members(ctx context.Context, instance *v1alpha1.Instance, i installation) ([]string, error) {
	// Before its kubeconfig is published nobody can have joined a cluster.
	young := instance.Status.KubeconfigSecretRef == nil
	reach, err := c.reachOf(ctx, instance, i)
	switch {
	case (err != nil || reach == nil) && young:
		return nil, nil
	case err != nil:
		return nil, err
	case reach == nil:
		return nil, errors.New("its kubeconfig is gone")
	}
	conn, err := c.Connections.Ensure(instance.Name, reach.config)
	if err != nil {
		return nil, err
	}
	if err := conn.State().Err; err != nil && !young {
		// Its watches ask all the time, and get no answer.
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	list, err := conn.Dynamic().Resource(connection.Clusters.Resource).List(ctx, metav1.ListOptions{})
	switch {
	case err != nil && young:
		return nil, nil
	case apierrors.IsNotFound(err):
		return nil, errors.New("it does not serve its clusters at the moment")
	case err != nil:
		return nil, err
	}
	names := make([]string, 0, len(list.Items))
	for i := range list.Items {
		left, err := hasLeft(ctx, conn, &list.Items[i])
		if err != nil {
			return nil, err
		}
		if !left {
			names = append(names, list.Items[i].GetName())
		}
	}
	slices.Sort(names)
	return names, nil
}

// executionSpace begins the name of the namespace in which Karmada keeps what it has put into a member.
const executionSpace = "karmada-es-"

// hasLeft reports whether a cluster that is being removed has given back what was put into it. Karmada keeps listing it
// for as long as a binding names it, which may be forever where a policy names no other.
func hasLeft(ctx context.Context, conn *connection.Connection, cluster metav1.Object) (bool, error) {
	if cluster.GetDeletionTimestamp() == nil {
		return false, nil
	}
	_, err := conn.Dynamic().Resource(corev1.SchemeGroupVersion.WithResource("namespaces")).Get(ctx, executionSpace+cluster.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return true, nil
	}
	return false, err
}

// foresee predicts whether a deletion would be refused, so that it can be refused before it begins. What the watch
// shows is enough for that: guard asks again. Nil while nothing is known.
func (c *Controller) foresee(instance *v1alpha1.Instance, reach *access) *metav1.Condition {
	if reach == nil {
		return nil
	}
	conn, err := c.Connections.Ensure(instance.Name, reach.config)
	if err != nil || !conn.State(connection.Clusters).Synced {
		return nil
	}
	var joined []string
	for _, cluster := range conn.List(connection.Clusters) {
		if cluster.GetDeletionTimestamp() == nil {
			joined = append(joined, cluster.GetName())
		}
	}
	d := deletable(metav1.ConditionTrue, v1alpha1.ReasonDeletable, "no cluster is joined")
	if len(joined) > 0 {
		d = deletable(metav1.ConditionFalse, v1alpha1.ReasonMembersJoined, fmt.Sprintf(
			"%s joined: %s; remove them from the instance first, %s", areJoined(len(joined)), named(joined), howToForce(instance.Name)))
	}
	return &d
}

// bindings are what Karmada keeps for each template that a policy propagates.
var bindings = []schema.GroupVersionResource{
	{Group: "work.karmada.io", Version: "v1alpha2", Resource: "resourcebindings"},
	{Group: "work.karmada.io", Version: "v1alpha2", Resource: "clusterresourcebindings"},
}

// templates returns how many templates are deleted with a control plane, as far as it answers.
func (c *Controller) templates(ctx context.Context, instance *v1alpha1.Instance, i installation) (total int64) {
	reach, err := c.reachOf(ctx, instance, i)
	if err != nil || reach == nil {
		return 0
	}
	conn, err := c.Connections.Ensure(instance.Name, reach.config)
	if err != nil || conn.State().Err != nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	for _, resource := range bindings {
		list, err := conn.Dynamic().Resource(resource).List(ctx, metav1.ListOptions{Limit: 1})
		if err != nil {
			continue
		}
		total += int64(len(list.Items))
		if more := list.GetRemainingItemCount(); more != nil {
			total += *more
		}
	}
	return total
}
