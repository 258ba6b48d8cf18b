package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// failoverPolicy is the ClusterTaintPolicy that makes Karmada evict workloads from clusters that fail.
const failoverPolicy = "kairship-failover"

// failoverTaint is the taint that the policy adds to such clusters. Its key is Karmada's own, so that the tolerations
// of policies apply, with their durations.
const failoverTaint = "cluster.karmada.io/not-ready"

var (
	taintPolicies = schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: "clustertaintpolicies"}
	apiServices   = schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}
)

// metricsServices are the APIServices that the Karmada operator makes inside a Karmada even without a metrics adapter.
// One that does not answer keeps namespaces there from being deleted.
var metricsServices = []string{"v1beta1.metrics.k8s.io", "v1beta1.custom.metrics.k8s.io", "v1beta2.custom.metrics.k8s.io"}

// attach maintains what the settings of an attached instance need inside its Karmada.
func (c *Controller) attach(ctx context.Context, instance *v1alpha1.Instance) (outcome, error) {
	o := outcome{again: c.pace.Settings}
	held := controllerutil.ContainsFinalizer(instance, Finalizer)
	if !wantsFailover(instance) && !held {
		if says := settingsCondition(instance); says != nil {
			o.conditions = append(o.conditions, *says)
		}
		return o, nil
	}
	// Before anything is made that would have to be removed.
	if _, err := finalizer.Ensure(ctx, c.Client, instance, Finalizer, fieldOwner); err != nil {
		return outcome{done: true}, err
	}
	config, err := connection.Credential(ctx, c.Client, c.Namespace, instance)
	var unusable *connection.CredentialError
	if errors.As(err, &unusable) {
		o.conditions = append(o.conditions, settingsAre(metav1.ConditionFalse, unusable.Reason, unusable.Message))
		return o, nil
	}
	if err != nil {
		return outcome{done: true}, err
	}
	condition, kept, err := c.settingsOf(ctx, instance, &access{config: config})
	if condition != nil {
		o.conditions = append(o.conditions, *condition)
	}
	switch {
	case err != nil:
	case !kept && (condition == nil || condition.Reason == v1alpha1.ReasonUnreachable):
		o.again = c.pace.Idle
	case kept && !wantsFailover(instance):
		// Nothing that Kairship made is there any more.
		err = finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner)
	}
	return o, err
}

func wantsFailover(instance *v1alpha1.Instance) bool {
	s := instance.Spec.Settings
	return s != nil && s.Failover != nil && s.Failover.Enabled
}

func settingsAre(status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: v1alpha1.ConditionSettingsApplied, Status: status, Reason: reason, Message: message}
}

// settingsOf maintains what settings need inside a Karmada, and reports whether they are in force; nil when there are
// none. kept says that all of that is there, and nothing else any more.
func (c *Controller) settingsOf(ctx context.Context, instance *v1alpha1.Instance, reach *access) (_ *metav1.Condition, kept bool, _ error) {
	wanted := instance.Spec.Settings != nil
	if reach == nil {
		if !wanted {
			return nil, false, nil // there is nothing to say
		}
		if before := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionSettingsApplied); before != nil && before.ObservedGeneration == instance.Generation {
			return before, false, nil
		}
		pending := settingsAre(metav1.ConditionFalse, v1alpha1.ReasonPending, "the control plane is not installed yet")
		return &pending, false, nil
	}
	wish, err := json.Marshal(instance.Spec.Settings)
	if err != nil {
		return nil, false, fmt.Errorf("reading the settings of instance %q: %w", instance.Name, err)
	}
	done := c.checks.get(instance.Name)
	if done.wish == string(wish)+reach.config.Host && c.Clock.Now().Sub(done.at) < c.pace.Settings {
		return done.condition, true, nil
	}
	conn, err := c.Connections.Ensure(instance.Name, reach.config)
	if err != nil {
		return nil, false, err
	}
	if err := c.keepSettings(ctx, instance, conn.Dynamic()); err != nil {
		condition := troubled(err)
		if !wanted {
			c.Logger.Warn("what settings needed is not removed yet", "instance", instance.Name, "error", err)
			return nil, false, nil // nobody asked for any
		}
		return &condition, false, nil
	}
	condition := settingsCondition(instance)
	c.checks.set(instance.Name, check{wish: string(wish) + reach.config.Host, condition: condition, at: c.Clock.Now()})
	return condition, true, nil
}

