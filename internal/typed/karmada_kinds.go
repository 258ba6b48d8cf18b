package typed

import (
	"slices"

	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/policy"
)

// KarmadaKinds are the kinds that createKarmadaResource and updateKarmadaResource take.
var KarmadaKinds = []Kind{
	{Field: "federatedHPA", GVK: objects.FederatedHPA, Namespaced: true, Form: withMetadata(federatedHPAForm), check: checkSelectors},
	{Field: "cronFederatedHPA", GVK: objects.CronFederatedHPA, Namespaced: true, Form: withMetadata(cronFederatedHPAForm)},
	{Field: "multiClusterService", GVK: objects.MultiClusterService, Namespaced: true, Form: withMetadata(multiClusterServiceForm)},
	{Field: "federatedResourceQuota", GVK: objects.FederatedResourceQuota, Namespaced: true, Form: withMetadata(federatedResourceQuotaForm)},
	{Field: "clusterTaintPolicy", GVK: objects.ClusterTaintPolicy, Form: withMetadata(clusterTaintPolicyForm, "namespace"), check: checkSelectors},
}

type (
	form   = overlay.Form
	object = overlay.Object
	list   = overlay.List
	text   = overlay.Text
	whole  = overlay.Number
	enum   = overlay.Enum
)

// withMetadata is a form with the fields of the metadata before it, but for some.
func withMetadata(f form, without ...string) (out form) {
	for _, field := range policy.MetadataForm {
		if !slices.Contains(without, field.Name) {
			out = append(out, field)
		}
	}
	return append(out, f...)
}

var scaleTarget = object{Always: true, Form: form{
	{Name: "apiVersion", Is: text{}},
	{Name: "kind", Is: text{}},
	{Name: "name", Is: text{}},
}}

var federatedHPAForm = form{
	{Name: "target", At: "spec.scaleTargetRef", Is: scaleTarget},
	{Name: "minReplicas", At: "spec.minReplicas", Is: whole{}, Default: 1},
	{Name: "maxReplicas", At: "spec.maxReplicas", Is: whole{}},
	{Name: "metrics", At: "spec.metrics", Is: list{Identity: []string{"type", "name", "container", "object", "selector"}, Union: &overlay.Union{
		By: "type", Other: "UNKNOWN", Cases: map[string]form{
			"RESOURCE": {
				{Name: "name", At: "resource.name", Is: text{}},
				{Name: "target", At: "resource.target", Is: metricTarget},
			},
			"CONTAINER_RESOURCE": {
				{Name: "name", At: "containerResource.name", Is: text{}},
				{Name: "container", At: "containerResource.container", Is: text{}},
				{Name: "target", At: "containerResource.target", Is: metricTarget},
			},
			"PODS":     metricForm("pods"),
			"EXTERNAL": metricForm("external"),
			"OBJECT": append(metricForm("object"),
				overlay.Field{Name: "object", At: "object.describedObject", Is: object{Form: scaleTarget.Form}}),
		},
	}}},
	{Name: "behavior", At: "spec.behavior", Is: object{Form: form{
		{Name: "scaleUp", Is: object{Form: scalingRules}},
		{Name: "scaleDown", Is: object{Form: scalingRules}},
	}}},
}

// metricForm is a metric that has a name and a selector.
func metricForm(source string) form {
	return form{
		{Name: "name", At: source + ".metric.name", Is: text{}},
		{Name: "selector", At: source + ".metric.selector", Is: object{Form: policy.LabelSelectorForm}},
		{Name: "target", At: source + ".target", Is: metricTarget},
	}
}

var metricTarget = overlay.Union{
	By: "type", Always: true, Cases: map[string]form{
		"UTILIZATION":   {{Name: "quantity", At: "averageUtilization", Is: overlay.Percent{}}},
		"AVERAGE_VALUE": {{Name: "quantity", At: "averageValue", Is: overlay.Quantity{}}},
		"VALUE":         {{Name: "quantity", At: "value", Is: overlay.Quantity{}}},
	},
	// As the graph reads it.
	Guess: func(target map[string]any) string {
		if target["averageUtilization"] != nil {
			return "UTILIZATION"
		}
		return "VALUE"
	},
}

