package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/status/health"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// probePolicy is the name of the policy of the dry run. It is never stored.
const probePolicy = "kairship-webhook-probe"

var policyKind = schema.GroupVersionKind{Group: policyv1alpha1.GroupName, Version: "v1alpha1", Kind: policyv1alpha1.ResourceKindPropagationPolicy}

// asked adapts a connection to the probes.
type asked struct{ *connection.Connection }

// TryPolicy creates a policy as a dry run.
func (a asked) TryPolicy(ctx context.Context) (map[string]string, error) {
	policy := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": probePolicy, "namespace": metav1.NamespaceDefault},
		"spec": map[string]any{
			"resourceSelectors": []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": probePolicy}},
		},
	}}
	policy.SetGroupVersionKind(policyKind)
	answer, err := a.Dynamic().Resource(policyKind.GroupVersion().WithResource(policyv1alpha1.ResourcePluralPropagationPolicy)).Namespace(metav1.NamespaceDefault).
		Create(ctx, policy, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: string(fieldOwner)})
	if err != nil {
		return nil, err
	}
	return answer.GetLabels(), nil
}

// Refused reports on the requests that the connection makes for all controllers.
func (a asked) Refused() error {
	err := a.State(connection.Clusters).Err
	if apierrors.IsUnauthorized(err) || apierrors.IsForbidden(err) {
		return err
	}
	return nil
}

// Members are the clusters that the connection watches.
func (a asked) Members() ([]*clusterv1alpha1.Cluster, bool) {
	objects := a.List(connection.Clusters)
	members := make([]*clusterv1alpha1.Cluster, 0, len(objects))
	for _, o := range objects {
		if cluster, ok := o.(*clusterv1alpha1.Cluster); ok {
			members = append(members, cluster)
		}
	}
	return members, a.State(connection.Clusters).Synced
}

// callers are the webhooks that see a policy when it is made.
type callers struct {
	// any says that there is one; strict that the API server rejects the policy when one does not answer.
	any, strict bool
	// karmada says that Karmada's own is among those that change it.
	karmada bool
}

// admission is the part of webhook configurations that is read here.
type admission struct {
	Items []struct {
		Webhooks []struct {
			Name          string                           `json:"name"`
			Rules         []admissionv1.RuleWithOperations `json:"rules"`
			FailurePolicy admissionv1.FailurePolicyType    `json:"failurePolicy"`
		} `json:"webhooks"`
	} `json:"items"`
}

// askCallers finds out which webhooks see a policy.
func askCallers(ctx context.Context, k karmada) (callers, error) {
	var found callers
	for _, resource := range []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"} {
		body, err := k.Fetch(ctx, "/apis/admissionregistration.k8s.io/v1/"+resource)
		if err != nil {
			return callers{}, err
		}
		var list admission
		if err := json.Unmarshal(body, &list); err != nil {
			return callers{}, fmt.Errorf("reading %s: %w", resource, err)
		}
		for _, configuration := range list.Items {
			for _, webhook := range configuration.Webhooks {
				if !slices.ContainsFunc(webhook.Rules, seesPolicies) {
					continue
				}
				found.any = true
				found.strict = found.strict || webhook.FailurePolicy != admissionv1.Ignore
				found.karmada = found.karmada || strings.HasPrefix(resource, "mutating") && strings.HasSuffix(webhook.Name, ".karmada.io")
			}
		}
	}
	return found, nil
}

func seesPolicies(r admissionv1.RuleWithOperations) bool {
	return named(r.APIGroups, policyv1alpha1.GroupName) &&
		named(r.Resources, policyv1alpha1.ResourcePluralPropagationPolicy) &&
		(slices.Contains(r.Operations, admissionv1.Create) || slices.Contains(r.Operations, admissionv1.OperationAll))
}

func named(names []string, name string) bool {
	return slices.Contains(names, name) || slices.Contains(names, "*") || slices.Contains(names, "*/*")
}

// askWebhook probes the webhooks with a dry run of a policy.
func askWebhook(ctx context.Context, k karmada, who callers) health.Saying {
	if !who.any {
		return noEvidence("Karmada has no admission webhook for policies")
	}
	labels, err := k.TryPolicy(ctx)
	answers := well(v1alpha1.ReasonAnswering, "the admission webhook of policies answers")
	switch {
	case err == nil && (who.strict || labels[policyv1alpha1.PropagationPolicyPermanentIDLabel] != ""):
		return answers
	case err == nil && who.karmada:
		return ill(v1alpha1.ReasonNotAnswering, "policies are admitted without what Karmada's webhook adds to them")
	case err == nil:
		return noEvidence("policies are admitted whether or not the webhook answers")
	case strings.Contains(err.Error(), "failed calling webhook"):
		return ill(v1alpha1.ReasonNotAnswering, strings.TrimPrefix(explain(err), "Internal error occurred: "))
	case errors.Is(err, context.DeadlineExceeded):
		return ill(v1alpha1.ReasonNotAnswering, "the admission of a policy was not answered in time")
	case strings.Contains(err.Error(), "denied the request"), apierrors.IsAlreadyExists(err):
		return answers
	case apierrors.IsForbidden(err):
		return noEvidence("Kairship may not try to make a policy: " + explain(err))
	default:
		return noEvidence("a policy cannot be tried: " + explain(err))
	}
}