// troubled returns the condition for a Karmada that does not accept what settings need.
func troubled(err error) metav1.Condition {
	switch {
	case apierrors.IsForbidden(err), apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		return settingsAre(metav1.ConditionFalse, v1alpha1.ReasonRefused, fmt.Sprintf(
			"the Karmada refuses what failover needs: %s; its webhook needs --allow-no-execute-taint-policy=true", err))
	case apierrors.IsNotFound(err):
		return settingsAre(metav1.ConditionFalse, v1alpha1.ReasonRefused, "the Karmada has no ClusterTaintPolicies: failover by Kairship needs Karmada v1.14 or later")
	}
	return settingsAre(metav1.ConditionFalse, v1alpha1.ReasonUnreachable, err.Error())
}

// keepSettings makes or removes what settings need.
func (c *Controller) keepSettings(ctx context.Context, instance *v1alpha1.Instance, inner dynamic.Interface) error {
	if wantsFailover(instance) {
		if err := keepInside(ctx, inner, inside{taintPolicies, failoverObject(instance.Name, true)}); err != nil {
			return err
		}
	} else if err := c.removeFailover(ctx, instance, inner); err != nil {
		return err
	}
	if instance.Spec.Source != v1alpha1.InstanceManaged {
		return nil
	}
	s := instance.Spec.Settings
	if s == nil || s.MetricsAdapter == nil || !s.MetricsAdapter.Enabled {
		if err := removeMetricsServices(ctx, instance.Name, inner); err != nil {
			return err
		}
	}
	if s == nil || s.Descheduler == nil || !s.Descheduler.Enabled {
		return c.removeDeployed(ctx, instance, partDescheduler)
	}
	return nil
}

func (c *Controller) removeDeployed(ctx context.Context, instance *v1alpha1.Instance, part string) error {
	was, err := installed(instance)
	if err != nil || was == nil {
		return err
	}
	w := &work{Controller: c, instance: instance, installation: *was}
	return w.removeDeployment(ctx, part)
}

// settingsCondition reports which settings are in force; nil when there are none.
func settingsCondition(instance *v1alpha1.Instance) *metav1.Condition {
	s := instance.Spec.Settings
	if s == nil {
		return nil
	}
	var cannot []string
	managed := instance.Spec.Source == v1alpha1.InstanceManaged
	if f := s.Failover; f != nil && f.Enabled {
		if !managed && (f.FailureThresholdSeconds != nil || f.GracefulEvictionTimeoutSeconds != nil) {
			cannot = append(cannot, "settings.failover: failureThresholdSeconds and gracefulEvictionTimeoutSeconds are arguments of a control plane that Kairship does not run; whoever does has to set them")
		}
	}
	if !managed && s.Descheduler != nil && s.Descheduler.Enabled {
		cannot = append(cannot, "settings.descheduler: Kairship does not run the components of this control plane; whoever does has to run the descheduler")
	}
	if !managed && s.MetricsAdapter != nil && s.MetricsAdapter.Enabled {
		cannot = append(cannot, "settings.metricsAdapter: Kairship does not run the components of this control plane; whoever does has to run the metrics adapter")
	}
	if len(cannot) > 0 {
		c := settingsAre(metav1.ConditionFalse, v1alpha1.ReasonPartlyApplied, strings.Join(cannot, "; "))
		return &c
	}
	message := "the settings are in force"
	if !managed && wantsFailover(instance) {
		message = "the ClusterTaintPolicy is in place; it works when the control plane runs with --feature-gates=Failover=true and --enable-no-execute-taint-eviction=true"
	}
	c := settingsAre(metav1.ConditionTrue, v1alpha1.ReasonApplied, message)
	return &c
}

// failoverObject taints clusters while they are not ready or not reachable. Without adds it only removes taints.
func failoverObject(instance string, adds bool) *unstructured.Unstructured {
	ready := func(operator string) []any {
		return []any{map[string]any{"conditionType": "Ready", "operator": operator, "statusValues": []any{"True"}}}
	}
	spec := map[string]any{
		"removeOnConditions": ready("In"),
		"taints":             []any{map[string]any{"key": failoverTaint, "effect": string(corev1.TaintEffectNoExecute)}},
	}
	if adds {
		spec["addOnConditions"] = ready("NotIn")
	}
	labels := map[string]any{}
	for k, v := range labelsOf(instance) {
		labels[k] = v
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": taintPolicies.GroupVersion().String(), "kind": "ClusterTaintPolicy",
		"metadata": map[string]any{"name": failoverPolicy, "labels": labels},
		"spec":     spec,
	}}
}