var scalingRules = form{
	{Name: "stabilizationWindowSeconds", Is: whole{}},
	{Name: "selectPolicy", Is: enum{}},
	{Name: "policies", Is: list{Identity: []string{"type"}, Form: form{
		{Name: "type", Is: enum{}},
		{Name: "value", Is: whole{}},
		{Name: "periodSeconds", Is: whole{}},
	}}},
	{Name: "tolerance", Is: overlay.Quantity{}},
}

var cronFederatedHPAForm = form{
	{Name: "target", At: "spec.scaleTargetRef", Is: scaleTarget},
	{Name: "schedules", At: "spec.rules", Is: list{Identity: []string{"name"}, Form: form{
		{Name: "name", Is: text{}},
		{Name: "schedule", Is: text{}},
		{Name: "timeZone", Is: text{}},
		{Name: "targetReplicas", Is: whole{}},
		{Name: "targetMinReplicas", Is: whole{}},
		{Name: "targetMaxReplicas", Is: whole{}},
		{Name: "suspended", At: "suspend", Is: overlay.Flag{}, Default: false},
		{Name: "successfulHistoryLimit", Is: whole{}, Default: 3},
		{Name: "failedHistoryLimit", Is: whole{}, Default: 3},
	}}},
}

var multiClusterServiceForm = form{
	{Name: "types", At: "spec.types", Is: overlay.Values{Is: enum{}}},
	{Name: "ports", At: "spec.ports", Is: list{Identity: []string{"port"}, Form: form{
		{Name: "name", Is: text{}},
		{Name: "port", Is: whole{}},
	}}},
	// Karmada's webhook names them below the range.
	{Name: "providerClusters", At: "spec.providerClusters", Is: overlay.Values{Key: "name"}, Also: []string{"spec.range.providerClusters"}},
	{Name: "consumerClusters", At: "spec.consumerClusters", Is: overlay.Values{Key: "name"}, Also: []string{"spec.range.consumerClusters"}},
	{Name: "range", At: "spec.range.clusterNames", Is: overlay.Values{}},
	{Name: "serviceProvisionClusters", At: "spec.serviceProvisionClusters", Is: overlay.Values{}},
	{Name: "serviceConsumptionClusters", At: "spec.serviceConsumptionClusters", Is: overlay.Values{}},
}

var amounts = overlay.Entries{Key: "resource", Value: "quantity", Is: overlay.Quantity{}}

var federatedResourceQuotaForm = form{
	{Name: "overall", At: "spec.overall", Is: amounts},
	{Name: "staticAssignments", At: "spec.staticAssignments", Is: list{Identity: []string{"clusterName"}, Form: form{
		{Name: "clusterName", Is: text{}},
		{Name: "hard", Is: amounts},
	}}},
}

var conditionMatches = list{Identity: []string{"conditionType", "operator"}, Form: form{
	{Name: "conditionType", Is: text{}},
	{Name: "operator", Is: enum{}},
	{Name: "statusValues", Is: overlay.Values{Is: enum{}}},
}}

var clusterTaintPolicyForm = form{
	{Name: "targetClusters", At: "spec.targetClusters", Is: object{Form: policy.ClusterAffinityForm}},
	{Name: "addOnConditions", At: "spec.addOnConditions", Is: conditionMatches},
	{Name: "removeOnConditions", At: "spec.removeOnConditions", Is: conditionMatches},
	{Name: "taints", At: "spec.taints", Is: list{Identity: []string{"key", "effect"}, Form: form{
		{Name: "key", Is: text{}},
		{Name: "value", Is: text{}},
		{Name: "effect", Is: enum{}},
	}}},
}