// removeFailover removes the policy, and before it the taints that it added, which Karmada would keep forever. The
// policy goes last, because it is the sign that there may be taints.
func (c *Controller) removeFailover(ctx context.Context, instance *v1alpha1.Instance, inner dynamic.Interface) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	policy, err := inner.Resource(taintPolicies).Get(ctx, failoverPolicy, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading ClusterTaintPolicy %q: %w", failoverPolicy, err)
	}
	if !ours(policy, instance.Name) {
		return nil
	}
	if _, adds, _ := unstructured.NestedFieldNoCopy(policy.Object, "spec", "addOnConditions"); adds {
		if _, err := inner.Resource(taintPolicies).Apply(ctx, failoverPolicy, failoverObject(instance.Name, false), metav1.ApplyOptions{FieldManager: string(fieldOwner), Force: true}); err != nil {
			return fmt.Errorf("writing ClusterTaintPolicy %q: %w", failoverPolicy, err)
		}
		wrote("ClusterTaintPolicy", "apply")
	}
	if err := removeTaints(ctx, inner); err != nil {
		return err
	}
	uid := policy.GetUID()
	if err := inner.Resource(taintPolicies).Delete(ctx, failoverPolicy, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}}); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting ClusterTaintPolicy %q: %w", failoverPolicy, err)
	}
	wrote("ClusterTaintPolicy", "delete")
	return nil
}

// removeTaints removes the taint of the policy from every cluster, unless another policy adds it too.
func removeTaints(ctx context.Context, inner dynamic.Interface) error {
	policies, err := inner.Resource(taintPolicies).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing ClusterTaintPolicies: %w", err)
	}
	for i := range policies.Items {
		taints, _, _ := unstructured.NestedSlice(policies.Items[i].Object, "spec", "taints")
		if policies.Items[i].GetName() != failoverPolicy && slices.ContainsFunc(taints, isFailoverTaint) {
			return nil
		}
	}
	clusters, err := inner.Resource(connection.Clusters.Resource).List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("listing clusters: %w", err)
	}
	for i := range clusters.Items {
		cluster := &clusters.Items[i]
		taints, _, _ := unstructured.NestedSlice(cluster.Object, "spec", "taints")
		if !slices.ContainsFunc(taints, isFailoverTaint) {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(taints), isFailoverTaint)
		if len(kept) == 0 {
			unstructured.RemoveNestedField(cluster.Object, "spec", "taints")
		} else if err := unstructured.SetNestedSlice(cluster.Object, kept, "spec", "taints"); err != nil {
			return fmt.Errorf("taking the taint off cluster %q: %w", cluster.GetName(), err)
		}
		// With the version that was read: somebody may write taints at the same time.
		if _, err := inner.Resource(connection.Clusters.Resource).Update(ctx, cluster, metav1.UpdateOptions{FieldManager: string(fieldOwner)}); err != nil {
			return fmt.Errorf("taking the taint off cluster %q: %w", cluster.GetName(), err)
		}
		wrote("Cluster", "update")
	}
	return nil
}

func isFailoverTaint(taint any) bool {
	t, ok := taint.(map[string]any)
	return ok && t["key"] == failoverTaint && t["effect"] == string(corev1.TaintEffectNoExecute)
}

// removeMetricsServices removes the APIServices of a metrics adapter that does not run.
func removeMetricsServices(ctx context.Context, instance string, inner dynamic.Interface) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	for _, name := range metricsServices {
		service, err := inner.Resource(apiServices).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading APIService %q: %w", name, err)
		}
		if of, _, _ := unstructured.NestedString(service.Object, "spec", "service", "name"); of != operatorName(instance, partMetricsAdapter) {
			continue
		}
		uid := service.GetUID()
		if err := inner.Resource(apiServices).Delete(ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}}); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("deleting APIService %q: %w", name, err)
		}
		wrote("APIService", "delete")
	}
	return nil
}
